"""Putting a backup back: every match ends up as far as either side had it, and nobody's key is lost.

Law: first all of it is looked at and compared, then all of it is written; a refusal has changed nothing. The longer log
and the higher mark win, a mark is never lowered, and a mark is written before its log. What has to give way is kept.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.errors import Code, Fault, UsageError, sure
from sm_p2p.store.archive import Member, Reading, checked_archive
from sm_p2p.store.files import copy_file, disk, make_directory, replace_file, sync_directory
from sm_p2p.store.journal import read_journal
from sm_p2p.store.keys import Identity, free_name, load_secret, parse_secret
from sm_p2p.store.marks import parse_mark, read_mark
from sm_p2p.store.notes import NOTES, read_remark
from sm_p2p.store.peers import read_lines, together
from sm_p2p.store.places import Places
from sm_p2p.store.records import LOG, Record, pack_record, read_records
from sm_p2p.store.removal import held

ORDER: Final = ("key", "toml", "peers", "signed", "checked", "secret", "smlog", "notes", "way")  # marks before logs
Content: TypeAlias = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done: whose key it is, matches taken over, those that were as far here, and what gave way, kept there."""

    identity: Identity
    taken: int
    left: int
    kept: tuple[Path, ...]


class _Change(NamedTuple):
    """A file that will say something else; `kept` is where its present content goes, `changed` the time it will bear."""

    path: Path
    content: Content
    kept: Path | None = None
    changed: float | None = None


@dataclass(slots=True)
class _Plan:
    """What will be done, found out without doing any of it."""

    archive: Reading
    places: Places
    is_forced: bool
    moved: set[bool] = field(default_factory=set)  # whose files give way as a whole: False ours, True the computer's
    kept: list[Path] = field(default_factory=list)

    def home(self, *, is_computers: bool) -> Places:
        """Where the files of one of the two lie."""
        return self.places.computer if is_computers else self.places

    def is_new(self, member: Member, path: Path) -> bool:
        """Whether nothing will stand where this file goes."""
        return (member.place != "config" and member.is_computers in self.moved) or not path.exists()

    def read(self, member: Member) -> bytes:
        """What the archive holds."""
        return self.archive.read(member)


def restore(places: Places, path: Path, *, is_forced: bool = False) -> Restored:
    """Take over what the backup in this file holds.

    Raises UsageError for a file that is no backup, and where another key, another secret or a match that went on in two
    ways is here (`is_forced` keeps aside what gives way, but never a secret); JournalBusy while a process has one of the
    matches; JournalDamaged for a damaged mark; DiskTrouble.
    """
    with checked_archive(path) as archive:
        plan = _Plan(archive, places, is_forced)
        seed = _look_at_keys(plan, path)
        with held(*_logs(plan)):
            members = sorted(archive.members, key=lambda member: ORDER.index(_sort(member)))
            changes = [change for member in members if (change := _change(plan, member)) is not None]
            for home in sorted(plan.moved):
                _move_aside(plan, plan.home(is_computers=home))
            for change in changes:
                _carry_out(plan, change)
    matches = {member.match for member in archive.members if member.match and not member.is_computers}
    taken = {places.log(match) for match in matches} & {change.path for change in changes}
    return Restored(Identity(seed), len(taken), len(matches) - len(taken), tuple(plan.kept))


def _look_at_keys(plan: _Plan, path: Path) -> bytes:
    """Our key in the archive; UsageError if there is none, or if another one is here and has to stay."""
    seeds = {member.is_computers: member for member in plan.archive.members if _sort(member) == "key"}
    homes = {member.is_computers for member in plan.archive.members} | {False}
    if not homes <= set(seeds):
        raise UsageError("{path} holds no key; it is no backup of this game.", path=path)
    for home, member in seeds.items():
        here = plan.home(is_computers=home).identity
        if not here.exists() or load_secret(here) == parse_secret(plan.read(member)):
            continue
        if not plan.is_forced:
            raise UsageError(
                "{here} is another key than the one in the backup; restore it with another --home, or let --force move that key and its matches aside.",
                here=here,
            )
        plan.moved.add(home)
    return sure(parse_secret(plan.read(seeds[False])))


def _logs(plan: _Plan) -> set[Path]:
    """All logs here that may give way, or go on."""
    found = {member.below(plan.places) for member in plan.archive.members if _sort(member) == "smlog"}
    for home in plan.moved:
        data = plan.home(is_computers=home).data
        with disk(data):
            found |= set(data.glob("*.smlog"))
    return {path for path in found if path.parent.is_dir()}


