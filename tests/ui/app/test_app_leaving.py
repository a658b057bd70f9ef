"""Whatever happens, the terminal is restored: signals, job control, a closed window, an exception anywhere."""

import asyncio
import os
import shutil
import signal
import sys
import termios
from pathlib import Path
from typing import Final

import pexpect
import processes
import pytest
from ui.app.pane import at_table, next_wish, pane, run
from ui.stage import DEADLINE_S, Stage

from sm_p2p.rules.moves import Move
from sm_p2p.session.effects import Said
from sm_p2p.session.talk import Leave
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.screen.frame import Frame

SEAT: Final = Path(__file__).with_name("seat.py")
HERE: Final = str(SEAT.parent.parent.parent)
ENVIRONMENT: Final = {
    **processes.ENVIRONMENT,
    "PYTHONPATH": os.pathsep.join((HERE, *sys.path)),
    "TERM": "xterm",
}
RESTORED: Final = ("\x1b[?1049l", "\x1b[?1000l", "\x1b[?2004l", "\x1b[?25h")
TURN: Final = "YOUR TURN"


def seated(*words: str) -> "pexpect.spawn[str]":
    """The process, in a terminal of its own."""
    return pexpect.spawn(
        sys.executable,
        [str(SEAT), *words],
        env=ENVIRONMENT,
        encoding="utf-8",
        timeout=DEADLINE_S,
        dimensions=(24, 80),
    )


def is_cooked(child: "pexpect.spawn[str]") -> bool:
    """Whether the terminal edits lines and echoes by itself."""
    flags: int = termios.tcgetattr(child.child_fd)[3]
    return bool(flags & termios.ICANON) and bool(flags & termios.ECHO)


def is_restored(text: str) -> bool:
    """Whether everything that was switched on is off again, in what was written since."""
    return all(text.rfind(code) >= text.rfind(code.replace("l", "h")) and code in text for code in RESTORED)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_restores_the_terminal_and_leaves(number: signal.Signals) -> None:
    child = seated()
    child.expect_exact(TURN)
    assert not is_cooked(child)
    os.kill(child.pid, number)
    child.expect_exact(f"left by signal {number.value}")
    assert is_restored(child.before or "")
    assert is_cooked(child)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_an_exception_restores_the_terminal_and_is_told_behind_it() -> None:
    child = seated("task")
    child.expect_exact("Traceback")
    assert is_restored(child.before or "")
    child.expect_exact("ZeroDivisionError")
    child.expect(pexpect.EOF)
    assert "Group" not in (child.before or "")
    child.close()
    assert child.exitstatus == 1


def test_a_closed_window_ends_the_process() -> None:
    child = seated()
    child.expect_exact(TURN)
    child.ptyproc.fileobj.close()
    child.ptyproc.wait()
    assert not child.isalive()


@pytest.mark.skipif(shutil.which("bash") is None, reason="job control needs a shell")
def test_ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_back() -> None:
    shell = pexpect.spawn(
        "bash",
        ["--norc", "--noprofile", "-i"],
        env={**ENVIRONMENT, "PS1": "ready> "},
        encoding="utf-8",
        timeout=DEADLINE_S,
        dimensions=(24, 80),
    )
    shell.expect_exact("ready> ")
    shell.sendline(f"'{sys.executable}' '{SEAT}'")
    shell.expect_exact(TURN)
    shell.send("3\x1a")
    shell.expect_exact("ready> ")
    assert "\x1b[?1049l" in (shell.before or "")
    shell.sendline("stty -a; fg")
    shell.expect_exact(" icanon")
    shell.expect_exact("\x1b[?1049h")
    shell.expect_exact("picked")
    shell.send("qy")
    shell.expect_exact("left")
    shell.expect_exact("ready> ")
    shell.sendline("exit")
    shell.expect(pexpect.EOF)
    shell.close()


def test_a_process_that_was_stopped_from_outside_draws_everything_anew() -> None:
    child = seated()
    child.expect_exact(TURN)
    os.kill(child.pid, signal.SIGSTOP)
    os.waitpid(child.pid, os.WUNTRACED)
    attributes = termios.tcgetattr(child.child_fd)
    attributes[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(child.child_fd, termios.TCSANOW, attributes)
    os.kill(child.pid, signal.SIGCONT)
    child.expect_exact("\x1b[?1049h")
    child.expect_exact(TURN)
    assert not is_cooked(child)
    child.close(force=True)


def test_an_exception_in_a_key_comes_out_of_the_block_as_it_is() -> None:
    written: list[list[str]] = []

    async def story() -> None:
        async with at_table() as (found, _):
            written.append(found.emulator.written)

            def broken(key: str) -> None:
                raise ZeroDivisionError(key)

            found.terminal.press = broken  # type: ignore[method-assign]  # a bug of ours
            found.press("1")
            await asyncio.Event().wait()

    with pytest.raises(ZeroDivisionError):
        run(story)
    assert is_restored("".join(written[0]))


def test_an_exception_in_a_frame_comes_out_of_the_block_as_it_is() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):

            def broken(_size: object) -> Frame:
                raise KeyError("frame")

            found.terminal.frame = broken  # type: ignore[method-assign, assignment]  # a bug of ours
            found.terminal.show(Said(1, "x"), stage.situation)
            await asyncio.Event().wait()

    with pytest.raises(KeyError, match="frame"):
        run(story)


