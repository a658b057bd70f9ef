"""What somebody who plays well thinks of the moves of a game: in lines to read, and as objects.

Law: whoever judges is somebody else, and says how far he is off; here it is only told. Chances are those of the player who
moved, by what he knew then. What no line could show as more than nothing is no mistake.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import Seat
from sm_p2p.ui.words import Words

SEATS: Final = (0, 1)
WORST: Final = 3  # mistakes that are listed of each player
LEAST: Final = 0.005  # of a chance that make a mistake


class Verdict(NamedTuple):
    """A move (the entry of that number, with the card) and the one that was thought better, or the same."""

    entry: int
    turn: int
    seat: Seat
    move: Move
    card: Card | None
    better: Move
    better_card: Card | None
    chance: float  # to win, behind the move
    loss: float  # how much more it would have been

    @property
    def is_same(self) -> bool:
        """Whether nothing else was thought of."""
        return self.move == self.better


class Analysis(NamedTuple):
    """The moves of a game in order, and how far chances are off on average, as seen in so many games."""

    game: int
    verdicts: tuple[Verdict, ...]
    off: float
    games: int

    def at(self, entry: int) -> Verdict | None:
        """What is thought of this entry."""
        return next((verdict for verdict in self.verdicts if verdict.entry == entry), None)

    def mistakes(self, seat: Seat) -> tuple[Verdict, ...]:
        """The biggest of this player, the biggest first."""
        found = [verdict for verdict in self.verdicts if verdict.seat == seat and verdict.loss >= LEAST]
        return tuple(sorted(found, key=lambda verdict: (-verdict.loss, verdict.entry))[:WORST])


def analysis_lines(words: Words, analysis: Analysis) -> Iterator[str]:
    """What there is to read about a game: how sure it is, the biggest mistakes of each player, and every turn."""
    if not analysis.verdicts:
        yield words.say("Game {game}: no move was made.", game=analysis.game)
        return
    yield words.say(
        "Game {game}: each move, the move of hard, and the chance to win, by what its player knew.", game=analysis.game
    )
    yield words.count(
        "A chance is off by {off} on average, as seen in {n} game of hard against itself.",
        "A chance is off by {off} on average, as seen in {n} games of hard against itself.",
        analysis.games,
        off=percent(words, analysis.off),
    )
    for seat in SEATS:
        yield from _mistakes(words, analysis, seat)
    for (_, seat), verdicts in groupby(analysis.verdicts, lambda verdict: (verdict.turn, verdict.seat)):
        yield _turn(words, seat, [*verdicts])


def verdict_lines(words: Words, verdict: Verdict) -> tuple[str, str]:
    """What is thought of a move, in two short lines."""
    chance = percent(words, verdict.chance)
    if verdict.is_same:
        return words.say("as hard would"), words.say("{chance} to win", chance=chance)
    return (
        words.say("hard: {move}", move=named(verdict.better, verdict.better_card)),
        words.say("{loss} more; so {chance} to win", loss=percent(words, verdict.loss), chance=chance),
    )


def analysis_objects(analysis: Analysis) -> Iterator[str]:
    """The same as JSON, an object for each move."""
    for verdict in analysis.verdicts:
        said = {
            "game": analysis.game,
            "turn": verdict.turn,
            "entry": verdict.entry,
            "seat": verdict.seat,
            "move": str(verdict.move),
            "card": None if verdict.card is None else verdict.card.face,
            "hard": str(verdict.better),
            "hard_card": None if verdict.better_card is None else verdict.better_card.face,
            "chance": round(verdict.chance, 4),
            "loss": round(verdict.loss, 4),
            "off": analysis.off,
        }
        yield json.dumps(said, separators=(",", ":"))


def percent(words: Words, chance: float) -> str:
    """A chance as it is written everywhere.

    >>> percent(Words(), 0.5), percent(Words(), 0.0123)
    ('50.0 %', '1.2 %')
    """
    return f"{words.decimal(100 * chance, 1)} %"


def named(move: Move, card: Card | None) -> str:
    """A move with its card.

    >>> named(Move.parse("h2-c1"), Card.parse("KS")), named(Move.parse("end"), None)
    ('KS h2-c1', 'end')
    """
    return str(move) if card is None else f"{card.face} {move}"


def _mistakes(words: Words, analysis: Analysis, seat: Seat) -> Iterator[str]:
    name, found = words.name(seat), analysis.mistakes(seat)
    if not found:
        yield words.say("{name} made no mistake that counts.", name=name)
        return
    yield words.count(
        "The biggest mistake of {name}.", "The {n} biggest mistakes of {name}, the worst first.", len(found), name=name
    )
    for at, verdict in enumerate(found, 1):
        yield words.say(
            "{at}. Turn {turn}: {move}; hard: {better}, {loss} more.",
            at=at,
            turn=verdict.turn,
            move=named(verdict.move, verdict.card),
            better=named(verdict.better, verdict.better_card),
            loss=percent(words, verdict.loss),
        )


def _turn(words: Words, seat: Seat, verdicts: Sequence[Verdict]) -> str:
    """A turn with its moves; of those that hard would not have made, the one that has cost most."""
    moves = ", ".join(named(verdict.move, verdict.card) for verdict in verdicts)
    turn, name = verdicts[0].turn, words.name(seat)
    others = [verdict for verdict in verdicts if not verdict.is_same]
    if not others:
        return words.say(
            "Turn {turn}, {name}: {moves}. As hard; {chance} to win.",
            turn=turn,
            name=name,
            moves=moves,
            chance=percent(words, verdicts[-1].chance),
        )
    worst = max(others, key=lambda verdict: verdict.loss)
    return words.say(
        "Turn {turn}, {name}: {moves}. For {move} hard: {better}, {loss} more than {chance} to win.",
        turn=turn,
        name=name,
        moves=moves,
        move=str(worst.move),
        better=named(worst.better, worst.better_card),
        loss=percent(words, worst.loss),
        chance=percent(words, worst.chance),
    )
