"""The table without boxes, for small terminals: a key, a face and a number for each pile.

Law: it shows all that the table with boxes shows, but for the cards beneath, which `v` lists.
"""

from sm_p2p.rules.moves import TARGETS
from sm_p2p.rules.view import View
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import best, cut
from sm_p2p.ui.screen.faces import small, with_glyphs, write
from sm_p2p.ui.screen.frame import Pane, Rect
from sm_p2p.ui.screen.labels import LOW_STOCK, Pointing, count_label, keys_of
from sm_p2p.ui.screen.layout import Plan
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.names import draw_names
from sm_p2p.ui.screen.panel import draw_lines, hint_line, said_line
from sm_p2p.ui.screen.shown import needed, shown
from sm_p2p.ui.screen.spots import HAND_NAMES, SIDE_NAMES, STOCK, Spot
from sm_p2p.ui.words import Words

LABEL_CELLS = 4


def draw_compact(canvas: Canvas, model: Model, view: View, plan: Plan) -> None:
    """Every pile with its label and zone, and the last moves below."""
    pointing, other = Pointing(model), 1 - model.bottom
    draw_names(canvas, model, view, plan)
    for spot, rect in plan.rects.items():
        if spot.seat == other and spot.place in HAND_NAMES:
            continue
        if spot == STOCK:
            _stock(canvas, model.words, rect, view.table.stock_count)
            continue
        pile, label = shown(view, spot), pointing.label(spot)
        canvas.put(rect.left - LABEL_CELLS, rect.top, f"{label.before or ' '}{label.key}", pointing.label_style(spot))
        text, style = small(pile)
        canvas.put(rect.left, rect.top, f"{text:<3}", f"{style} {pointing.style(spot)}")
        behind = canvas.put(rect.left + max(len(text), 3), rect.top, label.behind, "sm.key")
        if spot in model.marks:
            behind = canvas.put(behind, rect.top, "•", "sm.mark")
        _number(canvas, model.words, view, spot, behind, rect)
        if keys := keys_of(model, spot):
            height = 2 if spot.seat is None else 1
            canvas.zone(Rect(rect.left - LABEL_CELLS, rect.top, rect.width + LABEL_CELLS, height), *keys)
    _lines(canvas, model, Rect(1, plan.panel.top, plan.panel.width - 2, plan.panel.height))


def _lines(canvas: Canvas, model: Model, rect: Rect) -> None:
    """The last moves, and below them the hint or the verdict, or else the last line of the chat."""
    last = ""
    if model.hint is not None:
        last = f"{model.words.say('HINT (h)')} {hint_line(model.words, model.hint)}"
    elif model.verdict:
        last = f"{model.words.say('ANALYSIS (a)')} {with_glyphs('; '.join(model.verdict))}"
    elif model.chat:
        last = said_line(model.words, model.chat[-1])
    rows = rect.height - (1 if last else 0)
    draw_lines(canvas, model, Rect(rect.left, rect.top, rect.width, rows))
    write(canvas, rect.left, rect.top + rows, cut(last, rect.width))
    canvas.zone(Rect(rect.left, rect.top, rect.width, rows), "l", pane=Pane.LOG)


def _number(canvas: Canvas, words: Words, view: View, spot: Spot, left: int, rect: Rect) -> None:
    """What stands beside a pile, or below a centre stack."""
    pile = shown(view, spot)
    if spot.seat is None:
        rank = needed(view.table.centre[TARGETS.index(spot.place)])
        text = words.say("needs {rank}", rank=rank)
        canvas.put(rect.left - 1, rect.top + 1, best(8, text, text.replace(" ", ""), rank), "sm.needs")
    elif spot.place == "p":
        text = words.count("{n} left", "{n} left", pile.number)
        canvas.put(left + 1, rect.top, best(14, text, str(pile.number)), "sm.needs")
    elif spot.place in SIDE_NAMES and pile.number:
        canvas.label(left + 1, rect.top, count_label(pile), 3, "sm.dim")


def _stock(canvas: Canvas, words: Words, rect: Rect, count: int) -> None:
    style = "sm.low" if count < LOW_STOCK else "sm.needs"
    canvas.label(rect.left, rect.top - 1, words.say("stock"), 6, style)
    low = f" {words.say('low!')}" if count < LOW_STOCK else ""
    canvas.label(rect.left, rect.top, f"{count}{low}", 8, style)
