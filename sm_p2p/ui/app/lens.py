"""The frame of the moment, and what a click or the wheel means in it."""

from dataclasses import replace
from typing import Final

from sm_p2p.ui.keys import PLACES
from sm_p2p.ui.screen.frame import Frame, Pane, Size
from sm_p2p.ui.screen.looks import Look
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.over import page, scroll_limit
from sm_p2p.ui.screen.overlays import Reading
from sm_p2p.ui.screen.render import render

DOUBLE_S: Final = 0.6  # a second click that comes later puts the card back
CHAT_ROWS: Final = 8  # the most that one line of chat takes
NOWHERE: Final[tuple[tuple[str, ...], float]] = ((), 0.0)


class Lens:
    """Remembers the last frame; the same model in the same size is drawn once."""

    def __init__(self) -> None:
        self._drawn: tuple[Model, Size, Look] | None = None
        self._frame = Frame(())
        self._size = Size(80, 24)
        self._clicked = NOWHERE  # which keys, and when

    def frame(self, model: Model, size: Size, look: Look) -> Frame:
        """The frame of this model."""
        if self._drawn is None or self._drawn[0] is not model or self._drawn[1:] != (size, look):
            self._size, self._drawn, self._frame = size, (model, size, look), render(model, size, look)
        return self._frame

    def keys_at(self, column: int, row: int, picked: str, now: float) -> tuple[str, ...]:
        """The keys that a click there is as good as; on the picked card again, after a while: put it back."""
        zone = self._frame.zone_at(column, row)
        if zone is None:
            return ()
        (before, at), self._clicked = self._clicked, (zone.keys, now)
        if picked and before == zone.keys and now - at > DOUBLE_S and PLACES.get(zone.keys[0]) == picked:
            self._clicked = NOWHERE
            return ("escape",)
        return zone.keys

    def scrolled(self, model: Model, column: int, row: int, lines: int) -> Model:
        """The model with what lies there scrolled by so many lines; up is positive."""
        match self._frame.pane_at(column, row):
            case Pane.LOG:
                return replace(model, log_scroll=min(max(model.log_scroll + lines, 0), len(model.log)))
            case Pane.CHAT:
                return replace(model, chat_scroll=min(max(model.chat_scroll + lines, 0), CHAT_ROWS * len(model.chat)))
            case _:
                return model

    def limit(self, model: Model, sheet: Reading) -> int:
        """The largest scroll of a sheet."""
        return scroll_limit(model, sheet, self._size)

    def page(self) -> int:
        """The lines of a page of a sheet."""
        return page(self._size)
