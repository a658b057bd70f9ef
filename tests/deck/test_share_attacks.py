"""Attacks on decryption shares: a wrong one never comes through, whatever it is made of."""

from typing import NamedTuple

import pytest
from deck.points import NOT_POINTS, NOT_SCALARS
from deck.refusals import refused
from deck.seats import GUEST, HOST, JOINT, TWO_PACKS, place, public_deck

from sm_p2p.deck.generators import card_point
from sm_p2p.deck.group import SIZE, G, Point, Scalar, base, combine, encode_scalar, minus, plus, scalar, times
from sm_p2p.deck.masking import Deck, joint_key, mask_public, share_of, unmask
from sm_p2p.deck.proofs import prove_shares, verify_shares
from sm_p2p.deck.shuffle import Reordering, remask, shuffle
from sm_p2p.deck.transcript import DLEQ, Context, Transcript
from sm_p2p.errors import Code

CTX = place(0)
DECK = shuffle(HOST.seed, place(0), JOINT, public_deck(5)).deck
SHARES, PROOF = prove_shares(HOST.seed, CTX, HOST.x, DECK)


class Claim(NamedTuple):
    """What a cheat says about a batch, and the nonce that he says it with."""

    public: Point
    secret: int
    nonce: int


def chaum_pedersen(ctx: Context, claim: Claim, deck: Deck, shares: bytes) -> bytes:
    """The proof that a cheat would write for these shares, from the formulas of the specification."""
    a, d = [card.a for card in deck], [shares[at : at + SIZE] for at in range(0, len(shares), SIZE)]
    transcript = Transcript(DLEQ, ctx, G, claim.public, a, d)
    combined = combine(transcript.challenges(len(a)), a)
    c = transcript.challenge([base(claim.nonce), times(claim.nonce, combined)])
    return encode_scalar(c) + encode_scalar(scalar(claim.nonce + c * claim.secret))


def replaced(at: int, share: bytes) -> bytes:
    return SHARES[: SIZE * at] + share + SHARES[SIZE * (at + 1) :]


def swapped(left: int, right: int) -> bytes:
    pieces = [SHARES[at : at + SIZE] for at in range(0, len(SHARES), SIZE)]
    pieces[left], pieces[right] = pieces[right], pieces[left]
    return b"".join(pieces)


def share(at: int) -> Point:
    return Point(SHARES[SIZE * at : SIZE * (at + 1)])


def test_the_specification_and_the_package_accept_each_other() -> None:
    written = chaum_pedersen(CTX, Claim(HOST.h, HOST.x, 77), DECK, SHARES)
    assert b"".join(verify_shares(CTX, HOST.h, DECK, SHARES, written)) == SHARES
    assert b"".join(verify_shares(CTX, HOST.h, DECK, SHARES, PROOF)) == SHARES


def test_a_batch_of_one_is_nothing_special() -> None:
    shares, _ = prove_shares(HOST.seed, CTX, HOST.x, DECK[:1])
    written = chaum_pedersen(CTX, Claim(HOST.h, HOST.x, 77), DECK[:1], shares)
    assert verify_shares(CTX, HOST.h, DECK[:1], shares, written) == (share(0),)


@pytest.mark.parametrize(
    ("shares", "why"),
    [
        (swapped(0, 1), "two shares changed places"),
        (replaced(0, share(1)), "one share twice"),
        (replaced(0, plus(share(0), G)), "one share is off"),
        (replaced(2, G), "a point of choice"),
        (replaced(0, share_of(GUEST.x, DECK[0])), "the other player's share"),
        (replaced(0, minus(Point(bytes(G)), share(0))), "a mirrored share"),
    ],
)
def test_wrong_shares_are_refused_with_the_old_proof_and_with_the_best_new_one(shares: bytes, why: str) -> None:
    for proof in (
        PROOF,
        chaum_pedersen(CTX, Claim(HOST.h, HOST.x, 77), DECK, shares),
        chaum_pedersen(CTX, Claim(HOST.h, HOST.x, 0), DECK, shares),
    ):
        with refused(Code.BAD_SHARE_PROOF):
            verify_shares(CTX, HOST.h, DECK, shares, proof)
    assert why


