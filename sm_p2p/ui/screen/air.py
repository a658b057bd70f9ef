"""Cards on their way from one place to another.

Law: a card starts exactly over its first place and ends exactly over its last one.
"""

from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.faces import draw, small
from sm_p2p.ui.screen.frame import Rect
from sm_p2p.ui.screen.layout import Kind, Plan
from sm_p2p.ui.screen.model import InAir
from sm_p2p.ui.screen.shown import Shown, Side
from sm_p2p.ui.screen.spots import STOCK

WHOLE = 1000


def draw_air(canvas: Canvas, air: tuple[InAir, ...], plan: Plan) -> None:
    """Every card in the air."""
    card = plan.rects[STOCK]
    for flying in air:
        start, end = plan.rects[flying.start], plan.rects[flying.end]
        part = min(max(flying.part, 0), WHOLE)
        left = start.left + (end.left - start.left) * part // WHOLE
        top = start.top + (end.top - start.top) * part // WHOLE
        shown = Shown(Side.BACK if flying.card is None else Side.FACE, flying.card, 1)
        if plan.kind is Kind.COMPACT:
            text, style = small(shown)
            canvas.put(left, top, text, style)
        else:
            draw(canvas, Rect(left, min(top, plan.rule - card.height), card.width, card.height), shown)
