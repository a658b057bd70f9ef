"""How what happened is seen: tables between the tables, and cards on their way from one to the next.

Law: shots are made from happenings alone, in their order; the last shot shows the table as it is, with nothing in the
air. A card flies with its face up only if all can see it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import (
    Completed,
    Discarded,
    Drew,
    Happening,
    Played,
    Reshuffled,
    TurnBegan,
    TurnedUp,
)
from sm_p2p.rules.moves import HAND, ONTO_SIDE, PAY_OFF, SIDE, TARGETS, Move
from sm_p2p.rules.parts import NO_HAND, Pile, Place, Seat, Stock
from sm_p2p.rules.table import Table
from sm_p2p.rules.view import View
from sm_p2p.ui.screen.model import InAir
from sm_p2p.ui.screen.spots import HAND_NAMES, STOCK, Spot, Spots, target_spot

WHOLE: Final = 1000  # thousandths
SHUFFLED_IN: Final = 3  # cards that are seen flying back into the stock


@dataclass(frozen=True, slots=True)
class Flight:
    """A card on its way (None: face down), which starts when `delay` thousandths of the shot are over."""

    card: Card | None
    start: Spot
    end: Spot
    delay: int = 0


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
        length = WHOLE - max((flight.delay for flight in self.flights), default=0)
        return tuple(
            InAir(flight.card, flight.start, flight.end, min(max((part - flight.delay) * WHOLE // length, 0), WHOLE))
            for flight in self.flights
        )


def flights(before: View, happenings: Iterable[Happening], after: View) -> tuple[Shot, ...]:
    """The shots from one table to the next. `after` has the faces of both."""
    if before.table.turn == 0 and after.table.turn:
        return dealing(after)
    film = _Film(before.table, after)
    shots = [shot for happening in happenings for shot in film.show(happening)]
    return (*shots, Shot(after, (), Pace.NONE))


def dealing(after: View) -> tuple[Shot, ...]:
    """The shots of a deal: pay-off piles, hands, both tops turned up."""
    table, first = after.table, undealt(after)
    piles = tuple(place._replace(top=None, hand=NO_HAND) for place in table.places)
    hands = tuple(place._replace(top=None) for place in table.places)
    spots = [Spot(seat, place) for place in HAND_NAMES for seat in (0, 1)]
    shots = (
        Shot(first, tuple(Flight(None, STOCK, Spot(seat, "p"), 60 * at) for at in range(8) for seat in (0, 1))),
        Shot(_laid(after, piles), _fan(spots), Pace.LONG),
        Shot(_laid(after, hands)),
    )
    return (*shots, Shot(after, (), Pace.NONE))


def undealt(view: View) -> View:
    """The table before the deal: all cards in the stock."""
    table = view.table
    nothing = Place(0, None, NO_HAND, ((),) * 4)
    stock = Stock(0, 0, table.variant.cards)
    return view._replace(table=table._replace(stock=stock, centre=((),) * len(table.centre), places=(nothing, nothing)))


def marks_of(happenings: Iterable[Happening]) -> Spots:
    """The places where something has changed: where cards went to, and pay-off cards that were turned up."""
    found: list[Spot] = []
    for happening in happenings:
        match happening:
            case Played(seat, move, _, _) | Discarded(seat, move, _):
                found.append(target_spot(seat, move.target))
            case TurnedUp(seat, _, _):
                found.append(Spot(seat, "p"))
            case _:
                pass
    return tuple(dict.fromkeys(found))


class _Film:
    """The table as it is seen between two happenings."""

    def __init__(self, table: Table, after: View) -> None:
        self._table = table
        self._after = after

    def show(self, happening: Happening) -> Iterator[Shot]:
        """The shots of one happening; the table moves on with them."""
        match happening:
            case Played(seat, move, card, _) | Discarded(seat, move, card):
                yield from self._carry(seat, move, card)
            case Completed(stack, _):
                yield self._shot(pace=Pace.LONG)
                self._table = self._table._replace(centre=_with(self._table.centre, stack, ()))
                start = Spot(None, TARGETS[stack])
                yield self._shot(tuple(Flight(None, start, STOCK, 150 * at) for at in range(SHUFFLED_IN)))
            case Reshuffled(stock):
                self._table = self._table._replace(stock=Stock(0, 0, stock))
            case TurnedUp(seat, card, left):
                yield self._shot()
                self._lay(seat, self._table.places[seat]._replace(pay_off=left, top=card))
            case TurnBegan(seat, turn):
                self._table = self._table._replace(to_move=seat, turn=turn)
            case Drew(seat, _):
                yield from self._draw(seat)
            case _:
                pass

    def _carry(self, seat: Seat, move: Move, card: Card) -> Iterator[Shot]:
        place = self._table.places[seat]
        self._lay(seat, _without(place, move))
        yield self._shot((Flight(card, Spot(seat, move.source), target_spot(seat, move.target)),))
        if move & ONTO_SIDE:
            at = (move & 7) - ONTO_SIDE
            place = self._table.places[seat]
            self._lay(seat, place._replace(sides=_with(place.sides, at, (*place.sides[at], card))))
        else:
            centre = self._table.centre
            self._table = self._table._replace(centre=_with(centre, move & 7, (*centre[move & 7], card)))

    def _draw(self, seat: Seat) -> Iterator[Shot]:
        place, then = self._table.places[seat], self._after.table.places[seat].hand
        filled = [
            at for at, (now, new) in enumerate(zip(place.hand, then, strict=True)) if now is None and new is not None
        ]
        count = self._table.stock_count - len(filled)
        self._table = self._table._replace(stock=Stock(0, 0, max(count, 0)))
        yield self._shot(_fan([Spot(seat, HAND_NAMES[at]) for at in filled]), Pace.LONG)
        hand = tuple(new if now is None else now for now, new in zip(place.hand, then, strict=True))
        self._lay(seat, self._table.places[seat]._replace(hand=hand))

    def _shot(self, air: tuple[Flight, ...] = (), pace: Pace = Pace.SHORT) -> Shot:
        return Shot(self._after._replace(table=self._table), air, pace)

    def _lay(self, seat: Seat, place: Place) -> None:
        first, second = self._table.places
        self._table = self._table._replace(places=(place, second) if seat == 0 else (first, place))


def _without(place: Place, move: Move) -> Place:
    """A place after the card of this move was taken up."""
    source = move >> 3
    if source == PAY_OFF:
        return place._replace(pay_off=place.pay_off - 1, top=None)
    if source < SIDE:
        hand = place.hand
        return place._replace(hand=(*hand[: source - HAND], None, *hand[source - HAND + 1 :]))
    side = place.sides[source - SIDE]
    return place._replace(sides=_with(place.sides, source - SIDE, side[:-1]))


def _with(piles: tuple[Pile, ...], at: int, pile: Pile) -> tuple[Pile, ...]:
    return (*piles[:at], pile, *piles[at + 1 :])


def _fan(spots: list[Spot]) -> tuple[Flight, ...]:
    """One card after the other from the stock."""
    step = WHOLE // (len(spots) + 1)
    return tuple(Flight(None, STOCK, spot, step * at) for at, spot in enumerate(spots))


def _laid(view: View, places: tuple[Place, ...]) -> View:
    """The table with these places; the stock has what lies nowhere else."""
    first, second = places
    table = view.table._replace(places=(first, second))
    lying = table.card_count() - table.stock_count
    return view._replace(table=table._replace(stock=Stock(0, 0, max(table.variant.cards - lying, 0))))
