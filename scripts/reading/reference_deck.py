"""Keys, shares, shuffles and their proofs a second time, from `protocol/deck.md` alone, with every value in between.

Law: nothing of the package is imported here, and no step is saved: each line is a line of the specification.
"""

import hashlib
from collections import Counter
from functools import cache
from math import prod
from typing import NamedTuple, TypeAlias

from scripts.reading.reference_curve import (
    BASE,
    IDENTITY,
    SIZE,
    G,
    Q,
    RefusedError,
    Xof,
    add,
    encode,
    frame,
    hashed,
    is_received,
    mul,
    pieces,
    points,
    scalar_bytes,
    scalars,
    sub,
    total,
    trusted,
    weighted,
)

Values: TypeAlias = dict[str, "bytes | list[bytes] | list[int]"]
IDS = [rank * 16 + pack * 4 + suit for rank in range(1, 14) for pack in range(4) for suit in range(4)]


class Place(NamedTuple):
    """ctx."""

    match: bytes
    game: int
    seq: int
    prev: bytes
    author: int
    kind: int


def hash_to_group(label: str) -> tuple[int, bytes]:
    """The counter and the point of a label."""
    counter = 0
    while not is_received(found := hashlib.sha512(frame(["SM1/constants", label, counter])).digest()[:SIZE]):
        counter += 1
    return counter, found


@cache
def constant(label: str) -> bytes:
    """The point of a label."""
    return hash_to_group(label)[1]


def bases(count: int) -> list[bytes]:
    """H_1 … H_count."""
    return [constant(f"commit-{i}") for i in range(1, count + 1)]


def constants_hash() -> bytes:
    """What both players sign."""
    cards = [constant(f"card-{card}") for card in IDS]
    framed = frame(["SM1/constants", G, constant("commit-h"), bases(208), IDS, cards])
    return hashlib.sha512(framed).digest()[:SIZE]


def make_key(secret: bytes, game: int, ctx: Place) -> Values:
    """From the local secret to the proof of the key."""
    k = Xof("SM1/seed", secret, ctx.match, game, ctx.author).take(SIZE)
    (x,) = Xof("SM1/key", k, ctx).wides(1)
    h = encode(mul(x, BASE))
    (w,) = Xof("SM1/nonce", k, "SM1/pok", [ctx, ctx.author, G, h]).wides(1)
    commitment = encode(mul(w, BASE))
    c = hashed("SM1/pok", ctx, ctx.author, G, h, commitment)
    s = scalar_bytes(w + c * x)
    named: Values = {"K": k, "x": scalar_bytes(x), "h": h, "w": scalar_bytes(w), "R": commitment}
    return {**named, "c": scalar_bytes(c), "s": s, "proof": scalar_bytes(c) + s}


def verify_key(ctx: Place, h: bytes, proof: bytes) -> None:
    """Refuses a key whose proof fails."""
    pieces(h, 1)
    c, s = scalars(pieces(proof, 2))
    (point,) = points([h])
    commitment = encode(sub(mul(s, BASE), mul(c, point)))
    if hashed("SM1/pok", ctx, ctx.author, G, h, commitment) != c:
        raise RefusedError("bad-key-proof")


