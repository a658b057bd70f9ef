"""What this player chose: a name, a language, a kind of screen; in TOML, read and never executed.

Law: a broken file is told with its name and line and is never fatal, and it is never written over. Comments and entries
that this program does not know stay as they are.
"""

import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from sm_p2p.errors import Sentence, UsageError
from sm_p2p.store.files import disk, make_directory, read_small, replace_file


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
    """The options of a file, the line of each, a sentence for each thing in it that could not be used, and whether that is all of it."""

    options: Options
    problems: tuple[str, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    is_broken: bool = False


MOST_BYTES: Final = 16_384
"""More than that is nobody's choice, and some of it would take a TOML reader minutes."""
WORD: Final = 64
"""Bits of a number that is a choice; Python refuses to write long ones down."""
KEYS: Final = tuple(each.name for each in fields(Options))


def read_options(path: Path) -> Chosen:
    """The options in this file; none, if it is not there. DiskTrouble if it cannot be read.

    A number is as good as its text, and true and false are on and off.
    """
    text = _read(path)
    try:
        table = _parse(path, text)
    except UsageError as error:
        return Chosen(Options(), (error.told,), is_broken=True)
    lines = {key: _line_of(key, text) for key in table}
    chosen: dict[str, str | None] = {}
    problems = []
    for key, value in table.items():
        if key not in KEYS:
            problems.append(
                Sentence(
                    "{path}, line {line}: there is no option {key}; sm-p2p config shows those that there are",
                    path=path,
                    line=lines[key],
                    key=key,
                )
            )
        elif (said := _said(value)) is not None:
            chosen[key] = said
        else:
            problems.append(
                Sentence(
                    '{path}, line {line}: {key} is written in quotes, as in {key} = "…"',
                    path=path,
                    line=lines[key],
                    key=key,
                )
            )
    return Chosen(Options(**chosen), tuple(problems), lines)


def _said(value: object) -> str | None:
    """The text that a value is as good as; None if it is as good as none."""
    match value:
        case bool():
            return "on" if value else "off"
        case str() | float():
            return str(value)
        case int() if value.bit_length() < WORD:
            return str(value)
        case _:
            return None


def write_option(path: Path, key: str, value: str | None) -> None:
    """Back when the file says this, or nothing about it (None); UsageError if it is broken and so was left alone, DiskTrouble."""
    import tomlkit  # noqa: PLC0415 - only who changes something waits for it

    text = _read(path)
    _parse(path, text)
    document = tomlkit.parse(text)
    if value is not None:
        document[key] = value
    elif key in document:
        del document[key]
    try:
        raw = document.as_string().encode()
    except UnicodeEncodeError as error:
        raise UsageError("{key} is no text that can be written", key=key) from error
    make_directory(path.parent)
    with disk(path):
        replace_file(path, raw)


def _read(path: Path) -> str:
    with disk(path):
        try:
            return read_small(path, MOST_BYTES).decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""


def _parse(path: Path, text: str) -> dict[str, object]:
    if len(text) > MOST_BYTES:
        raise UsageError(
            "{path}, line {line}: more than {most} bytes are no options", path=path, line=1, most=MOST_BYTES
        )
    bad = re.search("[\udc80-\udcff]", text)
    if bad:
        raise UsageError(
            "{path}, line {line}: this is not UTF-8", path=path, line=text.count(chr(10), 0, bad.start()) + 1
        )
    try:
        table: dict[str, object] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        if not isinstance(error, tomllib.TOMLDecodeError | RecursionError):  # more digits than Python makes a number of
            raise UsageError(
                "{path}, line {line}: this number is too long", path=path, line=_line_of_digits(text)
            ) from error
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = place[1] if place else text.count("\n") + 1
        raise UsageError(
            "{path}, line {line}: this is no TOML: {why}",
            path=path,
            line=line,
            why=re.sub(r" [(]at .*[)]$", "", str(error)),
        ) from error
    return table


def _line_of_digits(text: str) -> int:
    """Where a number is written that is too long."""
    return next(
        (at for at, line in enumerate(text.split("\n"), 1) if len(line) > sys.get_int_max_str_digits()),
        text.count("\n") + 1,
    )


def _line_of(key: str, text: str) -> int:
    """Where this is set, or its table begins; the first line if it is written in a way that hides it."""
    found = re.search(rf"""^[ \t]*\[*["']?{re.escape(key)}\b""", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1
