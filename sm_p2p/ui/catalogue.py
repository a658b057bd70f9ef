"""Catalogues: the form that translators write (.po), as a value, and the form that the standard library reads (.mo).

Law: imports nothing of the package, so that the build can use it. A message that is marked as fuzzy is not said.
"""

import ast
import io
import struct
from collections.abc import Iterable
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Final, NamedTuple

CODES: Final = ("pt", "id", "es")  # besides English, which needs none
CATALOGUES: Final = Path(__file__).with_name("locale")
MAGIC: Final = 0x950412DE
HEAD: Final = struct.Struct("<7I")
PAIR: Final = struct.Struct("<2I")


class BrokenCatalogue(ValueError):  # noqa: N818 - what it is
    """A line that is none of a catalogue."""


class Message(NamedTuple):
    """A message, its English plural if it counts, and its forms in the language: one, or one for each plural form."""

    text: str
    plural: str = ""
    forms: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def is_said(self) -> bool:
        """Whether it is translated, and nobody has to look at it before."""
        return all(self.forms) and not any(line.startswith("#,") and "fuzzy" in line for line in self.comments)


@lru_cache(maxsize=len(CODES))
def catalogue(code: str) -> GNUTranslations:
    """What is said in a language: from its compiled catalogue or, where nothing was built, from the source of that."""
    try:
        binary = (CATALOGUES / f"{code}.mo").read_bytes()
    except FileNotFoundError:
        binary = compiled(read_catalogue((CATALOGUES / f"{code}.po").read_text(encoding="utf-8")))
    return GNUTranslations(io.BytesIO(binary))


def read_catalogue(text: str) -> tuple[Message, ...]:
    """The messages of a catalogue, its header first; BrokenCatalogue."""
    found: list[Message] = []
    fields: dict[str, str] = {}
    comments: list[str] = []
    field = ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        try:
            if line.startswith('"'):
                fields[field] += _unquoted(line)
            elif line.startswith("msg"):
                field, _, rest = line.partition(" ")
                fields[field] = _unquoted(rest)
            elif line.startswith("#") or not line.strip():
                if fields:
                    found.append(_message(fields, comments))
                    fields, comments = {}, []
                comments += [line] if line else []
            else:
                raise BrokenCatalogue(f"line {number}: {line}")
        except (KeyError, SyntaxError, ValueError) as error:
            raise BrokenCatalogue(f"line {number}: {line}") from error
    return tuple(found)


def compiled(messages: Iterable[Message]) -> bytes:
    """The binary form of what can be said."""
    known = {
        "\0".join(filter(None, (one.text, one.plural))).encode(): "\0".join(one.forms).encode()
        for one in messages
        if one.is_said
    }
    keys = sorted(known)
    second = HEAD.size + PAIR.size * len(keys)
    start = second + PAIR.size * len(keys)
    tables, texts = b"", b""
    for text in (*keys, *(known[key] for key in keys)):
        tables += PAIR.pack(len(text), start + len(texts))
        texts += text + b"\0"
    return HEAD.pack(MAGIC, 0, len(keys), HEAD.size, second, 0, 0) + tables + texts


def _message(fields: dict[str, str], comments: list[str]) -> Message:
    forms = tuple(text for name, text in fields.items() if name.startswith("msgstr"))
    return Message(fields["msgid"], fields.get("msgid_plural", ""), forms, tuple(comments))


def _unquoted(quoted: str) -> str:
    return str(ast.literal_eval(quoted.strip()))
