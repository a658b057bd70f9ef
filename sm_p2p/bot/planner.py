"""The planner: every sequence of plays of one turn up to a hidden card or a discard, and the best of them.

Law: the same position gives the same lines; the work is bounded by a number of positions, never by a clock. What needs
fewer kings is looked at first, so that a bound that is reached cuts off the extravagant plays.
"""

from collections import deque
from collections.abc import Container, Iterator
from enum import IntEnum
from heapq import nlargest
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.bot.position import Position, Ranks
from sm_p2p.bot.reach import NEEDED, bits_of
from sm_p2p.bot.values import WON, Judge
from sm_p2p.rules.cards import KING
from sm_p2p.rules.moves import HAND_SIZE, ONTO_SIDE, PAY_OFF, SIDE
from sm_p2p.rules.parts import FULL
from sm_p2p.rules.variant import Refill

FROM_HAND: Final = 1
NOTHING: Final = -1
MOST_KINGS: Final = 16  # that one turn could see: all of four packs
WINNING: Final = 4000  # positions that are looked at for a win with the cards that are known

Step: TypeAlias = tuple[int, int, int]
"""Where from (PAY_OFF, FROM_HAND, SIDE…), the rank that moves, where to as in a move; NOTHING thrice for `end`."""

PASS: Final[Step] = (NOTHING, NOTHING, NOTHING)


class Until(IntEnum):
    """What ends a line."""

    DISCARD = 0  # or `end`
    REVEAL = 1  # the next pay-off card
    REFILL = 2  # a new hand


class Node(NamedTuple):
    """A position inside a turn, and how it was come to; `depths` is what is left of each own side stack."""

    heights: Ranks
    hand: Ranks
    depths: Ranks
    stock: int
    kings: int  # played so far
    before: "Node | None"
    step: Step

    def steps(self) -> tuple[Step, ...]:
        """The plays that lead here."""
        found: list[Step] = []
        node = self
        while node.before is not None:
            found.append(node.step)
            node = node.before
        return tuple(reversed(found))


