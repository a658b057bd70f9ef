"""A move: from a place to a place, in one byte, and its notation.

Law: a move's number is source << 3 | target. Sources: 0 the pay-off pile, 1…5 the hand, 6…9 the own side stacks.
Targets: 0…3 the centre stacks, 4…7 the own side stacks. 80 is `end`. Whether a move is legal, a table says, not its number.
"""

from typing import Final, Self

from sm_p2p.rules.reasons import Misread, Reason

PAY_OFF: Final = 0
HAND: Final = 1
SIDE: Final = 6
ONTO_SIDE: Final = 4
HAND_SIZE: Final = 5
SIDES: Final = 4
SOURCES = ("p", "h1", "h2", "h3", "h4", "h5", "a", "b", "c", "d")
TARGETS = ("c1", "c2", "c3", "c4", "a", "b", "c", "d")
_END = len(SOURCES) << 3


class Move(int):
    """A move of the player whose turn it is.

    >>> move = Move.parse("h3-c2")
    >>> move, int(move), move.source, move.target
    (Move.parse('h3-c2'), 25, 'h3', 'c2')
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
        """The move of this number; raises Misread when no move has it."""
        if not 0 <= number <= _END:
            raise Misread(Reason.NOT_A_MOVE, text=number)
        return super().__new__(cls, number)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The move that is written so; raises Misread."""
        if text == "end":
            return cls(_END)
        source, _, target = text.partition("-")
        if source in TARGETS[:ONTO_SIDE] and target in TARGETS:
            raise Misread(Reason.CENTRE_STAYS)
        if source not in SOURCES or target not in TARGETS:
            raise Misread(Reason.NOT_A_MOVE, text=text)
        return cls(SOURCES.index(source) << 3 | TARGETS.index(target))

    @property
    def source(self) -> str:
        """Where the card comes from, as in the notation; empty for `end`."""
        return "" if self == _END else SOURCES[self >> 3]

    @property
    def target(self) -> str:
        """Where the card goes, as in the notation; empty for `end`."""
        return "" if self == _END else TARGETS[self & 7]

    @property
    def hand_place(self) -> int | None:
        """The place in the hand that the card leaves, 0…4, or None: then no card or one that lies open is moved."""
        source = self >> 3
        return source - HAND if HAND <= source < SIDE else None

    @property
    def ends_turn(self) -> bool:
        """Whether the turn is over with it: a discard or `end`."""
        return self == _END or bool(self & ONTO_SIDE)

    def __str__(self) -> str:
        return "end" if self == _END else f"{SOURCES[self >> 3]}-{TARGETS[self & 7]}"

    def __repr__(self) -> str:
        return f"Move.parse('{self}')"


MOVES = tuple(map(Move, range(_END + 1)))
END: Final = MOVES[_END]
