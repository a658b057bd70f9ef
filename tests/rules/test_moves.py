"""Moves and their notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import STEADY, moves

from sm_p2p.errors import UsageError
from sm_p2p.rules.moves import END, MOVES, SOURCES, TARGETS, Move


@STEADY
@given(moves)
def test_a_move_is_read_back_from_its_text_its_number_and_its_repr(move: Move) -> None:
    assert Move.parse(str(move)) == Move(int(move)) == move
    assert repr(move) == f"Move.parse('{move}')"


def test_the_moves_are_every_source_with_every_target_and_end() -> None:
    assert [str(move) for move in MOVES] == [f"{source}-{target}" for source in SOURCES for target in TARGETS] + ["end"]
    assert list(map(int, MOVES)) == list(range(81))


@pytest.mark.parametrize(
    ("text", "hand_place", "ends_turn"),
    [("p-c1", None, False), ("h1-c2", 0, False), ("h5-d", 4, True), ("a-c4", None, False), ("end", None, True)],
)
def test_a_move_knows_its_hand_card_and_whether_it_ends_the_turn(
    text: str, hand_place: int | None, *, ends_turn: bool
) -> None:
    move = Move.parse(text)
    assert (move.hand_place, move.ends_turn) == (hand_place, ends_turn)
    assert text in ("end", f"{move.source}-{move.target}")


def test_end_comes_from_nowhere_and_goes_nowhere() -> None:
    assert (END.source, END.target) == ("", "")


@pytest.mark.parametrize("number", [-1, 81, 256])
def test_a_number_beyond_end_is_no_move(number: int) -> None:
    with pytest.raises(UsageError, match="is not a move"):
        Move(number)


@pytest.mark.parametrize(
    "text", ["", "end-c1", "c1-x", "c5-a", "h6-c1", "h0-c1", "p-c5", "p-p", "e-c1", "h3", "h3-", "-c1", "h3 c1", "P-C1"]
)
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a move"):
        Move.parse(text)


@STEADY
@given(st.text("pabcdh12345-end", max_size=6))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    try:
        move = Move.parse(text)
    except UsageError:
        return
    assert str(move) == text
