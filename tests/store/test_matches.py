"""The list of matches survives anything that lies in its directory."""

import os
from pathlib import Path

import pytest
from signers import raw_chain

from sm_p2p.errors import JournalBusy, SpiteError, UsageError
from sm_p2p.log.entry import read_envelope
from sm_p2p.store.matches import Saved, open_file, saved_matches
from sm_p2p.store.notes import NOTES
from sm_p2p.store.records import ENTRY, LOG, pack_record

ENTRIES = raw_chain(3)
MATCH = read_envelope(ENTRIES[0]).id
WHOLE = LOG.head + b"".join(pack_record(ENTRY, raw) for raw in ENTRIES)


def count(entries: tuple[bytes, ...]) -> int:
    return len(entries)


def found(data: Path) -> dict[str, tuple[bytes, int, int | None, bool]]:
    return {
        saved.path.name: (saved.match, saved.entries, saved.about, saved.problem is not None)
        for saved in saved_matches(data, count)
    }


def test_one_broken_file_never_breaks_the_list(tmp_path: Path) -> None:
    files = {
        "good": WHOLE,
        "torn": WHOLE[:-1],
        "damaged": WHOLE.replace(b"\xc4", b"\xc5", 1),
        "empty": LOG.head,
        "nothing": b"",
        "poem": b"Roses are red",
        "future": LOG.head[:7] + b"\x02",
        "nonsense": LOG.head + pack_record(ENTRY, b"nonsense"),
    }
    for name, raw in files.items():
        (tmp_path / f"{name}.smlog").write_bytes(raw)
    (tmp_path / "directory.smlog").mkdir()
    (tmp_path / "dangling.smlog").symlink_to("nowhere")
    (tmp_path / "other.txt").write_bytes(b"")
    (tmp_path / "m.notes").write_bytes(NOTES.head)
    assert found(tmp_path) == {
        "good.smlog": (MATCH, 3, 3, False),
        "torn.smlog": (MATCH, 2, 2, True),
        "damaged.smlog": (b"", 0, None, True),
        "nothing.smlog": (b"", 0, None, True),
        "poem.smlog": (b"", 0, None, True),
        "future.smlog": (b"", 0, None, True),
        "nonsense.smlog": (b"", 1, None, True),
        "directory.smlog": (b"", 0, None, True),
        "dangling.smlog": (b"", 0, None, True),
    }


def test_the_latest_comes_first(tmp_path: Path) -> None:
    for number, name in enumerate(("b", "c", "a")):
        path = tmp_path / f"{name}.smlog"
        path.write_bytes(WHOLE)
        os.utime(path, (number, number))
    assert [saved.path.stem for saved in saved_matches(tmp_path, count)] == ["a", "c", "b"]


def test_no_directory_is_no_matches(tmp_path: Path) -> None:
    assert saved_matches(tmp_path / "nowhere", count) == ()


def test_what_cannot_be_described_is_a_problem_of_that_file(tmp_path: Path) -> None:
    def describe(_entries: tuple[bytes, ...]) -> str:
        raise UsageError("no idea what this is")

    (tmp_path / "m.smlog").write_bytes(WHOLE)
    changed = (tmp_path / "m.smlog").stat().st_mtime
    expected: Saved[str] = Saved(tmp_path / "m.smlog", MATCH, changed, 3, None, "no idea what this is")
    assert saved_matches(tmp_path, describe) == (expected,)


def test_a_file_is_made_once_and_opened_after_that(tmp_path: Path) -> None:
    path = tmp_path / "data" / "m.smlog"
    with open_file(path) as journal:
        journal.append(ENTRIES[0])
        with pytest.raises(JournalBusy):
            open_file(path)
    with open_file(path) as journal:
        assert [record.payload for record in journal.records] == [ENTRIES[0]]
    with pytest.raises(SpiteError):
        open_file(path, NOTES)
