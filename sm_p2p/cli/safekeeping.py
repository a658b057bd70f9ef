"""The commands that take everything to another machine: backup and restore."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sm_p2p.cli.parser import PROGRAM
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain, plain
from sm_p2p.cli.words import find_places
from sm_p2p.store.backup import back_up
from sm_p2p.store.restore import restore
from sm_p2p.ui.words import Words, mark

WORDS: Final = Words()
ONE_MACHINE: Final = mark(
    "A match goes on here or there, not on both: one key that signs on two machines stops the match, and it is held "
    "against its owner."
)


def run(arguments: argparse.Namespace) -> int:
    """Write a backup, or take one over."""
    return _restore(arguments) if arguments.command == "restore" else _back_up(arguments)


def _back_up(arguments: argparse.Namespace) -> int:
    path = Path(arguments.file)
    done = back_up(find_places(arguments), path, replaces=arguments.force)
    for problem in done.problems:
        complain(f"{PROGRAM}: {WORDS.again(problem)}")
    if arguments.json:
        _tell({"file": str(path), "matches": done.matches, "left_out": len(done.problems)})
        return Status.FAILED if done.problems else Status.OK
    _say(
        WORDS.count(
            "{file} holds your key and {n} match; whoever has it can play as you.",
            "{file} holds your key and {n} matches; whoever has it can play as you.",
            done.matches,
            file=str(path),
        ),
        WORDS.say(ONE_MACHINE),
    )
    return Status.FAILED if done.problems else Status.OK


def _restore(arguments: argparse.Namespace) -> int:
    done = restore(find_places(arguments), Path(arguments.file), is_forced=arguments.force)
    if arguments.json:
        kept_at = [str(path) for path in done.kept]
        _tell({"key": done.identity.identity.hex(), "taken": done.taken, "left": done.left, "kept": kept_at})
        return Status.OK
    kept = [WORDS.say("What was here before is kept in {file}.", file=str(path)) for path in done.kept]
    _say(
        WORDS.say("The key is here: {fingerprint}.", fingerprint=" ".join(done.identity.fingerprint)),
        WORDS.count("{n} match was taken over.", "{n} matches were taken over.", done.taken),
        *([WORDS.count("{n} match was as far here.", "{n} matches were as far here.", done.left)] if done.left else []),
        *kept,
        WORDS.say(ONE_MACHINE),
    )
    return Status.OK


def _tell(said: Mapping[str, str | int | list[str]]) -> None:
    sys.stdout.write(json.dumps(said, separators=(",", ":")) + "\n")


def _say(*sentences: str) -> None:
    sys.stdout.write("".join(f"{plain(sentence)}\n" for sentence in sentences))
