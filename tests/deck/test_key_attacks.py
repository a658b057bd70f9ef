"""Attacks on keys: replayed, rogue, twisted and reused ones are refused by name."""

import pytest
from deck.points import NOT_POINTS, NOT_SCALARS
from deck.refusals import refused
from deck.seats import GUEST, HOST, MATCH, place, sit
from nacl.signing import SigningKey

from sm_p2p.deck import transcript
from sm_p2p.deck.group import IDENTITY, G, Q, base, decode_scalars, encode_scalar, minus, scalar
from sm_p2p.deck.masking import MaskedCard, joint_key, mask_public, open_with_keys
from sm_p2p.deck.proofs import check_new_key, prove_key, prove_shares, verify_key
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import Code

PROOF = prove_key(HOST.seed, HOST.ctx, HOST.x)


def schnorr(ctx: Context, public: bytes, w: int, secret: int) -> bytes:
    """A proof written out from the specification, with a nonce of choice."""
    c = transcript.challenge("SM1/pok", ctx, ctx.author, G, public, base(w))
    return encode_scalar(c) + encode_scalar(scalar(w + c * secret))


def test_a_proof_holds_only_at_the_place_and_seat_that_it_was_made_for() -> None:
    verify_key(HOST.ctx, HOST.h, PROOF)
    for other in (
        GUEST.ctx,
        HOST.ctx._replace(author=1),
        HOST.ctx._replace(game=2),
        HOST.ctx._replace(match=b"n" * 32),
        HOST.ctx._replace(match=MATCH[:31]),
        HOST.ctx._replace(seq=4),
        HOST.ctx._replace(prev=b"q" * 32),
        HOST.ctx._replace(kind=3),
    ):
        with refused(Code.BAD_KEY_PROOF):
            verify_key(other, HOST.h, PROOF)


def test_the_challenge_names_the_seat_by_itself_not_only_in_the_place() -> None:
    c = transcript.challenge("SM1/pok", HOST.ctx, 1, G, HOST.h, base(5))
    with refused(Code.BAD_KEY_PROOF):
        verify_key(HOST.ctx, HOST.h, encode_scalar(c) + encode_scalar(scalar(5 + c * HOST.x)))


def test_a_rogue_key_would_open_every_card_and_cannot_be_proved() -> None:
    z = scalar(7**50)
    rogue = minus(base(z), HOST.h)
    deck = mask_public([0x10], joint_key(HOST.h, rogue))
    assert open_with_keys(deck[0], z, scalar(0)) == 0x10, "the rogue alone opens it, without the host"
    for proof in (
        schnorr(GUEST.ctx, rogue, 5, z),
        schnorr(GUEST.ctx, rogue, 5, 0),
        prove_key(GUEST.seed, GUEST.ctx, z),
        PROOF,
        bytes(64),
    ):
        with refused(Code.BAD_KEY_PROOF):
            verify_key(GUEST.ctx, rogue, proof)


def test_the_proof_of_a_key_and_of_its_negative_are_not_interchangeable() -> None:
    with refused(Code.BAD_KEY_PROOF):
        verify_key(HOST.ctx, minus(IDENTITY, HOST.h), PROOF)


@pytest.mark.parametrize("name", NOT_POINTS)
def test_a_key_outside_of_the_group_is_refused_before_its_proof(name: str) -> None:
    with refused(Code.BAD_POINT):
        verify_key(HOST.ctx, NOT_POINTS[name], schnorr(HOST.ctx, NOT_POINTS[name], 5, 0))


@pytest.mark.parametrize("name", NOT_SCALARS)
@pytest.mark.parametrize("at", [0, 32])
def test_a_scalar_that_is_none_is_refused_before_the_point(name: str, at: int) -> None:
    proof = PROOF[:at] + NOT_SCALARS[name] + PROOF[at + 32 :]
    with refused(Code.BAD_SCALAR):
        verify_key(HOST.ctx, HOST.h, proof)
    with refused(Code.BAD_SCALAR):
        verify_key(HOST.ctx, NOT_POINTS["identity"], proof)


@pytest.mark.parametrize(
    ("public", "proof"),
    [
        (HOST.h[:31], PROOF),
        (HOST.h + b"\0", PROOF),
        (b"", PROOF),
        (HOST.h, PROOF[:63]),
        (HOST.h, PROOF + b"\0"),
        (HOST.h, b""),
    ],
)
def test_lengths_come_first(public: bytes, proof: bytes) -> None:
    with refused(Code.BAD_LENGTH):
        verify_key(HOST.ctx, public, proof)
    with refused(Code.BAD_LENGTH):
        verify_key(HOST.ctx, b"\xff" * len(public), b"\xff" * len(proof))


def test_a_key_or_identity_of_this_match_is_not_taken_again() -> None:
    identity = bytes(SigningKey(b"i" * 32).verify_key)
    known = {HOST.h, GUEST.h, identity}
    check_new_key(sit(0, game=2).h, known)
    for old in (HOST.h, GUEST.h, verify_key(HOST.ctx, HOST.h, PROOF)):
        with refused(Code.REUSED_KEY):
            check_new_key(old, known)


def test_a_proof_of_zero_nonce_or_zero_key_is_a_matter_of_arithmetic() -> None:
    verify_key(HOST.ctx, HOST.h, schnorr(HOST.ctx, HOST.h, 0, HOST.x))
    with refused(Code.BAD_POINT):
        verify_key(HOST.ctx, base(0), schnorr(HOST.ctx, base(0), 5, 0))


def test_the_same_key_proof_is_made_again_after_a_crash() -> None:
    assert prove_key(HOST.seed, HOST.ctx, HOST.x) == PROOF


def test_two_proofs_of_one_key_do_not_share_their_nonce() -> None:
    """With one nonce, (s − s′) / (c − c′) would be the key."""
    (c1, s1), (c2, s2) = (decode_scalars(prove_key(HOST.seed, ctx, HOST.x), 2) for ctx in (HOST.ctx, place(0)))
    assert (s1 - s2) * pow(c1 - c2, -1, Q) % Q != HOST.x


def test_keys_of_a_later_game_are_for_that_game() -> None:
    later = sit(0, game=2)
    proof = prove_key(later.seed, later.ctx, later.x)
    verify_key(later.ctx, later.h, proof)
    with refused(Code.BAD_KEY_PROOF):
        verify_key(later.ctx._replace(game=1), later.h, proof)


def test_a_share_proof_of_the_base_point_is_no_key_proof() -> None:
    """Both say that h = x·G is known; the label and the statement keep them apart."""
    shares, proof = prove_shares(HOST.seed, HOST.ctx, HOST.x, [MaskedCard(G, G)])
    assert shares == HOST.h
    with refused(Code.BAD_KEY_PROOF):
        verify_key(HOST.ctx, HOST.h, proof)
