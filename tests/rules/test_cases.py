"""The case table of the rule book, row by row, with its numbers."""

import pytest

from sm_p2p.errors import IllegalMove
from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.happenings import Played, happened
from sm_p2p.rules.moves import END, MOVES, Move
from sm_p2p.rules.open_game import OpenGame, open_game
from sm_p2p.rules.parts import How, Outcome
from sm_p2p.rules.play import deal, play, resign, turn_up
from sm_p2p.rules.reasons import Misread
from sm_p2p.rules.score import Score
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import QUICK, STANDARD, Variant


def after(sketch: Sketch, *moves: str) -> OpenGame:
    game = sketch.game()
    for move in moves:
        game = game.play(Move.parse(move))
    return game


def legal(game: OpenGame) -> set[str]:
    mover = game.table.to_move
    return set() if mover is None else {str(move) for move in game.view(mover).legal_moves}


def shown_rank(sketch: Sketch, move: str) -> int:
    game = sketch.game()
    card = game.card(Move.parse(move))
    first = happened(game.table, Move.parse(move), card, play(game.table, Move.parse(move), card))[0]
    assert isinstance(first, Played)
    return first.stands_for


def test_case_1_a_new_game_has_104_cards_in_their_places() -> None:
    table = deal(STANDARD, 1)
    assert [place.pay_off for place in table.places] == [20, 20]
    assert [len(place.hand) - place.hand.count(None) for place in table.places] == [5, 5]
    assert (table.heights, table.stock_count, table.card_count()) == ((0, 0, 0), 54, 104)


def test_case_2_an_ace_starts_an_empty_stack() -> None:
    assert after(Sketch(hand="AS 9S"), "h1-c2").table.heights == (0, 1, 0)


def test_case_3_a_two_does_not() -> None:
    with pytest.raises(IllegalMove, match="2 needs A beneath it, and c1 waits for A"):
        after(Sketch(hand="2S"), "h1-c1")


def test_case_4_a_king_on_an_empty_stack_is_an_ace() -> None:
    sketch = Sketch(hand="KS 2S AS")
    game = after(sketch, "h1-c1")
    assert game.table.heights == (1, 0, 0)
    assert shown_rank(sketch, "h1-c1") == 1
    assert "h2-c1" in legal(game)
    assert "h3-c1" not in legal(game)


def test_case_5_a_king_on_a_ten_is_a_jack() -> None:
    sketch = Sketch(centre=(10, 0, 0), hand="KS QS JS")
    game = after(sketch, "h1-c1")
    assert game.table.heights == (11, 0, 0)
    assert shown_rank(sketch, "h1-c1") == 11
    assert "h2-c1" in legal(game)
    assert "h3-c1" not in legal(game)


@pytest.mark.parametrize("card", ["KS", "QS"])
def test_case_6_a_king_or_queen_on_eleven_completes_the_stack(card: str) -> None:
    game = after(Sketch(centre=(11, 0, 0), stock=30, hand=f"{card} 9S"), "h1-c1")
    assert (game.table.heights, game.table.stock_count) == ((0, 0, 0), 42)


def test_case_8_king_on_king_counts_on() -> None:
    game = after(Sketch(centre=(5, 0, 0), hand="KS KH 8S 9S"), "h1-c1", "h2-c1")
    assert game.table.heights == (7, 0, 0)
    assert "h3-c1" in legal(game)
    assert "h4-c1" not in legal(game)


def test_case_9_three_kings_make_three() -> None:
    game = after(Sketch(hand="KS KH KD 4S 5S"), "h1-c1", "h2-c1", "h3-c1")
    assert game.table.heights == (3, 0, 0)
    assert "h4-c1" in legal(game)
    assert "h5-c1" not in legal(game)


def test_case_11_a_stack_just_completed_takes_an_ace_in_the_same_turn() -> None:
    game = after(Sketch(centre=(11, 0, 0), hand="QS AS 9S"), "h1-c1", "h2-c1")
    assert (game.table.heights, game.table.to_move) == ((1, 0, 0), 0)


def test_case_13_the_target_is_part_of_the_move() -> None:
    sketch = Sketch(centre=(6, 6, 6), hand="7S 9S")
    assert {"h1-c1", "h1-c2", "h1-c3"} <= legal(sketch.game())
    assert {after(sketch, f"h1-c{stack}").table.heights for stack in (1, 2, 3)} == {(7, 6, 6), (6, 7, 6), (6, 6, 7)}


