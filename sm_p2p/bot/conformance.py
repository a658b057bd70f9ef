"""Whether a player keeps to what every player must: a check that anybody can run on a bot of his own.

Law: a bot answers each view with a legal move, the same view with the same move, in every variant, and to the end.
"""

from typing import Final, NamedTuple

from sm_p2p.bot import greedy, random_player
from sm_p2p.bot.opponents import Bot, Failing
from sm_p2p.bot.simulate import Clock
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import Chooser, open_game, play_out
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.stream import Stream

VARIANTS: Final = tuple(
    map(
        Variant.parse,
        (
            "standard",
            "quick",
            "long,stock_out=fewest",
            "quick,refill=next-turn,stock_out=empty",
            "quick,pay_off=5,centres=4",
            "quick,packs=4,pay_off=40",
        ),
    )
)
SEATS: Final = (0, 1)


class Findings(NamedTuple):
    """What was seen of a bot that kept to the rules."""

    games: int
    moves: int
    won: int
    seconds: float  # for all its moves
    slowest: float  # seconds for one


def check(bot: Bot, clock: Clock) -> Findings:
    """What was seen in a game at each seat of each variant; raises Failing at the first thing that is wrong.

    A bot that is no function of `find` has to raise that itself.
    """
    games = won = 0
    took: list[float] = []
    for number, (variant, seat) in enumerate((variant, seat) for variant in VARIANTS for seat in SEATS):
        other = greedy.choose if number % 3 else random_player.play_first(Stream("SM1/conformance", number))
        watched = _watched(bot, number, clock, took)
        choosers = (other, watched) if seat else (watched, other)
        *_, (_, last) = play_out(open_game(variant, number), choosers)
        games += 1
        won += last.table.outcome is not None and last.table.outcome.winner == seat
    return Findings(games, len(took), won, sum(took), max(took))


def _watched(bot: Bot, number: int, clock: Clock, took: list[float]) -> Chooser:
    """The bot, asked twice with the same dice."""
    first, again = (bot(Stream("SM1/conformance", number, "bot")) for _ in SEATS)

    def choose(view: View) -> Move:
        began = clock()
        move = first(view)
        took.append(clock() - began)
        if move not in view.legal_moves:
            raise Failing("{move} in turn {turn} is no legal move there", move=repr(move), turn=view.table.turn)
        if again(View(view.table, view.seat, dict(view.faces))) != move:
            raise Failing("the same view in turn {turn} was answered with two different moves", turn=view.table.turn)
        return move

    return choose
