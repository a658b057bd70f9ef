"""Foreign text: what is left of it is harmless, and what is not harmless is refused."""

import pytest
from deck.refusals import refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import STEADY

from sm_p2p.errors import Code
from sm_p2p.session.text import FORBIDDEN, NAME_LENGTH, check_text, clean

HARMLESS = ("Ana", "Ana Lee", "Жанна", "陈", "é" * 24, "e\u0301", "ไทย", "👩", "x" * 24, "a  b")


@STEADY
@given(st.text(), st.integers(1, 40))
def test_cleaned_text_is_empty_or_passes(text: str, length: int) -> None:
    cleaned = clean(text, length)
    if cleaned:
        check_text(cleaned, length, Code.BAD_NAME)
    assert clean(cleaned, length) == cleaned


@pytest.mark.parametrize("name", HARMLESS)
def test_names_of_all_scripts_pass(name: str) -> None:
    check_text(name, NAME_LENGTH, Code.BAD_NAME)


@pytest.mark.parametrize(
    "name",
    ["", " ", " Ana", "Ana ", "x" * 25, "An\na", "An\ta", "\x1b[31m", "a\u202eb", "a\u200bb", "a\u00a0b", "\ufeff"],
)
def test_names_that_mislead_are_refused(name: str) -> None:
    with refused(Code.BAD_NAME):
        check_text(name, NAME_LENGTH, Code.BAD_NAME)


@pytest.mark.parametrize("bounds", FORBIDDEN)
def test_both_ends_of_every_forbidden_range_are_refused_and_cleaned_away(bounds: tuple[int, int]) -> None:
    for code in bounds:
        character = chr(code)
        with refused(Code.BAD_FRAME):
            check_text(f"a{character}b", NAME_LENGTH, Code.BAD_FRAME)
        assert clean(f"a{character}b", NAME_LENGTH) in {"ab", "a b"}


def test_what_lies_beside_a_forbidden_range_is_allowed() -> None:
    for low, high in FORBIDDEN:
        for code in (low - 1, high + 1):
            if 0x20 < code < 0x110000 and not any(a <= code <= b for a, b in FORBIDDEN):
                check_text(chr(code), 1, Code.BAD_NAME)


def test_white_space_is_folded_and_length_counts_code_points() -> None:
    assert clean("  a \t\n b  ", 24) == "a b"
    assert clean("x" * 30, 24) == "x" * 24
    assert clean("abc  def", 4) == "abc"
    assert clean("\x00\x1b", 24) == ""
