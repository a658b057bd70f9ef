"""What a verification found, as a value, as JSON and as plain lines.

Law: a report is data; whatever foreign text is in it has been cleaned. The text of `to_json` is one line of ASCII with
its keys in the order in which the code names them; keys may be added later, none is renamed.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple, assert_never

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
from sm_p2p.ui.words import Words, mark, mark_plural
from sm_p2p.watch.claims import Claim

WORDS: Final = Words()


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


STANDINGS: Final = {
    Standing.COMPLETE: mark("complete"),
    Standing.UNOPENED: mark("unopened"),
    Standing.INCOMPLETE: mark("incomplete"),
    Standing.TORN: mark("torn"),
    Standing.WRONG: mark("wrong"),
    Standing.DAMAGED: mark("damaged"),
    Standing.NO_LOG: mark("no-log"),
    Standing.UNKNOWN_VERSION: mark("unknown-version"),
    Standing.MISSING: mark("missing"),
    Standing.UNREADABLE: mark("unreadable"),
}
COUNTED: Final = {
    "entries": mark_plural("{n} entry", "{n} entries"),
    "moves": mark_plural("{n} move", "{n} moves"),
    "shuffles": mark_plural("{n} shuffle", "{n} shuffles"),
    "shares": mark_plural("{n} share", "{n} shares"),
    "keys": mark_plural("{n} key", "{n} keys"),
    "openings": mark_plural("{n} opening", "{n} openings"),
    "resignations": mark_plural("{n} resignation", "{n} resignations"),
    "petitions": mark_plural("{n} petition", "{n} petitions"),
    "ancillaries": mark_plural("{n} ancillary", "{n} ancillaries"),
    "games": mark_plural("{n} game", "{n} games"),
    "audits": mark_plural("{n} audit", "{n} audits"),
}


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
    """The report for the player, one sentence or fact a line; the first line says whether the file is good."""
    return [f"{_printed(str(report.path))}: {_verdict(report)}", *(f"  {line}" for line in _facts(report))]


def _verdict(report: Report) -> str:
    flaw = report.flaw
    if flaw is not None:
        code = "" if flaw.code is None else f" ({flaw.code})"
        sentence = _printed(WORDS.again(flaw.sentence))
        place = "" if flaw.entry is None else f"{WORDS.say('entry {n}', n=flaw.entry)}: "
        return f"{WORDS.say(STANDINGS[report.standing])}: {place}{sentence}{code}"
    match report.standing:
        case Standing.COMPLETE:
            return WORDS.say("whole and good")
        case Standing.UNOPENED:
            return WORDS.say("good; unopened by {name}", name=_name(report, report.unopened_by))
        case Standing.TORN:
            bytes_ = f"{report.torn_bytes:,}"
            return WORDS.say("good, but its last entry was not written to its end ({bytes} B)", bytes=bytes_)
        case _:
            return WORDS.say("good as far as it goes; the match is not over")


def _game(game: Played, ended: str) -> str:
    number, turn = game.number, game.turns
    if not turn and game.outcome is None:
        return WORDS.say("game {number}: no turn yet", number=number)
    if not turn and game.is_audited:
        return WORDS.say(
            "game {number}: {outcome} before its first turn, opened and audited", number=number, outcome=ended
        )
    if not turn:
        return WORDS.say("game {number}: {outcome} before its first turn", number=number, outcome=ended)
    if game.is_audited:
        return WORDS.say(
            "game {number}: {outcome} in turn {turn}, opened and audited", number=number, outcome=ended, turn=turn
        )
    return WORDS.say("game {number}: {outcome} in turn {turn}", number=number, outcome=ended, turn=turn)


def _facts(report: Report) -> Iterator[str]:
    if not report.players:
        return
    names = " · ".join(WORDS.called(player.name) for player in report.players)
    yield WORDS.say("match {match}, {variant}, {names}", match=report.match.hex(), variant=report.variant, names=names)
    for player in report.players:
        yield f"{WORDS.called(player.name)}: {' '.join(fingerprint(player.identity))}"
    for game in report.games:
        yield _game(game, _outcome(report, game.outcome))
    if len(report.players) == 2:
        first, second = (WORDS.called(player.name) for player in report.players)
        score = f"{first} {report.score[0]} : {report.score[1]} {second}"
        if report.winner is None:
            yield WORDS.say("score: {score}", score=score)
        else:
            won = _name(report, report.winner)
            yield WORDS.say("score: {score}; {name} has won the match", score=score, name=won)
    if report.standing is Standing.TORN and report.unopened_by is not None:
        yield WORDS.say("unopened by {name}", name=_name(report, report.unopened_by))
    elif report.waits_for is not None and report.flaw is None:
        yield WORDS.say("the next entry is {name}'s", name=_name(report, report.waits_for))
    if report.claim is not None:
        yield WORDS.say(
            "claimed by {name}, and no result: that {other} has abandoned the match, away for {minutes} min",
            name=_name(report, report.claim.by),
            other=_name(report, 1 - report.claim.by),
            minutes=report.claim.minutes,
        )
    counts = (WORDS.count(*COUNTED[name], count) for name, count in asdict(report.counts).items() if count)
    yield WORDS.say("checked: {counts}", counts=", ".join(counts))
    yield WORDS.say("head {head}", head=report.head.hex())


def _outcome(report: Report, outcome: Outcome | None) -> str:
    if outcome is None:
        return WORDS.say("not over")
    if outcome.winner is None:
        return WORDS.say("a tie")
    winner, loser = _name(report, outcome.winner), _name(report, 1 - outcome.winner)
    if outcome.how is How.WIN:
        return WORDS.count("{name} wins {n} point", "{name} wins {n} points", outcome.points, name=winner)
    return WORDS.count(
        "{loser} resigned, {name} wins {n} point",
        "{loser} resigned, {name} wins {n} points",
        outcome.points,
        loser=loser,
        name=winner,
    )


def _name(report: Report, seat: SeatNumber | None) -> str:
    if seat is None or seat >= len(report.players):
        return WORDS.say("the guest") if seat else WORDS.say("the host")
    return WORDS.called(report.players[seat].name)


def _printed(text: str) -> str:
    """A name of a file may hold anything but a zero byte."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _one(part: Key | Shuffle) -> int:
    return int(bool(part.proof))


def _many(shares: Shares) -> int:
    return len(shares.points) // 32
