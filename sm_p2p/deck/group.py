"""The group: the prime-order subgroup of Ed25519; the only module of the deck that calls the curve library.

Law: a `Point` is a canonical encoding of a member of the subgroup. Received bytes become one by `decode_point`, or by
`times_received`, which checks and multiplies in one go. Received points are never the identity; computed points may be,
and s·O = O, 0·P = O hold here without an exception. A `Scalar` is 0 ≤ s < q.

Source: RFC 8032, section 5.1, for the curve and its encoding; libsodium through PyNaCl for the arithmetic.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from struct import unpack
from typing import Final, NewType

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)
from nacl.exceptions import RuntimeError as SodiumRefusal

from sm_p2p.errors import Code, Fault, SpiteError

Point = NewType("Point", bytes)
Scalar = NewType("Scalar", int)

SIZE: Final = 32
"""Bytes of a point and of a scalar on the wire."""
Q: Final = 2**252 + 27742317777372353535851937790883648493
"""The prime order of the group."""
G: Final = Point(b"\x58" + b"\x66" * 31)
"""The base point."""
IDENTITY: Final = Point(b"\x01" + bytes(31))
"""The neutral element O, which no wire ever carries."""

_WIDE: Final = 64
_MINUS_ONE: Final = (2**255 - 20).to_bytes(SIZE, "little")  # the point (0, -1), of order 2


def scalar(number: int) -> Scalar:
    """The number modulo q."""
    return Scalar(number % Q)


def wide_scalar(raw: bytes) -> Scalar:
    """The scalar that 64 bytes of a hash stand for: big-endian, modulo q, its bias below 2⁻²⁵⁸."""
    if len(raw) != _WIDE:
        raise ValueError(f"a wide scalar has {_WIDE} bytes, not {len(raw)}")
    return Scalar(int.from_bytes(raw) % Q)


def encode_scalar(value: Scalar) -> bytes:
    """32 bytes, little-endian."""
    return value.to_bytes(SIZE, "little")


def decode_scalar(raw: bytes) -> Scalar:
    """The received scalar 0 ≤ s < q; else `Fault` bad-length or bad-scalar."""
    if len(raw) != SIZE:
        raise Fault(Code.BAD_LENGTH, "a scalar has {size} bytes, not {n}", size=SIZE, n=len(raw))
    value = int.from_bytes(raw, "little")
    if value >= Q:
        raise Fault(Code.BAD_SCALAR, "a scalar is not below the order of the group")
    return Scalar(value)


def decode_scalars(raw: bytes, count: int) -> tuple[Scalar, ...]:
    """So many scalars, one after the other; else `Fault` bad-length or bad-scalar."""
    return tuple(decode_scalar(piece) for piece in split(raw, count))


def decode_point(raw: bytes) -> Point:
    """The received point: canonical, on the curve, in the prime-order subgroup, not O; else `Fault` bad-length or bad-point."""
    if len(raw) != SIZE:
        raise Fault(Code.BAD_LENGTH, "a point has {size} bytes, not {n}", size=SIZE, n=len(raw))
    if not crypto_core_ed25519_is_valid_point(raw):
        raise Fault(Code.BAD_POINT, "32 bytes are not a point of the prime-order subgroup")
    return Point(raw)


def split(raw: bytes, count: int) -> tuple[bytes, ...]:
    """The bytes in `count` pieces of 32, unchecked but for their length; else `Fault` bad-length."""
    if len(raw) != SIZE * count:
        raise Fault(
            Code.BAD_LENGTH,
            "{count} points or scalars have {size} bytes, not {n}",
            count=count,
            size=SIZE * count,
            n=len(raw),
        )
    return unpack(f"{SIZE}s" * count, raw)


def plus(left: Point, right: Point) -> Point:
    """The sum of two points."""
    try:
        return Point(crypto_core_ed25519_add(left, right))
    except SodiumRefusal as refusal:
        raise AssertionError("what was added had not been decoded") from refusal


def minus(left: Point, right: Point) -> Point:
    """The difference of two points."""
    try:
        return Point(crypto_core_ed25519_sub(left, right))
    except SodiumRefusal as refusal:
        raise AssertionError("what was subtracted had not been decoded") from refusal


def minus_received(left: bytes, right: bytes) -> Point:
    """The difference of what was received as two points; `Fault` bad-point if either is not even on the curve."""
    try:
        return Point(crypto_core_ed25519_sub(left, right))
    except SodiumRefusal as refusal:
        raise Fault(Code.BAD_POINT, "32 bytes are not a point of the curve") from refusal


def total(points: Iterable[Point]) -> Point:
    """The sum of points; O if there are none."""
    return reduce(plus, points, IDENTITY)


def base(factor: int) -> Point:
    """s·G, at a quarter of the cost of any other product."""
    factor %= Q
    if not factor:
        return IDENTITY
    return Point(crypto_scalarmult_ed25519_base_noclamp(factor.to_bytes(SIZE, "little")))


def times(factor: int, point: Point) -> Point:
    """s·P for a point that is one by construction or by decoding."""
    factor %= Q
    if not factor or point == IDENTITY:
        return IDENTITY
    try:
        return Point(crypto_scalarmult_ed25519_noclamp(factor.to_bytes(SIZE, "little"), point))
    except SodiumRefusal as refusal:
        raise AssertionError("what was multiplied had not been decoded") from refusal


def times_received(factor: int, raw: bytes) -> Point:
    """s·P for 32 bytes just received; `Fault` bad-point exactly when `decode_point` would raise it.

    libsodium checks the point of every product, so a check of its own would double half of the work. A zero factor skips
    the multiplication, and with it the check, so it gets one.
    """
    factor %= Q
    if not factor:
        decode_point(raw)
        return IDENTITY
    try:
        return Point(crypto_scalarmult_ed25519_noclamp(factor.to_bytes(SIZE, "little"), raw))
    except SodiumRefusal as refusal:  # with a factor between 0 and q the point alone can be the reason
        raise Fault(Code.BAD_POINT, "32 bytes are not a point of the prime-order subgroup") from refusal


def combine(factors: Sequence[int], points: Sequence[Point]) -> Point:
    """Σ sᵢ·Pᵢ; equal points are multiplied once, and G by the cheap way."""
    return total(base(s) if p == G else times(s, p) for p, s in _merged(factors, points).items())


def combine_received(factors: Sequence[int], raws: Sequence[bytes]) -> Point:
    """Σ sᵢ·Pᵢ for points just received, each of them checked; else `Fault` bad-point."""
    return total([times_received(s, raw) for raw, s in _merged(factors, raws).items()])


def _merged(factors: Sequence[int], points: Sequence[bytes]) -> dict[Point, int]:
    merged: dict[Point, int] = {}
    for factor, raw in zip(factors, points, strict=True):
        point = Point(raw)
        merged[point] = merged.get(point, 0) + factor
    return merged


def self_test() -> None:
    """`SpiteError` if the installed libsodium lets points outside of the subgroup pass (CVE-2025-69277)."""
    mixed = crypto_core_ed25519_add(G, _MINUS_ONE)
    try:
        crypto_scalarmult_ed25519_noclamp((2).to_bytes(SIZE, "little"), mixed)
    except SodiumRefusal:
        if not crypto_core_ed25519_is_valid_point(mixed) and crypto_core_ed25519_is_valid_point(G):
            return
    raise SpiteError("The installed libsodium accepts points outside of the group; install PyNaCl 1.6.2 or later.")
