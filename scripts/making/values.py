"""Fit the weights of the values on games of the planner against itself, and say how far its chances are off.

`python -m scripts.making.values --games 4000 --rounds 3` plays, fits, and writes `sm_p2p/bot/weights.py`; the weights that
are there are where it starts. `--calibrate` only plays and compares chances with results. Law: a value is linear in its
weights, so what a weight counts is read off the value itself, with that weight 1 and all others 0; nothing is counted twice.

The target of a position is not the bare result, which is mostly luck, but a mixture of it with the values that the same
player gave his next positions (Sutton 1988, TD(λ)); a tie is worth what `TIE` says. Logistic regression by Newton's method.
"""

import argparse
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.bot.levels import move_of
from sm_p2p.bot.planner import FROM_HAND, Line, Planner, Until
from sm_p2p.bot.position import Position, position_of
from sm_p2p.bot.values import TIE, WON, Judge, chance
from sm_p2p.bot.weights import MODEL, Model, Piles, Weights
from sm_p2p.rules.moves import ONTO_SIDE
from sm_p2p.rules.open_game import open_game
from sm_p2p.rules.parts import FULL
from sm_p2p.rules.variant import STANDARD
from sm_p2p.stream import Stream

PATH: Final = Path(__file__).resolve().parents[2] / "sm_p2p" / "bot" / "weights.py"
BOUND: Final = 200
DOUBT: Final = 0.05  # how often one of the better lines is played instead of the best, so that others are seen too
BETTER: Final = 6
LAMBDA: Final = 0.9
RIDGE: Final = 3.0
STEPS: Final = 8
FRESH: Final = 1 << 20  # seeds that nothing was fitted on

Vector: TypeAlias = tuple[float, ...]


class Sample(NamedTuple):
    """A position that a line led to: its phase, what its weights count there, what it should be worth."""

    phase: int
    counts: Vector
    target: float


class Record(NamedTuple):
    """The same while its game goes on."""

    seat: int
    phase: int
    counts: Vector
    chance: float


def spread(weights: Weights) -> Vector:
    """All weights in a row."""
    return tuple(number for part in weights for number in (part if isinstance(part, tuple) else (part,)))


def gathered(numbers: Sequence[float]) -> Weights:
    """The weights in a row as weights."""
    rest = list(numbers)

    def take(count: int) -> list[float]:
        taken, rest[:] = rest[:count], rest[count:]
        return taken

    parts: list[object] = []
    for part in MODEL.end:
        if isinstance(part, Piles):
            parts.append(Piles(*take(len(part))))
        elif isinstance(part, tuple):
            parts.append(tuple(take(len(part))))
        else:
            parts += take(1)
    return Weights(*parts)  # type: ignore[arg-type]  # each part is of the type of its field


SIZE: Final = len(spread(MODEL.end))
UNITS: Final = tuple(gathered([float(at == one) for at in range(SIZE)]) for one in range(SIZE))
JUDGED: Final = tuple(Model(unit, unit, unit) for unit in UNITS)


def counts(position: Position, line: Line) -> Vector:
    """What each weight counts where this line leads."""
    return tuple(_value(Judge(position, model), line) for model in JUDGED)


def _value(judge: Judge, line: Line) -> float:
    """The value of the end of a line, by this judge."""
    node, (source, rank, target) = line.node, line.last
    if line.until is Until.DISCARD:
        if source != FROM_HAND:
            return judge.passed(node.heights, node.depths, node.stock)
        found = judge.discards(node.heights, node.hand, node.depths, node.stock)
        return next(value for value, card, side in found if (card, ONTO_SIDE + side) == (rank, target))
    height = node.heights[target] + 1
    heights = (*node.heights[:target], height % FULL, *node.heights[target + 1 :])
    stock = node.stock + FULL * (height == FULL)
    if line.until is Until.REVEAL:
        return judge.revealed(heights, node.hand, node.depths, stock)
    return judge.refilled(heights, node.depths, stock)


def played(model: Model, seed: int, doubt: float) -> tuple[list[tuple[Position, Line, int]], int | None]:
    """The lines of one game of the planner against itself, each with its position and seat, and who won."""
    game, dice = open_game(STANDARD, seed), Stream("SM1/fit", seed)
    lines: list[tuple[Position, Line, int]] = []
    while (seat := game.table.to_move) is not None:
        position = position_of(game.view(seat))
        found = Planner(Judge(position, model), BOUND).best(BETTER)
        line = found[dice.below(len(found))] if dice.below(1000) < 1000 * doubt else found[0]
        lines.append((position, line, seat))
        for step in line.steps:
            game = game.play(move_of(game.view(seat), step))
    return lines, None if game.table.outcome is None else game.table.outcome.winner


