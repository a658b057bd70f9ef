"""Whatever asks the program to go: it goes, the terminal is as it was, and the match is kept."""

import os
import select
import shutil
import signal
from pathlib import Path

import pytest
from cli.terminal import NOBODY, SIGNALS, at_terminal
from processes import DEADLINE_S, Run, once, start

from sm_p2p.store.journal import Journal

HOST = ("host", "--bind", "127.0.0.1", "--name", "Ana")
CTRL_C = "\x03"


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_host_who_waits_goes_at_once(tmp_path: Path, number: int, status: int) -> None:
    with at_terminal(*HOST, home=tmp_path) as ana:
        ana.until("sm-p2p://")
        assert ana.look() != ana.manners
        ana.signal(number)
        assert ana.end() == status
        assert ana.is_as_found


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_guest_who_looks_for_the_table_goes_at_once(tmp_path: Path, number: int, status: int) -> None:
    with start("join", NOBODY, "--name", "Bo", home=tmp_path) as bo:
        bo.until("Looking")
        bo.process.send_signal(number)
        assert bo.end() == status
    assert not bo.errors


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_match_that_a_signal_ends_is_kept_and_goes_on(
    tmp_path: Path, practice: Path, number: int, status: int
) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with at_terminal("play", "--name", "Ana", home=tmp_path) as ana:
        ana.until("Enter goes on with it")
        ana.type("")
        ana.until(r"Your move\.")
        ana.signal(number)
        assert ana.end() == status
        assert ana.is_as_found
    (log,) = (tmp_path / "data").glob("*.smlog")
    Journal.open(log).close()
    assert log.read_bytes() == next((practice / "data").glob("*.smlog")).read_bytes()


def test_ctrl_c_is_a_way_to_leave_wherever_one_is(tmp_path: Path) -> None:
    with at_terminal("host", "--bind", "127.0.0.1", home=tmp_path) as ana:
        ana.until("call you")
        ana.type(CTRL_C)
        assert ana.end() == 130
        assert ana.is_as_found
    with at_terminal(*HOST, home=tmp_path) as ana:
        ana.until("sm-p2p://")
        ana.type(CTRL_C)
        assert ana.end() == 130
        assert ana.is_as_found
    with start("simulate", "--games", "1000000", home=tmp_path) as ana:
        until_it_computes(ana.process.pid)
        ana.process.send_signal(signal.SIGINT)
        assert ana.end() == 130
        assert not ana.errors


def until_it_computes(pid: int) -> None:
    """Wait until a process has used more processor time than it needs to read its words."""
    used = 0.0
    while used < 0.6:
        select.select([], [], [], 0.05)
        used = int(Path(f"/proc/{pid}/stat").read_text().split()[13]) / os.sysconf("SC_CLK_TCK")


def test_a_window_that_is_closed_ends_the_program(tmp_path: Path) -> None:
    with at_terminal(*HOST, home=tmp_path) as ana:
        ana.until("sm-p2p://")
        assert ana.hang_up() == 129


def computer_of(run: Run) -> int:
    """The process of the computer that this one has started."""
    pid = run.process.pid
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


def gone(watched: int) -> bool:
    """Whether this process ends in time."""
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    ended = bool(poll.poll(DEADLINE_S * 1000))
    os.close(watched)
    return ended


def test_the_computer_goes_when_its_player_is_killed(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with start("play", home=tmp_path) as ana:
        ana.until("Your move.")
        computer = os.pidfd_open(computer_of(ana))
        ana.process.send_signal(signal.SIGKILL)
        assert gone(computer)
    assert not list(tmp_path.rglob("*.torn*"))


def test_a_computer_that_dies_ends_the_game_with_a_sentence_and_the_match_is_kept(
    tmp_path: Path, practice: Path
) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with start("play", home=tmp_path) as ana:
        ana.until("Your move.")
        os.kill(computer_of(ana), signal.SIGKILL)
        ana.until("The computer has left its seat; the match is kept.")
        assert ana.end() == 1
    with start("play", home=tmp_path) as ana:
        ana.until("Your move.")
        ana.type("quit")
        assert ana.end() == 0


def test_a_computer_that_cannot_even_sit_down_says_why(tmp_path: Path) -> None:
    (tmp_path / "computer").write_text("a file in the place of its home")
    done = once("play", home=tmp_path, said="p-c1\n")
    assert done.returncode == 1
    assert "The computer has left its seat" in done.stdout
    assert "It said: sm-p2p: " in done.stdout
    assert done.stderr == ""
