"""The whole screen: a model, a size and a look become a frame.

Law: `render` is a pure function that never raises, whatever the size.
"""

from typing import Final

from sm_p2p.rules.view import View
from sm_p2p.ui.flights import undealt
from sm_p2p.ui.screen.air import draw_air
from sm_p2p.ui.screen.bar import draw_bar
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import text_width, wrap
from sm_p2p.ui.screen.compact import draw_compact
from sm_p2p.ui.screen.footer import draw_footer, footer_entries
from sm_p2p.ui.screen.frame import Frame, Rect, Size
from sm_p2p.ui.screen.layout import COMPACT_FROM, Kind, Plan, kind_of, plan
from sm_p2p.ui.screen.looks import UNICODE, Look
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.over import draw_banner, draw_overlay, draw_typed
from sm_p2p.ui.screen.overlays import Ask, AskQuit, AskResign, Command, Offer, Talking
from sm_p2p.ui.screen.panel import draw_panel
from sm_p2p.ui.screen.sheet import asking
from sm_p2p.ui.screen.status import Status, status_of
from sm_p2p.ui.screen.table import draw_table

MOST_SAID: Final = 3  # rows of what is said in passing: the two below the table, and the rule


def render(model: Model, size: Size, look: Look = UNICODE) -> Frame:
    """The frame that shows this model in a terminal of this size."""
    canvas = Canvas(size, look.charset)
    if kind_of(size) is Kind.NONE:
        _draw_too_small(canvas, model)
        return canvas.frame()
    here = _plan(model, size)
    draw_bar(canvas, model)
    if model.view is not None:
        view = model.view if model.view.table.turn else undealt(model.view)
        draw = draw_compact if here.kind is Kind.COMPACT else draw_table
        draw(canvas, model, view, here)
    _draw_rule(canvas, here)
    if model.view is not None and here.kind is not Kind.COMPACT:
        canvas.put(here.panel.left - 1, here.rule, "┴", "sm.rule")
        draw_panel(canvas, model, here)
    draw_air(canvas, model.air, here)
    if model.banner is not None:
        draw_banner(
            canvas, model.banner, here.gap, here.panel.left - 1 if here.kind is not Kind.COMPACT else size.columns
        )
    if model.overlay is not None:
        canvas.forget_zones()
    if not _draw_status(canvas, model, here):
        draw_footer(canvas, model, here.footer)
    draw_overlay(canvas, model)
    return canvas.frame()


def _plan(model: Model, size: Size) -> Plan:
    centres = model.match.variant.centres if model.view is None else len(model.view.table.centre)
    other = 1 - model.bottom
    return plan(
        size, centres, model.bottom, text_width(model.words.name(other)), 4 if _is_open(model.view, other) else 1
    )


def _is_open(view: View | None, seat: int) -> bool:
    """Whether any face of this hand is known here."""
    return view is not None and any(slot in view.faces for slot in view.table.places[seat].hand if slot is not None)


def _draw_rule(canvas: Canvas, here: Plan) -> None:
    canvas.put(0, here.rule, "─" * here.size.columns, "sm.rule")


def _draw_status(canvas: Canvas, model: Model, here: Plan) -> bool:
    """The status, or the line that is typed in its place; whether it has taken the row of the keys as well."""
    row = Rect(1, here.status, here.size.columns - 2, 1)
    match model.overlay:
        case Talking(text, cursor):
            draw_typed(canvas, row, f"{model.words.say('Say')}: ", text, cursor)
        case Command(text, cursor):
            draw_typed(canvas, row, ":", text, cursor)
        case _:
            status = status_of(model)
            if status.keys and model.overlay is None:
                canvas.zone(row, *status.keys)
            if (rows := _passing(model, status, row.width)) is not None:
                for at, line in enumerate(reversed(rows)):
                    canvas.line(Rect(0, here.footer - at, here.size.columns, 1), 0, f" {line}", status.style)
                return True
            canvas.put(row.left, here.status, status.text(row.width), status.style)
    return False


def _passing(model: Model, status: Status, width: int) -> tuple[str, ...] | None:
    """The rows of what is said until a key is pressed, if one row would cut it; they take the place of the keys."""
    is_passing = bool(model.message) and model.overlay is None and status.style == "sm.message"
    rows = tuple(wrap(status.forms[-1], width)) if is_passing else ()
    return rows[:MOST_SAID] if len(rows) > 1 else None


def _draw_too_small(canvas: Canvas, model: Model) -> None:
    """The needed and the actual size; below it what is asked, or else the status. Of what is asked, its title and its keys come first."""
    size, words = canvas.size, model.words
    lines = [words.say("{actual}: too small, needs {needed}", actual=str(size), needed=str(COMPACT_FROM))]
    if size.rows > 1:
        more: tuple[str, ...] = ()
        match model.overlay:
            case AskQuit() | AskResign() | Offer() | Ask():
                question = asking(model, model.overlay, size.columns)
                said, more = question.title, question.lines
            case _:
                said = status_of(model).text((size.rows - 1) * size.columns)
        lines += wrap(said, size.columns)
        keys = wrap("  ".join(text for text, _ in footer_entries(model, size.columns)), size.columns)
        lines += [*more[: max(size.rows - len(lines) - len(keys), 0)], *keys]
    for row, line in enumerate(lines[: size.rows]):
        canvas.line(Rect(0, row, size.columns, 1), 0, line, "sm.warn" if row == 0 else "")
