"""Vectors of keys, masked cards and shares."""

from collections.abc import Iterable
from typing import TypeAlias

from scripts.making.deck_base import (
    CARDS,
    ELSEWHERE,
    JOINT,
    MATCH,
    NOT_POINTS,
    NOT_SCALARS,
    PLACE,
    SEATS,
    SMALL,
    flipped,
    replaced,
    vector,
    vector_file,
)
from scripts.reading.deck import MAKE, Json
from sm_p2p.deck.group import IDENTITY, SIZE, G, Point, Q, base, combine, encode_scalar, minus, plus, scalar, times
from sm_p2p.deck.masking import encode_deck, mask_public, share_of
from sm_p2p.deck.proofs import prove_key, prove_shares
from sm_p2p.deck.seed import public_key
from sm_p2p.deck.shuffle import shuffle
from sm_p2p.deck.transcript import Context, Transcript, challenge

Vectors: TypeAlias = Iterable[dict[str, Json]]
HOST, GUEST = SEATS
PROOF = prove_key(GUEST.seed, GUEST.ctx, GUEST.x)


def made(op: str, comment: str, **fields: object) -> dict[str, Json]:
    """A positive vector with all that comes out of it."""
    one = vector(op, comment, "ok", (), **fields)
    return {**one, "result": MAKE[op](one)}


def _schnorr(ctx: Context, public: Point, w: int, secret: int) -> bytes:
    c = challenge("SM1/pok", ctx, ctx.author, G, public, base(w))
    return encode_scalar(c) + encode_scalar(scalar(w + c * secret))


def _key_proofs() -> Vectors:
    ctx, h = GUEST.ctx, GUEST.h

    def one(comment: str, expect: str, *flags: str, **fields: object) -> dict[str, Json]:
        return vector("verify-key", comment, expect, flags, **{"ctx": ctx, "h": h, "proof": PROOF, **fields})

    yield made("make-key", "the example of the first screen", secret=GUEST.secret, ctx=ctx)
    yield made("make-key", "the other seat", secret=HOST.secret, ctx=HOST.ctx)
    later = ctx._replace(game=2, seq=300, prev=b"\xfe" * 32, kind=7)
    yield made("make-key", "the same seat in game 2: nothing is alike", secret=GUEST.secret, ctx=later)
    yield made("make-key", "a fork that begins before the key", secret=GUEST.secret, ctx=ctx._replace(prev=b"f" * 32))
    yield one("the proof of the first vector", "ok")
    yield one(
        "a true proof with w = 0, so R is the identity", "ok", "identity-inside", proof=_schnorr(ctx, h, 0, GUEST.x)
    )
    yield one("the key proof of the other seat", "bad-key-proof", "replay", ctx=HOST.ctx)
    for name, other in (
        ("match", ctx._replace(match=b"n" * 32)),
        ("game", ctx._replace(game=2)),
        ("seq", ctx._replace(seq=3)),
        ("prev", ctx._replace(prev=b"q" * 32)),
        ("author", ctx._replace(author=0)),
        ("kind", ctx._replace(kind=3)),
    ):
        yield one(f"checked with another {name}", "bad-key-proof", "context", ctx=other)
    rogue = minus(base(7), h)
    forged = _schnorr(HOST.ctx, rogue, 5, 7)
    yield one("a rogue key 7·G − h_1", "bad-key-proof", "forged", ctx=HOST.ctx, h=rogue, proof=forged)
    yield one("the negative of the key", "bad-key-proof", "tampered", h=minus(IDENTITY, h))
    yield one("the other seat's key", "bad-key-proof", "tampered", h=HOST.h)
    yield one("a bit of c changed", "bad-key-proof", "tampered", proof=flipped(PROOF, 0))
    yield one("a bit of s changed", "bad-key-proof", "tampered", proof=flipped(PROOF, SIZE))
    yield one("c and s exchanged", "bad-key-proof", "tampered", proof=PROOF[SIZE:] + PROOF[:SIZE])
    yield one("a proof of zeros", "bad-key-proof", "tampered", proof=bytes(64))
    for raw, flag, words in NOT_POINTS.values():
        yield one(f"the key is {words}", "bad-point", flag, h=raw)
        yield one(f"the key is {words}, c = 0", "bad-point", flag, "zero-scalar", h=raw, proof=bytes(64))
    for raw, words in NOT_SCALARS.values():
        yield one(f"c is {words}", "bad-scalar", "scalar", proof=replaced(PROOF, 0, raw))
        yield one(f"s is {words}", "bad-scalar", "scalar", proof=replaced(PROOF, SIZE, raw))
    high = encode_scalar(scalar(int.from_bytes(PROOF[SIZE:], "little")))
    top = bytes([*high[:31], high[31] | 0x80])
    yield one("s with the highest bit set", "bad-scalar", "scalar", proof=PROOF[:SIZE] + top)
    for comment, fields in (
        ("a key of 31 bytes", {"h": h[:31]}),
        ("a key of 33 bytes", {"h": h + b"\0"}),
        ("no key", {"h": b""}),
        ("a proof of 63 bytes", {"proof": PROOF[:63]}),
        ("a proof of 65 bytes", {"proof": PROOF + b"\0"}),
        ("no proof", {"proof": b""}),
    ):
        yield one(comment, "bad-length", "length", **fields)
    bad, mixed = NOT_SCALARS["q"][0], NOT_POINTS["mixed"][0]
    yield one("scalar before point", "bad-scalar", "order-of-checks", h=mixed, proof=replaced(PROOF, 0, bad))
    yield one("length before scalar", "bad-length", "order-of-checks", proof=replaced(PROOF, 0, bad) + b"\0")