def samples(model: Model, seeds: range) -> Iterator[Sample]:
    """What can be learned from these games."""
    for seed in seeds:
        lines, winner = played(model, seed, DOUBT)
        records = [
            Record(seat, min(line.until, 2), counts(position, line), chance(line.value))
            for position, line, seat in lines
            if abs(line.value) < WON and position.other_left > 1
        ]
        worth = [chance(TIE) if winner is None else float(winner == seat) for seat in range(2)]
        following: list[Record | None] = [None, None]
        for record in reversed(records):
            after = following[record.seat]
            if after is not None:
                worth[record.seat] = (1 - LAMBDA) * after.chance + LAMBDA * worth[record.seat]
            following[record.seat] = record
            yield Sample(record.phase, record.counts, worth[record.seat])


def fitted(found: Sequence[Sample], start: Vector) -> Vector:
    """The weights that explain the targets best, by Newton's method with a ridge."""
    weights = list(start)
    for _ in range(STEPS):
        slope = [-RIDGE * weight for weight in weights]
        curve = [[RIDGE * (row == column) for column in range(SIZE)] for row in range(SIZE)]
        for _, counted, target in found:
            seen = [(at, number) for at, number in enumerate(counted) if number]
            expected = 1 / (1 + exp(-sum(weights[at] * number for at, number in seen)))
            bend = expected * (1 - expected)
            for at, number in seen:
                slope[at] += number * (target - expected)
                row = curve[at]
                for other, factor in seen:
                    row[other] += bend * number * factor
        weights = [weight + step for weight, step in zip(weights, _solved(curve, slope), strict=True)]
    return tuple(weights)


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a symmetric positive system, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [number / pivot for number in rows[at]]
        for other in range(size):
            factor = rows[other][at]
            if other != at and factor:
                rows[other] = [mine - factor * theirs for mine, theirs in zip(rows[other], rows[at], strict=True)]
    return [row[-1] for row in rows]


def written(model: Model) -> str:
    """The module of these weights: its head as it is, and the numbers."""
    head = PATH.read_text(encoding="utf-8").split("\nEND: Final")[0]
    blocks = [f"{name.upper()}: Final = {_text(weights)}\n" for name, weights in model._asdict().items()]
    return "\n".join([head, *blocks, "MODEL: Final = Model(END, REVEAL, REFILL)\n"])


def _text(weights: Weights) -> str:
    lines = []
    for name, part in weights._asdict().items():
        if isinstance(part, Piles):
            inner = "".join(f"        {key}={value:.4g},\n" for key, value in part._asdict().items())
            lines.append(f"    {name}=Piles(\n{inner}    ),\n")
        elif isinstance(part, tuple):
            lines.append(f"    {name}=({', '.join(f'{number:.4g}' for number in part)}),\n")
        else:
            lines.append(f"    {name}={part:.4g},\n")
    return f"Weights(\n{''.join(lines)})"


def calibration(games: int) -> Iterator[str]:
    """How often who was given a chance won, by tenths, on games that nothing was fitted on; and the error as a whole."""
    tenths: list[list[tuple[float, float]]] = [[] for _ in range(10)]
    for seed in range(FRESH, FRESH + games):
        lines, winner = played(MODEL, seed, 0.0)
        for _, line, seat in lines:
            if line.until is Until.DISCARD and winner is not None:
                given = chance(line.value)
                tenths[min(int(10 * given), 9)].append((given, float(winner == seat)))
    total = sum(map(len, tenths))
    off = 0.0
    for tenth in filter(None, tenths):
        given, won = (sum(column) / len(tenth) for column in zip(*tenth, strict=True))
        off += abs(given - won) * len(tenth) / total
        yield f"given {given:5.1%}  won {won:5.1%}  of {len(tenth):6,} turns"
    brier = sum((given - won) ** 2 for tenth in tenths for given, won in tenth) / total
    yield f"off by {off:.1%} on average; squared error {brier:.4f} (0.25 for who knows nothing); {games} games"


def main() -> None:
    """Play, fit, write; or compare."""
    parser = argparse.ArgumentParser(description="fit the weights of the values")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--calibrate", action="store_true")
    words = parser.parse_args()
    if words.calibrate:
        for line in calibration(words.games):
            print(line, flush=True)
        return
    model = MODEL
    for number in range(words.rounds):
        found = [*samples(model, range(number * words.games, (number + 1) * words.games))]
        phases = [[sample for sample in found if sample.phase == phase] for phase in range(len(model))]
        model = Model(*(gathered(fitted(seen, spread(weights))) for seen, weights in zip(phases, model, strict=True)))
        PATH.write_text(written(model), encoding="utf-8")
        print(f"round {number + 1}: {', '.join(str(len(seen)) for seen in phases)} positions", flush=True)


if __name__ == "__main__":
    main()
