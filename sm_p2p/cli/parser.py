"""The words of the command line, and what each command takes.

Law: whatever is wrong with them is one sentence on standard error, and status 2.
"""

import argparse
import re
from collections.abc import Sequence
from typing import Final, NoReturn, Protocol

from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.errors import Sentence
from sm_p2p.ui.tongue import again, mark
from sm_p2p.version import PACKAGE, PROTOCOL, RULES

PROGRAM: Final = "sm-p2p"
LANGUAGES: Final = ("en", "pt", "id", "es")
LEVELS: Final = ("easy", "medium", "hard")
BOTS: Final = (*LEVELS, "greedy", "play-first", "random")
OWN: Final = "module:function"
SPECTATORS: Final = ("invited", "anyone", "none")
UIS: Final = ("line", "screen")
FORMS: Final = ("jsonl", "sheet", "txt", "cast")
SHELLS: Final = ("bash", "zsh", "fish")
SPEEDS: Final = ("0.25", "0.5", "1", "2", "4", "8")
LONGEST_WAIT_S: Final = 10**7
MOST_GAMES: Final = 10**7
MOST_JOBS: Final = 256
LARGEST_CROWD: Final = 500  # each of them is an open connection, and a process may have a thousand
MOST_SEEDS: Final = 2**63
_COMPUTERS: Final = Sentence("{names}, or {own} of your own", names=", ".join(BOTS), own=OWN)
_PORT: Final = mark("{text} is not a port; ports are {low} to {high}")
SHOWN: Final = 60  # characters of a wrong word that are said again


class Writable(Protocol):
    """What text is written to."""

    def write(self, text: str, /) -> object:
        """Write it."""


class Parser(argparse.ArgumentParser):
    """argparse with its complaints in one sentence."""

    def error(self, message: str) -> NoReturn:
        """One sentence on standard error, status 2."""
        told = Sentence("{message}. Try: {program} --help", message=message, program=self.prog)
        complain(f"{PROGRAM}: {again(told)}")
        raise SystemExit(int(Status.USAGE))

    def translate(self) -> None:
        """Say its help in the language of the player."""
        self.description, self.epilog = again(self.description or ""), again(self.epilog or "")
        for action in self._actions:
            _translate(action)
            if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - there is no other name for it
                for line in action._get_subactions():  # noqa: SLF001 - the same
                    _translate(line)
                for parser in action.choices.values():
                    parser.translate()

    def _print_message(self, message: str, file: Writable | None = None) -> None:
        """What cannot be written is not passed over, as argparse does."""
        if file is not None:
            file.write(message)


class _Together(argparse.Action):
    """Words that belong together: an invite that was pasted without quotes, a name of two words; none: None."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        _option: str | None = None,
    ) -> None:
        """Keep them as one text."""
        setattr(namespace, self.dest, " ".join(map(str, values)) if values else None)


def _translate(action: argparse.Action) -> None:
    """Once only, for parents share their actions with their children."""
    if action.help and action.help != argparse.SUPPRESS:
        action.help = str(again(action.help))
    if isinstance(action.metavar, str):
        action.metavar = re.sub(r"[A-Z]{2,}", lambda found: str(again(found[0])), action.metavar)


PLACES: Final = (  # what stands for what somebody writes himself
    *(mark("COMMAND"), mark("DIR"), mark("FILE"), mark("FUNCTION"), mark("HOST"), mark("INVITE"), mark("KEY")),
    *(mark("LEVEL"), mark("MATCH"), mark("MODULE"), mark("NAME"), mark("OPTION"), mark("PORT"), mark("SECONDS")),
    *(mark("VALUE"), mark("WHO"), mark("WORDS")),
)


def make_parser() -> Parser:
    """The parser; a command's name is in `command`."""
    parser = Parser(
        prog=PROGRAM,
        description="Spite & Malice for two terminals: a signed log, a provable shuffle, nobody in the middle.",
        epilog="Without a command: a menu where there is a screen, else play. Each command explains itself: sm-p2p COMMAND --help",
    )
    version = f"{PROGRAM} {PACKAGE} (protocol {PROTOCOL}, rules {RULES})"
    parser.add_argument("--version", action="version", version=version)
    common = Parser(add_help=False)
    common.add_argument("--version", action="version", version=version)
    common.add_argument("--home", metavar="DIR", help="keep options, keys and matches below this directory")
    common.add_argument("--lang", choices=LANGUAGES, help="language of the sentences")
    common.add_argument("--json", action="store_true", help="one JSON object a line instead of sentences")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser, dest="command")
    _add_tables(commands, common)
    _add_files(commands, common)
    _add_saved(commands, common)
    parser.translate()
    return parser


