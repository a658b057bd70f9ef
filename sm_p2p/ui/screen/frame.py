"""What is drawn: styled lines, and zones that say which keys a click there stands for.

Law: a frame has exactly as many lines as the terminal, and each line exactly as many cells.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

Fragment: TypeAlias = tuple[str, str]
"""Style classes (`class:sm.card class:sm.pick`, or none) and text."""

Line: TypeAlias = tuple[Fragment, ...]


class Size(NamedTuple):
    """Cells of a terminal."""

    columns: int
    rows: int

    def __str__(self) -> str:
        return f"{self.columns}×{self.rows}"


class Rect(NamedTuple):
    """Cells of a frame, counted from the top left corner."""

    left: int
    top: int
    width: int
    height: int

    def holds(self, column: int, row: int) -> bool:
        """Whether the cell lies in it."""
        return 0 <= column - self.left < self.width and 0 <= row - self.top < self.height


class Pane(StrEnum):
    """What the wheel scrolls."""

    LOG = "log"
    CHAT = "chat"
    SHEET = "sheet"


class Zone(NamedTuple):
    """A click into the rectangle is as good as these keys, pressed one after the other; the wheel scrolls the pane."""

    rect: Rect
    keys: tuple[str, ...] = ()
    pane: Pane | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture; `cursor` is the cell (column, row) where typed text goes, or None."""

    lines: tuple[Line, ...]
    zones: tuple[Zone, ...] = ()
    cursor: tuple[int, int] | None = None

    def zone_at(self, column: int, row: int) -> Zone | None:
        """The topmost zone at this cell that a click means something in."""
        return next((zone for zone in reversed(self.zones) if zone.keys and zone.rect.holds(column, row)), None)

    def pane_at(self, column: int, row: int) -> Pane | None:
        """What the wheel scrolls at this cell."""
        return next((zone.pane for zone in reversed(self.zones) if zone.pane and zone.rect.holds(column, row)), None)

    @property
    def text(self) -> tuple[str, ...]:
        """The lines without their styles."""
        return tuple("".join(text for _, text in line) for line in self.lines)
