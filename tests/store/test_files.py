"""Whole or not at all, private under any umask, and every refusal of the disk a sentence."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_disk import disk_of

from sm_p2p.errors import DiskTrouble
from sm_p2p.store.files import create_file, create_whole, disk, drafted, make_directory, replace_file, write_all


@pytest.fixture(params=[0o000, 0o022, 0o077])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(int(request.param))
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.usefixtures("_umask")
def test_files_and_directories_are_private_under_any_umask(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    make_directory(inner)
    create_file(inner / "one", b"1")
    create_whole(inner / "two", b"2")
    replace_file(inner / "three", b"3")
    assert [mode(path) for path in (tmp_path / "a", inner)] == [0o700, 0o700]
    assert {path.name: mode(path) for path in inner.iterdir()} == {"one": 0o600, "two": 0o600, "three": 0o600}


@pytest.mark.parametrize("create", [create_file, create_whole])
def test_a_name_that_is_taken_stays_as_it_is(tmp_path: Path, create: Callable[[Path, bytes], None]) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError):
        create(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_is_not_made_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for create in (create_file, create_whole):
        with pytest.raises(FileExistsError):
            create(tmp_path / "link", b"secret")
    assert not (tmp_path / "elsewhere").exists()


def test_where_there_are_no_hard_links_a_name_is_still_given_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_old: object, _new: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", refuse)
    create_whole(tmp_path / "one", b"1")
    with pytest.raises(FileExistsError):
        create_whole(tmp_path / "one", b"2")
    assert (tmp_path / "one").read_bytes() == b"1"
    assert list(tmp_path.iterdir()) == [tmp_path / "one"]


def test_replacing_leaves_one_file_with_the_new_content(tmp_path: Path) -> None:
    path = tmp_path / "one"
    for content in (b"first", b"second"):
        replace_file(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_replacing_through_a_link_replaces_what_it_points_at(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_what_is_no_ordinary_file_is_never_replaced(tmp_path: Path) -> None:
    """A device of that name, or a pipe, would be a file afterwards, for everybody."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        with pytest.raises(DiskTrouble, match="pipe is no ordinary file; it is left as it is"):
            replace_file(tmp_path / name, b"new")
        with (
            pytest.raises(DiskTrouble, match="pipe is no ordinary file"),
            drafted(tmp_path / name, replaces=True) as file,
        ):
            file.write(b"new")
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


def test_links_in_a_circle_are_replaced_where_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    replace_file(tmp_path / "one", b"new")
    with drafted(tmp_path / "two", replaces=True) as file:
        file.write(b"newer")
    assert (tmp_path / "one").read_bytes() + (tmp_path / "two").read_bytes() == b"newernewer"


def test_a_failed_replacement_leaves_the_old_content_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.mkdir()
    with pytest.raises(OSError, match="one"):
        replace_file(path, b"new")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("make", [create_file, create_whole, replace_file])
def test_what_the_disk_cuts_short_leaves_nothing_behind(tmp_path: Path, make: Callable[[Path, bytes], None]) -> None:
    with disk_of(10), pytest.raises(OSError, match="large"):
        make(tmp_path / "one", bytes(11))
    assert list(tmp_path.iterdir()) == []


def test_making_a_directory_that_is_there_changes_nothing(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_directory(tmp_path)
    assert mode(tmp_path) == 0o755


def test_a_file_in_the_way_of_a_directory_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    for path in (tmp_path / "a", tmp_path / "a" / "b"):
        with pytest.raises(DiskTrouble, match=str(tmp_path / "a")):
            make_directory(path)


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "the disk is full: m could not be written; make room and try again"),
        (errno.EDQUOT, "the disk is full"),
        (errno.EROFS, "m lies on a disk that can only be read"),
        (errno.EACCES, "no permission for m"),
        (errno.EPERM, "no permission for m"),
        (errno.ENOENT, "there is no m"),
        (errno.EIO, "m: Input/output error"),
    ],
)
def test_what_the_disk_refuses_is_one_sentence(number: int, sentence: str) -> None:
    with pytest.raises(DiskTrouble, match=sentence), disk(Path("m")):
        raise OSError(number, os.strerror(number))


def test_all_bytes_are_written_however_few_are_taken_at_once() -> None:
    out, into = os.pipe()
    os.set_blocking(into, True)
    write_all(into, b"abc" * 100)
    assert os.read(out, 1_000) == b"abc" * 100
    os.close(out)
    os.close(into)
