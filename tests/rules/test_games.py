"""Laws that hold after every move of every game, over all variants."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, STEADY, game_of, variants

from sm_p2p.errors import IllegalMove
from sm_p2p.rules.cards import KING, Card, pack
from sm_p2p.rules.moves import MOVES
from sm_p2p.rules.open_game import OpenGame
from sm_p2p.rules.parts import How, Slot
from sm_p2p.rules.play import play
from sm_p2p.rules.table import LAST_TURN, Table
from sm_p2p.rules.variant import Refill, StockOut, Variant

SEEDS = st.integers(0, 10_000)


def everything(game: OpenGame) -> list[Card]:
    """Every physical card of the game, wherever it lies."""
    table, pay_off = game.table, game.table.variant.pay_off
    hidden: list[Slot] = list(table.stock.slots(table.stock.next, table.stock.end))
    cards = [card for stack in table.centre for card in stack]
    for seat, place in enumerate(table.places):
        hidden += [slot for slot in place.hand if slot is not None]
        hidden += map(Slot, range(seat * pay_off, seat * pay_off + place.pay_off))
        cards += [card for side in place.sides for card in side]
    return sorted(cards + [game.face(slot) for slot in hidden])


@FEW
@given(variants(), SEEDS)
def test_every_card_lies_somewhere_once_after_every_move(variant: Variant, seed: int) -> None:
    for _, _, game in game_of(variant, seed):
        assert everything(game) == list(pack(variant.packs))
        assert game.table.card_count() == variant.cards


@FEW
@given(variants(), SEEDS)
def test_an_unfinished_table_has_a_legal_move_and_a_finished_one_none(variant: Variant, seed: int) -> None:
    for _, _, game in game_of(variant, seed):
        mover = game.table.to_move
        views = [game.view(seat).legal_moves for seat in (0, 1)]
        assert (mover is None) == (game.table.outcome is not None)
        assert [bool(moves) for moves in views] == [mover == 0, mover == 1]


@FEW
@given(variants(), SEEDS)
def test_the_legal_moves_are_exactly_those_that_play_accepts(variant: Variant, seed: int) -> None:
    for turn, (_, game, _) in enumerate(game_of(variant, seed)):
        if turn % 9:
            continue
        assert game.table.to_move is not None
        accepted = []
        for move in MOVES:
            try:
                play(game.table, move, game.card(move))
            except IllegalMove:
                continue
            accepted.append(move)
        assert game.view(game.table.to_move).legal_moves == tuple(accepted)


@FEW
@given(variants(), SEEDS)
def test_a_refused_move_changes_nothing(variant: Variant, seed: int) -> None:
    for turn, (_, game, _) in enumerate(game_of(variant, seed)):
        if turn % 9:
            continue
        copy = Table.parse(str(game.table))
        for move in MOVES:
            for card in (None, game.card(move), pack(variant.packs)[turn % variant.cards]):
                with contextlib.suppress(IllegalMove):
                    play(game.table, move, card)
                assert game.table == copy


@FEW
@given(variants(), SEEDS)
def test_a_finished_game_takes_no_move(variant: Variant, seed: int) -> None:
    *_, (_, _, game) = game_of(variant, seed)
    for move in MOVES:
        with pytest.raises(IllegalMove, match="the game is over"):
            play(game.table, move, pack(2)[0])


@FEW
@given(variants(), SEEDS)
def test_a_table_is_read_back_from_its_text_and_has_no_problem(variant: Variant, seed: int) -> None:
    for turn, (move, before, game) in enumerate(game_of(variant, seed)):
        assert list(game.table.problems()) == []
        if turn % 20 == 0:
            owing = play(before.table, move, before.card(move))
            for table in (game.table, owing):
                assert Table.parse(str(table)) == table


@FEW
@given(variants(), SEEDS)
def test_different_tables_have_different_numbers_and_different_texts(variant: Variant, seed: int) -> None:
    tables = [game.table for _, _, game in game_of(variant, seed)]
    assert len({table.sections() for table in tables}) == len({str(table) for table in tables}) == len(tables)


@FEW
@given(variants(), SEEDS)
def test_the_same_seed_and_the_same_moves_are_the_same_game(variant: Variant, seed: int) -> None:
    first = [(move, game.table, game.decks) for move, _, game in game_of(variant, seed)]
    assert first == [(move, game.table, game.decks) for move, _, game in game_of(variant, seed)]


@FEW
@given(variants(), SEEDS)
def test_slots_are_drawn_from_the_lowest_and_fill_the_hand_from_the_lowest(variant: Variant, seed: int) -> None:
    for move, before, game in game_of(variant, seed):
        old, new = before.table, play(before.table, move, before.card(move))
        draws = new.drawn if new.owed is None else new.owed.draws
        deck, start, _ = new.stock
        assert draws == tuple(Slot(deck << 8 | place) for place in range(start - len(draws), start))
        if draws and new.to_move is not None:
            hand = old.places[new.to_move].hand
            emptied = (None,) * 5 if new.to_move == old.to_move else hand
            empty = [place for place, slot in enumerate(emptied) if slot is None]
            assert [new.places[new.to_move].hand[place] for place in empty] == list(draws)
            kept = [(place, slot) for place, slot in enumerate(emptied) if slot is not None]
            assert all(new.places[new.to_move].hand[place] == slot for place, slot in kept)
        assert game.table.stock == new.stock


@FEW
@given(variants(), SEEDS)
def test_a_completed_stack_makes_a_deck_of_the_hidden_stock_and_its_twelve_cards(variant: Variant, seed: int) -> None:
    for move, before, game in game_of(variant, seed):
        owed = play(before.table, move, before.card(move)).owed
        deck, start, end = before.table.stock
        if owed is None or not owed.shuffle:
            assert game.table.stock.deck == deck
            continue
        assert owed.hidden == before.table.stock.slots(start, end)
        assert owed.shuffle[:-1] == before.table.centre[move & 7]
        assert game.table.stock.deck == deck + 1
        assert game.table.stock.end == end - start + 12
        assert sorted(game.decks[deck + 1]) == sorted([*map(before.face, owed.hidden), *owed.shuffle])


@FEW
@given(variants(), SEEDS)
def test_a_centre_stack_waits_for_its_height_plus_one_whatever_kings_lie_in_it(variant: Variant, seed: int) -> None:
    for move, before, game in game_of(variant, seed):
        for stack in game.table.centre:
            assert all(card.rank in (height, KING) for height, card in enumerate(stack, 1))
        if not move.ends_turn:
            card = before.table.open_card(move) or before.card(move)
            assert card is not None
            assert card.rank in (before.table.heights[move & 7] + 1, KING)


@FEW
@given(variants(), SEEDS)
def test_a_game_ends_as_its_variant_says(variant: Variant, seed: int) -> None:
    *_, (move, before, game) = game_of(variant, seed)
    table, outcome = game.table, game.table.outcome
    assert outcome is not None
    piles = [place.pay_off for place in table.places]
    if outcome.how is How.TIE:
        assert (outcome.winner, outcome.points) == (None, 0)
        assert table.turn == LAST_TURN or variant.stock_out is not StockOut.FEWEST or piles[0] == piles[1]
    elif 0 in piles:
        assert outcome.winner == piles.index(0) == before.table.to_move
        assert outcome.points == max(piles)
        assert not move.ends_turn
    else:
        assert variant.stock_out is StockOut.FEWEST
        assert outcome.winner == piles.index(min(piles))
        assert outcome.points == max(piles) - min(piles)
    if move.ends_turn or variant.refill is Refill.NEXT_TURN:
        assert table.owed is None


@STEADY
@given(SEEDS)
def test_only_games_with_refill_next_turn_know_the_move_end(seed: int) -> None:
    for refill in Refill:
        ended = [move for move, _, _ in game_of(Variant(pay_off=5, refill=refill), seed % 20) if str(move) == "end"]
        assert not ended or refill is Refill.NEXT_TURN
