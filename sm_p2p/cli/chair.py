"""The chair at the table: a person in line mode or a computer, and the signals that make either get up."""

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

from sm_p2p.cli.status import Status
from sm_p2p.peer.player import Automaton
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.session.talk import Leave, News, Situation, Wish
from sm_p2p.ui.lines import Lines

SIGNALS: Final = {
    "SIGINT": Status.INTERRUPTED,
    "SIGTERM": Status.TERMINATED,
    "SIGHUP": Status.HUNG_UP,
}


class Chair:
    """A `Player`: what happens is told by `lines`; wishes come from them, or from `choose` if a computer sits here.

    Make it in the running loop. A signal wishes to leave once; `status` then says which one it was.
    """

    def __init__(self, lines: Lines, choose: Callable[[View], Move] | None = None) -> None:
        self.lines = lines
        self.status: Status | None = None
        self._automaton = None if choose is None else Automaton(choose)
        self._leaving = asyncio.Event()
        self._wish: asyncio.Task[Wish] | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self._loop = asyncio.get_running_loop()
        for name, status in SIGNALS.items():
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    self._loop.add_signal_handler(number, self._signalled, status)

    def tie_to_input(self) -> None:
        """Leave when standard input ends: whoever holds its other end has gone."""

        def wait() -> None:
            while sys.stdin.buffer.read(4096):
                pass
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._leaving.set)

        threading.Thread(target=wait, name="tie", daemon=True).start()

    def later(self, seconds: float, work: Callable[[], object]) -> None:
        """Do this after so many seconds, unless everybody has left before."""
        self._timers.append(self._loop.call_later(seconds, work))

    async def wish(self) -> Wish:
        """The next wish; Leave as soon as a signal has come."""
        if self._wish is None:
            source = self.lines if self._automaton is None else self._automaton
            self._wish = asyncio.create_task(source.wish())
        leaving = asyncio.create_task(self._leaving.wait())
        try:
            await asyncio.wait({self._wish, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
        if self._leaving.is_set():
            return Leave()
        wish, self._wish = self._wish.result(), None
        return wish

    def show(self, news: News, now: Situation) -> None:
        """Tell it, and let the computer think if one sits here."""
        self.lines.show(news, now)
        if self._automaton is not None:
            self._automaton.show(news, now)

    def close(self) -> None:
        """Nobody wishes any more."""
        for timer in self._timers:
            timer.cancel()
        if self._wish is not None:
            self._wish.cancel()

    def _signalled(self, status: Status) -> None:
        self.status = self.status or status
        self._leaving.set()
