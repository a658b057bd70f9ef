"""The faces that our seat has been shown: what makes a view of the public table.

Law: a face is added when the other side's share is there, and never taken from anywhere else.
"""

from sm_p2p.rules.cards import Card
from sm_p2p.rules.table import Slot
from sm_p2p.rules.view import View
from sm_p2p.session.author import Author
from sm_p2p.session.state import Match


class Faces:
    """Those of the hand in the game that is being played; each is opened once."""

    def __init__(self, author: Author) -> None:
        self._author = author
        self._game = 0
        self._known: dict[Slot, Card] = {}

    def view(self, match: Match) -> View | None:
        """The table as our seat sees it; None before the first deal."""
        game = match.game
        if game is None:
            return None
        if self._game != game.number:
            self._game, self._known = game.number, {}
        for slot in game.table.places[self._author.seat].hand:
            if slot is not None and slot not in self._known and (face := self._author.face(game, slot)) is not None:
                self._known = {**self._known, slot: face}
        return View(game.table, self._author.seat, self._known)
