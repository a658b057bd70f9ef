"""The public state of one game: exactly what both players and every onlooker know.

Law: a card that lies face down is a `Slot`, a place in a shuffled deck; no table holds a face that is not open to all.
All moves and refusals live in `play`; the text of a table lives in `notation`.
"""

from enum import StrEnum
from typing import Final, NamedTuple, NewType, TypeAlias

from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import HAND, HAND_SIZE, SIDE, SIDES, Move
from sm_p2p.rules.variant import Variant

Seat: TypeAlias = int
"""0 is who opened the match, 1 who joined."""

Slot = NewType("Slot", int)
"""deck << 8 | place: deck 0 is the deal, each reshuffle makes the next; never 0 for a card of a hand or the stock."""

Pile: TypeAlias = tuple[Card, ...]
"""Open cards, bottom first."""

Hand: TypeAlias = tuple[Slot | None, ...]
"""The places h1…h5."""

FULL: Final = 12
NO_HAND: Final[Hand] = (None,) * HAND_SIZE
NO_SIDES: Final[tuple[Pile, ...]] = ((),) * SIDES


class Stock(NamedTuple):
    """The places `next` ≤ place < `end` of one deck; the lowest is drawn first."""

    deck: int
    next: int
    end: int

    def slots(self, start: int, end: int) -> tuple[Slot, ...]:
        """The slots of the places start ≤ place < end of this deck."""
        base = self.deck << 8
        return tuple(map(Slot, range(base + start, base + end)))


class Place(NamedTuple):
    """What lies before one player."""

    pay_off: int
    top: Card | None  # None: face down, or none left
    hand: Hand
    sides: tuple[Pile, ...]  # a…d


class Owed(NamedTuple):
    """What has to be shown or shuffled before the mover goes on. The table has its new shape already.

    `shuffle`: the completed stack, bottom first, else empty. `hidden`: the slots of the stock that were shuffled with it,
    in order: the input of the new deck is hidden ++ shuffle. `top`: the mover's next pay-off card (`Table.top_slot`) is to
    be turned up. `draws`: the slots that refilled his hand, h1 first.
    """

    shuffle: Pile
    hidden: tuple[Slot, ...]
    top: bool
    draws: tuple[Slot, ...]


class How(StrEnum):
    """How a game ended."""

    WIN = "win"
    TIE = "tie"
    RESIGN = "resign"


class Outcome(NamedTuple):
    """The end of a game; `winner` is None in a tie, where nobody scores."""

    how: How
    winner: Seat | None
    points: int


class Table(NamedTuple):
    """One position. Build it with `deal` and `play`, or read it with `notation`; `_replace` is for neither."""

    variant: Variant
    turn: int  # turns begun: 0 during the deal
    to_move: Seat | None  # None: during the deal, and when the game is over
    stock: Stock
    centre: tuple[Pile, ...]  # a stack holds 12 cards only if the card that completed it won the game
    places: tuple[Place, Place]
    owed: Owed | None
    drawn: tuple[Slot, ...]  # what the mover drew as his turn began; empty again after his first move
    outcome: Outcome | None
    began: Seat | None  # None until both pay-off tops lie open
    tie_break: Seat  # who begins when they are equal

    @property
    def stock_count(self) -> int:
        """How many cards the stock holds."""
        return self.stock.end - self.stock.next

    @property
    def heights(self) -> tuple[int, ...]:
        """The height of each centre stack; it waits for height + 1."""
        return tuple(map(len, self.centre))

    def top_slot(self, seat: Seat) -> Slot | None:
        """Where the top of this pay-off pile lies in deck 0, face up or down; None when the pile is empty."""
        left = self.places[seat].pay_off
        return Slot(seat * self.variant.pay_off + left - 1) if left else None

    def open_card(self, move: Move) -> Card | None:
        """The card that lies open where the mover would take it from; None for a hand card, `end` or an empty place."""
        source = move >> 3
        if self.to_move is None or HAND <= source < SIDE:
            return None
        place = self.places[self.to_move]
        if source < HAND:
            return place.top
        side = place.sides[source - SIDE] if source < SIDE + SIDES else ()
        return side[-1] if side else None

    def hand_slot(self, move: Move) -> Slot | None:
        """The slot of the hand card that the mover would take; None if the move takes none or the place is empty."""
        at = move.hand_place
        return None if at is None or self.to_move is None else self.places[self.to_move].hand[at]

    def card_count(self) -> int:
        """All cards of the table; always those of the variant, while an owed shuffle already counts as stock."""
        return (
            self.stock_count
            + sum(self.heights)
            + sum(
                place.pay_off + sum(slot is not None for slot in place.hand) + sum(map(len, place.sides))
                for place in self.places
            )
        )

    def sections(self) -> tuple[tuple[int, ...], ...]:
        """Everything public as numbers, in six sections: stock, centre, sides, pay-off, hands, turn.

        The order and meaning of each number stand in `protocol/rules.md`, The state in numbers.
        """
        first, second = self.places
        outcome, owed = self.outcome, self.owed
        return (
            tuple(self.stock),
            _piles(self.centre),
            _piles(first.sides + second.sides),
            (first.pay_off, int(first.top or 0), second.pay_off, int(second.top or 0)),
            tuple(int(slot or 0) for slot in first.hand + second.hand),
            (
                self.turn,
                _seat(self.to_move),
                _seat(self.began),
                self.tie_break,
                len(self.drawn),
                *((tuple(How).index(outcome.how) + 1, _seat(outcome.winner), outcome.points) if outcome else (0, 2, 0)),
                *((1, owed.top, *_piles((owed.shuffle, owed.hidden, owed.draws))) if owed else (0,)),
            ),
        )


def _seat(seat: Seat | None) -> int:
    """A seat as a number, 2 for nobody."""
    return 2 if seat is None else seat


def _piles(piles: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Each pile as its count and its cards, bottom first, one after the other."""
    return tuple(int(number) for pile in piles for number in (len(pile), *pile))
