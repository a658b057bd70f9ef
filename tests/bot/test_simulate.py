"""Series of open games between named opponents."""

from itertools import count

import pytest

from sm_p2p.bot.greedy import choose
from sm_p2p.bot.opponents import BOTS
from sm_p2p.bot.random_player import play_first, uniform
from sm_p2p.bot.simulate import Result, Series, Tally, ran_out, simulate, tally, wilson
from sm_p2p.errors import UsageError
from sm_p2p.rules.moves import Move
from sm_p2p.rules.parts import How, Outcome
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import QUICK, STANDARD
from sm_p2p.stream import Stream

SERIES = Series("greedy", "play-first", QUICK, 7)


def test_every_deal_is_played_twice_with_the_seats_swapped() -> None:
    results = list(simulate(SERIES, range(6)))
    assert [result.seat for result in results] == [0, 1, 0, 1, 0, 1]
    assert SERIES.start(2) == SERIES.start(3) != SERIES.start(4)


def test_a_series_is_a_function_of_its_seed() -> None:
    assert list(simulate(SERIES, range(4))) == list(simulate(SERIES, range(4)))
    assert list(simulate(SERIES, range(4))) != list(simulate(SERIES._replace(seed=8), range(4)))


def test_one_game_of_a_series_can_be_played_again_alone() -> None:
    third = list(simulate(SERIES, range(3)))[2]
    steps = list(SERIES.play(2))
    table = steps[-1][1].table
    assert (table.outcome, table.turn, table.stock.deck) == (third.outcome, third.turns, third.completed)
    assert third.plays == sum(move.target.startswith("c") and len(move.target) == 2 for move, _ in steps)


def test_parts_of_a_series_are_the_whole() -> None:
    whole = list(simulate(SERIES, range(6)))
    assert [*simulate(SERIES, range(4, 6)), *simulate(SERIES, range(4))] == [*whole[4:], *whole[:4]]


def test_who_thinks_is_timed_by_the_clock_that_was_handed_in() -> None:
    ticks = count()
    (result,) = simulate(SERIES, range(1), lambda: float(next(ticks)))
    moves = [game.table for _, game in SERIES.play(0)]
    assert sum(result.spent) == len(moves)
    assert result._replace(spent=(0.0, 0.0)) == next(simulate(SERIES, range(1)))


@pytest.mark.parametrize(
    ("sketch", "move", "has_run_out"),
    [
        (Sketch(centre=(3, 0, 0), hand="4H", stock=3), "h1-c1", True),
        (Sketch("stock_out=fewest", centre=(3, 0, 0), hand="4H", stock=3, pay_off=3), "h1-c1", True),
        (Sketch(centre=(3, 0, 0), hand="9H", stock=3, other_hand=1), "h1-a", True),
        (Sketch(centre=(1, 0, 0), hand="9H", top="2S", pay_off=1), "p-c1", False),
        (Sketch(hand="9H", turn=500), "h1-a", False),
    ],
)
def test_a_stock_that_ran_out_is_told_from_other_endings(sketch: Sketch, move: str, has_run_out: bool) -> None:  # noqa: FBT001
    before = sketch.game()
    after = before.play(Move.parse(move)).table
    assert after.outcome is not None
    assert ran_out(before.table, Move.parse(move), after) is has_run_out


def test_an_opponent_that_nobody_knows_is_refused_with_those_that_exist() -> None:
    with pytest.raises(
        UsageError, match="there is no opponent nobody; there are easy, medium, hard, greedy, play-first, random, or"
    ):
        list(simulate(SERIES._replace(second="nobody"), range(1)))


def test_each_opponent_plays_a_game_to_its_end() -> None:
    for name in BOTS:
        (result,) = simulate(Series(name, "greedy", QUICK, 1), range(1))
        assert isinstance(result.outcome, Outcome)


def test_greedy_beats_random_play() -> None:
    total = tally(simulate(Series("greedy", "play-first", STANDARD, 1), range(40)))
    assert wilson(total.won, total.won + total.lost)[0] > 0.75
    assert total.tied < 8


def test_what_games_look_like_between_players_who_play_whatever_fits() -> None:
    total = tally(simulate(Series("greedy", "greedy", STANDARD, 1), range(60)))
    assert 45 < total.turns / 60 < 80
    assert 100 < total.plays / 60 < 170
    assert 7 < total.completed / 60 < 13
    assert 4 < sum(total.points) / 60 < 9


def test_a_tally_counts_from_the_first_opponents_side() -> None:
    outcomes = [Outcome(How.WIN, 0, 3), Outcome(How.WIN, 0, 4), Outcome(How.TIE, None, 0)]
    results = [
        Result(game, game & 1, outcome, 10, 20, 2, ran_out=outcome.winner is None, spent=(0.5, 0.25))
        for game, outcome in enumerate(outcomes)
    ]
    assert tally(results) == Tally(
        games=3,
        won=1,
        lost=1,
        tied=1,
        points=(3, 4),
        turns=30,
        plays=60,
        completed=6,
        stock_outs=1,
        spent=(1.5, 0.75),
    )


def test_the_interval_holds_the_share_and_narrows_with_the_games() -> None:
    for games in (10, 100, 1000):
        low, high = wilson(games // 2, games)
        assert low < 0.5 < high
    assert wilson(0, 10)[0] == pytest.approx(0)
    assert wilson(10, 10)[1] == pytest.approx(1)


def test_random_players_choose_by_their_dice_alone() -> None:
    view = Sketch(centre=(3, 0, 0), hand="AS 4S 9S", top="9H").game().view(0)
    assert {uniform(Stream(seed))(view) for seed in range(400)} == set(view.legal_moves)
    assert {str(play_first(Stream(seed))(view)) for seed in range(60)} == {"h1-c2", "h1-c3", "h2-c1"}
    rest = Sketch(hand="9S").game().view(0)
    assert {play_first(Stream(seed))(rest) for seed in range(60)} == set(rest.legal_moves)
    assert uniform(Stream(1))(view) == uniform(Stream(1))(view)
    assert choose(view) == choose(view)
