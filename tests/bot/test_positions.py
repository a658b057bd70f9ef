"""Positions that other players of this game got wrong, and more of each kind: what the levels do there."""

import re
from dataclasses import replace
from typing import Final

import pytest

from sm_p2p.bot.levels import best_line, carried_out, move_of
from sm_p2p.bot.opponents import BOTS
from sm_p2p.bot.planner import Line, plan
from sm_p2p.bot.position import Position, position_of
from sm_p2p.bot.values import WON
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import OpenGame
from sm_p2p.rules.sketch import Sketch
from sm_p2p.stream import Stream

NAMES: Final = ("hard", "medium", "easy")


def at(**words: str | int | tuple[int, ...]) -> Sketch:
    """A sketch in which what does not lie in the centre is of other packs: no card is there twice."""
    plain = {
        key: re.sub(r"([2-9AJQK0][CDH])(?!\.)", r"\1.1", word) for key, word in words.items() if isinstance(word, str)
    }
    return replace(Sketch(top="2C.1"), **{**words, **plain})  # type: ignore[arg-type]


def turn_of(game: OpenGame, name: str, seed: int = 1) -> tuple[list[str], OpenGame]:
    """The moves of one turn, and where it ends."""
    choose, seat, turn = BOTS[name](Stream("positions", seed)), game.table.to_move or 0, game.table.turn
    moves = []
    while game.table.to_move == seat and game.table.turn == turn:
        move = choose(game.view(seat))
        moves.append(str(move))
        game = game.play(move)
    return moves, game


def line_of(sketch: Sketch) -> Line:
    """The line that the hardest level plays."""
    return best_line(position_of(sketch.game().view(0)))


WINS: Final = [
    ("a last card that fits", at(centre=(3, 0, 0), hand="9S", top="4H", pay_off=1)),
    ("a last king", at(centre=(3, 5, 0), hand="9S", top="KH", pay_off=1)),
    ("one card of the hand below it", at(centre=(3, 0, 0), hand="4S 9S", top="5H", pay_off=1)),
    ("a king and an empty stack: pay-off 2", at(centre=(5, 8, 0), hand="KS 9S", top="2H", pay_off=1)),
    ("a king in the middle", at(centre=(3, 0, 0), hand="4S KS 6S 9S", top="7H", pay_off=1)),
    ("two kings in a row", at(centre=(3, 0, 0), hand="KS KD 9S", top="6H", pay_off=1)),
    ("three kings in a row", at(centre=(9, 9, 9), hand="KS KD KH 9S", top="AH", pay_off=1)),
    ("a side stack alone", at(centre=(3, 0, 0), hand="9S", sides="6H,5H,4H/-/-/-", top="7H", pay_off=1)),
    ("two side stacks in turn", at(centre=(3, 0, 0), hand="9S", sides="6H,4H/7H,5H/-/-", top="8H", pay_off=1)),
    (
        "a card that lies under one for another stack",
        at(centre=(3, 8, 0), hand="JS", sides="4H,9H/-/-/-", top="5H", pay_off=1),
    ),
    (
        "a card under two that fit elsewhere",
        at(centre=(3, 8, 0), hand="QS", sides="4H,10H,9H/-/-/-", top="5H", pay_off=1),
    ),
    ("a king that lies on a side stack", at(centre=(3, 0, 0), hand="9S", sides="KH/-/-/-", top="5H", pay_off=1)),
    (
        "a king that covers the needed card",
        at(centre=(3, 8, 0), hand="JS", sides="4H,KH/-/-/-", top="5H", pay_off=1),
    ),
    ("over a completion", at(centre=(10, 4, 4), hand="JS QS AS 9S", top="2H", pay_off=1)),
    ("over a completion by a king", at(centre=(11, 4, 4), hand="KS AS 9S", top="2H", pay_off=1)),
    ("with an empty stock", at(centre=(3, 0, 0), hand="4S 9S", top="5H", pay_off=1, stock=0)),
    ("the other stack of two", at(centre=(2, 6, 0), hand="7S 9S", top="8H", pay_off=1)),
]

