"""Advice: the move that the hardest level would make, with one reason out of a closed list.

Law: the reason is true of the move on this table; what it names are faces and places as people write them. The sentences
are made elsewhere: each word of `Reason` has one.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from sm_p2p.bot.levels import best_line, move_of
from sm_p2p.bot.planner import PASS, Line, Until
from sm_p2p.bot.position import Position, position_of
from sm_p2p.bot.reach import NEEDED
from sm_p2p.bot.values import WON
from sm_p2p.rules.cards import KING
from sm_p2p.rules.moves import ONTO_SIDE, PAY_OFF, SIDE, Move
from sm_p2p.rules.parts import FULL
from sm_p2p.rules.view import View


class Reason(StrEnum):
    """Why this move; the word of each is the same everywhere."""

    WINS = "wins"  # this turn
    PAY_OFF = "pay-off"  # one card less, so many {left}
    FREES_PAY_OFF = "frees-pay-off"  # with this move, the pay-off {card} fits {stack}
    LEADS = "leads"  # after {plays} plays the pay-off {card} fits {stack}
    NEW_HAND = "new-hand"  # the hand is empty after {plays} plays
    BLOCKS = "blocks"  # the other's pay-off {card} does not fit {stack} any more
    WITHHOLDS = "withholds"  # a card that fits is kept, for it would make room for the other's pay-off {card}
    COMPLETES = "completes"  # {stack}
    UNCOVERS = "uncovers"  # {card} on side stack {stack}
    FREES_SIDE = "frees-side"  # {stack} is empty then
    TOWARDS = "towards"  # {stack} comes nearer to the pay-off {card}
    MAKES_ROOM = "makes-room"  # one more card is drawn next time
    KEEPS_KING = "keeps-king"  # nothing else is better than a king to keep
    RUN = "run"  # goes on downwards from {card}
    SAME_RANK = "same-rank"  # lies on {card}
    EMPTY_SIDE = "empty-side"  # {stack} is empty
    BELOW = "below"  # lies on {card}, which is needed later
    LEAST = "least"  # nothing better can be discarded there
    NO_HAND = "no-hand"  # there is nothing to discard


Values: TypeAlias = Mapping[str, str | int]


class Advice(NamedTuple):
    """A move and its reason; `values` are what the sentence names."""

    move: Move
    reason: Reason
    values: Values


def advise(view: View) -> Advice:
    """What the hardest level would do here; the same view gives the same advice.

    >>> from sm_p2p.rules.sketch import Sketch
    >>> advice = advise(Sketch(centre=(2, 0, 0), hand="3S KS 5S", top="4H").game().view(0))
    >>> str(advice.move), advice.reason.value, dict(advice.values)
    ('h1-c1', 'frees-pay-off', {'card': '4H', 'stack': 'c1'})
    """
    position = position_of(view)
    line = best_line(position)
    move = move_of(view, line.steps[0])
    reason, values = why(view, position, line, move)
    return Advice(move, reason, values)


def why(view: View, position: Position, line: Line, move: Move) -> tuple[Reason, Values]:
    """The reason that speaks loudest for the first move of a line."""
    return next(_reasons(view, position, line, move))


def _reasons(view: View, position: Position, line: Line, move: Move) -> Iterator[tuple[Reason, Values]]:
    """All reasons of a move, the loudest first; there is always one."""
    if line.steps[0] == PASS:
        yield Reason.NO_HAND, {}
    elif line.value >= WON:
        yield Reason.WINS, {"plays": len(line.steps)}
    elif move.ends_turn:
        yield from _of_a_discard(view, position, line, move)
    else:
        yield from _of_a_play(view, position, line, move)


def _of_a_play(view: View, position: Position, line: Line, move: Move) -> Iterator[tuple[Reason, Values]]:
    source, _, at = line.steps[0]
    height, stack = position.heights[at], move.target
    if source == PAY_OFF:
        yield Reason.PAY_OFF, {"left": position.left - 1}
    own, other = _faces(view)
    if line.until is Until.REVEAL:
        goal = f"c{line.last[2] + 1}"
        plays = len(line.steps) - 1
        yield (
            (Reason.LEADS, {"card": own, "stack": goal, "plays": plays})
            if plays > 1
            else (
                Reason.FREES_PAY_OFF,
                {"card": own, "stack": goal},
            )
        )
    if line.until is Until.REFILL:
        yield Reason.NEW_HAND, {"plays": len(line.steps)}
    if position.other_top == height + 1:
        yield Reason.BLOCKS, {"card": other, "stack": stack}
    if height + 1 == FULL:
        yield Reason.COMPLETES, {"stack": stack}
    if source >= SIDE:
        side = position.sides[source - SIDE]
        below = view.table.places[view.seat or 0].sides[source - SIDE][-2:-1]
        yield (
            (Reason.UNCOVERS, {"card": below[0].face, "stack": move.source})
            if len(side) > 1
            else (
                Reason.FREES_SIDE,
                {"stack": move.source},
            )
        )
    if NEEDED[height][position.top] >> height + 1 & 1:
        yield Reason.TOWARDS, {"card": own, "stack": stack}
    yield Reason.MAKES_ROOM, {}


def _of_a_discard(view: View, position: Position, line: Line, move: Move) -> Iterator[tuple[Reason, Values]]:
    _, rank, target = line.steps[0]
    withheld = _withheld(position, rank)
    if withheld:
        yield Reason.WITHHOLDS, {"card": _faces(view)[1], "stack": f"c{withheld}"}
    side = view.table.places[view.seat or 0].sides[target - ONTO_SIDE]
    if not side:
        yield Reason.EMPTY_SIDE, {"stack": move.target}
        return
    card, top = side[-1].face, side[-1].rank
    if top == rank + 1:
        yield Reason.RUN, {"card": card}
    if top == rank:
        yield Reason.SAME_RANK, {"card": card}
    if KING in position.hand and rank != KING:
        yield Reason.KEEPS_KING, {}
    if top > rank:
        yield Reason.BELOW, {"card": card}
    yield Reason.LEAST, {}


def _withheld(position: Position, discarded: int) -> int:
    """The number of a centre stack that a kept card fits, where the opponent's pay-off card would be the next; 0: none."""
    kept = {side[-1] for side in position.sides if side} | {*position.hand} - {discarded}
    for number, height in enumerate(position.heights, 1):
        if position.other_top == height + 2 and height + 1 in kept:
            return number
    return 0


def _faces(view: View) -> tuple[str, str]:
    """The pay-off cards of this player and of the other."""
    places = view.table.places
    own, other = places[view.seat or 0].top, places[1 - (view.seat or 0)].top
    return "" if own is None else own.face, "" if other is None else other.face
