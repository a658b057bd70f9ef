"""The host's side: one ROUTER for the guest and everybody who watches, and the gate before it.

Law: a frame is known by the key that its connection proved, never by the route that it came on. Until `admit` a
connection may say one frame of at most `HELLO_LIMIT` bytes; what else it says before that is not read. After that, what
comes faster than its pace is not read either: nobody is made to wait for anybody else's flood.
"""

import asyncio
import contextlib
import errno
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

import zmq
import zmq.asyncio

from sm_p2p.errors import LinkDown, Sentence, UsageError
from sm_p2p.net.addresses import DEFAULT_PORT, bind_host
from sm_p2p.net.connections import SWEEP_S, Connections
from sm_p2p.net.curve import curve_keys
from sm_p2p.net.intake import Intake
from sm_p2p.net.link import A_SECOND, AT_ONCE, FRAME_LIMIT, LinkSlow, checked, weight
from sm_p2p.net.zap import ENDPOINT, answer
from sm_p2p.net.zeromq import bound_port, bound_socket, close_socket, end_context, monitor_of, next_event, require_curve
from sm_p2p.pace import Bucket

HELLO_LIMIT = 1024
CHATTER = 64
"""Frames that somebody who waits for an answer may send in vain, such as the greeting again."""
FLOOD = 4096
"""Frames beyond his pace that somebody who was let in may send in vain, until he is shown out."""
INBOX = 256
"""Frames that wait here until the caller takes them; then the sockets' own queues fill."""
REMEMBERED = 256
"""Routes of closed connections: what was still on its way from them may be read when somebody else has their descriptor."""
_ROUTE_FLAGS = zmq.NOBLOCK | zmq.SNDMORE
GRACE_S = 0.5
"""How long a refused connection may stay to read why."""


class Arrival(NamedTuple):
    """One frame: the CURVE key that its sender proved, the route that leads back, and the bytes."""

    key: bytes
    route: bytes
    frame: bytes


class Departure(NamedTuple):
    """A connection that had said something is closed; words for the screen only."""

    key: bytes
    route: bytes


Knock: TypeAlias = Arrival | Departure


class _Standing(Enum):
    WAITING = 1
    ADMITTED = 2
    LEAVING = 3


@dataclass(slots=True)
class _Visitor:
    key: bytes
    fd: int
    standing: _Standing = _Standing.WAITING
    role: str = ""
    pace: Bucket = field(default_factory=lambda: Bucket(AT_ONCE, A_SECOND))
    in_vain: int = 0
    told: bool = False


