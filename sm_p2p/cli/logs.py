"""Which logs are meant: by their files, by directories, or by the beginning of the id of a saved match; and what lies beside."""

import contextlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from sm_p2p.errors import SpiteError, UsageError
from sm_p2p.session.effects import Said
from sm_p2p.session.state import Match
from sm_p2p.store.files import disk
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.places import Places
from sm_p2p.ui.app.stills import Remark
from sm_p2p.watch.chat import read_chat
from sm_p2p.watch.report import Report

LEAST_DIGITS: Final = 4
_ID: Final = re.compile(rf"[0-9a-f]{{{LEAST_DIGITS},64}}")


def log_of(text: str, places: Places) -> Path:
    """The file of this name, else the saved match whose id begins so; a name of neither is given back as a file.

    UsageError if several matches are meant.
    """
    path = Path(text)
    if os.path.lexists(path) or not _ID.fullmatch(text.lower()):
        return path
    found = sorted(places.data.glob(f"{text.lower()}*.smlog"))
    if len(found) > 1:
        raise UsageError("{text} begins the names of {n} saved matches; write more of it.", text=text, n=len(found))
    return found[0] if found else path


def logs_of(texts: Iterable[str], places: Places) -> list[Path]:
    """The same for several, a directory standing for every log below it; each once. UsageError for one without any."""
    found: list[Path] = []
    for text in texts:
        path = log_of(text, places)
        if not os.path.isdir(path):  # noqa: PTH112 - it takes any name, also one that no file can have
            found.append(path)
            continue
        with disk(path):
            logs = sorted(below for below in path.rglob("*.smlog") if not below.is_dir())
        if not logs:
            raise UsageError("There is no log (.smlog) in {path}.", path=path)
        found += logs
    return list(dict.fromkeys(found))


def chat_of(path: Path, match: Match) -> tuple[Remark, ...]:
    """What was said in this match, as far as it is kept beside the log; nothing if it cannot be read."""
    notes = path.with_suffix(".notes")
    with contextlib.suppress(SpiteError):
        if notes.is_file():
            return tuple(Remark(at, Said(seat, text)) for at, seat, text in read_chat(notes, match))
    return ()


def remember_checked(places: Places, report: Report) -> None:
    """Remember for the list that the proofs of a saved match were checked; never worth an error."""
    if report.flaw is None and report.match and report.path.absolute() == places.log(report.match).absolute():
        with contextlib.suppress(SpiteError):
            write_mark(places.checked(report.match), Mark(report.match, report.counts.entries, report.head))
