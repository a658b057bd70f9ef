"""What stands beside a pile: its key, what is marked, its number; the same for every layout.

Law: what a style says, a character says too: `>` a legal target, `*` the picked card, `<` the cursor.
"""

from dataclasses import dataclass
from typing import Final

from sm_p2p.rules.moves import TARGETS
from sm_p2p.ui.keys import KEY_OF
from sm_p2p.ui.picking import targets
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.shown import Shown
from sm_p2p.ui.screen.spots import SIDE_NAMES, Spot

NAMED: Final = (*SIDE_NAMES, *TARGETS)  # the places that are called so in the list of moves
LOW_STOCK: Final = 10  # cards: two hands


@dataclass(frozen=True, slots=True)
class Label:
    """The parts of a label: a mark before the key, the key, a mark behind it."""

    before: str
    key: str
    behind: str

    @property
    def text(self) -> str:
        """All of it, the mark before the key in a cell of its own."""
        return f"{self.before or ' '}{self.key}{self.behind}"


class Pointing:
    """What the keys point at: the picked card, where it can go, the cursor; and how piles are labelled for it."""

    def __init__(self, model: Model) -> None:
        self._seat = None if model.view is None or model.replay is not None else model.view.seat
        self._source = model.picking.source
        self._cursor = model.picking.cursor
        self._targets = targets(model.picking, model.view)

    def is_picked(self, spot: Spot) -> bool:
        """Whether the card that lies there is picked."""
        return self._is_ours(spot) and spot.place == self._source

    def is_target(self, spot: Spot) -> bool:
        """Whether the picked card can go there."""
        return self._is_ours(spot) and spot.place in self._targets

    def is_under_cursor(self, spot: Spot) -> bool:
        """Whether the cursor stands there."""
        return self._is_ours(spot) and spot.place == self._cursor

    def label(self, spot: Spot) -> Label:
        """The label of a place; its key stands in brackets where it can be pressed, a name without them where it cannot."""
        if not self._is_ours(spot):
            return Label("", spot.place if spot.place in NAMED else "", "")
        before = "*" if self.is_picked(spot) else ">" if self.is_target(spot) else ""
        return Label(before, f"[{KEY_OF[spot.place]}]", "<" if self.is_under_cursor(spot) else "")

    def style(self, spot: Spot) -> str:
        """The style classes of the pile itself."""
        if self.is_picked(spot):
            return "sm.pick"
        style = "sm.target" if self.is_target(spot) else ""
        return f"{style} sm.cursor".strip() if self.is_under_cursor(spot) else style

    def label_style(self, spot: Spot) -> str:
        """The style classes of the label."""
        if self.is_picked(spot) or self.is_target(spot):
            return f"sm.key {'sm.target' if self.is_target(spot) else 'sm.pick'}"
        return "sm.key" if self._is_ours(spot) else "sm.dim"

    def _is_ours(self, spot: Spot) -> bool:
        """Whether a press of ours can mean it: the own piles and the centre."""
        return self._seat is not None and (spot.seat == self._seat or (spot.seat is None and spot.place != "stock"))


def keys_of(model: Model, spot: Spot) -> tuple[str, ...]:
    """The keys that a click there stands for: play with it, or else look through it."""
    place, is_ours = spot.place, spot.seat == model.bottom
    is_playing = model.replay is None and model.view is not None and model.view.seat is not None
    if spot.seat is None:
        if place == "stock":
            return ()
        return (KEY_OF[place],) if is_playing else ("v", KEY_OF[place])
    if is_playing and is_ours:
        return (KEY_OF[place],)
    if place in SIDE_NAMES:
        return ("v", place if is_ours else place.upper())
    return ()


def count_label(shown: Shown) -> str:
    """How deep a side stack is."""
    return f"×{shown.number}" if shown.number else "–"
