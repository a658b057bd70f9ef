"""What is read from a connection after it was closed makes nobody a visitor."""

import asyncio

from wires import GUEST, HELLO, OTHER, a_door, a_guest, departure, identity, run, sit_down, until

from sm_p2p.net.curve import curve_of
from sm_p2p.net.door import INBOX, Arrival, Departure
from sm_p2p.net.link import LinkState


def test_a_greeting_that_is_read_after_its_connection_was_closed_is_nobody_s() -> None:
    async def story() -> None:
        async with a_door() as door:
            gone = asyncio.Event()
            forget = door._forget

            def forgotten(fd: int) -> None:
                forget(fd)
                gone.set()

            door._forget = forgotten  # type: ignore[method-assign]
            door._waiting += INBOX - 1  # the door reads one frame more, then it has no room
            async with a_guest(door.port) as guest:
                await until(guest, LinkState.UP)
                await guest.send(HELLO)
                await guest.send(HELLO)
            await gone.wait()
            door._waiting -= INBOX - 1
            door._intake.look()
            async with a_guest(door.port, seed=OTHER) as other:
                await until(other, LinkState.UP)
                await other.send(HELLO)
                heard = [await door.receive() for _ in range(3)]
            assert [type(knock) for knock in heard] == [Arrival, Departure, Arrival]
            assert [knock.key for knock in heard] == [curve_of(identity(seed)) for seed in (GUEST, GUEST, OTHER)]

    run(story())


def test_a_frame_from_a_closed_connection_is_nobody_s_also_when_somebody_else_has_its_descriptor() -> None:
    async def story() -> None:
        async with a_door() as door:
            async with a_guest(door.port) as guest:
                gone = await sit_down(door, guest)
            await departure(door)
            async with a_guest(door.port, seed=OTHER) as other:
                route = await sit_down(door, other)
                assert door._heard([gone, HELLO], curve_of(identity(GUEST)), door._visitors[route].fd) is None
                assert list(door._visitors) == [route]

    run(story())
