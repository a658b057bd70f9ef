"""Happenings in sentences, for the player, for the other one and for an onlooker."""

from typing import Final, get_args

import pytest

from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import (
    Completed,
    Discarded,
    Drew,
    Finished,
    Happening,
    Passed,
    Played,
    Reshuffled,
    Resigned,
    StockRanOut,
    TurnBegan,
    TurnedUp,
    TurnsRanOut,
)
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import How, Outcome
from sm_p2p.ui.words import Words, tell

EIGHT: Final = Card.parse("8C")
KING: Final = Card.parse("KH.1")
MINE: Final = Words(("Ana", "Bo"), 0)
THEIRS: Final = Words(("Ana", "Bo"), 1)
NOBODYS: Final = Words(("Ana", "Bo"))


def move(text: str) -> Move:
    return Move.parse(text)


SAID: Final = (  # what happened to seat 0; as its player hears it, as the others hear it
    (
        Played(0, move("p-c1"), EIGHT, 8),
        "You play 8C from the pay-off pile onto c1.",
        "Ana plays 8C from the pay-off pile onto c1.",
    ),
    (
        Played(0, move("p-c2"), KING, 1),
        "You play KH from the pay-off pile onto c2, where it stands for A.",
        "Ana plays KH from the pay-off pile onto c2, where it stands for A.",
    ),
    (
        Played(0, move("h3-c1"), EIGHT, 8),
        "You play 8C from the hand (h3) onto c1.",
        "Ana plays 8C from the hand (h3) onto c1.",
    ),
    (
        Played(0, move("h3-c1"), KING, 11),
        "You play KH from the hand (h3) onto c1, where it stands for J.",
        "Ana plays KH from the hand (h3) onto c1, where it stands for J.",
    ),
    (
        Played(0, move("b-c4"), EIGHT, 8),
        "You play 8C from side stack b onto c4.",
        "Ana plays 8C from side stack b onto c4.",
    ),
    (
        Played(0, move("d-c1"), KING, 12),
        "You play KH from side stack d onto c1, where it stands for Q.",
        "Ana plays KH from side stack d onto c1, where it stands for Q.",
    ),
    (
        Discarded(0, move("h1-a"), KING),
        "You discard KH from the hand (h1) onto side stack a.",
        "Ana discards KH from the hand (h1) onto side stack a.",
    ),
    (Passed(0), "You end the turn with an empty hand.", "Ana ends the turn with an empty hand."),
    (Completed(2, (EIGHT,)), "c3 is complete.", "c3 is complete."),
    (
        Reshuffled(66),
        "Its twelve cards are shuffled into the stock, which now holds 66 cards.",
        "Its twelve cards are shuffled into the stock, which now holds 66 cards.",
    ),
    (TurnedUp(0, EIGHT, 17), "Your pay-off card is now 8C, 17 left.", "Ana's pay-off card is now 8C, 17 left."),
    (TurnBegan(0, 14), "Turn 14 is yours.", "Turn 14 is Ana's."),
    (Drew(0, 1), "You draw 1 card.", "Ana draws 1 card."),
    (Drew(0, 5), "You draw 5 cards.", "Ana draws 5 cards."),
    (
        StockRanOut(0, 1, 0),
        "You would have to draw 1 card and the stock holds 0: it has run out, and nothing is drawn.",
        "Ana would have to draw 1 card and the stock holds 0: it has run out, and nothing is drawn.",
    ),
    (
        StockRanOut(0, 5, 3),
        "You would have to draw 5 cards and the stock holds 3: it has run out, and nothing is drawn.",
        "Ana would have to draw 5 cards and the stock holds 3: it has run out, and nothing is drawn.",
    ),
    (
        StockRanOut(0, 5, 5),
        "Your draw would take the last card of the stock: it has run out.",
        "Ana's draw would take the last card of the stock: it has run out.",
    ),
    (
        TurnsRanOut(500),
        "Turn 500 was the last one that a game can have.",
        "Turn 500 was the last one that a game can have.",
    ),
    (Resigned(0), "You resign.", "Ana resigns."),
    (
        Finished(Outcome(How.WIN, 0, 1)),
        "You win the game and score 1 point.",
        "Ana wins the game and scores 1 point.",
    ),
    (
        Finished(Outcome(How.WIN, 0, 20)),
        "You win the game and score 20 points.",
        "Ana wins the game and scores 20 points.",
    ),
    (Finished(Outcome(How.RESIGN, 0, 1)), "You score 1 point for it.", "Ana scores 1 point for it."),
    (Finished(Outcome(How.RESIGN, 0, 9)), "You score 9 points for it.", "Ana scores 9 points for it."),
    (
        Finished(Outcome(How.TIE, None, 0)),
        "The game is a tie, and nobody scores.",
        "The game is a tie, and nobody scores.",
    ),
)


@pytest.mark.parametrize(("what", "mine", "theirs"), SAID)
def test_each_happening_is_one_sentence_about_you_or_about_a_name(what: Happening, mine: str, theirs: str) -> None:
    assert tell(MINE, what) == mine
    assert tell(THEIRS, what) == theirs
    assert tell(NOBODYS, what) == theirs


def test_no_happening_is_left_out() -> None:
    assert {type(what) for what, _, _ in SAID} == set(get_args(Happening))


def test_a_king_is_told_with_what_it_stands_for_on_every_height() -> None:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"]
    told = [tell(MINE, Played(0, move("h1-c1"), KING, height)) for height in range(1, 13)]
    assert [sentence.removesuffix(".").split()[-1] for sentence in told] == ranks


def test_a_name_cannot_bring_control_characters_or_templates_into_a_sentence() -> None:
    words = Words(("\x1b[31mAna\u202e\n", "{card} %s {0}"))
    assert tell(words, Drew(0, 1)) == "[31mAna draws 1 card."
    assert tell(words, Discarded(1, move("h1-a"), EIGHT)).startswith("{card} %s {0} discards 8C")


def test_two_players_of_one_name_are_told_apart_by_an_onlooker() -> None:
    words = Words(("Ana", "Ana"))
    assert [tell(words, Resigned(seat)) for seat in (0, 1)] == ["Ana (host) resigns.", "Ana (guest) resigns."]
    assert tell(Words(("Ana", "Ana"), 0), Resigned(1)) == "Ana resigns."


def test_a_player_without_a_name_has_a_number() -> None:
    assert [tell(Words(), Resigned(seat)) for seat in (0, 1)] == ["Player 1 resigns.", "Player 2 resigns."]
