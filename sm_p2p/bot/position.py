"""A position as a player thinks about it: ranks instead of cards, and how many of each rank he has not seen.

Law: it is made from a view and holds nothing that the view does not show.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from sm_p2p.rules.cards import KING
from sm_p2p.rules.moves import HAND_SIZE
from sm_p2p.rules.parts import Pile
from sm_p2p.rules.variant import StockOut, Variant
from sm_p2p.rules.view import View

Ranks: TypeAlias = tuple[int, ...]
"""Cards that lie in a row, or a hand in ascending order."""

Sides: TypeAlias = tuple[Ranks, ...]
"""Four side stacks, bottom first."""

RANKS_OF_A_PACK = 4  # of each rank


class Position(NamedTuple):
    """What the player to move knows; `other` is the opponent."""

    heights: Ranks
    hand: Ranks
    sides: Sides
    top: int  # the own pay-off card; 0 while it is not known
    left: int  # own pay-off cards
    other_sides: Sides
    other_top: int
    other_left: int
    other_hand: int  # cards that he holds until he draws
    stock: int
    unseen: Ranks  # by rank: hidden from this player; at 0 the sum
    variant: Variant

    @property
    def other_draws(self) -> int:
        """How many cards the opponent will draw as his turn begins."""
        return HAND_SIZE - self.other_hand

    def can_draw(self, count: int, stock: int) -> bool:
        """Whether a draw of so many cards from such a stock lets the game go on."""
        left = stock - count
        return count == 0 or left > 0 or (left == 0 and self.variant.stock_out is not StockOut.EMPTY)


def position_of(view: View) -> Position:
    """The position of the player whose turn it is; raises TypeError for an onlooker.

    >>> from sm_p2p.rules.sketch import Sketch
    >>> position_of(Sketch(centre=(3, 0, 0), hand="KS 4S", top="9H").game().view(0)).hand
    (4, 13)
    """
    if view.seat is None:
        raise TypeError("an onlooker makes no move")
    table = view.table
    place, other = table.places[view.seat], table.places[1 - view.seat]
    hand = tuple(sorted(card >> 4 for card in view.hand if card is not None))
    sides, other_sides = tuple(map(_ranks, place.sides)), tuple(map(_ranks, other.sides))
    top, other_top = (0 if card is None else card >> 4 for card in (place.top, other.top))
    unseen = [0] + [RANKS_OF_A_PACK * table.variant.packs] * KING
    for pile in (*map(_ranks, table.centre), *sides, *other_sides, hand, (top,), (other_top,)):
        for rank in pile:
            unseen[rank] -= 1
    unseen[0] = sum(unseen[1:])
    return Position(
        heights=table.heights,
        hand=hand,
        sides=sides,
        top=top,
        left=place.pay_off,
        other_sides=other_sides,
        other_top=other_top,
        other_left=other.pay_off,
        other_hand=sum(slot is not None for slot in other.hand),
        stock=table.stock_count,
        unseen=tuple(unseen),
        variant=table.variant,
    )


def _ranks(pile: Pile | Iterable[int]) -> Ranks:
    """The ranks of a pile."""
    return tuple([card >> 4 for card in pile])
