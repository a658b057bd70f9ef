"""A backup holds all that is needed to go on, is private, and is written whole or not at all."""

import os
import zipfile
from pathlib import Path

import pytest
from signers import raw_chain
from small_disk import disk_of
from store.homes import ENTRIES, MATCH, OTHER_MATCH, a_full_home, a_home, below, keep, modes

from sm_p2p.errors import DiskTrouble, UsageError
from sm_p2p.store import backup
from sm_p2p.store.backup import BackedUp, back_up
from sm_p2p.store.journal import Journal
from sm_p2p.store.marks import read_mark
from sm_p2p.store.places import Places
from sm_p2p.store.restore import restore


def test_what_was_backed_up_is_there_again_to_the_last_byte(tmp_path: Path) -> None:
    places = a_full_home(tmp_path / "old")
    os.utime(places.log(MATCH), (1_600_000_000, 1_600_000_000))
    assert back_up(places, tmp_path / "b") == BackedUp(1, ())
    restored = restore(Places.below(tmp_path / "new"), tmp_path / "b")
    assert (restored.taken, restored.left, restored.kept) == (1, 0, ())
    before, after = below(tmp_path / "old"), below(tmp_path / "new")
    assert {name: raw for name, raw in before.items() if raw != b"/"} == {
        name: raw for name, raw in after.items() if raw != b"/"
    }
    assert modes(tmp_path / "new") == {0o600}
    assert Places.below(tmp_path / "new").log(MATCH).stat().st_mtime == 1_600_000_000


def test_a_backup_is_private_also_under_a_generous_mask_and_leaves_nothing_beside(tmp_path: Path) -> None:
    places = a_full_home(tmp_path / "home")
    seen: set[int] = set()

    def look(path: Path) -> object:
        seen.update(one.stat().st_mode & 0o777 for one in tmp_path.glob(".b.*"))
        return read_mark(path)

    before = os.umask(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backup, "read_mark", look)
        try:
            back_up(places, tmp_path / "b")
        finally:
            os.umask(before)
    assert seen == {0o600}
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"home", "b"}


