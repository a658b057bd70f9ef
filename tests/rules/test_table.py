"""The one-line text of a table, and what it refuses."""

import pytest

from sm_p2p.errors import UsageError
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.parts import Outcome, Owed, Place, Stock
from sm_p2p.rules.play import deal, play, resign, turn_up
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import QUICK

GOOD = "quick 9 0 1 1 0:50-104 AC,KD/-/- 3=8H 0.40,-,-,-,- -/9S/-/- 7=KC 0.45,-,-,-,- -/-/-/- -"
OVER = "quick 9 - 1 1 0:50-104 AC,KD/-/- 0 0.40,-,-,-,- -/9S/-/- 7=KC 0.45,-,-,-,- -/-/-/- win:0:7"
RUN = "AC,2C,3C,4C,5C,6C,7C,8C,9C,10C,JC"


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        OVER,
        OVER.replace("win:0:7", "resign:0:7"),
        GOOD.replace("0:50-104", "0:30-104").replace("0.40", "0.20").replace("0.45", "0.29"),
        OVER.replace("AC,KD/-/-", f"{RUN},QC/-/-"),
        OVER.replace(" 0 0.40", " 3=8H 0.40").replace("win:0:7", "tie"),
        OVER.replace(" 0 0.40", " 3=8H 0.40").replace("win:0:7", "win:0:4"),
        GOOD.replace("0.40,-", "0.40,0.49").replace(" -/-/-/- -", " -/-/-/- drew:0:49-50"),
        GOOD.replace("3=8H", "3").replace(" -/-/-/- -", " -/-/-/- owes:top"),
        GOOD.replace("quick", "quick,refill=next-turn").replace("0.40", "-"),
    ],
)
def test_a_text_of_a_position_is_read_and_written_the_same(text: str) -> None:
    table = Table.parse(text)
    assert str(table) == text
    assert repr(table) == f"Table.parse('{text}')"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("quick 9", "quick  9", "14 words"),
        ("quick", "slow", "no variant slow"),
        ("quick", "quick,pay_off=10", "not written in the one way"),
        (" 9 ", " 09 ", "not written in the one way"),
        (" 9 ", " x ", "a number was expected"),
        (" 9 ", " 501 ", "contradict each other"),
        (" 9 ", " 0 ", "contradict each other"),
        ("9 0 1 1", "9 - 1 1", "contradict each other"),
        ("9 0 1 1", "9 0 - 1", "contradict each other"),
        ("9 0 1 1", "9 2 1 1", "a seat is 0 or 1"),
        ("9 0 1 1", "9 0 1 -", "somebody must begin"),
        ("0:50-104", "0:50", "DECK:NEXT-END"),
        ("0:50-104", "50-104", "DECK:NEXT-END"),
        ("0:50-104", "0:50-103", "the deck has no such stock"),
        ("0:50-104", "0:29-104", "the deck has no such stock"),
        ("0:50-104", "1:50-49", "the deck has no such stock"),
        ("0:50-104", "1:50-105", "the deck has no such stock"),
        ("0:50-104", "0:45-104", "never drawn"),
        ("AC,KD/-/-", "AC,KD/-", "3 piles"),
        ("AC,KD/-/-", "AC,3D/-/-", "not built upwards"),
        ("AC,KD/-/-", "AC,9S/-/-", "twice"),
        ("AC,KD/-/-", "AC,KC/-/-", "twice"),
        ("AC,KD/-/-", f"{RUN},QC/-/-", "completed stack lies"),
        ("AC,KD/-/-", "AC,KD.2/-/-", "of no pack"),
        ("AC,KD/-/-", "AC,,KD/-/-", "not a card"),
        ("3=8H", "3", "should lie open"),
        ("3=8H", "3=", "not a card"),
        ("3=8H", "0", "so many cards"),
        ("3=8H", "11=8C", "so many cards"),
        ("0.40,-,-,-,-", "0.40,-,-,-", "5 places"),
        ("0.40,-,-,-,-", "-,-,-,-,-", "no hand"),
        ("0.40,-,-,-,-", "0.45,-,-,-,-", "twice"),
        ("0.40,-,-,-,-", "0.19,-,-,-,-", "never drawn"),
        ("0.40,-,-,-,-", "0.50,-,-,-,-", "never drawn"),
        ("0.40,-,-,-,-", "0.104,-,-,-,-", "never drawn"),
        ("0.40,-,-,-,-", "0.256,-,-,-,-", "no such place"),
        ("0:50-104 AC,KD/-/- 3=8H 0.40", "2:50-104 AC,KD/-/- 3=8H 1.104", "never drawn"),
        ("0.40,-,-,-,-", "40,-,-,-,-", "a number was expected"),
        ("-/9S/-/-", "9S/-/-", "4 piles"),
        ("-/-/-/- -", "-/-/-/- won", "an outcome is"),
        ("-/-/-/- -", "-/-/-/- win:2:7", "an outcome is"),
        ("-/-/-/- -", "-/-/-/- tie", "contradict each other"),
        ("-/-/-/- -", "-/-/-/- drew:0:49-50", "does not lie where the stock was"),
        ("-/-/-/- -", "-/-/-/- drew:0:40-41", "does not lie where the stock was"),
        ("-/-/-/- -", "-/-/-/- drew:-", "not written in the one way"),
        ("-/-/-/- -", "-/-/-/- owes:", "owed are"),
        ("-/-/-/- -", "-/-/-/- owes:cards", "owed are"),
        ("-/-/-/- -", "-/-/-/- owes:draw=-", "nothing can be owed"),
        ("-/-/-/- -", "-/-/-/- owes:top", "open too early"),
        ("-/-/-/- -", "-/-/-/- owes:shuffle=AD,2D@-", "12 cards"),
        ("-/-/-/- -", "-/-/-/- owes:draw=0:40-41", "does not lie where the stock was"),
        ("0:50-104", "1:0-104", "more cards than"),
    ],
)
def test_a_text_of_no_position_is_refused_with_its_problem(old: str, new: str, problem: str) -> None:
    assert GOOD.count(old) >= 1
    with pytest.raises(UsageError, match=problem):
        Table.parse(GOOD.replace(old, new, 1) if old != "-/-/-/- -" else GOOD[: -len(old)] + new)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (" 0 0.40", " 0=8C 0.40", "open too early"),
        ("win:0:7", "win:0:6", "points"),
        ("win:0:7", "win:1:7", "points"),
        ("win:0:7", "resign:1:7", "points"),
        ("AC,KD/-/-", f"{RUN},QC/{RUN.replace('C', 'D')},QD/-", "completed stack lies"),
        ("9 - 1", "9 0 1", "contradict each other"),
        (
            "AC,KD/-/- 0 0.40,-,-,-,- -/9S/-/- 7=KC",
            f"{RUN},QC/-/- 7=8H 0.40,-,-,-,- -/-/-/- 7=KC",
            "completed stack lies",
        ),
    ],
)
def test_a_text_of_no_end_is_refused_with_its_problem(old: str, new: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        Table.parse(OVER.replace(old, new, 1))


def test_a_refill_is_of_five_cards_and_the_stock_is_what_was_shuffled() -> None:
    game = Sketch(centre=(11, 0, 0), stock=7, hand="QS").game()
    text = str(play(game.table, Move.parse("h1-c1"), Card.parse("QS")))
    assert text.endswith("QS@0:97-104;draw=1:0-5")
    assert Table.parse(text).stock == (1, 5, 19)
    for old, new, problem in (
        ("draw=1:0-5", "draw=1:1-5", "refilled with five"),
        ("0:97-104", "0:98-104", "not what was shuffled"),
        ("0:97-104", "2:97-104", "not what was shuffled"),
        ("shuffle=AC", "shuffle=9D", "not built upwards"),
    ):
        with pytest.raises(UsageError, match=problem):
            Table.parse(text.replace(old, new))


def test_every_table_of_the_deal_has_its_text() -> None:
    table = deal(QUICK, 0)
    up = turn_up(table, 1, Card.parse("KS"))
    for step in (table, up, resign(table, 1), resign(up, 0)):
        assert Table.parse(str(step)) == step


def test_the_numbers_of_a_table_hold_every_public_thing_in_six_sections() -> None:
    table = Table.parse(GOOD)
    assert table.sections() == (
        (0, 50, 104),
        (2, 16, 209, 0, 0),
        (0, 1, 147, 0, 0, 0, 0, 0, 0),
        (3, 130, 7, 208),
        (40, 0, 0, 0, 0, 45, 0, 0, 0, 0),
        (9, 0, 1, 1, 0, 0, 2, 0, 0),
    )
    assert all(type(number) is int for section in table.sections() for number in section)
    assert deal(QUICK, 0).sections()[3] == (10, 0, 10, 0)
    assert deal(QUICK, 0).sections()[5] == (0, 2, 2, 0, 0, 0, 2, 0, 0)
    assert Table.parse(OVER).sections()[5] == (9, 2, 1, 1, 0, 1, 0, 7, 0)


def test_what_is_owed_is_in_the_numbers() -> None:
    game = Sketch(centre=(11, 0, 0), stock=2, hand="QS").game()
    table = play(game.table, Move.parse("h1-c1"), Card.parse("QS"))
    assert isinstance(table.owed, Owed)
    stack = tuple(rank << 4 for rank in range(1, 12))
    assert table.sections()[5] == (
        *(9, 0, 0, 1, 0, 0, 2, 0, 1, 0),
        *(12, *stack, 12 << 4 | 3, 2, 102, 103, 5, 256, 257, 258, 259, 260),
    )
    assert all(type(number) is int for number in table.sections()[5])


@pytest.mark.parametrize("part", [Place, Stock, Owed, Outcome])
def test_no_part_of_a_table_is_made_of_nothing(part: type[Place | Stock | Owed | Outcome]) -> None:
    with pytest.raises(UsageError, match="is not part of a table"):
        part.parse("")
