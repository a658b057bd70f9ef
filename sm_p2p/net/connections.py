"""The TCP connections of a listening socket, known by file descriptor and watched until somebody has let them in.

libzmq tells of them by monitor events and on every frame (`SRCFD`), and has no call to end one; shutting its descriptor
down does.

Law: nobody stays at the door longer than a handshake and a greeting take; of more than `STRANGERS` the longest silent
goes first and never the newest, so that a flood pushes out the flood. Nobody fills the memory with a message that never ends. A descriptor
is touched only while it still leads to the peer that it was accepted from.
"""

import contextlib
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass

STRANGERS = 64
"""Connections that nobody has let in yet; an honest guest is one for some milliseconds."""
ARRIVAL_S = 6.0
"""3 s for the handshake and 3 s for the greeting."""
DECISION_S = 120.0
"""How long somebody who has greeted may wait for a person to decide."""

STRANGER_BYTES = 128 * 1024
"""A handshake, a greeting and its repetitions need less than half of this."""
UNFINISHED_BYTES = 16 * 1024 * 1024
"""What somebody who was let in may have under way: 64 queued frames and the buffers of the system."""
SWEEP_S = 0.25
"""How often to look: what a fast sender can heap up in between has to fit into memory."""
_TCP_INFO_RECEIVED = slice(128, 136)
"""`tcpi_bytes_received` in Linux's `struct tcp_info`."""

_Peer = tuple[str | int, ...]


@dataclass(slots=True)
class _Connection:
    peer: _Peer
    until: float
    spoke: bool = False
    known: bool = False
    heard_at: int = 0


class Connections:
    """The open connections of one port."""

    def __init__(self) -> None:
        self.accepted = 0
        self._open: dict[int, _Connection] = {}
        self._strangers: dict[int, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def accept(self, fd: int, now: float) -> None:
        """Notes a new connection (again is harmless), and ends one stranger when there are too many."""
        peer = _peer(fd)
        if peer is None or (fd in self._open and self._open[fd].peer == peer):
            return
        self.accepted += 1
        self.forget(fd)
        self._open[fd] = _Connection(peer, now + ARRIVAL_S)
        self._strangers[fd] = None
        if len(self._strangers) > STRANGERS:
            earlier = list(self._strangers)[:-1]
            self.end(min(earlier, key=lambda other: self._open[other].spoke))

    def hear(self, fd: int, now: float) -> bool:
        """Notes that a whole message has come; a stranger now waits for an answer. Whether this connection is there still."""
        self.accept(fd, now)
        connection = self._open.get(fd)
        if connection is None:
            return False
        if connection.known:
            connection.heard_at = received(fd)
        elif not connection.spoke:
            connection.spoke = True
            connection.until = now + DECISION_S
        return True

    def let_in(self, fd: int) -> None:
        """Lets this connection stay as long as it likes."""
        if fd in self._open:
            self._strangers.pop(fd, None)
            self._open[fd].known = True
            self._open[fd].heard_at = received(fd)

    def forget(self, fd: int) -> None:
        """Notes that this connection is closed."""
        self._strangers.pop(fd, None)
        self._open.pop(fd, None)

    def end(self, fd: int) -> None:
        """Shuts this connection down, if it is still the one that was accepted."""
        connection = self._open.get(fd)
        self.forget(fd)
        if connection is not None and connection.peer == _peer(fd):
            with contextlib.suppress(OSError), _borrowed(fd) as borrowed:
                borrowed.shutdown(socket.SHUT_RDWR)

    def sweep(self, now: float) -> None:
        """Ends every stranger that has waited too long, and everybody whose message does not come to an end."""
        for fd, connection in list(self._open.items()):
            limit = UNFINISHED_BYTES if connection.known else STRANGER_BYTES
            if (not connection.known and connection.until <= now) or received(fd) - connection.heard_at > limit:
                self.end(fd)


@contextlib.contextmanager
def _borrowed(fd: int, family: int = -1) -> Iterator[socket.socket]:
    """The connection; its family counts where addresses are read, and is found out there."""
    borrowed = socket.socket(family, fileno=fd)
    try:
        yield borrowed
    finally:
        borrowed.detach()


def _peer(fd: int) -> _Peer | None:
    try:
        with _borrowed(fd) as connection:
            name: _Peer = connection.getpeername()
            return name
    except OSError:
        return None


def received(fd: int) -> int:
    """How many bytes have come on this connection; 0 where the system does not tell, or for none (−1)."""
    if sys.platform != "linux" or fd < 0:
        return 0
    try:
        with _borrowed(fd, socket.AF_INET) as connection:
            told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_RECEIVED.stop)
    except OSError:
        return 0
    return int.from_bytes(told[_TCP_INFO_RECEIVED], sys.byteorder)
