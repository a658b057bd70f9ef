"""What this player chose: a name, a language, a kind of screen; in TOML, read and never executed.

Law: a broken file is told with its name and line and is never fatal, and it is never written over. Comments and keys
that this program does not know stay as they are.
"""

import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from sm_p2p.errors import Sentence, UsageError
from sm_p2p.store.files import disk, make_directory, replace_file


@dataclass(frozen=True, slots=True)
class Options:
    """The chosen values; None where nothing was chosen."""

    name: str | None = None
    lang: str | None = None
    ui: str | None = None
    speed: str | None = None
    colours: str | None = None
    charset: str | None = None
    mouse: str | None = None
    bell: str | None = None
    title: str | None = None
    ask_discard: str | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options of a file, and a sentence for each thing in it that could not be used."""

    options: Options
    problems: tuple[str, ...] = ()


KEYS: Final = tuple(field.name for field in fields(Options))


def read_options(path: Path) -> Chosen:
    """The options in this file; none, if it is not there. DiskTrouble if it cannot be read."""
    text = _read(path)
    try:
        table = _parse(path, text)
    except UsageError as error:
        return Chosen(Options(), (error.told,))
    chosen: dict[str, str | None] = {}
    problems = []
    for key in KEYS:
        value = table.get(key)
        if value is None or isinstance(value, str):
            chosen[key] = value
        else:
            problems.append(
                Sentence(
                    '{path}, line {line}: {key} is written in quotes, as in {key} = "…"',
                    path=path,
                    line=_line_of(key, text),
                    key=key,
                )
            )
    return Chosen(Options(**chosen), tuple(problems))


def write_options(path: Path, options: Options) -> None:
    """Back when the file says this; UsageError if it is broken and so was left alone, DiskTrouble."""
    text = _read(path)
    _parse(path, text)
    for key in reversed(KEYS):  # a new line goes to the top
        value: object = getattr(options, key)
        text = _with(text, key, value if isinstance(value, str) else None)
    if not _says(text, options):
        raise UsageError(
            "{path} is written in a way that this program cannot change; please edit it yourself", path=path
        )
    make_directory(path.parent)
    with disk(path):
        replace_file(path, text.encode())


def _read(path: Path) -> str:
    with disk(path):
        try:
            return path.read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""


def _parse(path: Path, text: str) -> dict[str, object]:
    bad = re.search("[\udc80-\udcff]", text)
    if bad:
        raise UsageError(
            "{path}, line {line}: this is not UTF-8", path=path, line=text.count(chr(10), 0, bad.start()) + 1
        )
    try:
        table: dict[str, object] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = place[1] if place else text.count("\n") + 1
        raise UsageError(
            "{path}, line {line}: {why}", path=path, line=line, why=re.sub(r" [(]at .*[)]$", "", str(error))
        ) from error
    return table


def _says(text: str, options: Options) -> bool:
    try:
        table: dict[str, object] = tomllib.loads(text.encode().decode())
    except (tomllib.TOMLDecodeError, UnicodeEncodeError):
        return False
    return all(table.get(key) == getattr(options, key) for key in KEYS)


def _line_of(key: str, text: str) -> int:
    found = _assignment(key).search(text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _assignment(key: str) -> re.Pattern[str]:
    return re.compile(rf"^[ \t]*{key}[ \t]*=[^\n]*\n?", re.MULTILINE)


def _with(text: str, key: str, value: str | None) -> str:
    """The text with this key set at its top, or taken out."""
    line = "" if value is None else f"{key} = {_quoted(value)}\n"
    table = re.search(r"^[ \t]*\[", text, re.MULTILINE)
    top, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    if _assignment(key).search(top):
        return _assignment(key).sub(lambda _: line, top, count=1) + rest
    return line + text


def _quoted(value: str) -> str:
    """A basic string of TOML 1.0: quotes, backslashes and control characters are escaped."""
    plain = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", plain) + '"'
