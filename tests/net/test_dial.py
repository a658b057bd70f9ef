"""A dialled link finds its host, comes back by itself, and closes at once whatever it is doing."""

import asyncio
import contextlib
import errno
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import zmq
import zmq.asyncio
from proxy import Proxy
from wires import GUEST, HELLO, HOST, OTHER, a_door, a_guest, an_echo, arrival, identity, run, sit_down, talk, until

from sm_p2p.errors import Code, Fault, LinkDown, UsageError
from sm_p2p.net import dial as dialling
from sm_p2p.net import race
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_keys
from sm_p2p.net.dial import INBOX, DialledLink, dial
from sm_p2p.net.door import Door
from sm_p2p.net.link import FRAME_LIMIT, LinkSlow, LinkState
from sm_p2p.net.names import NameUnknown
from sm_p2p.net.race import Trouble
from sm_p2p.net.zap import ENDPOINT, answer
from sm_p2p.net.zeromq import bound_port, bound_socket


@contextlib.contextmanager
def a_silent_port() -> Iterator[int]:
    """A port of the loopback that accepts every connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def a_closed_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextlib.asynccontextmanager
async def a_babbler(said: bytes) -> AsyncIterator[int]:
    """A port of the loopback at which everybody is told the same, whatever he says."""

    async def babble(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            writer.write(said)
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(babble, "127.0.0.1", 0) as server:
        yield int(server.sockets[0].getsockname()[1])


@contextlib.asynccontextmanager
async def a_rude_host(*, lets_in: bool = True) -> AsyncIterator[tuple[zmq.asyncio.Socket, int]]:
    """A host's socket with the right key and no manners, and its port."""
    context = zmq.asyncio.Context()
    porter = context.socket(zmq.REP)
    porter.bind(ENDPOINT)
    answering = asyncio.create_task(answer(porter) if lets_in else _refuse(porter))
    rude = bound_socket(context, curve_keys(HOST), ["127.0.0.1"], 0)
    try:
        yield rude, bound_port(rude)
    finally:
        answering.cancel()
        await asyncio.gather(answering, return_exceptions=True)
        rude.close(0)
        porter.close(0)
        context.term()


async def _refuse(porter: zmq.asyncio.Socket) -> None:
    while True:
        version, request, *_ = await porter.recv_multipart()
        await porter.send_multipart([version, request, b"400", b"no", b"", b""])


async def trouble(link: DialledLink, address: Address, within: float = 10.0) -> Trouble:
    """Waits until there is trouble at an address."""
    async with asyncio.timeout(within):
        while address not in link.troubles:  # noqa: ASYNC110 - words for the screen are looked at, not waited for
            await asyncio.sleep(0.01)
    return link.troubles[address]


def test_of_several_addresses_the_first_that_leads_to_the_host_is_taken() -> None:
    async def story() -> None:
        with a_silent_port() as silent:
            async with a_door() as door:
                dead, quiet, good = (Address("127.0.0.1", port) for port in (a_closed_port(), silent, door.port))
                before = time.monotonic()
                async with a_guest(dead, quiet, good) as guest:
                    assert guest.address is None
                    assert await guest.receive() is LinkState.UP
                    assert 0.4 < time.monotonic() - before < 1.5
                    assert guest.address == good
                    assert guest.troubles == {dead: Trouble.CLOSED}

    run(story())


def test_an_earlier_address_has_a_head_start() -> None:
    async def story() -> None:
        async with a_door() as door:
            addresses = [Address(host, door.port) for host in ("127.0.0.1", "localhost", "127.0.0.2")]
            async with a_guest(*addresses) as guest:
                await until(guest, LinkState.UP)
                assert guest.address == addresses[0]

    run(story())


def test_a_host_is_reached_over_ipv6_and_by_name() -> None:
    async def story() -> None:
        async with a_door(bind=["::1", "127.0.0.1"]) as door:
            for host in ("::1", "localhost"):
                async with a_guest(Address(host, door.port)) as guest:
                    await until(guest, LinkState.UP)

    run(story())


def test_a_guest_outwaits_a_host_that_is_not_there_yet() -> None:
    async def story() -> None:
        port = a_closed_port()
        async with a_guest(port) as guest:
            assert await trouble(guest, Address("127.0.0.1", port)) is Trouble.CLOSED
            assert guest.state is LinkState.CONNECTING
            async with a_door(port=port):
                await until(guest, LinkState.UP, 3)
                assert guest.troubles == {}

    run(story())


