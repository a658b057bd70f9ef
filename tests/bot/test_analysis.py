"""What a move was worth beside the one that the hardest level would have made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, variants

from sm_p2p.bot.analysis import judgement
from sm_p2p.bot.levels import best_line, move_of
from sm_p2p.bot.position import position_of
from sm_p2p.bot.simulate import Series
from sm_p2p.bot.values import TIE, chance
from sm_p2p.rules.moves import Move
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import QUICK, Variant


@FEW
@given(variants(), st.integers(0, 10_000), st.integers(0, 60))
def test_every_legal_move_can_be_judged_and_none_gains(variant: Variant, seed: int, at: int) -> None:
    series = Series("greedy", "play-first", variant, seed)
    found = [game for _, game in series.play(0) if game.table.to_move is not None]
    view = (game := found[min(at, len(found) - 1)]).view(game.table.to_move or 0)
    best = move_of(view, best_line(position_of(view)).steps[0])
    for move in view.legal_moves[at % 3 :: 4]:
        judged = judgement(view, move)
        assert judged.made.move == move
        assert judged.best.move in {move, best}
        assert 0 <= judged.loss <= 1
        assert all(0 <= option.chance <= 1 for option in (judged.made, judged.best))
    assert judgement(view, best).loss == 0


def test_places_that_make_no_difference_are_no_other_move() -> None:
    view = Sketch(centre=(4, 4, 8), hand="5S 5H.1 JS", top="6H.1").game().view(0)
    judged = [judgement(view, Move.parse(text)) for text in ("h1-c1", "h1-c2", "h2-c1", "h2-c2")]
    assert all(one.made == one.best for one in judged)
    assert len({one.best.chance for one in judged}) == 1
    assert len({judgement(view, Move.parse(text)).made.chance for text in ("h3-a", "h3-b", "h3-c", "h3-d")}) == 1


def test_a_win_and_a_gift_are_seen() -> None:
    view = Sketch(centre=(3, 0, 0), hand="4S 9S", top="5H", pay_off=1).game().view(0)
    judged = judgement(view, Move.parse("h2-a"))
    assert (str(judged.best.move), judged.best.chance) == ("h1-c1", 1)
    assert judged.made.chance < 1
    gift = Sketch(centre=(5, 1, 1), hand="6S 9S", top="QH", pay_off=2, other_top="7D", other_pay_off=1).game()
    assert judgement(gift.view(0), Move.parse("h1-c1")).loss > 0.05


def test_an_end_without_a_hand_is_judged() -> None:
    judged = judgement(Sketch("refill=next-turn", hand="x", top="9H").game().view(0), Move.parse("end"))
    assert (judged.made, judged.loss) == (judged.best, 0)


def test_whoever_plays_without_thinking_loses_more() -> None:
    series = Series("play-first", "greedy", QUICK, 5)
    before, lost = series.start(0), [0.0, 0.0]
    for move, after in [*series.play(0)][:60]:
        seat = before.table.to_move or 0
        lost[seat] += judgement(before.view(seat), move).loss
        before = after
    assert lost[0] > lost[1] > 0


def test_hidden_cards_change_nothing() -> None:
    series = Series("greedy", "greedy", QUICK, 2)
    move, _ = next(series.play(0))
    start = series.start(0)
    view = start.view(start.table.to_move or 0)
    hidden = {slot: start.face(slot) for place in start.table.places for slot in place.hand if slot is not None}
    assert judgement(view, move) == judgement(view._replace(faces=hidden), move)


def test_a_tie_is_better_than_a_game_that_is_clearly_lost() -> None:
    assert chance(TIE) == pytest.approx(0.15, abs=0.001)
