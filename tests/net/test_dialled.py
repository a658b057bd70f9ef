"""A dialled link carries frames to the last one, and comes back by itself."""

import asyncio
import contextlib
import socket

import pytest
from cheating.client import secret_of
from cheating.zmtp import Trap
from hosts import a_rude_host, trouble
from proxy import Proxy
from wires import HELLO, HOST, a_door, a_guest, an_echo, arrival, run, sit_down, talk, until

from sm_p2p.errors import LinkDown
from sm_p2p.net import dial as dialling
from sm_p2p.net import race as racing
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import INBOX, DialledLink
from sm_p2p.net.door import Door
from sm_p2p.net.link import FRAME_LIMIT, LinkSlow, LinkState
from sm_p2p.net.race import Trouble


def test_a_connection_that_has_stood_is_made_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialling, "SETTLED_S", 0.0)
    monkeypatch.setattr(dialling, "AGAIN_S", 60.0)

    async def story() -> None:
        async with an_echo() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
            await talk(guest, b"before")
            proxy.cut()
            await until(guest, LinkState.RECONNECTING)
            await talk(guest, b"after")

    run(story())


def test_nothing_is_said_over_a_new_connection_before_the_caller_knows_of_it() -> None:
    """Whoever still reads what the old one has brought would answer it over the new one, which was not greeted yet."""

    async def story() -> None:
        async with an_echo() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
            await talk(guest, b"before")
            proxy.cut()
            for state in (LinkState.RECONNECTING, LinkState.UP):
                while guest.state is not state:  # noqa: ASYNC110 - the inside tells nobody
                    await asyncio.sleep(0)
            for state in (LinkState.RECONNECTING, LinkState.UP):
                with pytest.raises(LinkDown):
                    await guest.send(b"an answer to what came before")
                assert await guest.receive() is state
            await guest.send(HELLO)

    run(story())


def test_a_host_whose_message_never_ends_is_left_and_dialled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(racing, "UNFINISHED_BYTES", 100_000)

    def pour(listening: socket.socket) -> int:
        """How many parts of it are taken."""
        taken = 0
        with contextlib.closing(Trap(listening, secret_of(HOST))) as wire, contextlib.suppress(OSError):
            while taken < 10**6:
                wire.say(bytes(1000), goes_on=True)
                taken += 1
        return taken

    async def story() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            async with a_guest(listening.getsockname()[1]) as guest:
                for _ in range(2):
                    pouring = asyncio.create_task(asyncio.to_thread(pour, listening))
                    await until(guest, LinkState.UP)
                    await until(guest, LinkState.RECONNECTING)
                    assert 100 < await pouring < 10**6

    run(story())


def test_the_link_comes_back_when_the_host_does() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            await sit_down(door, guest)
            await door.close()
            assert await until(guest, LinkState.RECONNECTING) == []
            assert guest.state is LinkState.RECONNECTING
            with pytest.raises(LinkDown):
                await guest.send(b"anybody?")
            async with a_door(port=door.port) as again:
                await sit_down(again, guest)

    run(story())


def test_what_was_sent_just_before_the_end_is_still_received() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            route = await sit_down(door, guest)
            for n in range(20):
                await door.send(route, b"%d" % n)
            await door.close()
            await asyncio.sleep(0)
            assert await until(guest, LinkState.RECONNECTING) == [b"%d" % n for n in range(20)]

    run(story())


async def send_when_it_goes(door: Door, route: bytes, frame: bytes) -> None:
    """Sends a frame, again as long as the connection is slow."""
    while True:
        await asyncio.sleep(0)
        try:
            return await door.send(route, frame)
        except LinkSlow:
            continue


def test_frames_that_nobody_has_taken_yet_when_the_end_comes_are_received_too() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            route = await sit_down(door, guest)
            for n in range(INBOX + 100):
                await send_when_it_goes(door, route, b"%d" % n)
            while guest._inbox.qsize() < INBOX:  # noqa: ASYNC110 - the inside tells nobody
                await asyncio.sleep(0)
            await door.close()
            assert await until(guest, LinkState.RECONNECTING) == [b"%d" % n for n in range(INBOX + 100)]

    run(story())


def test_what_a_guest_sends_just_before_it_closes_arrives() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            route = await sit_down(door, guest)
            await guest.send(b"goodbye")
            await guest.close()
            assert (await arrival(door)).frame == b"goodbye"
            assert (await door.receive()).route == route

    run(story())


@pytest.mark.parametrize("parts", [[b"two", b"parts"], [bytes(FRAME_LIMIT + 1)]], ids=["two parts", "too long"])
def test_a_host_that_says_what_no_host_says_is_left(parts: list[bytes]) -> None:
    async def story() -> None:
        async with a_rude_host() as (rude, port), a_guest(port) as guest:
            await until(guest, LinkState.UP)
            await guest.send(HELLO)
            route, _ = await rude.recv_multipart()
            await rude.send_multipart([route, *parts])
            assert await until(guest, LinkState.RECONNECTING) == []
            await until(guest, LinkState.UP)

    run(story())


def test_a_host_that_refuses_every_key_is_a_stranger_and_is_tried_again() -> None:
    async def story() -> None:
        async with a_rude_host(lets_in=False) as (_, port), a_guest(port) as guest:
            address = Address("127.0.0.1", port)
            for _ in range(2):
                assert await trouble(guest, address, 2) is Trouble.STRANGER
                guest._racer.troubles.clear()

    run(story())


def test_a_host_that_takes_nothing_makes_the_link_slow() -> None:
    async def flood(guest: DialledLink) -> None:
        for _ in range(1000):
            await guest.send(bytes(FRAME_LIMIT))

    async def story() -> None:
        async with a_door() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
            await sit_down(door, guest)
            proxy.stall()
            with pytest.raises(LinkSlow):
                await flood(guest)

    run(story())


def test_a_caller_who_does_not_read_holds_the_host_back_and_loses_nothing() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            route = await sit_down(door, guest)
            sent = 0
            with contextlib.suppress(LinkSlow):
                while sent < 20_000:
                    await door.send(route, b"%d" % sent + bytes(1000))
                    sent += 1
                    await asyncio.sleep(0)
            assert 256 <= sent < 20_000  # as many as the host's own queue takes, if nothing has left it yet
            for n in range(sent):
                assert await guest.receive() == b"%d" % n + bytes(1000)

    run(story())
