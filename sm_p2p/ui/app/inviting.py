"""The invite of our table: on the normal screen, where it can be selected, and afterwards among the details.

Law: whoever has gone to the table is not called back from it by an invite that only says where we are now.
"""

from collections.abc import Callable
from typing import NamedTuple

from sm_p2p.ui.app.console import Console
from sm_p2p.ui.words import Language, Words


class Around(NamedTuple):
    """What an invite needs of its surroundings.

    `details` opens the details in which it stands; `renew` does so again if they are open; `notice` says something at the
    table; `is_closing` tells whether everything is being left.
    """

    details: Callable[[], None]
    renew: Callable[[], None]
    notice: Callable[[str], None]
    is_closing: Callable[[], bool]


class Inviting:
    """The invite that leads to this table, `text`; empty while there is none."""

    def __init__(self, console: Console, around: Around, language: Language) -> None:
        self.text = ""
        self._console = console
        self._around = around
        self._language = language

    async def show(self, invite: str, around: str, why: str = "") -> None:
        """Show it, with what is `around` it, on the normal screen until Enter, or until somebody comes.

        `why` says of one in the place of another that it is the same table elsewhere; else it is for another guest.
        """
        before, self.text = self.text, invite
        words = Words(language=self._language)
        if before and why:
            self._moved(around, why)
            return
        if self._around.is_closing():
            return
        if before:
            around = f"{words.say('There is a new invite; the one before opens nothing now.')}\n{around}"
        how = words.say("Enter goes to the table, Ctrl-C leaves it.")
        if await self._console.aside(f"{around}\n\n{how}\n"):
            self._around.details()

    def _moved(self, around: str, why: str) -> None:
        """Say it where this player is now."""
        if self._console.is_aside:
            self._console.add(f"{why}\n{around}")
        else:
            self._around.notice(why)
            self._around.renew()
