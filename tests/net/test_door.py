"""The door lets nobody in by itself, and knows its guests by their keys."""

import asyncio
import contextlib
import errno
import socket
import time
from collections.abc import AsyncIterator

import pytest
import zmq
import zmq.asyncio
from proxy import Proxy
from wires import GUEST, HELLO, HOST, OTHER, a_door, a_guest, arrival, departure, identity, run, sit_down, until

from sm_p2p.errors import LinkDown, UsageError
from sm_p2p.net import connections
from sm_p2p.net.addresses import DEFAULT_PORT
from sm_p2p.net.curve import curve_keys, curve_of
from sm_p2p.net.door import CHATTER, HELLO_LIMIT, Arrival, Departure, Door, listen
from sm_p2p.net.door import _why as sentence
from sm_p2p.net.link import FRAME_LIMIT, LinkSlow, LinkState
from sm_p2p.net.zeromq import guest_socket


@contextlib.asynccontextmanager
async def a_rude_guest(door: Door, seed: bytes = GUEST) -> AsyncIterator[zmq.asyncio.Socket]:
    """A socket with a key and no manners."""
    context = zmq.asyncio.Context()
    rude = zmq.asyncio.Socket.from_socket(guest_socket(context, curve_keys(seed), curve_of(identity(HOST))))
    rude.context = context
    rude.connect(f"tcp://127.0.0.1:{door.port}")
    try:
        yield rude
    finally:
        rude.close(0)
        context.term()


async def closed(rude: zmq.asyncio.Socket, within: float = 5.0) -> None:
    """Waits until the host has hung up on this socket."""
    monitor = rude.get_monitor_socket(zmq.EVENT_DISCONNECTED)
    try:
        await asyncio.wait_for(monitor.recv_multipart(), within)
    finally:
        rude.disable_monitor()
        monitor.close(0)


def test_a_frame_comes_with_the_key_that_its_sender_has_proved() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest, a_guest(door.port, seed=OTHER) as other:
            for link in (guest, other):
                await until(link, LinkState.UP)
                await link.send(HELLO)
            keys = {(await arrival(door)).key for _ in range(2)}
            assert keys == {curve_of(identity(GUEST)), curve_of(identity(OTHER))}

    run(story())


def test_frames_of_every_length_up_to_the_limit_pass_both_ways() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            route = await sit_down(door, guest)
            for length in (0, 1, 255, 256, 1025, FRAME_LIMIT):
                await guest.send(bytes(length))
                assert await arrival(door) == Arrival(curve_of(identity(GUEST)), route, bytes(length))
                await door.send(route, bytes(length))
                assert await guest.receive() == bytes(length)
            for send in (guest.send(bytes(FRAME_LIMIT + 1)), door.send(route, bytes(FRAME_LIMIT + 1))):
                with pytest.raises(ValueError, match="61440"):
                    await send

    run(story())


@pytest.mark.parametrize(
    "greeting",
    [[bytes(HELLO_LIMIT + 1)], [b"two", b"parts"], [b"", HELLO], [bytes(70_000)]],
    ids=["too long", "two parts", "an empty delimiter", "more than a socket takes"],
)
def test_a_greeting_that_is_none_ends_the_connection(greeting: list[bytes]) -> None:
    async def story() -> None:
        async with a_door() as door, a_rude_guest(door) as rude:
            await rude.send_multipart(greeting)
            await closed(rude)
            async with a_guest(door.port) as guest:
                await until(guest, LinkState.UP)
                await guest.send(bytes(HELLO_LIMIT))
                assert (await arrival(door)).frame == bytes(HELLO_LIMIT)

    run(story())


@pytest.mark.parametrize(
    "frame", [[b"two", b"parts"], [bytes(FRAME_LIMIT + 1)]], ids=["two parts", "longer than a frame"]
)
def test_who_was_let_in_is_dropped_for_what_no_honest_peer_sends(frame: list[bytes]) -> None:
    async def story() -> None:
        async with a_door() as door, a_rude_guest(door) as rude:
            await rude.send(HELLO)
            knock = await arrival(door)
            door.admit(knock.route, "play")
            await rude.send_multipart(frame)
            await closed(rude)
            assert isinstance(await door.receive(), Departure)

    run(story())


