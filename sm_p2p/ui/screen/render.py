"""The whole screen: a model, a size and a look become a frame.

Law: `render` is a pure function that never raises, whatever the size.
"""

from sm_p2p.ui.board import table_lines
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.frame import Frame, Rect, Size
from sm_p2p.ui.screen.looks import UNICODE, Look
from sm_p2p.ui.screen.model import Model


def render(model: Model, size: Size, look: Look = UNICODE) -> Frame:
    """The frame that shows this model in a terminal of this size."""
    canvas = Canvas(size, look.charset)
    whole = Rect(0, 0, *size)
    if model.view is not None:
        for row, line in enumerate(table_lines(model.words, model.view)):
            canvas.line(whole, row, line)
    canvas.line(whole, size.rows - 2, model.message)
    return canvas.frame()
