"""A view adds faces to a table and never more than were shown."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, game_of, variants

from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.play import play
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View


def test_a_view_shows_the_own_hand_and_the_card_of_each_move() -> None:
    view = Sketch(hand="JS x 9S", top="4S", sides="2S,3S/-/-/-").game().view(0)
    assert view.hand == (Card.parse("JS"), None, Card.parse("9S"), None, None)
    faces = [view.face(Move.parse(move)) for move in ("h1-a", "h2-a", "p-c1", "a-c1", "b-c1")]
    assert faces == [Card.parse("JS"), None, Card.parse("4S"), Card.parse("3S"), None]
    assert view.face(END) is None


def test_an_onlooker_sees_no_hand_and_makes_no_move() -> None:
    table = Sketch(hand="AS").game().table
    view = View(table, None, {})
    assert (view.hand, view.legal_moves) == ((None,) * 5, ())
    assert view.face(Move.parse("h1-c1")) is None


def test_the_other_player_makes_no_move() -> None:
    game = Sketch(hand="AS").game()
    assert game.view(1).legal_moves == ()
    assert Move.parse("h1-c1") in game.view(0).legal_moves


def test_nothing_is_legal_while_cards_are_owed() -> None:
    game = Sketch(hand="9S", top="AS").game()
    due = play(game.table, Move.parse("p-c1"))
    assert View(due, 0, game.view(0).faces).legal_moves == ()


def test_a_hand_card_whose_face_is_not_known_cannot_be_moved() -> None:
    view = Sketch(hand="AS 9S").game().view(0)
    one = View(view.table, 0, dict(list(view.faces.items())[:1]))
    assert {move.source for move in one.legal_moves} == {"h1"}
    assert one.hand == (Card.parse("AS"), None, None, None, None)


def test_a_mover_without_a_top_in_sight_still_has_his_hand() -> None:
    view = Sketch(hand="AS").game().view(0)
    place = view.table.places[0]._replace(top=None)
    bare = view.table._replace(places=(place, view.table.places[1]))
    assert View(bare, 0, view.faces).legal_moves == view.legal_moves


@FEW
@given(variants(), st.integers(0, 10_000))
def test_legal_moves_ascend_and_name_cards_that_fit(variant: Variant, seed: int) -> None:
    for _, game, _ in game_of(variant, seed):
        assert game.table.to_move is not None
        view = game.view(game.table.to_move)
        assert list(view.legal_moves) == sorted(set(view.legal_moves))
        assert all((view.face(move) is None) == (move == END) for move in view.legal_moves)


@FEW
@given(variants(), st.integers(0, 10_000))
def test_a_view_of_an_open_game_holds_the_own_hand_and_nothing_else(variant: Variant, seed: int) -> None:
    for _, game, _ in game_of(variant, seed):
        for seat in (0, 1):
            hand = game.table.places[seat].hand
            assert set(game.view(seat).faces) == {slot for slot in hand if slot is not None}
