"""High-water marks: how far this player has signed, how far the proofs were checked.

Law: a mark lies in another directory than the logs. It is written after the log's fsync and before the entry is sent;
while it is ahead of the log, something was signed that the log no longer shows, and nothing new may be signed.
The file is a record file with one record, `[match, seq, head]`.
"""

from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.errors import Code, Fault, JournalDamaged, Sentence
from sm_p2p.log.codec import decode, encode
from sm_p2p.store.files import disk, make_directory, read_small, replace_file
from sm_p2p.store.records import Sort, pack_record, read_records

MARK: Final = 1
MARKS: Final = Sort(Sentence("a mark"), b"SMMRK\r\n", frozenset({MARK}))
_LIMIT: Final = 256  # bytes; a mark has at most 78


class Mark(NamedTuple):
    """A place in a chain: the match, the number of the entry, its id."""

    match: bytes
    seq: int
    head: bytes


def write_mark(path: Path, mark: Mark) -> None:
    """Back when the mark is durable; a crash leaves the one before or this one."""
    make_directory(path.parent)
    with disk(path):
        replace_file(path, MARKS.head + pack_record(MARK, encode(tuple(mark))))


def read_mark(path: Path) -> Mark | None:
    """The mark, or None if none was ever set; JournalDamaged if it cannot be understood: then the pen has to rest."""
    with disk(path):
        try:
            raw = read_small(path, _LIMIT)
        except FileNotFoundError:
            return None
    mark = parse_mark(raw)
    if mark is None:
        raise JournalDamaged(
            Code.DAMAGED_FILE, "{path} is damaged; it tells how far you have signed, so nothing is signed", path=path
        )
    return mark


def parse_mark(raw: bytes) -> Mark | None:
    """The mark in what such a file holds; None if it cannot be understood."""
    reading = read_records(raw, MARKS)
    if reading.verdict is None and len(reading.records) == 1:
        try:
            match decode(reading.records[0].payload, _LIMIT):
                case (bytes() as match_id, seq, bytes() as head) if type(seq) is int:
                    return Mark(match_id, seq, head)
        except Fault:
            pass
    return None
