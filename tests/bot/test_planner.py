"""The planner against the rules: its lines can be played, its wins are all that there are, its sums are right."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, variants

from sm_p2p.bot.levels import carried_out, move_of
from sm_p2p.bot.planner import PASS, Planner, Until, plan
from sm_p2p.bot.position import Position, position_of
from sm_p2p.bot.reach import NEEDED, chances, ladder, missing, top_bit, without
from sm_p2p.bot.simulate import Series
from sm_p2p.bot.values import LOST, TIE, WON, Judge, chance
from sm_p2p.rules.cards import KING
from sm_p2p.rules.moves import END
from sm_p2p.rules.open_game import OpenGame
from sm_p2p.rules.parts import How
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import QUICK, Variant
from sm_p2p.rules.view import View

SHORT = "quick,pay_off=5,target=1"


def moments(variant: Variant, seed: int, game: int = 0) -> Iterator[OpenGame]:
    """The positions of a game between two players who differ."""
    series = Series("greedy", "play-first", variant, seed)
    yield series.start(game)
    for _, position in series.play(game):
        if position.table.to_move is not None:
            yield position


@FEW
@given(variants(), st.integers(0, 10_000), st.integers(0, 60))
def test_every_line_can_be_played_and_leads_where_it_says(variant: Variant, seed: int, at: int) -> None:
    found = [*moments(variant, seed)]
    start = found[min(at, len(found) - 1)]
    seat = start.table.to_move or 0
    for line in Planner(Judge(position_of(start.view(seat))), 30).best(12):
        game = start
        for step in line.steps[:-1]:
            move = move_of(game.view(seat), step)
            assert not move.ends_turn
            game = game.play(move)
        table = game.table
        assert (table.heights, table.stock_count, len(game.view(seat).hand) - game.view(seat).hand.count(None)) == (
            line.node.heights,
            line.node.stock,
            len(line.node.hand),
        )
        assert tuple(map(len, table.places[seat].sides)) == line.node.depths
        last = move_of(game.view(seat), line.last)
        assert last in game.view(seat).legal_moves
        assert last.ends_turn == (line.until is Until.DISCARD)
        after = game.play(last).table
        has_turned_up = after.places[seat].pay_off < table.places[seat].pay_off
        assert has_turned_up == (line.until is Until.REVEAL)
        assert (line.value == WON) == (
            after.outcome is not None and after.outcome.winner == seat and after.outcome.how is How.WIN
        )


def wins_at_once(game: OpenGame, seat: int, seen: set[tuple[object, ...]]) -> bool:
    """Whether plays of cards that lie open or in the hand, without a refill, play the last pay-off card: by brute force."""
    table, view = game.table, game.view(seat)
    key = (table.heights, view.hand, tuple(map(len, table.places[seat].sides)))
    if key in seen:
        return False
    seen.add(key)
    for move in view.legal_moves:
        if move.ends_turn:
            continue
        after = game.play(move)
        if after.table.outcome is not None:
            if after.table.outcome.winner == seat and after.table.places[seat].pay_off == 0:
                return True
            continue
        hand = sum(slot is not None for slot in table.places[seat].hand)
        if move.hand_place is not None and hand == 1 and after.table.places[seat].hand != (None,) * 5:
            continue  # new cards came
        if wins_at_once(after, seat, seen):
            return True
    return False


@pytest.mark.parametrize("refill", ["at-once", "next-turn"])
def test_every_win_with_the_cards_that_are_known_is_found_and_no_other(refill: str) -> None:
    wins = others = 0
    for seed in range(40):
        for game in moments(Variant.parse(f"{SHORT},refill={refill}"), seed):
            seat = game.table.to_move or 0
            if game.table.places[seat].pay_off > 1 or wins + others > 150:
                continue
            is_won = wins_at_once(game, seat, set())
            (line,) = plan(position_of(game.view(seat)), 1)
            assert (line.value == WON) == is_won, game.table
            wins, others = wins + is_won, others + (not is_won)
    assert min(wins, others) > 20


@FEW
@given(st.integers(0, 10_000), st.integers(0, 100))
def test_a_discard_of_the_only_card_is_worth_what_the_position_without_a_hand_is(seed: int, at: int) -> None:
    found = [*moments(QUICK, seed)]
    game = found[min(at, len(found) - 1)]
    position = position_of(game.view(game.table.to_move or 0))
    position = position._replace(hand=position.hand[:1])
    depths = tuple(map(len, position.sides))
    for value, rank, side in Judge(position).discards(position.heights, position.hand, depths, position.stock):
        sides = (*position.sides[:side], (*position.sides[side], rank), *position.sides[side + 1 :])
        grown = position._replace(sides=sides, hand=())
        assert Judge(grown).passed(grown.heights, tuple(map(len, sides)), grown.stock) == pytest.approx(value)


def at_rest(sketch: Sketch) -> Position:
    return position_of(sketch.game().view(0))


def test_a_way_that_is_free_for_the_last_card_of_the_other_is_lost() -> None:
    position = at_rest(Sketch(centre=(6, 1, 1), hand="9S", other_top="7D.1", other_pay_off=1))
    assert all(value < LOST + 5 for value, _, _ in Judge(position).discards(position.heights, (9,), (0, 0, 0, 0), 30))


def test_a_stock_that_runs_out_is_a_tie_or_what_the_variant_makes_of_it() -> None:
    heights, depths = (4, 4, 4), (0, 0, 0, 0)
    for words, mine, value in (("standard", 5, TIE), ("stock_out=fewest", 5, WON), ("stock_out=fewest", 25, -WON)):
        sketch = Sketch(
            f"{words},packs=4,pay_off=30".removeprefix("standard,"), centre=heights, hand="9S", stock=3, other_hand=1
        )
        position = at_rest(sketch)._replace(left=mine, other_left=15)
        assert {one[0] for one in Judge(position).discards(heights, (9,), depths, 3)} == {value}
        assert Judge(position).passed(heights, depths, 3) == value


def test_with_an_empty_hand_a_turn_is_passed() -> None:
    (line, *_) = plan(at_rest(Sketch("refill=next-turn", hand="x", top="9H")), 10)
    assert line.steps == (PASS,)
    choose = carried_out(lambda position: plan(position, 10)[0])
    assert choose(Sketch("refill=next-turn", hand="x", top="9H").game().view(0)) == END


def test_a_bound_that_is_reached_cuts_off_the_kings() -> None:
    rich = at_rest(Sketch(centre=(3, 5, 7), hand="KS KD KH KC 9S", top="2H.1", sides="KS.1/KD.1/6S/8S"))
    planner = Planner(Judge(rich), 25)
    assert planner.best()
    assert planner.looked_at == 25
    first = Planner(Judge(rich), 25)
    assert {node.kings for node in first._nodes(4)} == {0}


def test_onlookers_have_no_position() -> None:
    with pytest.raises(TypeError, match="onlooker"):
        position_of(View(Sketch().game().table, None, {}))


def test_what_is_unseen_and_what_lies_open_are_all_cards() -> None:
    game = Sketch(centre=(3, "KS,2S", 0), hand="9S KH", sides="4S/-/KD,3H/-", other_sides="5S/-/-/-").game()
    position = position_of(game.view(0))
    table = game.table
    open_cards = sum(table.heights) + 4 + 1 - 1 + 2 + 2
    assert position.unseen[0] == sum(position.unseen[1:]) == 104 - open_cards
    assert position.unseen[KING] == 8 - 3


def test_what_is_needed_goes_over_a_completion() -> None:
    assert NEEDED[3][6] == 1 << 4 | 1 << 5
    assert NEEDED[3][4] == NEEDED[11][KING] == 0
    assert NEEDED[10][2] == 1 << 11 | 1 << 12 | 1 << 1


def test_side_stacks_are_ladders_and_kings_stand_for_the_lowest() -> None:
    assert ladder((9, KING, 8, 5)) == 1 << 5 | 1 << 8
    assert ladder((5, KING)) == top_bit((5, KING)) == top_bit(()) == 0
    need = NEEDED[3][9]
    pile = (8, 5)
    assert missing(need, 1 << 4, [(top_bit(pile), ladder(pile))]) == 1 << 6 | 1 << 7
    assert without(1 << 6 | 1 << 7, 1) == 1 << 7
    assert without(1 << 6, 3) == 0


def test_chances_are_chances() -> None:
    unseen = (104, *(8,) * 13)
    assert chances(unseen, 0)[1:] == (0.0,) * 12
    assert all(0 < chances(unseen, 1)[rank] < chances(unseen, 5)[rank] < 1 for rank in range(1, KING))
    assert chance(-WON) == 0
    assert chance(WON) == 1
