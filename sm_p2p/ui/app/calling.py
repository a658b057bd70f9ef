"""Calling a player who looks away: the bell, and the title of the window.

Law: the bell rings once in each turn of ours, and only where a person waits for us.
"""

from typing import Protocol

from sm_p2p.errors import sure
from sm_p2p.session.talk import Situation
from sm_p2p.ui.app.choices import Choices, Switch
from sm_p2p.ui.app.details import title
from sm_p2p.ui.screen.model import Opponent
from sm_p2p.ui.words import Words


class Caller(Protocol):
    """What calls a player who looks away."""

    def ring(self) -> None:
        """The bell."""
        ...

    def entitle(self, title: str) -> None:
        """The title of the window."""
        ...


class Calling:
    """Remembers the turn for which the player was called."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._called: tuple[bytes, int, int] | None = None  # of which match, game and turn

    def entitle(self, words: Words, now: Situation, choices: Choices) -> None:
        """Let the window's title say how things are, if it may."""
        if choices.title is Switch.ON:
            self._caller.entitle(title(words, now))

    def call(self, now: Situation, choices: Choices, opponent: Opponent) -> bool:
        """It is our turn: ring if this turn is a new one; whether it is."""
        turn = (now.match.chain.match, now.match.game_number, sure(now.view).table.turn)
        if turn == self._called:
            return False
        self._called = turn
        if choices.bell is Switch.ON and opponent is Opponent.PERSON:
            self._caller.ring()
        return True
