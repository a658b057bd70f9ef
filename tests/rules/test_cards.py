"""Cards and packs."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import STEADY, cards

from sm_p2p.errors import UsageError
from sm_p2p.rules.cards import Card, pack


@STEADY
@given(cards)
def test_a_card_is_read_back_from_its_text_its_number_and_its_repr(card: Card) -> None:
    assert Card.parse(str(card)) == Card(int(card)) == card
    assert repr(card) == f"Card.parse('{card}')"
    assert pickle.loads(pickle.dumps(card)) == card  # noqa: S301 - our own bytes


@STEADY
@given(cards)
def test_a_card_is_its_rank_pack_and_suit(card: Card) -> None:
    assert int(card) == card.rank << 4 | card.pack << 2 | card.suit
    assert str(card).partition(".")[0] == card.face


@pytest.mark.parametrize("packs", [1, 2, 3, 4])
def test_so_many_packs_are_that_many_distinct_cards_in_ascending_order(packs: int) -> None:
    cards = pack(packs)
    assert len(set(cards)) == 52 * packs
    assert list(cards) == sorted(cards)
    assert {card.pack for card in cards} == set(range(packs))
    assert all([card.face for card in cards].count(card.face) == packs for card in cards)


@pytest.mark.parametrize("number", [-1, 0, 15, 224, 1000])
def test_a_number_outside_the_ranks_is_no_card(number: int) -> None:
    with pytest.raises(UsageError, match="is not a card"):
        Card(number)


@pytest.mark.parametrize(
    "text", ["", "A", "1S", "S", "10", "10X", "as", "AS.", "AS.0", "AS.4", "AS.12", "AS.1.1", " AS"]
)
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a card"):
        Card.parse(text)


@STEADY
@given(st.text(max_size=5))
def test_any_text_is_a_card_or_refused(text: str) -> None:
    try:
        card = Card.parse(text)
    except UsageError:
        return
    assert str(card) == text
