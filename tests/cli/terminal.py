"""The program at a pseudo-terminal whose manners can be looked at before, while and after it runs."""

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pexpect.fdpexpect
import pyte
from forked import Forked, fork, may_fork
from processes import DEADLINE_S, ENVIRONMENT

from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite
from sm_p2p.store.keys import Identity

Manners: TypeAlias = list[object]
_MODE = re.compile(r"\x1b\[\?(\d+)([hl])")
_NORMAL = {"7": "h", "25": "h"}  # lines are wrapped, and the cursor is seen


def is_given_back(written: str) -> bool:
    """Whether every mode that was switched in what was written is as usual at its end."""
    return all(mode == _NORMAL.get(name, "l") for name, mode in dict(_MODE.findall(written)).items())


class _Reader(NamedTuple):
    """Is handed everything that is read from a terminal, whoever reads it."""

    write: Callable[[str], None]

    def flush(self) -> None:
        """Nothing is held back."""


class Session:
    """A process whose three streams are one terminal; `written` is everything that it was sent."""

    def __init__(self, words: list[str], environment: dict[str, str], size: tuple[int, int] = (80, 24)) -> None:
        self._master, self._slave = pty.openpty()
        self._display = pyte.Screen(*size)
        self._painter = pyte.Stream(self._display)
        self._screen = pexpect.fdpexpect.fdspawn(self._master, timeout=DEADLINE_S, encoding="utf-8")
        self._screen.logfile_read = _Reader(self._paint)
        self._rows: list[str] = []
        self.written = ""
        self.resize(*size)
        self.manners = self.look()
        self.process = self._start(words, {**ENVIRONMENT, "TERM": "xterm", "SM_P2P_UI": "line", **environment})

    def look(self) -> Manners:
        """How the terminal behaves just now."""
        return termios.tcgetattr(self._slave)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size, which whoever sits there is told by a signal."""
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._display.resize(rows, columns)
        self._rows = [""] * rows
        self._display.dirty.update(range(rows))

    @property
    def is_as_found(self) -> bool:
        """Whether whatever was switched on is off again, and lines are edited and echoed as before."""
        return self.look() == self.manners and is_given_back(self.written)

    def until(self, pattern: str) -> "re.Match[str]":
        """Wait for this on the screen."""
        self._screen.expect(pattern)
        found: re.Match[str] = self._screen.match
        return found

    def until_seen(self, *patterns: str) -> None:
        """Wait until all this stands somewhere on the screen, however it was painted."""
        self.until_so(lambda: all(map(self.sees, patterns)), " ".join(patterns))

    def until_so(self, is_so: Callable[[], bool], what: str = "") -> None:
        """Wait until this is so, when nothing more comes at once."""
        deadline = time.monotonic() + DEADLINE_S
        while not is_so() or self._reads(0):
            if time.monotonic() > deadline:
                raise AssertionError(f"not in time: {what}\n{self.shown}")
            self._reads(0.1)

    def sees(self, pattern: str) -> bool:
        """Whether this stands on the screen now."""
        return re.search(pattern, self.shown) is not None

    @property
    def rows(self) -> list[str]:
        """What stands on the screen now, row by row."""
        display = self._display
        for row in display.dirty & {*range(display.lines)}:  # the others are as they were
            cells = display.buffer[row]
            self._rows[row] = "".join(cells[column].data for column in range(display.columns)).rstrip()
        display.dirty.clear()
        return self._rows

    @property
    def shown(self) -> str:
        """What stands on the screen now."""
        return "\n".join(self.rows)

    @property
    def colours(self) -> set[str]:
        """The colours on the screen now."""
        cells = (cell for row in self._display.buffer.values() for cell in row.values())
        return {colour for cell in cells for colour in (cell.fg, cell.bg)} - {"default"}

    def first_of(self, *patterns: str) -> int:
        """Wait for whatever of these comes first on the screen; its number."""
        return int(self._screen.expect(list(patterns)))

    def press(self, keys: str) -> None:
        """Press these keys."""
        os.write(self._master, keys.encode())

    def type(self, line: str) -> None:
        """Type a line."""
        self.press(f"{line}\r")

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        self.process.send_signal(number)

    def end(self) -> int:
        """Wait for its end, and read all that it has said; its exit status."""
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self.process.wait(0.02)
                while self._reads(0):
                    pass
                return status
            self._reads(0.02)
        raise AssertionError(f"it does not end\n{self.shown}")

    def hang_up(self) -> int:
        """Close the window; the exit status."""
        os.close(self._slave)
        self._slave = -1
        self._screen.close()
        return self.process.wait(DEADLINE_S)

    def close(self) -> None:
        """End it, if it has not ended."""
        self.process.kill()
        self.process.wait()
        if self._slave >= 0:
            os.close(self._slave)
            self._screen.close()

    def _start(self, words: list[str], environment: dict[str, str]) -> "subprocess.Popen[bytes] | Forked":
        if may_fork(words, environment, ENVIRONMENT):
            return fork(words, environment, ENVIRONMENT, self._slave)
        return subprocess.Popen(
            words,
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            preexec_fn=_own_this_terminal,  # noqa: PLW1509 - one system call
            env=environment,
        )

    def _reads(self, seconds: float) -> bool:
        """Whether something comes within this time."""
        with contextlib.suppress(pexpect.TIMEOUT):
            return bool(self._screen.read_nonblocking(65_536, seconds))
        return False

    def _paint(self, text: str) -> None:
        self.written += text
        self._painter.feed(text)


def _own_this_terminal() -> None:
    """Let Ctrl-C and hanging up reach this process."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextlib.contextmanager
def at_terminal(
    *words: str, home: Path, size: tuple[int, int] = (80, 24), inside: Sequence[str] = (), **environment: str
) -> Iterator[Session]:
    """`sm-p2p WORDS --home HOME` at a terminal, ended with the block; `inside` are the words of a command that runs it elsewhere."""
    session = Session([*inside, sys.executable, "-m", "sm_p2p", *words, "--home", str(home)], environment, size)
    try:
        yield session
    finally:
        session.close()


NOBODY = str(Invite((Address("127.0.0.1", 1),), Identity(bytes([1]) * 32).identity, bytes(16)))
"""The invite of a table that does not exist."""
SIGNALS = ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129))
"""What asks a program to go, and what the shell is then told."""
