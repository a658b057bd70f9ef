"""A terminal that is not there: what is written to it can be looked at cell by cell."""

import asyncio
import copy
import io

import pyte
from prompt_toolkit.data_structures import Size as Cells


class Emulator(io.StringIO):
    """A terminal of this size; `written` is everything that it was sent."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.size = Cells(rows, columns)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.written: list[str] = []
        self.news = asyncio.Event()

    def write(self, text: str) -> int:
        """Show it."""
        self.written.append(text)
        self.stream.feed(text)
        self.news.set()
        return len(text)

    def isatty(self) -> bool:
        """It is a terminal."""
        return True

    @property
    def bytes_written(self) -> int:
        """How much was sent so far."""
        return len("".join(self.written).encode())

    def frozen(self) -> pyte.Screen:
        """What is to be seen now, whatever is written later."""
        return copy.deepcopy(self.screen)
