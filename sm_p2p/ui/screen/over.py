"""Drawing what lies over the table: boxes with text, questions, lists, and lines that are typed.

Law: status and footer stay in sight; a scroll that leads too far shows the end.
"""

from typing import Final, NamedTuple, assert_never

from sm_p2p.ui.keys import Mode
from sm_p2p.ui.lexicon import NO, YES
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import cell_width, cut, fit, text_width
from sm_p2p.ui.screen.faces import write
from sm_p2p.ui.screen.frame import Pane, Rect, Size
from sm_p2p.ui.screen.model import Banner, Model
from sm_p2p.ui.screen.overlays import (
    Ask,
    AskQuit,
    AskResign,
    Command,
    Details,
    FullLog,
    Help,
    Listing,
    Looking,
    Offer,
    Prompt,
    Reading,
    Rules,
    ScoreSheet,
    Sheet,
    StackView,
    Talking,
)
from sm_p2p.ui.screen.sheet import Text, asking, help_lines, reading, widest, wrapped
from sm_p2p.ui.words import Words

MOST_WIDE: Final = 74
LEAST_WIDE: Final = 24
VALUE_GAP: Final = 2
MARK: Final = 2  # cells before an entry
MARGINS: Final = 6  # columns of a box beside its text
NARROW: Final = 3


def draw_overlay(canvas: Canvas, model: Model) -> None:
    """What lies over the table, if anything does; lines that are typed into the status row are not here."""
    words = model.words
    match model.overlay:
        case None | Talking() | Command() | Looking():
            return
        case Listing():
            _draw_listing(canvas, model.overlay)
        case Prompt():
            _draw_prompt(canvas, model.overlay)
        case AskQuit() | AskResign() | Offer() | Ask():
            width = _inner_width(canvas.size)
            text = asking(model, model.overlay, width)
            buttons = tuple((f"[{words.say(letter)}]", words.say(word), letter) for letter, word in (YES, NO))
            rect = _draw_box(canvas, Text(text.title, (*text.lines, "", "")), 0)
            left = rect.left
            canvas.line(rect, rect.height - 1, "")
            for key, label, press in buttons:
                end = canvas.label(left, rect.top + rect.height - 1, f"{key} {label}", rect.width, "sm.key")
                canvas.zone(Rect(left, rect.top + rect.height - 1, end - left, 1), press)
                left = end + 3
        case (
            Help(scroll=scroll)
            | Rules(scroll)
            | StackView(scroll=scroll)
            | FullLog(scroll)
            | ScoreSheet(scroll)
            | Details(scroll=scroll)
            | Sheet(scroll=scroll)
        ):
            canvas.zone(Rect(0, 0, canvas.size.columns, canvas.size.rows - 2), "escape")
            text = reading(model, model.overlay, _inner_width(canvas.size))
            rect = _draw_box(canvas, text, scroll)
            if isinstance(model.overlay, Help):
                _help_zones(canvas, model.overlay.mode, model.words, rect, min(scroll, len(text.lines) - rect.height))
        case _:
            assert_never(model.overlay)


def _help_zones(canvas: Canvas, mode: Mode, words: Words, rect: Rect, scroll: int) -> None:
    """A click on a key in the help leaves the help and presses the key."""
    lines = help_lines(words, mode, _inner_width(canvas.size))
    for row, (_, binding) in enumerate(lines[max(scroll, 0) :][: rect.height]):
        canvas.zone(Rect(rect.left, rect.top + row, rect.width, 1), "escape", binding.keys[0])


def scroll_limit(model: Model, sheet: Reading, size: Size) -> int:
    """The largest scroll that shows something else than the one before."""
    text = reading(model, sheet, _inner_width(size))
    return max(len(text.lines) - _inner_height(size), 0)


def page(size: Size) -> int:
    """The lines of a page of a sheet."""
    return max(_inner_height(size) - 1, 1)


