"""Line mode on real terminals and real pipes."""

import asyncio
import contextlib
import io
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pexpect
import processes
import pytest
from ui.stage import DEADLINE_S, within_deadline

from sm_p2p.errors import sure
from sm_p2p.session.talk import Leave
from sm_p2p.ui.lines import Form, standard_lines, told_lines
from sm_p2p.ui.terminal import Terminal, listening

SEAT: Final = Path(__file__).with_name("seat.py")
ENVIRONMENT: Final = {
    **processes.ENVIRONMENT,
    "PYTHONPATH": os.pathsep.join((str(SEAT.parent.parent), *sys.path)),
    "TERM": "dumb",
}


def process(*words: str, stdin: int | None = None, stdout: int | None = None) -> "subprocess.Popen[bytes]":
    """The process, its streams as asked for, standard error in a pipe."""
    return subprocess.Popen(
        [*words] or [sys.executable, str(SEAT)], env=ENVIRONMENT, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE
    )


def seated(*words: str) -> "pexpect.spawn[str]":
    """The process, in a terminal of its own, when it is our turn."""
    child = pexpect.spawn(
        sys.executable, [str(SEAT), *words], env=ENVIRONMENT, encoding="utf-8", timeout=DEADLINE_S, echo=True
    )
    child.expect("Your move.\r\n")
    return child


def edits_lines(fd: int) -> bool:
    """Whether the terminal echoes and edits lines by itself."""
    flags: int = termios.tcgetattr(fd)[3]
    return bool(flags & termios.ECHO) and bool(flags & termios.ICANON)


def test_a_terminal_shows_each_key_once_and_no_escape() -> None:
    child = seated()
    child.send("shox\x7fw a\r")
    child.expect_exact("shox\b \bw a\r\nYour side stack a is empty.\r\n")
    child.send("\x1b[A4-b\x1b[D\r")
    child.expect_exact("4-b\r\nYou discard ")
    child.expect_exact("Your move.\r\n")
    child.send("quit\r")
    child.expect(pexpect.EOF)
    assert "\x1b" not in str(child.before)
    child.close()
    assert child.exitstatus == 0


def test_a_terminal_gets_its_manners_back() -> None:
    child = seated()
    assert not edits_lines(child.child_fd)
    child.send("\x04")
    child.expect_exact("You leave; a match that has begun is kept.\r\n")
    child.expect(pexpect.EOF)
    assert edits_lines(child.child_fd)
    child.close()


def test_a_suspended_game_leaves_the_terminal_as_it_was_and_goes_on() -> None:
    child = seated()
    child.send("han")
    child.expect_exact("han")
    child.send("\x1a")
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert edits_lines(child.child_fd)
    os.kill(child.pid, signal.SIGCONT)
    while edits_lines(child.child_fd):
        assert child.isalive()
    child.send("d\r")
    child.expect_exact("Hand: h1 ")
    child.close(force=True)


@pytest.mark.parametrize("form", ["words", "json"])
def test_a_pipe_gives_the_same_text_each_time(form: str) -> None:
    script = b"hint\n3 6\nh1-a\ntable\nsay hi\n"
    said = []
    for _ in range(2):
        with process(sys.executable, str(SEAT), form, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as seat:
            said.append(seat.communicate(script, DEADLINE_S))
            assert seat.returncode == 0
    assert said[0] == said[1]
    out, err = said[0]
    assert err == b""
    assert (b'"leaving"' if form == "json" else b"You leave;") in out.splitlines()[-1]


def test_a_reader_who_goes_away_is_no_error() -> None:
    with process(stdin=subprocess.PIPE, stdout=subprocess.PIPE) as seat:
        source, out, err = sure(seat.stdin), sure(seat.stdout), sure(seat.stderr)
        out.readline()
        out.close()
        source.write(b"table\n" * 1000)
        source.flush()
        assert seat.wait(DEADLINE_S) == 0
        assert err.read() == b""


def test_closed_standard_streams_are_no_error() -> None:
    with process("/bin/sh", "-c", f"exec <&- >&-; exec '{sys.executable}' '{SEAT}'") as seat:
        assert seat.wait(DEADLINE_S) == 0
        assert sure(seat.stderr).read() == b""


@contextlib.contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Standard input and output of this process are a terminal within the block; its other end."""
    other, own = pty.openpty()
    found = os.dup(0)
    os.dup2(own, 0)
    try:
        with open(own, "w", encoding="utf-8") as out, monkeypatch.context() as patch:  # noqa: PTH123 - a descriptor
            patch.setattr(sys, "stdout", out)
            yield other
    finally:
        os.dup2(found, 0)
        os.close(found)
        os.close(other)


def test_standard_lines_listen_to_a_terminal_until_the_end_of_their_block(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(other: int) -> None:
        with standard_lines(Form.WORDS) as lines:
            assert not edits_lines(0)
            os.write(other, b"quit\n")
            assert await within_deadline(lines.wish()) == Leave()

    with terminal(monkeypatch) as other:
        asyncio.run(story(other))
        assert edits_lines(0)
        expected = b"quit\r\nYou leave; a match that has begun is kept.\r\n"
        seen = b""
        while len(seen) < len(expected):
            seen += os.read(other, 1000)
        assert seen == expected


def test_a_terminal_that_is_gone_needs_nothing() -> None:
    other, own = pty.openpty()
    with listening(own) as found:
        assert not edits_lines(own)
        os.close(own)
    os.close(other)
    found.restore()


def test_signals_are_attended_only_where_they_arrive() -> None:
    other, own = pty.openpty()

    async def story() -> None:
        loop = asyncio.get_running_loop()
        Terminal(own).attend(loop)
        assert loop.remove_signal_handler(signal.SIGTSTP)
        await asyncio.to_thread(Terminal(own).attend, loop)

    asyncio.run(story())
    os.close(own)
    os.close(other)


def test_standard_lines_without_a_terminal_read_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        with standard_lines(Form.JSON) as lines:
            assert await within_deadline(lines.wish()) == Leave()

    monkeypatch.setattr(sys, "stdin", None)
    asyncio.run(story())
    assert capsys.readouterr().out == '{"event":"remark","what":"leaving"}\n'


def test_a_reader_who_has_gone_leaves_nothing_to_complain_about(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    out = open(write, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - closed below
    monkeypatch.setattr(sys, "stdout", out)
    with standard_lines(Form.WORDS) as lines:
        lines.notice("anybody?")
    out.close()


def test_lines_that_only_tell_say_what_happens(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told_lines(Form.WORDS).notice("One.\nTwo.")
    told_lines(Form.JSON).notice("One.")
    assert capsys.readouterr().out == 'One.\nTwo.\n{"event":"notice","text":"One."}\n'
    monkeypatch.setattr(sys, "stdout", None)
    told_lines(Form.WORDS).notice("into nothing")


def test_standard_output_that_is_no_file_is_forgotten_too(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    out.close()
    with terminal(monkeypatch):
        monkeypatch.setattr(sys, "stdout", out)
        with standard_lines(Form.WORDS) as lines:
            lines.notice("x")
