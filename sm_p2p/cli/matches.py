"""The command about saved matches: matches, and matches delete."""

import argparse
import datetime as dt
import json
import sys
from collections.abc import Sequence
from typing import Final

from sm_p2p.cli.asking import answer_at_terminal
from sm_p2p.cli.parser import PROGRAM
from sm_p2p.cli.shelf import Shelved, State, find, identity_of_computer, names, shelf
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.cli.words import find_places
from sm_p2p.errors import UsageError
from sm_p2p.store.keys import load_secret
from sm_p2p.store.places import Places
from sm_p2p.store.removal import remove_match
from sm_p2p.ui.lexicon import answer
from sm_p2p.ui.news import variant_name
from sm_p2p.ui.screen.cells import cut, text_width
from sm_p2p.ui.words import Words, mark

WORDS: Final = Words()
HEADS: Final = (
    mark("DATE"),
    mark("WITH"),
    mark("VARIANT"),
    mark("SCORE"),
    mark("ENTRIES"),
    mark("CHECKED"),
    mark("STATE"),
    mark("SIZE"),
    mark("MATCH"),
)
STATES: Final = {
    State.UNFINISHED: mark("unfinished"),
    State.CLAIMED: mark("claimed: abandoned"),
    State.UNOPENED: mark("unopened"),
    State.FINISHED: mark("finished"),
    State.INCOMPLETE: mark("incomplete"),
    State.STOPPED: mark("stopped"),
    State.DAMAGED: mark("damaged"),
}
LONGEST: Final = 40  # cells of a variant with many changes
RIGHT: Final = {3, 4, 7}  # columns of numbers
LAST_DAY: Final = 4e9  # of the time that is shown, about the year 2096
UNITS: Final = ("B", "kB", "MB")


def run(arguments: argparse.Namespace) -> int:
    """List what is saved, or delete some of it."""
    places = find_places(arguments)
    if places.identity.exists():
        load_secret(places.identity)  # whose matches these are has to be known
    found = shelf(places)
    if getattr(arguments, "action", None) == "delete":
        return delete(places, found, arguments)
    if arguments.json:
        for one in found:
            sys.stdout.write(f"{_json(one)}\n")
        return Status.OK
    if not found:
        complain(f"{PROGRAM}: {WORDS.say('No match is saved here.')}")
        return Status.OK
    sys.stdout.write("".join(f"{line}\n" for line in table(found)))
    for name, one in zip(names(found), found, strict=True):
        if one.problem is not None:
            complain(f"{name}: {WORDS.again(one.problem)}")
    return Status.OK


def delete(places: Places, found: Sequence[Shelved], arguments: argparse.Namespace) -> int:
    """Delete matches, after a question; UsageError where nobody can be asked."""
    chosen = tuple(dict.fromkeys(find(found, text) for text in arguments.match))
    called = dict(zip(found, names(found), strict=True))
    if not arguments.yes:
        lines = [f"{called[one]}  {summary(one)}" for one in chosen]
        question = WORDS.count("Delete this match for ever? y/N", "Delete these {n} matches for ever? y/N", len(chosen))
        said = answer_at_terminal("\n".join((*lines, question)))
        if said is None:
            raise UsageError("Nobody can be asked here; say --yes to delete without a question.")
        if answer(said, WORDS.language) is not True:
            complain(WORDS.say("Nothing was deleted."))
            return Status.OK
    for one in chosen:
        sys.stdout.write(f"{deleted(places, one, called[one])}\n")
    return Status.OK


def deleted(places: Places, one: Shelved, name: str) -> str:
    """Delete a match, and the computer's side of one against it; a sentence about what is gone. JournalBusy, DiskTrouble."""
    count = len(remove_match(places, one.path, one.match))
    computer = places.computer
    if one.match and one.identity == identity_of_computer(places) and computer.log(one.match).exists():
        count += len(remove_match(computer, computer.log(one.match), one.match))
    return WORDS.count("{name} is deleted: {n} file.", "{name} is deleted: {n} files.", count, name=name)


def table(found: Sequence[Shelved]) -> list[str]:
    """The list as lines, in columns."""
    rows = [tuple(map(WORDS.say, HEADS)), *map(_row, found, names(found))]
    widths = [max(text_width(row[at]) for row in rows) for at in range(len(HEADS))]
    return ["  ".join(_padded(cell, at, widths[at]) for at, cell in enumerate(row)).rstrip() for row in rows]


def summary(one: Shelved) -> str:
    """A match in a few words: with whom, how it stands, since when."""
    cells = _row(one, "")
    return ", ".join(cell for cell in (cells[1], cells[3], cells[2], cells[6], cells[0]) if cell)


def label(one: Shelved) -> tuple[str, str]:
    """A match as an entry of a menu: with whom and how it stands, and the rest of it."""
    cells = _row(one, "")
    first = [cells[1] or _shown(one.path.name), cells[3]]
    return "  ".join(cell for cell in first if cell), ", ".join(cell for cell in (cells[6], cells[2], cells[0]) if cell)


def _row(one: Shelved, name: str) -> tuple[str, ...]:
    score = "" if one.score is None else f"{one.score[0]} : {one.score[1]}"
    entries = str(one.entries) if one.entries else ""
    state = WORDS.say(STATES[one.state])
    return (
        _moment(one).astimezone().strftime("%Y-%m-%d %H:%M"),
        WORDS.called(one.opponent),
        cut(variant_name(WORDS, one.variant), LONGEST),
        score,
        entries,
        _checked(one),
        state,
        _size(one.size),
        _shown(name),
    )


def _checked(one: Shelved) -> str:
    """How much of its proofs was checked here."""
    if not one.entries or not one.checked:
        return ""
    return WORDS.say("all") if one.checked == one.entries else WORDS.say("to {n}", n=one.checked)


def _padded(cell: str, at: int, width: int) -> str:
    space = " " * (width - text_width(cell))
    return space + cell if at in RIGHT else cell + space


def _moment(one: Shelved) -> dt.datetime:
    """When it was last written on, as far as that can be."""
    return dt.datetime.fromtimestamp(min(max(one.changed, 0.0), LAST_DAY), dt.UTC)


def _size(size: int) -> str:
    """About so many bytes.

    >>> _size(0), _size(999), _size(70_300), _size(1_519_073), _size(2**40)
    ('0 B', '999 B', '70 kB', '1.5 MB', '1099511.6 MB')
    """
    number, unit = float(size), 0
    while number >= 1000 and unit + 1 < len(UNITS):
        number, unit = number / 1000, unit + 1
    return f"{WORDS.decimal(number, 1 if unit == 2 else 0)} {UNITS[unit]}"


def _shown(name: str) -> str:
    """A name of a file may hold anything but a zero byte."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _json(one: Shelved) -> str:
    said = {
        "match": one.match.hex() or None,
        "file": str(one.path),
        "changed": f"{_moment(one):%Y-%m-%dT%H:%M:%SZ}",
        "opponent": one.opponent or None,
        "key": one.identity.hex() or None,
        "variant": one.variant or None,
        "score": one.score,
        "entries": one.entries,
        "checked": one.checked,
        "state": one.state,
        "bytes": one.size,
        "problem": one.problem,
    }
    return json.dumps(said, separators=(",", ":"))
