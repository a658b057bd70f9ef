"""Vectors of the shuffle and its argument."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from scripts.making.deck_base import (
    CARDS,
    ELSEWHERE,
    JOINT,
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
from scripts.making.forger import Forgery, choose, permutation_matrix, remasked
from scripts.reading.deck import MAKE, Json, hashes
from sm_p2p.deck.generators import card_point
from sm_p2p.deck.group import IDENTITY, SIZE, G, Q, base, minus, plus, scalar
from sm_p2p.deck.masking import Deck, MaskedCard, encode_deck, joint_key, mask_public
from sm_p2p.deck.shuffle import proof_size, shuffle

Vectors: TypeAlias = Iterable[dict[str, Json]]
HOST, GUEST = SEATS
N: Final = len(SMALL)
PLACES: Final = (2, 0, 1)
MASKS: Final = (11, 12, 13)
HALF: Final = pow(2, -1, Q)
HONEST: Final = permutation_matrix(PLACES)
LINEAR: Final = ((2, -1, 0), (0, 1, 0), (0, 0, 1))
LINEAR_DECK: Final = ((HALF, 0, 0), (HALF, 1, 0), (0, 0, 1))


def _made() -> Vectors:
    for comment, seat, deck in (
        ("three open cards, the dealer's shuffle", HOST, SMALL),
        ("the same by the other player", GUEST, SMALL),
        ("a single card", HOST, SMALL[:1]),
    ):
        one = vector("make-shuffle", comment, K=seat.seed, ctx=PLACE, pk=JOINT, deck=encode_deck(deck))
        yield {**one, "result": MAKE["make-shuffle"](one)}
    hidden = shuffle(HOST.seed, PLACE, JOINT, SMALL).raw
    stack = encode_deck(mask_public(CARDS[20:22], JOINT))
    one = vector(
        "make-shuffle", "three hidden cards and two open ones", K=GUEST.seed, ctx=PLACE, pk=JOINT, deck=hidden + stack
    )
    yield {**one, "result": MAKE["make-shuffle"](one)}
    stock = shuffle(HOST.seed, PLACE, JOINT, mask_public(CARDS[:54], JOINT)).raw
    stack = encode_deck(mask_public(CARDS[60:72], JOINT))
    large = {"K": GUEST.seed, "ctx": PLACE, "pk": JOINT, "deck": stock + stack}
    one = vector("make-shuffle", "54 hidden cards and a stack of 12, every value by its hash", "ok", ["large"], **large)
    yield {**one, "result_sha256": hashes(MAKE["make-shuffle"](one))}


def _shifted(card: MaskedCard, by: int) -> MaskedCard:
    offset = minus(card_point(CARDS[9]), card_point(CARDS[0]))
    return card._replace(b=plus(card.b, offset) if by > 0 else minus(card.b, offset))


def _cheats(honest: Deck) -> Iterable[tuple[str, Deck]]:
    first, second, third = honest
    yield "a card twice", (first, first, third)
    yield "a card twice, under two masks", remasked(SMALL, JOINT, permutation_matrix((2, 2, 1)), MASKS)
    yield "a foreign card", (first, second, *mask_public(CARDS[50:51], JOINT))
    yield "one card shifted", (_shifted(first, 1), second, third)
    yield "two cards shifted against each other", (_shifted(first, 1), _shifted(second, -1), third)
    yield "the mask of one half changed", (first._replace(a=plus(first.a, G)), second, third)
    yield "rows exchanged", (second, first, third)
    yield "the halves of a card exchanged", (MaskedCard(first.b, first.a), second, third)


def _forged() -> Vectors:
    honest = remasked(SMALL, JOINT, HONEST, MASKS)
    deck = encode_deck(SMALL)
    true = Forgery(PLACE, JOINT, SMALL, choose(HONEST)).prove(honest, MASKS)
    usual: dict[str, object] = {"ctx": PLACE, "pk": JOINT, "deck": deck}

    def one(comment: str, expect: str, flag: str, out: Deck, argument: bytes) -> dict[str, Json]:
        return vector("verify-shuffle", comment, expect, [flag], **usual, out=encode_deck(out), argument=argument)

    choices = choose(HONEST)
    zero_sum = choices._replace(rho=[*choices.rho[:-1], scalar(-sum(choices.rho[:-1]))], w=[0, *choices.w[1:]])
    argument = Forgery(PLACE, JOINT, SMALL, zero_sum).prove(honest, MASKS)
    yield one("Σ ρ = 0 and w_1 = 0: t_1 and s_1 vanish", "ok", "identity-inside", honest, argument)
    still = choices._replace(w_hat=[0] * N, w_prime=[0] * N, w=[0] * 4)
    argument = Forgery(PLACE, JOINT, SMALL, still).prove(honest, MASKS)
    yield one("all nonces are zero: every t vanishes", "ok", "identity-inside", honest, argument)
    for comment, out in _cheats(honest):
        yield one(f"{comment}, after proving", "bad-shuffle-proof", "tampered", out, true)
        argument = Forgery(PLACE, JOINT, SMALL, choices).prove(out, MASKS)
        yield one(f"{comment}, and proved as well as one can", "bad-shuffle-proof", "forged", out, argument)
    linear = remasked(SMALL, JOINT, LINEAR_DECK, MASKS)
    argument = Forgery(PLACE, JOINT, SMALL, choose(LINEAR)).prove(linear, MASKS)
    yield one("a linear map with row sums of one: only t_2 is wrong", "bad-shuffle-proof", "forged", linear, argument)
    argument = Forgery(PLACE, JOINT, SMALL, choose(permutation_matrix((0, 1, 2)))).prove(honest, MASKS)
    yield one("a shuffle proved for another order", "bad-shuffle-proof", "forged", honest, argument)


def _refused() -> Vectors:
    true = shuffle(HOST.seed, PLACE, JOINT, SMALL)
    usual: dict[str, object] = {"ctx": PLACE, "pk": JOINT, "deck": encode_deck(SMALL)}
    usual |= {"out": true.raw, "argument": true.proof}

    def one(comment: str, expect: str, *flags: str, **fields: object) -> dict[str, Json]:
        return vector("verify-shuffle", comment, expect, flags, **{**usual, **fields})

    yield one("the shuffle of the first vector", "ok")
    for name, other in ELSEWHERE:
        yield one(f"checked with another {name}", "bad-shuffle-proof", "context", ctx=other)
    yield one("checked with another joint key", "bad-shuffle-proof", "replay", pk=joint_key(HOST.h, base(3)))
    deck = encode_deck(SMALL)
    yield one("the input in another order", "bad-shuffle-proof", "replay", deck=deck[64:] + deck[:64])
    other_card = encode_deck(mask_public(CARDS[5:6], JOINT))
    yield one("another card in the input", "bad-shuffle-proof", "replay", deck=deck[:128] + other_card)
    yield one("the output as its own input", "bad-shuffle-proof", "replay", deck=true.raw)
    names = [f"c_{j}" for j in (1, 2, 3)] + [f"ĉ_{i}" for i in (1, 2, 3)] + ["c*", "s_1", "s_2", "s_3", "s_4"]
    names += [f"ŝ_{i}" for i in (1, 2, 3)] + [f"s′_{i}" for i in (1, 2, 3)]
    for at, name in enumerate(names[2 * N :], start=2 * N):
        changed = flipped(true.proof, SIZE * at)
        yield one(f"a bit of {name} changed", "bad-shuffle-proof", "tampered", argument=changed)
        raw, words = NOT_SCALARS["q"]
        over = replaced(true.proof, SIZE * at, raw)
        yield one(f"{name} is {words}", "bad-scalar", "scalar", argument=over)
    for name, at in (("c_2", SIZE), ("ĉ_1", 3 * SIZE)):
        negative = minus(IDENTITY, G)
        changed = replaced(true.proof, at, negative)
        yield one(f"{name} is −G", "bad-shuffle-proof", "tampered", argument=changed)
    for raw, words in NOT_SCALARS.values():
        yield one(f"s′_3 is {words}", "bad-scalar", "scalar", argument=replaced(true.proof, proof_size(N) - SIZE, raw))
    zeros = true.proof[: 2 * N * SIZE] + bytes(proof_size(N) - 2 * N * SIZE)
    yield one("all scalars are zero", "bad-shuffle-proof", "zero-scalar", argument=zeros)
    for raw, flag, words in NOT_POINTS.values():
        for at, name in ((0, "c_1"), (5, "ĉ_3")):
            bad = {"argument": replaced(true.proof, SIZE * at, raw)}
            yield one(f"{name} is {words}", "bad-point", flag, **bad)
        for at, name in ((2, "a′_2"), (5, "b′_3")):
            yield one(f"{name} is {words}", "bad-point", flag, out=replaced(true.raw, SIZE * at, raw))
    raw, flag, words = NOT_POINTS["mixed"]
    for at, name in ((0, "c_1"), (3, "ĉ_1"), (5, "ĉ_3")):
        bad = {"argument": replaced(zeros, SIZE * at, raw)}
        yield one(f"{name} is {words}, all scalars are zero", "bad-point", flag, "zero-scalar", **bad)
    for at, name in ((0, "a′_1"), (1, "b′_1")):
        bad = {"out": replaced(true.raw, SIZE * at, raw), "argument": zeros}
        yield one(f"{name} is {words}, all scalars are zero", "bad-point", flag, "zero-scalar", **bad)
    smaller = shuffle(HOST.seed, PLACE, JOINT, SMALL[:2])
    for comment, fields in (
        ("a card missing", {"out": true.raw[:-64]}),
        ("a card added", {"out": true.raw + true.raw[:64]}),
        ("half a card missing", {"out": true.raw[:-32]}),
        ("a byte missing", {"out": true.raw[:-1]}),
        ("no deck", {"out": b""}),
        ("no argument", {"argument": b""}),
        ("an argument that is too short", {"argument": true.proof[:-32]}),
        ("an argument that is too long", {"argument": true.proof + bytes(32)}),
        ("a true shuffle of fewer cards", {"out": smaller.raw, "argument": smaller.proof}),
        ("no cards at all", {"deck": b"", "out": b"", "argument": bytes(proof_size(0))}),
    ):
        yield one(comment, "bad-length", "length", **fields)
    q = NOT_SCALARS["q"][0]
    both = replaced(replaced(true.proof, 0, raw), proof_size(N) - SIZE, q)
    yield one("scalar before point", "bad-scalar", "order-of-checks", argument=both)
    yield one("length before scalar", "bad-length", "order-of-checks", out=true.raw[:-1], argument=both)


def build() -> dict[str, dict[str, Json]]:
    """The file of the shuffle."""
    about = "a seeded re-encryption shuffle and its argument: made and checked"
    return {"shuffle.json": vector_file("shuffle", about, [*_made(), *_forged(), *_refused()])}
