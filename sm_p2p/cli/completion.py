"""The command completion: what a shell needs to complete the words of this program."""

import argparse
import sys
from collections.abc import Iterator

import shtab

from sm_p2p.cli.parser import make_parser
from sm_p2p.cli.status import Status


def run(arguments: argparse.Namespace) -> int:
    """Print the script for the shell."""
    sys.stdout.write(script(arguments.shell))
    return Status.OK


def script(shell: str) -> str:
    """The script; where a file or a directory is wanted, the shell offers those."""
    parser = make_parser()
    for action in _actions(parser):
        kinds = {"FILE": shtab.FILE, "DIR": shtab.DIRECTORY}
        for word, complete in kinds.items():
            if action.dest == word.lower() or word in str(action.metavar):
                action.complete = complete  # type: ignore[attr-defined]  # where shtab looks for it
    return shtab.complete(parser, shell)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Everything that a parser and those below it take."""
    for action in parser._actions:  # noqa: SLF001 - argparse shows what it knows nowhere else
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                yield from _actions(below)
        else:
            yield action
