"""The recorded games and their exports, read back through the package."""

from pathlib import Path

import pytest

from sm_p2p.watch.export import export_lines
from sm_p2p.watch.replay import UNPROVED, read_recording
from sm_p2p.watch.report import Standing
from sm_p2p.watch.verify import verify_file

GAMES = sorted((Path(__file__).parents[2] / "protocol" / "vectors" / "games").glob("*.smlog"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_is_good(path: Path) -> None:
    assert verify_file(path).standing in {Standing.COMPLETE, Standing.INCOMPLETE}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_is_exported_to_the_recorded_lines(path: Path) -> None:
    recording = read_recording(path)
    for form in ("", "-open"):
        lines = export_lines(recording, UNPROVED, is_open=bool(form))
        recorded = path.with_name(f"{path.stem}{form}.jsonl").read_text(encoding="ascii")
        assert recorded == "".join(f"{line}\n" for line in lines)


def test_there_are_recorded_games() -> None:
    assert len(GAMES) >= 3
