"""Languages for tests: one that writes down what it was asked for, and the messages that stand in the source."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import sm_p2p.ui
from sm_p2p.rules.reasons import Reason
from sm_p2p.session.reasons import Unable
from sm_p2p.ui.catalogue import CODES, catalogue
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import ENGLISH, Language

LANGUAGES: Final[Mapping[str, Language]] = {"en": ENGLISH, **{code: catalogue(code) for code in CODES}}
ROOM: Final = Path(next(iter(sm_p2p.ui.__path__)))
TAKES: Final = {
    "say": (0,),
    "of": (1, 2),
    "count": (0, 1),
    "mark": (0,),
    "mark_plural": (0, 1),
}  # where these take messages


class Marked:
    """A language that puts every message into angle brackets, and remembers which ones it was asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def gettext(self, message: str, /) -> str:
        """The message in brackets."""
        self.asked.add(message)
        return f"<{message}>"

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The fitting form in brackets."""
        self.asked |= {one, many}
        return f"<{one if n == 1 else many}>"


def messages() -> set[str]:
    """Every message that a catalogue can be made of: literals in the source, reasons and remarks."""
    literals = {text for path in ROOM.rglob("*.py") for text in _literals(path)}
    reasons = (*Reason, *Unable)
    return {*literals, *map(str, reasons), *(str(remark) for remark in Remark)}


def _literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for at in TAKES.get(name, ()):
                if at < len(node.args) and isinstance(found := node.args[at], ast.Constant):
                    yield str(found.value)
