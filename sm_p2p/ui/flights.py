"""How what happened is seen: tables between the tables, and cards on their way from one to the next.

Law: the last shot shows the table as it is, with nothing in the air.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import Happening
from sm_p2p.rules.view import View
from sm_p2p.ui.screen.model import InAir
from sm_p2p.ui.screen.spots import Spot, Spots

WHOLE = 1000


@dataclass(frozen=True, slots=True)
class Flight:
    """A card on its way; None is a card face down."""

    card: Card | None
    start: Spot
    end: Spot


class Pace(Enum):
    """How long a shot is, in units of the chosen speed."""

    NONE = 0
    SHORT = 1
    LONG = 2


@dataclass(frozen=True, slots=True)
class Shot:
    """What lies on the table while these cards are in the air."""

    view: View
    flights: tuple[Flight, ...] = ()
    pace: Pace = Pace.SHORT

    def air(self, part: int) -> tuple[InAir, ...]:
        """The cards in the air when so many thousandths of the shot are over."""
        return tuple(InAir(flight.card, flight.start, flight.end, part) for flight in self.flights)


def flights(before: View, happenings: Iterable[Happening], after: View) -> tuple[Shot, ...]:
    """The shots from one table to the next."""
    del before, happenings
    return (Shot(after, (), Pace.NONE),)


def marks_of(happenings: Iterable[Happening]) -> Spots:
    """The places that were touched."""
    del happenings
    return ()
