"""The record file: how bytes on a disk are told to be whole, torn or damaged (`protocol/log.md`, The file).

    8 bytes   seven that name the sort of the file, one with the version of the format
    then records, one behind the other:
    4 bytes   length n of type and payload, big-endian, 1 ≤ n ≤ 65,535
    4 bytes   CRC-32 of length, type and payload, big-endian
    1 byte    type; below 128 a reader has to know it, from 128 on it passes over it
    n - 1     payload

Law: pure; any bytes give a `Reading`, never an exception. Nothing here decides what a payload means.
"""

import re
import zlib
from dataclasses import dataclass
from typing import Final, NamedTuple

from sm_p2p.errors import Code, Sentence

VERSION: Final = 1
MAGIC_BYTES: Final = 8
HEAD_BYTES: Final = 8
MAX_LENGTH: Final = 0xFFFF  # type and payload; entries have up to 60,000 bytes and frames up to 61,440
PASSED_OVER: Final = 128  # types from here on are kept and passed over by a reader that does not know them
SEARCH_BYTES: Final = 64 * 1024 * 1024  # checksummed at most behind a bad place: crafted bytes shall not cost minutes


class Sort(NamedTuple):
    """A sort of file: what it is called, its first seven bytes, the record types that it can hold."""

    name: str
    magic: bytes
    types: frozenset[int]

    @property
    def head(self) -> bytes:
        """The first eight bytes, as this version writes them."""
        return self.magic + bytes([VERSION])


ENTRY: Final = 1
LOG: Final = Sort(Sentence("a log"), b"SMLOG\r\n", frozenset({ENTRY}))


class Record(NamedTuple):
    """One record: where it begins in the file, its type, its payload."""

    offset: int
    type: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds: the records up to the first bad place, where that is, and what is the matter there.

    `verdict` is None for a whole file, else `torn-tail`, `damaged-file`, `no-journal` or `other-version`; `end` is the
    offset behind the last good record, `rest` the number of bytes behind it; `sentence` says it to a person.
    """

    records: tuple[Record, ...]
    end: int
    rest: int = 0
    verdict: Code | None = None
    sentence: str = ""


def pack_record(type_: int, payload: bytes) -> bytes:
    """The bytes of one record; ValueError if the payload is longer than 65,534 bytes."""
    length = 1 + len(payload)
    if length > MAX_LENGTH:
        raise ValueError(f"a record holds up to {MAX_LENGTH - 1} bytes, not {len(payload)}")
    body = bytes([type_]) + payload
    size = length.to_bytes(4)
    return size + zlib.crc32(body, zlib.crc32(size)).to_bytes(4) + body


def read_records(raw: bytes, sort: Sort) -> Reading:
    """What these bytes hold, as a file of this sort."""
    if len(raw) < MAGIC_BYTES and sort.head.startswith(raw):
        return Reading((), 0, len(raw), Code.TORN_TAIL, Sentence("the file ends within its first eight bytes"))
    if raw[:7] != sort.magic:
        return Reading((), 0, len(raw), Code.NO_JOURNAL, Sentence("this is not {sort} of this game", sort=sort.name))
    if raw[7] != VERSION:
        found = Sentence(
            "written in version {theirs} of the file format, this program reads version {ours}",
            theirs=raw[7],
            ours=VERSION,
        )
        return Reading((), 0, len(raw), Code.OTHER_VERSION, found)
    records: list[Record] = []
    at = MAGIC_BYTES
    count = 0
    while at < len(raw):
        record = _record_at(raw, at)
        count += 1
        if record is None or (record.type < PASSED_OVER and record.type not in sort.types):
            return _stopped(raw, tuple(records), at, count, record)
        if record.type in sort.types:
            records.append(record)
        at += HEAD_BYTES + 1 + len(record.payload)
    return Reading(tuple(records), at)


def _stopped(raw: bytes, records: tuple[Record, ...], at: int, count: int, record: Record | None) -> Reading:
    rest = len(raw) - at
    place = {"number": count, "at": f"{at:,}"}
    if record is not None:
        found = Sentence(
            "record {number} at byte {at} is of type {type}, which version {version} of the file format does not know",
            **place,
            type=record.type,
            version=VERSION,
        )
        return Reading(records, at, rest, Code.OTHER_VERSION, found)
    if _may_hold_record(raw, at + 1, is_last=_reaches_end(raw, at)):
        found = Sentence(
            "record {number} at byte {at} is damaged and more follows behind it; the file can only be looked at",
            **place,
        )
        return Reading(records, at, rest, Code.DAMAGED_FILE, found)
    found = Sentence(
        "record {number} at byte {at} was not written to its end ({rest} bytes)", **place, rest=f"{rest:,}"
    )
    return Reading(records, at, rest, Code.TORN_TAIL, found)


def _record_at(raw: bytes, at: int) -> Record | None:
    """The record that begins here, if a whole one does."""
    end = at + HEAD_BYTES + int.from_bytes(raw[at : at + 4])
    if not at + HEAD_BYTES < end <= min(len(raw), at + HEAD_BYTES + MAX_LENGTH):
        return None
    found = zlib.crc32(memoryview(raw)[at + HEAD_BYTES : end], zlib.crc32(raw[at : at + 4]))
    if found != int.from_bytes(raw[at + 4 : at + 8]):
        return None
    return Record(at, raw[at + 8], raw[at + 9 : end])


_HEAD: Final = re.compile(rb"(?=\0\0(?!\0\0))")  # where a length of 1 to 65,535 can begin


def _reaches_end(raw: bytes, at: int) -> bool:
    """Whether the record at this bad place is the last one of the file, as its own length tells."""
    length = int.from_bytes(raw[at : at + 4])
    return len(raw) - at >= HEAD_BYTES and 1 <= length <= MAX_LENGTH and at + HEAD_BYTES + length >= len(raw)


def _may_hold_record(raw: bytes, start: int, *, is_last: bool) -> bool:
    """Whether a record begins anywhere from here on, or whether that could not be found out at a fair price.

    Within what is the last record by its own length, one counts only if records follow from it to the end of the file:
    the other side writes payloads, and can make bytes in them look like a record, but not know where a crash will cut.
    """
    spent = 0
    seen: set[int] = set()  # records from which the end is not reached
    for found in _HEAD.finditer(raw, start):
        at = found.start()
        while at not in seen:
            seen.add(at)
            spent += 256 + int.from_bytes(raw[at : at + 4])  # a look costs about as much as that many bytes
            if spent > SEARCH_BYTES:
                return True
            record = _record_at(raw, at)
            if record is None:
                break
            at += HEAD_BYTES + 1 + len(record.payload)
            if at == len(raw) or not is_last:
                return True
    return False
