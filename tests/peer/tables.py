"""Tables over loopback TCP in this process: who hosts, who joins, and whoever knocks."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from peer.rig import ANY, DEADLINE_S, SHORT, Person, a_seat

from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import dial
from sm_p2p.net.door import Door
from sm_p2p.net.invite import Invite, Whereabouts
from sm_p2p.net.link import Link, LinkState
from sm_p2p.peer.ending import Ending
from sm_p2p.peer.host import Table, host
from sm_p2p.peer.join import Joined, join
from sm_p2p.peer.lobby import Seat
from sm_p2p.peer.play import Terms
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.wire import Frame, Hello, read_frame, write_frame
from sm_p2p.store.keys import Identity

LOOPBACK = ("127.0.0.1",)
TABLE = Table(SHORT, bind=LOOPBACK, port=0)


@dataclass
class Hosting:
    """A host at his table."""

    seat: Seat
    person: Person
    invites: list[Invite]
    task: "asyncio.Task[Ending]"

    @property
    def invite(self) -> Invite:
        """The one that counts now."""
        return self.invites[-1]

    def through(self, address: Address, token: bytes | None = None) -> Invite:
        """The invite with another address, or another token."""
        return Invite((address,), self.invite.key, self.invite.token if token is None else token)

    @property
    def address(self) -> Address:
        """Where he listens."""
        return self.invite.addresses[0]


@contextlib.asynccontextmanager
async def hosting(seat: Seat, table: Table = TABLE, person: Person | None = None) -> AsyncIterator[Hosting]:
    """A host who waits for somebody; at the end he is stopped, if he has not ended."""
    invites: list[Invite] = []
    opened = asyncio.Event()
    person = person or Person()

    def announce(door: Door, token: bytes) -> None:
        invites.append(Invite((Address("127.0.0.1", door.port),), seat.identity.identity, token))
        opened.set()

    task = asyncio.create_task(host(seat, table, person, announce))
    opening = asyncio.create_task(opened.wait())
    try:
        await asyncio.wait((task, opening), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        yield Hosting(seat, person, invites, task)
    finally:
        for waiting in (task, opening):
            waiting.cancel()
        await asyncio.gather(task, opening, return_exceptions=True)


@dataclass
class Joining:
    """A guest at, or on his way to, a table."""

    person: Person
    task: "asyncio.Task[Joined]"

    async def ending(self) -> Ending:
        """How it ends for him."""
        return (await self.task).ending


@contextlib.asynccontextmanager
async def joining(
    seat: Seat, invite: Invite | Whereabouts, person: Person | None = None, terms: Terms = ANY
) -> AsyncIterator[Joining]:
    """A guest on his way; at the end he is stopped, if he has not ended."""
    person = person or Person()
    task = asyncio.create_task(join(seat, invite, terms, person))
    try:
        yield Joining(person, task)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def asked(seat: Seat, invite: Invite | Whereabouts) -> "contextlib.AbstractAsyncContextManager[Joining]":
    """A guest who is asked whether he agrees, and does not answer."""
    return joining(seat, invite, Person(agrees=False), Terms())


@contextlib.asynccontextmanager
async def knocking(seat: Seat, invite: Invite) -> AsyncIterator[Link]:
    """A connection that has said nothing yet."""
    link = dial(seat.identity.seed, invite.addresses, invite.key)
    try:
        async with asyncio.timeout(DEADLINE_S):
            assert await link.receive() is LinkState.UP
        yield link
    finally:
        await link.close()


def greeting(identity: Identity, invite: Invite, match: bytes = b"", role: str = "guest") -> Hello:
    """What a guest of this invite says first."""
    return hello(identity, Peer("Bo", role, invite.token), match, 0, b"")


async def answer(link: Link, said: Frame | bytes) -> Frame | None:
    """What the host answers to this; None if he hangs up instead."""
    await link.send(said if isinstance(said, bytes) else write_frame(said))
    async with asyncio.timeout(DEADLINE_S):
        word = await link.receive()
    return None if isinstance(word, LinkState) else read_frame(word)


def begun(home: Path, recorded: Path) -> tuple[Seat, Seat, bytes]:
    """Two seats whose match has begun, and its id."""
    shutil.copytree(recorded, home, dirs_exist_ok=True)
    seats = a_seat(home, 1), a_seat(home, 2)
    (log,) = seats[0].places.data.glob("*.smlog")
    return *seats, bytes.fromhex(log.stem)


def logs(seat: Seat) -> dict[str, bytes]:
    """All logs of a seat by their names."""
    return {path.stem: path.read_bytes() for path in seat.places.data.glob("*.smlog")}
