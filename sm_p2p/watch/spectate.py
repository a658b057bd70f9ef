"""Watching a match as it is played: dial whoever serves it, follow, check, and perhaps pass it on.

Law: what is shown was looked at as a player looks at it, proofs excepted; these are checked behind it, and nothing says
that they were before they are. Whoever leaves, leaves at once.
"""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

from sm_p2p.audience.balcony import Balcony
from sm_p2p.errors import LinkDown
from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.invite import Invite
from sm_p2p.net.link import LinkState
from sm_p2p.session.effects import Advanced, PeerLeft, Rejected, Send, Stopped
from sm_p2p.session.greeting import Peer
from sm_p2p.session.state import State
from sm_p2p.session.talk import Afresh, LinkChanged, Way
from sm_p2p.store.keys import Identity
from sm_p2p.watch.follow import Expected, Fetching, Follower, MovedOn, Seen
from sm_p2p.watch.prove import Proved, Prover

T = TypeVar("T")
TICK_S: Final = 1.0
Sight: TypeAlias = Seen | Proved
"""What a viewer is shown."""


class Viewer(Protocol):
    """Whoever watches. Calls come from the event loop; neither may block it."""

    async def left(self) -> None:
        """Back when he has seen enough."""

    def see(self, sight: Sight) -> None:
        """Something has happened."""


class Why(Enum):
    """Why the watching ended."""

    LEFT = "the viewer has left"
    OVER = "the match is over, and whoever served it has left"
    GONE = "whoever served it has left in the middle of the match"
    REJECTED = "whoever serves it refuses"
    STOPPED = "what arrived is wrong"
    ALONE = "nobody could be reached in time"


@dataclass(frozen=True, slots=True)
class Watching:
    """How it ended, with the fault or refusal if that was it, and the link, which tells why an address did not work."""

    why: Why
    link: DialledLink
    fault: Stopped | Rejected | None = None


@dataclass(frozen=True, slots=True)
class Spectator:
    """Who watches in this process, and how long he waits for the first contact, in seconds (None: for ever)."""

    identity: Identity
    name: str
    wait: float | None = None


async def spectate(
    who: Spectator,
    invite: Invite,
    viewer: Viewer,
    balcony: Balcony | None = None,
    dialled: Callable[[DialledLink], None] = lambda _link: None,
) -> Watching:
    """Watch until the viewer leaves or nothing more can come; with a `balcony`, pass on what is seen.

    `dialled` is told the link when it begins to look for the table.
    """
    link = dial(who.identity.seed, invite.addresses, invite.key)
    dialled(link)
    watch = _Watch(who, invite, viewer, link, balcony)
    try:
        ended = await watch.run()
        if balcony is not None:
            await balcony.leave()
        return ended
    finally:
        watch.close()
        await link.close()


@dataclass(slots=True)
class _Watch:
    who: Spectator
    invite: Invite
    viewer: Viewer
    link: DialledLink
    balcony: Balcony | None
    follower: Follower = field(init=False)
    prover: Prover = field(default_factory=Prover)
    fault: Stopped | Rejected | None = None
    has_contact: bool = False
    upto: int = 0  # so many entries were played before we came; they are seen first, and their proofs checked then
    news: asyncio.Event = field(default_factory=asyncio.Event)  # there may be something to prove
    proved: asyncio.Event = field(default_factory=asyncio.Event)  # nothing is left to prove
    desk: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "follow"))
    study: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "prove"))

    def __post_init__(self) -> None:
        invite = self.invite
        host, match = (invite.key, b"") if invite.origin is None else invite.origin
        role = "spectator" if self.balcony is None else "relay"
        peer, expected = Peer(self.who.name, role, invite.token), Expected(invite.key, host, match)
        self.follower = Follower(self.who.identity, peer, expected, beside=self._beside)

    async def run(self) -> Watching:
        following = asyncio.create_task(self._follow())
        others = [asyncio.create_task(work) for work in (self._leave(), self._prove(), self._wait(), self._tick())]
        tasks = [following, *others]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            why = next(task.result() for task in tasks if task in done)
            return Watching(why, self.link, self.fault)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def close(self) -> None:
        """Whatever is being computed is not waited for."""
        self.desk.shutdown(wait=False, cancel_futures=True)
        self.study.shutdown(wait=False, cancel_futures=True)

    async def _leave(self) -> Why:
        await self.viewer.left()
        return Why.LEFT

    async def _wait(self) -> Why:
        """The first contact has to come in time, if there is a time."""
        await asyncio.sleep(3600 * 24 * 365 if self.who.wait is None else self.who.wait)
        if not self.has_contact:
            return Why.ALONE
        return await asyncio.Future()

    async def _follow(self) -> Why:
        while True:
            word = await self.link.receive()
            if isinstance(word, LinkState):
                greeting = self.follower.connected() if word is LinkState.UP else []
                effects = [LinkChanged(Way(word.value)), *greeting]
            else:
                self.has_contact = True
                effects = await self._work(self.desk, partial(self.follower.receive, word))
            for effect in effects:
                why = await self._carry_out(effect)
                if why is not None:
                    return why

    async def _carry_out(self, effect: Send | Seen) -> Why | None:
        if isinstance(effect, Send):
            await self._send(effect.frame)
            return None
        self.viewer.see(effect)
        match effect:
            case Advanced(before, entry):
                self.prover.append(before, entry.raw)
                self.proved.clear()
                if entry.seq >= self.upto:
                    self.news.set()
                if self.balcony is not None:
                    await (self.balcony.begin((entry.raw,)) if entry.seq == 1 else self.balcony.grow(entry.raw))
            case LinkChanged(way):
                if self.balcony is not None:
                    await self.balcony.cut(is_cut=way is not Way.UP)
            case Afresh():
                self.prover, self.upto = Prover(), 0
            case Fetching(upto):
                self.upto = upto
            case Stopped() | Rejected():
                self.fault = effect
                return Why.STOPPED if isinstance(effect, Stopped) else Why.REJECTED
            case PeerLeft() | MovedOn() if not self.follower.raws:
                return Why.GONE
            case PeerLeft() | MovedOn():
                if self.balcony is not None:
                    await self.balcony.leave()
                self.news.set()
                await self.proved.wait()  # nothing more comes, but what has come is checked to its end
                return Why.OVER if self.follower.match.state is State.CLOSED else Why.GONE
        return None

    async def _tick(self) -> Why:
        while True:
            await asyncio.sleep(TICK_S)
            for said in await self._work(self.desk, self.follower.tick):
                await self._send(said.frame)

    async def _prove(self) -> Why:
        """Check what has not been checked, one entry after the other, and say how far it is."""
        while True:
            await self.news.wait()
            self.news.clear()
            while not self.prover.is_idle:
                prover = self.prover
                stopped = await self._work(self.study, prover.work)
                if prover is not self.prover:
                    continue
                if stopped is not None:
                    self.fault = stopped
                    self.viewer.see(stopped)
                    return Why.STOPPED
                self.viewer.see(prover.proved)
            self.proved.set()

    def _beside(self, look: Callable[[], None]) -> None:
        """Where the proofs are checked, nothing is done while the past is still being fetched."""
        with contextlib.suppress(RuntimeError):  # it is over
            self.study.submit(look)

    async def _send(self, frame: bytes) -> None:
        try:
            await self.link.send(frame)
        except LinkDown:
            return  # it is said again when the link is back

    @staticmethod
    async def _work(where: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(where, work)
