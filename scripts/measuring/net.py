"""What the transport costs over loopback: knocking, a frame there and back, everybody who watches, leaving.

Law: a time is the median of several rounds in one process, host and guests together, so it counts both sides' work.
`python -m scripts.measuring.net` prints the rows.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import Final

from nacl.signing import SigningKey

from scripts.measuring.row import Row
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.door import Arrival, Door, listen
from sm_p2p.net.link import FRAME_LIMIT, LinkState

ROUNDS: Final = 15
WATCHERS: Final = 100
ENTRY_BYTES: Final = 300
SEED: Final = bytes(32)
IDENTITY: Final = bytes(SigningKey(SEED).verify_key)


async def up(link: DialledLink) -> None:
    """Wait until the link is up."""
    while await link.receive() is not LinkState.UP:
        pass


async def seat(door: Door, number: int) -> tuple[DialledLink, bytes]:
    """One more guest who was let in, and the route to him."""
    link = dial(number.to_bytes(32, "big"), [Address("127.0.0.1", door.port)], IDENTITY)
    await up(link)
    await link.send(b"hello")
    while not isinstance(knock := await door.receive(), Arrival):
        pass
    door.admit(knock.route, "watch")
    return link, knock.route


async def milliseconds(work: Callable[[], Awaitable[object]]) -> float:
    """How long a round takes."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await work()
        times.append(time.perf_counter() - began)
    return round(1000 * median(times), 2)


async def measure() -> list[Row]:
    """All rows."""
    door = await listen(SEED, bind=["127.0.0.1"], port=0)
    number = iter(range(1, 100_000))
    rows = []

    async def knock() -> None:
        link, _ = await seat(door, next(number))
        closing.append(link)

    closing: list[DialledLink] = []
    rows.append(Row("net: dial, handshake, greeting, let in", await milliseconds(knock), "ms", ""))
    link, route = await seat(door, next(number))
    for length, name in ((ENTRY_BYTES, "a move"), (FRAME_LIMIT, "the longest frame")):

        async def there_and_back(frame: bytes = bytes(length)) -> None:
            await link.send(frame)
            while not isinstance(await door.receive(), Arrival):
                pass
            await door.send(route, frame)
            await link.receive()

        note = f"{length} bytes"
        rows.append(Row(f"net: {name} there and back", await milliseconds(there_and_back), "ms", note))
    seats = [await seat(door, next(number)) for _ in range(WATCHERS)]

    async def tell_all() -> None:
        for _, to in seats:
            await door.send(to, bytes(ENTRY_BYTES))
        for watcher, _ in seats:
            await watcher.receive()

    note = f"{WATCHERS} of them, each takes its frame in this process too"
    rows.append(Row("net: a move to everybody who watches", await milliseconds(tell_all), "ms", note))
    began = time.perf_counter()
    await door.close()
    rows.append(Row("net: close the door", round(1000 * (time.perf_counter() - began), 2), "ms", "aim: under 1000"))
    await asyncio.gather(*(each.close() for each in [link, *closing, *(watcher for watcher, _ in seats)]))
    return rows


def rows() -> list[Row]:
    """All rows."""
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(measure())


if __name__ == "__main__":
    for row in rows():
        print(f"{row.name:50} {row.value:10,} {row.unit:4} {row.note}")
