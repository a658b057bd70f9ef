"""The messages in the source of the package: what a catalogue has to say.

Law: a message is a literal where it is said, marked or raised; whatever cannot be found so is told as a problem, since
nobody could translate it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGE: Final = ROOT / "sm_p2p"
TAKES: Final = {  # where these take messages
    "say": (0,),
    "of": (1, 2),
    "mark": (0,),
    "Sentence": (0,),
    "_wrong": (0,),
    **dict.fromkeys(("BadInvite", "DiskTrouble", "Failing", "IllegalMove", "JournalBusy"), (0,)),
    **dict.fromkeys(("LinkDown", "SpiteError", "UsageError"), (0,)),
    **dict.fromkeys(("Fault", "JournalDamaged"), (1,)),
}
OF_PARSER: Final = ("help", "description", "epilog")
LISTS: Final = ("rules/reasons.py", "session/reasons.py", "ui/voice.py")  # files with enums whose values are messages
PLACE: Final = re.compile(r"\{\w*\}")


class Found(NamedTuple):
    """A message, its plural if it counts, and the files where it stands."""

    text: str
    plural: str
    files: tuple[str, ...]


def messages() -> tuple[Found, ...]:
    """Every message, in the order of files and lines."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(ROOT))
        for _, one in _in_file(path):
            if isinstance(one, tuple) and any(letter.isalpha() for letter in PLACE.sub("", one[0])):
                files = found.setdefault(one, [])
                files += [] if name in files else [name]
    counted = {text for text, plural in found if plural}
    return tuple(
        Found(text, plural, tuple(files)) for (text, plural), files in found.items() if plural or text not in counted
    )


def problems() -> tuple[str, ...]:
    """Where something is said that nobody can translate."""
    return tuple(
        f"{path.relative_to(ROOT)}:{line}: {problem}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line, problem in _in_file(path)
        if isinstance(problem, str)
    )


def _in_file(path: Path) -> Iterator[tuple[int, tuple[str, str] | str]]:
    """Messages with their plurals, and problems, by their lines."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    nodes.sort(key=lambda node: getattr(node, "lineno", 0))
    for node in nodes:
        match node:
            case ast.Call():
                yield from ((node.lineno, one) for one in _in_call(node))
            case ast.ClassDef() if path.relative_to(PACKAGE).as_posix() in LISTS:
                values = (line.value for line in node.body if isinstance(line, ast.Assign))
                yield from ((value.lineno, one) for value in values for one in _literals(value))
            case _:
                pass


def _in_call(call: ast.Call) -> Iterator[tuple[str, str] | str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in {"count", "mark_plural"}:
        match call.args[:2]:
            case [ast.Constant(value=str(one)), ast.Constant(value=str(many))]:
                yield one, many
            case _:  # marked somewhere else
                pass
    for at in TAKES.get(name, ()):
        if at < len(call.args):
            yield from _literals(call.args[at])
    for word in call.keywords:
        if word.arg in OF_PARSER:
            yield from _literals(word.value)


def _literals(node: ast.expr) -> Iterator[tuple[str, str] | str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text, ""
        case ast.IfExp():
            yield from _literals(node.body)
            yield from _literals(node.orelse)
        case ast.JoinedStr():
            yield "a sentence is put together here; it has to be a message with places"
        case _:
            pass
