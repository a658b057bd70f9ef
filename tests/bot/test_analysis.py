"""What each legal move is worth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, variants

from sm_p2p.bot.analysis import Option, judgements, options
from sm_p2p.bot.levels import best_line, move_of
from sm_p2p.bot.position import position_of
from sm_p2p.bot.simulate import Series
from sm_p2p.bot.values import TIE, chance
from sm_p2p.rules.open_game import open_game
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import QUICK, Variant


@FEW
@given(variants(), st.integers(0, 10_000), st.integers(0, 60))
def test_every_legal_move_has_a_chance_and_the_best_comes_first(variant: Variant, seed: int, at: int) -> None:
    series = Series("greedy", "play-first", variant, seed)
    found = [game for _, game in series.play(0) if game.table.to_move is not None]
    game = found[min(at, len(found) - 1)]
    view = game.view(game.table.to_move or 0)
    worth = options(view)
    assert sorted(option.move for option in worth) == [*view.legal_moves]
    assert [option.chance for option in worth] == sorted((option.chance for option in worth), reverse=True)
    assert all(0 <= option.chance <= 1 for option in worth)


def test_places_that_make_no_difference_are_worth_the_same() -> None:
    worth = dict(options(Sketch(centre=(4, 4, 8), hand="5S 5H.1 JS", top="2H.1").game().view(0)))
    named = {str(move): value for move, value in worth.items()}
    assert len({named[move] for move in ("h1-c1", "h1-c2", "h2-c1", "h2-c2")}) == 1
    assert len({named[move] for move in ("h3-a", "h3-b", "h3-c", "h3-d")}) == 1


def test_the_move_of_the_hardest_level_is_among_the_best() -> None:
    game = open_game(QUICK, 3)
    for seed in range(8):
        series = Series("hard", "hard", QUICK, seed)
        for number, (_, game) in enumerate(series.play(0)):
            if number > 12 or game.table.to_move is None:
                break
            view = game.view(game.table.to_move)
            best, *_ = options(view)
            position = position_of(view)
            move = move_of(view, best_line(position).steps[0])
            mine = next(option for option in options(view) if option.move == move)
            assert best.chance - mine.chance < 0.05, (game.table, best, mine)


def test_a_win_and_a_loss_are_seen() -> None:
    best, *others = options(Sketch(centre=(3, 0, 0), hand="4S 9S", top="5H", pay_off=1).game().view(0))
    assert (str(best.move), best.chance) == ("h1-c1", 1)
    assert all(option.chance < 1 for option in others)
    gift = Sketch(centre=(5, 1, 1), hand="6S 9S", top="QH", other_top="7D", other_pay_off=1).game()
    worth = {str(option.move): option.chance for option in options(gift.view(0))}
    assert worth["h2-a"] > worth["h1-c1"]


def test_whoever_is_not_to_move_has_no_options() -> None:
    assert options(Sketch().game().view(1)) == ()


def test_an_end_without_a_hand_is_an_option() -> None:
    (option,) = options(Sketch("refill=next-turn", hand="x", top="9H").game().view(0))
    assert str(option.move) == "end"


def test_a_game_is_judged_move_by_move() -> None:
    series = Series("play-first", "greedy", QUICK, 5)
    moves = [*series.play(0)]
    judged = [*judgements(series.start(0), moves)]
    assert [one.made.move for one in judged] == [move for move, _ in moves]
    assert all(one.loss >= 0 for one in judged)
    assert sum(one.loss for one in judged if one.seat == 0) > sum(one.loss for one in judged if one.seat == 1)


def test_a_tie_is_better_than_a_game_that_is_clearly_lost() -> None:
    assert chance(TIE) == pytest.approx(0.15, abs=0.001)
    assert Option(*options(Sketch(hand="9S").game().view(0))[0]).chance > 0