class Door:
    """What `listen` opens."""

    def __init__(self, context: zmq.asyncio.Context, socket: zmq.Socket[bytes], porter: zmq.asyncio.Socket) -> None:
        self._context = context
        self._socket = socket
        self._porter = porter
        self._port = bound_port(socket)
        self._monitor = monitor_of(socket, zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED)
        self._connections = Connections()
        self._visitors: dict[bytes, _Visitor] = {}
        self._routes: dict[int, bytes] = {}
        self._gone: deque[bytes] = deque(maxlen=REMEMBERED)
        self._inbox: asyncio.Queue[Knock | None] = asyncio.Queue()
        self._waiting = 0  # frames in the inbox
        self._somebody = asyncio.Event()
        self._closed = False
        self._intake = Intake(socket, self._has_room, self._heed)
        self._tasks = [asyncio.create_task(work) for work in (answer(porter), self._watch(), self._sweep())]
        for one in (self._intake.over, *self._tasks):
            one.add_done_callback(lambda _: self._inbox.put_nowait(None))

    @property
    def port(self) -> int:
        """The TCP port that is listened on."""
        return self._port

    @property
    def accepted(self) -> int:
        """How many TCP connections have reached this port since it is open; none after a while means a firewall."""
        return self._connections.accepted

    async def receive(self) -> Knock:
        """The next frame or departure; raises LinkDown once the door is closed."""
        if self._closed:
            raise LinkDown("this door is closed")
        while (knock := await self._inbox.get()) is not None:
            if isinstance(knock, Arrival):
                was_full = self._waiting >= INBOX
                self._waiting -= 1
                if was_full:
                    self._intake.look()
                visitor = self._visitors.get(knock.route)
                if visitor is not None and visitor.standing is _Standing.LEAVING and not visitor.told:
                    continue  # it was said before he was refused or dropped
            return knock
        self._inbox.put_nowait(None)
        self._raise_mistakes()
        raise LinkDown("this door is closed")

    async def send(self, route: bytes, frame: bytes) -> None:
        """Hands one frame over, never waiting; raises LinkDown when the route leads nowhere, LinkSlow when it is full."""
        visitor = self._visitors.get(route)
        if visitor is None or visitor.standing is _Standing.LEAVING:
            raise LinkDown("this connection is closed")
        await self._hand_over(route, frame)

    def admit(self, route: bytes, role: str, pace: Bucket | None = None) -> bytes | None:
        """Lets a connection stay and speak, at its pace; its key holds one connection per role, so an older one is dropped.

        What comes back is the route that was dropped for it, which is told to nobody else. Raises LinkDown when the
        connection has gone in the meantime.
        """
        visitor = self._visitors.get(route)
        if visitor is None or visitor.standing is _Standing.LEAVING:
            raise LinkDown("this connection is closed")
        older = [
            other
            for other, its in self._visitors.items()
            if other != route and its.standing is _Standing.ADMITTED and its.key == visitor.key and its.role == role
        ]
        for other in older:
            self.drop(other)
        visitor.standing = _Standing.ADMITTED
        visitor.role, visitor.in_vain = role, 0
        visitor.pace = pace or visitor.pace
        self._connections.let_in(visitor.fd)
        return older[0] if older else None

    async def reject(self, route: bytes, frame: bytes) -> None:
        """Sends the reason, hears nothing more from this connection, and drops it a moment later and not before."""
        visitor = self._visitors.get(route)
        if visitor is None or visitor.standing is _Standing.LEAVING:
            return
        visitor.standing = _Standing.LEAVING
        visitor.told = False
        with contextlib.suppress(LinkDown):
            await self._hand_over(route, frame)
        asyncio.get_running_loop().call_later(GRACE_S, self._end, route)

    def drop(self, route: bytes) -> None:
        """Ends a connection now, unless it has just been told why; nothing more is heard from it, not even its departure."""
        visitor = self._visitors.get(route)
        if visitor is not None and visitor.standing is not _Standing.LEAVING:
            visitor.told = False
            self._turn_out(visitor)

    async def close(self) -> None:
        """Closes everything within a second; what was sent last is still delivered when it can be."""
        if self._closed:
            return
        self._closed = True
        self._intake.close()
        for task in self._tasks:
            task.cancel()
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:  # also when whoever waits for this is called off
            self._visitors.clear()
            close_socket(self._socket, self._monitor)
            self._porter.close(0)
            await end_context(self._context)

    async def _hand_over(self, route: bytes, frame: bytes) -> None:
        checked(frame)
        try:
            self._socket.send(route, _ROUTE_FLAGS)
            self._socket.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            raise LinkSlow("this connection takes no more frames just now") from None
        except zmq.ZMQError:
            raise LinkDown("this connection is closed") from None
        finally:
            self._intake.soon()

    def _raise_mistakes(self) -> None:
        for one in (self._intake.over, *self._tasks):
            if one.done() and not one.cancelled():
                one.result()

    def _has_room(self) -> bool:
        return self._waiting < INBOX

    def _heed(self, parts: list[zmq.Frame]) -> None:
        last = parts[-1]
        arrival = self._heard([part.bytes for part in parts], bytes.fromhex(str(last.get("User-Id"))), _fd(last))
        if arrival is not None:
            self._waiting += 1
            self._inbox.put_nowait(arrival)

    def _heard(self, parts: list[bytes], key: bytes, fd: int) -> Arrival | None:
        route, frame = parts[0], parts[-1]
        visitor, now = self._visitors.get(route), asyncio.get_running_loop().time()
        is_there = self._connections.hear(fd, now)
        if visitor is None and (not is_there or route in self._gone):
            return None  # its connection was closed before this was read; nobody would ever tell that it has gone
        if visitor is None:
            visitor = self._visitors[route] = _Visitor(key, fd)
            self._routes[fd] = route
            allowed = HELLO_LIMIT
        elif visitor.standing is _Standing.ADMITTED:
            allowed = FRAME_LIMIT
        else:
            visitor.in_vain += 1
            if visitor.in_vain > CHATTER:
                self._turn_out(visitor)
            return None
        if len(parts) != 2 or len(frame) > allowed:
            self._turn_out(visitor)
            return None
        if not visitor.pace.has_room(now, weight(frame)):
            visitor.in_vain += 1
            if visitor.in_vain > FLOOD:
                self._turn_out(visitor)
            return None
        visitor.told = True
        return Arrival(visitor.key, route, frame)

    def _end(self, route: bytes) -> None:
        visitor = self._visitors.get(route)
        if visitor is not None:
            self._turn_out(visitor)

    def _turn_out(self, visitor: _Visitor) -> None:
        visitor.standing = _Standing.LEAVING
        self._connections.end(visitor.fd)

    async def _watch(self) -> None:
        while True:
            event, fd = await next_event(self._monitor)
            if event == zmq.EVENT_ACCEPTED:
                self._connections.accept(fd, asyncio.get_running_loop().time())
                self._somebody.set()
            else:
                self._forget(fd)

    def _forget(self, fd: int) -> None:
        self._connections.forget(fd)
        route = self._routes.pop(fd, None)
        visitor = None if route is None else self._visitors.pop(route, None)
        if route is not None:
            self._gone.append(route)
        if route is not None and visitor is not None and visitor.told:
            self._inbox.put_nowait(Departure(visitor.key, route))

    async def _sweep(self) -> None:
        while True:
            await self._somebody.wait()
            self._connections.sweep(asyncio.get_running_loop().time())
            if not self._connections:
                self._somebody.clear()
            await asyncio.sleep(SWEEP_S)


