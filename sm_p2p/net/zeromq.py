"""The settings of every socket, in one place, and the few words to libzmq that all rooms' doors share.

Law: every socket speaks CURVE, and every option is set before `bind` or `connect`.
Sources: the libzmq 4.3.5 manual (zmq_setsockopt, zmq_socket_monitor), ZMTP 3.1 (RFC 37), CurveZMQ (RFC 26), ZAP (RFC 27).
"""

import asyncio
import threading
from collections.abc import Sequence
from typing import cast

import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from sm_p2p.errors import UsageError
from sm_p2p.net.curve import CurveKeys

ZAP_DOMAIN = b"sm-p2p"
LINGER_MS = 500
"""How long a closed socket may still deliver what was sent, such as the goodbye."""
HANDSHAKE_MS = 3000
CONNECT_MS = 2000
"""Two SYNs; a new attempt asks again sooner than the system would."""
MAX_MESSAGE = 65_536
"""Counted with the cipher's bytes; more ends the connection."""
HEARTBEAT_MS = 1000
HEARTBEAT_TIMEOUT_MS = 3000
"""A damaged length makes the receiver wait for bytes that never come; beat and silence together leave time within 5 s."""
HEARTBEAT_TTL_MS = 8000
NEVER_MS = 3_600_000
"""A socket is rebuilt long before. Off altogether (−1), or with IMMEDIATE, libzmq throws away the frames that came just
before the end, a goodbye for instance, when the connection closes."""
TERM_S = 0.8
"""A context may take the linger time to end; then it is left to a thread that holds nobody."""

_COMMON: dict[int, int] = {
    zmq.LINGER: LINGER_MS,
    zmq.MAXMSGSIZE: MAX_MESSAGE,
    zmq.HANDSHAKE_IVL: HANDSHAKE_MS,
    zmq.HEARTBEAT_IVL: HEARTBEAT_MS,
    zmq.HEARTBEAT_TIMEOUT: HEARTBEAT_TIMEOUT_MS,
    zmq.HEARTBEAT_TTL: HEARTBEAT_TTL_MS,
}
_HOST: dict[int, int] = {
    zmq.SNDHWM: 256,
    zmq.RCVHWM: 64,
    zmq.ROUTER_MANDATORY: 1,
    zmq.CURVE_SERVER: 1,
    zmq.ZAP_ENFORCE_DOMAIN: 1,
}
_GUEST: dict[int, int] = {
    zmq.SNDHWM: 64,
    zmq.RCVHWM: 256,
    zmq.CONNECT_TIMEOUT: CONNECT_MS,
    zmq.IMMEDIATE: 0,
    zmq.RECONNECT_IVL: NEVER_MS,
}

Event = tuple[int, int]


def require_curve() -> None:
    """Raises UsageError when the installed libzmq cannot encrypt."""
    if not zmq.has("curve"):
        raise UsageError("The installed libzmq has no CURVE encryption; install the pyzmq wheel from PyPI.")


def bound_socket(context: zmq.asyncio.Context, keys: CurveKeys, hosts: Sequence[str], port: int) -> zmq.Socket[bytes]:
    """A ROUTER, the CURVE server with these keys, that listens on a port (0: any) of all these hosts.

    Raises zmq.ZMQError, having closed what it opened. A machine without IPv6 listens on IPv4 alone.
    """
    try:
        return _bound(context, keys, hosts, port, ipv6=1)
    except zmq.ZMQError as refusal:
        if refusal.errno == zmq.EADDRINUSE:
            raise
        return _bound(context, keys, hosts, port, ipv6=0)


def bound_port(socket: zmq.Socket[bytes]) -> int:
    """The port that a bound socket listens on."""
    return int(socket.getsockopt_string(zmq.LAST_ENDPOINT).rpartition(":")[2])


def _bound(
    context: zmq.asyncio.Context, keys: CurveKeys, hosts: Sequence[str], port: int, *, ipv6: int
) -> zmq.Socket[bytes]:
    socket = _socket(context, zmq.ROUTER, {**_COMMON, **_HOST, zmq.IPV6: ipv6}, keys, {zmq.ZAP_DOMAIN: ZAP_DOMAIN})
    try:
        for host in hosts:
            socket.bind(f"tcp://{host}:{port or '*'}")
            port = bound_port(socket)
    except zmq.ZMQError:
        socket.close(0)
        raise
    return socket


def guest_socket(context: zmq.asyncio.Context, keys: CurveKeys, server: bytes) -> zmq.Socket[bytes]:
    """A DEALER that accepts only the server with this transport key, not connected yet; it connects once and never again."""
    return _socket(context, zmq.DEALER, {**_COMMON, **_GUEST, zmq.IPV6: 1}, keys, {zmq.CURVE_SERVERKEY: server})


def _socket(
    context: zmq.asyncio.Context, kind: int, numbers: dict[int, int], keys: CurveKeys, texts: dict[int, bytes]
) -> zmq.Socket[bytes]:
    socket: zmq.Socket[bytes] = zmq.Socket(context, kind)
    for option, number in numbers.items():
        socket.setsockopt(option, number)
    for option, text in {zmq.CURVE_PUBLICKEY: keys.public, zmq.CURVE_SECRETKEY: keys.secret, **texts}.items():
        socket.setsockopt(option, text)
    return socket


def monitor_of(socket: zmq.Socket[bytes], events: int) -> zmq.asyncio.Socket:
    """Where `next_event` reads which of these events this socket has; raises zmq.ZMQError when no descriptor is left."""
    return cast(
        zmq.asyncio.Socket, socket.get_monitor_socket(events)
    )  # which its context makes, as it makes all others


async def next_event(monitor: zmq.asyncio.Socket) -> Event:
    """What a monitored socket reports next: the event and its value (a file descriptor or an error number)."""
    told = parse_monitor_message(await monitor.recv_multipart())
    return int(told["event"]), int(told["value"])


def close_socket(socket: zmq.Socket[bytes], monitor: zmq.asyncio.Socket, linger: int = LINGER_MS) -> None:
    """Closes a monitored socket and then its monitor, in the order that leaves nothing hanging."""
    socket.disable_monitor()
    socket.close(linger)
    monitor.close(0)


async def end_context(context: zmq.asyncio.Context) -> None:
    """Ends a context whose sockets are closed; comes back after `TERM_S` even when the context does not."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def end() -> None:
        context.term()
        try:
            loop.call_soon_threadsafe(ended.set)
        except RuntimeError:
            return  # the loop did not wait for us

    threading.Thread(target=end, name="zmq-term", daemon=True).start()
    try:
        async with asyncio.timeout(TERM_S):
            await ended.wait()
    except TimeoutError:
        return
