"""What one person sees: the table, and the faces that were shown to him alone.

Law: a view is made by adding faces to a table, never by hiding any; an onlooker adds nothing.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from sm_p2p.rules.cards import KING, Card
from sm_p2p.rules.moves import END, HAND, HAND_SIZE, MOVES, ONTO_SIDE, PAY_OFF, SIDE, SIDES, Move
from sm_p2p.rules.parts import NO_HAND, Seat, Slot
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import Refill

_AT_ONCE: Final = Refill.AT_ONCE  # read once: an enum's members are slow to look up
_OPTIONS: Final = tuple(  # the stacks that a card fits, as bits → where it lies → all its moves; shared by all heights
    tuple(
        tuple(MOVES[source << 3 | stack] for stack in range(ONTO_SIDE) if stacks >> stack & 1)
        + tuple(MOVES[source << 3 | ONTO_SIDE + side] for side in range(SIDES) if HAND <= source < SIDE)
        for source in range(SIDE + SIDES)
    )
    for stacks in range(1 << ONTO_SIDE)
)


class View(NamedTuple):
    """A table as it looks from a seat; `seat` is None for an onlooker."""

    table: Table
    seat: Seat | None
    faces: Mapping[Slot, Card]

    @property
    def hand(self) -> tuple[Card | None, ...]:
        """The own cards at h1…h5; None where there is none, or its face is not known yet."""
        if self.seat is None:
            return (None,) * HAND_SIZE
        faces = self.faces
        return tuple(None if slot is None else faces.get(slot) for slot in self.table.places[self.seat].hand)

    def face(self, move: Move) -> Card | None:
        """The card that this move would move; None if it moves none or its face is not known here."""
        slot = self.table.hand_slot(move)
        return self.table.open_card(move) if slot is None else self.faces.get(slot)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move that this person can make now, by ascending number; none when it is not his turn."""
        table, seat, faces = self
        if seat is None or table.to_move != seat or table.owed is not None:
            return ()
        _, top, hand, sides = table.places[seat]
        options = options_at(tuple(map(len, table.centre)))
        moves: list[Move] = []
        if top is not None:
            moves += options[top >> 4][PAY_OFF]
        source = HAND
        for slot in hand:
            if slot is not None and slot in faces:
                moves += options[faces[slot] >> 4][source]
            source += 1
        for side in sides:
            if side:
                moves += options[side[-1] >> 4][source]
            source += 1
        if hand == NO_HAND and table.variant.refill is not _AT_ONCE:
            moves.append(END)
        return tuple(moves)


@cache
def options_at(heights: tuple[int, ...]) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """For centre stacks of these heights: rank → source → the moves of a card of this rank that lies there."""
    return tuple(
        _OPTIONS[sum(1 << stack for stack, height in enumerate(heights) if rank in (height + 1, KING))]
        for rank in range(KING + 1)
    )
