"""The way to the other side as the screen shows it, and the work that both sides do between two turns.

Law: a time of answer is shown when it is the first one or has lasted; a counter runs only while it is seen, and stops.
"""

import asyncio
from dataclasses import replace
from typing import Final

from sm_p2p.errors import sure
from sm_p2p.session.effects import Claimed, Latency, Overdue
from sm_p2p.session.talk import LinkChanged, Return, Watched, Way
from sm_p2p.ui.app.picture import Picture
from sm_p2p.ui.app.timers import Timers
from sm_p2p.ui.screen.model import Link, Progress, latency_step
from sm_p2p.ui.works import Work

STEADY_S: Final = 10.0  # how long a time of answer has to last before it is shown
SPIN_AFTER_S: Final = 0.5
SPIN_S: Final = 0.25
MOST_SPINS: Final = 240


class Wayside:
    """Keeps link and progress of a picture."""

    def __init__(self, picture: Picture, timers: Timers) -> None:
        self._picture = picture
        self._timers = timers
        self._step: tuple[int, float] | None = None  # another time of answer, and since when
        self._lost_at = 0.0
        self._work: Work | None = None

    @property
    def link(self) -> Link:
        """The link that is shown."""
        return self._picture.model.link

    def told(self, news: LinkChanged | Latency | Watched) -> bool:
        """How the way is, how long an answer took, or how many watch; True when the other side has become reachable."""
        match news:
            case LinkChanged(way):
                self.changed(way)
                return way is Way.UP
            case Latency(seconds):
                self.answered_in(seconds)
            case Watched(by):
                self._relink(replace(self.link, watchers=by))
        return False

    def changed(self, way: Way) -> None:
        """The way came or went."""
        self._timers.cancel("waited")
        is_up = way is Way.UP
        link = replace(self.link, way=way, waited_s=0, is_away=self.link.is_away and not is_up)
        self._relink(replace(link, overdue_min=0) if is_up and not link.is_claimed else link)
        if way is Way.RECONNECTING:
            self._lost_at = asyncio.get_running_loop().time()
            self._timers.later("waited", 1.0, self._waited)

    def left(self) -> None:
        """The other side has said goodbye."""
        self._relink(replace(self.link, is_away=True))

    def returned(self, news: Return) -> bool:
        """Who is away or back; True where that is an absence that may be claimed, or is claimed, to be for good."""
        match news:
            case Overdue(minutes):
                self._relink(replace(self.link, overdue_min=minutes))
            case Claimed(minutes):
                self._relink(replace(self.link, overdue_min=minutes, is_claimed=True))
            case _:
                self._relink(replace(self.link, overdue_min=0, is_claimed=False))
        return bool(self.link.overdue_min)

    def answered_in(self, seconds: float) -> None:
        """The other side has answered; no time at all is no answer."""
        if not seconds:
            return
        step, now, shown = latency_step(seconds), asyncio.get_running_loop().time(), self.link.step_ms
        if step == shown:
            self._step = None
        elif self._step is None or self._step[0] != step:
            self._step = step, now
        if not shown or (self._step is not None and now - self._step[1] >= STEADY_S):
            self._step = None
            self._relink(replace(self.link, step_ms=step))

    def work(self, work: Work | None) -> None:
        """Show how far this is, if it takes a while; None: nothing is under way."""
        if work is None or self.link.way is not Way.UP or self.link.is_away:
            self._work = None
            self._timers.cancel("work")
            self._picture.show(replace(self._picture.model, progress=None))
            return
        is_new, self._work = self._work != work, work
        if self._picture.model.progress is not None and is_new:
            self._spin(0)
        elif not self._timers.waits("work") and is_new:
            self._timers.later("work", SPIN_AFTER_S, lambda: self._spin(0))

    def _spin(self, turned: int) -> None:
        self._picture.show(replace(self._picture.model, progress=Progress(*sure(self._work), turned)))
        if turned < MOST_SPINS:
            self._timers.later("work", SPIN_S, lambda: self._spin(turned + 1))

    def _waited(self) -> None:
        seconds = asyncio.get_running_loop().time() - self._lost_at
        self._relink(replace(self.link, waited_s=round(seconds)))
        self._timers.later("waited", 1.0, self._waited)

    def _relink(self, link: Link) -> None:
        self._picture.show(replace(self._picture.model, link=link))