class Line(NamedTuple):
    """Some plays of one turn, the position before the last of them, and the value of where they lead."""

    value: float
    until: Until
    node: Node
    last: Step

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything that is played, in order."""
        return (*self.node.steps(), self.last)


class Planner:
    """Looks through one turn; `looked_at` positions, at most `bound`."""

    def __init__(self, judge: Judge, bound: int) -> None:
        self.looked_at = 0
        self._judge = judge
        self._bound = bound
        self._is_best_enough = False
        self._lines: list[Line] = []

    def best(self, count: int = 1) -> list[Line]:
        """The best lines, best first; a won game is a line alone."""
        win = self._win()
        if win is not None:
            return [win]
        self._is_best_enough = count == 1
        for node in self._nodes(self._bound):
            self._judged(node)
        return nlargest(count, self._lines, key=itemgetter(0))

    def worth(self, steps: Container[Step]) -> dict[Step, float]:
        """The best value that each of these steps can lead to, as far as they can be made now."""
        position, root = self._judge.position, self._first()
        found = {line.last: line.value for line in (*self._ended(root), *self._shown(root)) if line.last in steps}
        for node in self._after(root):
            if node.step in steps:
                sides = tuple(pile[:depth] for pile, depth in zip(position.sides, node.depths, strict=True))
                behind = position._replace(heights=node.heights, hand=node.hand, sides=sides, stock=node.stock)
                found[node.step] = plan(behind, self._bound)[0].value
        return found

    def _judged(self, node: Node) -> None:
        """All lines that end here.

        Nobody ends a turn while the pay-off card fits, unless to play it could open the way for the other's last one.
        """
        shown = [*self._shown(node)]
        if self._judge.position.other_left == 1 or not any(line.until is Until.REVEAL for line in shown):
            self._lines += self._ended(node)
        self._lines += shown

    def _shown(self, node: Node) -> Iterator[Line]:
        """The lines that something hidden ends here: the next pay-off card, a new hand."""
        judge, position = self._judge, self._judge.position
        heights, hand, depths, stock, _, _, _ = node
        refills = len(hand) == 1 and position.variant.refill is Refill.AT_ONCE
        for at, height in enumerate(heights):
            if height in heights[:at]:
                continue
            after, more = _raised(heights, at)
            if position.top in (height + 1, KING):
                value = judge.revealed(after, hand, depths, stock + more)
                yield Line(value, Until.REVEAL, node, (PAY_OFF, position.top, at))
            if refills and hand[0] in (height + 1, KING):
                can_draw = position.can_draw(HAND_SIZE, stock + more)
                value = judge.refilled(after, depths, stock + more) if can_draw else judge.run_out()
                yield Line(value, Until.REFILL, node, (FROM_HAND, hand[0], at))

    def _ended(self, node: Node) -> Iterator[Line]:
        """The lines that end the turn here; where one is enough, the best of them."""
        heights, hand, depths, stock, _, _, _ = node
        if not hand:
            yield Line(self._judge.passed(heights, depths, stock), Until.DISCARD, node, PASS)
            return
        found = self._judge.discards(heights, hand, depths, stock)
        for value, rank, side in [max(found)] if self._is_best_enough else found:
            yield Line(value, Until.DISCARD, node, (FROM_HAND, rank, ONTO_SIDE + side))

    def _win(self) -> Line | None:
        """The line that wins at once with the cards that are known, if there is one."""
        position = self._judge.position
        if position.left > 1 or not _may_win(position):
            return None
        for node in self._nodes(WINNING):
            for at, height in enumerate(node.heights):
                if position.top in (height + 1, KING):
                    return Line(WON, Until.REVEAL, node, (PAY_OFF, position.top, at))
        return None

    def _nodes(self, bound: int) -> Iterator[Node]:
        """Each different position that plays lead to without anything hidden being shown, fewer kings first."""
        first = self._first()
        waiting: list[deque[Node]] = [deque() for _ in range(MOST_KINGS + 1)]
        waiting[0].append(first)
        seen = {_key(first)}
        lowest = count = 0
        while lowest <= MOST_KINGS and count < bound:
            if not waiting[lowest]:
                lowest += 1
                continue
            node = waiting[lowest].popleft()
            count += 1
            self.looked_at += 1
            yield node
            for following in self._after(node):
                key = _key(following)
                if key not in seen:
                    seen.add(key)
                    waiting[following.kings].append(following)

    def _first(self) -> Node:
        """The position as it is."""
        position = self._judge.position
        return Node(position.heights, position.hand, tuple(map(len, position.sides)), position.stock, 0, None, PASS)

    def _after(self, node: Node) -> Iterator[Node]:
        """Where one more play of a hand card or a side stack leads, that does not refill the hand."""
        position = self._judge.position
        heights, hand, depths, stock, kings, _, _ = node
        keeps = len(hand) > 1 or position.variant.refill is not Refill.AT_ONCE
        for at, height in enumerate(heights):
            if height in heights[:at]:
                continue
            after, more = _raised(heights, at)
            for side, depth in enumerate(depths):
                rank = position.sides[side][depth - 1] if depth else 0
                if rank in (height + 1, KING):
                    left = (*depths[:side], depth - 1, *depths[side + 1 :])
                    step = SIDE + side, rank, at
                    yield Node(after, hand, left, stock + more, kings + (rank == KING), node, step)
            if keeps:
                for rank in (height + 1, KING):
                    if rank in hand:
                        place = hand.index(rank)
                        left = hand[:place] + hand[place + 1 :]
                        step = FROM_HAND, rank, at
                        yield Node(after, left, depths, stock + more, kings + (rank == KING), node, step)


def plan(position: Position, bound: int, count: int = 1) -> list[Line]:
    """The best lines of this turn, best first, from at most so many positions."""
    return Planner(Judge(position), bound).best(count)


def _key(node: Node) -> tuple[Ranks, Ranks, Ranks]:
    """What tells a position from another: the centre stacks in any order, the hand, the side stacks."""
    return tuple(sorted(node.heights)), node.hand, node.depths


def _raised(heights: Ranks, at: int) -> tuple[Ranks, int]:
    """The centre with one card more on a stack, and how many cards go back into the stock."""
    height = heights[at] + 1
    if height == FULL:
        return (*heights[:at], 0, *heights[at + 1 :]), FULL
    return (*heights[:at], height, *heights[at + 1 :]), 0


def _may_win(position: Position) -> bool:
    """Whether the cards of hand and side stacks, in whatever order they lie, could lead to the pay-off card."""
    ranks = (*position.hand, *(rank for side in position.sides for rank in side))
    loose, kings = bits_of(ranks), ranks.count(KING)
    return any((NEEDED[height][position.top] & ~loose).bit_count() <= kings for height in position.heights)
