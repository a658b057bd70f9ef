"""What a typed line asks for."""

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sm_p2p.rules.moves import MOVES, Move
from sm_p2p.session.talk import Say
from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.ui.commands import KEYS, SHORT, Nothing, Play, PlayFrom, Show, Unclear, Word, read_command
from sm_p2p.ui.guide import HELP

FROM: Final = {place: key for key, place in KEYS.items()} | {side: side for side in "abcd"}


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_every_move_is_understood_in_its_notation_and_in_capitals(move: Move) -> None:
    assert read_command(str(move)) == read_command(f"  {str(move).upper()} ") == Play(move)


@pytest.mark.parametrize("move", [move for move in MOVES[:-1] if move.source != move.target], ids=str)
def test_every_move_is_understood_as_two_keys_of_the_screen_or_two_places(move: Move) -> None:
    assert read_command(f"{FROM[move.source]} {FROM[move.target]}") == Play(move)
    assert read_command(f"{move.source} {move.target}") == Play(move)
    assert read_command(f"{FROM[move.source]}-{FROM[move.target]}") == Play(move)


@pytest.mark.parametrize(
    ("text", "source"), [("3", "h3"), ("3 3", "h3"), ("0", "p"), ("p", "p"), ("p p", "p"), ("b", "b")]
)
def test_a_source_alone_or_twice_means_the_only_centre_stack_that_fits(text: str, source: str) -> None:
    assert read_command(text) == PlayFrom(source)


@pytest.mark.parametrize("word", Word, ids=lambda word: word.value)
def test_every_word_is_understood_in_any_case(word: Word) -> None:
    assert read_command(word.value) == read_command(f" {word.value.upper()} ") == word


@pytest.mark.parametrize(("key", "word"), SHORT.items())
def test_short_forms_mean_their_word(key: str, word: Word) -> None:
    assert read_command(key) is word


@pytest.mark.parametrize("stack", [*"abcdABCD", "c1", "c2", "c3", "c4"])
def test_show_keeps_the_case_of_a_stack(stack: str) -> None:
    assert read_command(f"show {stack}") == read_command(f"V {stack}") == Show(stack)


def test_show_knows_the_keys_of_the_centre_and_the_hand() -> None:
    assert read_command("show 6") == Show("c1")
    assert read_command("show hand") is Word.HAND
    assert read_command("show table") is Word.TABLE
    assert read_command("show e") == Unclear("show e")
    assert read_command("show 3") == Unclear("show 3")
    assert read_command("show") == Unclear("show")


def test_say_keeps_the_case_of_its_words_and_needs_some() -> None:
    assert read_command("say  Hello, Bo:  p-c1?") == Say("Hello, Bo: p-c1?")
    assert read_command("T hi") == Say("hi")
    assert read_command("say") == Unclear("say")


def test_an_empty_line_is_nothing() -> None:
    assert read_command(" \t\x00 ") == Nothing()


@pytest.mark.parametrize(
    "text", ["-", "p-", "-p", "c1", "6", "h6-c1", "a- b", "p-c5", "table x", "3 3 3", "1 a b", "hello"]
)
def test_other_lines_are_unclear_and_come_back(text: str) -> None:
    assert read_command(text) == Unclear(text)


def test_a_card_that_should_leave_the_centre_is_told_the_rule() -> None:
    command = read_command("c1-a")
    assert isinstance(command, Unclear)
    assert str(command.why) == "a card on a centre stack stays there"


def test_help_lists_every_word_that_works_and_each_works() -> None:
    told = " ".join(text for _, text in HELP)
    forms = [form for form, _ in HELP]
    assert not any(isinstance(read_command(form), Unclear | Nothing) for form in forms)
    for word in Word:
        assert word.value in forms or f" {word.value} " in told, word
    for short in (*SHORT, "t"):
        assert f"short {short}" in told or f"and {short}." in told, short


@settings(derandomize=True, deadline=None)
@given(st.text())
def test_no_line_raises_and_none_comes_back_harmful(line: str) -> None:
    command = read_command(line)
    if isinstance(command, Unclear | Say):
        assert command.text == clean(command.text, NOTE_LENGTH)
