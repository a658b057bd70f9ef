"""What the vectors of the deck share: two seats, their places in the chain, and how a vector is written down."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from scripts.reading.deck import Json, check
from sm_p2p.deck.generators import CARD_IDS
from sm_p2p.deck.group import IDENTITY, G, Point, Q, Scalar, plus
from sm_p2p.deck.masking import joint_key, mask_public
from sm_p2p.deck.seed import GameSeed, derive_key, game_seed, public_key
from sm_p2p.deck.transcript import Context

MATCH: Final = b"m" * 32
P: Final = 2**255 - 19
MIXED: Final = plus(G, Point((P - 1).to_bytes(32, "little")))

NOT_POINTS: Final = {
    "identity": (IDENTITY, "small-order", "the identity"),
    "identity-sign": ((1 | 1 << 255).to_bytes(32, "little"), "non-canonical", "the identity with the sign bit set"),
    "order-2": ((P - 1).to_bytes(32, "little"), "small-order", "(0, -1), of order 2"),
    "order-4": (bytes(32), "small-order", "a point of order 4"),
    "order-8": (
        bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        "small-order",
        "a point of order 8",
    ),
    "mixed": (MIXED, "mixed-order", "G + (0, -1): not of small order, and not in the subgroup"),
    "off-curve": ((2).to_bytes(32, "little"), "off-curve", "y = 2, no point of the curve"),
    "y-p": (P.to_bytes(32, "little"), "non-canonical", "y = p, that is 0"),
    "y-p-plus-1": ((P + 1).to_bytes(32, "little"), "non-canonical", "y = p + 1, that is the identity"),
}
"""Bytes that are no received point: the bytes, the flag, the words."""

NOT_SCALARS: Final = {
    "q": (Q.to_bytes(32, "little"), "the order q itself"),
    "q-plus-1": ((Q + 1).to_bytes(32, "little"), "q + 1, that is 1"),
    "minus-1": (b"\xff" * 32, "all bits set"),
}
"""Bytes that are no scalar, and the words."""

FLAGS: Final[Mapping[str, str]] = {
    "context": "made for another place of the chain, seat, game or match",
    "forged": "made by someone who follows every formula but not the truth",
    "identity-inside": "computed values are the identity or scalars are zero, and all is true",
    "large": "a deck of the size of a real reshuffle",
    "length": "a field has a wrong size",
    "mixed-order": "a point outside of the subgroup that is not of small order",
    "non-canonical": "a point that has another, canonical encoding, or should have",
    "off-curve": "no point of the curve has this encoding",
    "order-of-checks": "more than one thing is wrong: the first group of checks names the fault",
    "replay": "true somewhere else",
    "scalar": "a number not below the order of the group",
    "small-order": "a point of order 1, 2, 4 or 8",
    "tampered": "a true vector with one thing changed",
    "zero-scalar": "the scalar before the bad point is zero",
}


class Seat(NamedTuple):
    """One player of one game."""

    secret: bytes
    seed: GameSeed
    ctx: Context
    x: Scalar
    h: Point


def sit(author: int) -> Seat:
    """A seat of game 1, as its key entry makes it; seat 1 is the example on the first screen of the specification."""
    secret = bytes([2 - author]) * 32
    ctx = (Context(MATCH, 1, 3, b"2" * 32, 0, 3), Context(MATCH, 1, 2, MATCH, 1, 2))[author]
    seed = game_seed(secret, MATCH, 1, author)
    x = derive_key(seed, ctx)
    return Seat(secret, seed, ctx, x, public_key(x))


SEATS: Final = (sit(0), sit(1))
JOINT: Final = joint_key(SEATS[0].h, SEATS[1].h)
PLACE: Final = Context(MATCH, 1, 9, b"p" * 32, 0, 5)
ELSEWHERE: Final = (
    ("match", PLACE._replace(match=b"n" * 32)),
    ("game", PLACE._replace(game=2)),
    ("seq", PLACE._replace(seq=10)),
    ("prev", PLACE._replace(prev=b"q" * 32)),
    ("author", PLACE._replace(author=1)),
    ("kind", PLACE._replace(kind=6)),
)
CARDS: Final = tuple(card for card in CARD_IDS if card >> 2 & 3 < 2)
SMALL: Final = mask_public(CARDS[:3], JOINT)


def written(value: object) -> Json:
    """A value in the form of the files."""
    match value:
        case bytes():
            return value.hex()
        case Context():
            return {name: written(part) for name, part in value._asdict().items()}
        case str() | int():
            return value
        case Sequence():
            return [written(part) for part in value]
        case Mapping():
            return {str(name): written(part) for name, part in value.items()}
        case _:
            raise TypeError(f"{value!r} has no form in the files")


def vector(op: str, comment: str, expect: str = "ok", flags: Sequence[str] = (), **fields: object) -> dict[str, Json]:
    """One vector, without its id."""
    unknown = set(flags) - FLAGS.keys()
    assert not unknown, unknown
    named = {name: written(value) for name, value in fields.items()}
    return {"comment": comment, "flags": list(flags), "op": op, **named, "expect": expect}


def vector_file(name: str, about: str, vectors: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """The whole file, each vector with an id and agreed to by the reference."""
    numbered: list[Json] = []
    used: set[str] = set()
    for at, one in enumerate(vectors, start=1):
        whole = {"id": f"{name}-{at:03}", **one}
        if "result" not in one and "result_sha256" not in one:  # those are what the reference came to
            check(whole)
        numbered.append(whole)
        flags = one["flags"]
        assert isinstance(flags, list)
        used |= {str(flag) for flag in flags}
    described: dict[str, Json] = {flag: FLAGS[flag] for flag in sorted(used)}
    return {"protocol": 1, "about": about, "flags": described, "vectors": numbered}


def replaced(raw: bytes, at: int, piece: bytes) -> bytes:
    """The bytes with other ones at this offset."""
    return raw[:at] + piece + raw[at + len(piece) :]


def flipped(raw: bytes, at: int) -> bytes:
    """The bytes with the lowest bit of one changed."""
    return replaced(raw, at, bytes([raw[at] ^ 1]))
