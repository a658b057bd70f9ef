"""One match, played: frames, wishes and time go into the session, its effects into journal, link and player.

Law: session and files belong to one worker thread, which does one thing after the other, so that slow mathematics never
stops the screen; what has to be stored is stored in the call that asks for it, before anything is sent or shown.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias, assert_never

from sm_p2p.audience.balcony import Balcony
from sm_p2p.errors import Code, IllegalMove, LinkDown
from sm_p2p.log.entry import Entry
from sm_p2p.net.link import Link, LinkState
from sm_p2p.peer.desk import Desk
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.lobby import surely
from sm_p2p.peer.player import Player
from sm_p2p.peer.sequel import Sequel, asks_for_another
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Advanced, Effect, Latency, PeerLeft, Rejected, Send, Stopped, Tell
from sm_p2p.session.events import NONCE
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.session import Session
from sm_p2p.session.state import State
from sm_p2p.session.talk import (
    Again,
    Agree,
    AskedAgain,
    Claim,
    Leave,
    LinkChanged,
    News,
    Offered,
    Refuse,
    Refused,
    Resign,
    Resumed,
    Say,
    Situation,
    Watched,
    Way,
    Wish,
)
from sm_p2p.session.wire import Reject, write_frame

TICK_S: Final = 0.5  # a retry may come so much late
FAREWELL_S: Final = 5.0  # how long the author of the last entry waits for its acknowledgement
SILENCE_S: Final = 3.0  # how long a link is up before a player hears why nothing is signed
QUEUE: Final = 4  # frames and wishes that wait for the worker, few, for no wish is to wait; the link has its own queue
BEFORE: Final = (State.OPEN, State.JOIN)
JOINED_AT: Final = 2  # the number of the guest's first entry


@dataclass(frozen=True, slots=True)
class Terms:
    """What a guest agrees to without being asked: one variant and no other, any (`is_any`), or what is `known`, or nothing.

    `match` is the only one that he goes on with (empty: whichever the two have), unless he wants a new one (`is_new`).
    """

    variant: Variant | None = None
    is_any: bool = False
    known: Variant | None = None
    match: bytes = b""
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What is around a match: how long a lost link is waited for (seconds; None: for ever), what may follow, who watches.

    `has_others`: whoever sits opposite is a guest in whose place others can come.
    """

    patience: float | None = None
    sequel: Sequel | None = None
    balcony: Balcony | None = None
    has_others: bool = False


ALONE: Final = Around()
Part: TypeAlias = tuple[Send | Tell, Situation]
"""What the session asks for, and how things stand when it does."""
Item: TypeAlias = bytes | LinkState | Wish | None  # None: time has passed


