"""A backup as a file: a zip whose members are copies of our own files, each under one of few names.

Law: a member is stored as it is, never compressed, so that an archive cannot grow when it is read; it has a name that
this module could have given, and content of the sort that the name promises. Whatever else a file holds is refused as a
whole, with one sentence, before anything is done with any of it.
"""

import datetime as dt
import re
import stat
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.errors import Fault, UsageError
from sm_p2p.log.entry import read_envelope
from sm_p2p.store.files import disk, drafted
from sm_p2p.store.journal import MAX_FILE
from sm_p2p.store.keys import parse_secret
from sm_p2p.store.marks import parse_mark
from sm_p2p.store.notes import NOTES
from sm_p2p.store.options import MOST_BYTES
from sm_p2p.store.places import Places
from sm_p2p.store.records import LOG, read_records
from sm_p2p.store.ways import parse_way

TITLE: Final = "sm-p2p-backup"  # the first member: what this is, and its version
VERSION: Final = b"sm-p2p backup 1\n"
COMPUTER: Final = "computer/"  # before the names of the files of the computer that plays on this machine
MOST_MEMBERS: Final = 100_000
SMALL: Final = 1024 * 1024  # bytes of whatever is no log and no notes
_NAME: Final = re.compile(
    r"(computer/)?(config/options\.toml|keys/identity\.key|keys/peers"
    r"|(?:keys/([0-9a-f]{64})\.(?:secret|signed|checked)|data/([0-9a-f]{64})\.(?:smlog|notes|way)))",
    re.ASCII,
)
_FIRST_DAY: Final = 315_532_800.0  # 1980 began, and with it the time of zip
_LAST_DAY: Final = 4_354_819_198.0
_BROKEN: Final = (  # what the library raises at a file that is no zip, or not the one that was written
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    EOFError,
    LookupError,
    struct.error,
    zlib.error,
)


class Member(NamedTuple):
    """One file of a backup: whether it is the computer's, the directory and the name below it, the match it is of."""

    is_computers: bool
    place: str
    name: str
    match: bytes = b""

    @property
    def path(self) -> str:
        """Its name in the archive."""
        return f"{COMPUTER if self.is_computers else ''}{self.place}/{self.name}"

    def below(self, places: Places) -> Path:
        """Where it lies among these places."""
        home = places.computer if self.is_computers else places
        return {"config": home.config, "keys": home.keys, "data": home.data}[self.place] / self.name


def member_of(path: str) -> Member | None:
    """The member of this name; None for a name that no file of a backup has."""
    found = _NAME.fullmatch(path)
    if found is None:
        return None
    place, _, name = found[2].partition("/")
    return Member(found[1] is not None, place, name, bytes.fromhex(found[3] or found[4] or ""))


