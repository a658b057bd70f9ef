"""The settings that the rest relies on."""

import asyncio
import threading
import time

import pytest
import zmq
import zmq.asyncio
from wires import HOST, OTHER, identity, run

from sm_p2p.errors import UsageError
from sm_p2p.net import zeromq
from sm_p2p.net.curve import curve_keys, curve_of
from sm_p2p.net.zeromq import bound_socket, end_context, guest_socket, require_curve


def test_a_library_without_encryption_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    require_curve()
    monkeypatch.setattr(zmq, "has", lambda _: False)
    with pytest.raises(UsageError, match="CURVE"):
        require_curve()


def test_every_socket_speaks_curve_and_has_its_limits() -> None:
    async def story() -> None:
        context = zmq.asyncio.Context()
        host = bound_socket(context, curve_keys(HOST), ["127.0.0.1"], 0)
        guest = guest_socket(context, curve_keys(OTHER), curve_of(identity(HOST)))
        for socket in (host, guest):
            assert socket.getsockopt(zmq.MECHANISM) == zmq.CURVE
            assert socket.getsockopt(zmq.MAXMSGSIZE) == 65_536
            assert socket.getsockopt(zmq.LINGER) == 500
            assert socket.getsockopt(zmq.HANDSHAKE_IVL) == 3000
            assert socket.getsockopt(zmq.IDENTITY) == b""
            beat = socket.getsockopt(zmq.HEARTBEAT_IVL)
            silence = socket.getsockopt(zmq.HEARTBEAT_TIMEOUT)
            assert isinstance(beat, int)
            assert isinstance(silence, int)
            assert beat + silence <= 4000
            socket.close(0)
        context.term()

    run(story())


@pytest.mark.parametrize("is_loop_there", [True, False], ids=["while the loop runs", "after the loop"])
def test_a_context_that_does_not_end_holds_nobody(monkeypatch: pytest.MonkeyPatch, *, is_loop_there: bool) -> None:
    monkeypatch.setattr(zeromq, "TERM_S", 0.05)
    context = zmq.asyncio.Context()

    async def story() -> None:
        open_still = context.socket(zmq.PAIR)
        before = time.monotonic()
        await end_context(context)
        assert time.monotonic() - before < 1
        if is_loop_there:
            open_still.close(0)
            while not context.closed:  # noqa: ASYNC110 - a thread ends it
                await asyncio.sleep(0)
        else:
            left.append(open_still)

    left: list[zmq.asyncio.Socket] = []
    run(story())
    for socket in left:
        zmq.Socket.shadow(socket.underlying).close(0)
    for thread in threading.enumerate():
        if thread.name == "zmq-term":
            thread.join(5)
    assert not any(thread.name == "zmq-term" for thread in threading.enumerate())


def test_a_machine_without_ipv6_listens_on_ipv4_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    real = zmq.Socket.bind

    def bind(socket: zmq.Socket[bytes], address: str) -> object:
        if socket.getsockopt(zmq.IPV6):
            raise zmq.ZMQError(zmq.EAFNOSUPPORT)
        return real(socket, address)

    monkeypatch.setattr(zmq.Socket, "bind", bind)

    async def story() -> None:
        context = zmq.asyncio.Context()
        socket = bound_socket(context, curve_keys(HOST), ["127.0.0.1"], 0)
        assert not socket.getsockopt(zmq.IPV6)
        socket.close(0)
        context.term()

    run(story())
