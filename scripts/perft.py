"""Perft: how many different ways of so many legal moves a game can go from a position; the proof of an engine.

`python -m scripts.perft --variant quick --seed 1 --depth 3` prints the counts of a deal, `--divide` one line a first move.
A way ends where the game ends: a finished position has no ways of further moves.
"""

import argparse
import time

from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import OpenGame, open_game
from sm_p2p.rules.variant import Variant


def perft(game: OpenGame, depth: int) -> int:
    """The number of ways of exactly `depth` legal moves (≥ 1), reshuffles and turned-up cards as the open dealer has them."""
    seat = game.table.to_move
    if seat is None:
        return 0
    moves = game.view(seat).legal_moves
    if depth == 1:
        return len(moves)
    return sum(perft(game.play(move), depth - 1) for move in moves)


def after(game: OpenGame, moves: str) -> OpenGame:
    """The game after these moves, with spaces between them."""
    for move in moves.split():
        game = game.play(Move.parse(move))
    return game


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description="count the ways that a deal can go")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--moves", default="", help="moves that are made first, with spaces between them")
    parser.add_argument("--divide", action="store_true", help="one line for each first move")
    words = parser.parse_args()
    game = after(open_game(Variant.parse(words.variant), words.seed), words.moves)
    print(game.table)
    if words.divide and game.table.to_move is not None:
        for move in game.view(game.table.to_move).legal_moves:
            print(move, perft(game.play(move), words.depth - 1) if words.depth > 1 else 1)
    for depth in range(1, words.depth + 1):
        began = time.perf_counter()
        ways = perft(game, depth)
        print(f"depth {depth}: {ways} ways, {ways / (time.perf_counter() - began):,.0f}/s")


if __name__ == "__main__":
    main()
