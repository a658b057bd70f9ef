"""What greedy prefers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, variants

from sm_p2p.bot.greedy import choose
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import open_game, play_out
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View


@pytest.mark.parametrize(
    ("sketch", "move"),
    [
        (Sketch(centre=(3, 0, 0), hand="AS 4S", top="4H"), "p-c1"),
        (Sketch(centre=(3, 0, 0), hand="AS 4S KS", top="KH"), "p-c1"),
        (Sketch(centre=(3, 0, 0), hand="4S KS", sides="4D/-/-/-", top="9H"), "a-c1"),
        (Sketch(centre=(3, 3, 0), hand="4S", top="9H"), "h1-c1"),
        (Sketch(centre=(3, 5, 0), hand="4S 6S", top="9H"), "h2-c2"),
        (Sketch(centre=(3, 5, 0), hand="JS KS", top="7H"), "h2-c2"),
        (Sketch(centre=(3, 5, 0), hand="JS KS 7S", sides="KD/-/-/-", top="7H"), "a-c2"),
        (Sketch(centre=(3, 5, 0), hand="JS KS 7S", top="8H"), "h2-c2"),
        (Sketch(centre=(3, 5, 0), hand="JS KS", top="9H"), "h1-a"),
        (Sketch(centre=(3, 0, 0), hand="JS 9S 5S", sides="QS/JH/10H/6H", top="9H"), "h1-a"),
        (Sketch(centre=(2, 0, 0), hand="9S 5S", sides="9D/JH/-/QH", top="9H"), "h1-a"),
        (Sketch(centre=(2, 0, 0), hand="9S 5S", sides="2D/4H/-/QH", top="9H"), "h1-c"),
        (Sketch(centre=(2, 0, 0), hand="9S KS", sides="7D/JH/8H/QH", top="9H"), "h1-d"),
        (Sketch(centre=(2, 0, 0), hand="KS KD", sides="7D/JH/8H/-", top="9H"), "h1-d"),
        (Sketch(hand="9S 5S", sides="7D/JH/KD/QH", top="9H"), "h1-d"),
        (Sketch(hand="JS 5S", sides="10D/7H/8D/9D", top="9H"), "h2-a"),
        (Sketch(centre=(11, 11, 11), stock=10, hand="9S KS", sides="AS/-/-/-", top="2S"), "h2-c1"),
        (Sketch(centre=(11, 11, 11), stock=10, hand="9S KS", sides="AS/-/-/-", top="3S"), "h1-b"),
        (Sketch(centre=(11, 11, 10), stock=10, hand="9S KS KD", top="AS"), "h2-c1"),
        (Sketch("refill=next-turn", hand="x", top="9H"), "end"),
    ],
)
def test_greedy_makes_this_move(sketch: Sketch, move: str) -> None:
    game = sketch.game()
    assert str(choose(game.view(0))) == move


@FEW
@given(variants(), st.integers(0, 10_000))
def test_greedy_makes_legal_moves_the_same_ones_for_the_same_view(variant: Variant, seed: int) -> None:
    def checked(view: View) -> Move:
        move = choose(view)
        assert move in view.legal_moves
        assert choose(View(view.table, view.seat, dict(view.faces))) == move
        return move

    *_, (_, game) = play_out(open_game(variant, seed), (checked, checked))
    assert game.table.outcome is not None


def test_an_onlooker_is_not_asked() -> None:
    with pytest.raises(TypeError, match="onlooker"):
        choose(View(Sketch().game().table, None, {}))
