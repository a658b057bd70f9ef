"""The command that plays a saved match again: on the full screen, in line mode, as text, or judged; without a file, one of a list.

Law: a log is only read. What is wrong with it is said before a screen is opened, where it cannot be shown at all.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal

from sm_p2p.cli import analysing, exporting, reading, screen, sitting
from sm_p2p.cli.asking import answer_at_terminal
from sm_p2p.cli.exporting import Form, Wanted
from sm_p2p.cli.logs import log_of
from sm_p2p.cli.matches import label, table
from sm_p2p.cli.parser import PROGRAM
from sm_p2p.cli.settings import options_of
from sm_p2p.cli.shelf import Shelved, find, shelf
from sm_p2p.cli.showing import show
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.cli.study import Study
from sm_p2p.cli.words import find_places, kind_of_screen
from sm_p2p.errors import DiskTrouble, Fault, JournalDamaged, SpiteError, UsageError
from sm_p2p.store.places import Places
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.app.usable import is_terminal
from sm_p2p.ui.words import HERE, Words
from sm_p2p.watch.replay import GLANCED

WORDS: Final = Words()
Kind = Literal["analysis", "json", "text", "line", "screen"]


def run(arguments: argparse.Namespace) -> int:
    """Play a saved match again; what the shell is to be told."""
    places = find_places(arguments)
    kind = _kind(arguments, places)
    if arguments.file is not None:
        return _one(kind, places, log_of(arguments.file, places), arguments)
    if arguments.json:
        raise UsageError("--json takes a log; sm-p2p matches --json lists them.")
    if kind == "screen":
        return sitting.run(partial(_on_screen, places, None))
    found = shelf(places)
    if not found:
        complain(f"{PROGRAM}: {WORDS.say('No match is saved here.')}")
        return Status.OK
    chosen = _asked(found)
    return Status.OK if chosen is None else _one(kind, places, chosen.path, arguments)


def _kind(arguments: argparse.Namespace, places: Places) -> Kind:
    """How it is shown: as is asked for; else as sentences where not both ends are a terminal."""
    if arguments.analysis:
        return "analysis"
    if arguments.json:
        return "json"
    if arguments.text or (arguments.ui is None and not (is_terminal(sys.stdin) and is_terminal(sys.stdout))):
        return "text"
    return kind_of_screen(arguments, options_of(places))


def _one(kind: Kind, places: Places, path: Path, arguments: argparse.Namespace) -> int:
    try:
        match kind:
            case "screen":
                return sitting.run(partial(_on_screen, places, Study(places, path, GLANCED)))
            case "line":
                return reading.run(Study(places, path))
            case "analysis":
                return analysing.write(path, as_json=arguments.json)
            case _:
                form = Form.JSONL if kind == "json" else Form.TEXT
                trouble = exporting.write(path, Wanted(form, language=HERE), sys.stdout.write)
    except (JournalDamaged, DiskTrouble, Fault) as error:
        trouble = error
    return Status.OK if trouble is None else exporting.wrong(str(path), trouble)


async def _on_screen(places: Places, study: Study | None) -> int:
    async with screen.opened(places, options_of(places)) as terminal:
        if study is None:
            await choose(places, terminal)
        else:
            await show(study, terminal)
        return Status.OK if terminal.signal is None else 128 + terminal.signal


async def choose(places: Places, terminal: Terminal) -> None:
    """The list of saved matches; each can be looked at, until somebody has enough of it."""
    at: int | None = 0
    while at is not None and not terminal.is_closing:
        found = await asyncio.to_thread(shelf, places)
        about = [] if found else [WORDS.say("No match is saved here.")]
        at = await terminal.menu(WORDS.say("REPLAYS"), list(map(label, found)), about, at=min(at, len(found)))
        if at is not None:
            await look(places, terminal, found[at].path)


async def look(places: Places, terminal: Terminal, path: Path) -> None:
    """One of them; what is the matter with it is said where it cannot be shown."""
    try:
        study = await asyncio.to_thread(Study, places, path, GLANCED)
    except SpiteError as error:
        await terminal.read(WORDS.say("THIS CANNOT BE SHOWN"), [WORDS.why(error)])
    else:
        await show(study, terminal)


def _asked(found: Sequence[Shelved]) -> Shelved | None:
    """The match that somebody at a terminal has chosen from the list; elsewhere only the list is written."""
    head, *rows = table(found)
    digits = len(str(len(rows)))
    sys.stdout.write(f"{' ' * digits}  {head}\n")
    sys.stdout.write("".join(f"{number:>{digits}}  {row}\n" for number, row in enumerate(rows, 1)))
    sys.stdout.flush()
    answer = answer_at_terminal(WORDS.say("Which one? Its number, or the beginning of its name; Enter: none."))
    if not answer:
        return None
    if answer.isascii() and answer.isdecimal() and 1 <= int(answer) <= len(found):
        return found[int(answer) - 1]
    return find(found, answer)