def test_an_exception_in_a_callback_comes_out_of_the_block() -> None:
    async def story() -> None:
        async with pane():

            def later() -> None:
                raise OverflowError

            asyncio.get_running_loop().call_soon(later)
            await asyncio.Event().wait()

    with pytest.raises(OverflowError):
        run(story)


def test_an_exception_of_the_block_comes_out_of_it_as_it_is() -> None:
    async def story() -> None:
        async with pane():
            raise LookupError("of the block")

    with pytest.raises(LookupError, match="of the block"):
        run(story)


def test_a_word_of_the_loop_without_an_exception_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            asyncio.get_running_loop().call_exception_handler({"message": "something was forgotten"})
            await found.pressed("1")
            assert found.model.picking.source == "h1"

    run(story)
    assert "something was forgotten" in caplog.text


def test_the_end_of_the_input_leaves_everything() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            found._feed.close()
            assert await next_wish(found) == Leave()
            assert found.terminal.is_closing
            assert await found.terminal.menu("MENU", [("x", "")]) is None

    run(story)


def test_a_terminal_that_cannot_be_written_to_leaves_everything() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):

            def broken(_text: str) -> int:
                raise OSError(5, "the window is closed")

            found.emulator.write = broken  # type: ignore[method-assign, assignment]  # as a terminal that has hung up
            found.terminal.show(Said(1, "x"), stage.situation)
            assert await next_wish(found) == Leave()
            assert found.terminal.is_closing

    run(story)


def test_an_error_of_the_disk_is_no_closed_window() -> None:
    async def story() -> None:
        async with at_table():

            def later() -> None:
                raise PermissionError("options.toml")

            asyncio.get_running_loop().call_soon(later)
            await asyncio.Event().wait()

    with pytest.raises(PermissionError):
        run(story)


def test_whoever_calls_a_player_whose_window_is_closed_is_not_troubled() -> None:
    async def story() -> None:
        async with at_table() as (found, _):

            def broken(_text: str) -> int:
                raise OSError(5, "the window is closed")

            found.emulator.write = broken  # type: ignore[method-assign, assignment]  # as a terminal that has hung up
            console = found.terminal.console
            console.ring()
            console.entitle("x")
            console.copy("x")
            assert not found.terminal.is_closing
            console.changed()
            assert await next_wish(found) == Leave()

    run(story)


def test_the_title_of_the_window_is_given_back() -> None:
    async def story() -> str:
        async with at_table() as (found, _):
            written = found.emulator.written
        return "".join(written)

    text = run(story)
    assert text.count("\x1b[22;2t") == text.count("\x1b[23;2t") == 1
    assert text.rstrip().rfind("\x1b[23;2t") > text.rfind("\x1b]2;")


def test_the_screen_leaves_no_timer_behind() -> None:
    async def story() -> None:
        async with at_table(speed="slow") as (found, stage):
            found.tell(stage.move(stage.view(0).legal_moves[0]), stage)
            table = found.terminal._table
        assert not table._timers._waiting
        found.tell([], stage)

    run(story)


def test_whoever_has_left_a_match_does_not_end_the_session_by_leaving_again() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            terminal = found.terminal
            terminal.leave()
            terminal.leave()
            await found.pressed("1", "a")
            await terminal.linger("the match was left")
            assert not terminal.is_closing
            menu = asyncio.ensure_future(terminal.menu("MENU", [("x", "")]))
            await found.until_seen("MENU")
            terminal.leave()
            assert not terminal.is_closing
            await found.pressed("enter")
            assert await menu == 0

    run(story)


def test_moves_that_nobody_listens_to_any_more_are_forgotten() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            lingering = asyncio.ensure_future(found.terminal.linger("it is over"))
            await found.until_seen("it is over")
            found.terminal._table.play(Move.parse("h1-a"))
            await found.pressed("escape")
            await lingering

    run(story)


def test_after_leaving_nothing_more_is_told() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            found.terminal.leave()
            found.terminal.leave()
            before = found.model
            found.terminal.show(Said(1, "x"), stage.situation)
            assert found.model == before
            assert isinstance(found.terminal, Terminal)
            assert found.terminal.console is not None
            await found.terminal.linger("why")
            assert Stage().match.chain.seq == 0

    run(story)
