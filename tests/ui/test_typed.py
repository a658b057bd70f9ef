"""Bytes made into lines, from pipes and from keyboards."""

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from sm_p2p.ui.typed import LONGEST, Keyboard, Pipe

BYTES: Final = st.lists(
    st.binary(max_size=40) | st.sampled_from([b"p-c1\n", b"\r\n", b"\x1b[A", b"\x7f", b"\xc3", b"\xa9"])
)


class Screen:
    """What a terminal shows of an echo: the characters of the last line, and all lines."""

    def __init__(self) -> None:
        self.raw = ""
        self.lines: list[str] = [""]

    def echo(self, text: str) -> None:
        """Show it; a backspace moves left."""
        self.raw += text
        for character in text.replace("\b \b", "\b"):
            if character == "\n":
                self.lines.append("")
            elif character == "\b":
                self.lines[-1] = self.lines[-1][:-1]
            else:
                self.lines[-1] += character


def typed(*chunks: bytes) -> tuple[list[str], Keyboard, Screen]:
    screen = Screen()
    keyboard = Keyboard(screen.echo)
    return [line for chunk in chunks for line in keyboard.feed(chunk)], keyboard, screen


def piped(*chunks: bytes) -> list[str]:
    pipe = Pipe()
    return [line for chunk in chunks for line in pipe.feed(chunk)]


def test_a_pipe_gives_lines_however_they_are_cut() -> None:
    assert piped(b"p-", b"c1\nh", b"1-a\r\n\nsay \xc3", b"\xa9\n") == ["p-c1", "h1-a", "", "say é"]


def test_the_end_of_a_pipe_completes_its_last_line_once() -> None:
    pipe = Pipe()
    assert pipe.feed(b"quit") == []
    assert not pipe.is_over
    assert pipe.feed(b"") == ["quit"]
    assert pipe.is_over
    assert pipe.feed(b"") == []
    assert not pipe.is_open


def test_a_pipe_keeps_no_endless_line() -> None:
    pipe = Pipe()
    for _ in range(3):
        assert pipe.feed(b"x" * 100_000) == []
        assert len(pipe._line) == LONGEST
    assert pipe.feed(b"\nyes\n") == ["x" * LONGEST, "yes"]


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert piped(b"say \xff\xfe\n") == ["say \ufffd\ufffd"]


def test_a_keyboard_echoes_what_is_typed_and_knows_whether_a_line_is_open() -> None:
    lines, keyboard, screen = typed(b"p-c")
    assert (lines, keyboard.is_open, screen.lines) == ([], True, ["p-c"])
    assert keyboard.feed(b"1\r") == ["p-c1"]
    assert not keyboard.is_open
    assert screen.lines == ["p-c1", ""]


def test_backspace_ctrl_u_and_ctrl_w_take_back() -> None:
    lines, _, screen = typed(b"\x7fp-c2\x7f1\n", b"nonsense\x15say hello  world\x17\x17Bo\x08\n", b"\x17\x15x\n")
    assert lines == ["p-c1", "say B", "x"]
    assert screen.lines == ["p-c1", "say B", "x", ""]


def test_a_line_that_was_taken_back_is_not_open() -> None:
    assert not typed(b"p\x7f")[1].is_open


def test_a_wide_character_is_erased_in_its_width() -> None:
    assert typed("界\x7f".encode())[2].raw == "界" + "\b \b" * 2
    assert typed("e\u0301\x7f\x7f".encode())[2].raw == "e\u0301" + "\b \b"


def test_arrow_keys_and_escape_are_passed_over() -> None:
    assert typed(b"a\x1b[Ab\x1bOPc\x1b[1;5Dd\x1b", b"e\x1b[", b"3~\n")[0] == ["abcde"]
    assert typed(b"\x1bx\n")[0] == ["x"]


def test_control_d_ends_only_on_an_empty_line() -> None:
    _, keyboard, _ = typed(b"ab\x04")
    assert not keyboard.is_over
    assert keyboard.feed(b"\n") == ["ab"]
    keyboard.feed(b"\x04")
    assert keyboard.is_over


def test_a_keyboard_that_is_gone_is_over_and_its_half_line_is_none() -> None:
    lines, keyboard, _ = typed(b"resign", b"")
    assert lines == []
    assert keyboard.is_over


def test_a_keyboard_keeps_no_endless_line() -> None:
    lines, _, screen = typed(b"x" * 5000, b"\n")
    assert lines == ["x" * LONGEST]
    assert screen.lines[0] == lines[0]


@settings(derandomize=True, deadline=None)
@given(BYTES)
def test_cuts_make_no_difference_to_a_pipe(chunks: list[bytes]) -> None:
    chunks = [chunk for chunk in chunks if chunk]
    assert piped(*chunks, b"") == piped(*([whole] if (whole := b"".join(chunks)) else []), b"")


@settings(derandomize=True, deadline=None)
@given(BYTES)
def test_an_echo_holds_no_escape_and_shows_each_line_as_it_is_taken(chunks: list[bytes]) -> None:
    lines, keyboard, screen = typed(*chunks)
    assert "\x1b" not in screen.raw
    assert all(line.isprintable() for line in lines)
    assert screen.raw.count("\n") == len(lines)
    assert keyboard.is_open <= bool(keyboard.feed(b"\n")[0])  # half a character is not shown yet