def _add_tables(commands: "argparse._SubParsersAction[Parser]", common: Parser) -> None:
    seat = Parser(add_help=False)
    seat.add_argument("--name", metavar="NAME", help="what the other player calls you (asked once, then remembered)")
    seat.add_argument(
        "--player",
        type=_player,
        default="human",
        metavar="WHO",
        help=Sentence("who sits in this seat: human, {computers}", computers=_COMPUTERS),
    )
    seat.add_argument(
        "--pause", type=_seconds, metavar="SECONDS", help="how long a computer takes for a move at least (0: no pause)"
    )
    seat.add_argument("--ui", choices=UIS, help="the kind of screen (by itself: what the terminal can)")
    seat.add_argument("--yes", action="store_true", help="agree to whatever variant the host offers")
    seat.add_argument("--wait", type=_seconds, metavar="SECONDS", help="how long to wait for the other player")
    seat.add_argument("--tied", action="store_true", help=argparse.SUPPRESS)
    terms = Parser(add_help=False)
    terms.add_argument("--variant", metavar="NAME[,KEY=VALUE…]", help="standard, quick or long, with changes")
    terms.add_argument("--to", type=_points, metavar="N", help="play to N points (short for target=N)")
    fresh = Parser(add_help=False)
    fresh.add_argument("--new", action="store_true", help="begin a new match, whatever else waits to be gone on with")
    door = Parser(add_help=False)
    door.add_argument("--port", type=_port, metavar="N", help="the TCP port to listen on")
    door.add_argument("--bind", action="append", metavar="IP", help="listen on this address only (can be repeated)")
    door.add_argument("--unlisted", action="store_true", help="do not show this table on the local network")

    public = Parser(add_help=False)
    public.add_argument(
        "--address",
        action="append",
        metavar="HOST[:PORT]",
        help="name this address in the invite too: of a router, a VPN, a tunnel (can be repeated)",
    )
    watched = Parser(add_help=False)
    watched.add_argument(
        "--spectators", choices=SPECTATORS, help="who may watch (by itself: whoever has the invite for it)"
    )
    most = Parser(add_help=False)
    most.add_argument(
        "--spectators-max", type=_crowd, metavar="N", help="how many may watch here at once (64 by itself)"
    )
    serve = Parser(add_help=False)
    serve.add_argument(
        "--serve", type=_any_port, metavar="PORT", help="let others watch here too, on this TCP port (0: any)"
    )

    menu = commands.add_parser(
        "menu", parents=[common, seat, terms, fresh, door, public, watched, most, serve]
    )  # without a word: what sm-p2p alone does
    menu.set_defaults(opponent="medium")
    commands.add_parser(
        "play", parents=[common, seat, terms, fresh, door], help="play against the computer"
    ).add_argument(
        "--opponent",
        type=_computer,
        default="medium",
        metavar="LEVEL",
        help=Sentence("how the computer plays: {computers}", computers=_COMPUTERS),
    )
    commands.add_parser(
        "host",
        parents=[common, seat, terms, fresh, door, public, watched, most],
        help="open a table and print its invite",
    )
    join = commands.add_parser(
        "join", parents=[common, seat, terms, fresh, most, serve], help="sit down at somebody's table"
    )
    join.add_argument("--list", action="store_true", help="only tell which tables there are")
    join.add_argument(
        "invite",
        nargs="*",
        action=_Together,
        help="the line that the host has sent you, the address of a table, or whom you have met; -: the first line of the input",
    )
    join.add_argument("--fingerprint", metavar="WORDS", help="the eight words of the host's key, with an address")
    _add_watch(commands, common, most, serve)
    resume = commands.add_parser(
        "resume",
        parents=[common, seat, door, public, watched, most, serve],
        help="go on with an unfinished match, as it was played last",
    )
    resume.set_defaults(variant=None, to=None, new=False)
    resume.add_argument(
        "match", nargs="?", metavar="MATCH", help="the beginning of its id, as listed by sm-p2p matches"
    )
    resume.add_argument("--opponent", type=_computer, default="medium", metavar="LEVEL", help="how the computer plays")
    resume.add_argument("--invite", metavar="INVITE", help="where the other side's table is now")
    simulate = commands.add_parser("simulate", parents=[common, terms], help="let two computers play open games")
    simulate.add_argument(
        "--players", default="greedy,greedy", metavar="A,B", help=Sentence("two of {computers}", computers=_COMPUTERS)
    )
    simulate.add_argument("--games", type=_games, default=None, metavar="N", help="how many games (1 with --text)")
    simulate.add_argument("--seed", type=_seed, default=1, metavar="N", help="the same seed gives the same games")
    simulate.add_argument("--jobs", type=_jobs, metavar="N", help="how many games at once (1 by itself)")
    simulate.add_argument("--text", action="store_true", help="tell the games as sentences")
    simulate.add_argument(
        "--check", type=_computer, metavar="MODULE:FUNCTION", help="whether this player keeps to what every player must"
    )


