"""The parts of a table, each with its one text: stock, place, what is owed, outcome.

Law: a card that lies face down is a `Slot`, a place in a shuffled deck. `X.parse(str(x)) == x` for each part.
"""

from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple, NewType, Self, TypeAlias

from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import HAND_SIZE, SIDES
from sm_p2p.rules.reasons import Misread, Reason

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
NONE: Final = "-"


class Stock(NamedTuple):
    """The places `next` ≤ place < `end` of one deck; the lowest is drawn first.

    >>> Stock.parse("1:5-66")
    Stock(deck=1, next=5, end=66)
    """

    deck: int
    next: int
    end: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """The stock that is written so; raises Misread."""
        deck, colon, places = text.partition(":")
        start, dash, end = places.partition("-")
        if not colon or not dash:
            raise unclear(text, "places of a deck are DECK:NEXT-END")
        return cls(read_number(deck), read_number(start), read_number(end))

    def __str__(self) -> str:
        return f"{self.deck}:{self.next}-{self.end}"

    def slots(self, start: int, end: int) -> tuple[Slot, ...]:
        """The slots of the places start ≤ place < end of this deck."""
        return _slots_of(self.deck)[start:end]


class Place(NamedTuple):
    """What lies before one player.

    >>> Place.parse("17=8C 0.40,-,-,1.3,- 9S,QC/KC/-/-").sides[0]
    (Card.parse('9S'), Card.parse('QC'))
    """

    pay_off: int
    top: Card | None  # None: face down, or none left
    hand: Hand
    sides: tuple[Pile, ...]  # a…d

    @classmethod
    def parse(cls, text: str) -> Self:
        """The place that is written so: pay-off pile, hand and side stacks; raises Misread."""
        words = text.split(" ")
        if len(words) != 3:
            raise unclear(text, "a place is a pay-off pile, a hand and side stacks")
        count, equals, top = words[0].partition("=")
        hand = tuple(map(_read_slot, words[1].split(",")))
        if len(hand) != HAND_SIZE:
            raise unclear(words[1], f"a hand has {HAND_SIZE} places")
        return cls(read_number(count), Card.parse(top) if equals else None, hand, read_piles(words[2], SIDES))

    def __str__(self) -> str:
        top = "" if self.top is None else f"={self.top}"
        return f"{self.pay_off}{top} {','.join(map(_write_slot, self.hand))} {write_piles(self.sides)}"


class Owed(NamedTuple):
    """What has to be shown or shuffled before the mover goes on. The table has its new shape already.

    `shuffle`: the completed stack, bottom first, else empty. `hidden`: the slots of the stock that were shuffled with it,
    in order: the input of the new deck is hidden ++ shuffle. `top`: the mover's next pay-off card (`Table.top_slot`) is to
    be turned up. `draws`: the slots that refilled his hand, h1 first.

    >>> Owed.parse("top;draw=0:50-55").draws == Stock(0, 50, 104).slots(50, 55)
    True
    """

    shuffle: Pile
    hidden: tuple[Slot, ...]
    top: bool
    draws: tuple[Slot, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """What is owed, written as one to three parts in a fixed order: shuffle=CARDS@SLOTS;top;draw=SLOTS."""
        shuffle = hidden = draws = NONE
        top = False
        for part in text.split(";"):
            name, _, value = part.partition("=")
            if name == "shuffle":
                shuffle, _, hidden = value.partition("@")
            elif name == "draw":
                draws = value
            elif part == "top":
                top = True
            else:
                raise unclear(part, "owed are shuffle=CARDS@SLOTS, top and draw=SLOTS")
        return cls(read_pile(shuffle), read_slots(hidden), top, read_slots(draws))

    def __str__(self) -> str:
        return ";".join(
            (
                *((f"shuffle={write_pile(self.shuffle)}@{write_slots(self.hidden)}",) if self.shuffle else ()),
                *(("top",) if self.top else ()),
                *((f"draw={write_slots(self.draws)}",) if self.draws else ()),
            )
        )


class How(StrEnum):
    """How a game ended."""

    WIN = "win"
    TIE = "tie"
    RESIGN = "resign"


class Outcome(NamedTuple):
    """The end of a game; `winner` is None in a tie, where nobody scores.

    >>> Outcome.parse("win:0:13")
    Outcome(how=<How.WIN: 'win'>, winner=0, points=13)
    """

    how: How
    winner: Seat | None
    points: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """The outcome that is written so: `tie`, or how, winner and points; raises Misread."""
        if text == How.TIE:
            return cls(How.TIE, None, 0)
        how, _, rest = text.partition(":")
        seat, _, points = rest.partition(":")
        if how not in (How.WIN, How.RESIGN) or seat not in ("0", "1"):
            raise unclear(text, "an outcome is tie, win:SEAT:POINTS or resign:SEAT:POINTS")
        return cls(How(how), int(seat), read_number(points))

    def __str__(self) -> str:
        return self.how.value if self.winner is None else f"{self.how}:{self.winner}:{self.points}"


@cache
def _slots_of(deck: int) -> tuple[Slot, ...]:
    """All slots of a deck; made once, because every draw of every game takes some."""
    return tuple(map(Slot, range(deck << 8, deck + 1 << 8)))


def unclear(text: str, problem: str) -> Misread:
    """The refusal of a part of a table's text."""
    return Misread(Reason.NOT_A_TABLE, text=text, problem=problem)


def read_number(text: str) -> int:
    """A whole number 0…9999; raises Misread."""
    if text.isascii() and text.isdecimal() and len(text) < 5:
        return int(text)
    raise unclear(text, "a number was expected")


def read_seat(text: str) -> Seat | None:
    """A seat, or None for `-`; raises Misread."""
    if text not in ("0", "1", NONE):
        raise unclear(text, "a seat is 0 or 1, nobody is -")
    return None if text == NONE else int(text)


def write_seat(seat: Seat | None) -> str:
    """The text of a seat or of nobody."""
    return NONE if seat is None else str(seat)


def read_pile(text: str) -> Pile:
    """A pile of open cards; raises Misread."""
    return () if text == NONE else tuple(map(Card.parse, text.split(",")))


def write_pile(pile: Pile) -> str:
    """The text of a pile: its cards bottom first, `-` when it is empty."""
    return ",".join(map(str, pile)) or NONE


def read_piles(text: str, count: int) -> tuple[Pile, ...]:
    """So many piles; raises Misread."""
    piles = tuple(map(read_pile, text.split("/")))
    if len(piles) != count:
        raise unclear(text, f"there must be {count} piles with / between them")
    return piles


def write_piles(piles: tuple[Pile, ...]) -> str:
    """The text of several piles."""
    return "/".join(map(write_pile, piles))


def read_slots(text: str) -> tuple[Slot, ...]:
    """Slots that follow each other in one deck; raises Misread."""
    if text == NONE:
        return ()
    run = Stock.parse(text)
    return run.slots(run.next, run.end)


def write_slots(slots: tuple[Slot, ...]) -> str:
    """The text of slots that follow each other in one deck."""
    return str(Stock(slots[0] >> 8, slots[0] & 255, (slots[-1] & 255) + 1)) if slots else NONE


def _read_slot(text: str) -> Slot | None:
    """A slot, or None for `-`; raises Misread."""
    if text == NONE:
        return None
    deck, _, place = text.partition(".")
    if read_number(place) > 255:
        raise unclear(text, "a deck has no such place")
    return Slot(read_number(deck) << 8 | read_number(place))


def _write_slot(slot: Slot | None) -> str:
    """The text of a slot: the deck and the place in it."""
    return NONE if slot is None else f"{slot >> 8}.{slot & 255}"
