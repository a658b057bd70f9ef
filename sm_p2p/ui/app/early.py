"""Keys that came early: typed before the last move was answered, or before the cards that follow it were shown.

Law: they are obeyed in their order; once the turn is over, or Esc is pressed, they are forgotten.
"""

from collections import deque
from typing import Final

from sm_p2p.session.state import State
from sm_p2p.ui.picking import Picks, Plays, Pressed, Refuses
from sm_p2p.ui.standing import Standing

MOST: Final = 16


class Early:
    """The keys of a player who stands so."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing
        self._keys: deque[str] = deque(maxlen=MOST)

    def keeps(self, key: str, pressed: Pressed) -> bool:
        """Whether this key, which means this now, has to wait."""
        if key == "escape":
            self.forget()
            return False
        is_early = self._standing.awaited is not None or bool(self._keys)
        if is_early and isinstance(pressed, Picks | Plays | Refuses):
            self._keys.append(key)
            return True
        return False

    def next(self) -> str | None:
        """The key whose moment has come."""
        if not self._keys or self._standing.awaited is not None:
            return None
        if self._standing.is_to_move:
            return self._keys.popleft()
        if not self._goes_on:
            self.forget()
        return None

    def forget(self) -> None:
        """Nothing waits any more."""
        self._keys.clear()

    @property
    def _goes_on(self) -> bool:
        """Whether our turn goes on as soon as the other side has shown its part of the next cards."""
        now = self._standing.now
        return now.match.state is State.ANSWER and now.view is not None and now.view.table.to_move == now.seat
