"""Bytes on the disk: whole or not at all, durable before anybody is told, private from their first moment.

Law: an OSError leaves this room as one sentence, a `DiskTrouble`. Files are made with mode 0600 by O_CREAT|O_EXCL and
directories with 0700, so that no umask and no moment opens them to others.
"""

import contextlib
import errno
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import BinaryIO, Final

from sm_p2p.errors import DiskTrouble, Sentence

if sys.platform == "darwin":  # pragma: no cover - the other half runs elsewhere
    from fcntl import F_FULLFSYNC, fcntl

PIECE: Final = 65_536
PRIVATE_FILE: Final = 0o600
PRIVATE_DIRECTORY: Final = 0o700
BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows translates line ends without it


@contextlib.contextmanager
def disk(path: Path) -> Iterator[None]:
    """Within it, what the disk refuses about this path becomes a DiskTrouble."""
    try:
        yield
    except OSError as error:
        raise DiskTrouble(_sentence(path, error)) from error


def _sentence(path: Path, error: OSError) -> Sentence:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return Sentence("the disk is full: {path} could not be written; make room and try again", path=path)
        case errno.EROFS:
            return Sentence("{path} lies on a disk that can only be read; choose another place with --home", path=path)
        case errno.EACCES | errno.EPERM:
            return Sentence("no permission for {path}; change it, or choose another place with --home", path=path)
        case errno.ENOENT:
            return Sentence("there is no {path}", path=path)
        case _:
            return Sentence("{path}: {why}", path=path, why=error.strerror or error)


def sync_file(descriptor: int) -> None:
    """Back when the bytes are on the medium; macOS answers an ordinary fsync before that (F_FULLFSYNC of fcntl(2))."""
    if sys.platform == "darwin":  # pragma: no cover
        with contextlib.suppress(OSError):  # not every file system knows it
            fcntl(descriptor, F_FULLFSYNC)
            return
    os.fsync(descriptor)


def sync_directory(path: Path) -> None:
    """Back when the names in this directory are on the medium; Windows has no such call."""
    if os.name == "nt":  # pragma: no cover
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_small(path: Path, most: int) -> bytes:
    """What a file holds that is never longer than so many bytes; one byte more of one that is."""
    with path.open("rb") as file:
        return file.read(most + 1)


def make_directory(path: Path) -> None:
    """This directory and all above it exist; those that had to be made are private."""
    if path.is_dir():
        return
    make_directory(path.parent)
    with contextlib.suppress(FileExistsError), disk(path):
        _make_one(path)


def _make_one(path: Path) -> None:
    path.mkdir(mode=PRIVATE_DIRECTORY)
    sync_directory(path.parent)


def sync_path(path: Path) -> None:
    """Back when this file, and the name it has, are on the medium."""
    descriptor = os.open(path, os.O_RDWR | BINARY)
    try:
        sync_file(descriptor)
    finally:
        os.close(descriptor)
    sync_directory(path.parent)


def write_all(descriptor: int, content: bytes) -> None:
    """All of these bytes are handed to the system, however few it takes at once."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def create_file(path: Path, content: bytes) -> None:
    """A new private file with this content, durable with its name; FileExistsError if the name is taken.

    If the disk refuses it, nothing stays behind.
    """
    _fill_new(path, content)
    sync_directory(path.parent)


def _fill_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, PRIVATE_FILE)
    try:
        write_all(descriptor, content)
        sync_file(descriptor)
    except OSError:
        path.unlink()
        raise
    finally:
        os.close(descriptor)


def open_new(path: Path) -> FileIO:
    """A new private file to be written into; FileExistsError if the name is taken."""
    return FileIO(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, PRIVATE_FILE), "wb")


def create_whole(path: Path, content: bytes) -> None:
    """As `create_file`, and whoever finds the name finds all of the content, also after a crash in between."""
    draft = _draft(path)
    _fill_new(draft, content)
    try:
        _give_name(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    sync_directory(path.parent)


@contextlib.contextmanager
def drafted(path: Path, *, replaces: bool = False) -> Iterator[BinaryIO]:
    """A new private file to be filled in the block; it gets its name, durably, when the block ends well.

    FileExistsError if the name is taken and is not to be replaced; whatever goes wrong, nothing stays behind.
    """
    target = _replaced(path) if replaces else path
    draft = _draft(target)
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | BINARY, PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            sync_file(file.fileno())
        if replaces:
            draft.replace(target)
        else:
            _give_name(draft, target)
    finally:
        draft.unlink(missing_ok=True)
    sync_directory(target.parent)


def copy_file(path: Path, beside: Path, start: int = 0) -> None:
    """A new private file with what this one holds from there on, a piece at a time; FileExistsError if the name is taken."""
    with path.open("rb") as source, drafted(beside) as file:
        source.seek(start)
        shutil.copyfileobj(source, file)


def is_copy(path: Path, beside: Path, start: int = 0) -> bool:
    """Whether the other file holds just what this one holds from there on."""
    with path.open("rb") as source, beside.open("rb") as file:
        source.seek(start)
        while piece := source.read(PIECE):
            if file.read(PIECE) != piece:
                return False
        return not file.read(1)


def replace_file(path: Path, content: bytes) -> None:
    """The file has this content and is durable; a reader at any moment sees the old one or the new one.

    A symbolic link stays one: what it points at is replaced.
    """
    target = _replaced(path)
    draft = _draft(target)
    _fill_new(draft, content)
    try:
        draft.replace(target)
    except OSError:
        draft.unlink()
        raise
    sync_directory(target.parent)


def _replaced(path: Path) -> Path:
    """What is replaced when this name is, behind all links; DiskTrouble for what is no file and must not become one."""
    target = Path(os.path.realpath(path))  # which, unlike Path.resolve, bears links that go in a circle
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise DiskTrouble("{path} is no ordinary file; it is left as it is", path=target)
    return target


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")


def _give_name(draft: Path, path: Path) -> None:
    """Names never overwrite here: a hard link fails if the name is taken, and so does a rename on Windows."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError as error:  # a file system without hard links
        if path.exists():
            raise FileExistsError(errno.EEXIST, "exists", str(path)) from error
        draft.rename(path)
