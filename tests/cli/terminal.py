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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pexpect.fdpexpect
import pyte
from processes import DEADLINE_S, ENVIRONMENT

from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite
from sm_p2p.store.keys import Identity

Manners: TypeAlias = list[object]


class Session:
    """A process whose three streams are one terminal."""

    def __init__(self, words: list[str], environment: dict[str, str]) -> None:
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.manners = self.look()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sm_p2p", *words],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            preexec_fn=_own_this_terminal,  # noqa: PLW1509 - one system call
            env={**ENVIRONMENT, "TERM": "xterm", "SM_P2P_UI": "line", **environment},
        )
        self._display = pyte.Screen(80, 24)
        self._painter = pyte.Stream(self._display)
        self._screen = pexpect.fdpexpect.fdspawn(self._master, timeout=DEADLINE_S, encoding="utf-8")

    def look(self) -> Manners:
        """How the terminal behaves just now."""
        return termios.tcgetattr(self._slave)

    def until(self, pattern: str) -> "re.Match[str]":
        """Wait for this on the screen."""
        self._screen.expect(pattern)
        found: re.Match[str] = self._screen.match
        return found

    def until_seen(self, pattern: str) -> None:
        """Wait until this stands somewhere on the screen, however it was painted."""
        self._paint_until(lambda: self.sees(pattern))

    def sees(self, pattern: str) -> bool:
        """Whether this stands on the screen now."""
        return re.search(pattern, self.shown) is not None

    @property
    def shown(self) -> str:
        """What stands on the screen now."""
        return "\n".join(self._display.display)

    def _paint_until(self, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not is_so():
            if time.monotonic() > deadline:
                raise AssertionError(self.shown)
            with contextlib.suppress(pexpect.TIMEOUT):
                self._painter.feed(self._screen.read_nonblocking(65_536, timeout=0.1))

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
        """Wait for its end; its exit status."""
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.process.wait(0.05)
            with contextlib.suppress(pexpect.TIMEOUT):
                self._screen.read_nonblocking(65_536, timeout=0)
        raise AssertionError("it does not end")

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


def _own_this_terminal() -> None:
    """Let Ctrl-C and hanging up reach this process."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextlib.contextmanager
def at_terminal(*words: str, home: Path, **environment: str) -> Iterator[Session]:
    """`sm-p2p WORDS --home HOME` at a terminal, ended with the block."""
    session = Session([*words, "--home", str(home)], environment)
    try:
        yield session
    finally:
        session.close()


NOBODY = str(Invite((Address("127.0.0.1", 1),), Identity(bytes([1]) * 32).identity, bytes(16)))
"""The invite of a table that does not exist."""
SIGNALS = ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129))
"""What asks a program to go, and what the shell is then told."""