def test_case_14_only_the_top_of_a_side_stack_is_in_play() -> None:
    sketch = Sketch(centre=(3, 0, 7), hand="JS", sides="9S,8S,4S/-/-/-")
    assert {move for move in legal(sketch.game()) if move[0] == "a"} == {"a-c1"}
    game = after(sketch, "a-c1")
    assert game.table.places[0].sides[0][-1].face == "8S"
    assert {move for move in legal(game) if move[0] == "a"} == {"a-c3"}


@pytest.mark.parametrize("move", ["a-b", "a-a", "p-a", "p-d"])
def test_cases_16_and_17_side_stacks_and_pay_off_go_to_the_centre_only(move: str) -> None:
    sketch = Sketch(hand="JS", sides="9S/-/-/-")
    assert move not in legal(sketch.game())
    with pytest.raises(IllegalMove, match="can only go to a centre stack"):
        after(sketch, move)


@pytest.mark.parametrize("move", ["c1-c2", "c1-a", "c3-d"])
def test_case_18_a_card_in_the_centre_stays(move: str) -> None:
    with pytest.raises(Misread, match="stays there"):
        Move.parse(move)


def test_case_20_the_next_pay_off_card_is_shown_before_the_mover_goes_on() -> None:
    sketch = Sketch(centre=(4, 0, 0), hand="JS", top="5S")
    table = play(sketch.game().table, Move.parse("p-c1"))
    assert (table.places[0].pay_off, table.places[0].top, table.to_move) == (19, None, 0)
    assert table.owed is not None
    assert table.owed.top
    for move in MOVES:
        with pytest.raises(IllegalMove, match="not been shown yet"):
            play(table, move, Card.parse("JS"))
    assert after(sketch, "p-c1").table.places[0].top is not None


def test_case_21_an_emptied_hand_refills_from_the_enlarged_stock() -> None:
    sketch = Sketch(centre=(11, 0, 0), stock=3, hand="QS")
    table = play(sketch.game().table, Move.parse("h1-c1"), Card.parse("QS"))
    assert table.owed is not None
    assert (len(table.owed.hidden), len(table.owed.shuffle), len(table.owed.draws)) == (3, 12, 5)
    assert (table.stock_count, table.to_move, None in table.places[0].hand) == (10, 0, False)


def test_case_22_a_refill_that_cannot_be_made_is_a_tie_and_draws_nothing() -> None:
    table = after(Sketch(centre=(3, 0, 0), stock=3, hand="4S"), "h1-c1").table
    assert table.outcome == Outcome(How.TIE, None, 0)
    assert (table.stock_count, table.places[0].hand.count(None), table.owed) == (3, 5, None)


def test_case_23_a_stock_that_is_just_used_up_still_lets_the_turn_go_on() -> None:
    table = after(Sketch(centre=(3, 0, 0), stock=5, hand="4S"), "h1-c1").table
    assert (table.stock_count, table.to_move, None in table.places[0].hand) == (0, 0, False)


def test_case_26_a_turn_that_cannot_draw_enough_is_a_tie_without_a_partial_draw() -> None:
    table = after(Sketch(stock=2, hand="JS QS", other_hand=2), "h1-a").table
    assert table.outcome == Outcome(How.TIE, None, 0)
    assert (table.stock_count, table.places[1].hand.count(None), table.drawn) == (2, 3, ())


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("top", "height", "stock"), [("5S", 4, 30), ("KS", 4, 30), ("QS", 11, 30), ("KS", 11, 0), ("5S", 4, 0)]
)
def test_cases_29_to_31_the_last_pay_off_card_wins_at_once(top: str, height: int, stock: int, seat: int) -> None:
    sketch = Sketch(seat=seat, centre=(height, 0, 0), stock=stock, pay_off=1, top=top, other_pay_off=13)
    table = play(sketch.game().table, Move.parse("p-c1"))
    assert table.outcome == Outcome(How.WIN, seat, 13)
    assert (table.owed, table.to_move, table.stock_count, table.heights[0]) == (None, None, stock, height + 1)


