"""Who listens at an address: one small datagram asks for the key, another one of the same size tells it.

Law: what is told proves nothing; the handshake proves the key afterwards, and a person whose it is. Nobody is sent more
than he has sent, only what is exactly a question is answered, and not more often than `A_SECOND` times a second.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias, cast

from sm_p2p.errors import Code, Fault, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_of
from sm_p2p.net.interfaces import to_neighbours
from sm_p2p.net.names import NameUnknown, resolve
from sm_p2p.pace import Bucket

MARK_Q: Final = b"sm-p2p ?"
MARK_A: Final = b"sm-p2p !"
NONCE: Final = 16
BLANK: Final = bytes(32)
AT_ONCE: Final = 40
A_SECOND: Final = 20
PAUSES: Final = (0.25, 0.5, 1.0, 1.25)
"""Seconds after which it is asked again, and at last given up."""

Place: TypeAlias = tuple[str, int]


class Found(NamedTuple):
    """Who says that he listens there: the address that was asked about, and the identity that was told."""

    address: Address
    identity: bytes


def question(nonce: bytes) -> bytes:
    """The 56 bytes that ask, with 16 random ones."""
    return MARK_Q + nonce + BLANK


def answer_to(datagram: bytes, identity: bytes) -> bytes:
    """What answers this question; raises Fault(BAD_FRAME) for anything that is none."""
    nonce = datagram[len(MARK_Q) : len(MARK_Q) + NONCE]
    if datagram != question(nonce) or len(nonce) != NONCE:
        raise Fault(Code.BAD_FRAME, "this datagram is no question")
    return MARK_A + nonce + identity


def identity_in(datagram: bytes, nonce: bytes) -> bytes:
    """Whose key an answer to the question with this nonce tells; raises Fault(BAD_FRAME), Fault(BAD_IDENTITY)."""
    head = MARK_A + nonce
    if not datagram.startswith(head) or len(datagram) != len(head) + len(BLANK):
        raise Fault(Code.BAD_FRAME, "this datagram is no answer to that question")
    identity = datagram[len(head) :]
    curve_of(identity)
    return identity


class _Answerer(asyncio.DatagramProtocol):
    def __init__(self, identity: bytes, now: Callable[[], float]) -> None:
        self._identity = identity
        self._now = now
        self._pace = Bucket(AT_ONCE, A_SECOND)
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is there."""
        self._transport = cast(asyncio.DatagramTransport, transport)  # which not every Python says of its own

    def datagram_received(self, data: bytes, addr: Place) -> None:
        """Answer a question, and nothing else."""
        try:
            answer = answer_to(data, self._identity)
        except Fault:
            return
        if self._transport is not None and self._pace.has_room(self._now()):
            self._transport.sendto(answer, addr)


@contextlib.asynccontextmanager
async def nameplate(identity: bytes, port: int, bind: Sequence[str] = ()) -> AsyncIterator[bool]:
    """For the length of the block, whoever asks at this port (of all addresses, or these) is told this identity.

    Whether that is so anywhere: another program may have the port, and then an invite is the only way here.
    """
    loop = asyncio.get_running_loop()
    transports = []
    for host in bind or ("::", "0.0.0.0"):  # noqa: S104 - everybody may ask
        with contextlib.suppress(OSError):
            made, _ = await loop.create_datagram_endpoint(
                lambda: _Answerer(identity, loop.time), sock=_socket(host, port)
            )
            transports.append(made)
    try:
        yield bool(transports)
    finally:
        for transport in transports:
            transport.close()


class _Asker(asyncio.DatagramProtocol):
    def __init__(self, told: asyncio.Queue[tuple[bytes, Place]]) -> None:
        self._told = told

    def datagram_received(self, data: bytes, addr: Place) -> None:
        """Hand over what may be an answer."""
        if self._told.qsize() < AT_ONCE:
            self._told.put_nowait((data, addr))


async def who_is_there(address: Address) -> Found:
    """Who says that he listens at this address.

    Raises UsageError with what helps if the name is not known or nobody answers in time.
    """
    try:
        numbers = await resolve(address.host)
    except NameUnknown:
        if "%" in address.host:
            raise UsageError(
                "{address}: this machine has no network interface of that name just now; it has {interfaces}.",
                address=address,
                interfaces=", ".join(to_neighbours()) or "-",
            ) from None
        raise UsageError(
            "{address}: no machine of this name was found; ask for a number in place of the name.", address=address
        ) from None
    identity = await _asked([(number, address.port) for number in numbers])
    if identity is None:
        raise UsageError(
            "{address}: nobody there says who he is. Is the table open, and does a firewall let UDP port {port} through? "
            "The line that the host can send you needs neither.",
            address=address,
            port=address.port,
        )
    return Found(address, identity)


async def _asked(places: Iterable[Place]) -> bytes | None:
    """The identity that is told first at one of these places; None if that is none in time."""
    loop, nonce = asyncio.get_running_loop(), os.urandom(NONCE)
    told: asyncio.Queue[tuple[bytes, Place]] = asyncio.Queue()
    ways: list[tuple[asyncio.DatagramTransport, Place]] = []
    try:
        for place in places:
            family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
            with contextlib.suppress(OSError):
                transport, _ = await loop.create_datagram_endpoint(lambda: _Asker(told), family=family, local_addr=None)
                ways.append((transport, place))
        for pause in PAUSES:
            for transport, place in ways:
                with contextlib.suppress(OSError):  # no way leads there just now
                    transport.sendto(question(nonce), _numbered(place))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    return await _first(told, nonce)
    finally:
        for transport, _ in ways:
            transport.close()
    return None


async def _first(told: asyncio.Queue[tuple[bytes, Place]], nonce: bytes) -> bytes:
    while True:
        datagram, _ = await told.get()
        with contextlib.suppress(Fault):
            return identity_in(datagram, nonce)


def _numbered(place: Place) -> tuple[str, int] | tuple[str, int, int, int]:
    """A place as the system takes it: the interface behind a % is a number of its own; OSError if there is none."""
    host, percent, zone = place[0].partition("%")
    return (host, place[1], 0, socket.if_nametoindex(zone)) if percent else place


def _socket(host: str, port: int) -> socket.socket:
    """A datagram socket of this address alone; OSError, having closed what it opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(_numbered((host, port)))
    except OSError:
        made.close()
        raise
    return made
