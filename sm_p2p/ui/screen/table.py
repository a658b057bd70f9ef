"""The table with boxes: large cards and fans, or small cards.

Law: everything that is drawn here follows from the plan, so that clicks and cards on their way find the same places.
"""

from sm_p2p.rules.moves import TARGETS
from sm_p2p.rules.view import View
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import best
from sm_p2p.ui.screen.faces import draw
from sm_p2p.ui.screen.frame import Rect
from sm_p2p.ui.screen.labels import LOW_STOCK, Pointing, count_label, keys_of
from sm_p2p.ui.screen.layout import Kind, Plan
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.names import draw_names
from sm_p2p.ui.screen.shown import Shown, needed, shown
from sm_p2p.ui.screen.spots import HAND_NAMES, SIDE_NAMES, STOCK, Spot
from sm_p2p.ui.words import Words


def draw_table(canvas: Canvas, model: Model, view: View, plan: Plan) -> None:
    """Every pile with its labels and zones."""
    pointing = Pointing(model)
    draw_names(canvas, model, view, plan)
    for spot, rect in plan.rects.items():
        if rect.height == 1:  # the other player's hand, in the row of his name
            continue
        pile = shown(view, spot)
        draw(canvas, rect, pile, plan.fan if spot.place in SIDE_NAMES else 0)
        if spot in model.marks:
            middle = rect.left + rect.width // 2 - 1
            canvas.put(middle, rect.top + rect.height - 1, "••", "sm.mark")
        if style := pointing.style(spot):
            canvas.add_style(rect, style)
        _labels(canvas, model.words, view, plan, pointing, spot)
        if keys := keys_of(model, spot):
            above = min(plan.fan, len(pile.beneath)) if spot.place in SIDE_NAMES else 0
            canvas.zone(
                Rect(rect.left, rect.top - above, rect.width, rect.height + above + _rows_below(plan, spot)), *keys
            )


def _rows_below(plan: Plan, spot: Spot) -> int:
    """The rows of labels below a pile."""
    is_low = spot.seat is None or (spot.place == "p" and plan.kind is Kind.BOXES)
    return 2 if is_low else 1


def _labels(canvas: Canvas, words: Words, view: View, plan: Plan, pointing: Pointing, spot: Spot) -> None:
    rect = plan.rects[spot]
    left, row, width = rect.left - 1, rect.top + rect.height, rect.width + 2
    pile, label, style = shown(view, spot), pointing.label(spot), pointing.label_style(spot)
    if spot == STOCK:
        _stock(canvas, words, rect, pile)
    elif spot.seat is None:
        rank = needed(view.table.centre[TARGETS.index(spot.place)])
        text = words.say("needs {rank}", rank=rank)
        canvas.put(rect.left, row, best(width - 1, text, text.replace(" ", ""), rank), "sm.needs")
        end = canvas.put(rect.left, row + 1, label.text.rstrip(), style)
        if label.key != spot.place and not label.behind:  # so the list of moves calls it
            canvas.put(end + 1, row + 1, spot.place, "sm.dim")
    elif spot.place == "p":
        forms = (words.count("{n} left", "{n} left", pile.number), str(pile.number))
        if plan.kind is Kind.LARGE:
            before = f"{label.text} " if label.key else " "
            canvas.put(left, row, before + best(width + 1 - len(before), *forms), style)
        else:
            canvas.put(rect.left, row, best(width - 1, *forms), "sm.needs")
            canvas.put(rect.left, row + 1, label.text.rstrip(), style)
    elif spot.place in HAND_NAMES:
        canvas.put(rect.left, row, label.text.rstrip(), style)
    else:
        canvas.put(left, row, f"{label.text} {count_label(pile)}", style)


def _stock(canvas: Canvas, words: Words, rect: Rect, pile: Shown) -> None:
    row = rect.top + rect.height
    is_low = pile.number < LOW_STOCK
    canvas.label(rect.left, row, words.say("stock"), rect.width + 1, "sm.low" if is_low else "sm.needs")
    if pile.number < 2:  # a single back has no number of its own, and an empty place even less
        canvas.put(rect.left + (rect.width - 1) // 2, rect.top + rect.height // 2, str(pile.number), "sm.low")
    if is_low:
        canvas.label(rect.left, row + 1, words.say("low!"), rect.width + 1, "sm.low")
