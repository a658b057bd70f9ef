"""What belongs into a backup: the key, the options, whom we met, and every match with its secret, marks and notes.

Law: the mark of a match is read before its log, so that the log of a backup is never behind its mark, also while a
process plays on. A match whose secret, mark or log cannot be read is left out as a whole, and that is said.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sm_p2p.errors import Code, JournalDamaged, Sentence, SpiteError, UsageError
from sm_p2p.log.entry import read_envelope
from sm_p2p.store.archive import Member, Writing, new_archive
from sm_p2p.store.files import disk
from sm_p2p.store.journal import read_journal
from sm_p2p.store.keys import load_secret
from sm_p2p.store.marks import read_mark
from sm_p2p.store.notes import NOTES
from sm_p2p.store.options import read_options
from sm_p2p.store.peers import read_lines
from sm_p2p.store.places import Places
from sm_p2p.store.records import LOG, Sort
from sm_p2p.store.ways import read_way


class Copied(NamedTuple):
    """A file as it goes into a backup."""

    member: Member
    content: bytes
    changed: float


@dataclass(frozen=True, slots=True)
class BackedUp:
    """How many matches an archive holds, and a sentence for each that was left out."""

    matches: int
    problems: tuple[str, ...]


def back_up(places: Places, path: Path, *, replaces: bool = False) -> BackedUp:
    """Write all that is needed to go on elsewhere into a new file.

    UsageError if there is nothing to keep, or the file exists and is not to be replaced; DiskTrouble.
    """
    if not places.identity.exists():
        raise UsageError("There is no key here yet, so there is nothing to back up.")
    if path.exists() and not replaces:
        raise UsageError("{path} exists; --force writes over it.", path=path)
    with new_archive(path, replaces=replaces) as writing:
        ours = _home(writing, places, is_computers=False)
        theirs = _home(writing, places.computer, is_computers=True) if places.computer.identity.exists() else ours
    return ours if theirs is ours else BackedUp(ours.matches, (*ours.problems, *theirs.problems))


def _home(writing: Writing, places: Places, *, is_computers: bool) -> BackedUp:
    load_secret(places.identity)  # whatever is the matter with it is said
    read_lines(places.peers)  # and so of this
    count, problems = 0, []
    for place, path in (("keys", places.identity), ("config", places.options), ("keys", places.peers)):
        if path == places.options and (chosen := read_options(path)).is_broken:
            problems.append(Sentence("{file} is left out: {why}", file=path.name, why=chosen.problems[0]))
        elif path.exists():
            _add(writing, _copied(Member(is_computers, place, path.name), path))
    with disk(places.data):
        logs = sorted(places.data.glob("*.smlog")) if places.data.is_dir() else []
    for log in logs:
        try:
            files = tuple(_match(places, log, is_computers=is_computers))
        except SpiteError as error:
            problems.append(Sentence("{file} is left out: {why}", file=log.name, why=error))
            continue
        if not files:
            continue
        count += 1
        try:
            files = (*files, *_beside(places, files[0].member))
        except SpiteError as error:
            problems.append(
                Sentence("{file} is left out: {why}", file=places.notes(files[0].member.match).name, why=error)
            )
        for file in files:
            _add(writing, file)
    return BackedUp(count, tuple(problems))


def _add(writing: Writing, file: Copied) -> None:
    writing.add(*file)


def _match(places: Places, log: Path, *, is_computers: bool) -> Iterator[Copied]:
    """The files that a match cannot be without, the marks first; none for a log of another name or without an entry."""
    try:
        match = bytes.fromhex(log.stem)
    except ValueError:
        return
    if len(match) != 32 or log != places.log(match):
        return
    marks = [path for path in (places.signed(match), places.checked(match)) if read_mark(path) is not None]
    found = [_copied(Member(is_computers, "keys", path.name, match), path) for path in marks]
    if places.secret(match).exists():
        load_secret(places.secret(match))
        found.append(_copied(Member(is_computers, "keys", places.secret(match).name, match), places.secret(match)))
    whole = _whole(Member(is_computers, "data", log.name, match), log, LOG)
    if whole is None:
        return
    yield from (*found, whole)


def _beside(places: Places, member: Member) -> Iterator[Copied]:
    """What lies beside the log of this member's match."""
    notes, way = places.notes(member.match), places.way(member.match)
    if read_way(way) is not None:
        yield _copied(member._replace(place="data", name=way.name), way)
    if notes.exists():
        whole = _whole(member._replace(place="data", name=notes.name), notes, NOTES)
        yield from () if whole is None else (whole,)


def _copied(member: Member, path: Path) -> Copied:
    with disk(path):
        return Copied(member, path.read_bytes(), path.stat().st_mtime)


def _whole(member: Member, path: Path, sort: Sort) -> Copied | None:
    """The whole records of a file, without what a crash or a writer at work has left unfinished; None if it has none."""
    reading = read_journal(path, sort)
    if reading.verdict not in {None, Code.TORN_TAIL}:
        raise JournalDamaged(reading.verdict, reading.sentence)
    if not reading.records:
        return None
    if sort is LOG and read_envelope(reading.records[0].payload).id != member.match:
        raise JournalDamaged(Code.NO_JOURNAL, "this is the log of another match than its name says")
    copied = _copied(member, path)
    return copied._replace(content=copied.content[: reading.end])
