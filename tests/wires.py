"""Doors, guests and waiting with a deadline, for every test that needs real sockets on the loopback."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine, Sequence

from nacl.signing import SigningKey

from sm_p2p.errors import LinkDown
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.door import Arrival, Departure, Door, listen
from sm_p2p.net.link import Link, LinkState

HOST, GUEST, OTHER = (bytes([n]) * 32 for n in (1, 2, 3))
"""Seeds of three identities."""
HELLO = b"hello"
SILENCE_S = 0.5
"""After so long without an answer a greeting is said again, as players do."""


def identity(seed: bytes) -> bytes:
    """The public half of a seed's identity."""
    return bytes(SigningKey(seed).verify_key)


def run(story: Coroutine[None, None, None], within: float = 30.0) -> None:
    """Runs one test's story to its end, or fails at the deadline."""
    asyncio.run(asyncio.wait_for(story, within))


@contextlib.asynccontextmanager
async def a_door(seed: bytes = HOST, bind: Sequence[str] = ("127.0.0.1",), port: int = 0) -> AsyncIterator[Door]:
    """A door on a free port of the loopback, closed at the end."""
    door = await listen(seed, bind=bind, port=port)
    try:
        yield door
    finally:
        await door.close()


@contextlib.asynccontextmanager
async def a_guest(
    *places: Address | int, seed: bytes = GUEST, host: bytes = identity(HOST)
) -> AsyncIterator[DialledLink]:
    """A link to the first of these addresses (or ports of the loopback) that answers, closed at the end."""
    link = dial(seed, [Address("127.0.0.1", place) if isinstance(place, int) else place for place in places], host)
    try:
        yield link
    finally:
        await link.close()


async def until(link: Link, wanted: bytes | LinkState, within: float = 10.0) -> list[bytes | LinkState]:
    """Waits until the link has given what is wanted; what came before it, in order."""
    before: list[bytes | LinkState] = []
    async with asyncio.timeout(within):
        while (item := await link.receive()) != wanted:
            before.append(item)
    return before


async def arrival(door: Door, within: float = 10.0) -> Arrival:
    """The next frame at the door, departures passed over."""
    async with asyncio.timeout(within):
        while not isinstance(knock := await door.receive(), Arrival):
            pass
    return knock


async def departure(door: Door, within: float = 10.0) -> Departure:
    """The next departure at the door, frames passed over."""
    async with asyncio.timeout(within):
        while not isinstance(knock := await door.receive(), Departure):
            pass
    return knock


async def sit_down(door: Door, link: Link, role: str = "play") -> bytes:
    """Greets and is let in; the route at the door."""
    await until(link, LinkState.UP)
    await link.send(HELLO)
    knock = await arrival(door)
    assert knock.frame == HELLO
    door.admit(knock.route, role)
    return knock.route


async def echo(door: Door, only: bytes) -> None:
    """Lets in whoever says HELLO and gives every frame back, until cancelled; with `only`, none but this transport key."""
    while True:
        knock = await door.receive()
        if isinstance(knock, Arrival) and only in {b"", knock.key}:
            with contextlib.suppress(LinkDown):
                if knock.frame == HELLO:
                    door.admit(knock.route, "play")
                await door.send(knock.route, knock.frame)


@contextlib.asynccontextmanager
async def an_echo(seed: bytes = HOST, only: bytes = b"") -> AsyncIterator[Door]:
    """A door behind which everything is echoed."""
    async with a_door(seed) as door:
        answering = asyncio.create_task(echo(door, only))
        try:
            yield door
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)


async def talk(link: Link, frame: bytes, within: float = 10.0) -> None:
    """Greets at every new connection and after a silence, and says the frame, until an echo has given it back."""
    async with asyncio.timeout(within):
        item: bytes | LinkState = link.state
        while item != frame:
            with contextlib.suppress(LinkDown):
                if item is LinkState.UP:
                    await link.send(HELLO)
                elif item == HELLO:
                    await link.send(frame)
            try:
                item = await asyncio.wait_for(link.receive(), SILENCE_S)
            except TimeoutError:
                item = link.state
