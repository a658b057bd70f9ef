"""What a link is, and a pair of links made of memory.

Law: a link carries whole frames, in order; it may lose some (when it breaks, and one whose outermost byte was damaged),
and it never invents, changes or joins one. What must arrive is sent again by the session, which starts over with a
greeting at every `LinkState.UP`.
"""

import asyncio
from enum import StrEnum
from typing import Protocol

from sm_p2p.errors import LinkDown

FRAME_LIMIT = 61_440
"""The longest frame in bytes; 60 KiB, so that with the 33 bytes of the cipher it stays below what a socket accepts."""


AT_ONCE, A_SECOND = 1024, 256
"""Frames that one peer may send at once, and how many a second after that; what two people, or two programs, say to
each other is a tenth of it."""
FRAME_WEIGHT = 4096
"""A frame counts once more for each of these bytes."""


def weight(frame: bytes) -> int:
    """How much of a peer's pace this frame takes."""
    return 1 + len(frame) // FRAME_WEIGHT


class LinkState(StrEnum):
    """How a link is, for the greeting and for words on the screen."""

    CONNECTING = "connecting"
    UP = "up"
    RECONNECTING = "reconnecting"


class LinkSlow(LinkDown):
    """The other side does not take frames as fast as they come; this one was not sent."""


class Link(Protocol):
    """One peer's way to one other peer."""

    @property
    def state(self) -> LinkState:
        """How the link is just now."""
        ...

    async def send(self, frame: bytes) -> None:
        """Hands one frame over; raises LinkDown when there is no way just now (the frame is then not sent later either)."""
        ...

    async def receive(self) -> bytes | LinkState:
        """The next frame, or the state that the link has just come to; raises LinkDown once this side has closed it."""
        ...

    async def close(self) -> None:
        """Ends the link within a second, whatever it is doing; again is harmless."""
        ...


def checked(frame: bytes) -> bytes:
    """The frame itself; raises ValueError when it is too long to be sent, which is a mistake of ours."""
    if len(frame) > FRAME_LIMIT:
        raise ValueError(f"a frame has at most {FRAME_LIMIT} bytes, this one has {len(frame)}")
    return frame


class MemoryLink:
    """One end of `memory_links`; its first word is `LinkState.UP`, and `RECONNECTING` when the other end closes."""

    def __init__(self) -> None:
        self._inbox: asyncio.Queue[bytes | LinkState | None] = asyncio.Queue()
        self._inbox.put_nowait(LinkState.UP)
        self._other: MemoryLink | None = None
        self._closed = False

    @property
    def state(self) -> LinkState:
        """UP until either end closes."""
        return LinkState.RECONNECTING if self._other is None else LinkState.UP

    async def send(self, frame: bytes) -> None:
        """Puts the frame into the other end's inbox; raises LinkDown when either end is closed."""
        if self._other is None:
            raise LinkDown("the other end of this link is closed")
        self._other._inbox.put_nowait(checked(frame))  # noqa: SLF001 - the two ends are one thing

    async def receive(self) -> bytes | LinkState:
        """The next frame or state; raises LinkDown once this end is closed."""
        if self._closed:
            raise LinkDown("this link is closed")
        item = await self._inbox.get()
        if item is None:
            self._inbox.put_nowait(None)
            raise LinkDown("this link is closed")
        return item

    async def close(self) -> None:
        """Closes this end; the other end hears of it after the frames that it has not read yet."""
        if self._closed:
            return
        self._closed = True
        self._inbox.put_nowait(None)
        if self._other is not None:
            self._other._other = None  # noqa: SLF001 - the two ends are one thing
            self._other._inbox.put_nowait(LinkState.RECONNECTING)  # noqa: SLF001 - as above
            self._other = None

    def join(self, other: "MemoryLink") -> None:
        """Makes `other` the other end of this one."""
        self._other = other


def memory_links() -> tuple[Link, Link]:
    """The two ends of one link within this process: what one sends the other receives."""
    here, there = MemoryLink(), MemoryLink()
    here.join(there)
    there.join(here)
    return here, there
