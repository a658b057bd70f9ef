"""A line of text under the fingers: what each key makes of it.

Law: every function takes a text and a cursor and returns the next; nothing that is typed or pasted is ever harmful.
"""

from dataclasses import replace
from typing import Final

from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.ui.screen.overlays import Prompt, Typing

PASTE_LENGTH: Final = 8192  # code points: the longest invite with all that a letter may put around it


def room(line: Typing) -> int:
    """The most code points that a line may have: what is said stays short, what is pasted into a question need not."""
    return PASTE_LENGTH if isinstance(line, Prompt) else NOTE_LENGTH


def typed(line: Typing, text: str) -> Typing:
    """The line with this text at the cursor, as far as it has room; spaces at the ends stay while one types."""
    inner = clean(text, len(text))
    left = " " if text[:1].isspace() and (inner or len(text) == 1) else ""
    right = " " if text[-1:].isspace() and inner else ""
    fresh = f"{left}{inner}{right}"[: max(0, room(line) - len(line.text))]
    whole = line.text[: line.cursor] + fresh + line.text[line.cursor :]
    return replace(line, text=whole, cursor=line.cursor + len(fresh))


def edited(line: Typing, key: str) -> Typing | None:
    """The line after a key that moves or deletes; None if the key does neither.

    >>> from sm_p2p.ui.screen.overlays import Talking
    >>> edited(Talking("abc", 2), "backspace")
    Talking(text='ac', cursor=1)
    """
    text, at = line.text, line.cursor
    match key:
        case "left":
            return replace(line, cursor=max(0, at - 1))
        case "right":
            return replace(line, cursor=min(len(text), at + 1))
        case "home" | "c-a" | "up":
            return replace(line, cursor=0)
        case "end" | "c-e" | "down":
            return replace(line, cursor=len(text))
        case "backspace" | "c-h":
            return line if at == 0 else replace(line, text=text[: at - 1] + text[at:], cursor=at - 1)
        case "delete" | "c-d":
            return replace(line, text=text[:at] + text[at + 1 :])
        case "c-w":
            start = len(text[:at].rstrip().rpartition(" ")[0])
            start += 1 if start else 0
            return replace(line, text=text[:start] + text[at:], cursor=start)
        case "c-u":
            return replace(line, text=text[at:], cursor=0)
        case "c-k":
            return replace(line, text=text[:at])
        case _:
            return None
