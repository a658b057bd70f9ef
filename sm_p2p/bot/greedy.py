"""Greedy: plays whatever fits, in a fixed order of preference, and discards so that runs go downwards.

Law: the same view gives the same move. Pay-off first; natural cards next, side stacks before the hand; a king only as a
bridge to the pay-off card. It is the yardstick that other opponents are measured with.
"""

from sm_p2p.rules.cards import KING
from sm_p2p.rules.moves import END, ONTO_SIDE, PAY_OFF, SIDE, Move
from sm_p2p.rules.parts import Place
from sm_p2p.rules.view import View


def choose(view: View) -> Move:
    """The move that greedy makes here; raises TypeError for an onlooker, who has none.

    >>> from sm_p2p.rules.sketch import Sketch
    >>> choose(Sketch(centre=(3, 0, 0), hand="AS KS 4S", top="4H").game().view(0))
    Move.parse('p-c1')
    """
    if view.seat is None:
        raise TypeError("an onlooker makes no move")
    place = view.table.places[view.seat]
    plays = [move for move in view.legal_moves if not move.ends_turn]
    if plays and plays[0] >> 3 == PAY_OFF:
        return plays[0]
    # the nearest to the pay-off card first, a side stack before the hand
    ordered = sorted(plays, key=lambda move: (distance(view, place, move & 7), move >> 3 < SIDE, move))
    for move in ordered:
        if _rank(view, move) != KING:
            return move
    for move in ordered:
        if _reaches(view, place, move & 7):
            return move
    return ending(view, place)


def _rank(view: View, move: Move) -> int:
    """The rank of the card that would move; 0 when none would."""
    card = view.face(move)
    return 0 if card is None else card.rank


def distance(view: View, place: Place, stack: int) -> int:
    """How many cards a centre stack lacks before it takes the own pay-off card."""
    wanted = 0 if place.top is None else place.top.rank
    return (wanted - 1 - view.table.heights[stack]) % 12


def _reaches(view: View, place: Place, stack: int) -> bool:
    """Whether what lies in the hand and on the side stacks leads this stack up to the pay-off card, kings included."""
    loose = [card.rank for card in view.hand if card is not None]
    loose += [side[-1].rank for side in place.sides if side]
    height = view.table.heights[stack]
    for step in range(distance(view, place, stack)):
        needed = (height + step) % 12 + 1
        if needed not in loose:
            needed = KING
        if needed not in loose:
            return False
        loose.remove(needed)
    return True


def ending(view: View, place: Place) -> Move:
    """The discard that continues a run downwards, else onto an empty stack, else the highest card onto the highest."""

    def cost(move: Move) -> tuple[bool, int, int, Move]:
        rank = _rank(view, move)
        side = place.sides[(move & 7) - ONTO_SIDE]
        top = side[-1].rank if side else 0
        if top == rank + 1:
            kind = 0
        elif top == rank:
            kind = 1
        elif not side:
            kind = 2
        else:
            kind = 3 + (top < rank) + 2 * (top == KING)
        return rank == KING, kind, -rank - top, move

    return min((move for move in view.legal_moves if move.ends_turn and move != END), key=cost, default=END)
