"""The names at the table, and the other player's hand beside his."""

from typing import Final

from sm_p2p.rules.view import View
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import cut, text_width
from sm_p2p.ui.screen.faces import BACK, face, suit_style
from sm_p2p.ui.screen.layout import Plan
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.shown import Side, shown
from sm_p2p.ui.screen.spots import HAND_NAMES, Spot

HAND_CELLS: Final = 6  # of the seven between the name and the cards


def draw_names(canvas: Canvas, model: Model, view: View, plan: Plan) -> None:
    """The other player's name and hand; the own name where we only watch."""
    other = 1 - model.bottom
    words = model.words
    canvas.label(plan.name.left, plan.name.top, words.name(other), plan.name.width, "sm.name")
    first = plan.rects[Spot(other, HAND_NAMES[0])]
    hand = cut(words.say("hand"), HAND_CELLS)
    canvas.put(first.left - 1 - text_width(hand), plan.name.top, hand, "sm.dim")
    for place in HAND_NAMES:
        spot = Spot(other, place)
        rect, card = plan.rects[spot], shown(view, spot)
        text, style = ("·", "sm.empty") if card.side is Side.EMPTY else (BACK, "sm.back")
        if card.card is not None:
            text, style = face(card.card), suit_style(card.card)
        canvas.put(rect.left, first.top, text, f"{style} sm.mark" if spot in model.marks else style)
    if view.seat is None:
        canvas.label(plan.own_name.left, plan.own_name.top, words.name(model.bottom), plan.own_name.width, "sm.name")
