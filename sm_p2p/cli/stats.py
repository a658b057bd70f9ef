"""The command about records: stats, what was won and lost against each opponent.

Law: all of it is counted from the saved matches, and nothing is kept beside them; a copy of a log counts nothing. Matches
follow each other as they were written on last. A rating of two players who only meet each other says what their share of
won games says, so it is that share, as the difference in rating that it stands for.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log10
from typing import Final

from sm_p2p.bot.simulate import wilson
from sm_p2p.cli.parser import PROGRAM
from sm_p2p.cli.shelf import Shelved, State, shelf
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.cli.words import find_places
from sm_p2p.store.keys import load_secret
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.words import Words, mark

WORDS: Final = Words()
ENOUGH: Final = 20  # decided games, before which a rating says nothing
HEADS: Final = (
    mark("WITH"),
    mark("MATCHES"),
    mark("UNFINISHED"),
    mark("GAMES"),
    mark("TIED"),
    mark("POINTS"),
    mark("STREAK"),
    mark("LONGEST"),
    mark("WON"),
    mark("RATING"),
)
OVER: Final = {State.FINISHED, State.UNOPENED}
WON, LOST, TIED = 1, -1, 0


@dataclass(frozen=True, slots=True)
class Record:
    """What was played against one opponent, oldest first: matches that are over, others, and games with their points."""

    name: str
    key: bytes  # empty: all opponents together
    matches: tuple[int, ...]  # WON, LOST
    unfinished: int
    games: tuple[int, ...]  # WON, LOST, TIED
    points: tuple[int, int]

    @property
    def streak(self) -> int:
        """So many games in a row were won up to the last one, or (below 0) lost."""
        runs = _runs(self.games)
        return runs[-1] if runs else 0

    @property
    def longest(self) -> int:
        """The most games that were won in a row."""
        return max((0, *_runs(self.games)))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the share of decided games lies that we win, with 95 %; None while there is none."""
        won, lost = self.games.count(WON), self.games.count(LOST)
        return wilson(won, won + lost) if won + lost else None

    @property
    def rating(self) -> int | None:
        """How far we are rated above this opponent; None while that says nothing.

        Source: Elo 1978, the logistic form; half a game is added to each side, so that nobody is infinitely better.
        """
        won, lost = self.games.count(WON), self.games.count(LOST)
        return round(400 * log10((won + 0.5) / (lost + 0.5))) if won + lost >= ENOUGH else None


def run(arguments: argparse.Namespace) -> int:
    """Print the records."""
    places = find_places(arguments)
    if places.identity.exists():
        load_secret(places.identity)  # whose matches these are has to be known
    found = records(shelf(places))
    if arguments.json:
        sys.stdout.write("".join(f"{_json(one)}\n" for one in found))
        return Status.OK
    if not found:
        complain(f"{PROGRAM}: {WORDS.say('No match of yours is saved here.')}")
        return Status.OK
    rows = [*map(_row, found)]
    if len(found) > 1:
        rows.append(_row(_together(found)))
    sys.stdout.write("".join(f"{line}\n" for line in _table(rows)))
    return Status.OK


def records(saved: Sequence[Shelved]) -> tuple[Record, ...]:
    """What was played against each opponent, whoever was met last first; `saved` is the shelf, the latest first."""
    ours = [one for one in saved if one.seat is not None and one.identity and one.path.stem == one.match.hex()]
    order = list(dict.fromkeys(one.identity for one in ours))
    ours.sort(key=lambda one: (order.index(one.identity), one.changed))
    return tuple(_record([*matches]) for _, matches in groupby(ours, lambda one: one.identity))


def _record(matches: Sequence[Shelved]) -> Record:
    games: list[int] = []
    ends: list[int] = []
    points = [0, 0]
    for one in matches:
        for outcome in one.outcomes:
            is_ours = outcome.winner == one.seat
            games.append(TIED if outcome.winner is None else WON if is_ours else LOST)
            points[not is_ours] += outcome.points
        if one.state in OVER and one.score is not None:
            ends.append(WON if one.score[0] > one.score[1] else LOST)
    last = matches[-1]
    return Record(
        last.opponent, last.identity, tuple(ends), len(matches) - len(ends), tuple(games), (points[0], points[1])
    )


def _together(found: Sequence[Record]) -> Record:
    """The sums; streaks against different opponents make no streak."""
    return Record(
        WORDS.say("all"),
        b"",
        tuple(end for one in found for end in one.matches),
        sum(one.unfinished for one in found),
        tuple(game for one in found for game in one.games),
        (sum(one.points[0] for one in found), sum(one.points[1] for one in found)),
    )


def _runs(games: Sequence[int]) -> list[int]:
    """Games in a row that ended alike: so many won, or (below 0) lost; a tie is a run of none."""
    return [end * len([*same]) for end, same in groupby(games)]


def _row(one: Record) -> tuple[str, ...]:
    won, lost, tied = (one.games.count(end) for end in (WON, LOST, TIED))
    streak, longest = (WORDS.count("{n} won", "{n} won", one.streak), str(one.longest)) if one.key else ("", "")
    if one.key and one.streak <= 0:
        streak = WORDS.count("{n} lost", "{n} lost", -one.streak) if one.streak else "–"
    share = "–"
    if one.interval is not None:
        share = f"{won / (won + lost):.0%} ({one.interval[0]:.0%}–{one.interval[1]:.0%})"
    return (
        WORDS.called(one.name),
        f"{one.matches.count(WON)} : {one.matches.count(LOST)}",
        str(one.unfinished),
        f"{won} : {lost}",
        str(tied),
        f"{one.points[0]} : {one.points[1]}",
        streak,
        longest,
        share,
        "–" if one.rating is None or not one.key else f"{one.rating:+}",
    )


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The rows below their heads, in columns."""
    every = [tuple(map(WORDS.say, HEADS)), *rows]
    widths = [max(text_width(row[at]) for row in every) for at in range(len(HEADS))]
    return [
        "  ".join(cell + " " * (width - text_width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in every
    ]


def _json(one: Record) -> str:
    interval = one.interval
    said = {
        "opponent": one.name,
        "key": one.key.hex(),
        "matches": [one.matches.count(WON), one.matches.count(LOST)],
        "unfinished": one.unfinished,
        "wins": [one.games.count(WON), one.games.count(LOST)],
        "ties": one.games.count(TIED),
        "games": len(one.games),
        "points": one.points,
        "streak": one.streak,
        "longest": one.longest,
        "interval": None if interval is None else [round(bound, 5) for bound in interval],
        "rating": one.rating,
    }
    return json.dumps(said, separators=(",", ":"))
