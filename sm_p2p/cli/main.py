"""The command line: words in, one command, an exit status out.

Law: whatever is wrong with the words, the files or the network is one sentence on standard error and a status of
`Status`; results go to standard output, everything else to standard error. Nothing heavy is imported before a command
is known, so that `--help` and `--version` answer at once.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from sm_p2p.cli.status import Status
from sm_p2p.errors import Fault, SpiteError, UsageError
from sm_p2p.version import PACKAGE, PROTOCOL, RULES

PROGRAM: Final = "sm-p2p"
LANGUAGES: Final = ("en",)
PLAYERS: Final = ("human", "greedy")
BOTS: Final = ("greedy", "random")


class _Parser(argparse.ArgumentParser):
    """argparse with its complaints in one sentence."""

    def error(self, message: str) -> NoReturn:
        """One sentence on standard error, status 2."""
        sys.stderr.write(f"{PROGRAM}: {message}. Try: {self.prog} --help\n")
        raise SystemExit(Status.USAGE)


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; what the shell is to be told."""
    arguments = _parser().parse_args(_with_default(list(sys.argv[1:] if words is None else words)))
    run: Callable[[argparse.Namespace], int] = arguments.run
    try:
        return int(run(arguments))
    except BrokenPipeError:
        _forget_output()
        return int(Status.OK)
    except KeyboardInterrupt:
        return int(Status.INTERRUPTED)
    except (UsageError, Fault) as error:
        return _complain(error, Status.USAGE)
    except SpiteError as error:
        return _complain(error, Status.FAILED)


def _complain(error: SpiteError, status: Status) -> int:
    sys.stderr.write(f"{PROGRAM}: {error}\n")
    return int(status)


def _forget_output() -> None:
    """Whoever read our output has gone: what is left in the buffers goes nowhere, without a word."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _with_default(words: list[str]) -> list[str]:
    """The words with the command that `sm-p2p` alone, or with options only, stands for."""
    if words and (not words[0].startswith("-") or words[0] in {"-h", "--help", "--version"}):
        return words
    return ["play", *words]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=PROGRAM,
        description="Spite & Malice for two terminals: a signed log, a provable shuffle, nobody in the middle.",
        epilog="Without a command: play. Each command explains itself: sm-p2p COMMAND --help",
    )
    version = f"{PROGRAM} {PACKAGE} (protocol {PROTOCOL}, rules {RULES})"
    parser.add_argument("--version", action="version", version=version)
    common = _Parser(add_help=False)
    common.add_argument("--version", action="version", version=version)
    common.add_argument("--home", metavar="DIR", help="keep options, keys and matches below this directory")
    common.add_argument("--lang", choices=LANGUAGES, help="language of the sentences")
    common.add_argument("--json", action="store_true", help="one JSON object a line instead of sentences")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    _add_tables(commands, common)
    _add_files(commands, common)
    return parser


def _add_tables(commands: "argparse._SubParsersAction[_Parser]", common: _Parser) -> None:
    seat = _Parser(add_help=False)
    seat.add_argument("--name", help="what the other player calls you (asked once, then remembered)")
    seat.add_argument("--player", choices=PLAYERS, default="human", help="who sits in this seat")
    seat.add_argument("--ui", choices=("line",), help="the kind of screen")
    seat.add_argument("--yes", action="store_true", help="agree to whatever variant the host offers")
    seat.add_argument("--wait", type=_seconds, metavar="SECONDS", help="how long to wait for the other player")
    seat.add_argument("--tied", action="store_true", help=argparse.SUPPRESS)
    terms = _Parser(add_help=False)
    terms.add_argument("--variant", metavar="NAME[,KEY=VALUE…]", help="standard, quick or long, with changes")
    terms.add_argument("--to", type=int, metavar="N", help="play to N points (short for target=N)")
    door = _Parser(add_help=False)
    door.add_argument("--port", type=_port, metavar="N", help="the TCP port to listen on")
    door.add_argument("--bind", action="append", metavar="IP", help="listen on this address only (can be repeated)")

    play = commands.add_parser("play", parents=[common, seat, terms], help="play against the computer")
    play.add_argument("--opponent", choices=("greedy",), default="greedy", help="how the computer plays")
    play.set_defaults(run=_later("play"))
    host = commands.add_parser("host", parents=[common, seat, terms, door], help="open a table and print its invite")
    host.set_defaults(run=_later("host"))
    join = commands.add_parser("join", parents=[common, seat, terms], help="sit down at somebody's table")
    join.add_argument("invite", help="the line that the host has sent you, beginning with sm-p2p://")
    join.set_defaults(run=_later("join"))
    simulate = commands.add_parser("simulate", parents=[common, terms], help="let two computers play open games")
    simulate.add_argument("--players", default="greedy,greedy", metavar="A,B", help=f"two of {', '.join(BOTS)}")
    simulate.add_argument("--games", type=_count, default=None, metavar="N", help="how many games (1 with --text)")
    simulate.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed gives the same games")
    simulate.add_argument("--text", action="store_true", help="tell the games as sentences")
    simulate.set_defaults(run=_later("simulate"))


def _add_files(commands: "argparse._SubParsersAction[_Parser]", common: _Parser) -> None:
    replay = commands.add_parser("replay", parents=[common], help="tell a saved match")
    replay.add_argument("file", help="a log (.smlog)")
    replay.add_argument("--text", action="store_true", help="as sentences (the only way so far)")
    replay.set_defaults(run=_later("replay"))
    verify = commands.add_parser(
        "verify", parents=[common], help="check logs: signatures, chain, proofs, rules, result"
    )
    verify.add_argument("file", nargs="+", help="logs (.smlog)")
    verify.set_defaults(run=_later("verify"))
    export = commands.add_parser("export", parents=[common], help="write a log as JSON Lines")
    export.add_argument("file", help="a log (.smlog)")
    export.add_argument("--open", action="store_true", help="with both hands, where the keys are revealed")
    export.set_defaults(run=_later("export"))


def _later(command: str) -> Callable[[argparse.Namespace], int]:
    """The command, whose room is entered only when it runs."""

    def run(arguments: argparse.Namespace) -> int:
        match command:
            case "play" | "host" | "join":
                from sm_p2p.cli import tables

                return {"play": tables.play, "host": tables.host, "join": tables.join}[command](arguments)
            case "simulate":
                from sm_p2p.cli import games

                return games.run(arguments)
            case _:
                from sm_p2p.cli import files

                return {"replay": files.replay, "verify": files.verify, "export": files.export}[command](arguments)

    return run


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value < 10**7:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 < value < 65536:
        raise argparse.ArgumentTypeError(f"{text} is not a port; ports are 1 to 65535")
    return value


def _count(text: str) -> int:
    value = int(text)
    if not 0 < value <= 10**7:
        raise argparse.ArgumentTypeError(f"{text} is not a number of games")
    return value


if __name__ == "__main__":
    raise SystemExit(main())
