"""The command that lets two computers play open games: simulate.

Law: the numbers are a function of players, variant, games and seed, with any number of jobs; only the times are not.
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from typing import Final

from sm_p2p.bot.conformance import check
from sm_p2p.bot.opponents import Failing, find
from sm_p2p.bot.simulate import Result, Series, Tally, simulate, wilson
from sm_p2p.cli.progress import Progress
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.cli.words import variant_of
from sm_p2p.errors import UsageError
from sm_p2p.rules.variant import STANDARD
from sm_p2p.ui.retell import retell_open
from sm_p2p.ui.words import Words

WORDS: Final = Words()
CHUNK: Final = 10  # games that another process plays before it tells what came out


def run(arguments: argparse.Namespace) -> int:
    """Play a series and print its sums, or with --text tell each game; with --check look at one player."""
    if arguments.check is not None:
        return _check(arguments.check)
    first, comma, second = arguments.players.partition(",")
    if not comma:
        raise UsageError("--players takes two names with a comma between them, as in greedy,random")
    for name in (first, second):
        find(name)
    if arguments.text and arguments.json:
        raise UsageError("--text and --json do not go together.")
    series = Series(first, second, variant_of(arguments) or STANDARD, arguments.seed)
    if arguments.text:
        return _tell(series, arguments.games or 1)
    games = arguments.games or 100
    with Progress(WORDS.say("playing")) as progress:
        total = Tally()
        for result in _results(series, games, arguments.jobs or 1):
            total = total.and_also(result)
            progress(total.games, games)
    sys.stdout.write(_json(series, total) if arguments.json else _sentences(series, total))
    return Status.OK


def played(series: Series, games: range) -> list[Result]:
    """These games, with the processor time of both players."""
    return [*simulate(series, games, time.process_time)]


def _results(series: Series, games: int, jobs: int) -> Iterator[Result]:
    """All results in their order; with `jobs` above 1 from so many processes."""
    if jobs == 1:
        yield from simulate(series, range(games), time.process_time)
        return
    chunks = [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    with ProcessPoolExecutor(min(jobs, len(chunks)), get_context("spawn"), _begin) as pool:
        try:
            for results in pool.map(partial(played, series), chunks):
                yield from results
        finally:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Another process hears no Ctrl-C: whoever has started it does."""
    with suppress(ValueError, AttributeError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _check(name: str) -> int:
    try:
        games, moves, won, seconds, slowest = check(find(name), time.process_time)
    except Failing as failure:
        complain(WORDS.say("{name} does not conform: {why}", name=name, why=WORDS.why(failure)))
        return Status.FAILED
    said = WORDS.say(
        "{name} conforms: {games} games in all variants, {won} won, {moves} legal moves, the same for the same view; "
        "{mean} ms a move, {slowest} ms at most",
        name=name,
        games=games,
        won=won,
        moves=moves,
        mean=WORDS.decimal(1000 * seconds / moves, 2),
        slowest=f"{1000 * slowest:.0f}",
    )
    sys.stdout.write(f"{said}\n")
    return Status.OK


def _tell(series: Series, games: int) -> int:
    for game in range(games):
        names = [series.first, series.second]
        if names[0] == names[1]:
            names = [f"{name} {number}" for number, name in enumerate(names, 1)]
        seated = names if series.seat(game) == 0 else names[::-1]
        for line in retell_open(Words((seated[0], seated[1])), series.start(game), series.play(game)):
            sys.stdout.write(f"{line}\n")
    return Status.OK


def _json(series: Series, total: Tally) -> str:
    decided = total.won + total.lost
    said = {
        "players": [series.first, series.second],
        "variant": str(series.variant),
        "seed": series.seed,
        "games": total.games,
        "wins": [total.won, total.lost],
        "ties": total.tied,
        "interval": [round(bound, 5) for bound in wilson(total.won, decided)] if decided else None,
        "points": [*total.points],
        "turns": total.turns,
        "plays": total.plays,
        "completed": total.completed,
        "stock_outs": total.stock_outs,
        "ms_per_turn": [round(one, 3) for one in _times(total)],
    }
    return json.dumps(said, separators=(",", ":")) + "\n"


def _sentences(series: Series, total: Tally) -> str:
    decided = total.won + total.lost
    lines = [
        WORDS.count(
            "{first} against {second}, {variant}, seed {seed}: {n} game",
            "{first} against {second}, {variant}, seed {seed}: {n} games",
            total.games,
            first=series.first,
            second=series.second,
            variant=series.variant,
            seed=series.seed,
        ),
        WORDS.say(
            "{won} won, {lost} lost, {tied} tied; {stock} ended by the stock",
            won=total.won,
            lost=total.lost,
            tied=total.tied,
            stock=total.stock_outs,
        ),
    ]
    if decided:
        low, high = wilson(total.won, decided)
        lines.append(
            WORDS.say(
                "{name} won {part} of the decided games ({low} to {high})",
                name=series.first,
                part=f"{WORDS.decimal(100 * total.won / decided, 1)}%",
                low=f"{WORDS.decimal(100 * low, 1)}%",
                high=f"{WORDS.decimal(100 * high, 1)}%",
            )
        )
    per = total.games
    times = _times(total)
    lines += (
        WORDS.say("points: {first} to {second}", first=total.points[0], second=total.points[1]),
        WORDS.say(
            "a game: {points} points, {turns} turns, {plays} plays, {completed} completed stacks",
            points=WORDS.decimal(sum(total.points) / per, 1),
            turns=f"{total.turns / per:.0f}",
            plays=f"{total.plays / per:.0f}",
            completed=WORDS.decimal(total.completed / per, 1),
        ),
        WORDS.say(
            "a turn: {first_ms} ms of {first}, {second_ms} ms of {second}",
            first_ms=WORDS.decimal(times[0], 2),
            first=series.first,
            second_ms=WORDS.decimal(times[1], 2),
            second=series.second,
        ),
    )
    return "".join(f"{line}\n" for line in lines)


def _times(total: Tally) -> tuple[float, float]:
    """Milliseconds a turn, of which each has half."""
    return 2000 * total.spent[0] / total.turns, 2000 * total.spent[1] / total.turns
