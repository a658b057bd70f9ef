"""The program at a pseudo-terminal whose manners can be looked at before, while and after it runs."""

import contextlib
import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import pexpect.fdpexpect
from processes import DEADLINE_S, ENVIRONMENT

Manners: TypeAlias = list[object]


class Session:
    """A process whose three streams are one terminal."""

    def __init__(self, words: list[str], environment: dict[str, str]) -> None:
        self._master, self._slave = pty.openpty()
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
        self._screen = pexpect.fdpexpect.fdspawn(self._master, timeout=DEADLINE_S, encoding="utf-8")

    def look(self) -> Manners:
        """How the terminal behaves just now."""
        return termios.tcgetattr(self._slave)

    def until(self, pattern: str) -> "re.Match[str]":
        """Wait for this on the screen."""
        self._screen.expect(pattern)
        found: re.Match[str] = self._screen.match
        return found

    def first_of(self, *patterns: str) -> int:
        """Wait for whatever of these comes first on the screen; its number."""
        return int(self._screen.expect(list(patterns)))

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._master, f"{line}\r".encode())

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


SIGNALS = ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129))
"""What asks a program to go, and what the shell is then told."""
