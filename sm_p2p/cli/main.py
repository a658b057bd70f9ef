"""The command line: words in, one command, an exit status out.

Law: whatever is wrong with the words, the files or the network is one sentence on standard error and a status of
`Status`; results go to standard output, everything else to standard error. Nothing heavy is imported before a command
is known, so that `--help` and `--version` answer at once.
"""

import argparse
import atexit
import contextlib
import gc
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, Protocol

from sm_p2p.cli.language import language_of, speaking
from sm_p2p.cli.parser import PROGRAM, make_parser
from sm_p2p.cli.status import SIGNAL, Status
from sm_p2p.cli.streams import complain, forget_output, mend_streams
from sm_p2p.errors import Code, Fault, JournalDamaged, Sentence, SpiteError, UsageError
from sm_p2p.ui.tongue import again

ROOMS: Final[Mapping[str, str]] = {
    "simulate": "games",
    "replay": "replaying",
    "verify": "verifying",
    "export": "exporting",
    "matches": "matches",
    "stats": "stats",
    "backup": "safekeeping",
    "restore": "safekeeping",
    "key": "key",
    "config": "config",
    "completion": "completion",
    "doctor": "doctor",
}
"""The commands for which nobody sits down, and where they are done."""


SCHEME: Final = f"{PROGRAM}://"  # with which an invite begins
COMMON: Final = frozenset({"--home", "--lang", "--json"})
SWITCHES: Final = frozenset({"--json"})
"""Of what every command takes, that which has no value."""
NEW: Final = 20_000
"""Values that come before the interpreter looks for cycles among them; they are frozen, and hardly ever hold each other."""


class Command(Protocol):
    """A room that does a command."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; what the shell is to be told."""


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; what the shell is to be told."""
    gc.set_threshold(NEW)
    atexit.register(gc.freeze)  # else the interpreter's last look at everything takes a quarter of a second
    mend_streams()
    with contextlib.ExitStack() as stack:
        return _answered(stack, list(sys.argv[1:] if words is None else words))


def _answered(stack: contextlib.ExitStack, words: list[str]) -> int:
    """The status of these words, whatever comes of them; all of it is said in the player's language."""
    status = int(Status.OK)
    try:
        try:
            stack.enter_context(speaking(language_of(words)))
            status = int(_run(words))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        forget_output()
        return status if status > SIGNAL else int(Status.OK)
    except SystemExit as end:  # of argparse, after --help or its one sentence
        return int(end.code or 0)
    except KeyboardInterrupt:
        return int(Status.INTERRUPTED)
    except SpiteError as error:
        complain(f"{PROGRAM}: {again(error.told)}")
        return int(_status_of(error))
    except OSError as error:
        forget_output()
        if status > SIGNAL:  # as when the window was closed: nobody is there who could read what is left
            return status
        complain(f"{PROGRAM}: {error.filename or again(Sentence('the output'))}: {error.strerror or error}")
        return int(Status.FAILED)
    return status


def _run(words: list[str]) -> int:
    arguments = make_parser().parse_args(_with_default(words))
    if getattr(arguments, "invite", None) == "-":
        from sm_p2p.cli.words import first_line

        arguments.invite = first_line()
    match arguments.command:
        case "menu" | "play" | "host" | "join" | "resume":
            return _sit(arguments)
        case "watch":
            return _watch(arguments)
        case command:
            room: Command = import_module(f"sm_p2p.cli.{ROOMS[command]}")
            return room.run(arguments)


def _sit(arguments: argparse.Namespace) -> int:
    """One match in lines or on the full screen, or a menu with many."""
    from sm_p2p.cli import offers, resume, sitting, tables

    if arguments.command == "join" and arguments.invite is None:
        return _seek(arguments)
    tables_of = {"host": tables.host, "join": tables.join, "resume": resume.resume}
    occasion = tables_of.get(arguments.command, tables.play)(arguments)
    sitter = sitting.sitter_of(arguments)
    if not sitter.is_on_screen:
        settled = offers.settled_in_lines(sitter, occasion)
        return Status.OK if settled is None else sitting.sit(sitter, settled)
    from sm_p2p.cli import menu, screen

    return menu.run(sitter) if arguments.command == "menu" else screen.sit(sitter, occasion)


def _seek(arguments: argparse.Namespace) -> int:
    """A table of those that there are, told or chosen from."""
    from sm_p2p.cli import seeking, sitting

    if arguments.list:
        return seeking.tell(arguments)
    sitter = sitting.sitter_of(arguments)
    if sitter.is_on_screen:
        from sm_p2p.cli import menu

        return menu.run(sitter, seeking.page)
    occasion = seeking.in_lines(arguments)
    return Status.OK if occasion is None else sitting.sit(sitter, occasion)


def _watch(arguments: argparse.Namespace) -> int:
    """A match of others, in lines or on the full screen."""
    from sm_p2p.cli import watching

    ticket = watching.ticket(arguments)
    if not ticket.is_on_screen:
        return watching.in_lines(ticket)
    from sm_p2p.cli import spectating

    return spectating.on_screen(ticket)


def _status_of(error: SpiteError) -> Status:
    match error:
        case UsageError() | Fault():
            return Status.USAGE
        case JournalDamaged(code=Code.OTHER_VERSION):
            return Status.OTHER_TERMS
        case JournalDamaged():
            return Status.UNVERIFIED
        case _:
            return Status.FAILED


def _with_default(words: list[str]) -> list[str]:
    """The words with their command first: what every command takes may stand before it, and `sm-p2p` alone is the menu.

    An invite alone is followed, and the name of the program may have been pasted once more.

    >>> _with_default(["--lang", "pt", "host"]), _with_default(["--lang=pt", "--help"]), _with_default(["--json"])
    (['host', '--lang', 'pt'], ['--help'], ['menu', '--json'])
    >>> _with_default(["sm-p2p://x/y"]), _with_default(["sm-p2p://x/watch.y"]), _with_default(["sm-p2p", "join", "sm-p2p://x"])
    (['join', 'sm-p2p://x/y'], ['watch', 'sm-p2p://x/watch.y'], ['join', 'sm-p2p://x'])
    """
    at = 0
    while at < len(words) and words[at].partition("=")[0] in COMMON:
        at += 2 if words[at] in COMMON - SWITCHES else 1
    before, rest = words[:at], words[at:]
    while rest[:1] == [PROGRAM]:
        rest = rest[1:]
    if rest and rest[0].lower().startswith(SCHEME):
        rest = ["watch" if "/watch." in rest[0].lower() else "join", *rest]
    if rest and rest[0] in {"-h", "--help", "--version"}:
        return rest
    if rest and not rest[0].startswith("-"):
        return [rest[0], *before, *rest[1:]]
    return ["menu", *before, *rest]
