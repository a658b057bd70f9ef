"""The score of a match."""

import pytest

from sm_p2p.rules.parts import How, Outcome
from sm_p2p.rules.score import Score
from sm_p2p.rules.variant import QUICK, STANDARD

TIE = Outcome(How.TIE, None, 0)


def test_the_points_of_the_winner_add_up_and_are_not_capped() -> None:
    score = Score().after(Outcome(How.WIN, 1, 20), 0).after(Outcome(How.RESIGN, 1, 40), 1).after(TIE, 0)
    assert score == Score((0, 60), 3, 0)
    assert score.winner(STANDARD) == 1


@pytest.mark.parametrize(("points", "winner"), [((49, 49), None), ((50, 49), 0), ((0, 50), 1)])
def test_the_target_wins_the_match(points: tuple[int, int], winner: int | None) -> None:
    assert Score(points).winner(STANDARD) == winner


def test_with_target_1_the_first_decided_game_ends_the_match_and_a_tie_is_played_again() -> None:
    tied = Score().after(TIE, 1)
    assert tied.winner(QUICK) is None
    assert tied.after(Outcome(How.WIN, 0, 1), 0).winner(QUICK) == 0


def test_a_game_that_ends_in_the_deal_leaves_who_began_as_it_was() -> None:
    score = Score().after(Outcome(How.RESIGN, 0, 20), None)
    assert (score.began, score.tie_break) == (None, 1)
    score = score.after(TIE, 1).after(Outcome(How.RESIGN, 0, 20), None)
    assert (score.began, score.tie_break) == (1, 0)
