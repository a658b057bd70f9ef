"""Two computers who are killed in the middle of whatever they do: they come back, and the match is whole."""

from pathlib import Path
from random import Random

from apart import assert_same_and_whole
from kills import Killing
from seated import lay

from sm_p2p.watch.replay import UNPROVED

KILLS = 5
"""`scripts/soak kill` has a hundred of them."""
MATCHES = 5  # in which they come at the latest; one may be over before


def test_a_match_whose_players_are_killed_again_and_again_is_played_to_its_end_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    left = KILLS
    for number in range(MATCHES):
        home = tmp_path / str(number)
        lay(home)
        table = Killing(home, Random(number))
        table.play(left)
        assert_same_and_whole([player.home for player in table.both], UNPROVED)
        left -= table.kills.total()
        if left <= 0:
            return
    raise AssertionError(f"{left} kills have not come")
