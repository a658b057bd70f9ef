"""Where everything lies for a size of terminal: four layouts, chosen by the size alone.

Law: cards are never stretched; more room gives more space between rows, deeper fans and a longer log.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from sm_p2p.rules.table import Seat
from sm_p2p.ui.screen.frame import Rect, Size
from sm_p2p.ui.screen.spots import HAND_NAMES, SIDE_NAMES, STOCK, Spot

LARGE_FROM: Final = Size(120, 40)
BOXES_FROM: Final = Size(80, 24)
COMPACT_FROM: Final = Size(48, 16)
NAME_CELLS: Final = 20  # of the other player's name above the table


class Kind(Enum):
    """The layouts."""

    LARGE = "large"
    BOXES = "boxes"
    COMPACT = "compact"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the top card of each pile lies, and the rows and columns of everything else.

    `name` is where the other player's name begins; `fan` how many cards are seen above the top of a side stack; `gap`
    the row for a short banner; `panel` has the log and the chat; the last three rows are rule, status and footer.
    """

    kind: Kind
    size: Size
    rects: Mapping[Spot, Rect]
    name: Rect
    own_name: Rect
    panel: Rect
    gap: int
    fan: int = 0

    @property
    def rule(self) -> int:
        """The row above the status."""
        return self.size.rows - 3

    @property
    def status(self) -> int:
        """The row that says whose turn it is."""
        return self.size.rows - 2

    @property
    def footer(self) -> int:
        """The row of the keys."""
        return self.size.rows - 1


def kind_of(size: Size) -> Kind:
    """The layout of a size.

    >>> kind_of(Size(80, 24)), kind_of(Size(300, 16)), kind_of(Size(47, 100))
    (<Kind.BOXES: 'boxes'>, <Kind.COMPACT: 'compact'>, <Kind.NONE: 'none'>)
    """
    for least, kind in ((LARGE_FROM, Kind.LARGE), (BOXES_FROM, Kind.BOXES), (COMPACT_FROM, Kind.COMPACT)):
        if size.columns >= least.columns and size.rows >= least.rows:
            return kind
    return Kind.NONE


@lru_cache(maxsize=64)
def plan(size: Size, centres: int, bottom: Seat, name_cells: int, hand_pitch: int) -> Plan:
    """The plan for so many centre stacks, this seat at the bottom, and the other's name and hand so wide.

    The size is at least that of the compact layout.
    """
    kind = kind_of(size)
    if kind is Kind.COMPACT:
        return _compact(size, centres, bottom, name_cells, hand_pitch)
    metric = _large(size.rows) if kind is Kind.LARGE else _boxes(size.rows)
    name = Rect(metric.left, 1, min(name_cells, NAME_CELLS), 1)
    rects = _other_hand(1 - bottom, name, hand_pitch)
    rects |= _row(metric, metric.top, 1 - bottom, ("p", *SIDE_NAMES))
    rects |= _row(metric, metric.centre, None, ("stock", *(f"c{at}" for at in range(1, centres + 1))))
    rects |= _row(metric, metric.own, bottom, ("p", *SIDE_NAMES))
    rects |= _row(metric, metric.hand, bottom, HAND_NAMES)
    divider = metric.left + 5 * metric.pitch + metric.behind
    panel = Rect(divider + 1, 1, size.columns - divider - 1, size.rows - 4)
    own_name = Rect(metric.left + metric.pitch, metric.own + metric.height + metric.below - 1, 4 * metric.pitch - 2, 1)
    return Plan(kind, size, rects, name, own_name, panel, metric.centre - 1, metric.fan)


@dataclass(frozen=True, slots=True)
class _Metric:
    """Cards of a size, a distance from one to the next, and the first row of each row of cards.

    `behind`: columns between the last card's pitch and the divider. `below`: rows of labels under the own side stacks.
    """

    width: int
    height: int
    pitch: int
    left: int
    behind: int
    top: int
    centre: int
    own: int
    hand: int
    below: int
    fan: int = 0


def _boxes(rows: int) -> _Metric:
    space = min((rows - BOXES_FROM.rows) // 3, 2)
    centre, own, hand = 7 + space, 12 + 2 * space, 17 + 3 * space
    return _Metric(6, 3, 8, 1, 6, 2, centre, own, hand, 2)


def _large(rows: int) -> _Metric:
    spare = rows - LARGE_FROM.rows
    fan = 4 + min(spare // 2, 6)
    space = min((spare - 2 * (fan - 4)) // 3, 2)
    top = 2 + fan
    centre = top + 7 + space
    own = centre + 7 + space + fan
    return _Metric(9, 5, 13, 2, 0, top, centre, own, own + 6 + space, 1, fan)


def _row(metric: _Metric, top: int, seat: Seat | None, places: tuple[str, ...]) -> dict[Spot, Rect]:
    """Cards side by side."""
    return {
        Spot(seat, place): Rect(metric.left + at * metric.pitch, top, metric.width, metric.height)
        for at, place in enumerate(places)
    }


def _other_hand(seat: Seat, name: Rect, pitch: int) -> dict[Spot, Rect]:
    """The other player's hand behind his name, with room for a word between them."""
    left = name.left + name.width + 8
    return {
        Spot(seat, place): Rect(left + at * pitch, name.top, max(pitch - 1, 1), 1)
        for at, place in enumerate(HAND_NAMES)
    }


def _compact(size: Size, centres: int, bottom: Seat, name_cells: int, hand_pitch: int) -> Plan:
    """Text cells without boxes: a label of four cells, a face of three or four, a number."""
    other = 1 - bottom
    name = Rect(1, 1, min(name_cells, 12), 1)
    rects = _other_hand(other, name, hand_pitch)
    rects[Spot(other, "p")] = Rect(4, 2, 4, 1)
    rects[Spot(bottom, "p")] = Rect(4, 8, 4, 1)
    rects[STOCK] = Rect(1, 6, 5, 1)
    for at, side in enumerate(SIDE_NAMES):
        rects[Spot(other, side)] = Rect(4 + 12 * at, 3, 4, 1)
        rects[Spot(bottom, side)] = Rect(4 + 12 * at, 9, 4, 1)
    for at in range(centres):
        rects[Spot(None, f"c{at + 1}")] = Rect(12 + 9 * at, 5, 4, 1)
    for at, place in enumerate(HAND_NAMES):
        rects[Spot(bottom, place)] = Rect(4 + 9 * at, 10, 4, 1)
    panel = Rect(0, 11, size.columns, size.rows - 14)
    return Plan(Kind.COMPACT, size, rects, name, Rect(24, 8, 22, 1), panel, 4)
