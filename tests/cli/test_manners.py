"""Whatever ends or disturbs the full screen, the terminal is as it was found and the match is kept; whatever it is like."""

import shlex
import shutil
import signal
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from cli.full_screen import CTRL_C, CTRL_Z, ESCAPE, MENU, at_screen, choose
from cli.terminal import NOBODY, Session, at_terminal, is_given_back
from processes import once

BROKEN = """
import sys
from sm_p2p.cli import screen
from sm_p2p.cli.main import main

async def broken(*_words):
    raise ZeroDivisionError("a mistake of ours")

screen.seated = broken
sys.exit(main(sys.argv[1:]))
"""
SIZES = ((119, 40), (80, 24), (79, 23), (48, 16), (47, 15), (20, 2), (1, 1), (300, 100), (1, 50), (120, 40))


def log_of(home: Path) -> bytes:
    """What the only log below a home holds."""
    (log,) = (home / "data").glob("*.smlog")
    return log.read_bytes()


@pytest.fixture
def home(tmp_path: Path, practice: Path) -> Path:
    """The home of a player in whose game against the computer it is his turn."""
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    return tmp_path


def go_on(ana: Session) -> None:
    """Take up the game that waits."""
    choose(ana, "Go on")
    ana.until_seen("YOUR TURN — play")


def test_whoever_waits_or_looks_for_somebody_leaves_by_ctrl_c_or_by_a_signal(tmp_path: Path) -> None:
    with at_screen("join", NOBODY, "--wait", "60", home=tmp_path / "a") as ana:
        ana.until_seen("Looking for the table")
        ana.press(CTRL_C)
        assert (ana.end(), ana.is_as_found) == (0, True)
    with at_screen("join", NOBODY, "--wait", "60", home=tmp_path / "a") as ana:
        ana.until_seen("Looking for the table")
        ana.signal(signal.SIGTERM)
        assert (ana.end(), ana.is_as_found) == (143, True)
    with at_screen("host", "--bind", "127.0.0.1", home=tmp_path / "a") as ana:
        ana.until_seen("sm-p2p://")
        ana.signal(signal.SIGHUP)
        assert (ana.end(), ana.is_as_found) == (129, True)


def test_a_window_that_is_closed_at_the_table_ends_it_and_the_match_is_kept(home: Path) -> None:
    before = log_of(home)
    with at_screen("play", home=home) as ana:
        go_on(ana)
        assert ana.hang_up() == 129
    assert log_of(home) == before


def test_a_mistake_of_ours_is_told_on_a_terminal_that_is_as_it_was_found(tmp_path: Path) -> None:
    words = [sys.executable, "-c", BROKEN, "host", "--bind", "127.0.0.1", "--name", "Ana", "--home", str(tmp_path)]
    ana = Session(words, {"SM_P2P_UI": "screen"})
    try:
        assert ana.end() == 1
        assert ana.is_as_found
        behind = ana.written.rpartition("\x1b[?1049l")[2]
        assert "ZeroDivisionError: a mistake of ours" in behind
        assert "Group" not in behind
    finally:
        ana.close()


@pytest.mark.skipif(shutil.which("bash") is None, reason="job control needs a shell")
def test_ctrl_z_gives_the_terminal_to_the_shell_and_fg_brings_the_game_back(home: Path) -> None:
    shell = Session(["bash", "--norc", "--noprofile", "-i"], {"PS1": "ready> ", "SM_P2P_UI": "screen"})
    try:
        shell.until("ready> ")
        shell.type(shlex.join([sys.executable, "-m", "sm_p2p", "play", "--name", "Ana", "--home", str(home)]))
        go_on(shell)
        shell.press("3" + CTRL_Z)
        shell.until(r"Stopped.*\n.*ready> ")
        assert is_given_back(shell.written.rpartition("Stopped")[0])
        shell.type("stty -a; fg")
        shell.until(r" icanon[^\r]*[\s\S]* echo ")
        shell.until_seen("picked")
        shell.press("q")
        shell.until_seen("kept")
        shell.press("y")
        shell.until(r"ready> ")
        assert is_given_back(shell.written.rpartition("\x1b[?2004h")[0])  # which is the shell's own
        shell.type("exit")
        assert shell.end() == 0
        assert shell.look() == shell.manners
    finally:
        shell.close()


def test_a_card_stays_picked_in_a_window_of_any_size_and_when_ctrl_c_was_not_meant(home: Path) -> None:
    before = log_of(home)
    with at_screen("play", home=home, size=(120, 40)) as ana:
        go_on(ana)
        ana.press("2")
        ana.until_seen("picked")
        for columns, rows in SIZES:
            seen = len(ana.written)
            ana.resize(columns, rows)
            ana.until_so(lambda: len(ana.written) > seen)  # noqa: B023 - it is awaited at once
        ana.until_seen("picked", "q quit")
        ana.press(CTRL_C)
        ana.until_seen("kept")
        ana.press("n")
        ana.until_so(lambda: not ana.sees("kept"))
        assert ana.sees("picked")
        ana.press(ESCAPE)
        ana.until_seen("YOUR TURN — play")
        ana.press(CTRL_C + CTRL_C)
        assert (ana.end(), ana.is_as_found) == (0, True)
        assert "Traceback" not in ana.written
    assert log_of(home) == before


def test_the_screen_is_what_the_terminal_can_show(tmp_path: Path, home: Path) -> None:
    with ExitStack() as stack:
        begin = stack.enter_context
        plain = begin(at_screen("play", home=home, NO_COLOR="1", TERM="screen"))
        console = begin(at_screen(home=tmp_path / "b", TERM="linux"))
        poor = begin(at_screen(home=tmp_path / "c", LC_ALL="C"))
        go_on(plain)
        assert plain.sees("[♠♥♦♣]")
        assert plain.sees("┌")
        assert not plain.colours
        for session in (console, poor):
            session.until_seen(MENU)
            assert session.shown.isascii()
            session.press(CTRL_C)
            assert (session.end(), session.is_as_found) == (0, True)
        plain.press("qy")
        assert (plain.end(), plain.is_as_found) == (0, True)


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_that_can_show_no_screen_gets_lines(tmp_path: Path, term: str) -> None:
    with at_terminal("host", "--bind", "127.0.0.1", "--name", "Ana", home=tmp_path, TERM=term, SM_P2P_UI="") as ana:
        ana.until("sm-p2p://")
        ana.press(CTRL_C)
        assert (ana.end(), ana.is_as_found) == (130, True)
        assert "This is line mode" in ana.written
        assert "\x1b" not in ana.written


def test_a_pipe_gets_lines_whatever_is_asked_for(tmp_path: Path) -> None:
    done = once("host", "--ui", "screen", "--bind", "127.0.0.1", "--name", "Ana", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "sm-p2p://" in done.stdout
    assert "\x1b" not in done.stdout
