"""The options that there are: what each is for, which values it has, and which value holds.

Law: a word of the command line goes before the environment (`SM_P2P_…`), that before the file, that before the usual. What
cannot be used is told with its place and left out.
"""

import os
from collections.abc import Mapping
from typing import Final, NamedTuple

from sm_p2p.cli.parser import UIS
from sm_p2p.cli.streams import complain
from sm_p2p.errors import Sentence, UsageError
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.store.options import Chosen, Options, read_options, write_option
from sm_p2p.store.places import Places
from sm_p2p.ui.app.choices import Choices, values_of
from sm_p2p.ui.tongue import again
from sm_p2p.ui.words import mark

PREFIX: Final = "SM_P2P_"


class Setting(NamedTuple):
    """One option: what it is for, what holds where nothing was chosen, and its values (none: a name)."""

    about: str
    usual: str
    values: tuple[str, ...] = ()

    def takes(self, text: str) -> bool:
        """Whether this is a value."""
        return text in self.values if self.values else bool(clean(text, NAME_LENGTH))


def _choice(key: str, about: str) -> Setting:
    return Setting(about, str(Choices().value(key)), values_of(key))


SETTINGS: Final[Mapping[str, Setting]] = {
    "name": Setting(mark("what the other player calls you"), ""),
    "lang": _choice("lang", mark("the language of the sentences; auto: that of the system")),
    "ui": Setting(mark("the kind of screen; auto: what the terminal can"), "auto", ("auto", *UIS)),
    "speed": _choice("speed", mark("how fast cards travel")),
    "colours": _choice("colours", mark("the colours of the suits")),
    "charset": _choice("charset", mark("the characters of the table")),
    "mouse": _choice("mouse", mark("the mouse; while it is on, text is selected with Shift")),
    "bell": _choice("bell", mark("a bell when it becomes your turn")),
    "title": _choice("title", mark("the title of the window says whose turn it is")),
    "ask_discard": _choice("ask_discard", mark("a question before a discard that leaves a pay-off play")),
}
"""In the order in which they are shown."""


class Held(NamedTuple):
    """The value that holds, and where it was said: `environment`, `file`, or `usual`."""

    value: str
    said: str


def variable(key: str) -> str:
    """The environment variable of an option.

    >>> variable("ask_discard")
    'SM_P2P_ASK_DISCARD'
    """
    return PREFIX + key.upper()


def options_of(places: Places, environ: Mapping[str, str] = os.environ) -> Options:
    """The options that were chosen; what cannot be used is told on standard error and left out."""
    found = held(places, environ)
    return Options(**{key: one.value for key, one in found.items() if one.said != "usual"})


def held(places: Places, environ: Mapping[str, str] = os.environ) -> Mapping[str, Held]:
    """As `options_of`, with where each was said, and the usual ones too."""
    chosen = read_options(places.options)
    for problem in chosen.problems:
        complain(again(problem))
    found = {}
    for key, setting in SETTINGS.items():
        found[key] = Held(setting.usual, "usual")
        for said, text, where in (
            ("file", getattr(chosen.options, key), _place(places, chosen, key)),
            ("environment", environ.get(variable(key)), variable(key)),
        ):
            if text and setting.takes(text):
                found[key] = Held(text, said)
            elif text:
                complain(again(wrong(key, text, where)))
    return found


def checked(key: str, text: str) -> str:
    """The text, which is a value of this option; UsageError if it is none."""
    if not SETTINGS[key].takes(text):
        raise UsageError(wrong(key, text, key))
    return text


def _place(places: Places, chosen: Chosen, key: str) -> Sentence:
    return Sentence("{path}, line {line}: {key}", path=places.options, line=chosen.lines.get(key), key=key)


def wrong(key: str, text: str, where: str) -> Sentence:
    """That this is no value of the option, and which there are."""
    values = ", ".join(SETTINGS[key].values)
    if not values:
        return Sentence("{where} = {text}: nothing of this can be shown.", where=where, text=repr(text))
    return Sentence(
        "{where} = {text} is not possible; there is: {values}.", where=where, text=repr(text), values=values
    )


def remember(places: Places, key: str, value: str | None) -> None:
    """Write one option into the file, or take it out; UsageError if the file is broken and was left alone, DiskTrouble."""
    write_option(places.options, key, value)
