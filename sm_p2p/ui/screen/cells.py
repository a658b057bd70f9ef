"""How wide text is, how it is cut to its cells, and how it is written with ASCII alone.

Law: what is cut to n cells is n cells wide, whatever stands in it.
"""

import unicodedata
from functools import cache, lru_cache
from itertools import accumulate, takewhile
from typing import Final

from wcwidth import wcwidth

CUT: Final = "…"
_FLAGS: Final = "".join(map(chr, range(0x1F1E6, 0x1F200)))  # letters of which pairs are flags
_HIDDEN: Final = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400), *range(0xE0100, 0xE01F0))))
_FANCY: Final = "─│┌┐└┘├┤┬┴┼╌▒×·•—–…●○◆◇✓←→↑↓♣♦♥♠“”„‘’«»¿¡"
_PLAIN: Final = '-|+++++++++.#x-*--~*o#o+<>^vCDHS"""\'\'<>?!'  # one character each, so that nothing moves
_ASCII: Final = str.maketrans(_FANCY, _PLAIN)


@cache
def visible(character: str) -> str:
    r"""The character as it is shown: not at all if it controls something or joins others to one picture.

    >>> [visible(character) for character in ("é", "\x1b", "\u202e", "\ufe0f", "\U0001f1e9")]
    ['é', '', '', '', 'D']
    """
    if character in _FLAGS:
        return chr(ord(character) - ord(_FLAGS[0]) + ord("A"))
    if character in _HIDDEN or (wcwidth(character) < 1 and unicodedata.category(character)[0] != "M"):
        return ""
    return character


@cache
def cell_width(character: str) -> int:
    """The cells of one character: 0, 1 or 2; what is not shown has none."""
    shown = visible(character)
    return wcwidth(shown) if shown else 0


def text_width(text: str) -> int:
    """The cells of a text."""
    return len(text) if text.isascii() else sum(map(cell_width, text))


def cut(text: str, width: int) -> str:
    """The text, or as much of its beginning as `width` cells hold, with a mark where it was cut.

    >>> cut("a long name", 6), cut("日本語", 5), cut("abc", 3)
    ('a lon…', '日本…', 'abc')
    """
    if text_width(text) <= width:
        return text
    return text[: _fitting(text, width - 1)] + CUT if width > 0 else ""


def best(width: int, *forms: str) -> str:
    """The first of these forms that so many cells hold; else the last, cut.

    >>> best(7, "needs 8", "8"), best(4, "needs 8", "8")
    ('needs 8', '8')
    """
    return next((form for form in forms if text_width(form) <= width), cut(forms[-1], width))


def fit(text: str, width: int) -> str:
    """The text in exactly so many cells, filled with spaces."""
    shown = cut(text, width)
    return shown + " " * (width - text_width(shown))


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most so many cells, broken between words where that is possible; at least one line."""
    lines, line, room = [], "", max(width, 1)
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while text_width(line) > room and len(line) > 1:
            head = max(_fitting(line, room), 1)
            lines.append(line[:head])
            line = line[head:]
    return [*lines, line]


def _fitting(text: str, width: int) -> int:
    """How many characters of a text so many cells hold."""
    return sum(1 for _ in takewhile(lambda cells: cells <= width, accumulate(map(cell_width, text))))


@lru_cache(maxsize=4096)
def is_narrow(text: str) -> bool:
    """Whether each character fills one cell."""
    return all(cell_width(character) == 1 for character in text)


@lru_cache(maxsize=4096)
def in_ascii(text: str) -> str:
    """The text with ASCII alone, as wide as it was.

    >>> in_ascii("K♠ × José 日"), in_ascii("e\u0301")
    ('KS x Jose ..', 'e')
    """
    return text if text.isascii() else "".join(map(_ascii_cells, text))


@cache
def _ascii_cells(character: str) -> str:
    """A character of ASCII in its place, as wide as it is."""
    plain = character.translate(_ASCII)
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()[:1] or "."
    return plain.ljust(cell_width(character), ".") if cell_width(character) else ""
