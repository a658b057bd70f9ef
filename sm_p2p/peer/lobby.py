"""Before the first move: finding each other, and waiting for what takes a while without keeping a player from leaving."""

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final, TypeVar

from sm_p2p.errors import Code, Fault, LinkDown, Sentence, SpiteError
from sm_p2p.log.entry import read_envelope
from sm_p2p.net.link import Link, LinkState
from sm_p2p.peer.player import Player
from sm_p2p.session.events import Opened, event_of
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.state import SeatNumber
from sm_p2p.session.talk import Agree, Leave, Refuse, Wish
from sm_p2p.session.wire import Bye, Entries, Frame, Hello, Reject, read_frame, write_frame
from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places
from sm_p2p.version import PROTOCOL

AGAIN_S: Final = 1.0  # seconds until a greeting without an answer is said again
HEARD: Final = 64  # words that are kept of somebody who brings a log, until its beginning is among them
LOG_S: Final = 10.0  # seconds in which the beginning of a log arrives from somebody who is there
NOT_HERE: Final = Sentence(
    "This match cannot be gone on with here: it is over, has stopped, or something of it is lost."
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays in this process: where his files are, who he is, what he is called, and how long he waits.

    `wait` is for the first contact and `patience` for a link that was lost, in seconds; None: for ever. `stays`: whether
    he may want another match when one is over; else he goes then. `is_wary`: whether a person sits here, who is told who
    sits opposite, is asked about strangers, and remembers whom he has met.
    """

    places: Places
    identity: Identity
    name: str
    wait: float | None = None
    patience: float | None = None
    stays: bool = False
    is_wary: bool = False


class Ahead:
    """A link of which the first words were heard already; they come once more, and so does what is put back."""

    def __init__(self, link: Link, *words: bytes | LinkState) -> None:
        self._link = link
        self._words = deque(words)

    @property
    def state(self) -> LinkState:
        """How the link is just now."""
        return self._link.state

    async def send(self, frame: bytes) -> None:
        """Hand one frame over; LinkDown when there is no way."""
        await self._link.send(frame)

    async def receive(self) -> bytes | LinkState:
        """The words from ahead, then those of the link."""
        return self._words.popleft() if self._words else await self._link.receive()

    def put_back(self, words: Sequence[bytes | LinkState]) -> None:
        """Let these come once more, in their order, before anything else."""
        self._words.extendleft(reversed(words))

    async def close(self) -> None:
        """Close the link."""
        await self._link.close()


@dataclass(slots=True)
class Greeter:
    """A guest who greets a host until he is answered; `match` is the one that he would like to go on with, or empty.

    Law: a host who does not have that match says no-such-match and is greeted again without it; what he names then is
    his choice, unless it has to be that match (`is_only`). A match that was `refused` here counts again only on a new
    connection, one that is `over` never.
    """

    link: Link
    identity: Identity
    peer: Peer
    match: bytes
    refused: bytes = b""
    over: bytes = b""
    is_only: bool = False

    async def greet(self) -> tuple[Hello | Reject, bytes]:
        """The host's answer and its frame.

        Raises SpiteError when somebody else than the host of the invite answers, HostHasLeftError.
        """
        is_new = False
        while True:
            word = await self._next_word()
            if isinstance(word, LinkState):
                is_new = is_new or word is not LinkState.UP
                continue
            try:
                frame = read_frame(word)
            except Fault:
                continue
            if isinstance(frame, Reject):
                if frame.code == Code.NO_SUCH_MATCH and self.match and not self.is_only:
                    self.match = b""
                    continue
                return frame, word
            if isinstance(frame, Bye):
                raise HostHasLeftError
            if isinstance(frame, Hello) and frame.role != "host":
                raise SpiteError("Who answers there opens no table to play at; ask for a new invite.")
            if isinstance(frame, Hello) and self._is_an_answer(frame, is_new=is_new):
                return self._checked(frame), word

    async def refuse(self, match: bytes) -> None:
        """Tell the host that his match cannot be gone on with here."""
        self.refused, self.match = match, b""
        await try_to_send(self.link, Reject(Code.NO_SUCH_MATCH))

    async def first_entry(self, match: bytes) -> tuple[SeatNumber, bytes] | None:
        """Our seat by entry 1 of the match that the host has named, and the frame it came in; None if it does not come."""
        try:
            async with asyncio.timeout(LOG_S):
                while True:
                    word = await self._next_word()
                    if isinstance(word, LinkState):
                        continue
                    seat = _seat_by(word, match, self.identity.identity)
                    if seat is not None:
                        return seat, word
        except TimeoutError:
            return None

    async def _next_word(self) -> bytes | LinkState:
        """What the link says; a greeting goes out when it is up, and again after a silence."""
        try:
            async with asyncio.timeout(AGAIN_S):
                word = await self.link.receive()
        except TimeoutError:
            word = self.link.state
        if word is LinkState.UP:
            await try_to_send(self.link, hello(self.identity, self.peer, self.match, 0, b""))
        return word

    def _is_an_answer(self, frame: Hello, *, is_new: bool) -> bool:
        """Whether the host names a match that is to be looked at, on a connection that is new since the last time."""
        is_named = frame.seq > 0 or (frame.match and frame.match == self.match)  # or he has lost its log
        return bool(is_named) and frame.match != self.over and (is_new or frame.match != self.refused)

    def _checked(self, frame: Hello) -> Hello | Reject:
        if not frame.low <= PROTOCOL <= frame.high:
            return Reject(Code.OTHER_VERSION)
        if frame.identity != self.peer.identity:
            raise SpiteError("Somebody else than the host of this invite answers; ask for a new invite.")
        return frame


class PlayerHasLeftError(Exception):
    """This player has left before the match was on the table."""


class HostHasLeftError(Exception):
    """The host has said goodbye before the match was on the table."""


class NobodyCameError(Exception):
    """The time to wait for the other side is over."""


def unheard(_wish: Wish) -> None:
    """Nobody listens to wishes here."""


async def unless_left(
    player: Player, wait: float | None, coming: Awaitable[T], heed: Callable[[Wish], None] = unheard
) -> T:
    """What `coming` gives; PlayerHasLeftError when the player leaves before, NobodyCameError after `wait` seconds.

    What else he wishes meanwhile is told to `heed`.
    """
    arriving = asyncio.ensure_future(coming)
    leaving = asyncio.create_task(_left(player, heed))
    try:
        done, _ = await asyncio.wait({arriving, leaving}, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        if arriving in done:
            return arriving.result()
        if leaving in done:
            leaving.result()
            raise PlayerHasLeftError
        raise NobodyCameError
    finally:
        for task in (arriving, leaving):
            task.cancel()
        await asyncio.gather(arriving, leaving, return_exceptions=True)


async def answer_of(player: Player) -> Agree | Refuse:
    """What this player says to a question that was shown to him; PlayerHasLeftError."""
    while not isinstance(wish := await player.wish(), Agree | Refuse):
        if isinstance(wish, Leave):
            raise PlayerHasLeftError
    return wish


async def in_thread(work: Callable[[], T]) -> T:
    """What `work` gives, done in a thread that nobody has to wait for: it may only read, and is left behind at the end."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
            done.set_exception(error)
        else:
            done.set_result(result)

    threading.Thread(target=run, name="lobby", daemon=True).start()
    return await asyncio.wrap_future(done)


async def surely(work: Callable[[], T], executor: Executor | None = None) -> T:
    """What `work` gives, done in a thread; it is done to its end also when nobody waits for it any more."""
    return await asyncio.shield(asyncio.get_running_loop().run_in_executor(executor, work))


async def try_to_send(link: Link, frame: Frame) -> None:
    """Send it if there is a way just now."""
    try:
        await link.send(write_frame(frame))
    except LinkDown:
        return


async def first_entry(link: Ahead, ours: Hello) -> SeatNumber | None:
    """Our seat in the match of this hello, by its entry 1, which a guest brings who has greeted us; None if he does not.

    Whatever was heard meanwhile comes once more.
    """
    heard: list[bytes | LinkState] = []
    try:
        async with asyncio.timeout(LOG_S):
            while len(heard) < HEARD:
                heard.append(word := await link.receive())
                if isinstance(word, LinkState):
                    continue
                seat = _seat_by(word, ours.match, ours.identity)
                if seat is not None:
                    return seat
                said = _read(word)
                if isinstance(said, Reject):
                    return None
                if isinstance(said, Hello):
                    await try_to_send(link, ours)
    except TimeoutError:
        return None
    finally:
        link.put_back(heard)
    return None


async def _left(player: Player, heed: Callable[[Wish], None]) -> None:
    while not isinstance(wish := await player.wish(), Leave):
        heed(wish)


def _read(word: bytes) -> Frame | None:
    try:
        return read_frame(word)
    except Fault:
        return None


def _seat_by(word: bytes, match: bytes, identity: bytes) -> SeatNumber | None:
    """Where this identity sits in this match, by entry 1 in this frame; None if the frame does not hold it."""
    try:
        frame = read_frame(word)
        if isinstance(frame, Entries) and frame.raws:
            first = read_envelope(frame.raws[0])
            event = event_of(first.kind, first.data)
            if first.seq == 1 and first.id == match and isinstance(event, Opened):
                return 0 if event.identity == identity else 1
    except Fault:
        pass
    return None