def _key_rules() -> Vectors:
    identities = [base(101), base(202)]
    known = [HOST.h, GUEST.h, *identities]
    yield vector("new-key", "a key that was not there before", h=public_key(scalar(5)), known=known)
    for comment, h in (("the own key again", HOST.h), ("the other's key", GUEST.h), ("an identity", identities[1])):
        yield vector("new-key", comment, "reused-key", ["replay"], h=h, known=known)
    yield made("joint-key", "the two keys of game 1", h0=HOST.h, h1=GUEST.h)
    yield vector("joint-key", "h_1 = −h_0", "identity-key", ["forged"], h0=HOST.h, h1=minus(IDENTITY, HOST.h))
    x = encode_scalar(HOST.x)
    yield vector("open-key", "the key of the second vector, opened", x=x, h=HOST.h)
    yield vector("open-key", "the other seat's key", "wrong-key", ["replay"], x=x, h=GUEST.h)
    yield vector("open-key", "a bit changed", "wrong-key", ["tampered"], x=flipped(x, 3), h=HOST.h)
    yield vector("open-key", "−x", "wrong-key", ["tampered"], x=encode_scalar(scalar(-HOST.x)), h=HOST.h)
    yield vector("open-key", "zero", "wrong-key", ["tampered"], x=bytes(32), h=HOST.h)
    over = (HOST.x + Q).to_bytes(32, "little")
    yield vector("open-key", "x + q", "bad-scalar", ["scalar"], x=over, h=HOST.h)
    yield vector("open-key", "31 bytes", "bad-length", ["length"], x=x[:31], h=HOST.h)


