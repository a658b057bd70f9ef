"""What lies at a spot, as it can be seen there.

Law: a face is shown only if the table or the view holds it.
"""

from enum import Enum
from typing import NamedTuple

from sm_p2p.rules.cards import KING, RANKS, Card
from sm_p2p.rules.moves import TARGETS
from sm_p2p.rules.table import Pile, Place
from sm_p2p.rules.view import View
from sm_p2p.ui.screen.spots import HAND_NAMES, SIDE_NAMES, STOCK, Spot


class Side(Enum):
    """What is up."""

    FACE = "face"
    BACK = "back"
    EMPTY = "empty"


class Shown(NamedTuple):
    """A pile as it is seen: its top, how many cards it has, and those beneath the top, bottom first, where they are open.

    `height` is the height of a centre stack, elsewhere 0.
    """

    side: Side
    card: Card | None = None
    number: int = 0
    beneath: Pile = ()
    height: int = 0

    @property
    def stands_for(self) -> str:
        """The rank that a king stands for here; empty for any other card and elsewhere."""
        return RANKS[self.height] if self.height and self.card is not None and self.card.rank == KING else ""


EMPTY = Shown(Side.EMPTY)


def shown(view: View, spot: Spot) -> Shown:
    """What lies there."""
    table = view.table
    if spot == STOCK:
        return Shown(Side.BACK, None, table.stock_count) if table.stock_count else EMPTY
    if spot.seat is None:
        pile = table.centre[TARGETS.index(spot.place)]
        return Shown(Side.FACE, pile[-1], len(pile), pile[:-1], len(pile)) if pile else EMPTY
    place = table.places[spot.seat]
    if spot.place in HAND_NAMES:
        slot = place.hand[HAND_NAMES.index(spot.place)]
        if slot is None:
            return EMPTY
        card = view.faces.get(slot)
        return Shown(Side.BACK if card is None else Side.FACE, card, 1)
    return _pay_off(place) if spot.place == "p" else _side(place.sides[SIDE_NAMES.index(spot.place)])


def needed(pile: Pile) -> str:
    """The rank that goes onto this centre stack next; none onto a full one, as a won game leaves it."""
    return RANKS[len(pile) + 1] if len(pile) + 1 < KING else "–"


def _pay_off(place: Place) -> Shown:
    if not place.pay_off:
        return EMPTY
    return Shown(Side.BACK if place.top is None else Side.FACE, place.top, place.pay_off)


def _side(pile: Pile) -> Shown:
    return Shown(Side.FACE, pile[-1], len(pile), pile[:-1]) if pile else EMPTY
