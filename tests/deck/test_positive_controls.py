"""Weakened copies of the scheme, which must really break: so the tests of the real one are known to be able to fail.

Each control takes one protection away and plays the attack that it prevents to the end; beside it, the same attack
fails against the scheme as it is.
"""

import hashlib
from collections.abc import Sequence
from itertools import permutations

import pytest
from deck.refusals import refused
from deck.seats import GUEST, HOST, JOINT, MATCH, TWO_PACKS, place, public_deck

from scripts.making.forger import Forgery, Matrix, choose, permutation_matrix, remasked
from sm_p2p.deck import proofs
from sm_p2p.deck import shuffle as shuffle_module
from sm_p2p.deck.audit import open_deck
from sm_p2p.deck.generators import card_point
from sm_p2p.deck.group import (
    G,
    Point,
    Q,
    Scalar,
    base,
    decode_scalars,
    encode_scalar,
    minus,
    plus,
    scalar,
    times,
    total,
)
from sm_p2p.deck.masking import Deck, MaskedCard, encode_deck, joint_key, mask_public, open_with_keys, share_of
from sm_p2p.deck.proofs import prove_shares, verify_shares
from sm_p2p.deck.seed import GameSeed, derive_key
from sm_p2p.deck.shuffle import shuffle, verify_shuffle
from sm_p2p.deck.transcript import Context, Transcript
from sm_p2p.errors import Code
from sm_p2p.stream import Item, Stream

CTX = place(0)
N = 3
DECK = public_deck(N)
IDENTITY_MATRIX = permutation_matrix((0, 1, 2))
MASKS = (21, 22, 23)
HALF = pow(2, -1, Q)


def trapdoors(monkeypatch: pytest.MonkeyPatch, *, h_only: bool) -> tuple[list[Point], dict[Point, int]]:
    """Generators whose logarithms the prover has chosen, put into the verifier."""
    honest = choose(IDENTITY_MATRIX).generators
    logs = {base(1000 + i): 1000 + i for i in range(1 if h_only else N + 1)}
    points = [*logs, *honest[1:]] if h_only else list(logs)
    monkeypatch.setattr(shuffle_module, "commitment_base", lambda: points[0])
    monkeypatch.setattr(shuffle_module, "commitment_bases", lambda _: tuple(points[1:]))
    monkeypatch.setattr(shuffle_module, "commitment_sum", lambda _: total(points[1:]))
    return points, logs


def test_with_a_trapdoor_in_h_a_linear_map_passes_as_a_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix: Matrix = [[2, -1, 0], [0, 1, 0], [0, 0, 1]]
    out = remasked(DECK, JOINT, [[HALF, 0, 0], [HALF, 1, 0], [0, 0, 1]], MASKS)
    choices = choose(matrix)
    with refused(Code.BAD_SHUFFLE_PROOF):
        verify_shuffle(CTX, JOINT, DECK, encode_deck(out), Forgery(CTX, JOINT, DECK, choices).prove(out, MASKS))
    points, logs = trapdoors(monkeypatch, h_only=True)
    choices = choices._replace(generators=points, logs=logs)
    proof = Forgery(CTX, JOINT, DECK, choices).prove(out, MASKS)
    assert verify_shuffle(CTX, JOINT, DECK, encode_deck(out), proof) == out
    with refused(Code.UNKNOWN_CARD):
        open_deck(out, HOST.x, GUEST.x)


