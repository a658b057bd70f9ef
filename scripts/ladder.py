"""The ladder: every opponent against every weaker one, as the table of the README.

`scripts/ladder --games 2000 --jobs 2` plays each deal twice with the seats swapped. The numbers of a pair are a
function of its seed; only the times are those of the machine. `--gate` says with its status whether each beats the one below.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Final, NamedTuple

from sm_p2p.bot.simulate import Result, Series, Tally, simulate, tally, wilson
from sm_p2p.rules.variant import STANDARD, Variant

YARDSTICKS: Final = "scripts.measuring.yardsticks"
NAMES: Final = {
    "random": "random",
    "play-first": "play-first",
    "easy": "easy",
    "near-greedy": f"{YARDSTICKS}:near_greedy",
    "fixed-planner": f"{YARDSTICKS}:fixed_planner",
    "greedy": "greedy",
    "medium": "medium",
    "hard": "hard",
}
PAIRS: Final = (
    ("hard", "medium"),
    ("hard", "greedy"),
    ("hard", "near-greedy"),
    ("hard", "fixed-planner"),
    ("hard", "easy"),
    ("medium", "greedy"),
    ("medium", "easy"),
    ("greedy", "near-greedy"),
    ("greedy", "easy"),
    ("greedy", "play-first"),
    ("easy", "play-first"),
    ("easy", "random"),
)
GATE: Final = {  # the least that the lower end of the interval may be
    ("hard", "medium"): 0.55,
    ("hard", "greedy"): 0.80,
    ("hard", "near-greedy"): 0.89,
    ("hard", "fixed-planner"): 0.55,
    ("medium", "greedy"): 0.60,
    ("medium", "easy"): 0.55,
    ("greedy", "easy"): 0.55,
    ("easy", "play-first"): 0.55,
    ("easy", "random"): 0.55,
}
SEED: Final = 7
CHUNK: Final = 10


class Rung(NamedTuple):
    """One pair and what came out."""

    pair: tuple[str, str]
    total: Tally

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of the decided games lies that the first wins, with 95 %."""
        return wilson(self.total.won, max(self.total.won + self.total.lost, 1))

    def __str__(self) -> str:
        total = self.total
        decided = max(total.won + total.lost, 1)
        low, high = self.interval
        mine, theirs = (2000 * spent / total.turns for spent in total.spent)
        return (
            f"| {self.pair[0]} | {self.pair[1]} | {total.won / decided:.1%} ({low:.1%}–{high:.1%}) | {total.tied / total.games:.1%} "
            f"| {mine:.1f} | {theirs:.1f} | {total.games:,} |"
        )


def played(series: Series, games: range) -> list[Result]:
    """These games of a pair."""
    return [*simulate(series, games, time.process_time)]


def climb(pairs: Sequence[tuple[str, str]], games: int, jobs: int, variant: Variant) -> Iterator[Rung]:
    """Each pair as soon as it has played."""
    every = [(pair, Series(NAMES[pair[0]], NAMES[pair[1]], variant, SEED)) for pair in pairs]
    if jobs == 1:
        for pair, series in every:
            yield Rung(pair, tally(simulate(series, range(games), time.process_time)))
        return
    chunks = [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for pair, series in every:
            results = pool.map(partial(played, series), chunks)
            yield Rung(pair, tally(result for some in results for result in some))


def gate(
    games: int, jobs: int = 1, variant: Variant = STANDARD, least: Mapping[tuple[str, str], float] = GATE
) -> list[str]:
    """A sentence for each pair in which the first does not win as many of the decided games, beyond doubt."""
    wrong = []
    for rung in climb([*least], games, jobs, variant):
        print(rung, flush=True)
        if rung.interval[0] < least[rung.pair]:
            wrong.append(f"{rung.pair[0]} wins less than {least[rung.pair]:.0%} against {rung.pair[1]}")
    return wrong


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="the ladder of the opponents")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--pair", action="append", metavar="A,B", help="only this pair (can be repeated)")
    parser.add_argument("--gate", action="store_true")
    words = parser.parse_args()
    if words.gate:
        wrong = gate(words.games, words.jobs)
        print("\n".join(wrong), file=sys.stderr)
        return 1 if wrong else 0
    asked = [tuple(text.split(",")) for text in words.pair or ()]
    pairs = [(pair[0], pair[1]) for pair in asked] or PAIRS
    print("| first | second | first wins, of decided games (95 %) | ties | ms a turn | of the second | games |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for rung in climb(pairs, words.games, words.jobs, Variant.parse(words.variant)):
        print(rung, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