def test_a_file_that_exists_is_written_over_only_when_that_is_wanted(tmp_path: Path) -> None:
    places = a_full_home(tmp_path / "home")
    (tmp_path / "b").write_bytes(b"dear")
    (tmp_path / "b").chmod(0o644)
    with pytest.raises(UsageError, match=r"b exists; --force writes over it\."):
        back_up(places, tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"dear"
    back_up(places, tmp_path / "b", replaces=True)
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600
    assert zipfile.is_zipfile(tmp_path / "b")


def test_a_file_that_appears_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    places = a_full_home(tmp_path / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backup, "read_mark", lambda _path: (tmp_path / "b").write_bytes(b"dear"))
        with pytest.raises(UsageError, match="exists"):
            back_up(places, tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"dear"
    assert {path.name for path in tmp_path.iterdir()} == {"home", "b"}


def test_without_a_key_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no key here yet"):
        back_up(Places.below(tmp_path), tmp_path / "b")
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_full_leaves_nothing_of_a_backup(tmp_path: Path) -> None:
    places = a_full_home(tmp_path / "home")
    with disk_of(1000), pytest.raises(DiskTrouble):
        back_up(places, tmp_path / "b")
    with pytest.raises(DiskTrouble):
        back_up(places, tmp_path / "nowhere" / "b")
    assert {path.name for path in tmp_path.iterdir()} == {"home"}


def test_a_match_that_is_being_written_is_taken_up_to_its_last_whole_entry(tmp_path: Path) -> None:
    places = a_home(tmp_path / "home")
    keep(places, ENTRIES[:3])
    whole = places.log(MATCH).read_bytes()
    with Journal.open(places.log(MATCH)):
        with places.log(MATCH).open("ab") as file:
            file.write(b"\0\0\1")
        assert back_up(places, tmp_path / "b") == BackedUp(1, ())
    restore(Places.below(tmp_path / "new"), tmp_path / "b")
    assert Places.below(tmp_path / "new").log(MATCH).read_bytes() == whole


def test_the_log_of_a_backup_is_never_behind_its_mark(tmp_path: Path) -> None:
    places = a_home(tmp_path / "home")
    keep(places, ENTRIES[:3])

    def write_on(path: Path) -> object:
        found = read_mark(path)
        keep(places, ENTRIES[:5])  # a process that plays on while we copy
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backup, "read_mark", write_on)
        back_up(places, tmp_path / "b")
    new = Places.below(tmp_path / "new")
    restore(new, tmp_path / "b")
    mark = read_mark(new.signed(MATCH))
    assert mark is not None
    assert mark.seq <= 5
    assert new.log(MATCH).read_bytes() == places.log(MATCH).read_bytes()


@pytest.mark.parametrize("broken", ["log", "mark", "secret", "name"])
def test_a_match_that_cannot_be_read_is_left_out_and_said_and_the_others_are_kept(tmp_path: Path, broken: str) -> None:
    places = a_full_home(tmp_path / "home")
    good = keep(places, raw_chain(4, size=7))
    path = {
        "log": places.log(MATCH),
        "mark": places.signed(MATCH),
        "secret": places.secret(MATCH),
        "name": places.log(MATCH),
    }[broken]
    raw = places.log(good).read_bytes() if broken == "name" else path.read_bytes()[:9] + b"x" + path.read_bytes()[10:]
    path.write_bytes(raw + raw[8:] if broken == "log" else raw)
    done = back_up(places, tmp_path / "b")
    assert done.matches == 1
    (problem,) = done.problems
    assert problem.startswith(f"{MATCH.hex()}.smlog is left out: ")
    new = Places.below(tmp_path / "new")
    restore(new, tmp_path / "b")
    assert not new.log(MATCH).exists()
    assert not new.secret(MATCH).exists()
    assert new.log(good).read_bytes() == places.log(good).read_bytes()


def test_notes_that_cannot_be_read_are_left_out_alone(tmp_path: Path) -> None:
    places = a_full_home(tmp_path / "home")
    places.notes(MATCH).write_bytes(b"roses")
    done = back_up(places, tmp_path / "b")
    assert done == BackedUp(1, (f"{MATCH.hex()}.notes is left out: this is not a file of notes of this game",))
    new = Places.below(tmp_path / "new")
    restore(new, tmp_path / "b")
    assert new.log(MATCH).read_bytes() == places.log(MATCH).read_bytes()
    assert not new.notes(MATCH).exists()


@pytest.mark.parametrize("options", [b"name = ", b"\xff", b"#" * 100_000])
def test_options_that_cannot_be_read_are_left_out_alone(tmp_path: Path, options: bytes) -> None:
    places = a_full_home(tmp_path / "home")
    places.options.write_bytes(options)
    done = back_up(places, tmp_path / "b")
    assert done.matches == 1
    (problem,) = done.problems
    assert problem.startswith("options.toml is left out: ")
    new = Places.below(tmp_path / "new")
    restore(new, tmp_path / "b")
    assert new.log(MATCH).read_bytes() == places.log(MATCH).read_bytes()
    assert not new.options.exists()


def test_files_that_are_no_matches_of_ours_are_no_part_of_it(tmp_path: Path) -> None:
    places = a_home(tmp_path / "home")
    (places.data / "copy.smlog").write_bytes(b"")
    (places.data / f"{'ab' * 31}.smlog").write_bytes(b"")
    (places.data / f"{OTHER_MATCH.hex()}.smlog").write_bytes(b"")
    assert back_up(places, tmp_path / "b") == BackedUp(0, ())
    with zipfile.ZipFile(tmp_path / "b") as found:
        assert found.namelist() == ["sm-p2p-backup", "keys/identity.key"]
