"""edwards25519, framing and hashing in plain whole numbers, written from `protocol/deck.md` alone.

Law: nothing of the package is imported here. It is slow, not constant in time, and meant to be read beside the specification.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, TypeAlias

P: Final = 2**255 - 19
Q: Final = 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, -1, P) % P
ROOT: Final = pow(2, (P - 1) // 4, P)
SIZE: Final = 32

Point: TypeAlias = tuple[int, int, int, int]
Item: TypeAlias = "bytes | str | int | Sequence[Item]"


class RefusedError(Exception):
    """What was received is refused; the message is the fault code."""


def add(left: Point, right: Point) -> Point:
    """The sum (RFC 8032, section 5.1.4)."""
    x1, y1, z1, t1 = left
    x2, y2, z2, t2 = right
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def negative(point: Point) -> Point:
    """The point that gives O with this one."""
    x, y, z, t = point
    return -x % P, y, z, -t % P


def sub(left: Point, right: Point) -> Point:
    """The difference."""
    return add(left, negative(right))


def double(point: Point) -> Point:
    """The point added to itself (RFC 8032, section 5.1.4)."""
    x, y, z, _ = point
    a, b, c = x * x % P, y * y % P, 2 * z * z % P
    h = a + b
    e, g = h - (x + y) * (x + y) % P, a - b
    f = c + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(factor: int, point: Point) -> Point:
    """The point added to itself so many times, four bits at a time."""
    multiples = [IDENTITY, point]
    for _ in range(14):
        multiples.append(add(multiples[-1], point))
    result = IDENTITY
    for at in range(factor.bit_length() // 4 * 4, -1, -4):
        result = add(double(double(double(double(result)))), multiples[factor >> at & 15])
    return result


def mul(factor: int, point: Point) -> Point:
    """The product with a scalar."""
    return multiply(factor % Q, point)


def encode(point: Point) -> bytes:
    """The 32 bytes of RFC 8032, section 5.1.2."""
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(SIZE, "little")


def recover(raw: bytes) -> Point | None:
    """The point of the curve that 32 bytes encode canonically, if there is one."""
    number = int.from_bytes(raw, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def is_received(raw: bytes) -> bool:
    """Whether 32 bytes are a point that may come over the wire."""
    point = recover(raw)
    return point is not None and encode(point) != encode(IDENTITY) and encode(multiply(Q, point)) == encode(IDENTITY)


IDENTITY: Final[Point] = (0, 1, 1, 0)
G: Final = (4 * pow(5, -1, P) % P).to_bytes(SIZE, "little")


def pieces(raw: bytes, count: int) -> list[bytes]:
    """So many pieces of 32 bytes; else `bad-length`."""
    if len(raw) != SIZE * count:
        raise RefusedError("bad-length")
    return [raw[at : at + SIZE] for at in range(0, len(raw), SIZE)]


def scalars(raws: Sequence[bytes]) -> list[int]:
    """The received scalars; else `bad-scalar`."""
    numbers = [int.from_bytes(raw, "little") for raw in raws]
    if any(number >= Q for number in numbers):
        raise RefusedError("bad-scalar")
    return numbers


def points(raws: Sequence[bytes]) -> list[Point]:
    """The received points; else `bad-point`."""
    if not all(map(is_received, raws)):
        raise RefusedError("bad-point")
    return trusted(raws)


def trusted(raws: Sequence[bytes]) -> list[Point]:
    """Points whose origin is known."""
    found = [recover(raw) for raw in raws]
    assert None not in found, "what was to be trusted is no point"
    return [point for point in found if point is not None]


BASE: Final = trusted([G])[0]


def scalar_bytes(number: int) -> bytes:
    """A scalar as it goes over the wire."""
    return (number % Q).to_bytes(SIZE, "little")


def total(terms: Sequence[Point]) -> Point:
    """The sum of points."""
    result = IDENTITY
    for term in terms:
        result = add(result, term)
    return result


def weighted(factors: Sequence[int], terms: Sequence[Point]) -> Point:
    """Σ s_i·P_i."""
    return total([mul(factor, term) for factor, term in zip(factors, terms, strict=True)])


def frame(item: Item) -> bytes:
    """The one encoding of nested items."""
    if isinstance(item, bytes):
        return b"\x62" + len(item).to_bytes(4, "big") + item
    if isinstance(item, str):
        text = item.encode("utf-8")
        return b"\x73" + len(text).to_bytes(4, "big") + text
    if isinstance(item, int):
        digits = b""
        while item:
            digits, item = bytes([item % 256]) + digits, item // 256
        return b"\x69" + len(digits).to_bytes(4, "big") + digits
    return b"\x6c" + len(item).to_bytes(4, "big") + b"".join([frame(part) for part in item])


def wide(raw: bytes) -> int:
    """64 bytes as a number modulo q."""
    return int.from_bytes(raw, "big") % Q


def hashed(*items: Item) -> int:
    """H[…]."""
    return wide(hashlib.sha512(frame(items)).digest())


class Xof:
    """XOF[…], read from the front."""

    def __init__(self, *items: Item) -> None:
        self.framed = frame(items)
        self.read = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        self.read += count
        return hashlib.shake_256(self.framed).digest(self.read)[self.read - count :]

    def wides(self, count: int) -> list[int]:
        """The next wide numbers."""
        return [wide(self.take(64)) for _ in range(count)]

    def below(self, bound: int) -> int:
        """The next number below the bound."""
        word = int.from_bytes(self.take(4), "big")
        while word >= 2**32 - 2**32 % bound:
            word = int.from_bytes(self.take(4), "big")
        return word % bound

    def permutation(self, count: int) -> list[int]:
        """The next permutation of 0 … count − 1."""
        p = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self.below(i + 1)
            p[i], p[j] = p[j], p[i]
        return p
