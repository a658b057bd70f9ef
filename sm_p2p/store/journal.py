"""One match, one file: entries are appended, made durable, and never changed.

Law: `append` returns when the record is on the medium, and a call that raises has changed nothing. What a crash tore
is saved beside the file before it is cut off. A file with anything sound behind a bad place is never written on.
"""

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from sm_p2p.errors import Code, DiskTrouble, JournalDamaged, Sentence
from sm_p2p.store.files import (
    BINARY,
    copy_file,
    create_file,
    disk,
    is_copy,
    make_directory,
    replace_file,
    sync_file,
    sync_path,
    write_all,
)
from sm_p2p.store.lock import Lock
from sm_p2p.store.records import ENTRY, LOG, MAGIC_BYTES, Reading, Record, Sort, pack_record, read_records

MAX_FILE: Final = 256 * 1024 * 1024  # bytes read into memory; a long match of four packs has about 20 million


class Torn(NamedTuple):
    """What a crash left unfinished and opening cut off: how many bytes, and the file that keeps them."""

    bytes: int
    saved: Path


class Journal:
    """An open file of records with this process as its only writer.

    `records` are those that were there when it was opened; `torn` is what had to be cut off then.
    """

    def __init__(self, path: Path, sort: Sort, lock: Lock) -> None:
        self.path: Final = path
        self.sort: Final = sort
        self.records: tuple[Record, ...] = ()
        self.torn: Torn | None = None
        self._lock: Lock | None = lock
        self._end = MAGIC_BYTES
        self._descriptor: int | None = None

    @classmethod
    def create(cls, path: Path, sort: Sort = LOG) -> Self:
        """A new, empty file, durable with its name; DiskTrouble if it exists or cannot be made, JournalBusy."""
        return cls._locked(path, sort, cls._create)

    @classmethod
    def open(cls, path: Path, sort: Sort = LOG) -> Self:
        """The file for appending, its torn tail mended; JournalDamaged, JournalBusy or DiskTrouble if it is not for us."""
        return cls._locked(path, sort, cls._open)

    @classmethod
    def _locked(cls, path: Path, sort: Sort, begin: Callable[[Self], None]) -> Self:
        make_directory(path.parent)
        lock = Lock.take(path.with_name(path.name + ".lock"), str(path))
        journal = cls(path, sort, lock)
        try:
            with disk(path):
                begin(journal)
        except BaseException:
            journal.close()
            raise
        return journal

    def _create(self) -> None:
        create_file(self.path, self.sort.head)
        self._descriptor = os.open(self.path, os.O_RDWR | BINARY)

    def _open(self) -> None:
        reading = read_journal(self.path, self.sort)
        if reading.verdict not in {None, Code.TORN_TAIL}:
            raise JournalDamaged(reading.verdict, "{path}: {sentence}", path=self.path, sentence=reading.sentence)
        self._descriptor = os.open(self.path, os.O_RDWR | BINARY)
        if reading.verdict is Code.TORN_TAIL:
            self._mend(self._descriptor, reading)
        self.records = reading.records
        self._end = max(reading.end, MAGIC_BYTES)

    def _mend(self, descriptor: int, reading: Reading) -> None:
        """First the tail is safe beside, then it is cut off; a crash in between repeats both."""
        if reading.rest:
            self.torn = Torn(reading.rest, _save_beside(self.path, f"torn-{reading.end}", reading.end))
        os.ftruncate(descriptor, reading.end)
        if reading.end < MAGIC_BYTES:
            os.lseek(descriptor, 0, os.SEEK_SET)
            write_all(descriptor, self.sort.head)
        sync_file(descriptor)

    def append(self, payload: bytes, type_: int = ENTRY) -> None:
        """Back when the record is durable; DiskTrouble if the disk refused it, and then nothing of it is left.

        After a failed fsync nobody knows what the medium holds: the journal closes itself and must be opened anew.
        """
        if type_ not in self.sort.types:
            raise ValueError(f"{self.sort.name} holds no records of type {type_}")
        record = pack_record(type_, payload)
        descriptor = self._descriptor
        if descriptor is None:
            raise DiskTrouble("{path} was closed after the disk had refused a write; open it anew", path=self.path)
        with disk(self.path):
            try:
                os.lseek(descriptor, self._end, os.SEEK_SET)
                write_all(descriptor, record)
            except OSError:
                os.ftruncate(descriptor, self._end)
                raise
            try:
                sync_file(descriptor)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(descriptor, self._end)
                self.close()
                raise
        self._end += len(record)

    def close(self) -> None:
        """The file is free for others; closing twice is once."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _value: BaseException | None, _at: TracebackType | None
    ) -> None:
        self.close()


def read_journal(path: Path, sort: Sort = LOG) -> Reading:
    """What the file holds; writes nothing and takes no lock, so a writer at work may look like a torn tail.

    DiskTrouble if the file cannot be read.
    """
    with disk(path):
        if not stat.S_ISREG(path.stat().st_mode):
            return Reading((), 0, 0, Code.NO_JOURNAL, Sentence("this is no ordinary file"))
        with path.open("rb") as file:
            raw = file.read(
                min(os.fstat(file.fileno()).st_size, MAX_FILE) + 1
            )  # what is asked for is set aside at once
    if len(raw) > MAX_FILE:
        return Reading(
            (),
            0,
            len(raw),
            Code.NO_JOURNAL,
            Sentence("more than {most} bytes are no log of this game", most=f"{MAX_FILE:,}"),
        )
    return read_records(raw, sort)


def begin_anew(path: Path, sort: Sort) -> Path:
    """Keep a damaged file beside and begin it anew with the records before the bad place; the file that keeps it.

    Not for logs: those can be fetched from the other side. DiskTrouble; a crash in between leaves the file as it was.
    """
    reading = read_journal(path, sort)
    with disk(path):
        beside = _save_beside(path, "damaged")
        kept = b"".join(pack_record(record.type, record.payload) for record in reading.records)
        replace_file(path, sort.head + kept)
    return beside


def _save_beside(path: Path, why: str, start: int = 0) -> Path:
    """The new file that keeps what this one holds from there on; the same bytes are not kept twice."""
    number = 0
    while True:
        name = f"{path.name}.{why}" + (f"-{number}" if number else "")
        beside = path.with_name(name)
        if not beside.exists():
            with contextlib.suppress(FileExistsError):  # which has come meanwhile
                copy_file(path, beside, start)
                return beside
        if is_copy(path, beside, start):
            sync_path(beside)  # whoever saved it may have died before it was durable
            return beside
        number += 1
