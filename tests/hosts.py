"""Hosts that are none: silent, closed, babbling, rude; and what a link has to say of them."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator

import zmq
import zmq.asyncio
from wires import HOST

from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_keys
from sm_p2p.net.dial import DialledLink
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
    plain = bound_socket(context, curve_keys(HOST), ["127.0.0.1"], 0)
    rude = zmq.asyncio.Socket.from_socket(plain)
    try:
        yield rude, bound_port(plain)
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
