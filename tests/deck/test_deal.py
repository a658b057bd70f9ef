"""A small game of hidden cards, from the keys to the audit."""

from collections import Counter

import pytest
from deck.seats import GUEST, HOST, JOINT, TWO_PACKS, Seat, place, public_deck

from sm_p2p.deck.audit import audit_share, audit_shuffle, open_deck, open_key
from sm_p2p.deck.group import encode_scalar
from sm_p2p.deck.masking import decode_deck, mask_public, open_with_keys, unmask
from sm_p2p.deck.proofs import prove_key, prove_shares, verify_key, verify_shares
from sm_p2p.deck.shuffle import shuffle, verify_shuffle


@pytest.mark.parametrize("seat", [HOST, GUEST], ids=["host", "guest"])
def test_a_key_proof_is_accepted(seat: Seat) -> None:
    assert verify_key(seat.ctx, seat.h, prove_key(seat.seed, seat.ctx, seat.x)) == seat.h


@pytest.mark.parametrize("count", [1, 2, 3, 12])
def test_two_shuffles_deal_the_same_cards_in_an_order_that_needs_both_shares(count: int) -> None:
    start = public_deck(count)
    first = shuffle(HOST.seed, place(0), JOINT, start)
    middle = verify_shuffle(place(0), JOINT, start, first.raw, first.proof)
    second = shuffle(GUEST.seed, place(1, 10), JOINT, middle)
    deck = verify_shuffle(place(1, 10), JOINT, middle, second.raw, second.proof)
    assert deck == second.deck == decode_deck(second.raw, count)
    faces = []
    for at in range(count):
        due = deck[at : at + 1]
        (d0,) = verify_shares(place(0), HOST.h, due, *prove_shares(HOST.seed, place(0), HOST.x, due))
        (d1,) = verify_shares(place(1), GUEST.h, due, *prove_shares(GUEST.seed, place(1), GUEST.x, due))
        faces.append(unmask(deck[at], d0, d1))
        audit_share(HOST.x, deck[at], d0)
    assert Counter(faces) == Counter(TWO_PACKS[:count])
    assert open_deck(deck, HOST.x, GUEST.x) == tuple(faces)
    assert audit_shuffle(start, deck, HOST.x, GUEST.x) == tuple(faces)
    assert open_with_keys(deck[0], HOST.x, GUEST.x) == faces[0]
    assert open_key(encode_scalar(HOST.x), HOST.h) == HOST.x


def test_a_batch_of_shares_is_accepted_and_no_shares_are_empty() -> None:
    deck = mask_public(TWO_PACKS[:5], JOINT)
    shares = verify_shares(place(0), HOST.h, deck, *prove_shares(HOST.seed, place(0), HOST.x, deck))
    assert len(shares) == 5
    assert prove_shares(HOST.seed, place(0), HOST.x, ()) == (b"", b"")
    assert verify_shares(place(0), HOST.h, (), b"", b"") == ()


def test_the_same_seed_and_place_give_the_same_bytes() -> None:
    start = public_deck(4)
    assert shuffle(HOST.seed, place(0), JOINT, start) == shuffle(HOST.seed, place(0), JOINT, start)
    assert shuffle(HOST.seed, place(0), JOINT, start) != shuffle(HOST.seed, place(0, 10), JOINT, start)
