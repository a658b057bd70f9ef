"""What is typed at a replay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui.test_reel import REEL

from sm_p2p.errors import sure
from sm_p2p.ui.commands import Nothing, Show, Unclear
from sm_p2p.ui.reel_words import (
    HELP,
    SHORT,
    SPEEDS,
    Deed,
    Export,
    Jump,
    Order,
    Rate,
    Step,
    Unit,
    absent,
    destination,
    faster,
    help_lines,
    read_order,
)
from sm_p2p.ui.words import Words

WORDS = Words()
STEADY = settings(deadline=None, derandomize=True)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("", Nothing()),
        ("next", Step(Unit.ENTRY, 1)),
        ("N 5", Step(Unit.ENTRY, 5)),
        ("b", Step(Unit.ENTRY, -1)),
        ("back 5", Step(Unit.ENTRY, -5)),
        ("turn", Step(Unit.TURN, 1)),
        ("t back", Step(Unit.TURN, -1)),
        ("14", Jump(Unit.TURN, 14)),
        ("turn 14", Jump(Unit.TURN, 14)),
        ("game", Step(Unit.GAME, 1)),
        ("game b", Step(Unit.GAME, -1)),
        ("g 2", Jump(Unit.GAME, 2)),
        ("entry 30", Jump(Unit.ENTRY, 30)),
        ("speed 0.25", Rate("0.25")),
        ("speed 3", Unclear("speed 3")),
        ("show A", Show("A")),
        ("v 6", Show("c1")),
        ("show table", Deed.TABLE),
        ("show hand", Unclear("show hand")),
        ("export A b.sheet", Export("A b.sheet")),
        ("export", Unclear("export")),
        ("?", Deed.HELP),
        ("QUIT", Deed.QUIT),
        ("play it", Unclear("play it")),
        ("next x", Unclear("next x")),
        ("turn x", Unclear("turn x")),
        ("turn ²", Unclear("turn ²")),
        ("turn 1234567", Unclear("turn 1234567")),
        ("h3-b", Unclear("h3-b")),
    ],
)
def test_lines_are_read(line: str, order: Order) -> None:
    assert read_order(line) == order


@STEADY
@given(st.text() | st.sampled_from([*SHORT, *(deed.value for deed in Deed)]).flatmap(lambda word: st.just(f"{word} 1")))
def test_whatever_is_typed_is_read(line: str) -> None:
    read_order(line)


def test_every_word_has_its_line_in_the_help_and_no_other() -> None:
    words = {form.split()[0] for form, _ in HELP}
    known = {*(deed.value for deed in Deed), *(unit.value for unit in Unit), "next", "back", "speed", "show", "export"}
    assert words == known
    assert {*SHORT.values()} <= known
    for form, _ in HELP:
        assert not isinstance(read_order(form), Unclear)
    assert len(help_lines(WORDS)) == len(HELP)


def test_where_words_lead() -> None:
    first = REEL.first
    assert destination(REEL, 0, Step(Unit.ENTRY, 10**6)) == len(REEL)
    assert destination(REEL, 3, Step(Unit.ENTRY, -9)) == 0
    assert destination(REEL, first, Step(Unit.TURN, 1)) == REEL.turn_on(first)
    assert destination(REEL, first, Step(Unit.GAME, -1)) == 0
    assert destination(REEL, first, Jump(Unit.GAME, 2)) == REEL.game(2)
    for unit, sentence in (
        (Unit.TURN, "Game 1 has no turn 99999 in this log."),
        (Unit.GAME, "This log has no game 99999."),
        (Unit.ENTRY, f"This log has no entry 99999; it has {len(REEL)} entries."),
    ):
        assert destination(REEL, first, Jump(unit, 99999)) is None
        assert absent(WORDS, REEL, first, Jump(unit, 99999)) == sentence
    assert destination(REEL, sure(REEL.game(2)), Jump(Unit.TURN, 1)) == REEL.game(2)


def test_speeds_are_walked_and_have_ends() -> None:
    walked = ["1"]
    for by in (1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1):
        walked.append(faster(walked[-1], by))
    assert {*walked} == {*SPEEDS}
