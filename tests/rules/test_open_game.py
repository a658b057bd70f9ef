"""Games with an open dealer, and positions on demand."""

import pytest
from strategies import eager

from sm_p2p.errors import UsageError
from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import from_deck, open_game, play_out
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import QUICK, STANDARD, Variant
from sm_p2p.stream import Stream


def test_the_first_deck_is_the_pack_permuted_by_the_stream_of_the_seed() -> None:
    order = Stream("SM1/open-game", 7, 0).permutation(104)
    assert open_game(STANDARD, 7).decks == (tuple(pack(2)[place] for place in order),)


def test_both_tops_lie_open_and_the_higher_begins() -> None:
    game = open_game(STANDARD, 3)
    tops = [place.top for place in game.table.places]
    assert tops == [game.decks[0][19], game.decks[0][39]]
    assert game.table.to_move == max((0, 1), key=lambda seat: game.decks[0][19 + 20 * seat].rank)


def test_a_deck_of_ones_own_deals_the_same_way() -> None:
    game = from_deck(QUICK, pack(2), tie_break=0)
    assert [str(place.top) for place in game.table.places] == ["2D", "3S"]
    assert game.view(0).hand[0] == pack(2)[20]
    assert from_deck(QUICK, open_game(QUICK, 5).decks[0], 5) == open_game(QUICK, 5)


def test_a_later_deck_is_shuffled_by_the_seed_and_its_number() -> None:
    game = Sketch(centre=(11, 0, 0), stock=3, hand="QS 9S").game()
    after = game.play(Move.parse("h1-c1"))
    cards = [*game.decks[0][101:], *game.table.centre[0], Card.parse("QS")]
    assert after.decks[1] == tuple(cards[place] for place in Stream("SM1/open-game", 0, 1).permutation(15))


def test_twenty_games_in_one_process_each_start_whole() -> None:
    for seed in range(20):
        game = open_game(QUICK, seed)
        assert (game.table.card_count(), game.table.turn, len(game.decks)) == (104, 1, 1)
        *_, (_, game) = play_out(game, (eager(seed), eager(seed + 1)))
        assert game.table.outcome is not None


@pytest.mark.parametrize(
    "sketch",
    [
        Sketch(hand="AS AS"),
        Sketch(hand="AS", top="AS"),
        Sketch(centre=("AC,3C", 0, 0)),
        Sketch(hand="x"),
        Sketch(stock=104),
        Sketch("packs=9"),
        Sketch(hand="1S"),
    ],
)
def test_a_sketch_that_contradicts_itself_is_refused(sketch: Sketch) -> None:
    with pytest.raises(UsageError):
        sketch.game()


def test_a_sketch_fills_what_is_not_said_with_cards_that_lie_nowhere_else() -> None:
    game = Sketch(seat=1, variant="centres=4", centre=(3, "AS,KD", 0, 0), hand="QS x KH", other_sides="9D/-/-/-").game()
    table = game.table
    assert (table.to_move, table.heights) == (1, (3, 2, 0, 0))
    assert game.view(1).hand == (Card.parse("QS"), None, Card.parse("KH"), None, None)
    assert sorted(game.decks[0]) == list(pack(2))
    hidden = [*game.decks[0][:40], *game.decks[0][45:50], *map(game.face, table.stock.slots(74, 104))]
    shown = {card for stack in table.centre for card in stack} | {Card.parse("9D")}
    assert not shown & set(hidden)


def test_a_pile_without_a_next_card_leaves_its_places_free() -> None:
    assert Sketch(pay_off=1, top="4S").game().decks[0][0] == Card.parse("4S")
    assert Variant.parse(str(Sketch().game().table.variant)) == STANDARD
