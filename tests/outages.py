"""What happens to two people in the middle of a game: a frozen machine, a pulled cable, a dead connection, a bad byte.

Each story gives what it has measured. Nobody presses a key but to move or to leave.
"""

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Final

from apart import LOOPBACK, hosting, invite_of, joining
from cables import DEVICE, GUEST, HOST, Cable, a_cable, machines, wire
from hosts import a_closed_port, a_silent_port
from proxy import Way
from seated import (
    AWAY,
    BACK,
    BACK_S,
    EQUAL_S,
    NOTICED_S,
    TURN,
    Measured,
    Party,
    call,
    equal,
    hears,
    leaves,
    seated,
)

from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import TOKEN_BYTES, Invite
from sm_p2p.store.keys import Identity

AT_ONCE_S: Final = 1.0  # for whoever comes back while his old connection still looks alive
SILENCE_S: Final = 21.0  # until both sides name the port and the firewall, with what a process takes to start
PLUGGED_S: Final = 5.0  # from the plug to a link on both sides
THERE: Final = "10.77.0.3"  # where the guest goes on
ELSEWHERE: Final = "10.77.0.4"  # where the host does


async def frozen(party: Party, seat: int) -> list[Measured]:
    """The process of one seat is stopped and goes on; a move is made, meanwhile if that is the other's to make."""
    sleeper, awake = party.seats[seat], party.seats[1 - seat]
    sleeper.process.send_signal(signal.SIGSTOP)
    noticed = await hears(awake, AWAY)
    moves_meanwhile = party.mover is awake
    if moves_meanwhile:
        party.move()
    sleeper.process.send_signal(signal.SIGCONT)
    woken = time.monotonic()
    if not moves_meanwhile:
        party.move()
    await asyncio.gather(hears(awake, BACK), hears(sleeper, BACK))
    await hears(party.mover, TURN)
    back = time.monotonic() - woken
    await equal(party)
    return [
        Measured(f"a frozen seat {seat} is noticed", noticed, NOTICED_S),
        Measured(f"play goes on after seat {seat} woke up", back, BACK_S),
    ]


async def left_by_one(party: Party) -> list[Measured]:
    """The guest is frozen and the host quits; then the guest wakes up and quits while he looks for the host."""
    host, guest = party.seats
    guest.process.send_signal(signal.SIGSTOP)
    seen = [await leaves(host, "from a frozen peer")]
    guest.process.send_signal(signal.SIGCONT)
    await hears(guest, AWAY)
    return [*seen, await leaves(guest, "while the host is away")]


async def pulled(party: Party, cable: Cable, seconds: float) -> list[Measured]:
    """The cable is out for so long, and at least until both have noticed it; a move is made meanwhile."""
    out = time.monotonic()
    cable.pull()
    seen = await noticed(party, "a pulled cable is noticed")
    party.move()
    await asyncio.sleep(max(0.0, seconds - (time.monotonic() - out)))
    cable.plug()
    plugged = time.monotonic()
    return [*seen, *await came_back(party, plugged, f"after {plugged - out:.0f} s without a cable")]


async def moved(party: Party, cable: Cable, seat: int) -> list[Measured]:
    """The machine of one seat gets another address."""
    namespace, old, new = ((cable.host, HOST, ELSEWHERE), (cable.guest, GUEST, THERE))[seat]
    began = time.monotonic()
    cable.move(namespace, old, new)
    seen = await noticed(party, "a new address is noticed")
    party.move()
    return [*seen, *await came_back(party, began, f"at a new address of seat {seat}", NOTICED_S + PLUGGED_S)]


async def noticed(party: Party, what: str) -> list[Measured]:
    """Both say that the connection is gone."""
    times = await asyncio.gather(*(hears(run, AWAY) for run in party.seats))
    return [Measured(what, seconds, NOTICED_S) for seconds in times]


