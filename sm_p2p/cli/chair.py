"""The chair at the table: a person in line mode or a computer, and what makes either get up: a signal, a pipe that ends."""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Final, Protocol, TypeAlias

from sm_p2p.cli.status import Status
from sm_p2p.peer.player import Automaton
from sm_p2p.session.state import IN_GAME
from sm_p2p.session.talk import Leave, News, Resign, Seated, Situation, Vacant, Wish
from sm_p2p.ui import notices

CHUNK: Final = 4096
BEAT_S: Final = 0.5
Handler: TypeAlias = Callable[[int, FrameType | None], object] | int | None
ShowInvite: TypeAlias = Callable[[str, str, str], Coroutine[None, None, None]]
"""What shows an invite, with the sentence around it and perhaps one that says why it is another now, as long as it is of use."""
SIGNALS: Final = {
    "SIGINT": Status.INTERRUPTED,
    "SIGTERM": Status.TERMINATED,
    "SIGHUP": Status.HUNG_UP,
}


class Face(Protocol):
    """What a player sees and types at: line mode or the full screen."""

    async def wish(self) -> Wish:
        """The next thing that this player wants."""

    def show(self, news: News, now: Situation) -> None:
        """Something has happened."""

    def notice(self, sentence: str) -> None:
        """Something has happened outside of the match."""

    def leave(self) -> None:
        """Leave now."""


class Chair:
    """A `Player`: what happens is told by `face`; wishes come from there, or from `automaton` if a computer sits here.

    Make it in the running loop. Whoever has to get up wishes to leave from then on; `status` says why, if that matters.
    """

    def __init__(self, face: Face, automaton: Automaton | None = None, show_invite: ShowInvite | None = None) -> None:
        self.face = face
        self.status: Status | None = None
        self.resigns = False  # the first game that is on the table
        self.is_waiting = False  # for whoever comes with the invite
        self.reasons: tuple[str, ...] = ()  # why nobody was found, for whoever has seen them go by
        self._automaton = automaton
        self._show_invite = show_invite
        self._leaving = asyncio.Event()
        self._resigning = asyncio.Event()
        self._wish: asyncio.Task[Wish] | None = None
        self._showing: list[asyncio.Task[None]] = []
        self._timers: list[asyncio.TimerHandle] = []
        self._loop = asyncio.get_running_loop()
        self._before: dict[int, Handler] = {}

    def attend(self) -> None:
        """Get up at a signal, if this is where signals arrive."""
        if threading.current_thread() is threading.main_thread():
            for name, status in SIGNALS.items():
                number = getattr(signal, name, None)
                if number is not None:
                    self._attend(number, status)

    def tie_to_input(self) -> None:
        """Leave when standard input ends: whoever holds its other end has gone."""

        def wait() -> None:
            with contextlib.suppress(OSError):  # as good as an end
                while os.read(0, CHUNK):
                    pass
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self.get_up)

        threading.Thread(target=wait, name="tie", daemon=True).start()

    def get_up(self, status: Status | None = None) -> None:
        """Leave the table now; the first reason counts."""
        self.status = self.status or status
        self._leaving.set()
        self.face.leave()

    def invite(self, invite: str, *more: str, why: str = "") -> None:
        """Show the invite, with `more` that belongs to it, while the match waits for whoever comes with it; `why` it is another now."""
        self.is_waiting = True
        text = "\n".join((notices.invitation(invite), *more))
        if self._show_invite is None:
            self.face.notice(f"{why}\n{text}" if why else text)
            return
        showing = asyncio.create_task(self._show_invite(invite, text, why))
        self._showing = [*(task for task in self._showing if not task.done()), showing]

    def later(self, seconds: float, work: Callable[[], object]) -> None:
        """Do this after so many seconds, unless everybody has left before."""
        self._timers = [timer for timer in self._timers if timer.when() > self._loop.time()]
        self._timers.append(self._loop.call_later(seconds, work))

    async def wish(self) -> Wish:
        """The next wish; Leave as soon as a signal has come, Resign once if that is what this seat is here for."""
        if self._wish is None:
            source = self.face if self._automaton is None else self._automaton
            self._wish = asyncio.create_task(source.wish())
        own = [asyncio.create_task(event.wait()) for event in (self._leaving, self._resigning)]
        try:
            await asyncio.wait({self._wish, *own}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in own:
                task.cancel()
        if self._leaving.is_set():
            return Leave()
        if self._resigning.is_set():
            self._resigning.clear()
            return Resign()
        wish, self._wish = self._wish.result(), None
        return wish

    def show(self, news: News, now: Situation) -> None:
        """Tell it, and let the computer think if one sits here."""
        self.face.show(news, now)
        has_come = isinstance(news, Seated) or now.match.game is not None
        self.is_waiting = isinstance(news, Vacant) or (self.is_waiting and not has_come)
        if self.resigns and now.match.state in IN_GAME:
            self.resigns = False
            self._resigning.set()
        if self._automaton is not None:
            self._automaton.show(news, now)

    def close(self) -> None:
        """Nobody wishes any more."""
        for timer in self._timers:
            timer.cancel()
        for task in (self._wish, *self._showing):
            if task is not None:
                task.cancel()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _attend(self, number: int, status: Status) -> None:
        """Get up at this signal; where a loop takes no signals, at the latest with its next beat."""
        try:
            self._loop.add_signal_handler(number, self.get_up, status)
        except NotImplementedError:

            def handle(_number: int, _frame: FrameType | None) -> None:
                self._loop.call_soon_threadsafe(self.get_up, status)

            self._before[number] = signal.signal(number, handle)
            self._beat()

    def _beat(self) -> None:
        """Wake the loop, so that a signal is noticed while nothing else happens."""
        self.later(BEAT_S, self._beat)
