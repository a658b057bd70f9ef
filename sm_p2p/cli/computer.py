"""The computer opponent: this very program in another process, with a home of its own, tied to us by a pipe.

Law: it knows what a guest knows and nothing else; when our end of the pipe closes, for whatever reason, it goes.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

import sm_p2p
from sm_p2p.errors import sure

FAREWELL_S: Final = 1.0  # for its goodbye; whenever it is ended, its files are whole
LAST_WORDS: Final = 400  # bytes that are kept of what it complains about


class Computer:
    """One opponent process; `start` it once, `stop` it in any case."""

    def __init__(self, home: Path, player: str, pause: float = 0.0) -> None:
        self._home = home
        self._player = player
        self._pause = pause
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    def start(self, invite: str, gone: Callable[[str], None]) -> None:
        """Let it come to our table; `gone` is called in the loop, with its last words, if something has ended it.

        It has a session of its own, so that Ctrl-C here is no Ctrl-C there, and reads the invite from the pipe: command lines
        can be read by everybody on this machine.
        """
        loop = asyncio.get_running_loop()
        words = ["join", "-", "--tied", "--yes", "--player", self._player, "--home", str(self._home)]
        words += ["--pause", f"{self._pause:f}", "--lang", "en"]
        process = self._process = subprocess.Popen(  # noqa: S603 - our own words
            [sys.executable, "-P", "-m", "sm_p2p", *words, "--name", "Computer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
            env=_environment(),
        )

        with contextlib.suppress(OSError):  # it has ended, which is told below
            os.write(sure(process.stdin).fileno(), invite.encode() + b"\n")

        def watch() -> None:
            with sure(process.stderr) as stderr:
                said = last_line(stderr)
            if process.wait() == 0 or self._is_stopped:
                return
            try:
                loop.call_soon_threadsafe(gone, said)
            except RuntimeError:  # the loop is closed: it was stopped
                return

        threading.Thread(target=watch, name="computer", daemon=True).start()

    async def stop(self) -> None:
        """Close the pipe, wait a moment for its farewell, then end it."""
        self._is_stopped = True
        process = self._process
        if process is None:
            return
        sure(process.stdin).close()
        try:
            await asyncio.to_thread(process.wait, FAREWELL_S)
        except subprocess.TimeoutExpired:
            process.kill()
            await asyncio.to_thread(process.wait)


def last_line(stream: IO[bytes]) -> str:
    """The beginning of the last line that says something, when the stream has ended; nothing else of it is kept."""
    last, is_a_beginning = b"", True
    while piece := stream.readline(LAST_WORDS):
        if is_a_beginning:
            last = piece.strip() or last
        is_a_beginning = piece.endswith(b"\n")
    return last.decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    """Ours, with the place of this package: -P keeps whatever else lies in the current directory out."""
    ours = str(Path(sm_p2p.__path__[0]).parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (ours, os.environ.get("PYTHONPATH"))))}
