"""What the terminal of this process can do: whether the full screen can be shown on it, and with which characters.

Law: nothing here imports prompt_toolkit or touches the terminal.
"""

from collections.abc import Mapping
from typing import Final, TextIO

from sm_p2p.ui.screen.looks import Charset, Colours, Look, can_show

WITHOUT_A_SCREEN: Final = frozenset({"", "dumb", "unknown", "network", "dialup", "emacs", "vt52"})
WITHOUT_GLYPHS: Final = frozenset({"linux", "eterm", "eterm-color"})  # their fonts lack some of ours
ASCII_LOCALES: Final = frozenset({"C", "POSIX"})


def usable(environ: Mapping[str, str], stdin: TextIO | None, stdout: TextIO | None) -> bool:
    """Whether the full screen can be shown; if not, line mode is the way."""
    return environ.get("TERM", "") not in WITHOUT_A_SCREEN and all(map(is_terminal, (stdin, stdout)))


def look_of(environ: Mapping[str, str], stdout: TextIO | None) -> Look:
    """Characters that the terminal can show, and no colours where they are not wanted."""
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    is_plain = (
        environ.get("TERM", "") in WITHOUT_GLYPHS
        or locale in ASCII_LOCALES
        or not can_show((stdout.encoding if stdout is not None else "") or "ascii")
    )
    colours = Colours.NONE if environ.get("NO_COLOR") else Colours.TWO
    return Look(Charset.ASCII if is_plain else Charset.UNICODE, colours)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is there, open, and a terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it was closed
        return False
