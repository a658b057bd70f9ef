"""Durable, torn and mended, damaged and left alone, refused by the disk."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from small_disk import disk_of

from sm_p2p.errors import Code, DiskTrouble, JournalBusy, JournalDamaged
from sm_p2p.store.journal import Journal, Torn, begin_anew, read_journal
from sm_p2p.store.notes import NOTES, Kind
from sm_p2p.store.records import ENTRY, LOG, pack_record

PAYLOADS = (b"one", b"", b"three" * 9, b"4")
WHOLE = LOG.head + b"".join(pack_record(ENTRY, payload) for payload in PAYLOADS)
WRITER = """
import sys
from pathlib import Path
from sm_p2p.store.journal import Journal
with Journal.open(Path(sys.argv[1])) as journal:
    for number in range(1_000_000):
        journal.append(number.to_bytes(4) * 500)
        print(number, flush=True)
"""


def write(path: Path, raw: bytes) -> Path:
    path.write_bytes(raw)
    return path


def payloads(journal: Journal) -> tuple[bytes, ...]:
    return tuple(record.payload for record in journal.records)


@contextmanager
def writer(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that appends to this file and says so, until it is killed."""
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, env=environ
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def test_what_was_appended_is_there_when_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "m.smlog"
    with Journal.create(path) as journal:
        for payload in PAYLOADS:
            journal.append(payload)
    assert path.read_bytes() == WHOLE
    with Journal.open(path) as journal:
        assert payloads(journal) == PAYLOADS
        assert journal.torn is None
        journal.append(b"5")
    assert [record.payload for record in read_journal(path).records] == [*PAYLOADS, b"5"]
    assert [file.name for file in path.parent.iterdir()] == ["m.smlog"]


def test_creating_never_writes_over_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "m.smlog", WHOLE)
    with pytest.raises(DiskTrouble, match=r"m\.smlog"):
        Journal.create(path)
    assert path.read_bytes() == WHOLE
    Journal.open(path).close()


def test_opening_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(DiskTrouble, match=r"there is no .*m\.smlog"):
        Journal.open(tmp_path / "m.smlog")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cut", range(len(WHOLE) + 1))
def test_a_file_cut_at_any_byte_opens_and_can_be_written_on(tmp_path: Path, cut: int) -> None:
    path = write(tmp_path / "m.smlog", WHOLE[:cut])
    before = read_journal(path)
    with Journal.open(path) as journal:
        assert payloads(journal) == tuple(record.payload for record in before.records)
        journal.append(b"next")
        if before.rest:
            assert journal.torn == Torn(before.rest, tmp_path / f"m.smlog.torn-{before.end}")
            assert journal.torn.saved.read_bytes() == WHOLE[before.end : cut]
        else:
            assert journal.torn is None
    good = WHOLE[: before.end] or LOG.head
    assert path.read_bytes() == good + pack_record(ENTRY, b"next")


def test_the_same_tail_is_kept_once_and_another_one_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "m.smlog"
    for tail in (b"torn", b"torn", b"other"):
        write(path, WHOLE + tail)
        Journal.open(path).close()
    kept = {file.name: file.read_bytes() for file in tmp_path.glob("*.torn-*")}
    assert kept == {f"m.smlog.torn-{len(WHOLE)}": b"torn", f"m.smlog.torn-{len(WHOLE)}-1": b"other"}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (WHOLE.replace(b"three", b"thrEe", 1), Code.DAMAGED_FILE),
        (WHOLE[:7] + b"\x09" + WHOLE[8:], Code.OTHER_VERSION),
        (WHOLE + pack_record(3, b""), Code.OTHER_VERSION),
        (NOTES.head, Code.NO_JOURNAL),
        (b"poem", Code.NO_JOURNAL),
    ],
)
def test_what_must_not_be_written_on_is_left_alone(tmp_path: Path, raw: bytes, code: Code) -> None:
    path = write(tmp_path / "m.smlog", raw)
    with pytest.raises(JournalDamaged) as caught:
        Journal.open(path)
    assert caught.value.code is code
    assert str(path) in str(caught.value)
    assert read_journal(path).verdict is code
    assert path.read_bytes() == raw
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_file_begins_anew_with_what_is_sound_and_is_kept_beside(tmp_path: Path) -> None:
    path = tmp_path / "match.notes"
    records = [pack_record(Kind.NOTE, bytes([number]) * 30) for number in range(4)]
    damaged = NOTES.head + records[0] + records[1][:-1] + b"?" + records[2] + records[3]
    for number in range(2):  # a crash before the second step leaves the file as it was
        path.write_bytes(damaged)
        beside = begin_anew(path, NOTES)
        assert (beside.name, beside.read_bytes()) == ("match.notes.damaged", damaged), number
        assert path.read_bytes() == NOTES.head + records[0]
    path.write_bytes(b"something else")
    assert begin_anew(path, NOTES).name == "match.notes.damaged-1"
    assert path.read_bytes() == NOTES.head


