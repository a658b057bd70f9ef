"""What a verification found, as a value, as JSON and as plain lines.

Law: a report is data; whatever foreign text is in it has been cleaned. The text of `to_json` is one line of ASCII with
its keys in the order in which the code names them; keys may be added later, none is renamed.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, assert_never

from sm_p2p.errors import Code
from sm_p2p.rules.table import How, Outcome
from sm_p2p.session.events import (
    Ancillary,
    Answered,
    Dealt,
    Event,
    Joined,
    Key,
    Moved,
    Opened,
    Resigned,
    Revealed,
    Shares,
    Shuffle,
)
from sm_p2p.session.state import Player, SeatNumber
from sm_p2p.store.fingerprint import fingerprint
from sm_p2p.watch.claims import Claim


class Standing(StrEnum):
    """How a file stands."""

    COMPLETE = "complete"  # the match is over and everything is opened
    UNOPENED = "unopened"  # a game has ended, and somebody has not opened his key
    INCOMPLETE = "incomplete"  # good as far as it goes
    TORN = "torn"  # the last entry was not written to its end; good up to there
    WRONG = "wrong"  # an entry can be read, and breaks the protocol: that was somebody's doing
    DAMAGED = "damaged"  # bytes of the file have changed: a disk does that, nobody has to be guilty
    NO_LOG = "no-log"  # it is something else
    UNKNOWN_VERSION = "unknown-version"
    MISSING = "missing"  # there is no such file
    UNREADABLE = "unreadable"  # it may not be read

    @property
    def exit_code(self) -> int:
        """The exit code of `verify`."""
        match self:
            case Standing.MISSING | Standing.UNREADABLE:
                return 2
            case Standing.WRONG | Standing.DAMAGED | Standing.NO_LOG:
                return 3
            case Standing.UNKNOWN_VERSION:
                return 5
            case _:
                return 0


class Flaw(NamedTuple):
    """The first thing that is wrong: the entry (None: the file itself), the fault code if there is one, a sentence."""

    entry: int | None
    code: Code | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of what were checked and found right; `audits` are games that were opened and looked at whole."""

    entries: int = 0
    moves: int = 0
    shuffles: int = 0
    shares: int = 0
    keys: int = 0
    openings: int = 0
    resignations: int = 0
    petitions: int = 0
    ancillaries: int = 0
    games: int = 0
    audits: int = 0


class Played(NamedTuple):
    """One game of the match; `outcome` is None while it goes on, `is_audited` once both keys lay open."""

    number: int
    turns: int
    outcome: Outcome | None
    is_audited: bool


@dataclass(frozen=True, slots=True)
class Report:
    """What is known about one file. Everything behind `flaw` is about the entries before the flaw.

    `waits_for` is the seat whose entry comes next, `unopened_by` the one who owes the key of a finished game. `claim` is
    what somebody says beside the log, and no part of it.
    """

    path: Path
    standing: Standing
    flaw: Flaw | None = None
    counts: Counts = field(default_factory=Counts)
    match: bytes = b""
    head: bytes = b""
    variant: str = ""
    players: tuple[Player, ...] = ()
    games: tuple[Played, ...] = ()
    score: tuple[int, int] = (0, 0)
    winner: SeatNumber | None = None
    waits_for: SeatNumber | None = None
    unopened_by: SeatNumber | None = None
    torn_bytes: int = 0
    claim: Claim | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of `verify` for this file; of several files the largest counts."""
        return self.standing.exit_code


def counted(event: Event) -> Counts:
    """What one entry adds to the counts."""
    match event:
        case Opened():
            return Counts(entries=1)
        case Joined(key=key):
            return Counts(entries=1, keys=_one(key))
        case Dealt(key, shuffle):
            return Counts(entries=1, keys=_one(key), shuffles=_one(shuffle))
        case Answered(shuffle, shares):
            return Counts(entries=1, shuffles=_one(shuffle), shares=_many(shares))
        case Moved(_, _, shares, shuffle):
            return Counts(entries=1, moves=1, shuffles=_one(shuffle), shares=_many(shares))
        case Resigned(petition):
            return Counts(entries=1, resignations=1, petitions=int(bool(petition)))
        case Revealed(_, key, shuffle):
            return Counts(entries=1, openings=1, keys=_one(key), shuffles=_one(shuffle))
        case Ancillary():
            return Counts(entries=1, ancillaries=1)
        case _:
            assert_never(event)


def together(one: Counts, other: Counts) -> Counts:
    """The sum of two counts."""
    added = asdict(other)
    return Counts(**{name: count + added[name] for name, count in asdict(one).items()})


def to_json(report: Report) -> str:
    """The report as one JSON object on one line, without the line's end."""
    flaw = report.flaw
    return json.dumps(
        {
            "file": str(report.path),
            "standing": report.standing,
            "exit": report.exit_code,
            "fault": None if flaw is None else flaw._asdict(),
            "match": report.match.hex() or None,
            "head": report.head.hex() or None,
            "variant": report.variant or None,
            "players": [
                {"name": one.name, "key": one.identity.hex(), "fingerprint": " ".join(fingerprint(one.identity))}
                for one in report.players
            ],
            "counts": asdict(report.counts),
            "games": [
                {
                    "game": game.number,
                    "turns": game.turns,
                    "outcome": None if game.outcome is None else game.outcome._asdict(),
                    "audited": game.is_audited,
                }
                for game in report.games
            ],
            "score": report.score,
            "winner": report.winner,
            "waits_for": report.waits_for,
            "unopened_by": report.unopened_by,
            "torn_bytes": report.torn_bytes,
            "claim": None if report.claim is None else report.claim._asdict(),
        },
        separators=(",", ":"),
    )