@pytest.mark.parametrize("move", ["h1-a", "h2-b", "h3-c", "h4-a", "h5-d"])
def test_cases_34_to_36_a_discard_may_go_anywhere_whatever_else_could_be_played(move: str) -> None:
    table = after(Sketch(hand="AS KS 9S QS KD", top="AH", sides="2S,KH/-/-/-"), move).table
    assert (table.to_move, table.turn) == (1, 10)


def test_case_38_the_discard_of_the_only_card_ends_the_turn_and_refills_later() -> None:
    game = after(Sketch(hand="JS"), "h1-a")
    assert game.table.places[0].hand.count(None) == 5
    assert game.table.to_move == 1
    game = game.play(Move.parse("h1-a"))
    assert (game.table.places[0].hand.count(None), len(game.table.drawn)) == (0, 5)


def test_case_41_nothing_can_be_played_after_the_discard() -> None:
    game = after(Sketch(hand="JS AS"), "h1-a")
    assert game.table.to_move == 1
    assert game.view(0).legal_moves == ()


def test_case_42_a_turn_cannot_be_ended_without_a_discard() -> None:
    with pytest.raises(IllegalMove, match="a turn ends with a card from the hand"):
        after(Sketch(hand="JS"), "end")


def test_cases_43_and_44_only_the_named_one_of_equal_faces_moves() -> None:
    sketch = Sketch(hand="AS AS.1 9S", top="AD", sides="AH/-/-/-")
    assert {"h1-c1", "h2-c1", "p-c1", "a-c1"} <= legal(sketch.game())
    for move in ("h1-c1", "h2-c1", "p-c1", "a-c1"):
        place = after(sketch, move).table.places[0]
        kept = [place.hand[0], place.hand[1], place.pay_off == 20, bool(place.sides[0])]
        gone = ["h1-c1", "h2-c1", "p-c1", "a-c1"].index(move)
        assert [at for at, stays in enumerate(kept) if stays in (None, False)] == [gone]


def test_case_46_the_twelve_physical_cards_return_kings_as_kings() -> None:
    stack = "KC,2C,KD,4C,5C,6C,7C,8C,9C,KH,JC"
    game = Sketch(centre=(stack, 0, 0), stock=30, hand="QS 9S").game()
    table = play(game.table, Move.parse("h1-c1"), Card.parse("QS"))
    assert table.owed is not None
    assert ",".join(map(str, table.owed.shuffle)) == f"{stack},QS"
    hidden = sorted(map(game.face, table.owed.hidden))
    assert sorted(game.after(table).decks[1]) == sorted([*hidden, *table.owed.shuffle])


def test_case_47_there_are_always_104_cards_each_once() -> None:
    game = open_game(STANDARD, 47)
    while (seat := game.table.to_move) is not None:
        moves = game.view(seat).legal_moves
        game = game.play(next((move for move in moves if not move.ends_turn), moves[game.table.turn % len(moves)]))
        table = game.table
        hidden = [slot for place in table.places for slot in place.hand if slot is not None]
        hidden += table.stock.slots(table.stock.next, table.stock.end)
        cards = [*map(game.face, hidden), *(card for stack in table.centre for card in stack)]
        for at, place in enumerate(table.places):
            cards += [card for side in place.sides for card in side]
            cards += game.decks[0][20 * at : 20 * at + place.pay_off]
        assert sorted(cards) == list(pack(2))


def test_case_49_two_stacks_completed_in_one_turn_both_return() -> None:
    game = after(Sketch(centre=(11, 11, 0), stock=30, hand="QS QS.1 9S"), "h1-c1", "h2-c2")
    assert (game.table.heights, game.table.stock_count, game.table.stock.deck) == ((0, 0, 0), 54, 2)


def test_cases_52_and_53_points_add_up_and_a_tie_leaves_them() -> None:
    won = Score((47, 38), 9, 0).after(Outcome(How.WIN, 0, 5), 1)
    assert (won.points, won.winner(STANDARD)) == ((52, 38), 0)
    tied = Score((44, 44), 9, 0).after(Outcome(How.TIE, None, 0), 1)
    assert (tied.points, tied.winner(STANDARD), tied.games) == ((44, 44), None, 10)