def test_another_host_than_the_expected_one_never_becomes_the_link() -> None:
    async def story() -> None:
        async with a_door(OTHER) as impostor, a_door() as door:
            addresses = [Address("127.0.0.1", port) for port in (impostor.port, door.port)]
            async with a_guest(addresses[0]) as fooled:
                assert await trouble(fooled, addresses[0]) is Trouble.STRANGER
                assert fooled.state is LinkState.CONNECTING
            async with a_guest(*addresses) as guest:
                await sit_down(door, guest)
                assert guest.address == addresses[1]

    run(story())


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48),
        bytes(range(256)) * 9,
    ],
    ids=["nothing", "a web server", "zeromq without encryption", "noise"],
)
def test_whatever_else_listens_there_is_a_stranger(said: bytes) -> None:
    async def story() -> None:
        async with a_babbler(said) as port, a_guest(port) as guest:
            assert await trouble(guest, Address("127.0.0.1", port)) is Trouble.STRANGER
            assert guest.state is LinkState.CONNECTING

    run(story())


def test_the_other_troubles_have_their_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "REACH_S", 0.1)

    async def story() -> None:
        with a_silent_port() as silent:
            nameless, quiet = Address("a..b", 1), Address("127.0.0.1", silent)
            async with a_guest(nameless, quiet) as guest:
                assert await trouble(guest, nameless) is Trouble.NAME
                assert await trouble(guest, quiet) is Trouble.SILENT

    run(story())


def test_what_libzmq_refuses_is_trouble_and_no_mistake_and_leaves_nothing_behind() -> None:
    async def story() -> None:
        nowhere = Address("127.0.0.1", -1)
        async with a_guest(nowhere) as guest:
            assert await trouble(guest, nowhere) is Trouble.CLOSED
            assert guest._racer._lines == set()

    run(story())


def test_a_guest_without_descriptors_left_waits_for_some(monkeypatch: pytest.MonkeyPatch) -> None:
    full = True
    real = zmq.asyncio.Socket.get_monitor_socket

    def monitor(socket: zmq.asyncio.Socket, events: int) -> zmq.asyncio.Socket:
        if full:
            raise zmq.ZMQError(errno.EMFILE)
        return real(socket, events)

    async def story() -> None:
        nonlocal full
        async with a_door() as door, a_guest(door.port) as guest:
            monkeypatch.setattr(zmq.asyncio.Socket, "get_monitor_socket", monitor)
            assert await trouble(guest, Address("127.0.0.1", door.port)) is Trouble.CLOSED
            full = False
            await until(guest, LinkState.UP)

    run(story())


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
            assert 256 < sent < 20_000
            for n in range(sent):
                assert await guest.receive() == b"%d" % n + bytes(1000)

    run(story())


def nothing(_: Proxy) -> None:
    """Leaves the connection as it is."""


@pytest.mark.parametrize("spoil", [nothing, Proxy.stall, Proxy.cut], ids=["up", "stalled", "cut"])
def test_a_link_closes_within_a_second_and_says_so(spoil: Callable[[Proxy], None]) -> None:
    async def story() -> None:
        async with an_echo() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
            await talk(guest, b"first")
            spoil(proxy)
            with contextlib.suppress(LinkDown):
                for _ in range(200):
                    await guest.send(bytes(FRAME_LIMIT))
            waiting = asyncio.create_task(_until_closed(guest))
            await asyncio.sleep(0)
            before = time.monotonic()
            await guest.close()
            await waiting
            assert time.monotonic() - before < 1
            await guest.close()
            for call in (guest.receive(), guest.send(b"more")):
                with pytest.raises(LinkDown):
                    await call

    run(story())


async def _until_closed(link: DialledLink) -> None:
    with contextlib.suppress(LinkDown):
        while True:
            await link.receive()


def test_a_link_closes_within_a_second_while_it_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(host: str) -> list[str]:
        if host != "slow.invalid":
            return [host]
        await asyncio.Event().wait()
        raise NameUnknown(host)

    monkeypatch.setattr(race, "resolve", slow)

    async def story() -> None:
        with a_silent_port() as silent:
            places = [Address("slow.invalid", 1), Address("127.0.0.1", silent), Address("127.0.0.1", a_closed_port())]
            for rounds in (0, 1, 100):
                link = dial(GUEST, places, identity(HOST))
                for _ in range(rounds):
                    await asyncio.sleep(0.01)
                before = time.monotonic()
                await link.close()
                assert time.monotonic() - before < 1

    run(story())


def test_a_mistake_of_ours_is_not_a_link_that_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: str) -> list[str]:
        raise AssertionError("a mistake")

    monkeypatch.setattr(race, "resolve", broken)

    async def story() -> None:
        async with a_guest(1) as guest:
            for _ in range(2):
                with pytest.raises(AssertionError, match="a mistake"):
                    await guest.receive()

    run(story())


def test_what_cannot_be_dialled_is_refused_at_once() -> None:
    async def story() -> None:
        with pytest.raises(UsageError):
            dial(GUEST, [], identity(HOST))
        with pytest.raises(Fault) as refusal:
            dial(GUEST, [Address("127.0.0.1", 1)], bytes(32))
        assert refusal.value.code is Code.BAD_IDENTITY
        await asyncio.sleep(0)

    run(story())
