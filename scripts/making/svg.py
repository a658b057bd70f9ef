"""A screen of a terminal as SVG: what each cell shows, in its place to the tenth of a pixel, whatever fonts there are.

Law: lines, shades and suits are drawn, not written, so that no font can tear a card apart; every other character has a
place of its own. The same screen gives the same bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

import pyte
from pyte.screens import Char

WIDTH, HEIGHT = 9, 18  # of a cell, in pixels
MARGIN: Final = 12
RAISED: Final = 0.5  # suits, which are drawn a little deeper than letters
BASE: Final = 13.5  # from the top of a cell to the feet of its letter
FONTS: Final = "'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,'Courier New',monospace"
PAPER, INK = "#15181e", "#d5d9e0"
COLOURS: Final = {  # as pyte calls them
    "red": "#f0737c",
    "green": "#7cbf6b",
    "blue": "#6f98e8",
    "cyan": "#4fc1cb",
    "magenta": "#cf8be0",
}
SUITS: Final = {  # in a cell
    "♥": "M4.5 14 L1 9.4 C-.6 7.2 .8 4.7 2.6 4.9 C3.6 5 4.3 5.7 4.5 6.5 C4.7 5.7 5.4 5 6.4 4.9 C8.2 4.7 9.6 7.2 8 9.4Z",
    "♦": "M4.5 4.2 L8.2 9.2 L4.5 14.2 L.8 9.2Z",
    "♠": "M4.5 4 C5.4 6 8.7 7.6 8.7 10.1 C8.7 12.1 6.3 12.7 5 11.3 C5.1 12.5 5.6 13.4 6.5 14 L2.5 14 C3.4 13.4 3.9 12.5 4 11.3"
    " C2.7 12.7 .3 12.1 .3 10.1 C.3 7.6 3.6 6 4.5 4Z",
    "♣": "M4.1 10.6 C3.3 12.3 .2 12 .2 9.8 C.2 8 1.9 7.4 3 7.9 C1.9 6.4 2.8 4.2 4.5 4.2 C6.2 4.2 7.1 6.4 6 7.9 C7.1 7.4 8.8 8"
    " 8.8 9.8 C8.8 12 5.7 12.3 4.9 10.6 C4.9 12.2 5.5 13.5 6.5 14 L2.5 14 C3.5 13.5 4.1 12.2 4.1 10.6Z",
}
_LEFT, _RIGHT, _UP, _DOWN = "M0 9h4.5", "M4.5 9h4.5", "M4.5 0v9", "M4.5 9v9"
LINES: Final = {
    "─": (_LEFT, _RIGHT),
    "│": (_UP, _DOWN),
    "┌": (_DOWN, _RIGHT),
    "┐": (_DOWN, _LEFT),
    "└": (_UP, _RIGHT),
    "┘": (_UP, _LEFT),
    "┴": (_LEFT, _RIGHT, _UP),
    "╌": ("M1 9h2.5", "M5.5 9h2.5"),
}
SHADE: Final = "▒"


class Worn(NamedTuple):
    """What a cell wears: its ink, its paper, and whether its letter is bold or underlined."""

    ink: str
    paper: str
    is_bold: bool
    is_underlined: bool


def svg(screen: pyte.Screen, title: str) -> str:
    """The picture of a screen; `title` is what it shows, for those who cannot see it."""
    width, height = screen.columns * WIDTH + 2 * MARGIN, screen.lines * HEIGHT + 2 * MARGIN
    rows = [[screen.buffer[row][column] for column in range(screen.columns)] for row in range(screen.lines)]
    drawn = "\n".join(_drawn(rows))
    shades = "\n".join(_shade(ink) for ink in (INK, *COLOURS.values()) if _url(ink) in drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>text{{font:15px {FONTS};white-space:pre}}.b{{font-weight:bold}}path{{fill:none}}</style>\n"
        f"<defs>\n{_suits()}\n{shades}\n</defs>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>\n'
        f'<g transform="translate({MARGIN} {MARGIN})">\n{drawn}\n</g>\n</svg>\n'
    )


def _suits() -> str:
    return "\n".join(
        f'<symbol id="{name}" overflow="visible"><path style="fill:currentColor;stroke:none" d="{path}"/></symbol>'
        for name, path in zip("hdsc", SUITS.values(), strict=True)
    )


def _shade(ink: str) -> str:
    """A card's back in this ink: a chequered paper."""
    squares = '<rect width="1.5" height="1.5"/><rect x="1.5" y="1.5" width="1.5" height="1.5"/>'
    attributes = f'id="{_name(ink)}" width="3" height="3" patternUnits="userSpaceOnUse" fill="{ink}" fill-opacity="0.8"'
    return f"<pattern {attributes}>{squares}</pattern>"


