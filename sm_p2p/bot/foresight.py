"""Foresight: the best lines of the own turn, each tried in the same few worlds that the hidden cards could make.

Law: what is hidden is drawn from the cards that this player has not seen, by dice that are handed in; nothing else is known
of it. In each world the line is played, the opponent plans his turn with the hand that he has there, and the values are
averaged together with that of the line itself.
"""

from typing import Final, NamedTuple

from sm_p2p.bot.planner import FROM_HAND, Line, Planner, Until, plan
from sm_p2p.bot.position import Position, Ranks
from sm_p2p.bot.values import WON, Judge, chance
from sm_p2p.rules.cards import KING
from sm_p2p.rules.moves import HAND_SIZE, ONTO_SIDE, PAY_OFF
from sm_p2p.rules.parts import FULL
from sm_p2p.stream import Stream

BOUND: Final = 200  # positions of the own turn
BOUND_WITHIN: Final = 60  # of each turn inside a world
LINES: Final = 5
WORLDS: Final = 6
OWN_WEIGHT: Final = 6  # as many worlds as the value of the line itself counts for
DRAWN: Final = 2 * HAND_SIZE + 1


class World(NamedTuple):
    """What the hidden cards are: the opponent's hand as he draws it full, our next pay-off card, our next hand."""

    other_hand: Ranks
    top: int
    hand: Ranks


def foreseen(position: Position, dice: Stream, worlds: int = WORLDS) -> list[tuple[Line, float]]:
    """The best lines with the chance to win that each has, best first."""
    lines = Planner(Judge(position), BOUND).best(LINES)
    if lines[0].value >= WON or len(lines) == 1:
        return [(line, chance(line.value)) for line in lines]
    sums = [OWN_WEIGHT * chance(line.value) for line in lines]
    for _ in range(worlds):
        world = imagine(position, dice)
        for at, line in enumerate(lines):
            sums[at] += tried(position, line, world)
    judged = [(line, total / (OWN_WEIGHT + worlds)) for line, total in zip(lines, sums, strict=True)]
    return sorted(judged, key=lambda one: -one[1])


def imagine(position: Position, dice: Stream) -> World:
    """One world: cards drawn without putting back from those that are unseen."""
    cards = [rank for rank in range(1, KING + 1) for _ in range(position.unseen[rank])]
    count = min(DRAWN, len(cards))
    for at in range(count):
        other = at + dice.below(len(cards) - at)
        cards[at], cards[other] = cards[other], cards[at]
    hands = tuple(sorted(cards[:HAND_SIZE])), tuple(sorted(cards[HAND_SIZE + 1 : count]))
    return World(hands[0], cards[HAND_SIZE] if count > HAND_SIZE else KING, hands[1])


def tried(position: Position, line: Line, world: World) -> float:
    """The chance to win when this line is played in this world."""
    if line.until is Until.DISCARD:
        return _answered(position, line, world)
    on = _shown(position, line, world)
    if on is None:
        return chance(line.value)
    (best,) = plan(on, BOUND_WITHIN)
    return _answered(on, best, world) if best.until is Until.DISCARD else chance(best.value)


def _shown(position: Position, line: Line, world: World) -> Position | None:
    """The position in which the turn goes on, with what the line made to be shown; None when the game is over."""
    sides, heights, stock = _left(position, line)
    unseen = list(position.unseen)
    if line.until is Until.REVEAL:
        if position.left == 1:
            return None
        fresh: Ranks = (world.top,)
        on = position._replace(top=world.top, left=position.left - 1, hand=line.node.hand)
    else:
        if not position.can_draw(HAND_SIZE, stock):
            return None
        fresh = world.hand
        stock -= HAND_SIZE
        on = position._replace(hand=world.hand)
    for rank in fresh:
        unseen[rank] -= 1
    unseen[0] -= len(fresh)
    return on._replace(sides=sides, heights=heights, stock=stock, unseen=tuple(unseen))


def _answered(position: Position, line: Line, world: World) -> float:
    """The chance to win after the opponent's best turn."""
    sides, heights, stock = _left(position, line)
    if not position.can_draw(position.other_draws, stock):
        return chance(line.value)
    hand = line.node.hand
    if line.last[0] == FROM_HAND:
        at = hand.index(line.last[1])
        hand = hand[:at] + hand[at + 1 :]
    unseen = list(position.unseen)
    for rank in hand:
        unseen[rank] += 1
    for rank in world.other_hand:
        unseen[rank] = max(unseen[rank] - 1, 0)
    unseen[0] = sum(unseen[1:])
    theirs = Position(
        heights=heights,
        hand=world.other_hand,
        sides=position.other_sides,
        top=position.other_top,
        left=position.other_left,
        other_sides=sides,
        other_top=position.top,
        other_left=position.left,
        other_hand=len(hand),
        stock=stock - position.other_draws,
        unseen=tuple(unseen),
        variant=position.variant,
    )
    (best,) = plan(theirs, BOUND_WITHIN)
    return 1 - chance(best.value)


def _left(position: Position, line: Line) -> tuple[tuple[Ranks, ...], Ranks, int]:
    """Own side stacks, centre and stock after the line, before anything is drawn."""
    node, (source, rank, target) = line.node, line.last
    sides = [pile[:depth] for pile, depth in zip(position.sides, node.depths, strict=True)]
    heights, stock = list(node.heights), node.stock
    if source == FROM_HAND and target >= ONTO_SIDE:
        sides[target - ONTO_SIDE] = (*sides[target - ONTO_SIDE], rank)
    elif source in (FROM_HAND, PAY_OFF):
        heights[target] += 1
        if heights[target] == FULL:
            heights[target], stock = 0, stock + FULL
    return tuple(sides), tuple(heights), stock
