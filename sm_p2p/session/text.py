"""Foreign text, made harmless once, at the border: names and chat.

Law: the lists here are part of the protocol and fixed; no table of a Unicode version decides who is right.
"""

from typing import Final

from sm_p2p.errors import Code, Fault

NAME_LENGTH: Final = 24  # code points: what a status line has room for
NOTE_LENGTH: Final = 400  # code points: a few lines of chat
FORBIDDEN: Final = (
    (0x00, 0x1F),  # controls, ESC among them
    (0x7F, 0x9F),  # DEL and the C1 controls
    (0xAD, 0xAD),  # soft hyphen
    (0x061C, 0x061C),  # Arabic letter mark
    (0x180E, 0x180E),  # Mongolian vowel separator
    (0x200B, 0x200F),  # zero-width characters and direction marks
    (0x2028, 0x202E),  # line and paragraph separators, direction embeddings and overrides
    (0x2060, 0x206F),  # invisible operators, direction isolates
    (0xD800, 0xDFFF),  # surrogates
    (0xE000, 0xF8FF),  # private use
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFF0, 0xFFFF),  # specials
    (0xE0000, 0x10FFFF),  # tags, further selectors, private planes
)


def _harmless(character: str) -> bool:
    code = ord(character)
    return not any(low <= code <= high for low, high in FORBIDDEN)


def clean(text: str, length: int) -> str:
    r"""`text` with forbidden characters left out, white space folded, cut to `length` code points; may be empty.

    >>> clean("  Ana\x1b[31m \u202e Lee\n", 24)
    'Ana[31m Lee'
    """
    spaced = "".join(" " if character.isspace() else character for character in text)
    return " ".join("".join(filter(_harmless, spaced)).split())[:length].strip()


def check_text(text: str, length: int, code: Code) -> None:
    """Return if `text` is 1…`length` harmless code points without a space at either end; else raise Fault(code)."""
    if not 1 <= len(text) <= length or not all(map(_harmless, text)) or text != text.strip(" "):
        raise Fault(code, "a text is empty, too long or has forbidden characters")
