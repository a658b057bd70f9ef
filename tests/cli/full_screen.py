"""The program on the full screen of a real terminal, and hands that find what they look for."""

import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from cli.terminal import Session, at_terminal

UP, DOWN, ENTER, ESCAPE, CTRL_C, CTRL_U, CTRL_Z = "\x1b[A", "\x1b[B", "\r", "\x1b", "\x03", "\x15", "\x1a"
MENU: Final = "Play against the computer"


def at_screen(
    *words: str, home: Path, name: str = "Ana", size: tuple[int, int] = (80, 24), **environment: str
) -> AbstractContextManager[Session]:
    """The program on the full screen."""
    return at_terminal(*words, "--name", name, home=home, size=size, SM_P2P_UI="screen", **environment)


def choose(session: Session, entry: str) -> None:
    """Move to this entry of a menu and choose it."""
    session.until_seen("│ > ", f"│ [> ] {entry}")
    rows = session.rows
    here = next(number for number, row in enumerate(rows) if "│ > " in row)
    there = next(number for number, row in enumerate(rows) if re.search(f"│ [> ] {entry}", row))
    session.press((DOWN if there > here else UP) * abs(there - here))
    session.until_seen(f"│ > {entry}")
    session.press(ENTER)


def pasted(text: str) -> str:
    """What a terminal sends when this is pasted."""
    return f"\x1b[200~{text}\x1b[201~"
