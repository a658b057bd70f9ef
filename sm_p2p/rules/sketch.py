"""Positions on demand: a table drawn from the few things that matter in it, for vectors, tests and teaching.

Law: a sketch shows no card twice, but it may leave cards out; what is face down gets a face that lies nowhere else.
"""

from dataclasses import dataclass

from sm_p2p.rules.cards import KING, Card, pack
from sm_p2p.rules.moves import HAND_SIZE
from sm_p2p.rules.open_game import OpenGame
from sm_p2p.rules.parts import Hand, Pile, Place, Seat, Slot, Stock, read_pile, read_piles, unclear
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Sketch:
    """What matters in a position, with cards written as in a table's text.

    A centre stack is a height (filled with aces, twos, … of one suit a stack, pack 0) or its cards.

    >>> from sm_p2p.rules.moves import Move
    >>> game = Sketch(centre=(11, 0, 0), stock=3, hand="QC").game().play(Move.parse("h1-c1"))
    >>> game.table.heights, game.table.stock_count
    ((0, 0, 0), 10)
    """

    variant: str = "standard"
    turn: int = 9
    seat: Seat = 0
    centre: tuple[int | str, ...] = (0, 0, 0)
    stock: int = 30
    hand: str = "JS"  # cards of the mover at h1, h2, …; an x is an empty place
    sides: str = "-/-/-/-"
    pay_off: int = 20
    top: str = "2C.1"
    other_hand: int = HAND_SIZE
    other_sides: str = "-/-/-/-"
    other_pay_off: int = 20
    other_top: str = "2D.1"

    def game(self) -> OpenGame:
        """The open game at this position; raises Misread when the sketch contradicts itself."""
        variant = Variant.parse(self.variant)
        centre = tuple(_stack(suit, stack) for suit, stack in enumerate(self.centre))
        cards = [None if word == "x" else Card.parse(word) for word in self.hand.split()]
        end = variant.cards
        first = end - self.stock
        below = 2 * variant.pay_off  # the hands lie just above the pay-off piles
        hand: Hand = tuple(
            Slot(below + at) if at < len(cards) and cards[at] is not None else None for at in range(HAND_SIZE)
        )
        other: Hand = tuple(Slot(below + HAND_SIZE + at) if at < self.other_hand else None for at in range(HAND_SIZE))
        places = (
            Place(self.pay_off, Card.parse(self.top), hand, read_piles(self.sides, 4)),
            Place(self.other_pay_off, Card.parse(self.other_top), other, read_piles(self.other_sides, 4)),
        )
        table = Table(
            variant=variant,
            turn=self.turn,
            to_move=self.seat,
            stock=Stock(0, first, end),
            centre=centre,
            places=places if self.seat == 0 else (places[1], places[0]),
            owed=None,
            drawn=(),
            outcome=None,
            began=0,
            tie_break=1,
        )
        known = {slot: card for slot, card in zip(hand, cards, strict=False) if slot is not None and card is not None}
        if len({*known.values()} - _shown(table)) < len(known):
            raise unclear(self.hand, "a card lies there twice")
        known |= {
            Slot(seat * variant.pay_off + place.pay_off - 1): place.top
            for seat, place in enumerate(table.places)
            if place.top is not None
        }
        return OpenGame(Table.parse(str(table)), (_deck(table, known),), 0)


def _stack(suit: int, stack: int | str) -> Pile:
    """A centre stack of this height in one suit, or of these cards."""
    if isinstance(stack, str):
        return read_pile(stack)
    return tuple(Card(rank << 4 | suit) for rank in range(1, stack + 1))


def _shown(table: Table) -> set[Card]:
    """All cards that lie open."""
    piles = [*table.centre, *(side for place in table.places for side in place.sides)]
    return {card for pile in piles for card in pile} | {place.top for place in table.places if place.top is not None}


def _deck(table: Table, known: dict[Slot, Card]) -> Pile:
    """A deck with these cards at these places, and elsewhere first the cards that lie open nowhere, kings last."""
    shown = _shown(table) | {*known.values()}
    everything = pack(table.variant.packs)
    rest = [card for card in everything if card not in shown]
    rest.sort(key=lambda card: (card.rank == KING, card))
    rest += [card for card in everything if card in shown and card not in known.values()]
    live = [Slot(seat * table.variant.pay_off + at) for seat in (0, 1) for at in range(table.places[seat].pay_off)]
    live += [slot for place in table.places for slot in place.hand if slot is not None]
    live += table.stock.slots(table.stock.next, table.stock.end)
    order = live + [slot for slot in map(Slot, range(len(everything))) if slot not in live]
    cards = iter(rest)
    faces = known | {slot: next(cards) for slot in order if slot not in known}
    return tuple(faces[slot] for slot in map(Slot, range(len(everything))))
