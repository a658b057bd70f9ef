"""The choices of this player while the screen is open: what they are, how they are listed, and who hears of a change."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sm_p2p.ui.app.choices import KEYS, Choices, Palette, Switch, entries
from sm_p2p.ui.screen.looks import Look
from sm_p2p.ui.screen.overlays import Listing
from sm_p2p.ui.words import Words

Saver = Callable[[str, str], None]
"""Remembers the text of a key."""

COLOURS: Final = (Palette.TWO, Palette.FOUR, Palette.NONE)


class Preferences:
    """The choices; `changed` is told the new ones at once, `save` remembers each change."""

    def __init__(
        self, choices: Choices, found: Look, words: Words, changed: Callable[[Choices], None], save: Saver | None
    ) -> None:
        self.choices = choices
        self._found = found
        self._words = words
        self._changed = changed
        self._save = save

    @property
    def look(self) -> Look:
        """How the screen looks."""
        return self.choices.look(self._found)

    def listing(self, at: int = 0) -> Listing:
        """Every option and its value."""
        return Listing(self._words.say("OPTIONS"), entries(self._words, self.choices), at, is_turned=True)

    def turn(self, at: int, by: int) -> Listing | None:
        """The option at this place takes a value so many places behind."""
        key = KEYS[at]
        self._have(self.choices.stepped(key, by), key)
        return self.listing(at)

    def next_colours(self) -> None:
        """Two colours, four, none, and so on."""
        shown = COLOURS.index(Palette(self.look.colours))
        self._have(replace(self.choices, colours=COLOURS[(shown + 1) % len(COLOURS)]), "colours")

    def switch_mouse(self) -> str:
        """On or off, and the sentence about it."""
        self._have(self.choices.stepped("mouse", 1), "mouse")
        if self.choices.mouse is Switch.ON:
            return self._words.say("The mouse plays; m leaves it to the terminal.")
        return self._words.say("The mouse belongs to the terminal, which can select text; m lets it play again.")

    def _have(self, choices: Choices, key: str) -> None:
        self.choices = choices
        self._changed(choices)
        if self._save is not None:
            self._save(key, str(choices.value(key)))
