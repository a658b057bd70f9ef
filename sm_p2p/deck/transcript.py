"""What a proof is about, and the challenges drawn from it (Fiat and Shamir).

Law: a challenge hashes its label, the whole statement and the place in the chain; one label for each purpose.
"""

import hashlib
from typing import Final, NamedTuple

from sm_p2p.deck.group import Scalar, wide_scalar
from sm_p2p.stream import Item, Stream, frame, list_head

CONSTANTS: Final = "SM1/constants"
KEY: Final = "SM1/key"
POK: Final = "SM1/pok"
DLEQ: Final = "SM1/dleq"
SHUFFLE: Final = "SM1/shuffle"
SHUFFLE_RNG: Final = "SM1/shuffle-rng"
NONCE: Final = "SM1/nonce"
SEED: Final = "SM1/seed"


class Context(NamedTuple):
    """The place in the chain that a proof belongs to, so that it is worth nothing at any other place.

    The game is the one that the key, shuffle or share is for; `match` and `prev` are empty in entry 1.
    """

    match: bytes
    game: int
    seq: int
    prev: bytes
    author: int
    kind: int


def challenge(*items: Item) -> Scalar:
    """H[…]: SHA-512 over the frame, all 64 bytes big-endian, modulo q."""
    return wide_scalar(hashlib.sha512(frame(items)).digest())


class Transcript:
    """A statement S = [label, …], hashed once for all the challenges over it."""

    __slots__ = ("_framed",)

    def __init__(self, label: str, *statement: Item) -> None:
        self._framed = frame([label, *statement])

    def challenge(self, *items: Item) -> Scalar:
        """H[S, …]."""
        parts = [list_head(1 + len(items)), self._framed, *map(frame, items)]
        return wide_scalar(hashlib.sha512(b"".join(parts)).digest())

    def challenges(self, count: int) -> tuple[Scalar, ...]:
        """H[S, 1] … H[S, count]."""
        common = hashlib.sha512(list_head(2) + self._framed)
        found = []
        for j in range(1, count + 1):
            one = common.copy()
            one.update(frame(j))
            found.append(wide_scalar(one.digest()))
        return tuple(found)


def draw_scalars(stream: Stream, count: int) -> tuple[Scalar, ...]:
    """The next scalars of a stream, 64 bytes each."""
    return tuple(wide_scalar(stream.take(64)) for _ in range(count))
