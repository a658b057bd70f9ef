"""The constants: hashed from their labels, all different, held by one hash."""

import pytest

from sm_p2p.deck import generators
from sm_p2p.deck.generators import (
    CARD_IDS,
    MOST_CARDS,
    card_of,
    card_point,
    commitment_base,
    commitment_bases,
    commitment_sum,
    constants_hash,
    hash_to_group,
)
from sm_p2p.deck.group import IDENTITY, G, minus


def test_every_constant_is_the_first_point_that_its_label_gives() -> None:
    assert commitment_base() == hash_to_group("commit-h")[0]
    assert list(commitment_bases(MOST_CARDS)) == [hash_to_group(f"commit-{i}")[0] for i in range(1, MOST_CARDS + 1)]
    assert [card_point(card) for card in CARD_IDS] == [hash_to_group(f"card-{card}")[0] for card in CARD_IDS]


def test_no_two_constants_are_equal() -> None:
    constants = [G, IDENTITY, commitment_base(), *commitment_bases(MOST_CARDS), *map(card_point, CARD_IDS)]
    assert len(set(constants)) == 2 + 1 + 208 + 208


def test_a_card_is_found_by_its_face_and_nothing_else_is_a_card() -> None:
    assert all(card_of(card_point(card)) == card for card in CARD_IDS)
    assert card_of(G) is card_of(IDENTITY) is card_of(commitment_base()) is None


def test_ids_are_rank_pack_and_suit() -> None:
    assert len(CARD_IDS) == MOST_CARDS == 13 * 4 * 4
    assert CARD_IDS[0] == 1 << 4
    assert CARD_IDS[-1] == 13 << 4 | 3 << 2 | 3
    assert list(CARD_IDS) == sorted(CARD_IDS)


def test_the_sum_of_the_bases_is_their_sum() -> None:
    first, second = commitment_bases(2)
    assert minus(commitment_sum(2), second) == first == commitment_sum(1)


def test_the_hash_of_the_constants_is_the_published_one() -> None:
    assert constants_hash().hex() == "77db98ddaa3e00e5428968530abb893245ea5d388aca87a4df1401b655ec0ca4"


@pytest.mark.parametrize("count", [0, -1, MOST_CARDS + 1])
def test_there_are_bases_for_1_to_208_cards(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 208"):
        commitment_bases(count)


def test_a_damaged_table_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generators, "_COUNTERS", b"\x04" + generators._COUNTERS[1:])
    with pytest.raises(AssertionError, match="does not belong"):
        generators._table.__wrapped__()
