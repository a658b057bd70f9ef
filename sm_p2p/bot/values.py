"""What a position is worth to the player whose turn it is: the log-odds of winning, as a sum of weights.

Law: a value is a function of what its player knows. A turn is judged where it ends (a discard), where a pay-off card is
turned up and where a hand is drawn anew; `weights` holds the fitted numbers of each.
"""

from functools import lru_cache
from itertools import pairwise
from math import exp, log, sqrt
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.bot.position import Position, Ranks
from sm_p2p.bot.reach import NEEDED, Bits, Rungs, bits_of, chance_of, chances, ladder, missing, top_bit, without
from sm_p2p.bot.weights import MODEL, Model, Piles, Weights
from sm_p2p.rules.cards import ACE, KING
from sm_p2p.rules.moves import HAND_SIZE, SIDES
from sm_p2p.rules.variant import StockOut

Discard: TypeAlias = tuple[float, int, int]
"""The value after a discard, its rank, the side stack that it goes onto."""

WON: Final = 1000.0
TIE: Final = -1.73  # as good as winning 15 of 100: better than a game that is clearly lost, worse than any other
LOST: Final = -15.0
SCALE: Final = 4.0
LOW: Final = 36  # cards in the stock
VERY_LOW: Final = 12
HIGH: Final = 8
MOST_MISSING: Final = 4
DIGITS: Final = 9  # what no two machines calculate differently
END, REVEAL, REFILL = range(3)


class Side(NamedTuple):
    """One own side stack, counted."""

    value: float
    top: int
    natural: Bits  # the top, unless it is a king
    ladder: Bits


def chance(value: float) -> float:
    """The chance to win that these log-odds are.

    >>> chance(0.0), round(chance(2.0), 2), chance(-WON)
    (0.5, 0.88, 0.0)
    """
    return 1 / (1 + exp(-value)) if value > -WON / 2 else 0.0