class Play:
    """What belongs together while one match is played."""

    def __init__(
        self,
        session: Session,
        desk: Desk,
        link: Link,
        player: Player,
        terms: Terms | None = None,
        around: Around = ALONE,
    ) -> None:
        self._session = session
        self._desk = desk
        self._link = link
        self._player = player
        self._terms = terms
        self._patience = around.patience  # seconds without a link; None: for ever
        self._balcony = around.balcony  # None: nobody watches
        self._watchers = 0  # as was shown
        self._has_others = around.has_others
        self._sequel = around.sequel  # None: when the match is over, this seat goes
        self._lost_at: float | None = None
        self._silent_at: float | None = None  # since when the link is up and nothing can be signed; None: that was told
        self._closed_at: float | None = None
        self._is_turn_shown = False
        self._is_fork_told = False
        self._ending: Ending | None = None
        self._worker = ThreadPoolExecutor(1, "match")

    async def run(self) -> Ending:
        """Play until the match is over or cannot go on here; DiskTrouble when something could not be stored."""
        inbox: asyncio.Queue[Item] = asyncio.Queue(QUEUE)
        sources = [
            asyncio.create_task(_pump(inbox, source)) for source in (self._link.receive, self._player.wish, _second)
        ]
        served = asyncio.create_task(self._serve(inbox))
        try:
            await asyncio.wait([served, *sources], return_when=asyncio.FIRST_COMPLETED)
            for source in sources:
                if source.done() and not served.done():
                    source.result()
            return await served
        finally:
            for task in (*sources, served):
                task.cancel()
            await asyncio.gather(*sources, served, return_exceptions=True)
            try:
                await surely(self._desk.close, self._worker)  # behind whatever is still being done
            finally:
                self._worker.shutdown(wait=False)

    async def _serve(self, inbox: asyncio.Queue[Item]) -> Ending:
        if self._session.entries:
            self._show(Resumed(len(self._session.entries)), await self._situation())
        for mended in self._desk.mended:
            self._show(mended, await self._situation())
        if self._balcony is not None and self._session.match.state not in BEFORE:
            await self._balcony.begin([*self._session.entries])
        while self._ending is None:
            item = await inbox.get()
            if isinstance(item, LinkState):
                await self._changed(item)
            elif not await self._is_about_another(item):
                await self._do(partial(self._answer, item))
            self._look_at_the_clock()
            await self._say_who_watches()
            await self._say_why_nothing_is_signed()
        if self._ending.how is How.FINISHED:
            await self._do(self._session.leave)
        return self._ending

    async def _do(self, work: Callable[[], Iterable[Effect]]) -> None:
        """One call of the session with all that it asks for, each part as soon as it is worked out."""
        told: asyncio.Queue[Part | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        working = loop.run_in_executor(
            self._worker, self._worked, work, lambda part: loop.call_soon_threadsafe(told.put_nowait, part)
        )
        working.add_done_callback(lambda _: told.put_nowait(None))
        entries: list[Entry] = []
        try:
            while (part := await told.get()) is not None:
                effect, now = part
                if isinstance(effect, Send):
                    await self._send(effect.frame)
                    continue
                if isinstance(effect.what, Advanced):
                    entries.append(effect.what.entry)
                self._show(effect.what, now)
                await self._follow(effect.what, now)
            now = await working
        except IllegalMove as why:
            self._show(Refused(why), await self._situation())
            return
        finally:
            working.cancel()
        for entry in entries:  # whoever watches comes after the player
            if self._balcony is not None:
                await self._publish(self._balcony, entry)
        if now.is_our_turn and not self._is_turn_shown:  # the other side has only now shown what it holds
            self._show(Latency(0.0), now)

    async def _publish(self, balcony: Balcony, entry: Entry) -> None:
        """An entry that was stored: the first two together, when both sit at the table."""
        if entry.seq == JOINED_AT:
            await balcony.begin(self._session.entries[:JOINED_AT])
        elif entry.seq > JOINED_AT:
            await balcony.grow(entry.raw)

    def _worked(self, work: Callable[[], Iterable[Effect]], hand_over: Callable[[Part], object]) -> Situation:
        """Store what is to be stored, hand over everything else; in the thread of the match."""
        for effect in work():
            if isinstance(effect, Send | Tell):
                hand_over((effect, self._look()))
            else:
                self._desk.carry_out(effect)
        return self._look()

    def _answer(self, item: bytes | Wish | None) -> Iterable[Effect]:
        session, now = self._session, time.monotonic()
        match item:
            case None:
                return session.tick(now)
            case bytes(frame):
                return session.hear(frame, now)
            case Move():
                return session.move(item, _wall_clock())
            case Say(text):
                return session.say(text)
            case Resign():
                return session.resign(_wall_clock())
            case Claim():
                return session.claim()
            case Agree():
                return self._agree()
            case Leave():
                return self._leave()
            case Refuse():
                return self._send_away()
            case Again():
                return []  # this match is not over, or this seat does not stay for another one
            case _:
                assert_never(item)

    def _agree(self) -> list[Effect]:
        return self._session.join(os.urandom(NONCE), _wall_clock())

    def _leave(self) -> list[Effect]:
        if self._session.match.state is State.CLOSED:
            self._ending = Ending(How.FINISHED)
            return []
        self._ending = Ending(How.LEFT)
        declined = [Send(write_frame(Reject(Code.DECLINED)))] if self._is_offered() else []
        return [*declined, *self._session.leave()]

    def _send_away(self) -> list[Effect]:
        if not self._has_others:
            raise NotNow(Unable.NO_GUEST)
        if self._desk.was_played:
            raise NotNow(Unable.PLAYED)
        self._ending = Ending(How.SENT_AWAY)
        return []

    def _is_offered(self) -> bool:
        is_open = self._session.match.state is State.JOIN and self._session.seat == 1
        return is_open and self._terms is not None

    async def _changed(self, state: LinkState) -> None:
        self._show(LinkChanged(Way(state.value)), await self._situation())
        if state is LinkState.UP:
            self._lost_at, self._silent_at = None, time.monotonic()
            await self._do(lambda: self._session.connected(time.monotonic()))
            return
        if self._sequel is not None:
            self._sequel.is_asked = False  # it is asked again on the next connection
        self._lost_at, self._silent_at = self._lost_at or time.monotonic(), None
        self._session.disconnected()
        if self._session.match.state is State.JOIN and self._session.seat == 0:
            self._ending = Ending(How.UNSEATED)

    async def _follow(self, told: object, now: Situation) -> None:
        """What news mean for this process."""
        match told:
            case Advanced(_, _, after) if after.state is State.JOIN and self._terms is not None:
                await self._offered(self._terms, now)
            case Stopped(guilty=guilty):
                self._ending = Ending(How.BROKEN if guilty == 1 - now.seat else How.STOPPED, told)
            case Rejected():
                self._ending = Ending(How.UNSEATED if self._can_begin_anew(told, now) else How.REJECTED, told)
            case PeerLeft() if now.match.state is State.CLOSED:
                self._ending = Ending(How.FINISHED)
            case PeerLeft() if now.match.state in {State.OPEN, State.JOIN} and now.seat == 1:
                self._ending = Ending(How.GONE)
            case _:
                pass

    @staticmethod
    def _can_begin_anew(said: Rejected, now: Situation) -> bool:
        """Whether a refusal ends nothing: no guest has joined yet, or the host does not know what our guest has joined."""
        if now.seat == 0:
            return now.match.state is State.JOIN
        return said.code == Code.NO_SUCH_MATCH and now.match.chain.seq <= JOINED_AT

    async def _offered(self, terms: Terms, now: Situation) -> None:
        if terms.variant is not None and terms.variant != now.match.variant:
            await self._send(write_frame(Reject(Code.OTHER_VARIANT)))
            self._ending = Ending(How.OTHER_TERMS)
        elif terms.is_any or now.match.variant in {terms.variant, terms.known}:
            await self._do(self._agree)
        else:
            self._show(Offered(now.match.players[0].name, now.match.variant), now)

    def _look_at_the_clock(self) -> None:
        """End what has waited long enough."""
        now = time.monotonic()
        if self._session.match.state is State.CLOSED and self._ending is None:
            self._closed_at = self._closed_at or now
            if self._sequel is None and (self._session.is_settled or now - self._closed_at > FAREWELL_S):
                self._ending = Ending(How.FINISHED)
        if self._lost_at is not None and self._patience is not None and now - self._lost_at > self._patience:
            is_over = self._session.match.state is State.CLOSED
            self._ending = self._ending or Ending(How.FINISHED if is_over else How.ALONE)

    async def _is_about_another(self, item: bytes | Wish | None) -> bool:
        """Whether it is about another match, which this one, being over, has nothing to do with any more."""
        sequel, match = self._sequel, self._session.match
        if sequel is None or match.state is not State.CLOSED:
            return False
        match item:
            case Again():
                sequel.wish = item
                await self._send(sequel.request)
            case bytes() if asks_for_another(item, match.chain.match):
                if not sequel.is_asked:
                    sequel.is_asked = True
                    self._show(AskedAgain(), await self._situation())
            case None if sequel.wish is not None and not sequel.is_asked:
                await self._send(sequel.request)  # the one before may be lost
                return False
            case _:
                return False
        if sequel.is_agreed:
            self._ending = Ending(How.AGAIN, again=sequel.wish)
        return True

    async def _say_who_watches(self) -> None:
        """How many watch, whenever that has changed."""
        if self._balcony is not None and len(self._balcony) != self._watchers:
            self._watchers = len(self._balcony)
            self._show(Watched(self._watchers), await self._situation())

    async def _say_why_nothing_is_signed(self) -> None:
        """Once for each connection, when the other side has not brought us up to date; at once, when the logs part."""
        session = self._session
        if session.is_forked and not self._is_fork_told:
            self._is_fork_told = True
            self._show(Refused(NotNow(Unable.FORKED)), await self._situation())
        if self._silent_at is None or time.monotonic() - self._silent_at < SILENCE_S:
            return
        self._silent_at = None
        if session.entries and session.hindrance is not None and session.match.state is not State.CLOSED:
            self._show(Refused(session.hindrance), await self._situation())

    async def _send(self, frame: bytes) -> None:
        try:
            await self._link.send(frame)
        except LinkDown:
            return  # the session says it again when the link is back

    def _show(self, news: News, now: Situation) -> None:
        self._is_turn_shown = now.is_our_turn
        self._player.show(news, now)

    async def _situation(self) -> Situation:
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._look)

    def _look(self) -> Situation:
        session = self._session
        return Situation(session.seat, session.match, session.view, session.is_our_turn)


async def _pump(inbox: asyncio.Queue[Item], source: Callable[[], Awaitable[Item]]) -> None:
    while True:
        await inbox.put(await source())


async def _second() -> None:
    await asyncio.sleep(TICK_S)


def _wall_clock() -> int:
    """Milliseconds since 1970, for the eyes of people only."""
    return int(time.time() * 1000)
