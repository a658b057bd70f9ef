"""A restore goes forward in every match, keeps what gives way, and refuses what is not one of our backups as a whole."""

import os
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from signers import raw_chain
from small_disk import disk_of
from store.homes import ENTRIES, MATCH, OTHER, OTHER_MATCH, a_full_home, a_home, below, keep
from strategies import STEADY

from sm_p2p.errors import DiskTrouble, JournalBusy, JournalDamaged, UsageError
from sm_p2p.store import restore as restores
from sm_p2p.store.archive import TITLE, VERSION, member_of
from sm_p2p.store.backup import back_up
from sm_p2p.store.files import replace_file
from sm_p2p.store.journal import Journal, read_journal
from sm_p2p.store.keys import Identity
from sm_p2p.store.marks import Mark, read_mark, write_mark
from sm_p2p.store.notes import NOTES, read_remark
from sm_p2p.store.options import Options, read_options
from sm_p2p.store.peers import Peer, Peers
from sm_p2p.store.places import Places
from sm_p2p.store.restore import Restored, restore


def forked(count: int) -> tuple[bytes, ...]:
    """A match that begins as ENTRIES do and goes on in another way."""
    return (*ENTRIES[:2], *OTHER[2:count])  # only the order of whole records is looked at here


def backed_up(tmp_path: Path, raws: tuple[bytes, ...] = ENTRIES, **marked: int) -> Path:
    """A backup of somebody who holds this match."""
    places = a_home(tmp_path / "old")
    keep(places, raws, mark=marked.get("mark"), said=("one", "two"))
    back_up(places, tmp_path / "b")
    return tmp_path / "b"


def entries(places: Places) -> tuple[bytes, ...]:
    """The entries of the match at home."""
    return tuple(record.payload for record in read_journal(places.log(MATCH)).records)


def said(places: Places) -> list[str]:
    """What the notes of the match say."""
    return [read_remark(record).content.decode() for record in read_journal(places.notes(MATCH), NOTES).records]


@pytest.mark.parametrize("here", [0, 1, 3, 4, 6])
@pytest.mark.parametrize("there", [1, 3, 6])
def test_the_longer_log_and_the_higher_mark_win_wherever_they_are(tmp_path: Path, here: int, there: int) -> None:
    archive = backed_up(tmp_path, ENTRIES[:there])
    places = a_home(tmp_path / "new")
    if here:
        keep(places, ENTRIES[:here])
    restored = restore(places, archive)
    assert entries(places) == ENTRIES[: max(here, there)]
    mark = read_mark(places.signed(MATCH))
    assert mark is not None
    assert mark.seq == max(here, there)
    assert restored == Restored(restored.identity, int(there > here), int(there <= here), ())
    assert restored.identity.seed == bytes([1]) * 32


def test_a_mark_is_never_lowered_and_is_raised_also_where_the_log_is_the_longer_one_here(tmp_path: Path) -> None:
    archive = backed_up(tmp_path, ENTRIES[:3], mark=9)
    places = a_home(tmp_path / "new")
    keep(places, ENTRIES[:5], mark=2)
    restore(places, archive)
    for marked, expected in ((7, 9), (12, 12)):
        write_mark(places.signed(MATCH), Mark(MATCH, marked, b"h"))
        restore(places, archive)
        mark = read_mark(places.signed(MATCH))
        assert mark is not None
        assert mark.seq == expected
    assert entries(places) == ENTRIES[:5]


def test_a_mark_is_there_before_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = backed_up(tmp_path)
    written: list[str] = []

    def note(path: Path, content: bytes) -> None:
        written.append(path.suffix)
        replace_file(path, content)

    monkeypatch.setattr(restores, "replace_file", note)
    restore(Places.below(tmp_path / "new"), archive)
    assert written == [".key", ".signed", ".secret", ".smlog", ".notes"]


