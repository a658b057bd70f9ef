"""Cells: nothing leaves the canvas, nothing is wider than its cells."""

import pytest

from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import cut, fit, in_ascii, text_width, wrap
from sm_p2p.ui.screen.frame import Rect, Size
from sm_p2p.ui.screen.looks import Charset


def drawn(*texts: tuple[int, int, str], charset: Charset = Charset.UNICODE) -> tuple[str, ...]:
    """The lines after these texts were put."""
    canvas = Canvas(Size(6, 2), charset)
    for left, top, text in texts:
        canvas.put(left, top, text)
    return canvas.frame().text


def test_what_leaves_the_canvas_is_not_drawn() -> None:
    assert drawn((-2, 0, "abcd"), (4, 1, "efgh"), (0, 2, "x"), (0, -1, "y"), (6, 0, "z")) == ("cd    ", "    ef")
    assert drawn((-1, 0, "日本"), (5, 1, "語")) == (" 本   ", "      ")
    assert Canvas(Size(6, 2)).put(2, 9, "日本") == 6


def test_half_a_wide_character_is_never_shown() -> None:
    assert drawn((1, 0, "日本"), (2, 0, "x")) == (" " + " x本 ", " " * 6)
    assert drawn((1, 0, "日本"), (2, 0, "語")) == ("  語  ", " " * 6)
    assert drawn((0, 0, "ab日"), (1, 0, "xy")) == ("axy   ", " " * 6)


def test_an_accent_belongs_to_the_character_before_it() -> None:
    accent = "\u0301"
    assert drawn((0, 0, f"e{accent}x"))[0] == f"e{accent}x    "
    assert drawn((0, 0, f"日{accent}x"))[0] == f"日{accent}x   "
    assert drawn((0, 0, f"{accent}x"))[0] == "x     "
    assert drawn((0, 0, "e" + accent * 9 + "x"))[0] == f"e{accent}{accent}x    "
    assert drawn((0, 0, f"e{accent}日"), charset=Charset.ASCII)[0] == "e..   "


def test_neighbours_of_one_style_are_one_fragment() -> None:
    canvas = Canvas(Size(5, 1))
    canvas.put(0, 0, "ab", "sm.card")
    canvas.put(2, 0, "c", "sm.card")
    canvas.add_style(Rect(-3, 0, 4, 9), "sm.pick")
    assert canvas.frame().lines == ((("class:sm.card class:sm.pick", "a"), ("class:sm.card", "bc"), ("", "  ")),)


def test_a_row_of_a_rectangle_is_filled_and_nothing_beside_it() -> None:
    canvas = Canvas(Size(6, 2))
    canvas.put(0, 0, "xxxxxx")
    canvas.line(Rect(1, 0, 3, 1), 0, "a")
    canvas.line(Rect(1, 0, 3, 1), 1, "b")
    assert canvas.frame().text == ("xa  xx", "      ")


@pytest.mark.parametrize("width", range(8))
def test_what_is_cut_is_as_wide_as_asked(width: int) -> None:
    for text in ("", "abc", "a long text", "日本語日本語", "e\u0301e\u0301e\u0301e\u0301e\u0301"):
        assert text_width(fit(text, width)) == width
        assert text_width(cut(text, width)) <= width


def test_text_is_broken_between_words_where_that_is_possible() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("onetwothree four", 4) == ["onet", "woth", "ree", "four"]
    assert wrap("日本語", 3) == ["日", "本", "語"]
    assert wrap("日本", 1) == ["日", "本"]
    assert wrap("", 5) == [""]


def test_ascii_is_as_wide_as_what_it_stands_for() -> None:
    assert in_ascii("Ünï – ♠×… 日 ж") == "Uni - Sx~ .. ."
