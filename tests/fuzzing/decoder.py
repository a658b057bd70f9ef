"""What a decoder is to the fuzzer: valid examples, the errors that are its own, and what makes a checksum right again."""

import atexit
import hashlib
import struct
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Final

import msgpack
from fuzzing.mutation import Shape
from store.homes import a_full_home
from vector_files import VECTORS, Json, unpacked, vectors

from scripts.making.recorder import SIGNERS, Heads, heads
from sm_p2p.errors import Fault
from sm_p2p.log.signature import sign_labelled
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.wire import Ack, Entries, Frame, write_frame
from sm_p2p.store.backup import back_up
from sm_p2p.store.journal import read_journal
from sm_p2p.store.records import LOG, MAGIC_BYTES, pack_record

Mend = Callable[[Random, bytes], bytes]
ENTRIES: Final = 20
"""How many entries of a recorded match are examples, and lie before the live ones."""
SCRATCH = tempfile.TemporaryDirectory(prefix="sm-p2p-fuzz-")
atexit.register(SCRATCH.cleanup)


@dataclass(frozen=True)
class Decoder:
    """`read` is given any bytes; `covers` names what of the program it stands for; `mend` makes checksums right again."""

    name: str
    covers: tuple[str, ...]
    read: Callable[[bytes], object]
    errors: tuple[type[Exception], ...]
    examples: Callable[[], Sequence[bytes]]
    shape: Shape = Shape.RAW
    mend: Mend | None = None


def vectors_of(file: str, *fields: str) -> Callable[[], Sequence[bytes]]:
    """These fields of all vectors of a file, as bytes."""
    return partial(fields_of, file, fields)


@cache
def fields_of(file: str, fields: tuple[str, ...]) -> tuple[bytes, ...]:
    found = [vector.json(field) for vector in vectors(f"{file}.json") for field in fields if field in vector]
    return tuple(dict.fromkeys(raw for one in found if len(raw := _bytes(one)) < 70_000))


def _bytes(value: Json) -> bytes:
    if isinstance(value, str):
        try:
            return bytes.fromhex(value)
        except ValueError:
            return value.encode()
    return unpacked(value)


def texts_of(file: str, *fields: str) -> Callable[[], Sequence[bytes]]:
    def found() -> Sequence[bytes]:
        values = [vector.json(field) for vector in vectors(f"{file}.json") for field in fields if field in vector]
        lines = [one for value in values for one in (value if isinstance(value, list) else [value])]
        return tuple(one.encode("utf-8", "replace") for one in lines if isinstance(one, str))

    return cache(found)


def lines(*texts: str) -> Callable[[], Sequence[bytes]]:
    """These texts as examples."""
    return lambda: tuple(text.encode() for text in texts)


def of_text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """What reads text, for bytes."""
    return lambda raw: read(raw.decode("utf-8", "surrogateescape"))


def of_file(read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """What reads a file, for bytes."""

    def look(raw: bytes) -> object:
        path = Path(SCRATCH.name) / "file"
        path.write_bytes(raw)
        path.chmod(0o600)
        return read(path)

    return look


@cache
def match() -> Heads:
    """The beginning of a recorded match."""
    raws = (record.payload for record in read_journal(VECTORS / "games" / "short.smlog").records)
    return heads([*raws][:ENTRIES])


def signed(label: str) -> Mend:
    """Whatever the body says, a player of the recorded match has signed it."""

    def mend(dice: Random, raw: bytes) -> bytes:
        try:
            body, _ = msgpack.unpackb(raw)
            signature = sign_labelled(dice.choice(SIGNERS), label, body)
        except (ValueError, TypeError, AttributeError, msgpack.exceptions.UnpackException):
            return raw
        sealed: bytes = msgpack.packb((body, signature))
        return sealed

    return mend


def summed(_: Random, raw: bytes) -> bytes:
    """Records whose checksums are right again, as far as their lengths lead."""
    out, at = raw[:MAGIC_BYTES], MAGIC_BYTES
    while at + 9 <= len(raw):
        length = struct.unpack_from(">I", raw, at)[0]
        if not 1 <= length <= len(raw) - at - 8:
            break
        said = raw[at : at + 4] + raw[at + 8 : at + 8 + length]
        out += raw[at : at + 4] + struct.pack(">I", zlib.crc32(said)) + said[4:]
        at += 8 + length
    return out + raw[at:]


def checked(_: Random, raw: bytes) -> bytes:
    """An invite whose checksum is right again."""
    body = raw.strip().lower().rpartition(b".")[0]
    alphabet = "abcdefghijklmnopqrstuvwxyz234567"
    number = int.from_bytes(hashlib.sha256(body).digest()[:4]) >> 2
    return body + b"." + "".join(alphabet[number >> at & 31] for at in range(25, -1, -5)).encode()


def zipped(dice: Random, raw: bytes) -> bytes:
    """A backup with one more member, or with another content of one, packed as one should be, or not."""
    names = ["keys/identity.key", "config/options.toml", "../etc/passwd", "data/" + "0" * 64 + ".smlog", "x", "SM-P2P"]
    out = BytesIO(raw)
    try:
        with (
            warnings.catch_warnings(action="ignore"),
            zipfile.ZipFile(out, "a", dice.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as opened,
        ):
            info = zipfile.ZipInfo(dice.choice(names))
            info.external_attr = dice.choice([0o100600, 0o120777, 0o040700, 0]) << 16
            opened.writestr(info, bytes(dice.choice([0, 1, 40, 10_000])))
    except (zipfile.BadZipFile, ValueError, OSError, struct.error, NotImplementedError):
        return raw
    return out.getvalue()


@cache
def backup() -> Sequence[bytes]:
    home = Path(SCRATCH.name)
    back_up(a_full_home(home / "home"), home / "backup.zip")
    return ((home / "backup.zip").read_bytes(),)


@cache
def home_files(*endings: str) -> Callable[[], Sequence[bytes]]:
    def found() -> Sequence[bytes]:
        backup()
        return tuple(
            path.read_bytes() for path in sorted(Path(SCRATCH.name).rglob("home/**/*")) if path.name.endswith(endings)
        )

    return cache(found)


def log_of(count: int) -> bytes:
    return LOG.head + b"".join(pack_record(1, raw) for raw in match().raws[:count])


@cache
def logs() -> Sequence[bytes]:
    return tuple(log_of(count) for count in (1, 2, 5))


@cache
def next_entries() -> Sequence[bytes]:
    raws = [record.payload for record in read_journal(VECTORS / "games" / "short.smlog").records]
    return raws[: ENTRIES + 6]


@cache
def frames() -> Sequence[bytes]:
    record = match()
    chain = record.matches[-1].chain
    greeting = hello(SIGNERS[1], Peer("Bo", "guest"), chain.match, chain.seq, chain.head)
    live: list[Frame] = [
        greeting,
        Ack(chain.seq, chain.head, 0),
        Entries(record.raws[-3:]),
        Entries(tuple(next_entries()[-6:])),
    ]
    return (*fields_of("wire", ("frame",)), *map(write_frame, live))


OWN: Final = (Fault,)
