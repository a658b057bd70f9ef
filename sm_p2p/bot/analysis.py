"""Analysis: a move that was made beside the one that the hardest level would have made, each as a chance to win.

Law: a chance is judged from what the player to move knew, never from hidden cards. How far chances are off is measured by
`python -m scripts.making.values --calibrate`, and told with them.
"""

from typing import Final, NamedTuple

from sm_p2p.bot.levels import HARD_BOUND, best_line, move_of
from sm_p2p.bot.planner import FROM_HAND, PASS, Planner, Step
from sm_p2p.bot.position import Position, position_of
from sm_p2p.bot.values import Judge, chance
from sm_p2p.rules.moves import END, HAND, ONTO_SIDE, PAY_OFF, SIDE, Move
from sm_p2p.rules.parts import Seat
from sm_p2p.rules.view import View

OFF: Final = 0.024  # how far chances are off on average
GAMES: Final = 400  # of `hard` against itself, fresh ones, in which that was measured


class Option(NamedTuple):
    """A legal move, and the chance to win of whoever makes it and goes on well."""

    move: Move
    chance: float


class Judgement(NamedTuple):
    """A move that was made, and the one that the hardest level would have made; the same one where they are worth the same."""

    turn: int
    seat: Seat
    made: Option
    best: Option

    @property
    def loss(self) -> float:
        """How much of the chance to win the move has cost: 0 if it was as good, or better."""
        return max(self.best.chance - self.made.chance, 0.0)


def judgement(view: View, move: Move) -> Judgement:
    """What this legal move of the player to move was worth, seen from what he knew.

    >>> from sm_p2p.rules.sketch import Sketch
    >>> judged = judgement(Sketch(centre=(3, 0, 0), hand="4S 9S", top="5H", pay_off=1).game().view(0), Move.parse("h2-a"))
    >>> str(judged.best.move), judged.best.chance, judged.loss > 0
    ('h1-c1', 1.0, True)
    """
    position = position_of(view)
    line = best_line(position)
    made, best = _step(view, position, move), line.steps[0]
    turn, seat = view.table.turn, view.seat or 0
    if made == best:
        same = Option(move, chance(line.value))
        return Judgement(turn, seat, same, same)
    worth = Planner(Judge(position), HARD_BOUND).worth({made, best})
    return Judgement(turn, seat, Option(move, chance(worth[made])), Option(move_of(view, best), chance(worth[best])))


def _step(view: View, position: Position, move: Move) -> Step:
    """The step that stands for a move: places that make no difference are one."""
    card = view.face(move)
    if move == END or card is None:
        return PASS
    source, target = move >> 3, move & 7
    if target < ONTO_SIDE:
        target = position.heights.index(position.heights[target])
    elif not position.sides[target - ONTO_SIDE]:
        target = ONTO_SIDE + position.sides.index(())
    return PAY_OFF if source == PAY_OFF else FROM_HAND if HAND <= source < SIDE else source, card.rank, target