def test_before_it_is_let_in_a_connection_says_one_frame_and_the_rest_is_not_read() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest, a_guest(door.port, seed=OTHER) as other:
            await until(guest, LinkState.UP)
            for frame in (HELLO, HELLO, b"let me in"):
                await guest.send(frame)
            knock = await arrival(door)
            await sit_down(door, other)
            door.admit(knock.route, "watch")
            await door.send(knock.route, b"welcome")
            await until(guest, b"welcome")
            await guest.send(b"thank you")
            assert await arrival(door) == Arrival(knock.key, knock.route, b"thank you")

    run(story())


def test_who_has_a_key_and_says_nothing_is_shown_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ARRIVAL_S", 0.2)

    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as silent, a_guest(door.port, seed=OTHER) as quick:
            await sit_down(door, quick)
            await until(silent, LinkState.UP)
            await until(silent, LinkState.RECONNECTING)
            assert quick.state is LinkState.UP

    run(story())


def test_who_does_not_stop_talking_while_he_waits_is_dropped() -> None:
    async def story() -> None:
        async with a_door() as door, a_rude_guest(door) as rude:
            for _ in range(CHATTER + 2):
                await rude.send(HELLO)
            await closed(rude)
            knock = await arrival(door)
            with pytest.raises(LinkDown):
                door.admit(knock.route, "play")

    run(story())


def test_a_refused_guest_reads_why_and_is_then_disconnected() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            await until(guest, LinkState.UP)
            await guest.send(HELLO)
            knock = await arrival(door)
            why = b"the table is taken".ljust(FRAME_LIMIT)
            await door.reject(knock.route, why)
            await guest.send(b"but I")
            assert await guest.receive() == why
            assert await guest.receive() is LinkState.RECONNECTING
            with pytest.raises(LinkDown):
                door.admit(knock.route, "play")
            await until(guest, LinkState.UP)
            await guest.send(HELLO)
            again = await arrival(door)
            assert again.frame == HELLO
            assert again.route != knock.route
            await door.reject(knock.route, b"to nobody")

    run(story())


def test_what_was_said_before_somebody_was_refused_is_not_heard_and_he_reads_why() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            await sit_down(door, guest)
            for word in (b"first", b"second", b"third"):
                await guest.send(word)
            first = await arrival(door)
            while door._inbox.qsize() < 2:  # noqa: ASYNC110 - nobody is told that it has come
                await asyncio.sleep(0)
            await door.reject(first.route, b"why")
            door.drop(first.route)
            await door.reject(first.route, b"and why not")
            async with a_guest(door.port, seed=OTHER) as other:
                await until(other, LinkState.UP)
                await other.send(b"hello")
                knock = await arrival(door)
                assert knock.frame == b"hello"
            assert await until(guest, b"why") == []
            assert await guest.receive() is LinkState.RECONNECTING

    run(story())


def test_a_returning_player_replaces_his_old_connection_at_once() -> None:
    async def story() -> None:
        async with a_door() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as frozen:
            old = await sit_down(door, frozen)
            proxy.stall()
            async with a_guest(door.port) as back:
                await until(back, LinkState.UP)
                await back.send(HELLO)
                knock = await arrival(door)
                assert door.admit(knock.route, "play") == old
                with pytest.raises(LinkDown):
                    await door.send(old, b"to the dead")
                await door.send(knock.route, b"to the living")
                await until(back, b"to the living")

    run(story())


def test_nobody_else_replaces_anybody_and_one_person_may_also_watch() -> None:
    async def story() -> None:
        async with (
            a_door() as door,
            a_guest(door.port) as guest,
            a_guest(door.port, seed=OTHER) as other,
            a_guest(door.port) as own_watcher,
        ):
            routes = [await sit_down(door, guest)]
            for link, role in ((other, "play"), (own_watcher, "watch")):
                await until(link, LinkState.UP)
                await link.send(HELLO)
                knock = await arrival(door)
                assert door.admit(knock.route, role) is None
                routes.append(knock.route)
            for link, route in zip((guest, other, own_watcher), routes, strict=True):
                await door.send(route, b"still there")
                assert await link.receive() == b"still there"

    run(story())


def test_a_departure_is_told_once_and_not_for_those_whom_the_caller_dropped() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port, seed=OTHER) as dropped:
            async with a_guest(door.port) as leaving:
                route = await sit_down(door, leaving)
                door.drop(await sit_down(door, dropped, "watch"))
                await until(dropped, LinkState.RECONNECTING)
            assert await departure(door) == Departure(curve_of(identity(GUEST)), route)
            with pytest.raises(LinkDown):
                await door.send(route, b"anybody?")
            door.drop(route)

    run(story())


