"""How fast opponents think and open games are played, beside other engines on their own games in the same run.

Law: a time is the best of several rounds of processor time. The other engines are optional (`pip install --group bench`);
where one is not installed its row says so. Their games are other games: the rows compare orders of magnitude only.
"""

import importlib
import random
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Final

from scripts.measuring.row import Row
from scripts.measuring.rules import addition, seconds
from sm_p2p.bot.opponents import BOTS
from sm_p2p.bot.simulate import Series, simulate
from sm_p2p.rules.open_game import open_game
from sm_p2p.rules.variant import STANDARD
from sm_p2p.stream import Stream

LEVELS: Final = ("easy", "medium", "hard")
AIMS: Final = {"easy": 5, "medium": 20, "hard": 50}
WORST_MS: Final = 200
DEALS: Final = 4
PLIES: Final = 2000
SERIES: Final = (("greedy", "greedy", 20), ("hard", "medium", 4))


def rows() -> Iterator[Row]:
    """The rows of this room, and those of the others."""
    for level in LEVELS:
        took = sorted(_turns(level))
        yield Row(
            f"bot: a turn of {level}", 1000 * sum(took) / len(took), "ms", f"{len(took)} turns; aim {AIMS[level]}"
        )
        yield Row(f"bot: the longest turn of {level}", 1000 * took[-1], "ms", f"aim below {WORST_MS}")
    for first, second, games in SERIES:
        fastest = min(_timed(lambda: [*simulate(Series(first, second, STANDARD, 1), range(games))]) for _ in range(2))  # noqa: B023 - it is called at once
        yield Row(
            f"bot: simulate {first},{second}",
            games / fastest,
            "games/s",
            f"{fastest / games / addition():,.0f} additions a game",
        )
    for work in (_chess, _open_spiel, _rlcard):
        yield from work()


def _turns(level: str) -> Iterator[float]:
    """How long each turn of a level takes against itself."""
    for seed in range(DEALS):
        choosers = tuple(BOTS[level](Stream("bench", seed, number)) for number in range(2))
        spent, turn = 0.0, 1
        game = open_game(STANDARD, seed)
        while (seat := game.table.to_move) is not None:
            if game.table.turn != turn:
                yield spent
                spent, turn = 0.0, game.table.turn
            began = time.process_time()
            move = choosers[seat](game.view(seat))
            spent += time.process_time() - began
            game = game.play(move)


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _installed(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _missing(name: str) -> Row:
    return Row(f"others: {name}", 0, "", "is not installed; pip install --group bench installs what is compared")


def _chess() -> Iterator[Row]:
    """Random games of python-chess."""
    chess = _installed("chess")
    if chess is None:
        yield _missing("python-chess")
        return
    dice = random.Random(1)  # noqa: S311 - no secret hangs on it
    moves: list[object] = []

    def random_play() -> None:
        moves.clear()
        board = chess.Board()
        for _ in range(PLIES // 5):
            found = [*board.legal_moves]
            if not found or len(moves) % 200 == 199:
                board.reset()
                found = [*board.legal_moves]
                moves.append(None)
            move = found[int(dice.random() * len(found))]
            moves.append(move)
            board.push(move)

    took = seconds(random_play)
    yield Row("others: python-chess, random play", PLIES / 5 / took, "plies/s", "chess")

    def push_only() -> None:
        board = chess.Board()
        for move in moves:
            if move is None:
                board.reset()
            else:
                board.push(move)

    yield Row(
        "others: python-chess, push only", len(moves) / seconds(push_only), "plies/s", "chess, legality unchecked"
    )


def _open_spiel() -> Iterator[Row]:
    """Random games of OpenSpiel, driven from Python."""
    spiel = _installed("pyspiel")
    if spiel is None:
        yield _missing("OpenSpiel")
        return
    for name in ("gin_rummy", "crazy_eights"):
        dice = random.Random(1)  # noqa: S311 - no secret hangs on it
        game = spiel.load_game(name)

        def play(game: ModuleType = game, dice: random.Random = dice) -> None:
            state, plies = game.new_initial_state(), 0
            while plies < PLIES:
                if state.is_terminal():
                    state = game.new_initial_state()
                found = state.legal_actions()
                state.apply_action(found[int(dice.random() * len(found))])
                plies += 1

        yield Row(f"others: OpenSpiel, {name}, random play", PLIES / seconds(play), "plies/s", "in C++, from Python")


def _rlcard() -> Iterator[Row]:
    """Random games of RLCard."""
    rlcard = _installed("rlcard")
    if rlcard is None:
        yield _missing("RLCard")
        return
    environment = rlcard.make("gin-rummy", config={"seed": 1})
    dice = random.Random(1)  # noqa: S311 - no secret hangs on it

    def play() -> None:
        plies = 0
        state, _ = environment.reset()
        while plies < PLIES // 10:
            found = [*state["legal_actions"]]
            state, _ = environment.step(found[int(dice.random() * len(found))])
            plies += 1
            if environment.is_over():
                state, _ = environment.reset()

    yield Row("others: RLCard, gin-rummy, random play", PLIES / 10 / seconds(play), "plies/s", "in Python")


def main() -> None:
    """Print the rows."""
    for name, value, unit, note in rows():
        print(f"{name:48} {value:>12,.1f} {unit:8} {note}", flush=True)


if __name__ == "__main__":
    main()
