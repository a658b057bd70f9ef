"""What happened is seen: shots between two tables, the last of which is the table itself."""

from collections.abc import Iterator
from dataclasses import replace

from strategies import game_of
from ui.screen.positions import variant_of
from ui.screen.states import WORDS

from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import Happening, happened, shown
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import OpenGame, open_game
from sm_p2p.rules.play import deal, play
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import QUICK
from sm_p2p.rules.view import View
from sm_p2p.ui.flights import WHOLE, Pace, Shot, flights, marks_of, undealt
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.render import render
from sm_p2p.ui.screen.spots import STOCK, Spot


def entries(game: OpenGame, move: Move, after: OpenGame) -> Iterator[tuple[Table, tuple[Happening, ...], Table]]:
    """A move as one or two entries, as a match tells them."""
    table = play(game.table, move, game.card(move))
    card = game.card(move) or game.table.open_card(move)
    yield game.table, happened(game.table, move, card, table), table
    if table.owed is not None:
        yield table, shown(table, after.table), after.table


def film(game: OpenGame, move: Move, seat: int | None) -> list[Shot]:
    """All shots of a move as a seat sees them."""
    after = game.play(move)
    faces = {} if seat is None else {**game.view(seat).faces, **after.view(seat).faces}
    return [
        shot
        for before, news, then in entries(game, move, after)
        for shot in flights(View(before, seat, faces), news, View(then, seat, faces))
    ]


def test_the_last_shot_is_the_table_and_the_others_keep_all_cards() -> None:
    for seed in range(12):
        for move, before, after in [*game_of(variant_of(seed), seed)][:: 2 + seed % 3]:
            for seat in (0, 1, None):
                faces = {} if seat is None else after.view(seat).faces
                for table, news, then in entries(before, move, after):
                    shots = flights(View(table, seat, faces), news, View(then, seat, faces))
                    assert shots[-1] == Shot(View(then, seat, faces), (), Pace.NONE)
                    for shot in shots[:-1]:
                        carried = sum(flight.card is not None for flight in shot.flights)
                        backs = sum(flight.start == STOCK for flight in shot.flights)
                        missing = table.card_count() - shot.view.table.card_count()
                        assert missing in (carried + backs, 12)


def test_the_completing_card_is_seen_before_the_stack_is_gone() -> None:
    game = Sketch(centre=(11, 0, 0), stock=3, hand="QC").game()
    heights = [shot.view.table.heights for shot in film(game, Move.parse("h1-c1"), 0)]
    assert heights == [(11, 0, 0), (12, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]
    shots = film(game, Move.parse("h1-c1"), 0)
    assert shots[0].flights[0].card == Card.parse("QC")
    assert {flight.end for flight in shots[2].flights} == {STOCK}
    assert [flight.end.place for flight in shots[3].flights] == ["h1", "h2", "h3", "h4", "h5"]
    assert {flight.card for flight in shots[3].flights} == {None}


def test_a_pay_off_card_leaves_its_place_and_the_next_one_is_turned_up() -> None:
    game = Sketch(centre=(3, 0, 0), hand="JS", top="4H").game()
    shots = film(game, Move.parse("p-c1"), 1)
    tops = [shot.view.table.places[0].top for shot in shots]
    assert (shots[0].flights[0].start, shots[0].flights[0].end) == (Spot(0, "p"), Spot(None, "c1"))
    assert tops[:-1] == [None] * (len(tops) - 1)
    assert tops[-1] is not None


def test_a_discard_flies_to_its_side_stack_and_nothing_else_moves() -> None:
    game = Sketch(hand="JS 2C", other_hand=5).game()
    first, last = film(game, Move.parse("h2-b"), 0)
    assert first.flights[0].end == Spot(0, "b")
    assert not last.flights


def test_a_deal_fills_the_table_from_the_stock() -> None:
    game = open_game(QUICK, 3)
    after = game.view(0)
    before = View(deal(QUICK, 1), 0, {})
    shots = flights(before, shown(before.table, after.table), after)
    assert [shot.view.table.stock_count for shot in shots] == [104, 84, 74, 74]
    assert all(shot.view.table.card_count() == 104 for shot in shots)
    assert undealt(after) == shots[0].view
    assert {flight.end.place for shot in shots for flight in shot.flights} == {"p", "h1", "h2", "h3", "h4", "h5"}


def test_cards_in_the_air_start_and_end_exactly_over_their_places() -> None:
    game = Sketch(centre=(3, 0, 0), hand="JS", top="4H").game()
    shot = film(game, Move.parse("p-c1"), 0)[0]
    for size in (Size(120, 40), Size(80, 24), Size(48, 16)):
        model = Model(WORDS, view=shot.view)
        start, end = (render(replace(model, air=shot.air(part)), size).text for part in (0, WHOLE))
        landed = shot.view.table._replace(centre=((*shot.view.table.centre[0], Card.parse("4H")), (), ()))
        seen = render(replace(model, view=shot.view._replace(table=landed)), size).text
        assert start == render(replace(model, air=shot.air(-5)), size).text
        assert [line.count("4♥") for line in end] == [line.count("4♥") for line in seen]
        assert start != end


def test_cards_that_start_later_arrive_with_the_others() -> None:
    game = Sketch(centre=(3, 0, 0), hand="4H", top="9C").game()
    drawing = film(game, Move.parse("h1-c1"), 0)[1]
    assert [card.part for card in drawing.air(0)] == [0] * 5
    assert [card.part for card in drawing.air(WHOLE)] == sorted(
        (card.part for card in drawing.air(WHOLE)), reverse=True
    )
    assert drawing.air(WHOLE)[-1].part == WHOLE
    assert drawing.pace is Pace.LONG


def test_the_marks_of_a_turn_are_the_places_that_have_changed() -> None:
    game = Sketch(centre=(3, 0, 0), hand="5S JS 2H", top="4H").game()
    news: list[Happening] = []
    for text in ("p-c1", "h1-c1", "h2-d"):
        move = Move.parse(text)
        after = game.play(move)
        news += (happening for _, told, _ in entries(game, move, after) for happening in told)
        game = after
    assert marks_of(news) == (Spot(None, "c1"), Spot(0, "p"), Spot(0, "d"))
