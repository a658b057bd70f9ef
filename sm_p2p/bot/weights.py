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
    lead=0.2592,
    share=0.819,
    tempo=0.2616,
    own=Piles(
        kings=0.1664,
        buried=-0.024,
        empty=0.0107,
        runs=0.0224,
        equals=-0.0228,
        covered=-0.0446,
        cards=0.0158,
        kinds=0.0299,
    ),
    other=Piles(
        kings=-0.1644,
        buried=-0.0108,
        empty=-0.0094,
        runs=-0.0162,
        equals=0.0167,
        covered=0.0226,
        cards=-0.0197,
        kinds=-0.0173,
    ),
    kings=(0, 0.141, 0.1568, 0.2049, 0.3459, 0.487),
    kept=-0.0379,
    doubles=-0.0775,
    own_far=(0.3366, 0.3259, 0.1942, 0.1073, 0),
    own_chance=0.1321,
    other_far=(-0.0349, -0.0511, -0.0697, -0.0548, 0),
    other_chance=-0.6253,
    empty_stacks=-0.0066,
    high_stacks=-0.0025,
    kinds=-0.0506,
    raised=-0.0038,
    low=0.0065,
    very_low=-0.0929,
    same=-0.0249,
    loose_own=-0.0208,
    loose_other=-0.0109,
    loose_hand=-0.0017,
)

REVEAL: Final = Weights(
    lead=0.2582,
    share=0.841,
    tempo=0.0175,
    own=Piles(
        kings=0.1645,
        buried=0.0544,
        empty=-0.0006,
        runs=0.0182,
        equals=-0.0312,
        covered=-0.0374,
        cards=0.0214,
        kinds=0.0368,
    ),
    other=Piles(
        kings=-0.2361,
        buried=-0.0724,
        empty=0.0018,
        runs=-0.0206,
        equals=0.0217,
        covered=0.0221,
        cards=-0.0158,
        kinds=-0.029,
    ),
    kings=(0, 0.1501, 0.2971, 0.3758, 0.5259, 0.676),
    kept=-0.0375,
    doubles=-0.0748,
    own_far=(1.115, 0.3958, 0.0131, 0, 0),
    own_chance=0,
    other_far=(-0.1286, -0.1598, -0.1265, -0.0766, 0),
    other_chance=-0.3415,
    empty_stacks=-0.0002,
    high_stacks=0.0104,
    kinds=-0.0231,
    raised=-0.0019,
    low=-0.0005,
    very_low=-0.0273,
    same=0,
    loose_own=0.0064,
    loose_other=-0.0279,
    loose_hand=0.0593,
)

REFILL: Final = Weights(
    lead=0.2839,
    share=0.4245,
    tempo=-0.1053,
    own=Piles(
        kings=0.1959,
        buried=0.0457,
        empty=-0.0181,
        runs=0.0133,
        equals=-0.0431,
        covered=-0.0538,
        cards=0.0297,
        kinds=0.0518,
    ),
    other=Piles(
        kings=-0.2315,
        buried=0.0157,
        empty=-0.0145,
        runs=-0.0195,
        equals=0.0094,
        covered=0.018,
        cards=-0.012,
        kinds=-0.036,
    ),
    kings=(0, 0, 0, 0, 0, 0),
    kept=0,
    doubles=0,
    own_far=(0.3276, 0.2556, 0.1083, 0.0502, 0),
    own_chance=0.3767,
    other_far=(-0.204, -0.1424, -0.1046, -0.0833, 0),
    other_chance=-0.2946,
    empty_stacks=0.0393,
    high_stacks=-0.0709,
    kinds=0.0236,
    raised=0.0093,
    low=0.0021,
    very_low=-0.0162,
    same=0.043,
    loose_own=-0.0122,
    loose_other=-0.0046,
    loose_hand=0,
)

MODEL: Final = Model(END, REVEAL, REFILL)