class Judge:
    """Values whatever one turn can come to; made for the position at which it is planned."""

    def __init__(self, position: Position, model: Model = MODEL) -> None:
        self.position = position
        self._model = model
        self._others = [_piles(weights.other, position.other_sides) for weights in model]
        self._growth = _growth(model.end.own)
        self._scaled = self._value(model.end, position.left, 0.0), SCALE / sqrt(position.left + position.other_left)
        self._tops = [top_bit(pile) for pile in position.other_sides]
        self._ladders = [(top_bit(pile), ladder(pile)) for pile in position.other_sides]
        self._kings = sum(pile[-1:] == (KING,) for pile in position.other_sides)
        self._sides: dict[tuple[int, int], Side] = {}
        self._ways: dict[tuple[Bits, int, int], tuple[int, float]] = {}

    def discards(self, heights: Ranks, hand: Ranks, depths: Ranks, stock: int) -> list[Discard]:
        """Every different discard of this hand, the turn then being over; `depths` is what is left of each side stack."""
        position, weights = self.position, self._model.end
        if not position.can_draw(position.other_draws, stock):
            value = self.run_out()
            return [(value, rank, side) for rank in dict.fromkeys(hand) for side in range(SIDES)]
        shared, missed, threat = self._shared(END, heights, stock)
        sides = [self._side(at, depth) for at, depth in enumerate(depths)]
        tops = [side.top for side in sides]
        following = sum([2 << height for height in {*heights}])
        fits = [(side.natural & following) != 0 for side in sides]
        shared += weights.same * (position.top == position.other_top) + weights.loose_own * sum(fits)
        shared += sum([side.value for side in sides])
        covered = _others([side.natural for side in sides])
        wanted = [
            (need, _others([side.ladder if side.natural & need else 0 for side in sides]))
            for need in {NEEDED[height][position.top] for height in heights}
        ]
        different = [at for at, top in enumerate(tops) if top or 0 not in tops[:at]]
        base, scale = self._scaled
        found: list[Discard] = []
        for rank in dict.fromkeys(hand):
            place = hand.index(rank)
            rest = hand[:place] + hand[place + 1 :]
            in_hand = shared + _in_hand(weights, rest, following)
            bit = 0 if rank == KING else 1 << rank
            loose, kings = bits_of(rest), rest.count(KING) + tops.count(KING) + (rank == KING)
            for at in different:
                side = sides[at]
                rungs = bit | side.ladder if side.natural > bit > 0 else bit
                total = (
                    in_hand
                    + self._growth[side.top][rank]
                    + weights.own.kinds * (covered[at] | bit).bit_count()
                    + weights.loose_own * (((bit & following) != 0) - fits[at])
                    + self._near(wanted, at, loose, (bit, rungs), kings - (side.top == KING), HAND_SIZE - len(rest))
                )
                value = base + scale * total
                found.append((self._ended(value, missed, threat) if position.other_left == 1 else value, rank, at))
        return found

    def passed(self, heights: Ranks, depths: Ranks, stock: int) -> float:
        """The value after the turn was ended with an empty hand."""
        position, weights = self.position, self._model.end
        if not position.can_draw(position.other_draws, stock):
            return self.run_out()
        shared, missed, threat = self._shared(END, heights, stock)
        total = shared + self._without_hand(weights, heights, depths) + weights.kings[0]
        return self._ended(self._value(weights, position.left, total), missed, threat)

    def refilled(self, heights: Ranks, depths: Ranks, stock: int) -> float:
        """The value when a play has emptied the hand, before the new cards are seen."""
        weights = self._model.refill
        total = self._shared(REFILL, heights, stock)[0] + self._without_hand(weights, heights, depths)
        return self._value(weights, self.position.left, total)

    def revealed(self, heights: Ranks, hand: Ranks, depths: Ranks, stock: int) -> float:
        """The value when the pay-off card has been played, before the next one is seen; the game when it was the last."""
        position, weights = self.position, self._model.reveal
        if position.left == 1:
            return WON
        total = self._shared(REVEAL, heights, stock)[0] + self._on_sides(weights, heights, depths)
        naturals = bits_of(hand)
        total += _in_hand(weights, hand, sum([2 << height for height in {*heights}]))
        sides = [self._side(at, depth) for at, depth in enumerate(depths)]
        kings = hand.count(KING) + sum([side.top == KING for side in sides])
        rungs = [(side.natural, side.ladder) for side in sides]
        unseen = position.unseen
        counts = [0] * (MOST_MISSING + 1)
        counts[0] = unseen[KING]
        rows = [NEEDED[height] for height in {*heights}]
        for rank in range(ACE, KING):
            fewest = min([missing(row[rank], naturals, rungs).bit_count() for row in rows]) - kings
            counts[min(max(fewest, 0), MOST_MISSING)] += unseen[rank]
        hidden = max(unseen[0], 1)
        total += sum([far * count / hidden for far, count in zip(weights.own_far, counts, strict=True)])
        return self._value(weights, position.left - 1, total)

    def run_out(self) -> float:
        """The value when the stock has run out."""
        position = self.position
        if position.variant.stock_out is not StockOut.FEWEST or position.left == position.other_left:
            return TIE
        return WON if position.left < position.other_left else -WON

    def _shared(self, phase: int, heights: Ranks, stock: int) -> tuple[float, int, float]:
        """What does not hang on the own cards; with how much the opponent lacks for his pay-off card, and his chance."""
        position, weights = self.position, self._model[phase]
        fewest, best = MOST_MISSING, 0.0
        kinds = {*heights}
        following = 0
        for height in kinds:
            following |= 2 << height
            lacking = missing(NEEDED[height][position.other_top], 0, self._ladders)
            count, odds = self._way(lacking, self._kings, HAND_SIZE)
            fewest, best = min(fewest, count), max(best, odds)
        total = (
            weights.tempo
            + self._others[phase]
            + weights.other_far[fewest]
            + weights.other_chance * best
            + weights.loose_other * sum([(top & following) != 0 for top in self._tops])
            + weights.empty_stacks * heights.count(0)
            + weights.high_stacks * sum([height >= HIGH for height in heights])
            + weights.kinds * len(kinds)
            + weights.raised * sum(heights)
            + weights.low * max(0, LOW - stock)
            + weights.very_low * max(0, VERY_LOW - stock)
        )
        return total, fewest, best

    def _on_sides(self, weights: Weights, heights: Ranks, depths: Ranks) -> float:
        """What the own side stacks are worth as they are."""
        piles = tuple([pile[:depth] for pile, depth in zip(self.position.sides, depths, strict=True)])
        following = sum([2 << height for height in {*heights}])
        return _piles(weights.own, piles) + weights.loose_own * sum(
            [(top_bit(pile) & following) != 0 for pile in piles]
        )

    def _without_hand(self, weights: Weights, heights: Ranks, depths: Ranks) -> float:
        """What the own side is worth when nothing of the next hand is known."""
        position = self.position
        sides = [self._side(at, depth) for at, depth in enumerate(depths)]
        kings = sum([side.top == KING for side in sides])
        rungs = [(side.natural, side.ladder) for side in sides]
        fewest, best = MOST_MISSING, 0.0
        for height in {*heights}:
            count, odds = self._way(missing(NEEDED[height][position.top], 0, rungs), kings, HAND_SIZE)
            fewest, best = min(fewest, count), max(best, odds)
        return (
            self._on_sides(weights, heights, depths)
            + weights.own_far[fewest]
            + weights.own_chance * best
            + weights.same * (position.top == position.other_top)
        )

    def _near(
        self, wanted: "list[tuple[Bits, list[Bits]]]", at: int, loose: Bits, laid: Rungs, kings: int, draws: int
    ) -> float:
        """What it is worth how near the own pay-off card is, when `laid` is what side stack `at` then has."""
        weights = self._model.end
        top, rungs = laid
        fewest, best = MOST_MISSING, 0.0
        for need, elsewhere in wanted:
            have = loose | elsewhere[at]
            if need & top:
                have |= rungs
            lacking = need & ~have
            if not lacking:
                return weights.own_far[0] + weights.own_chance
            way = self._ways.get((lacking, kings, draws))
            count, odds = self._way(lacking, kings, draws) if way is None else way
            fewest, best = min(fewest, count), max(best, odds)
        return weights.own_far[fewest] + weights.own_chance * best

    def _side(self, at: int, depth: int) -> Side:
        """What is left of an own side stack, by the weights of a turn's end."""
        side = self._sides.get((at, depth))
        if side is None:
            pile = self.position.sides[at][:depth]
            side = Side(_pile(self._model.end.own, pile), pile[-1] if pile else 0, top_bit(pile), ladder(pile))
            self._sides[at, depth] = side
        return side

    def _way(self, lacking: Bits, kings: int, draws: int) -> tuple[int, float]:
        """How many of these are lacking beside the kings, and how likely so many new cards bring all of them."""
        key = lacking, kings, draws
        way = self._ways.get(key)
        if way is None:
            rest = without(lacking, kings)
            odds = chance_of(rest, chances(self.position.unseen, draws))
            way = self._ways[key] = min(rest.bit_count(), MOST_MISSING), odds
        return way

    def _ended(self, value: float, missed: int, threat: float) -> float:
        """The value of a turn's end; who leaves the way free for the opponent's last pay-off card has lost."""
        if self.position.other_left > 1:
            return value
        if missed == 0:
            return LOST + value / SCALE
        won = (1 - threat) * chance(value)
        return round(log(won / (1 - won)), DIGITS)

    def _value(self, weights: Weights, left: int, total: float) -> float:
        """The log-odds: the lead, and everything else by how much of the game is left."""
        other = self.position.other_left
        scale = SCALE / sqrt(left + other)
        return weights.share * (other - left) / (left + other) + scale * (weights.lead * (other - left) + total)


