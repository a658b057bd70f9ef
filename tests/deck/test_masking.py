"""Masked cards: what a deck on the wire is, and what opens one."""

import pytest
from deck.points import NOT_POINTS
from deck.refusals import refused
from deck.seats import GUEST, HOST, JOINT, TWO_PACKS, public_deck

from sm_p2p.deck.generators import card_point
from sm_p2p.deck.group import IDENTITY, G, Point, base, minus, plus, times
from sm_p2p.deck.masking import (
    MaskedCard,
    decode_deck,
    encode_deck,
    joint_key,
    mask_public,
    open_with_keys,
    share_of,
    unmask,
)
from sm_p2p.errors import Code


def test_the_joint_key_is_the_sum_and_never_the_identity() -> None:
    assert joint_key(HOST.h, GUEST.h) == base(HOST.x + GUEST.x) == joint_key(GUEST.h, HOST.h)
    with refused(Code.IDENTITY_KEY):
        joint_key(HOST.h, minus(IDENTITY, HOST.h))


def test_a_public_card_is_masked_with_one() -> None:
    (masked,) = mask_public([0x14], JOINT)
    assert masked == MaskedCard(G, plus(card_point(0x14), JOINT))
    assert open_with_keys(masked, HOST.x, GUEST.x) == 0x14


def test_both_shares_open_a_card_and_one_alone_does_not() -> None:
    for card, masked in zip(TWO_PACKS[:5], public_deck(5), strict=True):
        d0, d1 = share_of(HOST.x, masked), share_of(GUEST.x, masked)
        assert unmask(masked, d0, d1) == unmask(masked, d1, d0) == card
        with refused(Code.UNKNOWN_CARD):
            unmask(masked, d0, d0)
        with refused(Code.UNKNOWN_CARD):
            open_with_keys(masked, HOST.x, HOST.x)


def test_what_is_no_point_opens_to_nothing() -> None:
    (masked,), nothing = public_deck(1), Point((2).to_bytes(32, "little"))
    for wrong in (MaskedCard(masked.a, nothing), MaskedCard(nothing, masked.b)):
        with refused(Code.BAD_POINT):
            open_with_keys(wrong, HOST.x, GUEST.x)
    with refused(Code.BAD_POINT):
        unmask(MaskedCard(masked.a, nothing), masked.a, masked.a)
    with refused(Code.BAD_POINT):
        unmask(masked, masked.a, nothing)


def test_a_remasked_card_is_the_same_card() -> None:
    (masked,) = public_deck(1)
    again = MaskedCard(plus(masked.a, base(7)), plus(masked.b, times(7, JOINT)))
    assert open_with_keys(again, HOST.x, GUEST.x) == TWO_PACKS[0]


def test_a_deck_is_64_bytes_a_card_a_before_b() -> None:
    deck = public_deck(3)
    raw = encode_deck(deck)
    assert raw[:64] == deck[0].a + deck[0].b
    assert decode_deck(raw, 3) == deck
    assert decode_deck(b"", 0) == ()
    for wrong in (raw[:-1], raw + b"\0", raw[:128], b""):
        with refused(Code.BAD_LENGTH):
            decode_deck(wrong, 3)


@pytest.mark.parametrize("name", NOT_POINTS)
@pytest.mark.parametrize("at", [0, 32, 160])
def test_a_deck_of_anything_but_points_is_refused(name: str, at: int) -> None:
    raw = encode_deck(public_deck(3))
    with refused(Code.BAD_POINT):
        decode_deck(raw[:at] + NOT_POINTS[name] + raw[at + 32 :], 3)


def test_what_is_no_card_opens_to_none() -> None:
    with refused(Code.UNKNOWN_CARD):
        unmask(MaskedCard(G, Point(G)), IDENTITY, IDENTITY)
