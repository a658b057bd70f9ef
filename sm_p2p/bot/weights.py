"""The fitted weights of the values; `scripts/making/values.py` fits them anew and writes this file.

Law: numbers only. The unit is log-odds of winning, times the square root of the pay-off cards that both have left, over four.
"""

from typing import Final, NamedTuple


class Piles(NamedTuple):
    """Of the four side stacks of one player."""

    kings: float  # on top, each
    buried: float  # kings below another card, each
    empty: float  # empty stacks, each
    runs: float  # a card that lies on the next higher one
    equals: float  # a card that lies on its own rank
    covered: float  # a card that lies on a lower one
    cards: float  # each
    kinds: float  # different natural ranks on top


class Weights(NamedTuple):
    """Of everything that counts in one phase of a turn; `own` is the player whose turn it is."""

    lead: float  # pay-off cards fewer than the opponent
    share: float  # the same, as a share of all that are left; not scaled
    tempo: float
    own: Piles
    other: Piles
    kings: tuple[float, ...]  # so many in the hand
    kept: float  # each other card in the hand
    doubles: float  # each that has its like in the hand
    own_far: tuple[float, ...]  # so many cards are missing below the pay-off card, known kings counted as there
    own_chance: float  # how likely the cards to be drawn bring all of them
    other_far: tuple[float, ...]
    other_chance: float
    empty_stacks: float  # each, in the centre
    high_stacks: float  # that wait for a 9 or more
    kinds: float  # different heights
    raised: float  # each card in the centre
    low: float  # each card that the stock has fewer than 36
    very_low: float  # fewer than 12
    same: float  # both pay-off cards are of one rank
    loose_own: float  # tops of side stacks that fit the centre now
    loose_other: float
    loose_hand: float  # ranks of the hand that fit


class Model(NamedTuple):
    """The weights by phase: the turn is over, a pay-off card is turned up, a hand is drawn anew."""

    end: Weights
    reveal: Weights
    refill: Weights


END: Final = Weights(
    lead=0.2722,
    share=0.7551,
    tempo=0.2459,
    own=Piles(
        kings=0.1946,
        buried=-0.0881,
        empty=0.0081,
        runs=0.0307,
        equals=-0.0267,
        covered=-0.049,
        cards=0.0125,
        kinds=0.0383,
    ),
    other=Piles(
        kings=-0.1799,
        buried=0.0629,
        empty=-0.0097,
        runs=-0.0249,
        equals=0.0193,
        covered=0.0215,
        cards=-0.0141,
        kinds=-0.0181,
    ),
    kings=(0.0, 0.1293, 0.1595, 0.2626, 0.3919, 0.5212),
    kept=-0.0447,
    doubles=-0.0518,
    own_far=(0.4006, 0.3443, 0.1973, 0.1013, 0.0),
    own_chance=0.0846,
    other_far=(-0.1708, -0.1357, -0.1165, -0.0753, 0.0),
    other_chance=-0.5034,
    empty_stacks=-0.0086,
    high_stacks=0.0055,
    kinds=-0.0487,
    raised=-0.0027,
    low=0.007,
    very_low=-0.065,
    same=-0.0296,
    loose_own=-0.0106,
    loose_other=-0.0106,
    loose_hand=-0.0014,
)

REVEAL: Final = Weights(
    lead=0.256,
    share=1.0394,
    tempo=0.1114,
    own=Piles(
        kings=0.1515,
        buried=-0.105,
        empty=-0.0062,
        runs=0.0231,
        equals=-0.0372,
        covered=-0.0418,
        cards=0.0176,
        kinds=0.0308,
    ),
    other=Piles(
        kings=-0.2398,
        buried=0.0794,
        empty=-0.0225,
        runs=-0.0235,
        equals=0.0268,
        covered=0.0243,
        cards=-0.0128,
        kinds=-0.0331,
    ),
    kings=(0.0, 0.1544, 0.2288, 0.5165, 0.6708, 0.8252),
    kept=-0.0332,
    doubles=-0.0532,
    own_far=(1.096, 0.3362, -0.0423, 0.0, 0.0),
    own_chance=0.0,
    other_far=(-0.2342, -0.236, -0.1526, -0.1112, 0.0),
    other_chance=-0.2239,
    empty_stacks=0.0037,
    high_stacks=0.015,
    kinds=-0.0329,
    raised=-0.0005,
    low=0.0004,
    very_low=-0.0296,
    same=0.0,
    loose_own=-0.0008,
    loose_other=-0.0156,
    loose_hand=0.0539,
)

REFILL: Final = Weights(
    lead=0.2944,
    share=0.5017,
    tempo=-0.155,
    own=Piles(
        kings=0.1801,
        buried=-0.1321,
        empty=0.0039,
        runs=0.039,
        equals=-0.0464,
        covered=-0.0736,
        cards=0.0254,
        kinds=0.0134,
    ),
    other=Piles(
        kings=-0.2794,
        buried=0.1782,
        empty=0.0557,
        runs=-0.0357,
        equals=0.0068,
        covered=0.0119,
        cards=0.0039,
        kinds=-0.0453,
    ),
    kings=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    kept=0.0,
    doubles=0.0,
    own_far=(0.3983, 0.271, 0.1344, 0.0724, 0.0),
    own_chance=0.2948,
    other_far=(-0.2195, -0.1817, -0.1317, -0.0872, 0.0),
    other_chance=-0.324,
    empty_stacks=0.008,
    high_stacks=0.0565,
    kinds=0.1154,
    raised=-0.0037,
    low=-0.0009,
    very_low=-0.0081,
    same=0.0087,
    loose_own=0.0088,
    loose_other=-0.0364,
    loose_hand=0.0,
)

MODEL: Final = Model(END, REVEAL, REFILL)
