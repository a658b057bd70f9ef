"""How far a long work is, as a bar on standard error, if that is a terminal.

Law: the bar stands on one line and leaves nothing behind; where nobody could see it, nothing is written.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TextIO

from sm_p2p.ui.app.usable import WITHOUT_A_SCREEN

CELLS: Final = 30
PAUSE_S: Final = 0.1


class Progress:
    """A bar behind a word; call it with how much is done, and of how much."""

    def __init__(self, word: str, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._word = word
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._is_seen = _is_seen(self._stream)
        self._last = float("-inf")
        self._width = 0

    def __call__(self, done: int, total: int) -> None:
        """So much is done."""
        now = self._clock()
        if not self._is_seen or now - self._last < PAUSE_S:
            return
        self._last = now
        full = CELLS * done // total if total else CELLS
        percent = 100 * done // total if total else 100
        self._write(f"{self._word} [{'#' * full}{'.' * (CELLS - full)}] {percent:3} %")

    def clear(self) -> None:
        """Take the bar away; the next call draws it again."""
        if self._width:
            self._put(f"\r{' ' * self._width}\r")
            self._width, self._last = 0, float("-inf")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _value: BaseException | None, _at: TracebackType | None
    ) -> None:
        self.clear()

    def _write(self, line: str) -> None:
        self._width = max(self._width, len(line))
        self._put(f"\r{line}")

    def _put(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()


def _is_seen(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM", "") not in WITHOUT_A_SCREEN
    except ValueError:  # it was closed
        return False