def test_a_second_restore_changes_nothing(tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    places = Places.below(tmp_path / "new")
    restore(places, archive)
    before = below(tmp_path / "new")
    assert restore(places, archive).taken == 0
    assert below(tmp_path / "new") == before


def test_another_key_is_refused_and_with_force_moves_aside_with_its_matches(tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    places = a_full_home(tmp_path / "new")
    places.identity.unlink()
    Identity.load_or_create(places.identity, lambda size: b"\x07" * size)
    before = below(tmp_path / "new")
    with pytest.raises(UsageError, match="is another key than the one in the backup"):
        restore(places, archive)
    assert below(tmp_path / "new") == before
    restored = restore(places, archive, is_forced=True)
    assert set(restored.kept) == {tmp_path / "new" / "keys.old-1", tmp_path / "new" / "data.old-1"}
    after = below(tmp_path / "new")
    assert {name.replace(".old-1", ""): raw for name, raw in after.items() if ".old-1" in name} == {
        name: raw for name, raw in before.items() if name.split("/")[0] in {"keys", "data"}
    }
    assert entries(places) == ENTRIES
    assert {name: raw for name, raw in after.items() if name.startswith("computer")} == {
        name: raw for name, raw in before.items() if name.startswith("computer")
    }


def test_another_key_of_the_computer_gives_way_like_ours(tmp_path: Path) -> None:
    back_up(a_full_home(tmp_path / "old"), tmp_path / "b")
    places = a_home(tmp_path / "new")
    keep(a_home(tmp_path / "new" / "computer", 5), ENTRIES)
    with pytest.raises(UsageError, match="another key"):
        restore(places, tmp_path / "b")
    assert not places.log(MATCH).exists()
    restored = restore(places, tmp_path / "b", is_forced=True)
    assert restored.kept == (tmp_path / "new/computer/keys.old-1", tmp_path / "new/computer/data.old-1")
    assert places.computer.log(OTHER_MATCH).exists()
    assert not places.computer.log(MATCH).exists()


@pytest.mark.parametrize("here", [3, 4, 6])
def test_a_match_that_went_on_in_two_ways_is_refused_and_with_force_both_are_kept(tmp_path: Path, here: int) -> None:
    archive = backed_up(tmp_path, ENTRIES[:4])
    places = a_home(tmp_path / "new")
    keep(places, forked(here), mark=2)
    before = below(tmp_path / "new")
    with pytest.raises(UsageError, match="do not tell the same match"):
        restore(places, archive)
    assert below(tmp_path / "new") == before
    restored = restore(places, archive, is_forced=True)
    aside = places.data / f"{MATCH.hex()}.smlog.old-1"
    assert restored.kept == (aside,)
    kept = tuple(record.payload for record in read_journal(aside).records)
    assert (entries(places), kept) == ((forked(here), ENTRIES[:4]) if here >= 4 else (ENTRIES[:4], forked(here)))
    mark = read_mark(places.signed(MATCH))
    assert mark is not None
    assert mark.seq == 4


def test_another_secret_of_one_match_is_refused_also_with_force(tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    places = a_home(tmp_path / "new")
    keep(places, ENTRIES[:2])
    raw = places.secret(MATCH).read_bytes()
    places.secret(MATCH).write_bytes(raw[:-3] + (b"0\n" if raw[-2:-1] != b"0" else b"1\n"))
    places.secret(MATCH).write_bytes(raw[:20] + bytes([raw[20] ^ 1]) + raw[21:])
    before = below(tmp_path / "new")
    for is_forced in (False, True):
        with pytest.raises(UsageError, match="another secret"):
            restore(places, archive, is_forced=is_forced)
    assert below(tmp_path / "new") == before


def test_a_damaged_mark_here_is_never_replaced(tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    places = a_home(tmp_path / "new")
    keep(places, ENTRIES[:2])
    places.signed(MATCH).write_bytes(b"SMMRK")
    before = below(tmp_path / "new")
    for is_forced in (False, True):
        with pytest.raises(JournalDamaged, match="nothing is signed"):
            restore(places, archive, is_forced=is_forced)
    assert below(tmp_path / "new") == before


def damaged(raw: bytes) -> bytes:
    """A log whose second record cannot be read any more."""
    at = raw.index(ENTRIES[1]) + 5
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


@pytest.mark.parametrize(
    "spoil",
    [damaged, lambda raw: raw[:-3], lambda _: b"", lambda _: b"roses"],
    ids=["damaged", "torn", "empty", "a poem"],
)
def test_a_broken_log_gives_way_to_a_whole_one_that_goes_further_and_is_kept(
    tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    archive = backed_up(tmp_path)
    places = a_home(tmp_path / "new")
    keep(places, ENTRIES)
    places.log(MATCH).write_bytes(spoil(places.log(MATCH).read_bytes()))
    broken = places.log(MATCH).read_bytes()
    (aside,) = restore(places, archive).kept
    assert aside.read_bytes() == broken
    assert entries(places) == ENTRIES


def test_a_log_of_a_later_version_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    places = a_home(tmp_path / "new")
    keep(places, ENTRIES[:1])
    later = places.log(MATCH).read_bytes().replace(b"\r\n\x01", b"\r\n\x02", 1)
    places.log(MATCH).write_bytes(later)
    with pytest.raises(UsageError, match="do not tell the same match"):
        restore(places, archive)
    assert places.log(MATCH).read_bytes() == later


@pytest.mark.parametrize(
    ("here", "expected"),
    [
        ((), ["one", "two"]),
        (("one",), ["one", "two"]),
        (("three", "two"), ["two", "one", "three"]),
        (("one", "two"), ["one", "two"]),
    ],
)
def test_notes_of_both_are_together_once_each(tmp_path: Path, here: tuple[str, ...], expected: list[str]) -> None:
    archive = backed_up(tmp_path)
    places = a_home(tmp_path / "new")
    keep(places, ENTRIES, said=here)
    restore(places, archive)
    assert said(places) == expected


def test_notes_that_cannot_be_read_give_way_and_odd_ones_are_compared_as_they_are(tmp_path: Path) -> None:
    old = a_home(tmp_path / "old")
    keep(old, ENTRIES, said=("one",))
    with Journal.open(old.notes(MATCH), NOTES) as notes:
        notes.append(b"odd", 1)
    back_up(old, tmp_path / "b")
    places = a_home(tmp_path / "new")
    keep(places, ENTRIES)
    places.notes(MATCH).write_bytes(b"roses")
    (aside,) = restore(places, tmp_path / "b").kept
    assert aside.read_bytes() == b"roses"
    assert places.notes(MATCH).read_bytes() == old.notes(MATCH).read_bytes()
    assert restore(places, tmp_path / "b").kept == ()
    places.notes(MATCH).write_bytes(b"SMN")  # a crash at its birth
    restore(places, tmp_path / "b")
    assert places.notes(MATCH).read_bytes() == old.notes(MATCH).read_bytes()


def test_notes_of_a_later_version_stay_and_odd_ones_come_first(tmp_path: Path) -> None:
    old, places = a_home(tmp_path / "old"), a_home(tmp_path / "new")
    keep(old, ENTRIES, said=("one",))
    back_up(old, tmp_path / "b")
    keep(places, ENTRIES, said=("four",))
    with Journal.open(places.notes(MATCH), NOTES) as notes:
        notes.append(b"odd", 1)
    restore(places, tmp_path / "b")
    records = read_journal(places.notes(MATCH), NOTES).records
    assert [record.payload for record in records][:1] == [b"odd"]
    assert [read_remark(record).content for record in records[1:]] == [b"one", b"four"]
    later = places.notes(MATCH).read_bytes().replace(b"\r\n\x01", b"\r\n\x02", 1)
    places.notes(MATCH).write_bytes(later)
    restore(places, tmp_path / "b")
    assert places.notes(MATCH).read_bytes() == later


def test_options_stay_unless_forced_and_everybody_is_known_whom_either_knew(tmp_path: Path) -> None:
    old, new = a_full_home(tmp_path / "old"), a_home(tmp_path / "new")
    back_up(old, tmp_path / "b")
    new.options.write_text('name = "Cleo"\n')
    Peers().remember(Peer("Ed", bytes([2]) * 32)).save(new.peers)
    restore(new, tmp_path / "b")
    assert read_options(new.options).options == Options(name="Cleo")
    assert [peer.name for peer in Peers.load(new.peers).met] == ["Bo", "Ed"]
    (aside,) = restore(new, tmp_path / "b", is_forced=True).kept
    assert read_options(new.options).options == Options(name="Ana")
    assert read_options(aside).options == Options(name="Cleo")
    assert [peer.name for peer in Peers.load(new.peers).met] == ["Bo", "Ed"]


def test_a_match_that_a_process_has_is_left_alone_with_everything_else(tmp_path: Path) -> None:
    back_up(a_full_home(tmp_path / "old"), tmp_path / "b")
    places = a_home(tmp_path / "new")
    keep(places, ENTRIES[:2])
    with Journal.open(places.log(MATCH)):
        before = below(tmp_path / "new")
        with pytest.raises(JournalBusy, match=f"process {os.getpid()} "):
            restore(places, tmp_path / "b")
        assert below(tmp_path / "new") == before
    restore(places, tmp_path / "b")
    assert entries(places) == ENTRIES


def test_a_home_that_gives_way_is_not_taken_from_under_a_process(tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    places = a_home(tmp_path / "new", 7)
    keep(places, OTHER)
    with Journal.open(places.log(OTHER_MATCH)), pytest.raises(JournalBusy):
        restore(places, archive, is_forced=True)
    assert places.log(OTHER_MATCH).exists()


def test_a_disk_that_is_full_is_one_sentence_and_the_next_restore_goes_on(tmp_path: Path) -> None:
    archive = backed_up(tmp_path, raw_chain(4, size=0))
    places = Places.below(tmp_path / "new")
    with disk_of(150), pytest.raises(DiskTrouble):
        restore(places, archive)
    restore(places, archive)
    assert len(entries(places)) == 4
    assert not [name for name in below(tmp_path / "new") if name.endswith(".new")]


# what is no backup of ours


def written(path: Path, *members: tuple[str, bytes], title: bytes = VERSION, compressed: bool = False) -> Path:
    """An archive with these members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as file:
        file.writestr(TITLE, title)
        for name, raw in members:
            file.writestr(name, raw)
    return path


KEY = ("keys/identity.key", b"sm-p2p secret 1\n" + b"07" * 32 + b"\n")
LOG = f"data/{MATCH.hex()}.smlog"


def refused(tmp_path: Path, archive: Path) -> str:
    """The one sentence with which this is refused, when nothing was changed and nothing is left behind."""
    home = tmp_path / "there"
    said = set()
    for is_forced in (False, True):
        with pytest.raises(UsageError) as refusal:
            restore(Places.below(home), archive, is_forced=is_forced)
        assert not home.exists()
        said.add(str(refusal.value))
    (sentence,) = said
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/evil",
        "keys/../../evil",
        "C:/evil",
        "data\\evil",
        "keys/",
        "keys/identity.key/",
        "data/x.smlog",
        f"data/{MATCH.hex().upper()}.smlog",
        f"data/{MATCH.hex()}.smlog.lock",
        f"keys/{MATCH.hex()}.smlog",
        f"computer/computer/data/{MATCH.hex()}.smlog",
        "config/options.toml\n",
        "config/autostart.desktop",
        f"data/{'٣' * 64}.smlog",
        "\u202eyek",
    ],
)
def test_names_that_no_backup_has_are_refused(tmp_path: Path, name: str) -> None:
    assert member_of(name) is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sep", "\0")  # let the library write every name as it is
        archive = written(tmp_path / "b", KEY, (name, b"x"))
    assert "no backup" in refused(tmp_path, archive)


def test_a_name_with_an_end_before_its_end_is_refused(tmp_path: Path) -> None:
    archive = written(tmp_path / "b", KEY, ("keys/peersX.txt", b"x"))
    archive.write_bytes(archive.read_bytes().replace(b"keys/peersX", b"keys/peers\0"))
    assert "no backup" in refused(tmp_path, archive)


def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        archive = written(tmp_path / "b", KEY, KEY)
    refused(tmp_path, archive)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR])
def test_what_is_no_ordinary_file_is_refused(tmp_path: Path, kind: int) -> None:
    with zipfile.ZipFile(written(tmp_path / "b", KEY), "a") as file:
        info = zipfile.ZipInfo("keys/peers")
        info.external_attr = (kind | 0o777) << 16
        file.writestr(info, "/etc/passwd")
    assert "packed in a way" in refused(tmp_path, tmp_path / "b")


def test_what_is_compressed_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    archive = written(tmp_path / "b", KEY, ("keys/peers", bytes(1_000_000)), compressed=True)
    assert archive.stat().st_size < 10_000
    assert "packed in a way" in refused(tmp_path, archive)


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    way = b'{"role": "guest", "addresses": [], "port": 0}' + b" " * 10_000
    inner = zipfile.ZipInfo(f"data/{MATCH.hex()}.way")
    inner.file_size = inner.compress_size = len(way)
    inner.CRC = zlib.crc32(way)
    local = inner.FileHeader() + way
    archive = written(tmp_path / "b", KEY)
    with zipfile.ZipFile(archive, "a") as file:
        inner.header_offset = file.start_dir + 30 + len("keys/peers")
        file.writestr("keys/peers", local)
        file.filelist.append(inner)  # its bytes are those in the middle of the one before
    assert "packed in a way" in refused(tmp_path, archive)


def test_a_member_that_says_it_is_huge_is_refused(tmp_path: Path) -> None:
    archive = written(tmp_path / "b", KEY, ("keys/peers", b"x" * 77))
    raw = archive.read_bytes()
    for sizes in (struct.pack("<LL", 2**31, 2**31), struct.pack("<LL", 77, 2**31)):
        archive.write_bytes(raw.replace(struct.pack("<LL", 77, 77), sizes))
        refused(tmp_path, archive)
    archive = written(tmp_path / "b", KEY, ("keys/peers", b"x" * 1_048_577))
    assert "too large" in refused(tmp_path, archive)


@pytest.mark.parametrize(
    "member",
    [
        ("keys/identity.key", b"none"),
        (f"keys/{MATCH.hex()}.secret", b"none"),
        (f"keys/{MATCH.hex()}.signed", b"none"),
        (f"keys/{MATCH.hex()}.checked", b"SMMRK\r\n\1"),
        (f"data/{MATCH.hex()}.notes", b"none"),
        (f"data/{MATCH.hex()}.way", b"[]"),
        (LOG, b""),
        (LOG, b"none"),
        (LOG, b"SMLOG\r\n\1"),
        (LOG, b"SMLOG\r\n\1\0\0\0\2\1\1\1\1\1x"),
        ("config/options.toml", b"name = "),
        ("config/options.toml", b'name = "\xff"'),
        ("config/options.toml", b"name = " + b"9" * 5000),
    ],
)
def test_content_of_another_sort_than_the_name_says_is_refused(tmp_path: Path, member: tuple[str, bytes]) -> None:
    archive = written(tmp_path / "b", *(() if member[0] == KEY[0] else (KEY,)), member)
    assert "is not what its name says" in refused(tmp_path, archive)


def test_a_log_or_a_mark_of_another_match_than_its_name_says_is_refused(tmp_path: Path) -> None:
    places = a_home(tmp_path / "old")
    keep(places, ENTRIES)
    for place, path in (("data", places.log(MATCH)), ("keys", places.signed(MATCH))):
        name = f"{place}/{OTHER_MATCH.hex()}{path.suffix}"
        assert "is not what its name says" in refused(tmp_path, written(tmp_path / "b", KEY, (name, path.read_bytes())))


def test_a_log_of_nonsense_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.smlog"
    with Journal.create(path) as journal:
        journal.append(b"nonsense")
    assert "is not what its name says" in refused(tmp_path, written(tmp_path / "b", KEY, (LOG, path.read_bytes())))


def test_what_is_no_archive_at_all_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"roses are red")
    refused(tmp_path, tmp_path / "b")
    (tmp_path / "b").write_bytes(b"")
    refused(tmp_path, tmp_path / "b")
    refused(tmp_path, tmp_path)
    os.mkfifo(tmp_path / "fifo")
    refused(tmp_path, tmp_path / "fifo")
    with zipfile.ZipFile(tmp_path / "b", "w"):
        pass
    assert "no backup of this game" in refused(tmp_path, tmp_path / "b")
    with zipfile.ZipFile(tmp_path / "b", "w") as file:
        file.writestr("roses", "red")
    assert "no backup of this game" in refused(tmp_path, tmp_path / "b")
    with pytest.raises(DiskTrouble, match="there is no"):
        restore(Places.below(tmp_path / "there"), tmp_path / "nowhere")


def test_an_archive_of_another_version_or_without_a_key_is_refused(tmp_path: Path) -> None:
    for title in (b"sm-p2p backup 2\n", b"x" * 1000):
        assert "another version" in refused(tmp_path, written(tmp_path / "b", KEY, title=title))
    assert "holds no key" in refused(tmp_path, written(tmp_path / "b"))
    assert "holds no key" in refused(tmp_path, written(tmp_path / "b", KEY, ("computer/keys/peers", b"")))


@pytest.fixture(scope="module")
def a_backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a backup of one of each file, and room to work."""
    home = tmp_path_factory.mktemp("backup")
    back_up(a_full_home(home / "old"), home / "b")
    return home


@STEADY
@given(cut=st.integers(0, 2**20))
def test_an_archive_that_was_cut_off_is_refused(a_backup: Path, cut: int) -> None:
    whole = (a_backup / "b").read_bytes()
    (a_backup / "cut").write_bytes(whole[: cut % len(whole)])
    refused(a_backup, a_backup / "cut")


@settings(STEADY, max_examples=60)
@given(at=st.integers(0, 2**20), bit=st.integers(0, 7))
def test_an_archive_with_one_wrong_bit_is_refused_or_says_the_same(a_backup: Path, at: int, bit: int) -> None:
    raw = bytearray((a_backup / "b").read_bytes())
    raw[at % len(raw)] ^= 1 << bit
    (a_backup / "bent").write_bytes(raw)
    before = below(a_backup)
    try:
        restore(Places.below(a_backup / "there"), a_backup / "bent")
    except UsageError:
        assert below(a_backup) == before
        return
    for name, content in below(a_backup / "there").items():
        assert content == below(a_backup / "old")[name]
    shutil.rmtree(a_backup / "there")


def test_a_day_that_never_was_hurts_nobody(tmp_path: Path) -> None:
    with zipfile.ZipFile(written(tmp_path / "b", KEY), "a") as file:
        file.writestr(zipfile.ZipInfo("keys/peers", (1980, 0, 0, 0, 0, 0)), b"")
    places = Places.below(tmp_path / "there")
    restore(places, tmp_path / "b")
    assert places.peers.exists()
