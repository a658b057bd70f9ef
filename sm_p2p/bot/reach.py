"""How far a pay-off card is away: which ranks a centre stack still needs below it, and which of them lie at hand.

Law: ranks are bits (`1 << rank`), so that what is missing is one `&`; a king has no bit, kings are counted.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from sm_p2p.bot.position import Ranks
from sm_p2p.rules.cards import KING
from sm_p2p.rules.parts import FULL

Bits: TypeAlias = int
Rungs: TypeAlias = tuple[Bits, Bits]
"""A side stack as it can be played from: its top, and with it what follows upwards below it."""


def _between(height: int, rank: int) -> Bits:
    """The ranks that a stack of this height needs before a card of this rank fits, over a completion if need be."""
    bits = 0
    if rank < KING:
        following = height % FULL + 1
        while following != rank:
            bits |= 1 << following
            following = following % FULL + 1
    return bits


NEEDED: Final = tuple(
    tuple(_between(height, rank) if rank else 0 for rank in range(KING + 1)) for height in range(FULL)
)
"""height → rank → what is needed in between; nothing for a king."""


@lru_cache(1 << 14)
def bits_of(ranks: Ranks) -> Bits:
    """The natural cards among these as bits."""
    bits = 0
    for rank in ranks:
        if rank < KING:
            bits |= 1 << rank
    return bits


def top_bit(pile: Ranks) -> Bits:
    """The top of a side stack, unless that is a king."""
    return 1 << pile[-1] if pile and pile[-1] < KING else 0


@lru_cache(1 << 14)
def ladder(pile: Ranks) -> Bits:
    """What can be played from a side stack upwards, one card uncovering the next.

    >>> ladder((9, 8, 5)) == 1 << 5 | 1 << 8 | 1 << 9
    True
    """
    bits = last = 0
    for rank in reversed(pile):
        if rank == KING or rank <= last:
            break
        bits |= 1 << rank
        last = rank
    return bits


def missing(needed: Bits, loose: Bits, sides: Sequence[Rungs]) -> Bits:
    """The needed ranks that neither lie loose nor can be played from a side stack."""
    for top, bits in sides:
        if needed & top:
            loose |= bits
    return needed & ~loose


def without(bits: Bits, kings: int) -> Bits:
    """What is still missing when so many kings stand for the lowest of it."""
    while kings and bits:
        bits &= bits - 1
        kings -= 1
    return bits


@lru_cache(1 << 12)
def chances(unseen: Ranks, cards: int) -> tuple[float, ...]:
    """By rank: how likely so many cards that nobody has shown hold one of it or a king.

    >>> [round(chance, 2) for chance in chances((104, *(8,) * 13), 5)[1:3]]
    [0.57, 0.57]
    """
    total, kings = max(unseen[0], 1), unseen[KING]
    return tuple([1 - (1 - (unseen[rank] + kings) / total) ** cards if rank else 0.0 for rank in range(KING)])


def chance_of(bits: Bits, by_rank: Sequence[float]) -> float:
    """How likely it is that all of these come at once."""
    chance = 1.0
    while bits:
        low = bits & -bits
        chance *= by_rank[low.bit_length() - 1]
        bits ^= low
    return chance
