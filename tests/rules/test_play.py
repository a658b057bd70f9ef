"""Dealing, turning up, playing, settling, resigning: each refusal with its reason."""

import pytest

from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.moves import MOVES, Move
from sm_p2p.rules.parts import How, Outcome, Slot
from sm_p2p.rules.play import deal, play, resign, settle, turn_up
from sm_p2p.rules.reasons import Reason, Refused
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import QUICK, STANDARD, Variant


def refusal(table: Table, move: str, card: str | None = None) -> Refused:
    with pytest.raises(Refused) as refused:
        play(table, Move.parse(move), None if card is None else Card.parse(card))
    return refused.value


def test_the_places_of_the_first_deck_are_pay_off_hands_stock() -> None:
    table = deal(QUICK, 1)
    assert [table.top_slot(seat) for seat in (0, 1)] == [9, 19]
    assert [place.hand for place in table.places] == [(20, 21, 22, 23, 24), (25, 26, 27, 28, 29)]
    assert (table.stock, table.turn, table.to_move, table.began) == ((0, 30, 104), 0, None, None)
    assert [place.top for place in table.places] == [None, None]


def test_the_next_pay_off_card_lies_one_place_lower_until_none_is_left() -> None:
    table = Sketch(centre=(1, 0, 0), top="2S", pay_off=2).game().table
    assert (table.top_slot(0), table.top_slot(1)) == (1, 39)
    table = settle(play(table, Move.parse("p-c1")), Card.parse("3S"))
    assert table.top_slot(0) == 0
    assert play(table, Move.parse("p-c1")).top_slot(0) is None


def test_nobody_moves_during_the_deal() -> None:
    table = turn_up(deal(STANDARD, 1), 1, Card.parse("KS"))
    assert table.to_move is None
    for move in MOVES:
        assert refusal(table, str(move), "KS").reason is Reason.NOT_BEGUN


def test_a_top_is_turned_up_once_and_only_with_a_card_of_the_game() -> None:
    table = turn_up(deal(STANDARD, 1), 0, Card.parse("KS"))
    with pytest.raises(Refused, match="no card is due"):
        turn_up(table, 0, Card.parse("KD"))
    with pytest.raises(Refused, match=r"there is no KD\.2 in this game"):
        turn_up(table, 1, Card.parse("KD.2"))
    assert turn_up(deal(Variant(packs=3), 1), 1, Card.parse("KD.2")).places[1].top == Card.parse("KD.2")


def test_no_top_is_turned_up_after_the_end() -> None:
    with pytest.raises(Refused, match="the game is over"):
        turn_up(resign(deal(STANDARD, 1), 0), 0, Card.parse("KS"))


@pytest.mark.parametrize(
    ("move", "card", "reason", "sentence"),
    [
        ("h2-c1", "AS", Reason.EMPTY_PLACE, "there is no card at h2"),
        ("b-c1", None, Reason.EMPTY_PLACE, "there is no card at b"),
        ("b-c", None, Reason.EMPTY_PLACE, "there is no card at b"),
        ("h1-c4", "5S", Reason.NO_SUCH_STACK, "there are 3 centre stacks, c4 is not one of them"),
        ("h1-c1", "5S", Reason.DOES_NOT_FIT, "5 needs 4 beneath it, and c1 waits for J"),
        ("a-c2", None, Reason.DOES_NOT_FIT, "10 needs 9 beneath it, and c2 waits for 4"),
        ("p-c1", None, Reason.ACE_NEEDS_EMPTY, "an ace needs an empty stack, and c1 waits for J"),
        ("a-a", None, Reason.ONLY_TO_CENTRE, "the card at a can only go to a centre stack"),
        ("p-b", None, Reason.ONLY_TO_CENTRE, "the card at p can only go to a centre stack"),
        ("end", None, Reason.NO_END, "a turn ends with a card from the hand onto a side stack"),
        ("h1-a", None, Reason.FACE_MISSING, "a card that leaves the hand has to be shown"),
        ("p-c3", "AD", Reason.WRONG_CARD, "the card at p is not AD"),
        ("a-c1", "10D", Reason.WRONG_CARD, "the card at a is not 10D"),
        ("h1-a", "5S.2", Reason.FOREIGN_CARD, r"there is no 5S.2 in this game"),
    ],
)
def test_a_refused_move_says_why(move: str, card: str | None, reason: Reason, sentence: str) -> None:
    table = Sketch(centre=(10, 3, 0), hand="5S", top="AS", sides="10H/-/-/-").game().table
    refused = refusal(table, move, card)
    assert (refused.reason, str(refused)) == (reason, sentence)
    assert reason.format(**refused.values) == sentence


