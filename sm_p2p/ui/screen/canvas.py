"""A canvas of cells that is drawn on from back to front and read off as styled lines.

Law: nothing that is put on it leaves it or makes it wider, and half a wide character is never shown.
"""

from functools import lru_cache
from itertools import groupby
from typing import Final

from sm_p2p.ui.screen.cells import cell_width, cut, fit, in_ascii, is_narrow, text_width, visible
from sm_p2p.ui.screen.frame import Frame, Line, Pane, Rect, Size, Zone
from sm_p2p.ui.screen.looks import Charset

MOST_MARKS: Final = 3  # code points of one cell: a letter and two accents
_PREFIX: Final = "class:"


class Canvas:
    """Rows of cells; a wide character fills its first cell and leaves an empty text in its second one."""

    def __init__(self, size: Size, charset: Charset = Charset.UNICODE) -> None:
        self.size = size
        self.cursor: tuple[int, int] | None = None
        self._is_ascii = charset is Charset.ASCII
        self._texts = [[" "] * size.columns for _ in range(size.rows)]
        self._styles = [[""] * size.columns for _ in range(size.rows)]
        self._zones: list[Zone] = []

    def put(self, left: int, top: int, text: str, style: str = "") -> int:
        """Write from this cell to the right; the cell behind the text comes back. `style`: classes with spaces between."""
        if not 0 <= top < self.size.rows:
            return left + text_width(text)
        if self._is_ascii:
            text = in_ascii(text)
        if not is_narrow(text):
            return self._put_slowly(left, top, text, style)
        end = left + len(text)
        start, stop = max(left, 0), min(end, self.size.columns)
        if start < stop:
            texts = self._texts[top]
            self._clear_halves(texts, start, stop)
            texts[start:stop] = text[start - left : stop - left]
            self._styles[top][start:stop] = [style] * (stop - start)
        return end

    def _put_slowly(self, left: int, top: int, text: str, style: str) -> int:
        """The same for characters that fill two cells, or none because they belong to the one before."""
        columns, texts, styles = self.size.columns, self._texts[top], self._styles[top]
        for character in map(visible, text):
            width = cell_width(character) if character else 0
            if not width and 0 < left <= columns:
                at = left - 1 if texts[left - 1] else left - 2
                texts[at] += character if len(texts[at]) < MOST_MARKS else ""
            elif width and left >= 0 and left + width <= columns:
                self._clear_halves(texts, left, left + width)
                texts[left : left + width] = [character, ""][:width]
                styles[left : left + width] = [style] * width
            left += width
        return left

    def line(self, rect: Rect, row: int, text: str, style: str = "") -> None:
        """Write one row of a rectangle, cut and filled to its width."""
        if 0 <= row < rect.height:
            self.put(rect.left, rect.top + row, fit(text, rect.width), style)

    def label(self, left: int, top: int, text: str, width: int, style: str = "") -> int:
        """Write at most so many cells; the cell behind the text comes back."""
        return self.put(left, top, cut(text, width), style)

    def add_style(self, rect: Rect, style: str) -> None:
        """Add a style class to what a rectangle shows."""
        for row in self._styles[max(rect.top, 0) : max(rect.top + rect.height, 0)]:
            for column in range(max(rect.left, 0), min(rect.left + rect.width, len(row))):
                row[column] = f"{row[column]} {style}".strip()

    def zone(self, rect: Rect, *keys: str, pane: Pane | None = None) -> None:
        """A click here is as good as these keys; the wheel scrolls the pane."""
        self._zones.append(Zone(rect, keys, pane))

    def forget_zones(self) -> None:
        """Nothing that was drawn so far can be clicked."""
        self._zones.clear()

    def frame(self) -> Frame:
        """What was drawn."""
        return Frame(tuple(map(_line, self._texts, self._styles)), tuple(self._zones), self.cursor)

    @staticmethod
    def _clear_halves(texts: list[str], start: int, stop: int) -> None:
        """Where a wide character is overwritten in half, its other half becomes a space."""
        if not texts[start]:
            texts[start - 1] = " "
        if stop < len(texts) and not texts[stop]:
            texts[stop] = " "


def _line(texts: list[str], styles: list[str]) -> Line:
    """The cells of a row with neighbours of one style joined."""
    found, start = [], 0
    for style, run in groupby(styles):
        stop = start + len([*run])
        found.append((_classes(style), "".join(texts[start:stop])))
        start = stop
    return tuple(found)


@lru_cache(maxsize=1024)
def _classes(style: str) -> str:
    return " ".join(_PREFIX + name for name in style.split())
