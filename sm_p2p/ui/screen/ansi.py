"""A frame as a terminal is told it: the lines that have changed, with the codes of their colours.

Law: pure; what is written from one frame to the next shows the next one, whatever the one before was.
"""

from functools import lru_cache
from typing import Final

from sm_p2p.ui.screen.frame import Frame, Line
from sm_p2p.ui.screen.looks import Look, style_rules

CODES: Final = {
    "bold": 1,
    "dim": 2,
    "underline": 4,
    "reverse": 7,
    "ansired": 31,
    "ansigreen": 32,
    "ansiyellow": 33,
    "ansiblue": 34,
    "ansimagenta": 35,
    "ansicyan": 36,
}
PLAIN: Final = "\x1b[0m"
BEGIN: Final = "\x1b[?25l\x1b[2J"  # nobody types here: the cursor is not needed
END: Final = "\x1b[?25h"


def drawn(before: Frame | None, after: Frame, look: Look) -> str:
    """What turns the one frame into the other; all of it where there is none before."""
    found = []
    for row, line in enumerate(after.lines):
        if before is None or row >= len(before.lines) or before.lines[row] != line:
            found.append(f"\x1b[{row + 1};1H{_line(line, look)}")
    return "".join(found)


@lru_cache(maxsize=4096)
def _line(line: Line, look: Look) -> str:
    return "".join(_coloured(text, codes(style, look)) for style, text in line)


def _coloured(text: str, numbers: tuple[int, ...]) -> str:
    return f"\x1b[{';'.join(map(str, numbers))}m{text}{PLAIN}" if numbers else text


@lru_cache(maxsize=1024)
def codes(style: str, look: Look) -> tuple[int, ...]:
    """The numbers of a style in this look, ascending; of two colours the later one counts.

    >>> codes("class:sm.key class:sm.target", Look())
    (1, 7, 32)
    """
    rules = dict(style_rules(look))
    words = [word for name in style.split() for word in rules.get(name.removeprefix("class:"), "").split()]
    colours = [word for word in words if word.startswith("ansi")]
    kept = [word for word in words if not word.startswith("ansi")] + colours[-1:]
    return tuple(sorted({CODES[word] for word in kept}))