SAFE: Final = [  # what must not be done, since the other wins with it, and something else can
    ("the gift of the last card", at(centre=(5, 0, 0), hand="6S 9S", top="QH", other_top="7D", other_pay_off=1)),
    (
        "the same from a side stack",
        at(centre=(5, 0, 0), hand="9S", sides="6S/-/-/-", top="QH", other_top="7D", other_pay_off=1),
    ),
    ("a gift by a king", at(centre=(5, 0, 0), hand="KS 9S", top="QH", other_top="7D", other_pay_off=1)),
    ("an ace for a two", at(centre=(5, 5, 5), hand="9S 10S JS 6S", top="QH", other_top="7D", other_pay_off=1)),
    ("an ace below his last two", at(hand="AS 9S", top="QH", other_top="2D", other_pay_off=1)),
    (
        "a stack that his side stack finishes",
        at(centre=(4, 0, 0), hand="5S 9S", top="QH", other_top="7D", other_pay_off=1, other_sides="6D/-/-/-"),
    ),
    (
        "a stack that his king finishes",
        at(centre=(4, 0, 0), hand="5S 9S", top="QH", other_top="7D", other_pay_off=1, other_sides="KD/-/-/-"),
    ),
]

BLOCKS: Final = [  # the other could win: what takes his place away
    ("with the natural card", at(centre=(6, 0, 0), hand="7S 9S", top="QH", other_top="7D", other_pay_off=1)),
    ("with a king", at(centre=(6, 1, 1), hand="KS 9S", top="QH", other_top="7D", other_pay_off=1)),
    (
        "from a side stack",
        at(centre=(6, 1, 1), hand="9S", sides="7S/-/-/-", top="QH", other_top="7D", other_pay_off=1),
    ),
    (
        "two stacks that fit",
        at(centre=(6, 6, 1), hand="7S 7H 9S", top="QH", other_top="7D", other_pay_off=1),
    ),
]