def _others(bits: list[Bits]) -> list[Bits]:
    """For each of four side stacks, the bits of the other three."""
    a, b, c, d = bits
    return [b | c | d, a | c | d, a | b | d, a | b | c]


def _in_hand(weights: Weights, hand: Ranks, following: Bits) -> float:
    """What a hand is worth by itself."""
    naturals, kings = bits_of(hand), hand.count(KING)
    return (
        weights.kings[kings]
        + weights.kept * (len(hand) - kings)
        + weights.doubles * (len(hand) - kings - naturals.bit_count())
        + weights.loose_hand * (naturals & following).bit_count()
    )


def _pile(weights: Piles, pile: Ranks) -> float:
    """What one side stack is worth."""
    if not pile:
        return weights.empty
    value = weights.kings * (pile[-1] == KING) + weights.buried * pile[:-1].count(KING) + weights.cards * len(pile)
    for below, above in pairwise(pile):
        value += _joint(weights, below, above)
    return value


def _joint(weights: Piles, below: int, above: int) -> float:
    """What it is worth that this card lies on that one."""
    if KING in (below, above) or below > above + 1:
        return 0.0
    return weights.runs if below > above else weights.equals if below == above else weights.covered


@lru_cache(1 << 12)
def _piles(weights: Piles, piles: tuple[Ranks, ...]) -> float:
    """What four side stacks are worth."""
    kinds = {pile[-1] for pile in piles if pile} - {KING}
    return sum([_pile(weights, pile) for pile in piles]) + weights.kinds * len(kinds)


@lru_cache(8)
def _growth(weights: Piles) -> tuple[Ranks | tuple[float, ...], ...]:
    """Top → rank: what a card of this rank adds to a side stack with this top (0: an empty one)."""

    def grown(top: int, rank: int) -> float:
        kings = weights.kings * ((rank == KING) - (top == KING)) + weights.buried * (top == KING)
        return kings + weights.cards + (_joint(weights, top, rank) if top else -weights.empty)

    return tuple(tuple(grown(top, rank) for rank in range(KING + 1)) for top in range(KING + 1))
