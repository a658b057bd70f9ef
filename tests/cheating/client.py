"""A client that owes nobody the truth, written from `protocol/` alone: frames, sealed texts, sockets, keys, invites.

Law: nothing of the package is imported here; MessagePack, Ed25519 and ZeroMQ are those of the libraries.
"""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import msgpack
import zmq
from nacl.bindings import crypto_scalarmult_base
from nacl.signing import SigningKey

from scripts.reading.net import to_base32, u_of

Item: TypeAlias = "int | str | bytes | bool | list[Item] | None"
Frame: TypeAlias = list[Item]

HELLO, REJECT, ENTRIES, ACK, PETITION, NOTE, PING, PONG, BYE = range(1, 10)
SEEDS: Final = (b"\x01" * 32, b"\x02" * 32)
"""The signing seeds of the players of the recorded matches (`vectors/games`)."""
STRANGER: Final = b"\x03" * 32
DEADLINE_S: Final = 60.0


def identity_of(seed: bytes) -> bytes:
    """The identity of a seed (`log.md`)."""
    return bytes(SigningKey(seed).verify_key)


def secret_of(seed: bytes) -> bytes:
    """The secret transport key of a seed (`transport.md`)."""
    digest = bytearray(hashlib.sha512(seed).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    return bytes(digest)


def pack(item: Item) -> bytes:
    """The encoding of a value."""
    packed: bytes = msgpack.packb(item)
    return packed


def sealed(label: str, body: Item, seed: bytes) -> bytes:
    """[body, signature]."""
    return sealed_bytes(label, pack(body), seed)


def sealed_bytes(label: str, raw: bytes, seed: bytes) -> bytes:
    """The same, whatever the body is."""
    message = b"s" + len(label).to_bytes(4) + label.encode() + raw
    return pack([raw, SigningKey(seed).sign(message).signature])


def invite(port: int, key: bytes, token: bytes = bytes(16)) -> str:
    """The line that leads to a port of this machine."""
    body = f"sm-p2p://127.0.0.1:{port}/{to_base32(key)}.{to_base32(token)}"
    return f"{body}.{to_base32(hashlib.sha256(body.encode()).digest())[:6]}"


@dataclass
class Log:
    """What a client holds of a match."""

    ids: list[bytes] = field(default_factory=list)

    @property
    def match(self) -> bytes:
        """The id of entry 1."""
        return self.ids[0] if self.ids else b""

    @property
    def head(self) -> bytes:
        """The id of the last entry."""
        return self.ids[-1] if self.ids else b""


def id_of(entry: bytes) -> bytes:
    """SHA-256 of the body."""
    return hashlib.sha256(opened(entry)[0]).digest()


def opened(entry: bytes) -> tuple[bytes, bytes]:
    """Body and signature."""
    body, signature = msgpack.unpackb(entry)
    return body, signature


class Line:
    """One connection, as guest of a port of this machine; `send` takes frames and anything else.

    `route`: a routing id of one's own choice, which nobody else has.
    """

    def __init__(self, port: int, seed: bytes, host: bytes, route: bytes = b"") -> None:
        self.seed = seed
        self.identity = identity_of(seed)
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        for option, value in (
            (zmq.LINGER, 0),
            (zmq.IPV6, 1),
            (zmq.RECONNECT_IVL, -1),
            (zmq.SNDHWM, 0),
            (zmq.RCVHWM, 0),
        ):
            self._socket.setsockopt(option, value)
        if route:
            self._socket.setsockopt(zmq.ROUTING_ID, route)
        secret = secret_of(seed)
        self._socket.setsockopt(zmq.CURVE_SECRETKEY, secret)
        self._socket.setsockopt(zmq.CURVE_PUBLICKEY, crypto_scalarmult_base(secret))
        self._socket.setsockopt(zmq.CURVE_SERVERKEY, u_of(host))
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        self._socket.connect(f"tcp://127.0.0.1:{port}")

    def close(self) -> None:
        """Hang up."""
        self._socket.disable_monitor()
        self._monitor.close(0)
        self._socket.close(0)
        self._context.term()

    def send(self, *frames: Frame | bytes) -> None:
        """Say these."""
        for frame in frames:
            self._socket.send(frame if isinstance(frame, bytes) else pack(frame))

    def send_parts(self, *parts: bytes) -> None:
        """Say a message of several parts."""
        self._socket.send_multipart(list(parts))

    def greet(self, log: Log, role: str = "guest", token: bytes = b"", **changes: Item) -> None:
        """Say HELLO, with other items than it should have."""
        said: dict[str, Item] = {
            "low": 1, "high": 1, "app": "?", "role": role, "identity": self.identity, "token": token, "name": "Bo",
            "match": log.match, "seq": len(log.ids), "head": log.head,
        }  # fmt: skip
        self.send([HELLO, *{**said, **changes}.values()])

    def hear(self, *kinds: int, within: float = DEADLINE_S) -> Frame:
        """The next frame of one of these kinds."""
        end = time.monotonic() + within
        while True:
            left = end - time.monotonic()
            assert left > 0, f"none of {kinds} came"
            if self._socket.poll(int(left * 1000)):
                frame: Frame = msgpack.unpackb(self._socket.recv())
                if frame[0] in kinds:
                    return frame

    def heard(self) -> list[Frame]:
        """Everything that is there until a ping comes back."""
        self.send([PING, 2**40])
        frames: list[Frame] = []
        while (frame := self.hear(*range(1, 10)))[:2] != [PONG, 2**40]:
            frames.append(frame)
        return frames

    def has_heard(self, *kinds: int) -> bool:
        """Whether a frame of one of these kinds is there already."""
        found = False
        while self._socket.poll(0):
            found = found or msgpack.unpackb(self._socket.recv())[0] in kinds
        return found

    def is_hung_up(self, within: float = DEADLINE_S) -> bool:
        """Whether the other side ends this connection in time."""
        return bool(self._monitor.poll(int(within * 1000)))


@contextmanager
def line(port: int, seed: bytes, host: bytes, route: bytes = b"") -> Iterator[Line]:
    """A connection for the block."""
    one = Line(port, seed, host, route)
    try:
        yield one
    finally:
        one.close()


class Den:
    """A table that a cheat opens: whoever comes is answered with what he has in mind."""

    def __init__(self, seed: bytes) -> None:
        self.identity = identity_of(seed)
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.CURVE_SERVER, 1)
        self._socket.setsockopt(zmq.CURVE_SECRETKEY, secret_of(seed))
        self.port = self._socket.bind_to_random_port("tcp://127.0.0.1")

    def close(self) -> None:
        """Close it."""
        self._socket.close(0)
        self._context.term()

    def visited(self, *kinds: int) -> tuple[bytes, Frame]:
        """The next frame of one of these kinds, and who has sent it."""
        end = time.monotonic() + DEADLINE_S
        while True:
            left = max(0.0, end - time.monotonic())
            assert self._socket.poll(int(left * 1000)), f"none of {kinds} came"
            route, raw = self._socket.recv_multipart()
            frame: Frame = msgpack.unpackb(raw)
            if frame[0] in kinds:
                return route, frame

    def answer(self, route: bytes, *frames: Frame) -> None:
        """Say these to a guest."""
        for frame in frames:
            self._socket.send_multipart([route, pack(frame)])
