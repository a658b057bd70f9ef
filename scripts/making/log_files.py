"""The vectors of record files: whole, torn, damaged, of a later version, of another sort."""

import zlib
from collections.abc import Iterable

from scripts.making.log_forms import Vector, vector
from sm_p2p.errors import Code
from sm_p2p.store.notes import NOTES, Remark
from sm_p2p.store.notes import Kind as NoteKind
from sm_p2p.store.records import ENTRY, LOG, MAX_LENGTH, Sort, pack_record, read_records


def journal_vectors() -> Iterable[Vector]:
    """Logs, then notes, then the longest record."""
    head, a, b, c = LOG.head, pack_record(ENTRY, b"first"), pack_record(ENTRY, b"second"), pack_record(ENTRY, b"")
    remark = Remark(NoteKind.NOTE, 7, 1_700_000_000_000, b"hello").pack()
    whole = head + a + b
    flip = bytearray(whole)
    flip[len(head) + 10] ^= 1
    long = bytearray(whole)
    long[len(head) + 2] ^= 1
    files: tuple[tuple[str, str, str, bytes], ...] = (
        ("empty", "a log that was just made", "valid", head),
        ("two", "two records", "valid", whole),
        ("no-payload", "a record without payload", "valid", head + c),
        ("passed-over", "types from 128 on are passed over", "valid", head + a + pack_record(200, b"?") + b),
        ("torn-at-0", "made, and nothing written", "torn", b""),
        ("torn-in-the-magic", "three of the first eight bytes", "torn", head[:3]),
        ("torn-in-the-head", "five bytes of a record's head", "torn", whole + b[:5]),
        ("torn-before-the-type", "a head and nothing else", "torn", whole + b[:8]),
        ("torn-in-the-payload", "the last byte is missing", "torn", whole + c + b[:-1]),
        ("torn-checksum", "the last record's payload is not the one that was summed", "torn", head + a + b[:-1] + b"?"),
        ("torn-zeros", "zeros where a record should be: their length is 0", "torn", whole + bytes(20)),
        (
            "torn-length-0",
            "a record of length 0 has a sound checksum, and is none",
            "torn",
            whole + bytes.fromhex("000000002144df1c"),
        ),
        ("torn-length-65536", "a length beyond 65,535", "torn", whole + bytes.fromhex("0001000000000000")),
        (
            "torn-with-a-record-in-it",
            "the payload that was not written to its end holds the bytes of a record",
            "torn",
            head + a + pack_record(ENTRY, b"<" + b + b">>>>")[:-2],
        ),
        (
            "torn-with-the-start-of-another",
            "and behind it the head of one that runs past the end",
            "torn",
            head + a + pack_record(ENTRY, b"<" + b + b[:12] + b">>>>")[:-2],
        ),
        (
            "torn-checksum-with-a-record-in-it",
            "as long as it says, with another checksum, and the bytes of a record in it",
            "torn",
            head + a + pack_record(ENTRY, b"<" + b + b">")[:-1] + b"?",
        ),
        (
            "damaged-length-past-the-end",
            "a length that runs past the end, and sound records up to the end",
            "damaged",
            head + a[:2] + b"\x7f" + a[3:] + b + c,
        ),
        (
            "damaged-length-to-the-end",
            "a length that ends at the end, and a sound record there too",
            "damaged",
            head + (len(a) + len(b) - 8).to_bytes(4) + a[4:] + b,
        ),
        (
            "damaged-before-the-last",
            "a bad place that is not the last record by its own length, and a record in it",
            "damaged",
            head + pack_record(ENTRY, b"<" + b + b">")[:-1] + b"?" + b"rest",
        ),
        ("damaged-payload", "a bit of the first payload", "damaged", bytes(flip)),
        ("damaged-length", "a bit of the first length", "damaged", bytes(long)),
        ("damaged-gap", "something between two records", "damaged", head + a + b"???" + b),
        (
            "damaged-any-type",
            "a sound record of any type behind a bad place",
            "damaged",
            head + b"?" + pack_record(99, b""),
        ),
        ("type-0", "a type below 128 that is not known", "version", head + a + pack_record(0, b"?") + b),
        ("type-2", "a log holds entries only", "version", head + a + pack_record(2, b"?")),
        ("version-2", "version 2 of the format", "version", head[:7] + b"\x02" + a),
        ("other-text", "some text", "other", b"Spite & Malice\n"),
        ("other-line-end", "a magic changed by a text tool", "other", head.replace(b"\r\n", b"\n") + a),
        ("other-notes", "notes are no log", "other", NOTES.head),
    )
    for name, comment, flag, raw in files:
        yield _read(name, comment, flag, LOG, raw)
    yield _read("notes", "notes hold remarks", "valid", NOTES, NOTES.head + pack_record(NoteKind.NOTE, remark))
    yield _read("notes-log", "a log is no file of notes", "other", NOTES, whole)
    too_long = bytes.fromhex("00010000")
    check = zlib.crc32(too_long + b"\x01" + bytes(MAX_LENGTH)).to_bytes(4)
    yield vector(
        "torn-length-65536-sound",
        "a record of 65,536 bytes is none, however sound its checksum",
        "torn",
        Code.TORN_TAIL,
        sort="log",
        file=[[(head + too_long + check).hex() + "01", 1], ["00", MAX_LENGTH]],
        end=len(head),
        rest=8 + 1 + MAX_LENGTH,
        records=[],
    )
    largest = head + pack_record(ENTRY, bytes(MAX_LENGTH - 1))
    runs = [[largest[:17].hex(), 1], ["00", MAX_LENGTH - 1]]
    yield vector(
        "longest",
        "a record of type and 65,534 bytes",
        "valid",
        None,
        sort="log",
        file=runs,
        end=len(largest),
        rest=0,
        records=[{"offset": 8, "type": 1, "payload": [["00", MAX_LENGTH - 1]]}],
    )


def _read(name: str, comment: str, flag: str, sort: Sort, raw: bytes) -> Vector:
    reading = read_records(raw, sort)
    records = [{"offset": at, "type": kind, "payload": payload.hex()} for at, kind, payload in reading.records]
    names = {LOG: "log", NOTES: "notes"}
    return vector(
        name,
        comment,
        flag,
        reading.verdict,
        sort=names[sort],
        file=raw.hex(),
        records=records,
        end=reading.end,
        rest=reading.rest,
    )
