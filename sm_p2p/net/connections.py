"""The TCP connections of a listening socket, known by file descriptor and watched until somebody has let them in.

libzmq tells of them by monitor events and on every frame (`SRCFD`), and has no call to end one; shutting its descriptor
down does.

Law: nobody stays at the door longer than a handshake and a greeting take; of more than `STRANGERS` the longest waiting
goes first, so that a flood pushes out the flood. A descriptor is touched only while it still leads to the peer that it
was accepted from.
"""

import contextlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass

STRANGERS = 128
"""Connections that nobody has let in yet; an honest guest is one for some milliseconds."""
ARRIVAL_S = 6.0
"""3 s for the handshake and 3 s for the greeting."""
DECISION_S = 120.0
"""How long somebody who has greeted may wait for a person to decide."""

_Peer = tuple[str | int, ...]


@dataclass(slots=True)
class _Stranger:
    peer: _Peer
    until: float
    spoke: bool = False


class Connections:
    """The open connections of one port."""

    def __init__(self) -> None:
        self.accepted = 0
        self._strangers: dict[int, _Stranger] = {}
        self._known: dict[int, _Peer] = {}

    def accept(self, fd: int, now: float) -> None:
        """Notes a new connection (again is harmless), and ends one stranger when there are too many."""
        peer = _peer(fd)
        if peer is None or peer == self._peer_then(fd):
            return
        self.accepted += 1
        self.forget(fd)
        self._strangers[fd] = _Stranger(peer, now + ARRIVAL_S)
        if len(self._strangers) > STRANGERS:
            self.end(min(self._strangers, key=lambda other: self._strangers[other].spoke))

    def spoke(self, fd: int, now: float) -> None:
        """Notes that a greeting has come; its sender now waits for an answer."""
        self.accept(fd, now)
        if fd in self._strangers:
            self._strangers[fd] = _Stranger(self._strangers[fd].peer, now + DECISION_S, spoke=True)

    def let_in(self, fd: int) -> None:
        """Lets this connection stay as long as it likes."""
        stranger = self._strangers.pop(fd, None)
        if stranger is not None:
            self._known[fd] = stranger.peer

    def forget(self, fd: int) -> None:
        """Notes that this connection is closed."""
        self._strangers.pop(fd, None)
        self._known.pop(fd, None)

    def end(self, fd: int) -> None:
        """Shuts this connection down, if it is still the one that was accepted."""
        peer = self._peer_then(fd)
        self.forget(fd)
        if peer is not None and peer == _peer(fd):
            with contextlib.suppress(OSError), _borrowed(fd) as connection:
                connection.shutdown(socket.SHUT_RDWR)

    def end_overdue(self, now: float) -> None:
        """Ends every stranger that has waited too long."""
        for fd in [fd for fd, stranger in self._strangers.items() if stranger.until <= now]:
            self.end(fd)

    def _peer_then(self, fd: int) -> _Peer | None:
        stranger = self._strangers.get(fd)
        return self._known.get(fd) if stranger is None else stranger.peer


@contextlib.contextmanager
def _borrowed(fd: int) -> Iterator[socket.socket]:
    borrowed = socket.socket(fileno=fd)
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