def test_with_trapdoors_everywhere_a_card_is_dealt_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards are i·G as well, as the design forbids: the prover deals the card 3 twice and the card 1 never."""
    logs_of_cards = (1, 2, 3)
    deck = tuple(MaskedCard(G, plus(base(card), JOINT)) for card in logs_of_cards)
    dealt = (3, 2, 3)
    out = tuple(
        MaskedCard(base(1 + t), plus(base(card), times(1 + t, JOINT))) for card, t in zip(dealt, MASKS, strict=True)
    )
    points, logs = trapdoors(monkeypatch, h_only=False)
    forgery = Forgery(CTX, JOINT, deck, choose(IDENTITY_MATRIX)._replace(generators=points, logs=logs))
    u, _ = forgery.exponents(out)
    owed = sum(u_j * card for u_j, card in zip(u, logs_of_cards, strict=True))
    u_prime = [(owed - 2 * u[1] - 3 * u[2]) * pow(3, -1, Q) % Q, u[1], u[2]]
    # Σ u′_i·out_i = Σ u_j·in_j + r′·(G, pk): the masks of the input are one each
    r_prime = sum(u_i * (1 + t) for u_i, t in zip(u_prime, MASKS, strict=True)) - sum(u)
    masks = [r_prime * pow(u_prime[0], -1, Q) % Q, 0, 0]
    proof = forgery.prove(out, masks, u_prime)
    assert verify_shuffle(CTX, JOINT, deck, encode_deck(out), proof) == out
    faces = [minus(card.b, times(HOST.x + GUEST.x, card.a)) for card in out]
    assert faces == [base(3), base(2), base(3)]
    monkeypatch.undo()
    with refused(Code.BAD_SHUFFLE_PROOF):
        verify_shuffle(CTX, JOINT, deck, encode_deck(out), proof)


class WithoutOutput(Transcript):
    """A statement that forgets the output deck."""

    def __init__(self, label: str, *statement: Item) -> None:
        super().__init__(label, *statement[:7], *statement[9:])


def stacked(statement: type[Transcript]) -> tuple[Deck, bytes]:
    """A deck whose first card is one of choice, made after the challenges were known."""
    forgery = Forgery(CTX, JOINT, DECK, choose(IDENTITY_MATRIX), statement)
    honest = remasked(DECK, JOINT, IDENTITY_MATRIX, MASKS)
    _, u_prime = forgery.exponents(honest)
    offset = minus(card_point(TWO_PACKS[40]), card_point(TWO_PACKS[0]))
    balance = times(-u_prime[0] * pow(u_prime[1], -1, Q), offset)
    first, second, third = honest
    out = (first._replace(b=plus(first.b, offset)), second._replace(b=plus(second.b, balance)), third)
    return out, forgery.prove(out, MASKS)


def test_with_the_output_left_out_of_the_hash_a_card_of_choice_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle_module, "Transcript", WithoutOutput)
    out, proof = stacked(WithoutOutput)
    verify_shuffle(CTX, JOINT, DECK, encode_deck(out), proof)
    assert open_with_keys(out[0], HOST.x, GUEST.x) == TWO_PACKS[40]


def test_with_the_output_hashed_it_is_not() -> None:
    for statement in (Transcript, WithoutOutput):
        out, proof = stacked(statement)
        with refused(Code.BAD_SHUFFLE_PROOF):
            verify_shuffle(CTX, JOINT, DECK, encode_deck(out), proof)


def share_proof(seq: int) -> bytes:
    return prove_shares(HOST.seed, place(0, seq), HOST.x, DECK[:1])[1]


def extracted(first: bytes, second: bytes) -> int:
    """The key, from two responses with one nonce."""
    (c1, s1), (c2, s2) = decode_scalars(first, 2), decode_scalars(second, 2)
    return (s1 - s2) * pow(c1 - c2, -1, Q) % Q


def test_a_nonce_used_twice_gives_the_key_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def constant(seed: GameSeed, label: str, _statement: Item) -> Stream:
        return Stream("SM1/nonce", seed, label)

    assert extracted(share_proof(9), share_proof(10)) != HOST.x
    monkeypatch.setattr(proofs, "nonce_stream", constant)
    assert extracted(share_proof(9), share_proof(10)) == HOST.x


def traced(outs: tuple[Deck, Deck], inputs: tuple[Deck, Deck]) -> list[tuple[int, ...]]:
    """The orders under which both forks were remasked with the same r: found by comparing differences in the open."""
    places = range(len(inputs[0]))
    return [
        order
        for order in permutations(places)
        if all(minus(outs[0][i].a, inputs[0][j].a) == minus(outs[1][i].a, inputs[1][j].a) for i, j in enumerate(order))
    ]


def forks() -> tuple[Deck, Deck]:
    """The hidden deck of one place in two forks: the other player has shuffled it differently."""
    return (
        shuffle(GUEST.seed, place(1), JOINT, DECK).deck,
        shuffle(GUEST.seed, place(1), JOINT, (DECK[1], DECK[0], DECK[2])).deck,
    )


def test_a_stream_not_bound_to_the_input_shows_the_order_to_whoever_makes_two_forks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unbound(seed: GameSeed, ctx: Context, _a: Sequence[Point], _b: Sequence[Point]) -> Stream:
        return Stream("SM1/shuffle-rng", seed, ctx)

    inputs = forks()
    bound = (shuffle(HOST.seed, CTX, JOINT, inputs[0]).deck, shuffle(HOST.seed, CTX, JOINT, inputs[1]).deck)
    assert traced(bound, inputs) == []
    monkeypatch.setattr(shuffle_module, "shuffle_stream", unbound)
    outs = (shuffle(HOST.seed, CTX, JOINT, inputs[0]).deck, shuffle(HOST.seed, CTX, JOINT, inputs[1]).deck)
    assert traced(outs, inputs) == [unbound(HOST.seed, CTX, [], []).permutation(N)]


class WithoutExponents(Transcript):
    """A batch in which every share has the weight one."""

    def challenges(self, count: int) -> tuple[Scalar, ...]:
        """1, 1, 1 …"""
        return (scalar(1),) * count


def cancelling() -> bytes:
    d = [share_of(HOST.x, card) for card in DECK]
    return b"".join([plus(d[0], G), minus(d[1], G), d[2]])


def proof_over(shares: bytes, statement: type[Transcript]) -> bytes:
    a, pieces = [card.a for card in DECK], [shares[at : at + 32] for at in range(0, len(shares), 32)]
    transcript = statement("SM1/dleq", CTX, G, HOST.h, a, pieces)
    weighted = total(times(z, point) for z, point in zip(transcript.challenges(N), a, strict=True))
    c = transcript.challenge([base(9), times(9, weighted)])
    return encode_scalar(c) + encode_scalar(scalar(9 + c * HOST.x))


def test_without_weights_errors_that_cancel_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = cancelling()
    for statement in (Transcript, WithoutExponents):
        with refused(Code.BAD_SHARE_PROOF):
            verify_shares(CTX, HOST.h, DECK, shares, proof_over(shares, statement))
    monkeypatch.setattr(proofs, "Transcript", WithoutExponents)
    verify_shares(CTX, HOST.h, DECK, shares, proof_over(shares, WithoutExponents))


def test_a_key_from_the_seed_alone_opens_the_cards_of_the_other_fork() -> None:
    """Two forks that begin before the key entry: a share owed in one is a share of a hidden card in the other."""

    def weak(seed: GameSeed, _ctx: Context) -> Scalar:
        return scalar(Stream("SM1/key", seed).below(2**32) + 1)

    hidden = mask_public(TWO_PACKS[:1], joint_key(base(weak(HOST.seed, HOST.ctx)), GUEST.h))[0]
    fork = HOST.ctx._replace(prev=b"f" * 32)
    owed_in_the_fork = share_of(weak(HOST.seed, fork), hidden)
    assert minus(minus(hidden.b, owed_in_the_fork), share_of(GUEST.x, hidden)) == card_point(TWO_PACKS[0])

    hidden = mask_public(TWO_PACKS[:1], JOINT)[0]
    owed_in_the_fork = share_of(derive_key(HOST.seed, fork), hidden)
    assert minus(minus(hidden.b, owed_in_the_fork), share_of(GUEST.x, hidden)) != card_point(TWO_PACKS[0])


def test_a_digest_over_the_hand_is_guessed() -> None:
    """Eight bytes over two unknown cards beside three known ones: 10,712 guesses, a blink."""
    hand = (TWO_PACKS[17], TWO_PACKS[90])
    known = bytes(TWO_PACKS[:3])
    digest = hashlib.sha256(MATCH + known + bytes(hand)).digest()[:8]
    guessed = [
        pair
        for pair in permutations(TWO_PACKS, 2)
        if hashlib.sha256(MATCH + known + bytes(pair)).digest()[:8] == digest
    ]
    assert guessed == [hand]


def test_sorted_places_tell_the_cards_around_a_played_one() -> None:
    """If `h1` and `h2` were the sorted hand, playing `h2` would show what `h1` cannot be; as dealt it shows nothing."""
    cards = TWO_PACKS[:6]
    for played in cards[1:]:
        as_dealt = {hand[0] for hand in permutations(cards, 2) if hand[1] == played}
        in_order = {hand[0] for hand in map(sorted, permutations(cards, 2)) if hand[1] == played}
        assert as_dealt == set(cards) - {played}
        assert in_order == {card for card in cards if card < played}
    dealt = open_deck(shuffle(HOST.seed, CTX, JOINT, public_deck(8)).deck, HOST.x, GUEST.x)
    assert list(dealt) != sorted(dealt), "places are those of the ciphertexts, in the order of the shuffle"