def test_case_57_with_stock_out_empty_the_last_card_of_the_stock_is_a_tie() -> None:
    five = Sketch("stock_out=empty", centre=(3, 0, 0), stock=5, hand="4S")
    table = after(five, "h1-c1").table
    assert (table.outcome, table.stock_count) == (Outcome(How.TIE, None, 0), 5)
    six = Sketch("stock_out=empty", centre=(3, 0, 0), stock=6, hand="4S")
    assert after(six, "h1-c1").table.stock_count == 1
    last = Sketch("stock_out=empty", centre=(3, 0, 0), stock=0, hand="JS", pay_off=1, top="4S", other_pay_off=7)
    assert after(last, "p-c1").table.outcome == Outcome(How.WIN, 0, 7)


@pytest.mark.parametrize(
    ("mine", "theirs", "outcome"),
    [(7, 12, Outcome(How.WIN, 0, 5)), (12, 7, Outcome(How.WIN, 1, 5)), (9, 9, Outcome(How.TIE, None, 0))],
)
def test_case_58_with_stock_out_fewest_the_shorter_pile_wins_the_difference(
    mine: int, theirs: int, outcome: Outcome
) -> None:
    refill = Sketch("stock_out=fewest", centre=(3, 0, 0), stock=4, hand="4S", pay_off=mine, other_pay_off=theirs)
    assert after(refill, "h1-c1").table.outcome == outcome
    turn = Sketch("stock_out=fewest", stock=1, hand="4S", other_hand=3, pay_off=mine, other_pay_off=theirs)
    assert after(turn, "h1-c").table.outcome == outcome


def test_case_59_with_refill_next_turn_an_emptied_hand_stays_empty_and_may_end() -> None:
    sketch = Sketch("refill=next-turn", centre=(3, 0, 0), hand="4S", top="5S", sides="5D/-/-/-")
    game = after(sketch, "h1-c1")
    assert legal(game) == {"p-c1", "a-c1", "end"}
    with pytest.raises(IllegalMove, match="no card at h1"):
        game.play(Move.parse("h1-a"))
    game = game.play(END)
    assert (game.table.to_move, game.table.places[0].hand.count(None)) == (1, 5)
    with pytest.raises(IllegalMove, match="only a player with an empty hand"):
        game.play(END)


@pytest.mark.parametrize(
    ("tops", "tie_break", "begins"),
    [("KC QC", 1, 0), ("QC KC", 0, 1), ("7C 7D", 1, 1), ("7C 7D", 0, 0), ("AC 2C", 0, 1)],
)
def test_case_60_the_higher_upcard_begins_king_high_ace_low(tops: str, tie_break: int, begins: int) -> None:
    table = deal(STANDARD, tie_break)
    for seat, top in enumerate(tops.split()):
        table = turn_up(table, seat, Card.parse(top))
    assert (table.to_move, table.began, table.turn) == (begins, begins, 1)


def test_case_60_equal_upcards_let_seat_1_begin_game_1_and_then_who_did_not_begin_before() -> None:
    score = Score()
    assert score.tie_break == 1
    assert score.after(Outcome(How.TIE, None, 0), 1).tie_break == 0
    assert score.after(Outcome(How.TIE, None, 0), 0).tie_break == 1


def test_case_61_who_resigns_gives_his_pay_off_pile() -> None:
    table = Sketch(hand="JS", other_pay_off=13).game().table
    assert table.to_move == 0
    assert resign(table, 1).outcome == Outcome(How.RESIGN, 0, 13)
    assert resign(deal(STANDARD, 1), 0).outcome == Outcome(How.RESIGN, 1, 20)
    assert resign(deal(QUICK, 1), 1).outcome == Outcome(How.RESIGN, 0, 10)


def test_case_62_a_variant_that_leaves_too_small_a_stock_is_refused_with_its_numbers() -> None:
    with pytest.raises(
        Misread, match="2 packs with a pay-off of 38 leave a stock of 18 cards; it must hold at least 20"
    ):
        Variant.parse("packs=2,pay_off=38")
    assert Variant.parse("pay_off=37").stock == 20


def test_case_63_the_discard_that_ends_turn_500_is_a_tie() -> None:
    table = after(Sketch(turn=500, hand="JS"), "h1-a").table
    assert (table.outcome, table.turn) == (Outcome(How.TIE, None, 0), 500)
    assert after(Sketch(turn=499, hand="JS"), "h1-a").table.to_move == 1
