"""How many plies a second the rules do, in the immutable tables that everything else uses.

Law: a time is the best of several rounds of processor time, and its note compares it with bare additions in the same run,
so that it can be read on a slow or busy machine. `python -m scripts.measuring.rules` prints the rows.
"""

import random
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from scripts.measuring.row import Row
from sm_p2p.bot.greedy import choose
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import Chooser, OpenGame, open_game, play_out
from sm_p2p.rules.play import play, settle
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import STANDARD
from sm_p2p.rules.view import View

ROUNDS: Final = 7
GAMES: Final = 40
REPLAY_AIM: Final = 150_000
RANDOM_AIM: Final = 100_000

Ply: TypeAlias = tuple[Move, Card | None, Card | None]
"""A move, the face of its hand card, the pay-off card that it turns up."""


def seconds(work: Callable[[], object]) -> float:
    """The processor time of the fastest of several rounds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def addition() -> float:
    """What one addition in a loop costs just now."""

    def add() -> int:
        total = 0
        for number in range(200_000):
            total += number
        return total

    return seconds(add) / 200_000


def eager(seed: int) -> Chooser:
    """Plays to the centre at random while it can, then discards at random."""
    dice = random.Random(seed).random  # noqa: S311 - no secret hangs on it

    def choose_any(view: View) -> Move:
        moves = view.legal_moves
        plays = [move for move in moves if not move & 4] or moves
        return plays[int(dice() * len(plays))]

    return choose_any


def uniform(seed: int) -> Chooser:
    """Makes any legal move."""
    dice = random.Random(seed).random  # noqa: S311 - no secret hangs on it

    def choose_any(view: View) -> Move:
        moves = view.legal_moves
        return moves[int(dice() * len(moves))]

    return choose_any


def recorded(deals: Sequence[OpenGame]) -> list[tuple[Table, list[Ply]]]:
    """Games between greedy players, as an entry log has them: the first table, and each ply with its faces."""
    games = []
    for deal in deals:
        before, plies = deal, []
        for move, game in play_out(deal, (choose, choose)):
            seat = before.table.to_move or 0
            top = game.table.places[seat].top if move.source == "p" and game.table.outcome is None else None
            plies.append((move, before.card(move), top))
            before = game
        games.append((deal.table, plies))
    return games


def replay(games: Sequence[tuple[Table, Sequence[Ply]]]) -> None:
    """Every ply again, with all checks of the rules."""
    for first, plies in games:
        table = first
        for move, card, top in plies:
            table = play(table, move, card)
            if table.owed is not None:
                table = settle(table, top)


def rows() -> list[Row]:
    """The rows of this room."""
    deals = [open_game(STANDARD, seed) for seed in range(GAMES)]
    games = recorded(deals)
    plies = sum(len(steps) for _, steps in games)
    add = addition()

    def row(name: str, count: int, work: Callable[[], object], aim: str) -> Row:
        took = seconds(work)
        return Row(name, count / took, "plies/s", f"{took / count / add:,.0f} additions a ply{aim}")

    def random_games(player: Callable[[int], Chooser]) -> int:
        pair = player(1), player(2)
        return sum(1 for deal in deals for _ in play_out(deal, pair))

    views = [deal.view(deal.table.to_move or 0) for deal in deals]
    found = [
        row("rules: replay with legality", plies, lambda: replay(games), f"; aim above {REPLAY_AIM:,}"),
        *(
            row(f"rules: random play, {name}", random_games(player), lambda: random_games(player), aim)  # noqa: B023
            for name, player, aim in (
                ("any legal move", uniform, f"; aim above {RANDOM_AIM:,}"),
                ("centre first", eager, "; reshuffles included"),
            )
        ),
    ]
    took = seconds(lambda: [view.legal_moves for view in views])
    found.append(Row("rules: legal moves", took / len(views) * 1e6, "µs", f"{took / len(views) / add:,.0f} additions"))
    dealing = seconds(lambda: [open_game(STANDARD, seed) for seed in range(GAMES)])
    found.append(Row("rules: open deal", dealing / GAMES * 1e6, "µs", f"{dealing / GAMES / add:,.0f} additions"))
    return found


def main() -> None:
    """Print the rows."""
    for name, value, unit, note in rows():
        print(f"{name:36} {value:>12,.1f} {unit:8} {note}")


if __name__ == "__main__":
    main()