@pytest.mark.parametrize(
    ("hand", "card", "reason"), [("5S", None, Reason.HAND_NOT_EMPTY), ("x", "5S", Reason.WRONG_CARD)]
)
def test_end_needs_an_empty_hand_and_moves_no_card(hand: str, card: str | None, reason: Reason) -> None:
    table = Sketch("refill=next-turn", hand=hand).game().table
    assert refusal(table, "end", card).reason is reason


def test_the_card_that_lies_open_may_be_named_or_not() -> None:
    table = Sketch(hand="5S", top="AS", sides="AH/-/-/-").game().table
    for move, card in (("p-c1", "AS"), ("a-c1", "AH")):
        assert play(table, Move.parse(move)) == play(table, Move.parse(move), Card.parse(card))


def test_what_is_owed_must_come_and_nothing_else() -> None:
    game = Sketch(centre=(3, 11, 0), hand="QS 9S", top="4S").game()
    with pytest.raises(Refused, match="no card is due"):
        settle(game.table)
    due = play(game.table, Move.parse("p-c1"))
    with pytest.raises(Refused, match="has to be turned up"):
        settle(due)
    with pytest.raises(Refused, match="there is no"):
        settle(due, Card.parse("9C.3"))
    shuffling = play(game.table, Move.parse("h1-c2"), Card.parse("QS"))
    with pytest.raises(Refused, match="no card is due"):
        settle(shuffling, Card.parse("9C"))
    assert settle(shuffling).owed is None
    assert settle(due, Card.parse("9C")).places[0].top == Card.parse("9C")


def test_a_pay_off_card_that_completes_a_stack_owes_a_shuffle_and_the_next_top() -> None:
    game = Sketch(centre=(11, 0, 0), hand="9S", top="QS", stock=30).game()
    owed = play(game.table, Move.parse("p-c1")).owed
    assert owed is not None
    assert (owed.top, owed.draws, len(owed.shuffle)) == (True, (), 12)
    assert owed.hidden == tuple(map(Slot, range(74, 104)))


def test_a_stack_is_completed_from_an_exhausted_stock_too() -> None:
    table = Sketch(centre=(11, 0, 0), hand="QS", stock=0).game().table
    after = play(table, Move.parse("h1-c1"), Card.parse("QS"))
    assert after.owed is not None
    assert (after.owed.hidden, after.stock) == ((), (1, 5, 12))
    assert Table.parse(str(after)) == after


def test_a_play_from_elsewhere_never_refills_an_empty_hand() -> None:
    table = Sketch("refill=next-turn", hand="x", top="AS").game().table
    owed = play(table, Move.parse("p-c1")).owed
    assert owed is not None
    assert owed.draws == ()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_can_be_given_up_at_any_time_but_after_its_end(seat: int) -> None:
    game = Sketch(centre=(3, 0, 0), hand="9S", top="4S", other_pay_off=7).game()
    owing = play(game.table, Move.parse("p-c1"))
    over = resign(owing, seat)
    assert over.outcome == Outcome(How.RESIGN, 1 - seat, (19, 7)[seat])
    assert (over.owed, over.to_move, over.drawn) == (None, None, ())
    with pytest.raises(Refused, match="the game is over"):
        resign(over, 1 - seat)
    with pytest.raises(Refused, match="no card is due"):
        settle(over, pack(2)[0])


def test_what_the_next_player_drew_is_told_until_he_moves() -> None:
    game = Sketch(hand="9S", other_hand=2).game().play(Move.parse("h1-a"))
    assert game.table.drawn == game.table.places[1].hand[2:]
    assert game.play(Move.parse("h1-a")).table.places[1].hand[1:] == game.table.places[1].hand[1:]
    assert resign(game.table, 0).drawn == ()


def test_an_open_card_is_what_lies_on_top_where_the_move_starts() -> None:
    table = Sketch(hand="9S", top="4S", sides="2S,3S/-/-/-").game().table
    found = [table.open_card(Move.parse(move)) for move in ("p-c1", "a-c1", "b-c1", "h1-c1", "end")]
    assert found == [Card.parse("4S"), Card.parse("3S"), None, None, None]
    assert [table.hand_slot(Move.parse(move)) for move in ("h1-a", "h2-a", "p-c1")] == [40, None, None]
    over = resign(table, 0)
    assert (over.open_card(Move.parse("p-c1")), over.hand_slot(Move.parse("h1-a"))) == (None, None)
