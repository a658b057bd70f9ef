"""The other player's last turn: what he has touched in it stays marked until a card of ours is played."""

from collections.abc import Callable

from sm_p2p.rules.happenings import Discarded, Passed, Played
from sm_p2p.rules.table import Seat
from sm_p2p.session.effects import Advanced
from sm_p2p.ui.flights import marks_of
from sm_p2p.ui.screen.spots import Spots


class OtherTurn:
    """`began` is called at the first entry of another turn of his, when the one before is forgotten."""

    def __init__(self, began: Callable[[], None]) -> None:
        self._began = began
        self._turn = (0, 0)  # game and number
        self._marks: Spots = ()

    def holds(self, news: Advanced, ours: Seat) -> bool:
        """Whether an entry belongs to a turn of his."""
        game = news.before.game
        if game is None or game.table.to_move != 1 - ours:
            return False
        if self._turn != (game.number, game.table.turn):
            self._turn, self._marks = (game.number, game.table.turn), ()
            self._began()
        return True

    def marked(self, news: Advanced, *, is_theirs: bool) -> Spots | None:
        """What is marked from this entry on: all that he has touched in his turn; nothing after a move of ours."""
        happened = news.after.happened
        if is_theirs:
            self._marks = tuple(dict.fromkeys((*self._marks, *marks_of(happened))))
            return self._marks
        return () if any(isinstance(item, Played | Discarded | Passed) for item in happened) else None
