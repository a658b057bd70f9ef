"""The levels that somebody can play against, and how a line becomes moves.

Law: a level is a function of the views that it is shown and of the dice that it was handed; its work is bounded by
positions. It plans anew whenever something hidden was shown, and carries its line out until then.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from sm_p2p.bot.planner import FROM_HAND, PASS, Line, Planner, Step, Until, plan
from sm_p2p.bot.position import Position, Ranks, position_of
from sm_p2p.bot.values import SCALE, Judge
from sm_p2p.rules.moves import END, HAND, MOVES, Move
from sm_p2p.rules.open_game import Chooser
from sm_p2p.rules.view import View
from sm_p2p.stream import Stream

Thinker: TypeAlias = Callable[[Position], Line]
Moment: TypeAlias = tuple[int, int, Ranks, Ranks, Ranks]
"""A position inside a turn: the turn, the own pay-off cards, the centre, the hand, the side stacks."""

EASY_BOUND: Final = 12
EASY_DOUBT: Final = 1.8
MEDIUM_BOUND: Final = 60
MEDIUM_DOUBT: Final = 0.35
HARD_BOUND: Final = 200
MOST_LINES: Final = 40
FINE: Final = 1 << 16


def easy(dice: Stream) -> Chooser:
    """Plays the pay-off card as soon as it sees how; what else is good it judges badly, and it looks at little."""

    def think(position: Position) -> Line:
        lines = Planner(Judge(position), EASY_BOUND).best(MOST_LINES)
        return _doubting(position, [line for line in lines if line.until is Until.REVEAL] or lines, EASY_DOUBT, dice)

    return carried_out(think)


def medium(dice: Stream) -> Chooser:
    """Looks through its turn and misjudges a little."""

    def think(position: Position) -> Line:
        return _doubting(position, Planner(Judge(position), MEDIUM_BOUND).best(MOST_LINES), MEDIUM_DOUBT, dice)

    return carried_out(think)


def hard(_dice: Stream) -> Chooser:
    """Looks through its turn and takes the best line."""
    return carried_out(best_line)


def best_line(position: Position) -> Line:
    """The line that the hardest level plays."""
    return plan(position, HARD_BOUND)[0]


def carried_out(think: Thinker) -> Chooser:
    """A player who thinks of a line at a time and plays it move by move."""
    rest: dict[Moment, Step] = {}

    def choose(view: View) -> Move:
        position = position_of(view)
        step = rest.get(_moment(view, position.heights, position.hand, tuple(map(len, position.sides))))
        if step is None:
            line = think(position)
            rest.clear()
            node, step = line.node, line.last
            while node.before is not None:
                rest[_moment(view, node.heights, node.hand, node.depths)] = step
                node, step = node.before, node.step
        return move_of(view, step)

    return choose


def move_of(view: View, step: Step) -> Move:
    """The move of a step; of cards of one rank in the hand, the first."""
    if step == PASS:
        return END
    source, rank, target = step
    if source == FROM_HAND:
        source = HAND + next(at for at, card in enumerate(view.hand) if card is not None and card.rank == rank)
    return MOVES[source << 3 | target]


def _doubting(position: Position, lines: list[Line], doubt: float, dice: Stream) -> Line:
    """The line that seems best to somebody who values each with an error of up to twice so much, a little mostly."""
    error = doubt * SCALE / (position.left + position.other_left) ** 0.5 / FINE
    seeming = [line.value + error * (dice.below(FINE) + dice.below(FINE) - FINE) for line in lines]
    return lines[seeming.index(max(seeming))]


def _moment(view: View, heights: Ranks, hand: Ranks, depths: Ranks) -> Moment:
    return view.table.turn, view.table.places[view.seat or 0].pay_off, heights, hand, depths
