"""Before the first move: finding each other, agreeing which match is played, and what both sides need for that.

Law: the host decides which match it is: the one the guest names if both can go on with it, else their latest unfinished
one, else a new one. Whoever comes back is known by his key, with or without an invite.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final, TypeVar

from sm_p2p.errors import Fault, LinkDown, SpiteError
from sm_p2p.net.link import Link, LinkState
from sm_p2p.peer.player import Player
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.talk import Leave
from sm_p2p.session.wire import Hello, Reject, read_frame, write_frame
from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places

AGAIN_S: Final = 1.0  # seconds until a greeting without an answer is said again

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays in this process: where his files are, who he is, what he is called, and how long he waits.

    `wait` is for the first contact and `patience` for a link that was lost, in seconds; None: for ever.
    """

    places: Places
    identity: Identity
    name: str
    wait: float | None = None
    patience: float | None = None


class Ahead:
    """A link of which the first words were heard already; they come once more."""

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

    async def close(self) -> None:
        """Close the link."""
        await self._link.close()


async def greet(link: Link, identity: Identity, peer: Peer, match: bytes) -> tuple[Hello | Reject, bytes]:
    """Say hello, as often as it needs, and wait for the host's; his answer and its frame."""
    greeting = write_frame(hello(identity, peer, match, 0, b""))
    while True:
        try:
            word = await asyncio.wait_for(link.receive(), AGAIN_S)
        except TimeoutError:
            word = link.state
        if isinstance(word, LinkState):
            if word is LinkState.UP:
                await _try_to_send(link, greeting)
            continue
        try:
            frame = read_frame(word)
        except Fault:
            continue
        if isinstance(frame, Hello | Reject):
            return frame, word


async def unless_left(player: Player, wait: float | None, coming: Awaitable[T]) -> T | None:
    """What `coming` gives; None when the player has left before, TimeoutError after `wait` seconds."""
    arriving = asyncio.ensure_future(coming)
    leaving = asyncio.create_task(_left(player))
    try:
        done, _ = await asyncio.wait({arriving, leaving}, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            raise TimeoutError
        return arriving.result() if arriving in done else leaving.result()
    finally:
        for task in (arriving, leaving):
            task.cancel()
        await asyncio.gather(arriving, leaving, return_exceptions=True)


def without_secret() -> SpiteError:
    """Why a match that the other side goes on with cannot be gone on with here."""
    return SpiteError(
        "The other side goes on with a match whose files are not here: "
        "bring your directory back, or ask for a new match."
    )


async def _left(player: Player) -> None:
    while not isinstance(await player.wish(), Leave):
        pass


async def _try_to_send(link: Link, frame: bytes) -> None:
    try:
        await link.send(frame)
    except LinkDown:
        return
