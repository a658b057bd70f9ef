"""A dialled link finds its host among all that answers."""

import asyncio
import errno
import socket
import time

import pytest
import zmq
import zmq.asyncio
from hosts import a_babbler, a_closed_port, a_silent_port, trouble
from wires import GUEST, HOST, OTHER, a_door, a_guest, identity, run, sit_down, until

from sm_p2p.errors import Code, Fault, UsageError
from sm_p2p.net import race
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_keys, curve_of
from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.link import LinkState
from sm_p2p.net.race import Trouble


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
    real = zmq.Socket.get_monitor_socket

    def monitor(socket: zmq.Socket[bytes], events: int) -> zmq.Socket[bytes]:
        if full:
            raise zmq.ZMQError(errno.EMFILE)
        return real(socket, events)

    async def story() -> None:
        nonlocal full
        async with a_door() as door, a_guest(door.port) as guest:
            monkeypatch.setattr(zmq.Socket, "get_monitor_socket", monitor)
            assert await trouble(guest, Address("127.0.0.1", door.port)) is Trouble.CLOSED
            full = False
            await until(guest, LinkState.UP)

    run(story())


def test_links_that_share_a_context_leave_it_to_its_owner() -> None:
    async def story() -> None:
        with zmq.asyncio.Context() as context:
            async with a_door() as door:
                links = [dial(s, [Address("127.0.0.1", door.port)], identity(HOST), context) for s in (GUEST, OTHER)]
                for link in links:
                    await until(link, LinkState.UP)
                    await link.close()
            assert not context.closed

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


class _Wire:
    """A line and its socket: a frame is there so many steps of the loop after the connection was lost."""

    def __init__(self, steps: int) -> None:
        self.frames: list[bytes] = []
        self.heard = False
        self.taken = 0
        self._steps = steps
        self._lost = asyncio.Event()
        self._bell, self._rope = socket.socketpair()

    async def ended(self) -> None:
        await self._lost.wait()

    async def choked(self) -> None:
        await asyncio.Event().wait()

    def getsockopt(self, option: int) -> int:
        return self._bell.fileno() if option == zmq.FD else zmq.POLLIN if self.frames else 0

    def recv(self, _flags: int, *, copy: bool) -> zmq.Frame:
        assert not copy
        if not self.frames:
            raise zmq.Again
        return zmq.Frame(self.frames.pop())

    def lose(self) -> None:
        self._lost.set()
        self._later(self._steps)

    def close(self) -> None:
        self._bell.close()
        self._rope.close()

    @property
    def socket(self) -> "_Wire":
        return self

    def _later(self, steps: int) -> None:
        if steps:
            asyncio.get_running_loop().call_soon(self._later, steps - 1)
        else:
            self.frames.append(b"the last word")
            self._rope.send(b"!")


class _NoRace(race.Racer):
    async def run(self, _: object) -> race.Line:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("steps", range(8))
def test_a_frame_that_comes_while_the_connection_is_lost_is_heard_or_stays_in_the_socket(steps: int) -> None:
    async def story() -> None:
        link = DialledLink(_NoRace(curve_keys(GUEST), curve_of(identity(HOST))), [])
        wire = _Wire(steps)
        carrying = asyncio.create_task(link._carry(wire))  # type: ignore[arg-type] # as much of a line as is looked at
        for _ in range(3):  # until it waits for a frame
            await asyncio.sleep(0)
        wire.lose()
        await carrying
        heard = link._inbox.qsize()
        for _ in range(steps):
            await asyncio.sleep(0)
        assert heard + len(wire.frames) == 1
        await link.close()
        wire.close()

    run(story())