def _masking() -> Vectors:
    raw = encode_deck(SMALL)
    foreign = encode_deck(mask_public(CARDS[50:51], JOINT))
    keys = {"x0": encode_scalar(HOST.x), "x1": encode_scalar(GUEST.x)}
    yield made("mask-public", "three aces", cards=CARDS[:3], pk=JOINT)
    yield made("mask-public", "the last card of the fourth pack", cards=[223], pk=JOINT)
    yield vector("decode-deck", "three aces", deck=raw, count=3)
    yield vector("decode-deck", "no cards", deck=b"", count=0)
    for comment, deck in (("a byte less", raw[:-1]), ("a byte more", raw + b"\0"), ("a card less", raw[:-64])):
        yield vector("decode-deck", comment, "bad-length", ["length"], deck=deck, count=3)
    for bad, flag, words in NOT_POINTS.values():
        for at, half in ((64, "a_2"), (160, "b_3")):
            deck = replaced(raw, at, bad)
            yield vector("decode-deck", f"{half} is {words}", "bad-point", [flag], deck=deck, count=3)
    hidden = shuffle(HOST.seed, PLACE, JOINT, SMALL)
    first = hidden.deck[0]
    d0, d1 = share_of(HOST.x, first), share_of(GUEST.x, first)
    yield made("unmask", "the first card of a shuffle", masked=hidden.raw[:64], d0=d0, d1=d1)
    yield made("unmask", "an open card", masked=raw[:64], d0=HOST.h, d1=GUEST.h)
    for comment, left, right in (("one share twice", d0, d0), ("shares of another card", HOST.h, GUEST.h)):
        yield vector("unmask", comment, "unknown-card", ["forged"], masked=hidden.raw[:64], d0=left, d1=right)
    yield vector("audit-shuffle", "a true shuffle", "ok", (), before=raw, after=hidden.raw, **keys)
    for comment, after in (
        ("a card twice", hidden.raw[:128] + hidden.raw[:64]),
        ("a foreign card", hidden.raw[:128] + foreign),
        ("a card missing", hidden.raw[:128]),
        ("no card at all", replaced(hidden.raw, 32, G)),
    ):
        yield vector("audit-shuffle", comment, "bad-audit", ["forged"], before=raw, after=after, **keys)
    opened = {"x": keys["x0"], "masked": hidden.raw[:64]}
    yield vector("audit-share", "a true share", "ok", (), share=d0, **opened)
    yield vector("audit-share", "the other player's share", "bad-audit", ["replay"], share=d1, **opened)
    yield vector("audit-share", "a share that is off by G", "bad-audit", ["forged"], share=plus(d0, G), **opened)