KINGS: Final = [  # a natural card goes where a king could: after the turn the king is still in the hand
    ("natural in the hand", at(centre=(3, 8, 8), hand="4S KS 2H", top="5H")),
    ("natural on a side stack", at(centre=(3, 8, 8), hand="KS 2H", sides="4S/-/-/-", top="5H")),
    ("no use of it", at(centre=(3, 8, 8), hand="KS 2H 2S", top="QH")),
    ("a pay-off card that fits by itself", at(centre=(3, 8, 8), hand="KS 2H 2S", top="4H")),
    ("a hand full of low cards", at(centre=(5, 8, 8), hand="KS 2H 2S 3S 3H", top="QH")),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sketch", [sketch for _, sketch in WINS], ids=[kind for kind, _ in WINS])
def test_a_win_with_the_cards_that_are_known_is_seen(sketch: Sketch, name: str) -> None:
    assert line_of(sketch).value == WON
    _, game = turn_of(sketch.game(), name)
    assert game.table.outcome is not None
    assert game.table.outcome.winner == 0


def leaves_the_way_free(game: OpenGame) -> bool:
    """Whether the other wins at once with what lies open on his side."""
    seat = game.table.to_move
    if seat is None:
        return False
    return plan(position_of(game.view(seat))._replace(hand=()), 1)[0].value == WON


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("sketch", [sketch for _, sketch in SAFE], ids=[kind for kind, _ in SAFE])
def test_the_other_is_not_handed_his_last_card(sketch: Sketch, name: str, seed: int) -> None:
    _, game = turn_of(sketch.game(), name, seed)
    assert not leaves_the_way_free(game), game.table


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sketch", [sketch for _, sketch in BLOCKS], ids=[kind for kind, _ in BLOCKS])
def test_the_other_is_kept_from_his_last_card(sketch: Sketch, name: str) -> None:
    assert leaves_the_way_free(
        sketch.game().play(Move.parse("h1-a") if sketch.hand.startswith("9S") else Move.parse("h2-a"))
    )
    _, game = turn_of(sketch.game(), name)
    assert not leaves_the_way_free(game), game.table


@pytest.mark.parametrize("sketch", [sketch for _, sketch in KINGS], ids=[kind for kind, _ in KINGS])
def test_no_king_is_wasted_where_a_natural_card_does_it(sketch: Sketch) -> None:
    game, choose = sketch.game(), BOTS["hard"](Stream(1))
    while game.table.to_move == 0:
        move = choose(game.view(0))
        card = game.view(0).face(move)
        assert card is not None
        assert card.rank != 13
        if str(move) == "p-c1":
            return
        game = game.play(move)


@pytest.mark.parametrize(
    ("hand", "sides"),
    [
        ("9S 9H 9D 9C 9S.1", "-/-/-/-"),
        ("JS 9S 7S 5S 3S", "-/-/-/-"),
        ("QS 10S 10H QH 10D", "-/-/-/-"),
        ("8S 8H 10S JS 9S", "QH/-/-/-"),
        ("8S 8H 10S 10H 8D", "9H/JH/-/-"),
    ],
)
def test_discards_are_spread(hand: str, sides: str) -> None:
    game = at(centre=(4, 4, 4), hand=hand, sides=sides, top="2H", other_top="3D").game()
    before = [len(side) for side in game.table.places[0].sides]
    for _ in range(3):
        _, game = turn_of(game, "hard")
        _, game = turn_of(game, "hard")
    grown = [len(side) - old for side, old in zip(game.table.places[0].sides, before, strict=True)]
    assert max(grown) < 3


@pytest.mark.parametrize(
    ("kind", "sketch", "move"),
    [
        ("a run downwards", at(centre=(0, 0, 5), hand="9S 4S", sides="10H/JD/QH/4H", top="8H"), "h1-a"),
        ("the pay-off card first", at(centre=(3, 8, 8), hand="2S 6H", top="4H"), "p-c1"),
        ("a king for the pay-off card", at(centre=(2, 8, 8), hand="KS KD 6H", top="4H"), ("h1-c1", "h2-c1")),
        ("pay-off 2, a king and an empty stack", at(centre=(0, 5, 8), hand="KS 7H 10S", top="2H"), "h1-c1"),
        ("an ace is played", at(centre=(0, 5, 8), hand="AS QS JS 10S 4H", top="2H"), "h1-c1"),
        ("not for his card", at(centre=(5, 0, 0), hand="6S 10S", top="QH", other_top="7D", other_pay_off=2), "h2"),
        ("a card that frees the own one", at(centre=(5, 1, 1), hand="6S 10S", top="7H", other_top="7D"), "h1-c1"),
    ],
)
def test_what_people_expect_is_done(kind: str, sketch: Sketch, move: str | tuple[str, ...]) -> None:
    assert kind
    assert turn_of(sketch.game(), "hard")[0][0].startswith(move)


def test_nobody_plays_for_a_tie_who_is_not_clearly_lost() -> None:
    # the last hand card would end the game for want of stock: a discard goes on
    even = at(centre=(3, 0, 0), hand="4S", stock=3, top="QH", pay_off=8, other_pay_off=8)
    assert turn_of(even.game(), "hard")[0] == ["h1-a"]
    lost = at(
        centre=(3, 1, 1),
        hand="4S",
        stock=3,
        top="QH",
        pay_off=18,
        other_pay_off=1,
        other_top="5D",
        other_sides="4D/-/-/-",
    )
    assert turn_of(lost.game(), "hard")[0] == ["h1-c1"]


def test_a_line_that_a_hidden_card_has_ended_is_thought_of_anew() -> None:
    asked: list[Position] = []

    def think(position: Position) -> Line:
        asked.append(position)
        return best_line(position)

    game = at(centre=(3, 8, 8), hand="4S 5S JS 2H", top="6H").game()
    choose = carried_out(think)
    while game.table.to_move == 0:
        game = game.play(choose(game.view(0)))
    assert len(asked) == 1 + (game.table.places[0].pay_off < 20)


def test_a_step_of_a_rank_that_is_there_twice_moves_the_first() -> None:
    view = at(hand="9S AS AH").game().view(0)
    assert str(move_of(view, (1, 1, 0))) == "h2-c1"