def draw_typed(canvas: Canvas, rect: Rect, label: str, text: str, cursor: int) -> None:
    """A row with a line that is being typed, and the cursor in it."""
    label = cut(label, rect.width // 2)
    left, room = rect.left + text_width(label), rect.width - text_width(label)
    before, behind = text[:cursor], text[cursor:]
    start = len(before)
    taken = 1
    while start and taken + cell_width(before[start - 1]) <= room:
        start -= 1
        taken += cell_width(before[start])
    canvas.line(rect, 0, "")
    canvas.put(rect.left, rect.top, label, "sm.key")
    column = canvas.put(left, rect.top, before[start:])
    canvas.label(column, rect.top, behind, rect.left + rect.width - column)
    canvas.cursor = (min(column, rect.left + rect.width - 1), rect.top)


def draw_banner(canvas: Canvas, banner: Banner, gap: int, width: int) -> None:
    """A moment: one row in the middle of the table, or a box with the score sheet."""
    if banner.lines:
        _draw_box(
            canvas,
            Text(banner.title, wrapped(banner.lines, _inner_width(canvas.size)), is_newest_last=True),
            0,
            "sm.moment",
        )
        return
    text = f" {cut(banner.title, width - 4)} "
    canvas.put(max((width - text_width(text)) // 2, 0), gap, text, "sm.moment")


def _inner_width(size: Size) -> int:
    return max(min(size.columns - MARGINS, MOST_WIDE), 1)


def _inner_height(size: Size) -> int:
    return max(size.rows - 6, 1)


def _draw_box(canvas: Canvas, text: Text, scroll: int, title_style: str = "sm.title", position: str = "") -> Rect:
    """A box in the middle with as much of the text as there is room for; its inner rectangle comes back."""
    size = canvas.size
    height = min(len(text.lines), _inner_height(size))
    most = max(len(text.lines) - height, 0)
    scroll = min(max(scroll, 0), most)
    start = most - scroll if text.is_newest_last else scroll
    is_long = most > 0
    widest_line = max(widest(text.lines), text_width(text.title) + 4, LEAST_WIDE)
    most_wide = _inner_width(size)
    nearly_all = size.columns - MARGINS - NARROW  # what would be left beside it is not worth a look
    width = most_wide if is_long or widest_line >= nearly_all else min(widest_line, most_wide)
    left, top = (size.columns - width) // 2, 2 + (size.rows - 3 - height - 2) // 2
    inner = Rect(left, top, width, height)
    position = f" {start + 1}-{start + height}/{len(text.lines)} " if is_long else position
    _frame(canvas, inner, f" {text.title} ", position, title_style)
    for row, line in enumerate(text.lines[start : start + height]):
        write(canvas, inner.left, inner.top + row, fit(line, width), "sm.sheet")
    canvas.zone(inner, pane=Pane.SHEET)
    return inner


def _frame(canvas: Canvas, inner: Rect, title: str, position: str, title_style: str) -> None:
    """A border with an empty column on either side of it."""
    left, line = inner.left - 3, "─" * (inner.width + 2)
    canvas.put(left, inner.top - 1, f" ┌{line}┐ ", "sm.rule")
    for row in range(inner.height):
        canvas.put(left, inner.top + row, f" │{' ' * (inner.width + 2)}│ ", "sm.rule")
    canvas.put(left, inner.top + inner.height, f" └{line}┘ ", "sm.rule")
    canvas.label(inner.left, inner.top - 1, title, inner.width, title_style)
    canvas.label(inner.left, inner.top + inner.height, position, inner.width, "sm.dim")


def _draw_listing(canvas: Canvas, listing: Listing) -> None:
    """Entries with the marked one in sight; a click is the way there and Enter."""
    size, width = canvas.size, _inner_width(canvas.size)
    columns = _columns(listing, width)
    above, below = wrapped(listing.lines, width), _below(listing, columns, width)
    room = max(_inner_height(size) - len(above) - len(below), 1)
    at = min(max(listing.at, 0), max(len(listing.entries) - 1, 0))
    first = min(max(at - room // 2, 0), max(len(listing.entries) - room, 0))
    shown = listing.entries[first : first + room]
    lines = tuple(
        f"{'>' if first + row == at else ' '} {columns.line(label, value)}" for row, (label, value) in enumerate(shown)
    )
    position = f" {first + 1}-{first + len(shown)}/{len(listing.entries)} " if len(shown) < len(listing.entries) else ""
    inner = _draw_box(canvas, Text(listing.title, (*above, *lines, *below)), 0, position=position)
    top = inner.top + min(len(above), inner.height)
    for row in range(min(len(lines), inner.top + inner.height - top)):
        way = first + row - at
        keys = ("down",) * way if way > 0 else ("up",) * -way
        canvas.zone(Rect(inner.left, top + row, inner.width, 1), *keys, "enter")
        if way == 0:
            canvas.add_style(Rect(inner.left, top + row, inner.width, 1), "sm.pick")


class _Columns(NamedTuple):
    """The cells of the labels, and whether the values stand beside them."""

    labels: int
    has_values: bool

    def line(self, label: str, value: str) -> str:
        """An entry."""
        return f"{fit(label, self.labels)}{' ' * VALUE_GAP}{value}" if self.has_values else fit(label, self.labels)


def _columns(listing: Listing, width: int) -> _Columns:
    """Labels and values side by side; in a narrow box short values stay, and long ones wait below for their mark."""
    labels = max((text_width(label) for label, _ in listing.entries), default=0)
    values = max((text_width(value) for _, value in listing.entries), default=0)
    room = width - MARK
    if labels + VALUE_GAP + values <= room:
        return _Columns(labels, has_values=True)
    if values <= room // 2:
        return _Columns(room - values - VALUE_GAP, has_values=True)
    return _Columns(min(labels, room), has_values=False)


def _below(listing: Listing, columns: _Columns, width: int) -> tuple[str, ...]:
    """What the list has no room for, of the marked entry; with as many lines as any entry would need."""

    def left_out(label: str, value: str) -> tuple[str, ...]:
        texts = (label if text_width(label) > columns.labels else "", "" if columns.has_values else value)
        return wrapped(tuple(text for text in texts if text), width - MARK)

    found = [left_out(*entry) for entry in listing.entries]
    most, wide = max(map(len, found), default=0), max(map(widest, found), default=0)
    said = found[min(max(listing.at, 0), len(found) - 1)] if most else ()
    lines = (*said, *("",) * (most - len(said)))
    return tuple(f"{'–' if row == 0 and said else ' '} {fit(line, wide)}" for row, line in enumerate(lines))


def _draw_prompt(canvas: Canvas, prompt: Prompt) -> None:
    width = _inner_width(canvas.size)
    why = wrapped((prompt.why,), width) if prompt.why else ()
    inner = _draw_box(canvas, Text(prompt.title, (*wrapped(prompt.lines, width), *why, " " * width)), 0)
    canvas.add_style(Rect(inner.left, inner.top + inner.height - 1 - len(why), inner.width, len(why)), "sm.warn")
    row = Rect(inner.left, inner.top + inner.height - 1, inner.width, 1)
    draw_typed(canvas, row, "> ", prompt.text, prompt.cursor)
