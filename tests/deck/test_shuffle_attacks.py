"""Attacks on the shuffle: every change that is not a shuffle is refused, also with the best argument a cheat can write."""

from collections.abc import Callable

import pytest
from deck.points import NOT_POINTS, NOT_SCALARS
from deck.refusals import refused
from deck.seats import GUEST, HOST, JOINT, TWO_PACKS, place, public_deck
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.making.forger import Choices, Forgery, Matrix, choose, permutation_matrix, remasked
from sm_p2p.deck import group
from sm_p2p.deck.audit import open_deck
from sm_p2p.deck.generators import card_point
from sm_p2p.deck.group import SIZE, G, Q, base, minus, plus, scalar
from sm_p2p.deck.masking import Deck, MaskedCard, encode_deck, joint_key, mask_public, open_with_keys
from sm_p2p.deck.shuffle import proof_size, shuffle, verify_shuffle
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import Code, Fault

CTX = place(0)
N = 4
DECK = public_deck(N)
HONEST = shuffle(HOST.seed, CTX, JOINT, DECK)
PLACES = (2, 0, 3, 1)
MASKS = (11, 12, 13, 14)
HALF = pow(2, -1, Q)
"""Row sums are one, as in a permutation, and the matrix of the deck is its inverse transposed: only the chain notices."""
LINEAR: Matrix = [[2, -1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
LINEAR_DECK: Matrix = [[HALF, 0, 0, 0], [HALF, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def forge(out: Deck, matrix: Matrix, deck: Deck = DECK) -> bytes:
    return Forgery(CTX, JOINT, deck, choose(matrix)).prove(out, MASKS)


def check(out: Deck, proof: bytes, deck: Deck = DECK, ctx: Context = CTX) -> Deck:
    return verify_shuffle(ctx, JOINT, deck, encode_deck(out), proof)


def shifted(card: MaskedCard, by: group.Point) -> MaskedCard:
    return card._replace(b=plus(card.b, by))


HONEST_OUT = remasked(DECK, JOINT, permutation_matrix(PLACES), MASKS)
OFFSET = minus(card_point(TWO_PACKS[9]), card_point(TWO_PACKS[0]))


def test_the_forger_is_an_honest_prover_when_he_has_nothing_to_hide() -> None:
    proof = forge(HONEST_OUT, permutation_matrix(PLACES))
    out = check(HONEST_OUT, proof)
    assert open_deck(out, HOST.x, GUEST.x) == tuple(TWO_PACKS[place] for place in PLACES)


@pytest.mark.parametrize("places", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 3, 2)])
def test_every_order_can_be_proved(places: tuple[int, ...]) -> None:
    matrix = permutation_matrix(places)
    check(remasked(DECK, JOINT, matrix, MASKS), forge(remasked(DECK, JOINT, matrix, MASKS), matrix))


CHEATS: dict[str, Deck] = {
    "a card twice": (HONEST_OUT[0], *HONEST_OUT[:1], *HONEST_OUT[2:]),
    "a card twice, under two masks": remasked(DECK, JOINT, permutation_matrix((2, 2, 3, 1)), MASKS),
    "a foreign card": (*HONEST_OUT[:3], *mask_public([TWO_PACKS[50]], JOINT)),
    "one card shifted": (shifted(HONEST_OUT[0], OFFSET), *HONEST_OUT[1:]),
    "two cards shifted against each other": (
        shifted(HONEST_OUT[0], OFFSET),
        shifted(HONEST_OUT[1], minus(base(0), OFFSET)),
        *HONEST_OUT[2:],
    ),
    "one mask shifted": (HONEST_OUT[0]._replace(a=plus(HONEST_OUT[0].a, G)), *HONEST_OUT[1:]),
    "a linear non-permutation": remasked(DECK, JOINT, LINEAR_DECK, MASKS),
    "rows swapped after proving": (HONEST_OUT[1], HONEST_OUT[0], *HONEST_OUT[2:]),
    "halves of a card exchanged": (MaskedCard(HONEST_OUT[0].b, HONEST_OUT[0].a), *HONEST_OUT[1:]),
}


@pytest.mark.parametrize("name", CHEATS)
def test_a_deck_that_is_no_shuffle_is_refused(name: str) -> None:
    out = CHEATS[name]
    for proof in (
        forge(HONEST_OUT, permutation_matrix(PLACES)),
        forge(out, permutation_matrix(PLACES)),
        forge(out, permutation_matrix((2, 2, 3, 1))),
        forge(out, LINEAR),
    ):
        with refused(Code.BAD_SHUFFLE_PROOF):
            check(out, proof)


def test_the_same_cards_under_a_false_matrix_are_refused() -> None:
    with refused(Code.BAD_SHUFFLE_PROOF):
        check(HONEST_OUT, forge(HONEST_OUT, permutation_matrix((0, 1, 2, 3))))


def test_the_input_is_the_verifiers_own() -> None:
    reordered = (DECK[1], DECK[0], *DECK[2:])
    other = (*DECK[:3], public_deck(5)[4])
    for deck in (reordered, other, HONEST.deck):
        with refused(Code.BAD_SHUFFLE_PROOF):
            check(HONEST.deck, HONEST.proof, deck)
        with refused(Code.BAD_SHUFFLE_PROOF):
            check(HONEST_OUT, forge(HONEST_OUT, permutation_matrix(PLACES), deck))


@pytest.mark.parametrize(
    "ctx",
    [
        CTX._replace(match=b"n" * 32),
        CTX._replace(game=2),
        CTX._replace(seq=10),
        CTX._replace(prev=b"q" * 32),
        CTX._replace(author=1),
        CTX._replace(kind=6),
    ],
)
def test_a_shuffle_from_another_place_of_the_chain_is_refused(ctx: Context) -> None:
    with refused(Code.BAD_SHUFFLE_PROOF):
        check(HONEST.deck, HONEST.proof, ctx=ctx)


def test_a_shuffle_under_another_joint_key_is_refused() -> None:
    for joint in (HOST.h, GUEST.h, joint_key(HOST.h, base(3))):
        with refused(Code.BAD_SHUFFLE_PROOF):
            verify_shuffle(CTX, joint, DECK, HONEST.raw, HONEST.proof)
    foreign = shuffle(HOST.seed, CTX, joint_key(HOST.h, base(3)), DECK)
    with refused(Code.BAD_SHUFFLE_PROOF):
        check(foreign.deck, foreign.proof)


BAD_SIZES: dict[str, Callable[[bytes, bytes], tuple[Deck, bytes, bytes]]] = {
    "a card missing": lambda raw, proof: (DECK, raw[:-64], proof),
    "a card added": lambda raw, proof: (DECK, raw + raw[:64], proof),
    "half a card": lambda raw, proof: (DECK, raw[:-32], proof),
    "a byte missing": lambda raw, proof: (DECK, raw[:-1], proof),
    "a shorter argument": lambda raw, proof: (DECK, raw, proof[:-32]),
    "a longer argument": lambda raw, proof: (DECK, raw, proof + bytes(32)),
    "an argument of one byte more": lambda raw, proof: (DECK, raw, proof + b"\0"),
    "no argument": lambda raw, _: (DECK, raw, b""),
    "no deck": lambda _, proof: (DECK, b"", proof),
    "a smaller shuffle": lambda *_: (DECK, *shuffle(HOST.seed, CTX, JOINT, DECK[:3])[1:]),
    "a larger input": lambda raw, proof: (public_deck(5), raw, proof),
    "no cards at all": lambda *_: ((), b"", bytes(proof_size(0))),
    "no cards and nothing": lambda *_: ((), b"", b""),
}


@pytest.mark.parametrize("name", BAD_SIZES)
def test_lengths_come_before_any_mathematics(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    deck, raw, proof = BAD_SIZES[name](HONEST.raw, HONEST.proof)
    for call in ("add", "sub", "is_valid_point"):
        monkeypatch.delattr(group, f"crypto_core_ed25519_{call}")
    monkeypatch.delattr(group, "crypto_scalarmult_ed25519_noclamp")
    monkeypatch.delattr(group, "crypto_scalarmult_ed25519_base_noclamp")
    for content in (raw, b"\xff" * len(raw)):
        with refused(Code.BAD_LENGTH):
            verify_shuffle(CTX, JOINT, deck, content, proof)


FIRST_SCALAR = 2 * N * SIZE
SCALARS = range(FIRST_SCALAR, proof_size(N), SIZE)


@pytest.mark.parametrize("at", SCALARS)
def test_a_scalar_that_is_none_is_refused_wherever_it_stands(at: int) -> None:
    for raw in NOT_SCALARS.values():
        proof = HONEST.proof[:at] + raw + HONEST.proof[at + SIZE :]
        with refused(Code.BAD_SCALAR):
            check(HONEST.deck, proof)


@pytest.mark.parametrize("name", NOT_POINTS)
def test_a_point_outside_of_the_group_is_refused_wherever_it_stands(name: str) -> None:
    bad = NOT_POINTS[name]
    for at in range(0, FIRST_SCALAR, SIZE):
        with refused(Code.BAD_POINT):
            check(HONEST.deck, HONEST.proof[:at] + bad + HONEST.proof[at + SIZE :])
    for at in range(0, len(HONEST.raw), SIZE):
        with refused(Code.BAD_POINT):
            verify_shuffle(CTX, JOINT, DECK, HONEST.raw[:at] + bad + HONEST.raw[at + SIZE :], HONEST.proof)


@pytest.mark.parametrize("name", ["mixed order", "identity", "not on the curve"])
def test_zero_scalars_do_not_skip_the_check_of_a_point(name: str) -> None:
    zeros = HONEST.proof[:FIRST_SCALAR] + bytes(proof_size(N) - FIRST_SCALAR)
    with refused(Code.BAD_SHUFFLE_PROOF):
        check(HONEST.deck, zeros)
    for at in range(0, FIRST_SCALAR, SIZE):
        with refused(Code.BAD_POINT):
            check(HONEST.deck, zeros[:at] + NOT_POINTS[name] + zeros[at + SIZE :])
    for at in range(0, len(HONEST.raw), SIZE):
        raw = HONEST.raw[:at] + NOT_POINTS[name] + HONEST.raw[at + SIZE :]
        with refused(Code.BAD_POINT):
            verify_shuffle(CTX, JOINT, DECK, raw, zeros)


def test_scalars_are_looked_at_before_points() -> None:
    proof = NOT_POINTS["identity"] + HONEST.proof[SIZE:-SIZE] + NOT_SCALARS["q"]
    with refused(Code.BAD_SCALAR):
        check(HONEST.deck, proof)


SIZE_OF_ALL = len(HONEST.raw) + len(HONEST.proof)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 8 * SIZE_OF_ALL - 1))
def test_no_bit_can_be_changed(bit: int) -> None:
    both = bytearray(HONEST.raw + HONEST.proof)
    both[bit // 8] ^= 1 << bit % 8
    raw, proof = bytes(both[: len(HONEST.raw)]), bytes(both[len(HONEST.raw) :])
    with pytest.raises(Fault) as caught:
        verify_shuffle(CTX, JOINT, DECK, raw, proof)
    assert caught.value.code in {Code.BAD_SCALAR, Code.BAD_POINT, Code.BAD_SHUFFLE_PROOF}


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.binary(max_size=64), st.integers(0, SIZE_OF_ALL - 1))
def test_random_bytes_give_a_fault_and_nothing_else(noise: bytes, at: int) -> None:
    both = HONEST.raw + HONEST.proof
    both = (both[:at] + noise + both[at + len(noise) :])[:SIZE_OF_ALL]
    raw, proof = both[: len(HONEST.raw)], both[len(HONEST.raw) :]
    if (raw, proof) != (HONEST.raw, HONEST.proof):
        with pytest.raises(Fault):
            verify_shuffle(CTX, JOINT, DECK, raw, proof)


def sums_to_zero(choices: Choices) -> Choices:
    """Σρ = 0 and w_1 = 0, so that t_1 and all it is made of are the identity."""
    rho = [*choices.rho[:-1], scalar(-sum(choices.rho[:-1]))]
    return choices._replace(rho=rho, w=[0, *choices.w[1:]])


def zero_nonces(choices: Choices) -> Choices:
    """All nonces are zero: every commitment of the argument is the identity."""
    n = len(choices.matrix)
    return choices._replace(w_hat=[0] * n, w_prime=[0] * n, w=[0] * 4)


@pytest.mark.parametrize("change", [sums_to_zero, zero_nonces])
def test_a_true_proof_with_the_identity_inside_is_accepted(change: Callable[[Choices], Choices]) -> None:
    choices = change(choose(permutation_matrix(PLACES)))
    assert check(HONEST_OUT, Forgery(CTX, JOINT, DECK, choices).prove(HONEST_OUT, MASKS)) == HONEST_OUT


def test_a_stack_is_shuffled_back_into_a_hidden_stock() -> None:
    stock = HONEST.deck[1:]
    enlarged = (*stock, *mask_public(TWO_PACKS[20:23], JOINT))
    again = shuffle(GUEST.seed, place(1), JOINT, enlarged)
    out = verify_shuffle(place(1), JOINT, enlarged, again.raw, again.proof)
    missing = open_with_keys(HONEST.deck[0], HOST.x, GUEST.x)
    expected = sorted({*TWO_PACKS[:N], *TWO_PACKS[20:23]} - {missing})
    assert sorted(open_deck(out, HOST.x, GUEST.x)) == expected
    stack_swapped = (*stock, *mask_public((TWO_PACKS[21], TWO_PACKS[20], TWO_PACKS[22]), JOINT))
    with refused(Code.BAD_SHUFFLE_PROOF):
        verify_shuffle(place(1), JOINT, stack_swapped, again.raw, again.proof)


def test_a_whole_deck_of_two_packs_is_dealt() -> None:
    start = public_deck(104)
    first = shuffle(HOST.seed, place(0), JOINT, start)
    assert (len(first.raw), len(first.proof)) == (6656, 13472)
    deck = verify_shuffle(place(0), JOINT, start, first.raw, first.proof)
    second = shuffle(GUEST.seed, place(1), JOINT, deck)
    deck = verify_shuffle(place(1), JOINT, deck, second.raw, second.proof)
    faces = open_deck(deck, HOST.x, GUEST.x)
    assert sorted(faces) == list(TWO_PACKS)
    assert faces != TWO_PACKS
