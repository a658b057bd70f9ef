"""What one person sees: the table, and the faces that were shown to him alone.

Law: a view is made by adding faces to a table, never by hiding any; an onlooker adds nothing.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from sm_p2p.rules.cards import KING, Card
from sm_p2p.rules.moves import END, HAND, HAND_SIZE, MOVES, ONTO_SIDE, SIDE, SIDES, Move
from sm_p2p.rules.parts import NO_HAND, Seat, Slot
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import Refill

_DISCARDS: Final = tuple(
    tuple(MOVES[HAND + place << 3 | ONTO_SIDE + side] for side in range(SIDES)) for place in range(HAND_SIZE)
)
_ONTO: Final = tuple(  # a set of stacks as bits → source → its moves to them; few, and shared by all heights
    tuple(
        tuple(MOVES[source << 3 | stack] for stack in range(ONTO_SIDE) if stacks >> stack & 1)
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
        table, seat = self.table, self.seat
        if seat is None or table.to_move != seat or table.owed is not None:
            return ()
        _, top, hand, sides = table.places[seat]
        fits = fitting(table.heights)
        moves: list[Move] = []
        if top is not None:
            moves += fits[top >> 4][0]
        if hand == NO_HAND:
            ending = (END,) if table.variant.refill is Refill.NEXT_TURN else ()
        else:
            ending = ()
            faces = self.faces
            for place, slot in enumerate(hand):
                if slot is not None and (card := faces.get(slot)) is not None:
                    moves += fits[card >> 4][HAND + place]
                    moves += _DISCARDS[place]
        for source, side in enumerate(sides, SIDE):
            if side:
                moves += fits[side[-1] >> 4][source]
        return (*moves, *ending)


@cache
def fitting(heights: tuple[int, ...]) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """For centre stacks of these heights: rank → source → the moves to the stacks that a card of this rank fits."""
    return tuple(
        _ONTO[sum(1 << stack for stack, height in enumerate(heights) if rank in (height + 1, KING))]
        for rank in range(KING + 1)
    )
