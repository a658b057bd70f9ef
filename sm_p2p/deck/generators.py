"""Points that nobody chose: h and H_i for commitments, M_k for the cards.

Law: each one is hashed from its label, so no logarithm between any two of them is known to anyone; both copies of a face
differ. `constants_hash` is signed by both players at the start.
"""

import hashlib
from functools import cache
from typing import Final

from sm_p2p.deck.group import G, Point, decode_point, total
from sm_p2p.deck.transcript import CONSTANTS
from sm_p2p.errors import Fault
from sm_p2p.stream import frame

MOST_CARDS: Final = 208
"""Cards of the largest variant, four packs; so many H_i and M_k exist."""
CARD_IDS: Final = tuple(rank << 4 | pack << 2 | suit for rank in range(1, 14) for pack in range(4) for suit in range(4))
"""The ids that a card can have: rank 1…13, pack 0…3, suit 0…3."""

_LABELS: Final = (
    "commit-h",
    *(f"commit-{i}" for i in range(1, MOST_CARDS + 1)),
    *(f"card-{card}" for card in CARD_IDS),
)
# How many candidates each label throws away before the first point, one byte each: with them the table takes a
# millisecond instead of a third of a second. The hash holds them to what `hash_to_group` finds; a test does so point by point.
_COUNTERS: Final = bytes.fromhex(
    "050e06040b09091e141f441a250c1000081115011b37200907051a01050c00011b10081a160e090a1113010702080013020001141210"
    "0e02041307140503000908013401010205130808090c2000001c350a031806031a070d0a00030000000a09000e0a2b262a0d14021e6c"
    "010517060b011d1f04063a121200111f0c01070b0109201101070c0d0c190109080006060b040c040214081004190307020702210029"
    "0d020503080c060a2812110a040312172a3b080414172e0c031a010308060a456b1c14181b16002107061f1e09111410020406050101"
    "05020e15030822060020015416004501150c0d0e0a010407020408160200250b0014150129060a19030040050803210b081003320829"
    "0400172012051a26060d120c070202060115190509060316420e0c043f0c0b1018030c120809001202080f0a070311160f1512110203"
    "050b06000907080301060b0c0c060009050008271e030215160b1709151104000e11021f0507010b2f111f090903013a1b260c190a02"
    "121b19010b1108060510222415061b1d0d1500013a0c13010103030211260814033b0c03071621"
)
_HASH: Final = bytes.fromhex("77db98ddaa3e00e5428968530abb893245ea5d388aca87a4df1401b655ec0ca4")


def candidate(label: str, counter: int) -> bytes:
    """The 32 bytes that are tried as a point in round `counter`."""
    return hashlib.sha512(frame([CONSTANTS, label, counter])).digest()[:32]


def hash_to_group(label: str) -> tuple[Point, int]:
    """H2G(label): the first candidate that is a point of the subgroup, and its counter (from 0)."""
    counter = 0
    while True:
        try:
            return decode_point(candidate(label, counter)), counter
        except Fault:
            counter += 1


def commitment_base() -> Point:
    """h, which starts every commitment chain."""
    return _table()[0]


def commitment_bases(count: int) -> tuple[Point, ...]:
    """H_1 … H_count."""
    if not 1 <= count <= MOST_CARDS:
        raise ValueError(f"a deck has 1 to {MOST_CARDS} cards, not {count}")
    return _table()[1 : 1 + count]


@cache
def commitment_sum(count: int) -> Point:
    """H_1 + … + H_count."""
    return total(commitment_bases(count))


def card_point(card: int) -> Point:
    """M_k, the open face of the card with this id."""
    return _cards()[0][card]


def card_of(point: Point) -> int | None:
    """The id of the card whose open face this is; None if there is no such card."""
    return _cards()[1].get(point)


def constants_hash() -> bytes:
    """32 bytes over G, h, all H_i, all ids and all M_k."""
    return _HASH


@cache
def _table() -> tuple[Point, ...]:
    points = tuple(Point(candidate(label, tried)) for label, tried in zip(_LABELS, _COUNTERS, strict=True))
    bases, faces = list(points[1 : 1 + MOST_CARDS]), list(points[1 + MOST_CARDS :])
    found = hashlib.sha512(frame([CONSTANTS, G, points[0], bases, CARD_IDS, faces])).digest()[:32]
    if found != _HASH:
        raise AssertionError("the table of counters does not belong to these labels")
    return points


@cache
def _cards() -> tuple[dict[int, Point], dict[Point, int]]:
    faces = _table()[1 + MOST_CARDS :]
    return dict(zip(CARD_IDS, faces, strict=True)), dict(zip(faces, CARD_IDS, strict=True))
