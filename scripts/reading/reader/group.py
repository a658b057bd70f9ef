"""Points, keys, shares and shuffles checked as `protocol/deck.md` says.

Law: PyNaCl multiplies and adds points; everything else is here.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)

from scripts.reading.reference_curve import G, Q, RefusedError, frame, hashed, pieces, scalars, wide
from scripts.reading.reference_deck import IDS, Place

NEUTRAL: Final = b"\x01" + bytes(31)

Deck: TypeAlias = list[tuple[bytes, bytes]]


def times(factor: int, point: bytes) -> bytes:
    """s·P."""
    factor %= Q
    if factor == 0 or point == NEUTRAL:
        return NEUTRAL
    raw = factor.to_bytes(32, "little")
    return crypto_scalarmult_ed25519_base_noclamp(raw) if point == G else crypto_scalarmult_ed25519_noclamp(raw, point)


def plus(left: bytes, right: bytes) -> bytes:
    """P + Q."""
    return crypto_core_ed25519_add(left, right)


def minus(left: bytes, right: bytes) -> bytes:
    """P − Q."""
    return crypto_core_ed25519_sub(left, right)


def total(factors: Sequence[int], points: Sequence[bytes]) -> bytes:
    """Σ s·P, equal points put together."""
    merged: dict[bytes, int] = {}
    for factor, point in zip(factors, points, strict=True):
        merged[point] = merged.get(point, 0) + factor
    result = NEUTRAL
    for point, factor in merged.items():
        result = plus(result, times(factor, point))
    return result


def is_received(raw: bytes) -> bool:
    """Whether 32 bytes are a point that may be received."""
    return crypto_core_ed25519_is_valid_point(raw)


def points(raws: Sequence[bytes]) -> Sequence[bytes]:
    """Received points; `bad-point`."""
    if not all(map(is_received, raws)):
        raise RefusedError("bad-point")
    return raws


@cache
def constant(label: str) -> bytes:
    """H2G."""
    counter = 0
    while True:
        tried = hashlib.sha512(frame(["SM1/constants", label, counter])).digest()[:32]
        if is_received(tried):
            return tried
        counter += 1


@cache
def constants_hash() -> bytes:
    """What both sign."""
    bases = [constant(f"commit-{i}") for i in range(1, 209)]
    faces = [constant(f"card-{card}") for card in IDS]
    framed = frame(["SM1/constants", G, constant("commit-h"), bases, IDS, faces])
    return hashlib.sha512(framed).digest()[:32]


@cache
def _faces() -> dict[bytes, int]:
    return {constant(f"card-{card}"): card for card in IDS}


def open_secret(raw: bytes, h: bytes) -> int:
    """The opened key; `bad-length`, `bad-scalar`, `wrong-key`."""
    (x,) = scalars(pieces(raw, 1))
    if times(x, G) != h:
        raise RefusedError("wrong-key")
    return x


def joint_key(h0: bytes, h1: bytes) -> bytes:
    """pk; `identity-key`."""
    joint = plus(h0, h1)
    if joint == NEUTRAL:
        raise RefusedError("identity-key")
    return joint


def masked(cards: Sequence[int], joint: bytes) -> Deck:
    """Open cards as they enter a deck."""
    return [(G, plus(constant(f"card-{card}"), joint)) for card in cards]


def identified(face: bytes) -> int:
    """The card of an open face; `unknown-card`."""
    if face not in _faces():
        raise RefusedError("unknown-card")
    return _faces()[face]


def unmask(card: tuple[bytes, bytes], d0: bytes, d1: bytes) -> int:
    """The card that two shares open."""
    return identified(minus(minus(card[1], d0), d1))


def open_deck(deck: Deck, x0: int, x1: int) -> list[int]:
    """The cards of a deck, both secrets open."""
    return [identified(minus(b, times(x0 + x1, a))) for a, b in deck]


def verify_key(ctx: Place, h: bytes, proof: bytes) -> None:
    """`bad-length`, `bad-scalar`, `bad-point`, `bad-key-proof`."""
    pieces(h, 1)
    c, s = scalars(pieces(proof, 2))
    points([h])
    commitment = minus(times(s, G), times(c, h))
    if hashed("SM1/pok", ctx, ctx.author, G, h, commitment) != c:
        raise RefusedError("bad-key-proof")


def verify_shares(ctx: Place, h: bytes, cards: Deck, shares: bytes, proof: bytes) -> list[bytes]:
    """The shares; `bad-length`, `bad-scalar`, `bad-point`, `bad-share-proof`."""
    d = pieces(shares, len(cards))
    numbers = pieces(proof, 2 if cards else 0)
    if not cards:
        return []
    c, s = scalars(numbers)
    points(d)
    a = [card[0] for card in cards]
    statement = ["SM1/dleq", ctx, G, h, a, d]
    z = [hashed(statement, j) for j in range(1, len(a) + 1)]
    first = minus(times(s, G), times(c, h))
    second = minus(times(s, total(z, a)), times(c, total(z, d)))
    if hashed(statement, [first, second]) != c:
        raise RefusedError("bad-share-proof")
    return d


def verify_shuffle(ctx: Place, pk: bytes, before: Deck, raw: bytes, proof: bytes) -> Deck:
    """The deck; `bad-length`, `bad-scalar`, `bad-point`, `bad-shuffle-proof`."""
    n = len(before)
    if n < 1:
        raise RefusedError("bad-length")
    out = pieces(raw, 2 * n)
    parts = pieces(proof, 4 * n + 5)
    star, *numbers = scalars(parts[2 * n :])
    s1, s2, s3, s4 = numbers[:4]
    s_hat, s_prime = numbers[4 : 4 + n], numbers[4 + n :]
    points([*out, *parts[: 2 * n]])
    a_out, b_out, c, chain = out[::2], out[1::2], parts[:n], parts[n : 2 * n]
    a, b = [card[0] for card in before], [card[1] for card in before]
    h, bases = constant("commit-h"), [constant(f"commit-{i}") for i in range(1, n + 1)]
    statement = frame(["SM1/shuffle", ctx, G, h, pk, bases, a, b, a_out, b_out, c])
    u = [_hash_after(statement, [j]) for j in range(1, n + 1)]
    product = 1
    for u_j in u:
        product = product * u_j % Q
    star_u = [star * u_j for u_j in u]
    ones = [1] * n
    t = [
        minus(times(s1, G), times(star, minus(total(ones, c), total(ones, bases)))),
        minus(times(s2, G), times(star, minus(chain[-1], times(product, h)))),
        minus(plus(times(s3, G), total(s_prime, bases)), total(star_u, c)),
        minus(minus(total(s_prime, a_out), times(s4, G)), total(star_u, a)),
        minus(minus(total(s_prime, b_out), times(s4, pk)), total(star_u, b)),
    ]
    last = [h, *chain]
    t_hat = [minus(plus(times(s_hat[i], G), times(s_prime[i], last[i])), times(star, chain[i])) for i in range(n)]
    if _hash_after(statement, [chain, t, t_hat]) != star:
        raise RefusedError("bad-shuffle-proof")
    return list(zip(a_out, b_out, strict=True))


def _hash_after(statement: bytes, items: Sequence[int | Sequence[bytes]]) -> int:
    """H[S, items…] for a statement that is framed already."""
    whole = b"l" + (1 + len(items)).to_bytes(4, "big") + statement + b"".join(map(frame, items))
    return wide(hashlib.sha512(whole).digest())
