"""Many open games between two named opponents, every deal played twice with the seats swapped.

Law: the results are a function of variant, names, count and seed, whatever is measured beside them; one game of the series
can be played again alone, so that any part of them can be played anywhere.
"""

from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from typing import NamedTuple, TypeAlias

from sm_p2p.bot.opponents import find
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import Chooser, OpenGame, open_game, play_out
from sm_p2p.rules.parts import How, Outcome, Seat
from sm_p2p.rules.table import LAST_TURN, Table
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.stream import Stream

Clock: TypeAlias = Callable[[], float]
"""Seconds since whenever."""


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

    def play(self, game: int, timed: "Timed | None" = None) -> Iterator[tuple[Move, OpenGame]]:
        """Each move of this game with the position after it; raises UsageError when a name is not known."""
        names = (self.first, self.second)
        choosers = [find(name)(Stream("SM1/simulate", self.seed, game, number)) for number, name in enumerate(names)]
        if timed is not None:
            choosers = [timed.of(number, chooser) for number, chooser in enumerate(choosers)]
        ours = self.seat(game)
        return play_out(self.start(game), (choosers[ours], choosers[1 - ours]))


class Timed:
    """How long two players have thought, in seconds of a clock."""

    def __init__(self, clock: Clock) -> None:
        self.spent = [0.0, 0.0]
        self._clock = clock

    def of(self, number: int, chooser: Chooser) -> Chooser:
        """The same player, with an eye on the clock."""

        def choose(view: View) -> Move:
            began = self._clock()
            move = chooser(view)
            self.spent[number] += self._clock() - began
            return move

        return choose


class Result(NamedTuple):
    """One game of a series."""

    game: int
    seat: Seat  # of the first opponent
    outcome: Outcome
    turns: int
    plays: int  # moves to the centre
    completed: int  # stacks that went back into the stock
    ran_out: bool  # whether it ended because the stock had run out
    spent: tuple[float, float] = (0.0, 0.0)  # seconds of the first and the second opponent


class Tally(NamedTuple):
    """A series, counted from the first opponent's side."""

    games: int = 0
    won: int = 0
    lost: int = 0
    tied: int = 0
    points: tuple[int, int] = (0, 0)
    turns: int = 0
    plays: int = 0
    completed: int = 0
    stock_outs: int = 0
    spent: tuple[float, float] = (0.0, 0.0)

    def and_also(self, result: Result) -> "Tally":
        """The tally with one more game."""
        winner, scored = result.outcome.winner, result.outcome.points
        has_won, has_lost = winner == result.seat, winner == 1 - result.seat
        return Tally(
            self.games + 1,
            self.won + has_won,
            self.lost + has_lost,
            self.tied + (winner is None),
            (self.points[0] + scored * has_won, self.points[1] + scored * has_lost),
            self.turns + result.turns,
            self.plays + result.plays,
            self.completed + result.completed,
            self.stock_outs + result.ran_out,
            (self.spent[0] + result.spent[0], self.spent[1] + result.spent[1]),
        )


def simulate(series: Series, games: Iterable[int], clock: Clock | None = None) -> Iterator[Result]:
    """These games of the series, one after the other; raises UsageError when a name is not known."""
    for game in games:
        timed = None if clock is None else Timed(clock)
        plays, before = 0, series.start(game).table
        for move, (table, _, _) in series.play(game, timed):
            plays += not move.ends_turn
            if table.outcome is not None:
                spent = (0.0, 0.0) if timed is None else (timed.spent[0], timed.spent[1])
                completed, has_run_out = table.stock.deck, ran_out(before, move, table)
                yield Result(game, series.seat(game), table.outcome, table.turn, plays, completed, has_run_out, spent)
            before = table


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


def ran_out(before: Table, move: Move, after: Table) -> bool:
    """Whether this last move of a game found too small a stock: nobody has played the last pay-off card, and a turn was left."""
    is_last_turn = before.turn == LAST_TURN and move.ends_turn
    outcome = after.outcome
    return (
        outcome is not None
        and outcome.how is not How.RESIGN
        and not is_last_turn
        and all(place.pay_off for place in after.places)
    )