def _shares() -> Vectors:
    x = encode_scalar(HOST.x)
    deck = shuffle(HOST.seed, PLACE, JOINT, SMALL)
    shares, proof = prove_shares(HOST.seed, PLACE, HOST.x, deck.deck)
    d = [Point(shares[at : at + SIZE]) for at in range(0, len(shares), SIZE)]

    def one(comment: str, expect: str, *flags: str, **fields: object) -> dict[str, Json]:
        usual = {"ctx": PLACE, "h": HOST.h, "deck": deck.raw, "shares": shares, "proof": proof}
        return vector("verify-shares", comment, expect, flags, **{**usual, **fields})

    for count in (3, 1, 0):
        yield made("make-shares", f"{count} cards", K=HOST.seed, ctx=PLACE, x=x, deck=deck.raw[: 64 * count])
    single = prove_shares(HOST.seed, PLACE, HOST.x, deck.deck[:1])
    yield one("the batch of the first vector", "ok")
    yield one("a batch of one", "ok", deck=deck.raw[:64], shares=single[0], proof=single[1])
    yield one("no cards, no shares, no proof", "ok", deck=b"", shares=b"", proof=b"")
    wrong: tuple[tuple[str, bytes], ...] = (
        ("two shares exchanged", d[1] + d[0] + d[2]),
        ("one share twice", d[0] + d[0] + d[2]),
        ("a share that is off by G", plus(d[0], G) + d[1] + d[2]),
        ("two shares off by amounts that cancel", plus(d[0], G) + minus(d[1], G) + d[2]),
        ("the share of the other player", share_of(GUEST.x, deck.deck[0]) + d[1] + d[2]),
        ("the negative of a share", minus(IDENTITY, d[0]) + d[1] + d[2]),
    )
    for comment, content in wrong:
        yield one(comment, "bad-share-proof", "tampered", shares=content)
    for comment, content in (("wrong by one", wrong[2][1]), ("errors that cancel", wrong[3][1])):
        forged = _chaum_pedersen(deck.raw, content)
        yield one(
            f"{comment}, with a proof over the wrong shares", "bad-share-proof", "forged", shares=content, proof=forged
        )
    for name, other in ELSEWHERE:
        yield one(f"checked with another {name}", "bad-share-proof", "context", ctx=other)
    yield one("checked with the other player's key", "bad-share-proof", "replay", h=GUEST.h)
    yield one("cards in another order", "bad-share-proof", "replay", deck=deck.raw[64:] + deck.raw[:64])
    yield one("another card", "bad-share-proof", "replay", deck=deck.raw[:128] + encode_deck(SMALL)[:64])
    yield one("a bit of c changed", "bad-share-proof", "tampered", proof=flipped(proof, 0))
    yield one("a bit of s changed", "bad-share-proof", "tampered", proof=flipped(proof, SIZE))
    for raw, flag, words in NOT_POINTS.values():
        yield one(f"d_2 is {words}", "bad-point", flag, shares=replaced(shares, SIZE, raw))
        zero = {"shares": replaced(shares, SIZE, raw), "proof": bytes(64)}
        yield one(f"d_2 is {words}, c = 0", "bad-point", flag, "zero-scalar", **zero)
    for raw, words in NOT_SCALARS.values():
        yield one(f"c is {words}", "bad-scalar", "scalar", proof=replaced(proof, 0, raw))
        yield one(f"s is {words}", "bad-scalar", "scalar", proof=replaced(proof, SIZE, raw))
    for comment, fields in (
        ("a share too few", {"shares": shares[:64]}),
        ("a share too many", {"shares": shares + d[0]}),
        ("a byte too few", {"shares": shares[:-1]}),
        ("no shares", {"shares": b""}),
        ("neither shares nor proof", {"shares": b"", "proof": b""}),
        ("no proof", {"proof": b""}),
        ("a proof of 63 bytes", {"proof": proof[:63]}),
        ("a proof of 65 bytes", {"proof": proof + b"\0"}),
        ("no cards, but a proof", {"deck": b"", "shares": b""}),
        ("no cards, but a share", {"deck": b"", "shares": d[0], "proof": b""}),
    ):
        yield one(comment, "bad-length", "length", **fields)
    bad = replaced(proof, SIZE, NOT_SCALARS["q"][0])
    mixed = replaced(shares, 0, NOT_POINTS["mixed"][0])
    yield one("scalar before point", "bad-scalar", "order-of-checks", shares=mixed, proof=bad)
    yield one("length before scalar", "bad-length", "order-of-checks", shares=mixed[:64], proof=bad)


def _chaum_pedersen(deck: bytes, shares: bytes) -> bytes:
    a = [Point(deck[at : at + SIZE]) for at in range(0, len(deck), 2 * SIZE)]
    d = [shares[at : at + SIZE] for at in range(0, len(shares), SIZE)]
    transcript = Transcript("SM1/dleq", PLACE, G, HOST.h, a, d)
    combined = combine(transcript.challenges(len(a)), a)
    c = transcript.challenge([base(9), times(9, combined)])
    return encode_scalar(c) + encode_scalar(scalar(9 + c * HOST.x))


def build() -> dict[str, dict[str, Json]]:
    """The files of keys, masking and shares."""
    about = f"keys of a game in match {MATCH.hex()}: made, checked, compared, opened"
    return {
        "keys.json": vector_file("keys", about, [*_key_proofs(), *_key_rules()]),
        "masking.json": vector_file("masking", "masked cards: made, read, opened, audited", [*_masking()]),
        "shares.json": vector_file("shares", "decryption shares of a batch: made and checked", [*_shares()]),
    }
