"""The command that lets two computers play open games: simulate."""

import argparse
import json
import sys

from sm_p2p.bot.simulate import Series, Tally, find, simulate, tally, wilson
from sm_p2p.cli.status import Status
from sm_p2p.cli.words import variant_of
from sm_p2p.errors import UsageError
from sm_p2p.rules.variant import STANDARD
from sm_p2p.ui.retell import retell_open
from sm_p2p.ui.words import Words


def run(arguments: argparse.Namespace) -> int:
    """Play a series and print its sums, or with --text tell each game."""
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
    total = tally(simulate(series, arguments.games or 100))
    sys.stdout.write(_json(series, total) if arguments.json else _sentences(series, total))
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
    said = {
        "players": [series.first, series.second],
        "variant": str(series.variant),
        "seed": series.seed,
        "games": total.games,
        "wins": [total.won, total.lost],
        "ties": total.tied,
        "points": total.points,
        "turns": total.turns,
        "plays": total.plays,
        "completed": total.completed,
    }
    return json.dumps(said, separators=(",", ":")) + "\n"


def _sentences(series: Series, total: Tally) -> str:
    decided = total.won + total.lost
    lines = [
        f"{series.first} against {series.second}, {series.variant}, seed {series.seed}: {total.games} games",
        f"{total.won} won, {total.lost} lost, {total.tied} tied",
    ]
    if decided:
        low, high = wilson(total.won, decided)
        lines.append(f"{series.first} won {total.won / decided:.1%} of the decided games ({low:.1%} to {high:.1%})")
    per = total.games
    lines.append(
        f"a game: {total.points / per:.1f} points, {total.turns / per:.0f} turns, {total.plays / per:.0f} plays, "
        f"{total.completed / per:.1f} completed stacks"
    )
    return "".join(f"{line}\n" for line in lines)
