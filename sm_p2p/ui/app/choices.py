"""What a player chooses on the screen, as the texts that are remembered: speed, colours, characters, mouse, bell and so on.

Law: a text that is no value of its option is as good as none, so an old or foreign file never stops the game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, Self

from sm_p2p.ui.picking import Question
from sm_p2p.ui.screen.looks import Charset, Colours, Look
from sm_p2p.ui.words import Words, mark


class Speed(StrEnum):
    """How fast cards travel."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    OFF = "off"


class Characters(StrEnum):
    """Which characters are drawn; `auto`: those that the terminal can show."""

    AUTO = "auto"
    UNICODE = "unicode"
    ASCII = "ascii"


class Palette(StrEnum):
    """The colours of the suits; `auto`: two, or none where NO_COLOR is set."""

    AUTO = "auto"
    TWO = "two"
    FOUR = "four"
    NONE = "none"


class Switch(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


class Screen(StrEnum):
    """Which screen the next start opens."""

    AUTO = "auto"
    LINE = "line"


class Tongue(StrEnum):
    """Which language is spoken; `auto`: that of the system."""

    AUTO = "auto"
    EN = "en"
    PT = "pt"
    ID = "id"
    ES = "es"


@dataclass(frozen=True, slots=True)
class Choices:
    """The values; the names of the fields are the keys that they are remembered by."""

    speed: Speed = Speed.NORMAL
    colours: Palette = Palette.AUTO
    charset: Characters = Characters.AUTO
    mouse: Switch = Switch.ON
    bell: Switch = Switch.ON
    title: Switch = Switch.ON
    ask_discard: Switch = Switch.ON
    ui: Screen = Screen.AUTO
    lang: Tongue = Tongue.AUTO

    @classmethod
    def read(cls, remembered: Mapping[str, str | None]) -> Self:
        """The choices of these texts.

        >>> Choices.read({"speed": "off", "bell": "loud"}).speed
        <Speed.OFF: 'off'>
        """
        found = cls()
        for key in KEYS:
            text = remembered.get(key)
            if text in values_of(key):
                found = found.having(key, text or "")
        return found

    def having(self, key: str, text: str) -> Self:
        """The same with another value."""
        values = {name: self.value(name) for name in KEYS}
        values[key] = type(values[key])(text)
        return type(self)(**values)  # type: ignore[arg-type]  # each value is of the type of its field

    def value(self, key: str) -> StrEnum:
        """The value of a key."""
        found: StrEnum = getattr(self, key)
        return found

    def stepped(self, key: str, by: int) -> Self:
        """The same with the value that stands so many places behind, around the end.

        >>> Choices().stepped("speed", -1).speed, Choices().stepped("bell", 1).bell
        (<Speed.SLOW: 'slow'>, <Switch.OFF: 'off'>)
        """
        values = values_of(key)
        return self.having(key, values[(values.index(self.value(key)) + by) % len(values)])

    def look(self, found: Look) -> Look:
        """How the screen looks, on a terminal for which this was found."""
        charset = found.charset if self.charset is Characters.AUTO else Charset(self.charset)
        colours = found.colours if self.colours is Palette.AUTO else Colours(self.colours)
        return Look(charset, colours)

    @property
    def question(self) -> Question:
        """Whether the end of a turn is asked about."""
        return Question.ASK if self.ask_discard is Switch.ON else Question.SKIP


KEYS: Final = tuple(field.name for field in fields(Choices))

_LABELS: Final = {
    "speed": mark("Cards travel"),
    "colours": mark("Colours of the suits"),
    "charset": mark("Characters"),
    "mouse": mark("Mouse"),
    "bell": mark("Bell when it is your turn"),
    "title": mark("Title of the window"),
    "ask_discard": mark("Ask before a discard that leaves a pay-off play"),
    "ui": mark("The next start opens"),
    "lang": mark("Language"),
}
_VALUES: Final = {
    "slow": mark("slowly"),
    "normal": mark("normally"),
    "fast": mark("fast"),
    "off": mark("off"),
    "on": mark("on"),
    "auto": mark("automatic"),
    "two": mark("two"),
    "four": mark("four"),
    "none": mark("none"),
    "unicode": mark("boxes and suits"),
    "ascii": mark("plain (ASCII)"),
    "line": mark("line mode"),
    "en": "English",  # each in its own words
    "pt": "português",
    "id": "bahasa Indonesia",
    "es": "español",
}
_FULL_SCREEN: Final = mark("the full screen")


def values_of(key: str) -> tuple[str, ...]:
    """All values of a key, in the order in which they follow each other."""
    return tuple(str(value) for value in type(Choices().value(key)))


def entries(words: Words, choices: Choices) -> tuple[tuple[str, str], ...]:
    """Every option and its value, as they are shown."""
    return tuple((words.say(_LABELS[key]), words.say(_shown(choices.value(key)))) for key in KEYS)


def _shown(value: StrEnum) -> str:
    return _FULL_SCREEN if value is Screen.AUTO else _VALUES[value]