def _sort(member: Member) -> str:
    return member.name.rpartition(".")[2]


def _change(plan: _Plan, member: Member) -> _Change | None:
    """What becomes of one file; None: it stays as it is."""
    path = member.below(plan.places)
    if plan.is_new(member, path):
        return _Change(path, partial(plan.read, member), changed=plan.archive.changed(member))
    match _sort(member):
        case "signed" | "checked":
            return _marked(plan, member, path)
        case "secret":
            _check_secret(plan, member, path)
            return None
        case "smlog":
            return _longer(plan, member, path)
        case "notes":
            return _united(plan, member, path)
        case "peers":
            return _known(plan, member, path)
        case "toml" if plan.is_forced:
            return _Change(path, partial(plan.read, member), free_name(path))
        case _:
            return None


def _marked(plan: _Plan, member: Member, path: Path) -> _Change | None:
    """The higher mark; JournalDamaged if it is not known how high ours is."""
    here, there = sure(read_mark(path)), sure(parse_mark(plan.read(member)))
    return _Change(path, partial(plan.read, member)) if there.seq > here.seq else None


def _check_secret(plan: _Plan, member: Member, path: Path) -> None:
    """Return if it is the same; two secrets of one match are never both ours."""
    if load_secret(path) != parse_secret(plan.read(member)):
        raise UsageError("{path} is another secret than the one in the backup; nothing was taken over.", path=path)


def _longer(plan: _Plan, member: Member, path: Path) -> _Change | None:
    """The longer log, if one goes on where the other ends."""
    here = read_journal(path, LOG)
    ours = [record.payload for record in here.records]
    theirs = [record.payload for record in read_records(plan.read(member), LOG).records]
    longer = _Change(path, partial(plan.read, member), changed=plan.archive.changed(member))
    both = min(len(ours), len(theirs))
    if ours[:both] == theirs[:both] and here.verdict is not Code.OTHER_VERSION:
        if len(theirs) <= len(ours):
            return None
        return longer if here.verdict is None else longer._replace(kept=free_name(path))
    if not plan.is_forced:
        raise UsageError(
            "{path} and the backup do not tell the same match; with --force the longer one counts and the other is kept.",
            path=path,
        )
    if len(theirs) > len(ours):
        return longer._replace(kept=free_name(path))
    plan.kept.append(free_name(path))
    return longer._replace(path=plan.kept[-1])


def _united(plan: _Plan, member: Member, path: Path) -> _Change | None:
    """Our notes and those of the backup, each of them once, in the order of time."""
    here = read_journal(path, NOTES)
    there = read_records(plan.read(member), NOTES).records
    ours = {_said(record) for record in here.records}
    missing = [record for record in there if _said(record) not in ours]
    if not missing or here.verdict is Code.OTHER_VERSION:
        return None
    together = [*here.records, *missing]
    if not ours <= {_said(record) for record in there}:  # else the backup just goes on where ours end
        together.sort(key=_time)
    content = NOTES.head + b"".join(pack_record(record.type, record.payload) for record in together)
    return _Change(path, lambda: content, None if here.verdict in {None, Code.TORN_TAIL} else free_name(path))


def _said(record: Record) -> tuple[int, bytes]:
    """What a note says, whenever it was written down."""
    try:
        return record.type, read_remark(record).content
    except Fault:
        return record.type, record.payload


def _time(record: Record) -> int:
    try:
        return read_remark(record).time_ms
    except Fault:
        return 0


def _known(plan: _Plan, member: Member, path: Path) -> _Change | None:
    """Whom only the backup knows, and behind them, as the later ones, those whom we know."""
    ours = read_lines(path)
    missing = [line for line in plan.read(member).splitlines() if line not in ours]
    return _Change(path, lambda: together((*missing, *ours))) if missing else None


def _move_aside(plan: _Plan, home: Places) -> None:
    for place in (home.keys, home.data):
        if place.is_dir():
            plan.kept.append(free_name(place))
            with disk(place):
                place.rename(plan.kept[-1])
                for ours in plan.kept[-1].glob("*.lock"):  # which went along
                    ours.unlink()
                sync_directory(place.parent)


def _carry_out(plan: _Plan, change: _Change) -> None:
    make_directory(change.path.parent)
    content = change.content()
    with disk(change.path):
        if change.kept is not None:
            copy_file(change.path, change.kept)
            plan.kept.append(change.kept)
        replace_file(change.path, content)
        if change.changed is not None:
            os.utime(change.path, (change.changed, change.changed))
