"""The matches on this disk.

Law: one broken file never breaks the list. What a log means is not known here; `describe` is handed in by whoever
knows, and gets the entries as they were stored.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from sm_p2p.errors import Code, SpiteError
from sm_p2p.log.entry import read_envelope
from sm_p2p.store.files import disk
from sm_p2p.store.journal import Journal, read_journal
from sm_p2p.store.records import LOG, Sort

About = TypeVar("About")


@dataclass(frozen=True, slots=True)
class Saved(Generic[About]):
    """One log on the disk: where, which match, when it was last written on, and what `describe` said about it.

    match is empty and about is None where the file does not tell; `problem` is then the sentence why, and it is also
    there for a file whose end is torn or damaged, which `verdict` says.
    """

    path: Path
    match: bytes
    changed: float
    entries: int
    about: About | None
    problem: str | None
    verdict: Code | None = None


def saved_matches(data: Path, describe: Callable[[tuple[bytes, ...]], About]) -> tuple[Saved[About], ...]:
    """All logs of this directory, the latest first; logs without any entry are left out. DiskTrouble if it cannot be read."""
    with disk(data):
        paths = sorted(path for path in data.iterdir() if path.suffix == ".smlog") if data.is_dir() else []
    found = [_look(path, describe) for path in paths]
    return tuple(sorted((saved for saved in found if saved is not None), key=lambda saved: -saved.changed))


def open_file(path: Path, sort: Sort = LOG) -> Journal:
    """The file for appending, made if there is none; the errors of `Journal.open`."""
    if not path.exists():
        with contextlib.suppress(FileExistsError):
            return Journal.create(path, sort)
    return Journal.open(path, sort)


def _look(path: Path, describe: Callable[[tuple[bytes, ...]], About]) -> Saved[About] | None:
    match, changed, count, about = b"", 0.0, 0, None
    problem = verdict = None
    try:
        with disk(path):
            changed = path.stat().st_mtime
        reading = read_journal(path)
        problem, verdict = reading.sentence or None, reading.verdict
        entries = tuple(record.payload for record in reading.records)
        count = len(entries)
        if entries:
            match = read_envelope(entries[0]).id
            about = describe(entries)
        elif problem is None:
            return None
    except SpiteError as error:
        problem = error.told
    return Saved(path, match, changed, count, about, problem, verdict)
