"""Where a card can lie, as a name that does not depend on whose turn it is."""

from typing import Final, NamedTuple, TypeAlias

from sm_p2p.rules.table import Seat

SIDE_NAMES: Final = "abcd"
HAND_NAMES: Final = ("h1", "h2", "h3", "h4", "h5")


class Spot(NamedTuple):
    """A place of a seat in the notation of moves (`p`, `h3`, `a`), or of nobody: `c1`…`c4`, `stock`."""

    seat: Seat | None
    place: str


Spots: TypeAlias = tuple[Spot, ...]
STOCK: Final = Spot(None, "stock")


def target_spot(seat: Seat, target: str) -> Spot:
    """Where a move of this seat goes to."""
    return Spot(seat if target in SIDE_NAMES else None, target)
