"""Append-only output that survives its reader.

Law: lines go out whole and at once; when nobody can read them any more, `is_gone` says so and nothing is raised.
"""

from collections.abc import Iterable
from typing import TextIO


class Printer:
    """A text stream that lines are written to."""

    def __init__(self, out: TextIO) -> None:
        self.is_gone = False
        self._out = out

    def put(self, lines: Iterable[str]) -> None:
        """Write these lines."""
        self.echo("".join(f"{line}\n" for line in lines))

    def echo(self, text: str) -> None:
        """Write this text; what the encoding of the stream does not have is written as its number."""
        if not text or self.is_gone:
            return
        encoding = self._out.encoding or "utf-8"
        try:
            self._out.write(text.encode(encoding, "backslashreplace").decode(encoding))
            self._out.flush()
        except (OSError, ValueError):  # a closed pipe, a terminal that is gone, a stream that was closed here
            self.is_gone = True
