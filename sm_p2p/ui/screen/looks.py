"""How it looks: the characters of a terminal, and what each style class means in it.

Law: the text of a frame follows from the charset alone; colours only repeat what the text says. Only the 16 colours of
the terminal's own palette are used, no background but by reversing, and neither black nor white.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Charset(StrEnum):
    """The characters that the terminal can show."""

    UNICODE = "unicode"
    ASCII = "ascii"


class Colours(StrEnum):
    """The colours that it shows."""

    TWO = "two"  # red suits and the others
    FOUR = "four"  # each suit has its own
    NONE = "none"  # bold, dim, underlined, reversed


@dataclass(frozen=True, slots=True)
class Look:
    """Characters and colours; `render` uses the characters, `style_rules` the colours."""

    charset: Charset = Charset.UNICODE
    colours: Colours = Colours.TWO


UNICODE: Final = Look()
ASCII: Final = Look(Charset.ASCII)

_PLAIN: Final = {  # class → without any colour
    "sm.bar": "reverse",
    "sm.rule": "",
    "sm.title": "bold",
    "sm.name": "bold",
    "sm.card": "",
    "sm.suit-c": "",
    "sm.suit-d": "",
    "sm.suit-h": "",
    "sm.suit-s": "",
    "sm.back": "",
    "sm.empty": "",
    "sm.beneath": "",
    "sm.needs": "bold",
    "sm.key": "bold",
    "sm.pick": "reverse bold",
    "sm.target": "reverse",
    "sm.cursor": "underline bold",
    "sm.mark": "bold",
    "sm.low": "bold",
    "sm.turn": "reverse bold",
    "sm.wait": "",
    "sm.message": "bold",
    "sm.warn": "bold",
    "sm.footer": "",
    "sm.sheet": "",
    "sm.moment": "reverse bold",
    "sm.dim": "",
}
_COLOURED: Final = {
    "sm.suit-d": "ansired",
    "sm.suit-h": "ansired",
    "sm.back": "ansiblue",
    "sm.key": "bold ansicyan",
    "sm.pick": "reverse bold ansicyan",
    "sm.target": "reverse ansigreen",
    "sm.mark": "bold ansimagenta",
    "sm.low": "bold ansired",
    "sm.turn": "reverse bold ansigreen",
    "sm.warn": "bold ansired",
    "sm.moment": "reverse bold ansicyan",
}
_FOUR: Final = {"sm.suit-c": "ansigreen", "sm.suit-d": "ansiblue"}


def style_rules(look: Look) -> list[tuple[str, str]]:
    """Style class and what it means, as prompt_toolkit's `Style` takes them."""
    rules = dict(_PLAIN)
    if look.colours is not Colours.NONE:
        rules |= _COLOURED
    if look.colours is Colours.FOUR:
        rules |= _FOUR
    return list(rules.items())


GLYPHS: Final = "♣♦♥♠▒╌─│┌┐└┘┴×•·–—…●○◆◇✓←→↑↓"


def can_show(encoding: str | None) -> bool:
    """Whether text in this encoding carries every character that a frame is drawn with.

    >>> can_show("utf-8"), can_show("latin-1"), can_show(None)
    (True, False, False)
    """
    try:
        GLYPHS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


CLASSES: Final = tuple(_PLAIN)
