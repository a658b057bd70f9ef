"""A browser, a port scan, noise and crowds on the port: the host keeps waiting and the real guest then joins."""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator

import pytest
from wires import GUEST, OTHER, a_door, a_guest, an_echo, arrival, identity, run, talk, until

from sm_p2p.net.connections import STRANGERS
from sm_p2p.net.curve import curve_of
from sm_p2p.net.link import LinkState

CROWD = 300
GREETING = bytes.fromhex("ff00000000000000017f0301") + b"CURVE".ljust(20, b"\0") + bytes(32)
"""How every ZeroMQ client with encryption begins (RFC 37)."""
NULL_GREETING = GREETING.replace(b"CURVE", b"NULL\0")
NULL_READY = b"\x04\x26\x05READY" + b"\x0bSocket-Type\0\0\0\x06DEALER" + b"\x08Identity\0\0\0\0"
DICE = random.Random(2024)

VISITS = {
    "nothing": b"",
    "a browser": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:7227\r\nUser-Agent: x\r\n\r\n",
    "tls": bytes.fromhex("16030100f8010000f40303") + DICE.randbytes(300),
    "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "noise": DICE.randbytes(5000),
    "a long line": b"A" * 200_000,
    "half a greeting": GREETING[:30],
    "a greeting and noise": GREETING + DICE.randbytes(400),
    "a greeting and a huge length": GREETING + b"\x02" + b"\x7f" + b"\xff" * 7 + bytes(1000),
    "a hello of the wrong length": GREETING + b"\x04\x10\x05HELLO" + bytes(10),
    "a hello of noise": GREETING + b"\x04\xc8\x05HELLO\x01\x00" + bytes(72) + DICE.randbytes(120),
    "zeromq without encryption": NULL_GREETING + NULL_READY + b"\x00\x05hello",
}


@contextlib.asynccontextmanager
async def visitors(port: int, said: bytes, count: int = 1) -> AsyncIterator[list[asyncio.StreamReader]]:
    """So many connections that say this and then stay."""
    lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    for _, writer in lines:
        writer.write(said)
    try:
        yield [reader for reader, _ in lines]
    finally:
        for _, writer in lines:
            writer.transport.abort()


@pytest.mark.parametrize("who", VISITS)
def test_whoever_else_knocks_the_host_hears_nothing_and_the_guest_gets_in(who: str) -> None:
    async def story() -> None:
        async with a_door() as door, visitors(door.port, VISITS[who], 3), a_guest(door.port) as guest:
            await until(guest, LinkState.UP)
            await guest.send(b"it is me")
            assert (await arrival(door)).frame == b"it is me"

    run(story())


def test_a_crowd_that_says_nothing_pushes_out_itself_and_not_the_guest() -> None:
    async def story() -> None:
        async with an_echo() as door, a_guest(door.port) as guest:
            await talk(guest, b"before")
            async with visitors(door.port, GREETING, CROWD) as crowd, a_guest(door.port, seed=OTHER) as late:
                before = time.monotonic()
                await talk(late, b"let me through")
                assert time.monotonic() - before < 2
                await asyncio.wait_for(asyncio.gather(*(one.read() for one in crowd[: CROWD - STRANGERS])), 5)
                await guest.send(b"still here")
                assert await guest.receive() == b"still here"
            assert door.accepted == CROWD + 2

    run(story())


def test_a_crowd_with_keys_pushes_out_itself_and_not_the_guest() -> None:
    async def story() -> None:
        async with contextlib.AsyncExitStack() as stack:
            door = await stack.enter_async_context(an_echo(only=curve_of(identity(GUEST))))
            for n in range(STRANGERS):
                link = await stack.enter_async_context(a_guest(door.port, seed=bytes([10 + n]) * 32))
                await until(link, LinkState.UP)
                await link.send(b"hello")
            async with a_guest(door.port) as guest:
                await talk(guest, b"it is me")

    run(story())


def test_connections_that_come_and_go_leave_nothing_behind() -> None:
    async def story() -> None:
        async with an_echo() as door:
            for _ in range(100):
                async with visitors(door.port, GREETING):
                    pass
            async with a_guest(door.port) as guest:
                await talk(guest, b"hello?", 2)
            async with asyncio.timeout(5):
                while len(door._connections):  # noqa: ASYNC110 - inside on purpose, nothing tells of it
                    await asyncio.sleep(0.01)
            assert door._visitors == {}
            assert door._routes == {}

    run(story())