def _add_watch(commands: "argparse._SubParsersAction[Parser]", *parents: Parser) -> None:
    watch = commands.add_parser("watch", parents=parents, help="watch a match as it is played")
    watch.add_argument(
        "invite",
        nargs="+",
        action=_Together,
        help="the line for watching that a player or another spectator has sent you; -: the first line of the input",
    )
    watch.add_argument("--name", metavar="NAME", help="what you are called there")
    watch.add_argument("--ui", choices=UIS, help="the kind of screen (by itself: what the terminal can)")
    watch.add_argument("--save", metavar="FILE", help="keep the log in this new file, for replay and verify")
    watch.set_defaults(player="human")
    watch.add_argument("--wait", type=_seconds, metavar="SECONDS", help="how long to wait for an answer")


def _add_files(commands: "argparse._SubParsersAction[Parser]", common: Parser) -> None:
    replay = commands.add_parser("replay", parents=[common], help="play a saved match again")
    replay.add_argument(
        "file", nargs="?", metavar="FILE|MATCH", help="a log or a saved match; without it: one of a list"
    )
    told = replay.add_mutually_exclusive_group()
    told.add_argument("--text", action="store_true", help="all of it as sentences")
    told.add_argument(
        "--analysis", action="store_true", help="each move of its finished games beside the one that hard would make"
    )
    replay.add_argument("--ui", choices=UIS, help="the kind of screen (by itself: what the terminal can)")
    replay.set_defaults(player="human")
    verify = commands.add_parser(
        "verify", parents=[common], help="check logs: signatures, chain, proofs, rules, result"
    )
    verify.add_argument("file", nargs="+", metavar="FILE|DIR|MATCH", help="logs, directories of logs, or saved matches")
    verify.add_argument("--jobs", type=_jobs, metavar="N", help="how many at once (by itself: one for each core)")
    export = commands.add_parser("export", parents=[common], help="write a log in another form")
    export.add_argument("file", metavar="FILE|MATCH", help="a log or a saved match")
    export.add_argument("--format", choices=FORMS, help="JSON Lines, score sheet, sentences, or a film for asciinema")
    export.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="a new file, whose ending can say the form, or .smlog: the log itself (-: no file)",
    )
    export.add_argument("--force", action="store_true", help="write over a file that exists")
    export.add_argument("--open", action="store_true", help="with both hands, where the keys are revealed")
    export.add_argument("--chat", action="store_true", help="with the chat that is kept beside the log (sheet, film)")
    export.add_argument("--unproved", action="store_true", help="leave out the proofs, which take most of the time")
    export.add_argument("--game", type=_whole, metavar="N", help="this game only (film)")
    export.add_argument("--speed", choices=SPEEDS, default="1", help="how fast it plays (film)")
    export.add_argument("--seat", type=int, choices=(0, 1), default=0, help="who is at the bottom: 0 the host (film)")
    export.add_argument("--size", type=_size, metavar="80x24", help="columns and rows (film)")


