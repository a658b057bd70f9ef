"""Players that ours are measured with and nobody would play against: older ideas, kept as they were described.

Law: each is a function of the view, for `--players scripts.measuring.yardsticks:NAME`.
"""

from typing import Final

from sm_p2p.bot import greedy
from sm_p2p.bot.levels import move_of
from sm_p2p.bot.planner import Planner
from sm_p2p.bot.position import position_of
from sm_p2p.bot.values import Judge
from sm_p2p.bot.weights import Model, Piles, Weights
from sm_p2p.rules.cards import KING
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View

BOUND: Final = 200
NOTHING: Final = Piles(0, 0, 0, 0, 0, 0, 0, 0)
FIXED: Final = Weights(
    lead=1.0,
    share=0.0,
    tempo=0.0,
    own=Piles(kings=0.47, buried=-0.4, empty=0.0, runs=0.03, equals=0.0, covered=0.0, cards=0.0, kinds=0.09),
    other=NOTHING,
    kings=tuple(0.51 * kings for kings in range(6)),
    kept=-0.13,
    doubles=0.0,
    own_far=(1.18, 0.79, 0.44, 0.20, 0.0),
    own_chance=0.0,
    other_far=(-1.50, -0.67, -0.43, -0.30, 0.0),
    other_chance=0.0,
    empty_stacks=0.0,
    high_stacks=0.0,
    kinds=0.0,
    raised=0.0,
    low=0.0,
    very_low=0.0,
    same=0.0,
    loose_own=0.0,
    loose_other=0.0,
    loose_hand=0.0,
)
UNKNOWN_TOP: Final = (0.6,) * 5  # what a pay-off card that is not seen yet is worth on average by the same weights
UNKNOWN_HAND: Final = (0.2,) * 6
MODEL: Final = Model(FIXED, FIXED._replace(own_far=UNKNOWN_TOP), FIXED._replace(kings=UNKNOWN_HAND))


def fixed_planner(view: View) -> Move:
    """The planner with the first published weights: pay-off cards over the next ten turns, by least squares."""
    line = Planner(Judge(position_of(view), MODEL), BOUND).best()[0]
    return move_of(view, line.steps[0])


def near_greedy(view: View) -> Move:
    """Greedy whose kings only take the last step below the pay-off card; ours bridges any way with them."""
    move = greedy.choose(view)
    card = view.face(move)
    place = view.table.places[view.seat or 0]
    if card is None or place.top is None or card.rank != KING or move.ends_turn or move.source == "p":
        return move
    return move if greedy.distance(view, place, move & 7) == 1 else greedy.ending(view, place)
