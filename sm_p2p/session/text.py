"""Foreign text, made harmless once, at the border: names and chat.

Law: the lists here are part of the protocol and fixed; no table of a Unicode version decides who is right.
"""

import re
from typing import Final

from sm_p2p.errors import Code, Fault

NAME_LENGTH: Final = 24  # code points: what a status line has room for
NOTE_LENGTH: Final = 400  # code points: a few lines of chat
FORBIDDEN: Final = (
    (0x00, 0x1F),  # controls, ESC among them
    (0x7F, 0xA0),  # DEL, the C1 controls, the no-break space
    (0xAD, 0xAD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers, which look like nothing
    (0x1680, 0x1680),  # Ogham space mark
    (0x17B4, 0x17B5),  # Khmer inherent vowels, which look like nothing
    (0x180B, 0x180F),  # Mongolian selectors and vowel separator
    (0x2000, 0x200F),  # spaces of many widths, zero-width characters, direction marks
    (0x2028, 0x202F),  # line and paragraph separators, direction embeddings and overrides, narrow no-break space
    (0x205F, 0x206F),  # mathematical space, invisible operators, direction isolates
    (0x2800, 0x2800),  # blank Braille pattern
    (0x3000, 0x3000),  # ideographic space
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # surrogates
    (0xE000, 0xF8FF),  # private use
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # half-width Hangul filler
    (0xFFF0, 0xFFFF),  # specials
    (0xE0000, 0x10FFFF),  # tags, further selectors, private planes
)


_HARMFUL: Final = re.compile(f"[{''.join(f'{chr(low)}-{chr(high)}' for low, high in FORBIDDEN)}]")


def clean(text: str, length: int) -> str:
    r"""`text` with forbidden characters left out, white space folded, cut to `length` code points; may be empty.

    >>> clean("  Ana\x1b[31m \u202e Lee\n", 24)
    'Ana[31m Lee'
    """
    spaced = "".join(" " if character.isspace() else character for character in text)
    found = " ".join(_HARMFUL.sub("", spaced).split())[:length].strip()
    return text if found == text else found  # a sentence that can be said again stays one


def check_text(text: str, length: int, code: Code) -> None:
    """Return if `text` is 1…`length` harmless code points without a space at either end; else raise Fault(code)."""
    if not 1 <= len(text) <= length or _HARMFUL.search(text) or text != text.strip(" "):
        raise Fault(code, "a text is empty, too long or has forbidden characters")
