"""Injective framing, and a SHAKE256 stream that numbers and permutations are read from.

Law: no randomness starts here. A stream is a function of the items it was framed from, the same on every machine.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, TypeAlias

Item: TypeAlias = "bytes | str | int | Sequence[Item]"


def frame(item: Item) -> bytes:
    """The one encoding of nested items: a type byte, a 32-bit big-endian length or count, the content.

    `b` bytes, `s` text in UTF-8, `i` a whole number ≥ 0 big-endian without leading zeros (zero is empty), `l` a list.
    No two different items share an encoding (`protocol/deck.md`, Framing).

    >>> frame(["a", 256, b""]).hex()
    '6c00000003730000000161690000000201006200000000'
    """
    if isinstance(item, bytes):
        return b"b" + len(item).to_bytes(4) + item
    if isinstance(item, int):
        return _NUMBERS[item] if 0 <= item < 256 else _number(item)
    if isinstance(item, str):
        raw = item.encode()
        return b"s" + len(raw).to_bytes(4) + raw
    framed = [_NUMBERS[one] if type(one) is int and 0 <= one < 256 else frame(one) for one in item]
    return list_head(len(item)) + b"".join(framed)


def _number(number: int) -> bytes:
    raw = number.to_bytes((number.bit_length() + 7) // 8)
    return b"i" + len(raw).to_bytes(4) + raw


_NUMBERS: Final = tuple(map(_number, range(256)))  # most numbers are a card, a rank or a count


def list_head(count: int) -> bytes:
    """How the frame of a list of so many items begins, for those who have the items' frames already.

    >>> list_head(2) + frame(7) + frame("x") == frame([7, "x"])
    True
    """
    return b"l" + count.to_bytes(4)


class Stream:
    """Bytes of SHAKE256 over a frame, read from the front; numbers below n without bias.

    >>> Stream("doc", 7).permutation(5) == Stream("doc", 7).permutation(5)
    True
    """

    def __init__(self, *items: Item) -> None:
        self._xof = hashlib.shake_256(frame(items))
        self._buffer = self._xof.digest(136)  # one block of SHAKE256: enough for the single nonce of most proofs
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        end = self._at + count
        if end > len(self._buffer):
            self._buffer = self._xof.digest(2 * end)
        chunk = self._buffer[self._at : end]
        self._at = end
        return chunk

    def below(self, bound: int) -> int:
        """A uniform number 0 ≤ v < bound from big-endian 32-bit words, the biased tail rejected (1 ≤ bound ≤ 2³²)."""
        if not 1 <= bound <= 2**32:
            raise ValueError(f"a 32-bit word cannot choose among {bound}")
        limit = 2**32 - 2**32 % bound
        while True:
            word = int.from_bytes(self.take(4))
            if word < limit:
                return word % bound

    def permutation(self, count: int) -> tuple[int, ...]:
        """A uniform permutation of 0…count−1: Fisher–Yates from the last place down to place 1, j = below(i + 1)."""
        places = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self.below(i + 1)
            places[i], places[j] = places[j], places[i]
        return tuple(places)
