"""The standard streams of this process: there from the start, able to take every character, quiet at the end."""

import contextlib
import io
import os
import sys
from typing import TextIO


def mend_streams() -> None:
    """Let no file of ours get the number of a stream that was closed, and no character stop a sentence."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, so this one
    sys.stdout = sys.stdout or _stream(1)
    sys.stderr = sys.stderr or _stream(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def forget_output() -> None:
    """Whoever read our output has gone, or it cannot be written: what is left in the buffer goes nowhere, without a word."""
    _forget(sys.stdout)


def complain(sentence: str) -> None:
    """One line on standard error, whatever is in it; where that cannot be written, no more is."""
    try:
        sys.stderr.write(f"{plain(sentence)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        _forget(sys.stderr)  # else the interpreter tries again at its end, and changes the status


def plain(text: str) -> str:
    r"""The text without anything that would end the line or speak to the terminal.

    >>> plain("a\nb\x1b[31m \udcff é")
    'a\\nb\\x1b[31m \\udcff é'
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def _forget(stream: TextIO) -> None:
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _stream(number: int) -> io.TextIOWrapper:
    return open(number, "w", encoding="utf-8", closefd=False)
