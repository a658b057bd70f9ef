"""A host or a guest in a process of its own, for tests that freeze one or pull its cable.

`far.py host ADDRESS` prints `port N`, then `came` and `went`; `far.py guest ADDRESS PORT` prints each state of its link,
and `echo` whenever a frame has gone there and back.
"""

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from wires import GUEST, HELLO, HOST, identity

from sm_p2p.errors import LinkDown
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import dial
from sm_p2p.net.door import Arrival, listen
from sm_p2p.net.link import LinkState

HERE = Path(__file__).resolve()
BEAT_S = 0.05


@contextlib.asynccontextmanager
async def far(*words: str, namespace: str = "") -> AsyncIterator[Process]:
    """This module in another process, in a network namespace if one is named; killed at the end."""
    inside: Sequence[str] = ["ip", "netns", "exec", namespace] if namespace else []
    paths = f"{HERE.parent}{os.pathsep}{HERE.parent.parent}"
    process = await create_subprocess_exec(
        *inside, sys.executable, str(HERE), *words, stdout=PIPE, env={**os.environ, "PYTHONPATH": paths}
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def told(process: Process, word: str, within: float = 10.0) -> str:
    """Waits for a line that begins with this word; the line."""
    assert process.stdout is not None
    async with asyncio.timeout(within):
        while not (line := (await process.stdout.readline()).decode().strip()).startswith(word):
            assert line, f"it ended before it said {word}"
    return line


def say(line: str) -> None:
    """Tells the test."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def host(address: str) -> None:
    """Gives every frame back, for ever."""
    door = await listen(HOST, bind=[address], port=0)
    say(f"port {door.port}")
    while True:
        knock = await door.receive()
        if not isinstance(knock, Arrival):
            say("went")
            continue
        if knock.frame == HELLO:
            say("came")
            door.admit(knock.route, "play")
        with contextlib.suppress(LinkDown):
            await door.send(knock.route, knock.frame)


async def guest(address: str, port: int) -> None:
    """Says something whenever it has been echoed, for ever."""
    link = dial(GUEST, [Address(address, port)], identity(HOST))
    while True:
        item = await link.receive()
        if isinstance(item, LinkState):
            say(item)
        else:
            say("echo")
            await asyncio.sleep(BEAT_S)
        with contextlib.suppress(LinkDown):
            await link.send(HELLO if item is LinkState.UP else b"again")


if __name__ == "__main__":
    if sys.argv[1] == "host":
        asyncio.run(host(sys.argv[2]))
    else:
        asyncio.run(guest(sys.argv[2], int(sys.argv[3])))