def _fd(frame: zmq.Frame) -> int:
    return int(frame.get(zmq.SRCFD))


async def listen(seed: bytes, *, bind: Sequence[str] = (), port: int | None = None) -> Door:
    """Opens a door with the identity of this 32-byte Ed25519 seed.

    `bind` are IP addresses of this machine; none means all of them, IPv6 and IPv4. Without `port` it is
    `DEFAULT_PORT`, or any free one when that is busy; 0 is any free one. Raises UsageError with one sentence for the person.
    """
    require_curve()
    if port is not None and not 0 <= port <= 65_535:
        raise UsageError("{port} is not a port: write a number from 1 to 65535.", port=port)
    hosts = [bind_host(host) for host in bind] or ["*"]
    context = zmq.asyncio.Context()
    porter = context.socket(zmq.REP)
    porter.bind(ENDPOINT)
    error = 0
    for attempt in [DEFAULT_PORT, 0] if port is None else [port]:
        try:
            socket = bound_socket(context, curve_keys(seed), hosts, attempt)
        except zmq.ZMQError as refusal:
            error = refusal.errno or 0
        else:
            return Door(context, socket, porter)
    porter.close(0)
    await end_context(context)
    raise UsageError(_why(error, bind, port))


def _why(error: int, bind: Sequence[str], port: int | None) -> Sentence:
    if error == zmq.EADDRINUSE:
        return Sentence(
            "Port {port} is busy: another program listens there. Choose another one; 0 takes any that is free.",
            port=port,
        )
    is_away = error == errno.EINVAL and any("%" in host for host in bind)  # the interface
    if is_away or error in (zmq.EADDRNOTAVAIL, errno.ENODEV):
        return Sentence(
            "{addresses} is not an address of this machine; leave out --bind to use all of them.",
            addresses=", ".join(bind),
        )
    return Sentence(
        "This machine does not let the game listen on port {port}: {why}.",
        port=DEFAULT_PORT if port is None else port,
        why=zmq.strerror(error),
    )
