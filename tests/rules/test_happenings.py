"""What happened is told in the order in which it happened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, game_of, variants

from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import (
    Completed,
    Discarded,
    Drew,
    Finished,
    Happening,
    Passed,
    Played,
    Reshuffled,
    Resigned,
    StockRanOut,
    TurnBegan,
    TurnedUp,
    TurnsRanOut,
    given_up,
    happened,
    shown,
)
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.parts import How, Outcome
from sm_p2p.rules.play import deal, play, resign, settle, turn_up
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import STANDARD, Variant

TIE = Finished(Outcome(How.TIE, None, 0))


def told(sketch: Sketch, text: str) -> tuple[Happening, ...]:
    game, move = sketch.game(), Move.parse(text)
    card = game.card(move)
    return happened(game.table, move, card, play(game.table, move, card))


def test_a_play_tells_what_the_card_stands_for() -> None:
    move, king = Move.parse("h1-c2"), Card.parse("KS")
    assert told(Sketch(centre=(0, 7, 0), hand="KS 9S"), "h1-c2") == (Played(0, move, king, 8),)
    assert told(Sketch(centre=(0, 7, 0), sides="KS/-/-/-"), "a-c2") == (Played(0, Move.parse("a-c2"), king, 8),)


def test_a_completed_stack_is_told_before_the_refill_that_follows() -> None:
    events = told(Sketch(centre=(11, 0, 0), stock=3, hand="QS"), "h1-c1")
    stack = tuple(Card(rank << 4) for rank in range(1, 12))
    queen = Card.parse("QS")
    assert events == (
        Played(0, Move.parse("h1-c1"), queen, 12),
        Completed(0, (*stack, queen)),
        Reshuffled(15),
        Drew(0, 5),
    )


def test_a_refill_is_a_draw() -> None:
    assert told(Sketch(centre=(3, 0, 0), hand="4S"), "h1-c1")[1:] == (Drew(0, 5),)


def test_a_discard_is_followed_by_the_next_turn_and_its_draw() -> None:
    discard = Discarded(0, Move.parse("h1-c"), Card.parse("JS"))
    assert told(Sketch(other_hand=3), "h1-c") == (discard, TurnBegan(1, 10), Drew(1, 2))
    assert told(Sketch(), "h1-c") == (discard, TurnBegan(1, 10))


def test_a_turn_can_end_without_a_card() -> None:
    assert told(Sketch("refill=next-turn", hand="x"), "end") == (Passed(0), TurnBegan(1, 10))


def test_a_stock_that_runs_out_is_told_with_its_numbers() -> None:
    assert told(Sketch(centre=(3, 0, 0), stock=3, hand="4S"), "h1-c1")[1:] == (StockRanOut(0, 5, 3), TIE)
    for seat in (0, 1):
        ended = told(Sketch(seat=seat, stock=1, other_hand=3), "h1-a")[1:]
        assert ended == (TurnBegan(1 - seat, 10), StockRanOut(1 - seat, 2, 1), TIE)


def test_the_last_turn_is_told() -> None:
    assert told(Sketch(turn=500), "h1-a")[1:] == (TurnsRanOut(500), TIE)


def test_a_win_is_told_and_nothing_after_it() -> None:
    sketch = Sketch(centre=(11, 0, 0), pay_off=1, top="QS", other_pay_off=4)
    won = Finished(Outcome(How.WIN, 0, 4))
    assert told(sketch, "p-c1") == (Played(0, Move.parse("p-c1"), Card.parse("QS"), 12), won)


def test_a_card_turned_up_is_told_with_what_is_left() -> None:
    due = play(Sketch(centre=(3, 0, 0), top="4S", pay_off=7).game().table, Move.parse("p-c1"))
    assert shown(due, settle(due, Card.parse("9S"))) == (TurnedUp(0, Card.parse("9S"), 6),)
    refilled = play(Sketch(centre=(3, 0, 0), hand="4S").game().table, Move.parse("h1-c1"), Card.parse("4S"))
    assert shown(refilled, settle(refilled)) == ()


def test_the_deal_ends_with_the_first_turn() -> None:
    table = deal(STANDARD, 1)
    first = turn_up(table, 1, Card.parse("9S"))
    second = turn_up(first, 0, Card.parse("8S"))
    assert shown(table, first) == (TurnedUp(1, Card.parse("9S"), 20),)
    assert shown(first, second) == (TurnedUp(0, Card.parse("8S"), 20), TurnBegan(1, 1))


def test_resigning_is_told() -> None:
    table = Sketch(pay_off=6).game().table
    assert given_up(0, resign(table, 0)) == (Resigned(0), Finished(Outcome(How.RESIGN, 1, 6)))
    assert given_up(0, table) == ()


def test_tables_that_do_not_follow_each_other_are_a_bug() -> None:
    table = Sketch().game().table
    with pytest.raises(TypeError):
        happened(table, Move.parse("h1-a"), None, table)
    with pytest.raises(TypeError):
        happened(deal(STANDARD, 1), END, None, table)


def steps(variant: Variant, seed: int) -> list[tuple[Table, Table, tuple[Happening, ...]]]:
    """Each move of a game, told: the table before, the settled one after, and all that happened between."""
    found = []
    for move, before, game in game_of(variant, seed):
        card = before.card(move)
        after = play(before.table, move, card)
        events = happened(before.table, move, card, after)
        found.append((before.table, game.table, events + (shown(after, game.table) if after.owed else ())))
    return found


@FEW
@given(variants(), st.integers(0, 10_000))
def test_what_is_told_accounts_for_every_change_of_the_numbers(variant: Variant, seed: int) -> None:
    for before, after, events in steps(variant, seed):
        stock = 12 * sum(isinstance(event, Completed) for event in events)
        stock -= sum(event.count for event in events if isinstance(event, Drew))
        assert after.stock_count == before.stock_count + stock
        assert after.turn - before.turn == sum(isinstance(event, TurnBegan) for event in events)
        assert [event for event in events if isinstance(event, Finished)] == (
            [Finished(after.outcome)] if after.outcome else []
        )
        tops = [event.card for event in events if isinstance(event, TurnedUp)]
        pay_off = [event for event in events if isinstance(event, Played) and event.move.source == "p"]
        assert len(tops) == (len(pay_off) if after.outcome is None else 0)
        heights = sum(isinstance(event, Played) for event in events)
        heights -= 12 * sum(isinstance(event, Completed) for event in events)
        assert sum(after.heights) == sum(before.heights) + heights
