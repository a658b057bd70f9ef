"""A disk made of memory, on which the real desk keeps its files: it can fail in the middle of a write, and be put back.

Law: what an append or a replacement has not finished when the power fails is torn or was never there; what it has
finished stays. Files hold the bytes that the real ones would hold and are read by the same code.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

from sm_p2p.errors import Code, JournalDamaged
from sm_p2p.log.codec import decode, encode
from sm_p2p.peer import desk
from sm_p2p.store import marks
from sm_p2p.store.journal import Torn
from sm_p2p.store.places import Places
from sm_p2p.store.records import ENTRY, LOG, MAGIC_BYTES, Record, Sort, pack_record, read_records

reading = lru_cache(100)(read_records)  # the same file is read by several


class PowerFailureError(Exception):
    """The machine is off."""


@dataclass(slots=True)
class Disk:
    """The files of one machine; `tear` makes the next write stop after so many of its bytes (for a mark: before it)."""

    name: str
    files: dict[Path, bytearray] = field(default_factory=dict)
    tear: Callable[[int], int] | None = None

    @property
    def places(self) -> Places:
        """Where the files are."""
        return Places.below(Path("/") / self.name)

    def append(self, path: Path, raw: bytes) -> None:
        """Back when it is durable."""
        file = self.files.setdefault(path, bytearray())
        if self.tear is not None:
            cut, self.tear = self.tear(len(raw)), None
            file += raw[:cut]
            raise PowerFailureError
        file += raw

    def replace(self, path: Path, raw: bytes) -> None:
        """The old content or the new one."""
        if self.tear is not None:
            if self.tear(2) == 1:
                self.files[path] = bytearray(raw)
            self.tear = None
            raise PowerFailureError
        self.files[path] = bytearray(raw)

    def read(self, path: Path) -> bytes | None:
        """What the file holds; None if there is none."""
        file = self.files.get(path)
        return None if file is None else bytes(file)

    def copy(self) -> dict[Path, bytearray]:
        """A backup."""
        return {path: bytearray(file) for path, file in self.files.items()}

    def forget(self, match: bytes) -> None:
        """All files of this match are gone."""
        for path in [path for path in self.files if path.stem == match.hex()]:
            del self.files[path]

    def entries(self, match: bytes) -> tuple[bytes, ...]:
        """What the log of this match holds durably."""
        return tuple(record.payload for record in self.records(self.places.log(match), LOG))

    def records(self, path: Path, sort: Sort) -> tuple[Record, ...]:
        """The whole records of a file."""
        return reading(self.read(path) or sort.head, sort).records

    def matches(self) -> list[bytes]:
        """The matches that have a log here, the latest last."""
        return [bytes.fromhex(path.stem) for path in self.files if path.suffix == ".smlog"]


class Paper:
    """A journal on a simulated disk; as `store.journal.Journal`, without a lock."""

    def __init__(self, disk: Disk, path: Path, sort: Sort) -> None:
        self.path = path
        self.sort = sort
        self.records: tuple[Record, ...] = ()
        self.torn: Torn | None = None
        self._disk = disk
        if path not in disk.files:
            disk.append(path, sort.head)
            return
        found = reading(bytes(disk.files[path]), sort)
        if found.verdict not in {None, Code.TORN_TAIL}:
            raise JournalDamaged(found.verdict, found.sentence)
        if found.verdict is Code.TORN_TAIL:
            self.torn = Torn(found.rest, path)
            del disk.files[path][found.end :]
            if found.end < MAGIC_BYTES:
                disk.files[path][:] = sort.head
        self.records = found.records

    def append(self, payload: bytes, type_: int = ENTRY) -> None:
        """Back when the record is durable."""
        self._disk.append(self.path, pack_record(type_, payload))

    def close(self) -> None:
        """Nothing is held."""


class Clock:
    """What time it is, for remarks beside the log."""

    def __init__(self) -> None:
        self.now = 0.0

    def time(self) -> float:
        """Seconds since the world began."""
        return self.now


class Machines(NamedTuple):
    """The disks that are mounted, by the first part of their paths, and the one clock."""

    disks: dict[str, Disk]
    clock: Clock

    def disk(self, path: Path) -> Disk:
        """The one that holds this path."""
        return self.disks[path.parts[1]]

    def open_file(self, path: Path, sort: Sort = LOG) -> Paper:
        """As `store.matches.open_file`."""
        return Paper(self.disk(path), path, sort)

    def load_or_create_secret(self, path: Path, draw: Callable[[int], bytes]) -> bytes:
        """As `store.keys.load_or_create_secret`."""
        disk = self.disk(path)
        if path not in disk.files:
            disk.replace(path, draw(32))
        return bytes(disk.files[path])

    def write_mark(self, path: Path, mark: marks.Mark) -> None:
        """As `store.marks.write_mark`."""
        self.disk(path).replace(path, encode(tuple(mark)))

    def read_mark(self, path: Path) -> marks.Mark | None:
        """As `store.marks.read_mark`."""
        return read_mark(self.disk(path), path)


def read_mark(disk: Disk, path: Path) -> marks.Mark | None:
    """The mark in this file; None if it was never set."""
    match decode(disk.read(path) or encode(None), 256):
        case (bytes(match_id), int(seq), bytes(head)):
            return marks.Mark(match_id, seq, head)
        case _:
            return None


class _Marks(NamedTuple):
    """What the desk calls `marks`."""

    Mark: type[marks.Mark]
    read_mark: Callable[[Path], marks.Mark | None]
    write_mark: Callable[[Path, marks.Mark], None]


@contextlib.contextmanager
def simulated() -> Iterator[Machines]:
    """Within it, desks keep their files on the disks that are mounted here."""
    machines = Machines({}, Clock())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk, "open_file", machines.open_file)
        patch.setattr(desk, "load_or_create_secret", machines.load_or_create_secret)
        patch.setattr(desk, "marks", _Marks(marks.Mark, machines.read_mark, machines.write_mark))
        patch.setattr(desk, "time", machines.clock)
        yield machines