def _name(ink: str) -> str:
    return f"x{ink.removeprefix('#')}"


def _url(ink: str) -> str:
    return f"url(#{_name(ink)})"


def _drawn(rows: Sequence[Sequence[Char]]) -> Iterator[str]:
    """All papers first, then what is drawn and written on them."""
    for row, cells in enumerate(rows):
        for worn, start, run in _runs(cells):
            if worn.paper != PAPER:
                yield _rect(start * WIDTH, row * HEIGHT, len(run) * WIDTH, worn.paper)
    for row, cells in enumerate(rows):
        for worn, start, run in _runs(cells):
            yield from _inked(worn, row, start, run)


def _runs(cells: Sequence[Char]) -> Iterator[tuple[Worn, int, str]]:
    """Neighbours that wear the same: what, from which column on, and their characters."""
    start = 0
    for worn, run in groupby(cells, _worn):
        text = "".join(cell.data or " " for cell in run)
        yield worn, start, text
        start += len(text)


def _worn(cell: Char) -> Worn:
    ink, paper = COLOURS.get(cell.fg, INK), COLOURS.get(cell.bg, PAPER)
    if cell.reverse:
        ink, paper = paper, ink
    return Worn(ink, paper, cell.bold, cell.underscore)


def _inked(worn: Worn, row: int, start: int, run: str) -> Iterator[str]:
    """What is drawn and written on a run."""
    top, ink = row * HEIGHT, worn.ink
    if worn.is_underlined:
        yield f'<path stroke="{ink}" d="M{start * WIDTH} {top + 16}h{len(run) * WIDTH}"/>'
    if lines := "".join(_lines(run, start, top)):
        yield f'<path stroke="{ink}" d="{lines}"/>'
    for column, shades in _same(run, SHADE):
        yield _rect((start + column) * WIDTH, top, shades * WIDTH, _url(ink))
    for column, one in enumerate(run):
        if one in SUITS:
            name = "hdsc"[[*SUITS].index(one)]
            yield f'<use href="#{name}" x="{(start + column) * WIDTH}" y="{top - RAISED}" color="{ink}"/>'
    yield from _written(worn, row, start, run)


def _written(worn: Worn, row: int, start: int, run: str) -> Iterator[str]:
    """Letters, each with its place; what is drawn leaves gaps."""
    letters = [(start + column, one) for column, one in enumerate(run) if one not in {" ", SHADE, *SUITS, *LINES}]
    if letters:
        places = " ".join(str(column * WIDTH) for column, _ in letters)
        bold = ' class="b"' if worn.is_bold else ""
        said = escape("".join(one for _, one in letters), quote=False)
        yield f'<text{bold} x="{places}" y="{row * HEIGHT + BASE}" fill="{worn.ink}">{said}</text>'


def _lines(run: str, start: int, top: int) -> Iterator[str]:
    """The paths of a run; neighbouring dashes are one line."""
    for column, count in _same(run, "─"):
        yield f"M{(start + column) * WIDTH} {top + 9}h{count * WIDTH}"
    for column, one in enumerate(run):
        if one != "─" and one in LINES:
            yield "".join(_moved(part, (start + column) * WIDTH, top) for part in LINES[one])


def _moved(path: str, left: int, top: int) -> str:
    """A path of one cell in its place."""
    at = path.index("h") if "h" in path else path.index("v")
    x, y = path[1:at].split()
    return f"M{_number(left + float(x))} {_number(top + float(y))}{path[at:]}"


def _number(value: float) -> str:
    return f"{value:g}"


def _same(run: str, one: str) -> Iterator[tuple[int, int]]:
    """Where this character stands in a run, and how often it is repeated there."""
    at = 0
    for letter, group in groupby(run):
        count = len([*group])
        if letter == one:
            yield at, count
        at += count


def _rect(left: int, top: int, width: int, fill: str) -> str:
    return f'<rect x="{left}" y="{top}" width="{width}" height="{HEIGHT}" fill="{fill}"/>'


def text_of(screen: pyte.Screen) -> Iterable[str]:
    """What is to be read on a screen."""
    return (line.rstrip() for line in screen.display)
