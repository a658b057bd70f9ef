"""The computer opponent: this very program in another process, with a home of its own, tied to us by a pipe.

Law: it knows what a guest knows and nothing else; when our end of the pipe closes, for whatever reason, it goes.
"""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Final

FAREWELL_S: Final = 3.0  # for its goodbye and its last fsync


class Computer:
    """One opponent process; `start` it once, `stop` it in any case."""

    def __init__(self, home: Path, player: str) -> None:
        self._home = home
        self._player = player
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, invite: str) -> None:
        """Let it come to our table. It has a session of its own, so that Ctrl-C here is no Ctrl-C there."""
        words = [sys.executable, "-m", "sm_p2p", "join", invite, "--tied", "--yes", "--player", self._player]
        self._process = subprocess.Popen(  # noqa: S603 - our own words
            [*words, "--home", str(self._home), "--name", "Computer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    async def stop(self) -> None:
        """Close the pipe, wait a moment for its farewell, then end it."""
        process = self._process
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            await asyncio.to_thread(process.wait, FAREWELL_S)
        except subprocess.TimeoutExpired:
            process.kill()
            await asyncio.to_thread(process.wait)
