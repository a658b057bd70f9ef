"""In which order what reaches the medium: seen from the calls of fsync and the sizes of the files then."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sm_p2p.store.files import create_file, create_whole, make_directory, replace_file
from sm_p2p.store.journal import Journal
from sm_p2p.store.keys import load_or_create_secret
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.records import ENTRY, LOG, pack_record

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc names what a descriptor stands for")

RECORD = pack_record(ENTRY, b"payload")
WHOLE = LOG.head + RECORD


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, int | None]]:
    """(name, size) of every file that was flushed, (name, None) of every directory; drafts are called draft."""
    seen: list[tuple[str, int | None]] = []
    fsync = os.fsync

    def watched(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        name = "draft" if path.suffix == ".new" else str(path.relative_to(tmp_path))
        seen.append((name, None if path.is_dir() else os.fstat(descriptor).st_size))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    return seen


Synced = list[tuple[str, int | None]]


def test_a_new_journal_is_durable_with_its_name(tmp_path: Path, synced: Synced) -> None:
    Journal.create(tmp_path / "data" / "m").close()
    assert synced == [(".", None), ("data/m", 8), ("data", None)]


def test_every_record_is_flushed_when_append_returns(tmp_path: Path, synced: Synced) -> None:
    with Journal.create(tmp_path / "m") as journal:
        synced.clear()
        for count in (1, 2, 3):
            journal.append(b"payload")
            assert synced == [("m", 8 + count * len(RECORD))]
            synced.clear()


def test_a_torn_tail_is_safe_beside_before_it_is_cut_off(tmp_path: Path, synced: Synced) -> None:
    (tmp_path / "m").write_bytes(WHOLE + b"torn")
    Journal.open(tmp_path / "m").close()
    assert synced == [("draft", 4), (".", None), ("m", len(WHOLE))]


def test_a_tail_that_was_saved_before_is_durable_too_before_it_is_cut_off(tmp_path: Path, synced: Synced) -> None:
    (tmp_path / "m").write_bytes(WHOLE + b"torn")
    (tmp_path / f"m.torn-{len(WHOLE)}").write_bytes(b"torn")
    Journal.open(tmp_path / "m").close()
    assert synced == [(f"m.torn-{len(WHOLE)}", 4), (".", None), ("m", len(WHOLE))]


def test_a_file_that_was_just_being_made_is_made_durably(tmp_path: Path, synced: Synced) -> None:
    (tmp_path / "m").write_bytes(b"")
    Journal.open(tmp_path / "m").close()
    assert synced == [("m", 8)]


@pytest.mark.parametrize(
    ("make", "name"),
    [(create_file, "one"), (create_whole, "draft"), (replace_file, "draft")],
    ids=["create", "create whole", "replace"],
)
def test_a_file_is_flushed_before_its_name(
    tmp_path: Path, synced: Synced, make: Callable[[Path, bytes], None], name: str
) -> None:
    make(tmp_path / "one", b"12345")
    assert synced[0] == (name, 5)
    assert synced[-1] == (".", None)


def test_a_directory_is_flushed_into_the_one_above_it(tmp_path: Path, synced: Synced) -> None:
    make_directory(tmp_path / "a" / "b")
    assert synced == [(".", None), ("a", None)]


def test_a_secret_is_durable_when_it_is_handed_out(tmp_path: Path, synced: Synced) -> None:
    load_or_create_secret(tmp_path / "s")
    assert synced[0] == ("draft", 81)
    synced.clear()
    load_or_create_secret(tmp_path / "s")
    assert synced == [(".", None)]  # another process may have died before it flushed the name


def test_a_mark_is_durable_when_it_is_written(tmp_path: Path, synced: Synced) -> None:
    write_mark(tmp_path / "m", Mark(bytes(32), 1, bytes(32)))
    assert [name for name, _ in synced] == ["draft", "."]
