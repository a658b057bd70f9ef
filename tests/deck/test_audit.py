"""After the game both keys are open, and every deck and share can be checked without trust in a proof."""

import pytest
from deck.refusals import refused
from deck.seats import GUEST, HOST, JOINT, TWO_PACKS, place, public_deck

from sm_p2p.deck.audit import audit_share, audit_shuffle, open_deck, open_key
from sm_p2p.deck.generators import card_point
from sm_p2p.deck.group import G, Q, encode_scalar, plus, scalar
from sm_p2p.deck.masking import MaskedCard, mask_public, share_of
from sm_p2p.deck.shuffle import shuffle
from sm_p2p.errors import Code

DECK = public_deck(4)
SHUFFLED = shuffle(HOST.seed, place(0), JOINT, DECK).deck


def test_an_honest_shuffle_passes_and_tells_its_order() -> None:
    assert sorted(audit_shuffle(DECK, SHUFFLED, HOST.x, GUEST.x)) == sorted(TWO_PACKS[:4])


@pytest.mark.parametrize(
    "changed",
    [
        (*SHUFFLED[:3], SHUFFLED[0]),
        SHUFFLED[:3],
        (*SHUFFLED, SHUFFLED[0]),
        (*SHUFFLED[:3], *mask_public([0xD0 | 0xF], JOINT)),
        (*SHUFFLED[:3], MaskedCard(SHUFFLED[3].a, plus(SHUFFLED[3].b, G))),
        (),
    ],
    ids=["twice", "missing", "added", "foreign", "shifted", "nothing"],
)
def test_a_deck_with_other_cards_fails(changed: tuple[MaskedCard, ...]) -> None:
    with refused(Code.BAD_AUDIT):
        audit_shuffle(DECK, changed, HOST.x, GUEST.x)


def test_a_deck_does_not_open_with_other_keys() -> None:
    with refused(Code.UNKNOWN_CARD):
        open_deck(DECK, HOST.x, scalar(GUEST.x + 1))


def test_a_share_is_what_the_key_makes_of_the_card() -> None:
    audit_share(HOST.x, DECK[0], share_of(HOST.x, DECK[0]))
    wrong = plus(share_of(HOST.x, DECK[0]), card_point(TWO_PACKS[1]))
    with refused(Code.BAD_AUDIT):
        audit_share(HOST.x, DECK[0], wrong)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (encode_scalar(GUEST.x), Code.WRONG_KEY),
        (encode_scalar(scalar(HOST.x + 1)), Code.WRONG_KEY),
        (encode_scalar(scalar(-HOST.x)), Code.WRONG_KEY),
        (bytes(32), Code.WRONG_KEY),
        ((HOST.x + Q).to_bytes(32, "little"), Code.BAD_SCALAR),
        (encode_scalar(HOST.x)[:31], Code.BAD_LENGTH),
        (b"", Code.BAD_LENGTH),
    ],
)
def test_an_opened_key_that_is_not_the_key_is_refused(raw: bytes, code: Code) -> None:
    with refused(code):
        open_key(raw, HOST.h)


def test_the_opened_key_is_the_key() -> None:
    assert open_key(encode_scalar(HOST.x), HOST.h) == HOST.x