def halves(deck: bytes) -> tuple[list[bytes], list[bytes]]:
    """a_1 … a_n and b_1 … b_n."""
    parts = pieces(deck, len(deck) // SIZE)
    return parts[::2], parts[1::2]


def mask_public(cards: list[int], pk: bytes) -> bytes:
    """Open cards as the masked cards of a deck."""
    (joint,) = trusted([pk])
    faces = trusted([constant(f"card-{card}") for card in cards])
    return b"".join([G + encode(add(face, joint)) for face in faces])


def opened(deck: bytes, x0: bytes, x1: bytes) -> list[int]:
    """The ids of a deck under both keys; `unknown-card` if one is no card."""
    a, b = map(trusted, halves(deck))
    x = sum(scalars([x0, x1]))
    return [identified(encode(sub(b_i, mul(x, a_i)))) for a_i, b_i in zip(a, b, strict=True)]


def unmask(masked: bytes, d0: bytes, d1: bytes) -> int:
    """The id of a card, from two shares."""
    _, b, left, right = trusted([masked[:SIZE], masked[SIZE:], d0, d1])
    return identified(encode(sub(sub(b, left), right)))


def identified(face: bytes) -> int:
    """The id that belongs to an open face."""
    for card in IDS:
        if constant(f"card-{card}") == face:
            return card
    raise RefusedError("unknown-card")


def audit_shuffle(before: bytes, after: bytes, x0: bytes, x1: bytes) -> None:
    """Refuses a deck that does not hold the cards of its input."""
    try:
        same = Counter(opened(before, x0, x1)) == Counter(opened(after, x0, x1))
    except RefusedError as refusal:
        raise RefusedError("bad-audit") from refusal
    if not same:
        raise RefusedError("bad-audit")


def make_shares(k: bytes, ctx: Place, x: bytes, deck: bytes) -> Values:
    """Shares of masked cards, and their proof."""
    raw_a, _ = halves(deck)
    a = trusted(raw_a)
    if not a:
        return {"shares": b"", "proof": b""}
    (secret,) = scalars([x])
    h = encode(mul(secret, BASE))
    d = [encode(mul(secret, a_j)) for a_j in a]
    (w,) = Xof("SM1/nonce", k, "SM1/dleq", [ctx, G, h, raw_a, d]).wides(1)
    statement = ["SM1/dleq", ctx, G, h, raw_a, d]
    z = [hashed(statement, j) for j in range(1, len(a) + 1)]
    combined = weighted(z, a)
    commitment = [encode(mul(w, BASE)), encode(mul(w, combined))]
    c = hashed(statement, commitment)
    s = scalar_bytes(w + c * secret)
    named: Values = {"h": h, "d": d, "w": scalar_bytes(w), "z": listed(z), "A": encode(combined), "R": commitment}
    return {**named, "c": scalar_bytes(c), "s": s, "shares": b"".join(d), "proof": scalar_bytes(c) + s}


def verify_shares(ctx: Place, h: bytes, deck: bytes, shares: bytes, proof: bytes) -> None:
    """Refuses shares whose proof fails."""
    raw_a, _ = halves(deck)
    raw_d = pieces(shares, len(raw_a))
    numbers = pieces(proof, 2 if raw_a else 0)
    if not raw_a:
        return
    c, s = scalars(numbers)
    d = points(raw_d)
    statement = ["SM1/dleq", ctx, G, h, raw_a, raw_d]
    z = [hashed(statement, j) for j in range(1, len(d) + 1)]
    combined, shared = weighted(z, trusted(raw_a)), weighted(z, d)
    (key,) = trusted([h])
    commitment = [sub(mul(s, BASE), mul(c, key)), sub(mul(s, combined), mul(c, shared))]
    if hashed(statement, list(map(encode, commitment))) != c:
        raise RefusedError("bad-share-proof")


def listed(numbers: list[int]) -> list[bytes]:
    """Scalars as they would go over the wire."""
    return [scalar_bytes(number) for number in numbers]


def make_shuffle(k: bytes, ctx: Place, pk: bytes, deck: bytes) -> Values:
    """The shuffled deck and its argument."""
    raw_a, raw_b = halves(deck)
    n = len(raw_a)
    stream = Xof("SM1/shuffle-rng", k, ctx, raw_a, raw_b)
    p = stream.permutation(n)
    r = stream.wides(n)
    a, b = trusted(raw_a), trusted(raw_b)
    (joint,) = trusted([pk])
    out_a = [add(a[j], mul(r[j], BASE)) for j in p]
    out_b = [add(b[j], mul(r[j], joint)) for j in p]
    raw_out = [list(map(encode, out_a)), list(map(encode, out_b))]
    raw_h, raw_bases = constant("commit-h"), bases(n)
    h, (*big_h,) = trusted([raw_h])[0], trusted(raw_bases)

    nonces = Xof("SM1/nonce", k, "SM1/shuffle", [ctx, G, raw_h, pk, raw_bases, raw_a, raw_b, *raw_out])
    rho, r_hat, w_hat, w_prime = nonces.wides(n), nonces.wides(n), nonces.wides(n), nonces.wides(n)
    w = nonces.wides(4)
    commitments = dict(zip(p, [add(mul(rho[j], BASE), big_h[i]) for i, j in enumerate(p)], strict=True))
    c = [encode(commitments[j]) for j in range(n)]
    statement = ["SM1/shuffle", ctx, G, raw_h, pk, raw_bases, raw_a, raw_b, *raw_out, c]
    u = [hashed(statement, j) for j in range(1, n + 1)]
    u_prime = [u[j] for j in p]
    chain = [h]
    for i in range(n):
        chain.append(add(mul(r_hat[i], BASE), mul(u_prime[i], chain[i])))
    t = [
        mul(w[0], BASE),
        mul(w[1], BASE),
        add(mul(w[2], BASE), weighted(w_prime, big_h)),
        sub(weighted(w_prime, out_a), mul(w[3], BASE)),
        sub(weighted(w_prime, out_b), mul(w[3], joint)),
    ]
    t_hat = [add(mul(w_hat[i], BASE), mul(w_prime[i], chain[i])) for i in range(n)]
    commitment = [list(map(encode, part)) for part in (chain[1:], t, t_hat)]
    star = hashed(statement, *commitment)
    v = [prod(u_prime[i + 1 :]) % Q for i in range(n)]
    r_bar = sum(rho)
    r_sum = sum(r_hat[i] * v[i] for i in range(n))
    r_tilde = sum(rho[j] * u[j] for j in range(n))
    r_prime = sum(r[j] * u[j] for j in range(n))
    s = listed([w_k + star * x for w_k, x in zip(w, [r_bar, r_sum, r_tilde, r_prime], strict=True)])
    s_hat = listed([w_hat[i] + star * r_hat[i] for i in range(n)])
    s_prime = listed([w_prime[i] + star * u_prime[i] for i in range(n)])
    secret: Values = {"permutation": p, "r": listed(r), "rho": listed(rho), "r_hat": listed(r_hat)}
    secret |= {"w_hat": listed(w_hat), "w_prime": listed(w_prime), "w": listed(w)}
    between: Values = {"c": c, "u": listed(u), "chain": commitment[0], "t": commitment[1], "t_hat": commitment[2]}
    between |= {"c_star": scalar_bytes(star), "v": listed(v), "s": s, "s_hat": s_hat, "s_prime": s_prime}
    between |= {"secrets": listed([r_bar, r_sum, r_tilde, r_prime])}
    out = b"".join([half for card in zip(*raw_out, strict=True) for half in card])
    argument = b"".join([*c, *commitment[0], scalar_bytes(star), *s, *s_hat, *s_prime])
    return {**secret, "out": out, **between, "argument": argument}


def verify_shuffle(ctx: Place, pk: bytes, deck: bytes, out: bytes, argument: bytes) -> None:
    """Refuses a deck that is not shown to be a shuffle of its input."""
    raw_a, raw_b = halves(deck)
    n = len(raw_a)
    if not n or len(out) != 2 * SIZE * n:
        raise RefusedError("bad-length")
    parts = pieces(argument, 4 * n + 5)
    numbers = scalars(parts[2 * n :])
    star, s, s_hat, s_prime = numbers[0], numbers[1:5], numbers[5 : 5 + n], numbers[5 + n :]
    raw_out = halves(out)
    out_a, out_b = points(raw_out[0]), points(raw_out[1])
    c, chain = points(parts[:n]), points(parts[n : 2 * n])
    (h, joint), big_h = trusted([constant("commit-h"), pk]), trusted(bases(n))
    a, b = trusted(raw_a), trusted(raw_b)
    statement = ["SM1/shuffle", ctx, G, encode(h), pk, bases(n), raw_a, raw_b, *raw_out, parts[:n]]
    u = [hashed(statement, j) for j in range(1, n + 1)]
    before = [h, *chain]
    t = [
        sub(mul(s[0], BASE), mul(star, sub(total(c), total(big_h)))),
        sub(mul(s[1], BASE), mul(star, sub(chain[-1], mul(prod(u), h)))),
        sub(add(mul(s[2], BASE), weighted(s_prime, big_h)), mul(star, weighted(u, c))),
        sub(sub(weighted(s_prime, out_a), mul(s[3], BASE)), mul(star, weighted(u, a))),
        sub(sub(weighted(s_prime, out_b), mul(s[3], joint)), mul(star, weighted(u, b))),
    ]
    t_hat = [sub(add(mul(s_hat[i], BASE), mul(s_prime[i], before[i])), mul(star, chain[i])) for i in range(n)]
    if hashed(statement, parts[n : 2 * n], list(map(encode, t)), list(map(encode, t_hat))) != star:
        raise RefusedError("bad-shuffle-proof")


def audit_share(x: bytes, masked: bytes, share: bytes) -> None:
    """Refuses a share that is not x·a."""
    (a,), (secret,) = trusted([masked[:SIZE]]), scalars([x])
    if encode(mul(secret, a)) != share:
        raise RefusedError("bad-audit")


def open_key(x: bytes, h: bytes) -> None:
    """Refuses an opened key that is not the key of h."""
    (secret,) = scalars(pieces(x, 1))
    if encode(mul(secret, BASE)) != h:
        raise RefusedError("wrong-key")


def new_key(h: bytes, known: list[bytes]) -> None:
    """Refuses a key of this match, or an identity in it, as a new key."""
    if h in known:
        raise RefusedError("reused-key")


def joint_key(h0: bytes, h1: bytes) -> bytes:
    """The joint key of two keys."""
    joint = encode(total(trusted([h0, h1])))
    if joint == encode(IDENTITY):
        raise RefusedError("identity-key")
    return joint
