"""The glass that frames are seen through: one window that fills the screen, and the mouse on it.

Law: a line that has not changed is not drawn anew, nor looked at by whoever compares screens; and what cannot be seen
(the colour of a blank) is no change.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final, Protocol

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import Window
from prompt_toolkit.layout.controls import DummyControl
from prompt_toolkit.layout.mouse_handlers import MouseHandler, MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from sm_p2p.ui.screen.frame import Fragment, Frame, Line, Size
from sm_p2p.ui.screen.looks import Look, style_rules

WHEEL_LINES: Final = 3
MOST_PIECES: Final = 5000  # of text that are remembered as cells
SEEN_ON_BLANKS: Final = ("reverse", "underline")
Row = defaultdict[int, Char]
_char = lru_cache(maxsize=4096)(Char)  # nobody changes one
_BLANK: Final = Char(" ", "")


class Listener(Protocol):
    """Who is behind the glass."""

    def frame(self, size: Size) -> Frame:
        """What is to be seen now."""
        ...

    def press(self, key: str) -> None:
        """A key, by the name that the key table has for it."""
        ...

    def paste(self, text: str) -> None:
        """Text that came at once."""
        ...

    def click(self, column: int, row: int) -> None:
        """A click with the left button."""
        ...

    def wheel(self, column: int, row: int, lines: int) -> None:
        """The wheel was turned; up is positive."""
        ...

    def gone(self) -> None:
        """The terminal has been closed."""
        ...


class Glass(Window):
    """A window without content of its own: it writes a frame into the screen, cell by cell.

    `on_terminal` gives the screen that was written last, as long as it is what the terminal shows.
    """

    def __init__(self, listener: Listener, look: Look, on_terminal: Callable[[], Screen | None] = lambda: None) -> None:
        super().__init__(DummyControl())
        self._listener = listener
        self._on_terminal = on_terminal
        self._written: dict[int, Row] = {}
        self._rows: dict[int, tuple[Line, Row]] = {}
        self._rules: Mapping[str, str] = {}
        self._styles: dict[str, tuple[str, str]] = {}
        self._cells: dict[Fragment, tuple[Char, ...]] = {}
        self._handlers: defaultdict[int, defaultdict[int, MouseHandler]] = defaultdict(
            lambda: defaultdict(lambda: self._mouse)
        )
        self.wear(look)

    def wear(self, look: Look) -> None:
        """Draw everything in this look from now on."""
        self._rules = {f"class:{name}": rule for name, rule in style_rules(look)}
        self._rows, self._styles, self._cells = {}, {}, {}

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,  # noqa: ARG002 - the interface is the library's
        erase_bg: bool,  # noqa: ARG002, FBT001
        z_index: int | None,  # noqa: ARG002
    ) -> None:
        """Put the frame of the moment on the screen."""
        frame = self._listener.frame(Size(write_position.width, write_position.height))
        rows = {}
        for at, line in enumerate(frame.lines):
            before = self._rows.get(at)
            rows[at] = before if before is not None and before[0] == line else (line, self._row(line))
        self._hand_out({at: row for at, (_, row) in rows.items()}, screen, self._on_terminal())
        self._rows = rows
        screen.width, screen.height = write_position.width, write_position.height
        screen.show_cursor = frame.cursor is not None
        if frame.cursor is not None:
            screen.set_cursor_position(self, Point(*frame.cursor))
        mouse_handlers.mouse_handlers = self._handlers

    def _hand_out(self, rows: dict[int, Row], screen: Screen, before: Screen | None) -> None:
        """Give the screen its rows; of those that the terminal shows already, both screens keep nothing to compare."""
        for at, row in rows.items():
            if before is None or self._written[at] is not row:
                screen.data_buffer[at] = row
                if before is not None:
                    before.data_buffer[at] = self._written[at]
            else:
                before.data_buffer.pop(at, None)
        self._written = rows

    def _row(self, line: Line) -> Row:
        return defaultdict(lambda: _BLANK, enumerate(chain.from_iterable(map(self._cells_of, line))))

    def _cells_of(self, fragment: Fragment) -> tuple[Char, ...]:
        """The cells that a piece of text takes; nearly all pieces have been seen before."""
        cells = self._cells.get(fragment)
        if cells is None:
            if len(self._cells) > MOST_PIECES:
                self._cells.clear()
            cells = self._cells[fragment] = tuple(self._made(fragment))
        return cells

    def _made(self, fragment: Fragment) -> list[Char]:
        style, text = fragment
        glyph, blank = self._style(style)
        cells: list[Char] = []
        for one in text:
            char = _char(one, blank if one == " " else glyph)
            if char.width:
                cells += (char, *(Char("", glyph),) * (char.width - 1))
            elif cells and cells[-1].char:  # an accent belongs to the letter before it
                cells[-1] = Char(cells[-1].char + one, glyph)
        return cells

    def _style(self, style: str) -> tuple[str, str]:
        """What of a style can be seen on a glyph, and what on a blank."""
        if style not in self._styles:
            seen = [name for name in style.split() if self._rules.get(name, "")]
            on_blanks = [name for name in seen if any(word in self._rules[name].split() for word in SEEN_ON_BLANKS)]
            self._styles[style] = " ".join(seen), " ".join(seen if on_blanks else ())
        return self._styles[style]

    def _mouse(self, event: MouseEvent) -> object:
        """Clicks and the wheel; a mouse that only moves is nothing."""
        (column, row), kind = event.position, event.event_type
        if kind is MouseEventType.MOUSE_DOWN and event.button is MouseButton.LEFT:
            self._listener.click(column, row)
        elif kind is MouseEventType.MOUSE_DOWN and event.button is MouseButton.RIGHT:
            self._listener.press("escape")
        elif kind is MouseEventType.SCROLL_UP:
            self._listener.wheel(column, row, WHEEL_LINES)
        elif kind is MouseEventType.SCROLL_DOWN:
            self._listener.wheel(column, row, -WHEEL_LINES)
        return NotImplemented