def test_reading_writes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "m.smlog", WHOLE[:-1])
    assert read_journal(path).verdict is Code.TORN_TAIL
    assert path.read_bytes() == WHOLE[:-1]
    assert list(tmp_path.iterdir()) == [path]


def test_only_ordinary_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        assert read_journal(path).verdict is Code.NO_JOURNAL
    with pytest.raises(DiskTrouble, match="there is no"):
        read_journal(tmp_path / "nothing")


def test_a_huge_file_is_not_read_into_memory(tmp_path: Path) -> None:
    path = write(tmp_path / "m.smlog", WHOLE)
    os.truncate(path, 2**40)
    assert read_journal(path).verdict is Code.NO_JOURNAL


def test_notes_hold_the_types_of_notes(tmp_path: Path) -> None:
    path = tmp_path / "m.notes"
    with Journal.create(path, NOTES) as journal:
        journal.append(b"hello", Kind.NOTE)
        with pytest.raises(ValueError, match="type 9"):
            journal.append(b"hello", 9)
    assert read_journal(path, NOTES).records[0].type == Kind.NOTE
    assert read_journal(path).verdict is Code.NO_JOURNAL


def test_a_second_writer_is_told_who_the_first_one_is(tmp_path: Path) -> None:
    path = tmp_path / "m.smlog"
    Journal.create(path).close()
    with writer(path) as process:
        said(process)
        with pytest.raises(JournalBusy, match=str(process.pid)) as caught:
            Journal.open(path)
        assert caught.value.pid == process.pid
        assert len(read_journal(path).records) >= 1


def test_two_journals_in_one_process_are_two_writers(tmp_path: Path) -> None:
    path = tmp_path / "m.smlog"
    with Journal.create(path), pytest.raises(JournalBusy, match=str(os.getpid())):
        Journal.open(path)
    Journal.open(path).close()


@pytest.mark.parametrize("acknowledged", [0, 1, 7, 40])
def test_a_killed_writer_leaves_no_lock_and_loses_nothing_it_told(tmp_path: Path, acknowledged: int) -> None:
    path = tmp_path / "m.smlog"
    Journal.create(path).close()
    with writer(path) as process:
        while said(process) < acknowledged:
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Journal.open(path) as journal:
        found = [int.from_bytes(record.payload[:4]) for record in journal.records]
    assert found == list(range(len(found)))
    assert len(found) > acknowledged


def test_an_append_that_the_disk_refuses_leaves_nothing_and_can_be_repeated(tmp_path: Path) -> None:
    path = tmp_path / "m.smlog"
    with Journal.create(path) as journal:
        journal.append(b"first")
        whole = path.read_bytes()
        with disk_of(len(whole) + 20), pytest.raises(DiskTrouble, match=r"m\.smlog"):
            journal.append(b"x" * 100)
        assert path.read_bytes() == whole
        journal.append(b"second")
    assert [record.payload for record in read_journal(path).records] == [b"first", b"second"]


def test_a_tail_that_cannot_be_saved_is_not_cut_off(tmp_path: Path) -> None:
    path = write(tmp_path / "m.smlog", WHOLE + b"torn")
    with disk_of(3), pytest.raises(DiskTrouble):
        Journal.open(path)
    assert path.read_bytes() == WHOLE + b"torn"
    assert list(tmp_path.iterdir()) == [path]


def test_after_a_failed_fsync_the_journal_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "m.smlog"
    journal = Journal.create(path)
    before, journal._descriptor = journal._descriptor, os.open("/dev/null", os.O_RDWR)  # takes bytes, syncs nothing
    assert before is not None
    os.close(before)
    with pytest.raises(DiskTrouble):
        journal.append(b"lost")
    with pytest.raises(DiskTrouble, match="open it anew"):
        journal.append(b"more")
    journal.close()
    Journal.open(path).close()


def test_a_record_too_long_is_refused_before_the_disk_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "m.smlog"
    with Journal.create(path) as journal, pytest.raises(ValueError, match="65534"):
        journal.append(bytes(65_535))
    assert path.read_bytes() == LOG.head


def test_closing_twice_is_once(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "m.smlog")
    journal.close()
    journal.close()
