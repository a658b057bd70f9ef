"""What hypothesis draws: cards, moves, variants, and games played at random over all variants."""

import random
from collections.abc import Iterator

from hypothesis import settings
from hypothesis import strategies as st

from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import MOVES, Move
from sm_p2p.rules.open_game import Chooser, OpenGame, open_game, play_out
from sm_p2p.rules.variant import RANGES, Hints, Refill, StockOut, Variant
from sm_p2p.rules.view import View

STEADY = settings(derandomize=True, deadline=None)
FEW = settings(STEADY, max_examples=10)

cards = st.builds(
    lambda rank, pack, suit: Card(rank << 4 | pack << 2 | suit),
    st.integers(1, 13),
    st.integers(0, 3),
    st.integers(0, 3),
)
moves = st.sampled_from(MOVES)


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Any variant that can be played."""
    packs = draw(st.integers(*RANGES["packs"]))
    return Variant(
        packs=packs,
        pay_off=draw(st.integers(RANGES["pay_off"][0], min(RANGES["pay_off"][1], (packs * 52 - 30) // 2))),
        target=draw(st.integers(*RANGES["target"])),
        centres=draw(st.integers(*RANGES["centres"])),
        hints=draw(st.sampled_from(Hints)),
        patience=draw(st.integers(*RANGES["patience"])),
        stock_out=draw(st.sampled_from(StockOut)),
        refill=draw(st.sampled_from(Refill)),
    )


def eager(seed: int) -> Chooser:
    """A player who plays to the centre while he can, at random, and holds his hand back as often as not."""
    dice = random.Random(seed)

    def choose(view: View) -> Move:
        moves = view.legal_moves
        plays = [move for move in moves if not move.ends_turn]
        return dice.choice(plays if plays and dice.random() < 0.9 else moves)

    return choose


def game_of(variant: Variant, seed: int) -> Iterator[tuple[Move, OpenGame, OpenGame]]:
    """Each move of a random game with the game before and after it."""
    before = open_game(variant, seed, seed % 2)
    chooser = eager(seed)
    for move, after in play_out(before, (chooser, chooser)):
        yield move, before, after
        before = after