def report_lines(report: Report) -> list[str]:
    """The report in English, one sentence or fact a line; the first line says whether the file is good."""
    return [f"{_printable(report.path)}: {_verdict(report)}", *(f"  {line}" for line in _facts(report))]


def _verdict(report: Report) -> str:
    flaw = report.flaw
    if flaw is not None:
        place = "" if flaw.entry is None else f"entry {flaw.entry}: "
        code = "" if flaw.code is None else f" ({flaw.code})"
        return f"{report.standing}: {place}{flaw.sentence}{code}"
    match report.standing:
        case Standing.COMPLETE:
            return "whole and good"
        case Standing.UNOPENED:
            return f"good; unopened by {_name(report, report.unopened_by)}"
        case Standing.TORN:
            return f"good, but the last {report.torn_bytes:,} bytes are an entry that was not written to its end"
        case _:
            return "good as far as it goes; the match is not over"


def _facts(report: Report) -> Iterator[str]:
    if not report.players:
        return
    names = " and ".join(player.name for player in report.players)
    yield f"match {report.match.hex()}, {report.variant}, {names}"
    for player in report.players:
        yield f"{player.name}: {' '.join(fingerprint(player.identity))}"
    for game in report.games:
        audited = ", opened and audited" if game.is_audited else ""
        yield f"game {game.number}: {_outcome(report, game.outcome)} in turn {game.turns}{audited}"
    if len(report.players) == 2:
        first, second = (player.name for player in report.players)
        won = "" if report.winner is None else f"; {_name(report, report.winner)} has won the match"
        yield f"score: {first} {report.score[0]} : {report.score[1]} {second}{won}"
    if report.standing is Standing.TORN and report.unopened_by is not None:
        yield f"unopened by {_name(report, report.unopened_by)}"
    elif report.waits_for is not None and report.flaw is None:
        yield f"the next entry is {_name(report, report.waits_for)}'s"
    if report.claim is not None:
        by, other = _name(report, report.claim.by), _name(report, 1 - report.claim.by)
        away = f"{report.claim.minutes} min"
        yield f"claimed by {by}, and no result: that {other} has abandoned the match, away for {away}"
    yield "checked: " + ", ".join(f"{count} {name}" for name, count in asdict(report.counts).items() if count)
    yield f"head {report.head.hex()}"


def _outcome(report: Report, outcome: Outcome | None) -> str:
    if outcome is None:
        return "not over"
    if outcome.winner is None:
        return "a tie"
    winner, loser = _name(report, outcome.winner), _name(report, 1 - outcome.winner)
    points = "1 point" if outcome.points == 1 else f"{outcome.points} points"
    return f"{winner} wins {points}" if outcome.how is How.WIN else f"{loser} resigned, {winner} wins {points}"


def _name(report: Report, seat: SeatNumber | None) -> str:
    if seat is None or seat >= len(report.players):
        return "the guest" if seat else "the host"
    return report.players[seat].name


def _printable(path: Path) -> str:
    """A name of a file may hold anything but a zero byte."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(path))


def _one(part: Key | Shuffle) -> int:
    return int(bool(part.proof))


def _many(shares: Shares) -> int:
    return len(shares.points) // 32
