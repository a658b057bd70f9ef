"""The public state of one game: exactly what both players and every onlooker know, and its one-line text.

Law: no table holds a face that is not open to all; `Table.parse(str(table)) == table`. Moves live in `play`.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Self

from sm_p2p.rules.cards import KING, Card
from sm_p2p.rules.moves import HAND, HAND_SIZE, SIDE, SIDES, Move
from sm_p2p.rules.parts import (
    FULL,
    NO_HAND,
    Hand,
    How,
    Outcome,
    Owed,
    Pile,
    Place,
    Seat,
    Slot,
    Stock,
    read_number,
    read_piles,
    read_seat,
    read_slots,
    unclear,
    write_piles,
    write_seat,
    write_slots,
)
from sm_p2p.rules.variant import Refill, Variant

__all__ = ["Hand", "How", "Outcome", "Owed", "Pile", "Place", "Seat", "Slot", "Stock", "Table"]

LAST_TURN = 500  # two players who refuse every pay-off play would never end


class Table(NamedTuple):
    """One position, built by `deal` and `play`, or read from its text.

    A text may show fewer cards than the game has, as a sketch of a position, but nothing that `problems` names.
    The words of the text: variant, turn, to move, who began, tie-break, stock, centre, three for each seat, what is new.

    >>> table = Table.parse("quick 9 0 1 1 0:50-104 AC,KD/-/- 3=8C 0.40,-,-,-,- -/9S/-/- 7=KC 0.45,-,-,-,- -/-/-/- -")
    >>> table.heights, table.top_slot(0), table.stock_count
    ((2, 0, 0), 2, 54)
    """

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

    @classmethod
    def parse(cls, text: str) -> Self:
        """The table that is written so; raises Misread."""
        words = text.split(" ")
        if len(words) != 14:
            raise unclear(text, "a table has 14 words")
        variant = Variant.parse(words[0])
        turn, to_move, began, tie_break = read_number(words[1]), *map(read_seat, words[2:5])
        if tie_break is None:
            raise unclear(words[4], "somebody must begin after equal cards")
        stock, centre = Stock.parse(words[5]), read_piles(words[6], variant.centres)
        places = Place.parse(" ".join(words[7:10])), Place.parse(" ".join(words[10:13]))
        kind, _, rest = words[13].partition(":")
        drawn = read_slots(rest) if kind == "drew" else ()
        owed = Owed.parse(rest) if kind == "owes" else None
        outcome = None if kind in ("drew", "owes", "-") else Outcome.parse(words[13])
        table = cls(variant, turn, to_move, stock, centre, places, owed, drawn, outcome, began, tie_break)
        problem = next(table.problems(), "it is not written in the one way" if str(table) != text else "")
        if problem:
            raise unclear(text, problem)
        return table

    def __str__(self) -> str:
        new = "-"
        if self.outcome is not None:
            new = str(self.outcome)
        elif self.owed is not None:
            new = f"owes:{self.owed}"
        elif self.drawn:
            new = f"drew:{write_slots(self.drawn)}"
        seats = map(write_seat, (self.to_move, self.began, self.tie_break))
        centre, (first, second) = write_piles(self.centre), self.places
        return f"{self.variant} {self.turn} {' '.join(seats)} {self.stock} {centre} {first} {second} {new}"

    def __repr__(self) -> str:
        return f"Table.parse('{self}')"

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

    def problems(self) -> Iterator[str]:
        """Each thing about this table that no game can reach, as a sentence; none for a table of `play`.

        A sketch (fewer cards than the game has) is no problem; more are.
        """
        yield from self._card_problems()
        yield from self._slot_problems()
        yield from self._phase_problems()

    def _card_problems(self) -> Iterator[str]:
        """What is wrong with the open cards."""
        piles = [*self.centre, *(side for place in self.places for side in place.sides)]
        cards = [card for pile in piles for card in pile]
        cards += [place.top for place in self.places if place.top is not None]
        cards += () if self.owed is None else self.owed.shuffle
        if len(set(cards)) < len(cards):
            yield "a card lies there twice"
        if any(card.pack >= self.variant.packs for card in cards):
            yield "a card is of no pack of this game"
        if self.card_count() > self.variant.cards:
            yield "there are more cards than the game has"
        won = self.outcome is not None and any(place.pay_off == 0 for place in self.places)
        stacks = [*self.centre, *((self.owed.shuffle,) if self.owed and self.owed.shuffle else ())]
        if any(card.rank not in (height, KING) for pile in stacks for height, card in enumerate(pile, 1)):
            yield "a centre stack is not built upwards"
        if sum(len(stack) >= FULL for stack in self.centre) > int(won):
            yield "a completed stack lies in the centre"
        if self.owed is not None and len(self.owed.shuffle) not in (0, FULL):
            yield "a completed stack has 12 cards"

    def _slot_problems(self) -> Iterator[str]:
        """What is wrong with the cards that lie face down."""
        deck, start, end = self.stock
        least = 2 * self.variant.pay_off
        if not start <= end <= self.variant.cards or (
            deck == 0 and (start < least + 2 * HAND_SIZE or end < self.variant.cards)
        ):
            yield "the deck has no such stock"
        hands = [slot for place in self.places for slot in place.hand if slot is not None]
        if len(set(hands)) < len(hands):
            yield "a slot is in a hand twice"
        if any(slot >= (deck << 8) + start or least > slot or slot & 255 >= self.variant.cards for slot in hands):
            yield "a slot of a hand was never drawn"
        drawn = self.drawn if self.owed is None else self.owed.draws
        holder = None if self.to_move is None else self.places[self.to_move].hand
        if drawn and (
            holder is None or drawn != self.stock.slots(start - len(drawn), start) or not {*drawn} <= {*holder}
        ):
            yield "what was drawn does not lie where the stock was"
        if self.owed is not None and self.owed.draws and len(drawn) != HAND_SIZE:
            yield "an emptied hand is refilled with five"
        hidden = () if self.owed is None else self.owed.hidden
        if hidden and (hidden[0] >> 8 != deck - 1 or len(hidden) + FULL != end):
            yield "the stock is not what was shuffled"

    def _phase_problems(self) -> Iterator[str]:
        """What is wrong with the state of play."""
        over, dealing, owed = self.outcome is not None, self.turn == 0, self.owed
        if self.turn > LAST_TURN or (self.to_move is None) != (over or dealing) or (self.began is None) != dealing:
            yield "the turn, the mover and the beginner contradict each other"
        if owed is not None and (self.to_move is None or not (owed.shuffle or owed.top or owed.draws)):
            yield "nothing can be owed"
        if (outcome := self.outcome) is not None and (winner := outcome.winner) is not None:
            less = self.places[winner].pay_off if outcome.how is How.WIN else 0
            if outcome.points != self.places[1 - winner].pay_off - less:
                yield "the points are not those of the pay-off piles"
        for seat, (pay_off, top, hand, _) in enumerate(self.places):
            due = owed is not None and owed.top and seat == self.to_move
            if pay_off > self.variant.pay_off or (pay_off == 0 and not over):
                yield "a pay-off pile cannot have so many cards"
            if top is not None and (pay_off == 0 or due):
                yield "a pay-off top lies open too early"
            if top is None and not (over or dealing or due):
                yield "a pay-off top should lie open"
            if seat == self.to_move and hand == NO_HAND and self.variant.refill is Refill.AT_ONCE:
                yield "the player to move has no hand"

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
            tuple([slot or 0 for slot in first.hand + second.hand]),
            (
                self.turn,
                _seat(self.to_move),
                _seat(self.began),
                self.tie_break,
                len(self.drawn),
                *((tuple(How).index(outcome.how) + 1, _seat(outcome.winner), outcome.points) if outcome else (0, 2, 0)),
                *((1, int(owed.top), *_piles((owed.shuffle, owed.hidden, owed.draws))) if owed else (0,)),
            ),
        )


def _seat(seat: Seat | None) -> int:
    """A seat as a number, 2 for nobody."""
    return 2 if seat is None else seat


@lru_cache(maxsize=16)  # a move changes one pile, and most moves leave one of the two sections as it was
def _piles(piles: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Each pile as its count and its cards, bottom first, one after the other."""
    return tuple(map(int, chain.from_iterable((len(pile), *pile) for pile in piles)))
