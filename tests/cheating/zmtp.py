"""The wire itself, byte by byte, for what no library would send: ZMTP 3.1 (RFC 37) with CURVE (RFC 26), as a client and as a server.

Law: nothing of the package is imported here, and not ZeroMQ either.
"""

import contextlib
import socket
from typing import Final

from nacl.bindings import crypto_box, crypto_box_keypair, crypto_box_open, crypto_scalarmult_base

GREETING: Final = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"CURVE".ljust(20, b"\0") + bytes(32)
AS_SERVER: Final = GREETING[:32] + b"\x01" + bytes(31)
METADATA: Final = b"\x0bSocket-Type\0\0\0\x06DEALER\x08Identity\0\0\0\0"
OF_A_SERVER: Final = METADATA.replace(b"DEALER", b"ROUTER")
COMMAND, LONG, MORE = 4, 2, 1
PATIENCE_S: Final = 60.0
ENDLESS: Final = 1024**3  # bytes, of which a fast machine takes a quarter between two looks at it


class Wire:
    """A connection on which the handshake is done; `say` sends parts of messages that may go on for ever."""

    label: bytes
    """Of what this side encrypts."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(PATIENCE_S)
        self._socket = connection
        self._nonce = 0
        self._theirs = self._own = b""
        """The keys of this connection."""

    def say(self, part: bytes, *, goes_on: bool = False) -> None:
        """One part of a message, and whether another one follows; OSError when nobody listens any more."""
        box = crypto_box(bytes([goes_on * MORE]) + part, self.label + self._next(), self._theirs, self._own)
        self._socket.sendall(self._framed(b"\x07MESSAGE" + self._last() + box, 0))

    def say_beginning(self, length: int) -> None:
        """Promise a message of this length, and say nothing of it."""
        self._socket.sendall(bytes([LONG]) + length.to_bytes(8))

    def say_raw(self, raw: bytes) -> None:
        """Any bytes."""
        self._socket.sendall(raw)

    def is_ended(self) -> bool:
        """Wait until the other side hangs up."""
        try:
            while self._socket.recv(65_536):
                pass
        except TimeoutError:
            return False
        except OSError:
            return True
        return True

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _next(self) -> bytes:
        self._nonce += 1
        return self._last()

    def _last(self) -> bytes:
        return self._nonce.to_bytes(8)

    def _command(self, body: bytes) -> None:
        self._socket.sendall(self._framed(body, COMMAND))

    @staticmethod
    def _framed(body: bytes, flags: int) -> bytes:
        if len(body) < 256:
            return bytes([flags, len(body)]) + body
        return bytes([flags | LONG]) + len(body).to_bytes(8) + body

    def _frame(self) -> bytes:
        flags = self._take(1)[0]
        return self._take(int.from_bytes(self._take(8 if flags & LONG else 1)))

    def _take(self, count: int) -> bytes:
        taken = b""
        while len(taken) < count:
            more = self._socket.recv(count - len(taken))
            assert more, "the other side has hung up"
            taken += more
        return taken


class Visit(Wire):
    """As a guest of a port of this machine."""

    label = b"CurveZMQMESSAGEC"

    def __init__(self, port: int, secret: bytes, server: bytes) -> None:
        """`secret` is the own transport key, `server` that of the host."""
        super().__init__(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
        own, self._own = crypto_box_keypair()
        self._socket.sendall(GREETING)
        self._take(64)
        hello = crypto_box(bytes(64), b"CurveZMQHELLO---" + self._next(), server, self._own)
        self._command(b"\x05HELLO\x01\x00" + bytes(72) + own + self._last() + hello)
        welcome = self._frame().removeprefix(b"\x07WELCOME")
        opened = crypto_box_open(welcome[16:], b"WELCOME-" + welcome[:16], server, self._own)
        self._theirs, cookie = opened[:32], opened[32:]
        vouch = crypto_box(own + server, b"VOUCH---" + bytes(16), self._theirs, secret)
        said = crypto_scalarmult_base(secret) + bytes(16) + vouch + METADATA
        initiate = crypto_box(said, b"CurveZMQINITIATE" + self._next(), self._theirs, self._own)
        self._command(b"\x08INITIATE" + cookie + self._last() + initiate)
        assert self._frame().startswith(b"\x05READY")


class Trap(Wire):
    """As the host of whoever comes next to a listening socket."""

    label = b"CurveZMQMESSAGES"

    def __init__(self, listening: socket.socket, secret: bytes) -> None:
        """`secret` is the transport key by which he was invited."""
        listening.settimeout(PATIENCE_S)
        super().__init__(listening.accept()[0])
        self._socket.sendall(AS_SERVER)
        self._take(64)
        self._theirs = self._frame()[80:112]  # behind the name, the version and the padding of HELLO
        public, self._own = crypto_box_keypair()
        welcome = crypto_box(public + bytes(96), b"WELCOME-" + bytes(16), self._theirs, secret)
        self._command(b"\x07WELCOME" + bytes(16) + welcome)
        assert self._frame().startswith(b"\x08INITIATE")
        ready = crypto_box(OF_A_SERVER, b"CurveZMQREADY---" + self._next(), self._theirs, self._own)
        self._command(b"\x05READY" + self._last() + ready)


def poured(wire: Wire, part: bytes, most: int = ENDLESS) -> int:
    """How many bytes of a message that never ends are taken, before the connection ends."""
    taken = 0
    with contextlib.suppress(OSError):
        while taken < most:
            wire.say(part, goes_on=True)
            taken += len(part)
    return taken
