"""The table in plain lines."""

from typing import Final

from sm_p2p.errors import sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.ui.board import Stack, find_stack, hand_cards, hand_line, moves_lines, pile_at, stack_line, table_lines
from sm_p2p.ui.words import Words

TABLE: Final = Table.parse(
    "standard 14 0 1 1 0:60-104 AC,2D,3S,4S,5S,6S,7D/AS,KD,3D,KH/- "
    "17=8C 0.50,0.51,-,0.52,- QC,KC.1/9C/6C/- 18=KC 0.53,-,-,-,- 10S,9S/QD,JH/-/3S.1 -"
)
HAND: Final = tuple(slot for slot in TABLE.places[0].hand if slot is not None)
VIEW: Final = View(TABLE, 0, dict(zip(HAND, map(Card.parse, ("8D", "KS", "4C")), strict=True)))
MINE: Final = Words(("Ana", "Bo"), 0)
NOBODYS: Final = Words(("Ana", "Bo"))


def test_the_table_is_read_from_the_other_player_over_the_middle_to_oneself() -> None:
    assert table_lines(MINE, VIEW) == (
        "Bo: pay-off KC, 18 left; hand 1; side a 9S of 2, b JH of 2, c empty, d 3S of 1.",
        "Centre: c1 7D needs 8, c2 KH as 4 needs 5, c3 empty needs A; stock 44.",
        "You: pay-off 8C, 17 left; hand 3; side a KC of 2, b 9C of 1, c 6C of 1, d empty.",
    )
    assert hand_line(MINE, VIEW) == "Hand: h1 8D, h2 KS, h4 4C."


def test_an_onlooker_hears_both_by_name_and_no_hand() -> None:
    lines = table_lines(NOBODYS, View(TABLE, None, {}))
    assert [line.split(":")[0] for line in lines] == ["Ana", "Centre", "Bo"]
    assert hand_line(NOBODYS, View(TABLE, None, {})) == "Hand: empty."


def test_a_card_that_was_not_shown_yet_is_face_down() -> None:
    view = View(TABLE, 0, {})
    assert hand_line(MINE, view) == "Hand: h1 face down, h2 face down, h4 face down."
    assert hand_cards(view) == ("?", "?", None, "?", None)
    assert hand_cards(VIEW) == ("8D", "KS", None, "4C", None)


def test_every_move_is_listed() -> None:
    plays, discards = moves_lines(MINE, VIEW)
    assert plays.startswith(
        "Plays: p-c1 with 8C, h1-c1 with 8D, h2-c1 with KS, h2-c2 with KS, h2-c3 with KS, a-c1 with"
    )
    assert plays.endswith(" with KC, a-c2 with KC, a-c3 with KC.")
    assert discards == "Discards: h1, h2, h4, each onto a, b, c or d."
    assert moves_lines(MINE, View(TABLE, 1, {})) == ("You cannot move now.",)


def test_without_a_play_only_discards_are_listed() -> None:
    table = Table.parse("standard 3 0 0 1 0:50-104 -/-/- 20=8C 0.40,-,-,-,- -/-/-/- 20=9C 0.45,-,-,-,- -/-/-/- -")
    view = View(table, 0, {sure(table.places[0].hand[0]): Card.parse("9D")})
    assert moves_lines(MINE, view) == ("Plays: none.", "Discards: h1, each onto a, b, c or d.")


def test_end_is_listed_where_it_exists() -> None:
    table = Table.parse(
        "standard,refill=next-turn 3 0 0 1 0:50-104 AS/-/- 20=2C -,-,-,-,- -/-/-/- 20=9C 0.45,-,-,-,- -/-/-/- -"
    )
    assert moves_lines(MINE, View(table, 0, {})) == ("Plays: p-c1 with 2C.", "The move end ends the turn.")


def test_a_stack_is_listed_from_its_top_and_kings_with_what_they_stand_for() -> None:
    said = {
        "a": "Your side stack a, the top first: KC, QC.",
        "d": "Your side stack d is empty.",
        "A": "Bo's side stack a, the top first: 9S, 10S.",
        "C": "Bo's side stack c is empty.",
        "c1": "c1, the top first: 7D, 6S, 5S, 4S, 3S, 2D, AC; it needs 8.",
        "c2": "c2, the top first: KH as 4, 3D, KD as 2, AS; it needs 5.",
        "c3": "c3 is empty and needs A.",
    }
    for name, line in said.items():
        at = find_stack(VIEW, name)
        assert at is not None
        assert stack_line(MINE, TABLE, at) == line


def test_a_stack_that_this_game_does_not_have_is_not_found() -> None:
    assert find_stack(VIEW, "c4") is None
    assert find_stack(VIEW, "e") is None
    assert find_stack(VIEW, "ab") is None
    assert find_stack(View(TABLE, None, {}), "a") is None
    four = TABLE._replace(variant=Variant.parse("centres=4"), centre=(*TABLE.centre, ()))
    assert find_stack(View(four, 0, {}), "c4") == Stack(None, 3)
    assert pile_at(four, Stack(1, 1)) == TABLE.places[1].sides[1]


def test_a_stack_that_won_the_game_needs_nothing() -> None:
    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J")
    full = (*(Card.parse(f"{rank}S") for rank in ranks), Card.parse("KS"))
    table = TABLE._replace(centre=(full, (), ()))
    assert stack_line(MINE, table, Stack(None, 0)).endswith("AS; it needs -.")
    assert table_lines(MINE, View(table, 0, {}))[1].startswith("Centre: c1 KS as Q needs -, ")


def test_a_pay_off_pile_that_is_gone_or_face_down_is_said_so() -> None:
    first, second = TABLE.places
    table = TABLE._replace(places=(first._replace(pay_off=0, top=None), second._replace(top=None)))
    theirs, _, mine = table_lines(MINE, View(table, 0, {}))
    assert theirs.startswith("Bo: pay-off face down, 18 left;")
    assert mine.startswith("You: pay-off none, 0 left;")