async def came_back(party: Party, since: float, when: str, limit: float = PLUGGED_S) -> list[Measured]:
    """Both say that it is there again, and the move that was made meanwhile arrives."""
    await asyncio.gather(*(hears(run, BACK) for run in party.seats))
    seen = [Measured(f"the link is back {when}", time.monotonic() - since, limit)]
    seen.append(Measured(f"both logs are equal {when}", await equal(party), EQUAL_S))
    seen.append(Measured(f"it is the other's turn {when}", await hears(party.mover, TURN), EQUAL_S))
    return seen


@contextlib.asynccontextmanager
async def wired(home: Path) -> AsyncIterator[tuple[Party, Cable]]:
    """Both at the table, each in a namespace of its own; the guest knows the two addresses that the host may have."""
    everywhere = "0.0.0.0"  # noqa: S104 - in a namespace of our own
    with a_cable() as cable:
        async with seated(home, HOST, ELSEWHERE, at=everywhere, inside=cable.inside) as party:
            yield party, cable


async def returned(party: Party) -> list[Measured]:
    """Behind a connection that stays open the guest quits; he comes back another way, before anybody has noticed."""
    host, guest = party.seats
    party.proxy.stall()
    seen = [await leaves(guest, "while nothing passes")]
    again = party.seats[1] = party.stack.enter_context(joining(party.homes[1], party.invite))
    await hears(again, BACK)
    host.type("say there you are")
    seconds = await hears(again, "there you are")
    return [*seen, Measured("a returning player replaces his dead connection", seconds, AT_ONCE_S)]


async def damaged(party: Party, way: Way, place: int) -> list[Measured]:
    """One bit is flipped so many bytes further; a move is made at once."""
    party.proxy.flip(way, place)
    began = time.monotonic()
    party.move()
    await hears(party.mover, TURN)
    seconds = time.monotonic() - began
    await equal(party)
    return [Measured(f"a move passes behind a damaged byte going {way.value}", seconds, BACK_S)]


async def waiting(home: Path) -> list[Measured]:
    """A host whom nobody visits quits."""
    with hosting(home) as host:
        await hears(host, "sm-p2p://")
        return [await leaves(host, "while waiting for somebody")]


async def looking(home: Path) -> list[Measured]:
    """Guests who look for a table at a port that says nothing, and at one that nobody listens on, quit."""
    seen = []
    with a_silent_port() as silent:
        for at, port in enumerate((silent, a_closed_port())):
            nobody = Invite((Address(LOOPBACK, port),), Identity(bytes(32)).identity, bytes(TOKEN_BYTES))
            with joining(home / f"{at}", nobody) as guest:
                await hears(guest, "Looking")
                seen.append(await leaves(guest, "while looking for the table"))
    return seen


async def firewalled(home: Path) -> list[Measured]:
    """Whatever the host's machine answers is thrown away: both sides name the port and the likely cause, and quit."""
    with machines(2) as (there, here):
        wire(there, here)
        there.gets(DEVICE, f"{HOST}/24")
        here.gets(DEVICE, f"{GUEST}/24")
        there.ip("route", "add", "blackhole", f"{GUEST}/32")
        with hosting(home / "a", at=HOST, inside=there.inside) as ana:
            invite = await call(partial(invite_of, ana))
            began = time.monotonic()
            with joining(home / "b", invite, inside=here.inside) as bo:
                port = f"{invite.addresses[0].port}"
                await asyncio.gather(
                    hears(ana, f"blocks port {port}"), hears(bo, f"{HOST}:{port}: no answer. A firewall")
                )
                seen = Measured("a firewall is named on both sides", time.monotonic() - began, SILENCE_S)
                return [seen, *[await leaves(run, "behind a firewall") for run in (bo, ana)]]


async def dealing(home: Path, variant: str) -> list[Measured]:
    """Both quit while they shuffle."""
    with hosting(home / "a", variant=variant) as host:
        invite = await call(partial(invite_of, host))
        with joining(home / "b", invite) as guest:
            await hears(guest, '"kind":"joined"')
            return [await leaves(run, f"while shuffling for {variant}") for run in (guest, host)]
