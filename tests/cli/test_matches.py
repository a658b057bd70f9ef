"""Whole matches through the front door: moves in a pipe, two people at two terminals, practice that goes on."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cli.conftest import SHORT
from cli.terminal import Session, at_terminal
from processes import Run, once, start

from sm_p2p.watch.report import Standing
from sm_p2p.watch.verify import verify_file

FIRST = ("p", "a", "b", "c", "d", "h")


def log_of(home: Path) -> Path:
    """The only log below a home."""
    (log,) = (home / "data").glob("*.smlog")
    return log


def chosen(moves: list[str]) -> str:
    """A play where there is one, the pay-off card first; else a discard."""
    plays = [move for move in moves if "-c" in move]
    return min(plays, key=lambda move: FIRST.index(move[0])) if plays else moves[0]


def play_on(run: Run) -> list[dict[str, object]]:
    """Answer every turn until the log is complete; all events."""
    while True:
        line = run.until('"event"')
        event = json.loads(line)
        if event["event"] == "your-turn":
            run.type(chosen(event["moves"]))
        if event["event"] == "score":
            return [json.loads(line) for line in run.lines]


def test_moves_in_a_pipe_play_a_game_to_its_end(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with start("play", "--json", home=tmp_path) as ana:
        events = play_on(ana)
        assert ana.end() == 0
    assert not ana.errors
    resumed = next(event for event in events if event["event"] == "resumed")
    seqs = [event["seq"] for event in events if event["event"] == "entry"]
    assert isinstance(resumed["entries"], int)
    assert seqs == list(range(resumed["entries"] + 1, resumed["entries"] + 1 + len(seqs)))
    score = events[-1]
    assert score["games"] == 1
    assert score["winner"] in {0, 1}
    ours, theirs = log_of(tmp_path), log_of(tmp_path / "computer")
    assert ours.read_bytes() == theirs.read_bytes()
    assert verify_file(ours).standing is Standing.COMPLETE


def test_practice_goes_on_where_it_was_left_and_begins_anew_when_it_is_over(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    kept = log_of(tmp_path)
    done = once("play", home=tmp_path, said="hint\nsay hello\nresign\nresign\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The match goes on after" in done.stdout
    assert "Hint: " in done.stdout
    assert "The log of the match is complete." in done.stdout
    done = once("play", "--variant", SHORT, home=tmp_path)
    assert done.returncode == 0
    assert "goes on" not in done.stdout
    assert log_of(tmp_path) == kept


def test_a_new_match_can_be_begun_while_another_waits(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    done = once("play", "--new", "--variant", "quick,pay_off=6", home=tmp_path, said="quit\n")
    assert (done.returncode, done.stderr) == (0, "")
    with start("play", home=tmp_path) as ana:
        ana.until("The match goes on after")
        ana.until("Your move.")
        ana.type("quit")
        assert ana.end() == 0


def play_by_hints(session: Session) -> None:
    """Ask for a hint in every turn, and type it, until the match is over."""
    while not session.first_of(r"\nHand: [^\r]*\r\n", r"The log of the match is complete\."):
        session.type("hint")
        session.type(session.until(r"Hint: (\S+?)(?: with|\.\r)").group(1))


def test_two_people_at_two_terminals_play_a_match_to_its_end(tmp_path: Path) -> None:
    variant = f"{SHORT},hints=yes"
    with at_terminal("host", "--bind", "127.0.0.1", "--variant", variant, "--name", "Ana", home=tmp_path / "a") as ana:
        invite = ana.until(r"sm-p2p://\S+").group()
        with at_terminal("join", invite, "--name", "Bo", home=tmp_path / "b") as bo:
            bo.until("Enter or yes plays this variant")
            bo.type("yes")
            with ThreadPoolExecutor(2) as players:
                list(players.map(play_by_hints, (ana, bo)))
            assert (ana.end(), bo.end()) == (0, 0)
            assert ana.is_as_found
            assert bo.is_as_found
    logs = [log_of(tmp_path / name) for name in ("a", "b")]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    assert verify_file(logs[0]).standing is Standing.COMPLETE
