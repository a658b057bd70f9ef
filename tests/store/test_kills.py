"""Two computers who are killed in the middle of whatever they do: they come back, and the match is whole."""

from pathlib import Path
from random import Random

from apart import assert_same_and_whole
from kills import Killing
from seated import lay

from sm_p2p.watch.replay import UNPROVED

KILLS = 5
"""`scripts/soak kill` has a hundred of them."""


def test_a_match_whose_players_are_killed_again_and_again_is_played_to_its_end_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    lay(tmp_path)
    table = Killing(tmp_path, Random(1))
    table.play(KILLS)
    assert table.kills.total() >= KILLS
    assert_same_and_whole([player.home for player in table.both], UNPROVED)