def test_errors_that_cancel_are_refused() -> None:
    offset = card_point(TWO_PACKS[7])
    shares = plus(share(0), offset) + minus(share(1), offset) + SHARES[2 * SIZE :]
    for proof in (PROOF, chaum_pedersen(CTX, Claim(HOST.h, HOST.x, 77), DECK, shares)):
        with refused(Code.BAD_SHARE_PROOF):
            verify_shares(CTX, HOST.h, DECK, shares, proof)


def test_a_share_that_turns_the_own_card_into_one_of_choice_is_refused() -> None:
    theirs = share_of(GUEST.x, DECK[0])
    own = unmask(DECK[0], share(0), theirs)
    wanted = next(card for card in TWO_PACKS if card != own)
    chosen = plus(share(0), minus(card_point(own), card_point(wanted)))
    assert unmask(DECK[0], chosen, theirs) == wanted, "unchecked, it would be the card of choice"
    proof = chaum_pedersen(CTX, Claim(HOST.h, HOST.x, 77), DECK[:1], chosen)
    with refused(Code.BAD_SHARE_PROOF):
        verify_shares(CTX, HOST.h, DECK[:1], chosen, proof)


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
def test_shares_from_another_place_of_the_chain_are_refused(ctx: Context) -> None:
    with refused(Code.BAD_SHARE_PROOF):
        verify_shares(ctx, HOST.h, DECK, SHARES, PROOF)


def test_shares_of_another_player_card_or_order_are_refused() -> None:
    for public, deck in (
        (GUEST.h, DECK),
        (JOINT, DECK),
        (HOST.h, DECK[::-1]),
        (HOST.h, (*DECK[:4], public_deck(6)[5])),
        (HOST.h, shuffle(GUEST.seed, place(1), JOINT, DECK).deck),
    ):
        with refused(Code.BAD_SHARE_PROOF):
            verify_shares(CTX, public, deck, SHARES, PROOF)


def test_shares_of_a_deck_under_another_joint_key_are_refused() -> None:
    other = joint_key(HOST.h, base(5))
    foreign = shuffle(HOST.seed, place(0), other, mask_public(TWO_PACKS[:5], other)).deck
    with refused(Code.BAD_SHARE_PROOF):
        verify_shares(CTX, HOST.h, DECK, *prove_shares(HOST.seed, CTX, HOST.x, foreign))


@pytest.mark.parametrize(
    ("count", "shares", "proof"),
    [
        (5, SHARES[: 4 * SIZE], PROOF),
        (4, SHARES, PROOF),
        (5, SHARES + SHARES[:SIZE], PROOF),
        (5, SHARES[:-1], PROOF),
        (5, b"", PROOF),
        (5, b"", b""),
        (5, SHARES, b""),
        (5, SHARES, PROOF[:63]),
        (5, SHARES, PROOF + b"\0"),
        (0, b"", PROOF),
        (0, SHARES, PROOF),
        (0, SHARES[:SIZE], b""),
    ],
)
def test_too_many_too_few_and_none_are_refused_by_their_length(count: int, shares: bytes, proof: bytes) -> None:
    with refused(Code.BAD_LENGTH):
        verify_shares(CTX, HOST.h, DECK[:count], shares, proof)


@pytest.mark.parametrize("name", NOT_POINTS)
@pytest.mark.parametrize("at", [0, 4])
def test_a_share_outside_of_the_group_is_refused_before_its_proof(name: str, at: int) -> None:
    shares = replaced(at, NOT_POINTS[name])
    for proof in (PROOF, bytes(64), bytes(32) + PROOF[32:]):
        with refused(Code.BAD_POINT):
            verify_shares(CTX, HOST.h, DECK, shares, proof)


@pytest.mark.parametrize("name", NOT_SCALARS)
@pytest.mark.parametrize("at", [0, SIZE])
def test_a_scalar_that_is_none_is_refused_before_the_points(name: str, at: int) -> None:
    proof = PROOF[:at] + NOT_SCALARS[name] + PROOF[at + SIZE :]
    for shares in (SHARES, replaced(0, NOT_POINTS["identity"])):
        with refused(Code.BAD_SCALAR):
            verify_shares(CTX, HOST.h, DECK, shares, proof)


def test_a_share_of_the_reshuffled_card_is_not_one_of_the_old_card() -> None:
    again = remask(DECK, JOINT, Reordering((0, 1, 2, 3, 4), (Scalar(1),) * 5))
    with refused(Code.BAD_SHARE_PROOF):
        verify_shares(CTX, HOST.h, again, SHARES, PROOF)