def test_one_who_takes_nothing_is_slow_and_slows_nobody() -> None:
    async def story() -> None:
        async def flood(door: Door, route: bytes) -> None:
            for _ in range(1000):
                await door.send(route, bytes(FRAME_LIMIT))

        async with (
            a_door() as door,
            Proxy(door.port) as proxy,
            a_guest(proxy.address, seed=OTHER) as slow,
            a_guest(door.port) as quick,
        ):
            quick_route = await sit_down(door, quick)
            slow_route = await sit_down(door, slow, "watch")
            proxy.stall()
            with pytest.raises(LinkSlow):
                await flood(door, slow_route)
            before = time.monotonic()
            await door.send(quick_route, b"quick")
            assert await quick.receive() == b"quick"
            assert time.monotonic() - before < 1

    run(story())


def test_the_door_counts_who_reached_the_port() -> None:
    async def story() -> None:
        async with a_door() as door:
            assert door.accepted == 0
            async with a_guest(door.port) as guest, a_guest(door.port, seed=OTHER) as other:
                await sit_down(door, guest)
                await sit_down(door, other)
                assert door.accepted == 2

    run(story())


def test_a_busy_port_is_passed_over_unless_it_was_asked_for() -> None:
    async def story() -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(UsageError, match=f"Port {port} is busy"):
                await listen(HOST, bind=["127.0.0.1"], port=port)
        async with a_door() as first:
            with pytest.raises(UsageError, match="busy"):
                await listen(HOST, bind=["127.0.0.1"], port=first.port)
        with contextlib.suppress(OSError):  # busy already: just as good
            taken = socket.create_server(("127.0.0.1", DEFAULT_PORT))
        with taken:
            door = await listen(HOST, bind=["127.0.0.1"])
            assert door.port not in (0, DEFAULT_PORT)
            await door.close()

    run(story())


def test_an_address_that_is_not_this_machines_is_refused_with_a_sentence() -> None:
    async def story() -> None:
        for word in ("192.0.2.77", "2001:db8::77"):
            with pytest.raises(UsageError, match="not an address of this machine"):
                await listen(HOST, bind=[word], port=0)
        with pytest.raises(UsageError, match="not an IP address"):
            await listen(HOST, bind=["everywhere"], port=0)

    run(story())


def test_a_port_that_is_none_is_refused_before_it_becomes_another() -> None:
    async def story() -> None:
        for port in (-1, 65_536, 99_999):
            with pytest.raises(UsageError, match=f"{port} is not a port"):
                await listen(HOST, bind=["127.0.0.1"], port=port)

    run(story())


def test_every_refusal_to_listen_is_one_sentence() -> None:
    assert sentence(errno.EACCES, [], 80) == "This machine does not let the game listen on port 80: Permission denied."
    assert sentence(errno.ENODEV, ["::1"], 80).startswith("::1 is not an address of this machine")


def test_one_door_listens_on_several_addresses_with_one_port() -> None:
    async def story() -> None:
        async with a_door(bind=["127.0.0.1", "[::1]"]) as door:
            for host in ("127.0.0.1", "::1"):
                with socket.create_connection((host, door.port), timeout=5):
                    pass

    run(story())


def test_a_mistake_of_ours_is_not_a_door_that_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise AssertionError("a mistake")

    monkeypatch.setattr(Door, "_heard", broken)

    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            await until(guest, LinkState.UP)
            await guest.send(HELLO)
            for _ in range(2):
                with pytest.raises(AssertionError, match="a mistake"):
                    await door.receive()

    run(story())


def test_a_closed_door_says_so() -> None:
    async def story() -> None:
        async with a_door() as door, a_guest(door.port) as guest:
            route = await sit_down(door, guest)
            waiting = [asyncio.create_task(door.receive()) for _ in range(2)]
            await asyncio.sleep(0)
            before = time.monotonic()
            await door.send(route, b"goodbye")
            await door.close()
            assert time.monotonic() - before < 1
            await until(guest, b"goodbye")
            ends = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(end) for end in ends] == [LinkDown, LinkDown]
            with pytest.raises(LinkDown):
                await door.receive()
            with pytest.raises(LinkDown):
                await door.send(route, b"more")
            door.drop(route)

    run(story())