class Writing:
    """An archive that is being written."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self._zip = opened
        self._put(TITLE, VERSION, _FIRST_DAY)

    def add(self, member: Member, content: bytes, changed: float) -> None:
        """One more file, last written on at this time."""
        self._put(member.path, content, changed)

    def _put(self, name: str, content: bytes, changed: float) -> None:
        moment = dt.datetime.fromtimestamp(min(max(changed, _FIRST_DAY), _LAST_DAY), dt.UTC)
        one = zipfile.ZipInfo(name, moment.timetuple()[:6])
        one.create_system = 3  # so that the rights below mean something
        one.external_attr = (stat.S_IFREG | 0o600) << 16
        self._zip.writestr(one, content)


@contextmanager
def new_archive(path: Path, *, replaces: bool = False) -> Iterator[Writing]:
    """An archive to be filled in the block; it gets its name when that ends well. UsageError if it exists, DiskTrouble."""
    with disk(path):
        try:
            with drafted(path, replaces=replaces) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as opened:
                yield Writing(opened)
        except FileExistsError as error:
            raise UsageError("{path} exists; --force writes over it.", path=path) from error


class Reading:
    """An archive of which every member was looked at; their contents can be read again."""

    def __init__(self, path: Path, opened: zipfile.ZipFile, members: Mapping[Member, zipfile.ZipInfo]) -> None:
        self._path = path
        self._zip = opened
        self._members = members

    @property
    def members(self) -> tuple[Member, ...]:
        """All files in it."""
        return tuple(self._members)

    def read(self, member: Member) -> bytes:
        """The content of a file; UsageError if the archive has changed meanwhile."""
        with _whole(self._path):
            return self._zip.read(self._members[member])

    def changed(self, member: Member) -> float:
        """When it was last written on, seconds since 1970."""
        try:
            moment = dt.datetime(*self._members[member].date_time, tzinfo=dt.UTC)
        except ValueError:  # the thirty-first of February
            return _FIRST_DAY
        return moment.timestamp()


@contextmanager
def checked_archive(path: Path) -> Iterator[Reading]:
    """The archive in this file, all of it looked at; UsageError for whatever is none, DiskTrouble."""
    with disk(path):
        if not stat.S_ISREG(path.stat().st_mode):
            raise UsageError("{path} is no backup: it is no ordinary file.", path=path)
        with path.open("rb") as file:
            with _whole(path):
                opened = zipfile.ZipFile(file)
                infos = opened.infolist()
            members = _members(path, infos, path.stat().st_size)
            reading = Reading(path, opened, members)
            _check_title(path, opened, infos[0])
            for member in members:
                if not _is_sound(member, reading.read(member)):
                    raise UsageError(
                        "{path}: {member} is not what its name says; nothing was taken over.",
                        path=path,
                        member=member.path,
                    )
            yield reading


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise UsageError("{path} is no backup, or not all of one; nothing was taken over.", path=path) from error


def _members(path: Path, infos: list[zipfile.ZipInfo], size: int) -> dict[Member, zipfile.ZipInfo]:
    """The files by what they are; UsageError for what this module would not have written."""
    if not infos or infos[0].filename != TITLE or len(infos) > MOST_MEMBERS:
        raise UsageError("{path} is no backup of this game.", path=path)
    found: dict[Member, zipfile.ZipInfo] = {}
    for info in infos[1:]:
        member = member_of(info.orig_filename)
        if member is None or member in found or info.filename != info.orig_filename:
            raise UsageError(
                "{path} holds a file that no backup has: {file}; it is refused.",
                path=path,
                file=f"{info.orig_filename!r:.100}",
            )
        found[member] = info
    if any(not _is_plain(info) for info in infos) or sum(info.file_size for info in infos) > size:
        raise UsageError("{path} is packed in a way that no backup is; it is refused.", path=path)
    for member, info in found.items():
        if info.file_size > (MAX_FILE if member.name.endswith((".smlog", ".notes")) else SMALL):
            raise UsageError(
                "{path}: {member} is too large to be one of ours; the backup is refused.", path=path, member=member.path
            )
    return found


def _is_plain(info: zipfile.ZipInfo) -> bool:
    """Whether it is an ordinary file, stored as it is."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    is_stored = info.compress_type == zipfile.ZIP_STORED and info.compress_size == info.file_size
    return is_stored and info.flag_bits == 0 and kind in {0, stat.S_IFREG}


def _check_title(path: Path, opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    with _whole(path):
        title = opened.read(info) if info.file_size <= len(VERSION) + 8 else b""
    if title != VERSION:
        raise UsageError("{path} was written by another version of this program; this one cannot read it.", path=path)


def _is_sound(member: Member, raw: bytes) -> bool:
    """Whether this is what the name promises."""
    return _SORTS[member.name.rpartition(".")[2]](member, raw)


def _is_log(member: Member, raw: bytes) -> bool:
    reading = read_records(raw, LOG)
    try:
        first = read_envelope(reading.records[0].payload) if reading.records else None
    except Fault:
        return False
    return reading.verdict is None and first is not None and first.id == member.match


def _is_mark(member: Member, raw: bytes) -> bool:
    mark = parse_mark(raw)
    return mark is not None and mark.match == member.match


def _are_options(_member: Member, raw: bytes) -> bool:
    if len(raw) > MOST_BYTES:
        return False
    try:
        tomllib.loads(raw.decode())
    except (ValueError, RecursionError):  # no TOML, no text, or a number that is too long
        return False
    return True


_SORTS: Final[Mapping[str, Callable[[Member, bytes], bool]]] = {  # by the ending of the name
    "toml": _are_options,
    "key": lambda _, raw: parse_secret(raw) is not None,
    "peers": lambda _, _raw: True,
    "secret": lambda _, raw: parse_secret(raw) is not None,
    "signed": _is_mark,
    "checked": _is_mark,
    "smlog": _is_log,
    "notes": lambda _, raw: read_records(raw, NOTES).verdict is None,
    "way": lambda _, raw: parse_way(raw) is not None,
}
