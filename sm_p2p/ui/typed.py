"""Bytes that come from a pipe or from a keyboard, made into lines.

Law: whatever the bytes are, lines come out and nothing is raised. A keyboard's characters are echoed here and not by the
terminal, because only so is it known whether a line is being typed; no echo holds an escape byte.
"""

import codecs
import unicodedata
from collections.abc import Callable
from typing import Final, Protocol

LONGEST: Final = 1000  # characters of a line; what is longer is cut, not kept
ERASE: Final = "\b \b"
_ESCAPE, _DELETE, _BACKSPACE = "\x1b", "\x7f", "\b"
_END, _KILL_LINE, _KILL_WORD = "\x04", "\x15", "\x17"


class Typing(Protocol):
    """What makes lines of bytes."""

    @property
    def is_open(self) -> bool:
        """Whether a line is being typed that nothing may break."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether no line will come any more."""
        ...

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that these bytes complete; no bytes are the end, which completes the last line."""
        ...


class Pipe:
    """Lines from a file, a pipe, or a terminal that edits its lines itself."""

    is_open: Final = False

    def __init__(self) -> None:
        self.is_over = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = ""

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that these bytes complete; no bytes are the end, which completes the last line."""
        self.is_over = self.is_over or not chunk
        *lines, last = (self._line + self._decoder.decode(chunk, final=not chunk)).split("\n")
        self._line = last[:LONGEST]
        if self.is_over and self._line:
            lines, self._line = [*lines, self._line], ""
        return [line[:LONGEST].removesuffix("\r") for line in lines]


class Keyboard:
    """A line editor for a terminal that hands over each key: backspace, Ctrl-U, Ctrl-W, Ctrl-D; nothing else."""

    def __init__(self, echo: Callable[[str], None]) -> None:
        self.is_over = False
        self._echo = echo
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._sequence = ""  # of an arrow key and the like, which is passed over

    @property
    def is_open(self) -> bool:
        """Whether something has been typed that no Enter has ended yet."""
        return bool(self._line)

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that these keys complete; no bytes are the end: what was half typed then is not a line."""
        lines: list[str] = []
        self.is_over = self.is_over or not chunk
        for key in self._decoder.decode(chunk):
            if self._is_of_a_sequence(key):
                continue
            if key in "\r\n":
                self._echo("\n")
                lines.append("".join(self._line))
                self._line.clear()
            elif key == _END:
                self.is_over = self.is_over or not self._line
            else:
                self._edit(key)
        if self._sequence == _ESCAPE:
            self._sequence = ""  # the Esc key itself
        return lines

    def _edit(self, key: str) -> None:
        if key in {_DELETE, _BACKSPACE}:
            self._erase(1)
        elif key == _KILL_LINE:
            self._erase(len(self._line))
        elif key == _KILL_WORD:
            text = "".join(self._line).rstrip()
            self._erase(len(self._line) - text.rfind(" ") - 1)
        elif key.isprintable() and len(self._line) < LONGEST:
            self._line.append(key)
            self._echo(key)

    def _erase(self, count: int) -> None:
        for _ in range(min(count, len(self._line))):
            self._echo(ERASE * _width(self._line.pop()))

    def _is_of_a_sequence(self, key: str) -> bool:
        """Whether the key belongs to an escape sequence: ESC [ … letter, ESC O letter, or ESC alone."""
        if key == _ESCAPE:
            self._sequence = key
            return True
        if self._sequence == _ESCAPE and key in "[O":
            self._sequence += key
            return True
        if len(self._sequence) < 2:
            self._sequence = ""
            return False
        if self._sequence[1] == "O" or "@" <= key <= "~":
            self._sequence = ""
        return True


def _width(character: str) -> int:
    """The cells that a character takes on a terminal."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
