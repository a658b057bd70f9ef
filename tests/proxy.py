"""A TCP proxy that spoils what passes: it cuts, stalls, delays, slices and flips bits, the same way for the same seed.

Law: without orders every byte passes unchanged and in order. Only loopback addresses are ever connected to.

    async with Proxy(door.port, seed=7) as proxy:
        link = dial(seed, [proxy.address], host)
        proxy.flip(Way.DOWN, after=100)
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from types import TracebackType
from typing import Self

from sm_p2p.net.addresses import Address

CHUNK = 65_536


class Way(Enum):
    """From the one who dials to the one who listens, or back."""

    UP = "up"
    DOWN = "down"


@dataclass
class _Orders:
    """What is to happen to one way; `passed` counts the bytes of all connections so far."""

    passed: int = 0
    flips: list[tuple[int, Callable[[int], int]]] = field(default_factory=list)
    cut_at: int | None = None


class Proxy:
    """Listens on a port of 127.0.0.1 and passes everything on to another one, until told otherwise."""

    def __init__(self, target: int, *, seed: int = 0, delay: float = 0.0, slices: int = CHUNK) -> None:
        self.delay = delay
        self.slices = slices
        self.closed = False
        self.connections = 0
        self._target = target
        self._dice = random.Random(seed)
        self._orders = {way: _Orders() for way in Way}
        self._open: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._news = asyncio.Event()
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> Address:
        """Where to dial instead of the real port."""
        assert self._server is not None
        return Address("127.0.0.1", int(self._server.sockets[0].getsockname()[1]))

    def passed(self, way: Way) -> int:
        """How many bytes went that way so far, over all connections."""
        return self._orders[way].passed

    async def until(self, way: Way, count: int) -> None:
        """Waits until so many more bytes have gone that way."""
        wanted = self.passed(way) + count
        while self.passed(way) < wanted:
            self._news.clear()
            await self._news.wait()

    def cut(self) -> None:
        """Breaks every connection now."""
        for writer in list(self._open):
            writer.transport.abort()

    def cut_after(self, way: Way, count: int) -> None:
        """Breaks every connection when `count` more bytes have gone that way; the rest of them is lost."""
        self._orders[way].cut_at = self._orders[way].passed + count

    def flip(self, way: Way, after: int = 0, mask: int | None = None) -> None:
        """Changes the byte that comes after `after` more: one bit by the dice, or those of `mask`."""
        bits = 1 << self._dice.randrange(8) if mask is None else mask
        self._orders[way].flips.append((self._orders[way].passed + after, lambda byte: byte ^ bits))

    def put(self, way: Way, after: int, byte: int) -> None:
        """Replaces the byte that comes after `after` more."""
        self._orders[way].flips.append((self._orders[way].passed + after, lambda _: byte))

    def stall(self) -> None:
        """Holds every byte back, connections staying open."""
        self._flowing.clear()

    def resume(self) -> None:
        """Lets the bytes go on that were held back."""
        self._flowing.set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for pump in self._pumps:
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        if self.closed:
            writer.transport.abort()
            return
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # nobody listens there any more
            writer.transport.abort()
            return
        self._open |= {writer, there_writer}
        for way, source, sink in ((Way.UP, reader, there_writer), (Way.DOWN, there_reader, writer)):
            pump = asyncio.create_task(self._pump(way, source, sink))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)

    async def _pump(self, way: Way, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        late: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        deliver = asyncio.create_task(self._deliver(way, late, sink))
        try:
            while chunk := await source.read(CHUNK):
                late.put_nowait((asyncio.get_running_loop().time() + self.delay, chunk))
            late.put_nowait((asyncio.get_running_loop().time() + self.delay, b""))
            await deliver
        except OSError:
            return
        finally:
            deliver.cancel()
            await asyncio.gather(deliver, return_exceptions=True)
            sink.transport.abort()
            self._open.discard(sink)

    async def _deliver(self, way: Way, late: "asyncio.Queue[tuple[float, bytes]]", sink: asyncio.StreamWriter) -> None:
        while True:
            due, chunk = await late.get()
            if self.delay:
                await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))
            if not chunk:
                return
            for start in range(0, len(chunk), self.slices):
                await self._flowing.wait()
                piece, whole = self._spoil(self._orders[way], chunk[start : start + self.slices])
                self._news.set()
                sink.write(piece)
                await sink.drain()
                if not whole:
                    self.cut()
                    return
                if self.slices < CHUNK:
                    await asyncio.sleep(0)

    @staticmethod
    def _spoil(orders: _Orders, piece: bytes) -> tuple[bytes, bool]:
        spoilt = bytearray(piece)
        for place, change in list(orders.flips):
            if orders.passed <= place < orders.passed + len(piece):
                spoilt[place - orders.passed] = change(spoilt[place - orders.passed])
                orders.flips.remove((place, change))
        end = None if orders.cut_at is None else orders.cut_at - orders.passed
        orders.passed += len(piece)
        if end is None or end > len(piece):
            return bytes(spoilt), True
        orders.cut_at = None
        return bytes(spoilt[: max(0, end)]), False
