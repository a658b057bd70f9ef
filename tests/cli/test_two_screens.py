"""Two people at two full screens: a short match in the suite; `scripts/soak screens` plays quick ones."""

from pathlib import Path

from cli.conftest import SHORT
from cli.two_screens import played_by_keys


def test_two_people_at_two_full_screens_play_a_match_to_its_end_by_keys_alone(tmp_path: Path) -> None:
    report = played_by_keys(tmp_path, SHORT)
    assert max(report.score) > 0
    assert report.counts.audits == report.counts.games