def _add_saved(commands: "argparse._SubParsersAction[Parser]", common: Parser) -> None:
    matches = commands.add_parser("matches", parents=[common], help="list the saved matches, or delete some")
    below = matches.add_subparsers(metavar="delete", parser_class=Parser, dest="action")
    delete = below.add_parser("delete", parents=[_said_again()], help="delete matches with all that belongs to them")
    delete.add_argument("match", nargs="+", metavar="MATCH", help="the beginning of an id as listed, or a file")
    delete.add_argument("--yes", action="store_true", help="without a question")
    commands.add_parser(
        "stats", parents=[common], help="games, points and streaks against each opponent, from the saved matches"
    )
    backup = commands.add_parser("backup", parents=[common], help="write key, matches and options into one file")
    backup.add_argument("file", metavar="FILE", help="a new file; whoever has it can play as you")
    backup.add_argument("--force", action="store_true", help="write over a file that exists")
    restore = commands.add_parser("restore", parents=[common], help="take over what a backup holds")
    restore.add_argument("file", metavar="FILE", help="a file that sm-p2p backup has written")
    restore.add_argument("--force", action="store_true", help="move another key and its matches aside")
    _add_key(commands, common)
    config = commands.add_parser("config", parents=[common], help="show, explain or change what is remembered")
    config.add_argument("key", nargs="?", metavar="OPTION", help="one option; without it: all of them")
    config.add_argument("value", nargs="?", metavar="VALUE", help="what it is to be from now on")
    config.add_argument("--unset", action="store_true", help="take the option out of the file")
    completion = commands.add_parser(
        "completion", parents=[common], help="print what a shell needs to complete these words"
    )
    completion.add_argument("shell", choices=SHELLS, help="the shell")
    doctor = commands.add_parser("doctor", parents=[common], help="what this machine can do for the game")
    doctor.add_argument("--port", type=_port, metavar="N", help="the TCP port that a table would listen on")


def _add_key(commands: "argparse._SubParsersAction[Parser]", common: Parser) -> None:
    key = commands.add_parser("key", parents=[common], help="show your key and whom you have met; move or forget keys")
    below = key.add_subparsers(metavar="show|export|import|forget", parser_class=Parser, dest="action")
    again = _said_again()
    again.add_argument("--json", action="store_true", help="one JSON object a line instead of sentences")
    below.add_parser("show", parents=[again], help="your key as words, and everybody whom you have met")
    export = below.add_parser("export", parents=[again], help="write your key into a file")
    export.add_argument("file", metavar="FILE", help="a new file; whoever has it can play as you")
    export.add_argument("--force", action="store_true", help="write over a file that exists")
    into = below.add_parser("import", parents=[again], help="take over a key that was exported")
    into.add_argument("file", metavar="FILE", help="a file that sm-p2p key export has written")
    into.add_argument("--force", action="store_true", help="keep another key that is here aside")
    forget = below.add_parser("forget", parents=[again], help="forget somebody whom you have met")
    forget.add_argument("who", metavar="WHO", help="a name, the eight words of a key, or the beginning of its digits")


def _said_again() -> Parser:
    """What a second word takes as well as the command; what was said before it holds."""
    again = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    again.add_argument("--home", metavar="DIR", help="keep options, keys and matches below this directory")
    again.add_argument("--lang", choices=LANGUAGES, help="language of the sentences")
    return again


def _player(text: str) -> str:
    return text if text == "human" else _computer(text)


def _computer(text: str) -> str:
    if text not in BOTS and not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", text):
        raise _wrong("{text} is no player; there are {computers}", text=_said(text), computers=_COMPUTERS)
    return text


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,9})?", text, re.ASCII):
        raise _wrong("{text} is not a number of seconds from 0 to {most}", text=_said(text), most=LONGEST_WAIT_S - 1)
    return float(text)


def _port(text: str) -> int:
    return _number(text, 1, 65_535, _PORT)


def _any_port(text: str) -> int:
    return _number(text, 0, 65_535, _PORT)


def _points(text: str) -> int:
    return _number(text, 1, 1000, mark("{text} is not a number of points from {low} to {high}"))


def _games(text: str) -> int:
    return _number(text, 1, MOST_GAMES, mark("{text} is not a number of games from {low} to {high}"))


def _crowd(text: str) -> int:
    return _number(text, 1, LARGEST_CROWD, mark("{text} is not a number of people from {low} to {high}"))


def _jobs(text: str) -> int:
    return _number(text, 1, MOST_JOBS, mark("{text} is not a number of processes from {low} to {high}"))


def _whole(text: str) -> int:
    return _number(text, 1, MOST_GAMES, mark("{text} is not a number from {low} to {high}"))


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})[x×]([0-9]{1,3})", text, re.ASCII)
    if found is None or int(found[1]) < 1 or int(found[2]) < 1:
        raise _wrong("{text} is no size like 80x24", text=_said(text))
    return int(found[1]), int(found[2])


def _seed(text: str) -> int:
    return _number(text, 0, MOST_SEEDS - 1, mark("{text} is not a seed; seeds are {low} to {high}"))


def _number(text: str, low: int, high: int, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text, re.ASCII) or not low <= int(text) <= high:
        raise _wrong(what, text=_said(text), low=low, high=high)
    return int(text)


def _wrong(message: str, **values: object) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(again(Sentence(message, **values)))


def _said(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")
