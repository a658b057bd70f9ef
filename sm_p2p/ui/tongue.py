"""What a language is, and which one this process speaks to its player.

Law: nobody but the door chooses. What is written for programs or for others (logs, exports, JSON) is said in ENGLISH all
the same. Light, so that the command line can say its own words.
"""

import contextlib
from collections.abc import Iterator
from gettext import NullTranslations
from typing import Final, Protocol

from sm_p2p.errors import Sentence, SpiteError


class Language(Protocol):
    """A catalogue; those of the standard library fit."""

    def gettext(self, message: str, /) -> str:
        """The message in this language."""
        ...

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The message in the form that this language has for n things."""
        ...


ENGLISH: Final[Language] = NullTranslations()


class Chosen:
    """The language that this process speaks to its player: English, until the door has chosen another one."""

    def __init__(self) -> None:
        self._language = ENGLISH

    def gettext(self, message: str, /) -> str:
        """The message in the chosen language."""
        return self._language.gettext(message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The message in the form that the chosen language has for n things."""
        return self._language.ngettext(one, many, n)

    def __eq__(self, other: object) -> bool:
        """Two are the same as long as they speak the same language, which is what caches of sentences ask."""
        return isinstance(other, Chosen) and self._language is other._language

    def __hash__(self) -> int:
        """That of the language."""
        return hash(self._language)

    def speak(self, language: Language) -> None:
        """Speak this language from now on, until the end of the `spoken` around it."""
        self._language = language

    @contextlib.contextmanager
    def spoken(self, language: Language) -> Iterator[None]:
        """This one is the chosen language meanwhile."""
        before, self._language = self._language, language
        try:
            yield
        finally:
            self._language = before


HERE: Final = Chosen()


def mark(message: str) -> str:
    """The message itself; marks one for the catalogues that is said somewhere else."""
    return message


def mark_plural(one: str, many: str) -> tuple[str, str]:
    """Both messages; marks one that counts, with its plural."""
    return one, many


def again(sentence: str, language: Language = HERE) -> str:
    """A sentence of the rooms below in this language, if it is one that can be said again; else as it is.

    >>> again(Sentence("{path} exists.", path="a.sheet"))
    'a.sheet exists.'
    """
    if not sentence:
        return ""
    if not isinstance(sentence, Sentence):
        return language.gettext(sentence)
    message = language.gettext(sentence.message)
    values = {name: _again(value, language) for name, value in sentence.values.items()}
    return message.format(**values) if values else message


def _again(value: object, language: Language) -> object:
    if isinstance(value, SpiteError):
        return again(value.told, language)
    return again(value, language) if isinstance(value, Sentence) else value
