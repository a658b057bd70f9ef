"""Many open games between two named opponents, every deal played twice with the seats swapped.

Law: the results are a function of variant, names, count and seed; one game of the series can be played again alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import sqrt
from typing import NamedTuple, TypeAlias

from sm_p2p.bot import greedy, levels, random_player
from sm_p2p.errors import UsageError
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import Chooser, OpenGame, open_game, play_out
from sm_p2p.rules.parts import Outcome, Seat
from sm_p2p.rules.variant import Variant
from sm_p2p.stream import Stream

Bot: TypeAlias = Callable[[Stream], Chooser]
"""Sits down at one game with dice of its own, and chooses from then on."""

BOTS: Mapping[str, Bot] = {
    "easy": levels.easy,
    "medium": levels.medium,
    "hard": levels.hard,
    "greedy": lambda _dice: greedy.choose,
    "play-first": random_player.play_first,
    "random": random_player.uniform,
}


class Series(NamedTuple):
    """What is played: two opponents by name, a variant, a seed."""

    first: str
    second: str
    variant: Variant
    seed: int

    def start(self, game: int) -> OpenGame:
        """Game number `game` (0, 1, …) as it was dealt: 2k and 2k + 1 are the same deal."""
        return open_game(self.variant, self.seed << 32 | game >> 1)

    def seat(self, game: int) -> Seat:
        """Where the first opponent sits in this game."""
        return game & 1

    def play(self, game: int) -> Iterator[tuple[Move, OpenGame]]:
        """Each move of this game with the position after it; raises UsageError when a name is not known."""
        names = (self.first, self.second)
        choosers = [find(name)(Stream("SM1/simulate", self.seed, game, number)) for number, name in enumerate(names)]
        ours = self.seat(game)
        return play_out(self.start(game), (choosers[ours], choosers[1 - ours]))


class Result(NamedTuple):
    """One game of a series."""

    game: int
    seat: Seat  # of the first opponent
    outcome: Outcome
    turns: int
    plays: int  # moves to the centre
    completed: int  # stacks that went back into the stock


class Tally(NamedTuple):
    """A series, counted from the first opponent's side."""

    games: int = 0
    won: int = 0
    lost: int = 0
    tied: int = 0
    points: int = 0  # of both
    turns: int = 0
    plays: int = 0
    completed: int = 0

    def and_also(self, result: Result) -> "Tally":
        """The tally with one more game."""
        winner = result.outcome.winner
        return Tally(
            self.games + 1,
            self.won + (winner == result.seat),
            self.lost + (winner == 1 - result.seat),
            self.tied + (winner is None),
            self.points + result.outcome.points,
            self.turns + result.turns,
            self.plays + result.plays,
            self.completed + result.completed,
        )


def find(name: str) -> Bot:
    """The opponent of this name; raises UsageError."""
    if name not in BOTS:
        raise UsageError(f"there is no opponent {name}; there are {', '.join(BOTS)}")
    return BOTS[name]


def simulate(series: Series, games: int) -> Iterator[Result]:
    """The first so many games of the series, one after the other; raises UsageError when a name is not known."""
    for game in range(games):
        plays = 0
        for move, (table, _, _) in series.play(game):
            plays += not move.ends_turn
            if table.outcome is not None:
                yield Result(game, series.seat(game), table.outcome, table.turn, plays, table.stock.deck)


def tally(results: Iterable[Result]) -> Tally:
    """All results counted."""
    total = Tally()
    for result in results:
        total = total.and_also(result)
    return total


def wilson(won: int, games: int, deviations: float = 1.96) -> tuple[float, float]:
    """The interval of the true share for so many wins in so many games (Wilson 1927; 95 % by default); games ≥ 1.

    >>> [round(bound, 3) for bound in wilson(88, 100)]
    [0.802, 0.93]
    """
    share, square = won / games, deviations**2
    middle = share + square / (2 * games)
    spread = deviations * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return (middle - spread) / (1 + square / games), (middle + spread) / (1 + square / games)
