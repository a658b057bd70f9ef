"""One race: the first address at which the expected host proves its key becomes the line.

Law: whoever answers without the host's key never becomes a line, however fast it is.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import zmq
import zmq.asyncio

from sm_p2p.net.addresses import Address, endpoint
from sm_p2p.net.connections import SWEEP_S, received
from sm_p2p.net.curve import CurveKeys
from sm_p2p.net.names import NameUnknown, resolve
from sm_p2p.net.zeromq import CONNECT_MS, HANDSHAKE_MS, close_socket, end_context, guest_socket, monitor_of, next_event

STAGGER_S = 0.25
"""The head start of an address before the next one (as RFC 8305, 5)."""
REACH_S = (CONNECT_MS + HANDSHAKE_MS) / 1000
"""One attempt; libzmq gives up first."""
AGAIN_S = 0.2
AGAIN_MAX_S = 1.0
"""Pauses between attempts double from the one to the other; a cable that is plugged in again is found within 3 s."""

UNFINISHED_BYTES = 32 * 1024 * 1024
"""What a host may have under way to us: 256 queued frames and the buffers of the system."""
_EVENTS = zmq.EVENT_CONNECTED | zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_CLOSED | zmq.EVENT_DISCONNECTED
"""Not HANDSHAKE_FAILED_PROTOCOL: reporting it makes libzmq 4.3.5 forget that a byte was damaged, and go deaf for 4 s
instead of closing the connection."""


class Trouble(StrEnum):
    """Why an address has not worked so far."""

    NAME = "name"  # nobody knows the name
    INTERFACE = "interface"  # the interface that leads there is not there now
    SILENT = "silent"  # nobody answers: wrong address, host away, firewall
    CLOSED = "closed"  # nobody listens on the port, or no way leads to the machine
    STRANGER = "stranger"  # somebody answers who is not the host, or the host has no room for more connections


@dataclass(slots=True, eq=False)
class Line:
    """One connection to one address: its socket and the monitor that tells how it goes."""

    address: Address
    socket: zmq.Socket[bytes]
    monitor: zmq.asyncio.Socket
    fd: int = -1  # of its connection, once there is one
    taken: int = 0  # bytes of the whole messages that have come
    heard: bool = False  # whether one has come since somebody looked, and nothing that keeps others waiting

    async def ended(self) -> None:
        """Comes back when the connection is lost; it does not come again by itself."""
        await next_event(self.monitor)

    async def choked(self) -> None:
        """Comes back when a message does not come to an end: of many parts libzmq would take any number.

        It may lie behind whole ones that are kept waiting: taking these one by one proves nothing.
        """
        usual = 0  # bytes beside the messages, such as heartbeats, when none was kept waiting
        while True:
            await asyncio.sleep(SWEEP_S)
            unfinished = received(self.fd) - self.taken
            if self.heard:
                usual, self.heard = unfinished, False
            elif unfinished - usual > UNFINISHED_BYTES:
                return


class Racer:
    """What all races of one link share, and the owner of every socket that is open for it.

    `troubles` tells for each address why it has not worked so far.
    """

    def __init__(self, keys: CurveKeys, server: bytes, context: zmq.asyncio.Context | None = None) -> None:
        self.troubles: dict[Address, Trouble] = {}
        self._context = zmq.asyncio.Context() if context is None else context
        self._is_ours = context is None
        self._keys = keys
        self._server = server
        self._lines: set[Line] = set()

    async def run(self, addresses: Sequence[Address]) -> Line:
        """The first line whose handshake is done; tries for ever, and stops at once when cancelled."""
        runners = [asyncio.create_task(self._run_one(address, i * STAGGER_S)) for i, address in enumerate(addresses)]
        won: Line | None = None
        try:
            done, _ = await asyncio.wait(runners, return_when=asyncio.FIRST_COMPLETED)
            won = next(iter(done)).result()
        finally:
            for runner in runners:
                runner.cancel()
            await asyncio.gather(*runners, return_exceptions=True)
            for line in self._lines - {won}:
                self.drop(line, 0)
        return won

    def drop(self, line: Line, linger: int) -> None:
        """Closes a line; for `linger` milliseconds what was sent last may still be delivered."""
        self._lines.discard(line)
        close_socket(line.socket, line.monitor, linger)

    async def close(self, linger: int) -> None:
        """Closes every line, and the context unless it is somebody else's."""
        for line in list(self._lines):
            self.drop(line, linger)
        if self._is_ours:
            await end_context(self._context)

    async def _run_one(self, address: Address, head_start: float) -> Line:
        await asyncio.sleep(head_start)
        pause = AGAIN_S
        while True:
            try:
                for ip in await resolve(address.host):
                    line = self._start(address, ip)
                    if line is not None and await self._stands(line):
                        self.troubles.pop(address, None)
                        return line
            except NameUnknown:
                self.troubles[address] = Trouble.INTERFACE if "%" in address.host else Trouble.NAME
            await asyncio.sleep(pause)
            pause = min(2 * pause, AGAIN_MAX_S)

    def _start(self, address: Address, ip: str) -> Line | None:
        line = None
        try:
            line = self._new_line(address)
            line.socket.connect(endpoint(ip, address.port))
        except zmq.ZMQError:  # no such endpoint, or no descriptor left just now
            self.troubles[address] = Trouble.CLOSED
            if line is not None:
                self.drop(line, 0)
            return None
        return line

    def _new_line(self, address: Address) -> Line:
        socket = guest_socket(self._context, self._keys, self._server)
        try:
            line = Line(address, socket, monitor_of(socket, _EVENTS))
        except zmq.ZMQError:
            socket.close(0)
            raise
        self._lines.add(line)
        return line

    def _fail(self, line: Line, trouble: Trouble) -> None:
        self.troubles[line.address] = trouble
        self.drop(line, 0)

    async def _stands(self, line: Line) -> bool:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(REACH_S):  # wait_for would swallow a cancellation that comes with the event
                event, value = await next_event(line.monitor)
                if event == zmq.EVENT_CONNECTED:
                    line.fd = value
                    event, _ = await next_event(line.monitor)
        except TimeoutError:
            event = 0
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            return True
        silent = not event or loop.time() - began >= CONNECT_MS / 1000
        answered = Trouble.CLOSED if event == zmq.EVENT_CLOSED else Trouble.STRANGER
        self._fail(line, Trouble.SILENT if silent else answered)
        return False
