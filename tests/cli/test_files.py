"""The commands that read a log, and the one that plays open games: what they say, and what the shell is told."""

import json
from pathlib import Path

import pytest

from sm_p2p.cli.main import main
from sm_p2p.store.journal import Journal, read_journal

TIE = "standard,stock_out=empty"

Said = pytest.CaptureFixture[str]


@pytest.fixture
def log(tmp_path: Path, practice: Path) -> Path:
    """A log of a game that has begun."""
    (found,) = (practice / "data").glob("*.smlog")
    copy = tmp_path / "game.smlog"
    copy.write_bytes(found.read_bytes())
    return copy


def test_a_good_log_is_told_verified_and_exported(log: Path, capsys: Said) -> None:
    assert main(["verify", str(log)]) == 0
    assert "good as far as it goes" in capsys.readouterr().out
    assert main(["verify", "--json", str(log), str(log)]) == 0  # named twice, checked once
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [report["exit"] for report in reports] == [0]
    assert main(["replay", "--text", str(log)]) == 0
    told = capsys.readouterr().out
    assert "Ana" in told
    assert "Turn 1" in told
    for words in (["export"], ["replay", "--json"], ["export", "--open"]):
        assert main([*words, str(log)]) == 0
        out, err = capsys.readouterr()
        assert not err
        assert all(json.loads(line) for line in out.splitlines())


@pytest.mark.parametrize("words", [["replay"], ["export"], ["verify"]])
def test_a_log_that_ends_in_the_middle_of_an_entry_is_good_and_that_is_said(
    log: Path, capsys: Said, words: list[str]
) -> None:
    log.write_bytes(log.read_bytes()[:-5])
    assert main([*words, str(log)]) == 0
    out, err = capsys.readouterr()
    assert out
    assert err.count("\n") == (0 if words == ["verify"] else 1)


@pytest.mark.parametrize("words", [["replay"], ["export"], ["verify"]])
@pytest.mark.parametrize(
    ("place", "bits", "status"),
    [(0, 1, 3), (7, 2, 5), (300, 1, 3)],
    ids=["another sort", "another version", "damaged"],
)
def test_a_log_that_is_wrong_is_said_with_its_status_after_what_is_good(
    log: Path, capsys: Said, words: list[str], place: int, bits: int, status: int
) -> None:
    raw = bytearray(log.read_bytes())
    raw[place] ^= bits
    log.write_bytes(raw)
    assert main([*words, str(log)]) == status
    _, err = capsys.readouterr()
    assert str(log) in err.splitlines()[0]
    assert "Traceback" not in err


def test_a_log_with_a_wrong_signature_is_told_up_to_there(log: Path, capsys: Said) -> None:
    raws = [record.payload for record in read_journal(log).records]
    log.unlink()
    with Journal.create(log) as journal:
        for raw in (*raws[:3], raws[3][:-1] + bytes([raws[3][-1] ^ 1])):
            journal.append(raw)
    assert main(["replay", str(log)]) == 3
    out, err = capsys.readouterr()
    assert "joins the match" in out
    assert err.startswith(f"sm-p2p: {log}: bad-signature: entry 4")


def test_open_games_are_told_or_summed_up(capsys: Said) -> None:
    assert main(["simulate", "--games", "3", "--variant", "quick", "--seed", "7"]) == 0
    summed = capsys.readouterr().out
    assert summed.startswith("greedy against greedy, quick, seed 7: 3 games\n")
    assert main(["simulate", "--games", "3", "--variant", "quick", "--seed", "7", "--json"]) == 0
    sums = json.loads(capsys.readouterr().out)
    assert sums["games"] == 3
    assert sum(sums["wins"]) + sums["ties"] == 3
    assert main(["simulate", "--text", "--variant", "quick"]) == 0
    told = capsys.readouterr().out
    assert "greedy 1" in told
    assert "greedy 2" in told
    assert main(["simulate", "--text", "--variant", "quick", "--games", "2", "--players", "greedy,random"]) == 0
    assert capsys.readouterr().out.count("Turn 1 ") == 2


def test_a_series_of_ties_has_no_share_of_wins(capsys: Said) -> None:
    assert main(["simulate", "--games", "1", "--players", "random,random", "--seed", "3", "--variant", TIE]) == 0
    out = capsys.readouterr().out
    assert "0 won, 0 lost, 1 tied" in out
    assert "of the decided games" not in out
