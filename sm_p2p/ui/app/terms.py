"""House rules on the screen: a list in which every key of a variant can be turned, and nothing that cannot be played.

Law: turning a value always gives a variant that exists; what would not leave enough cards is passed over.
"""

from dataclasses import asdict
from typing import Final

from sm_p2p.rules.reasons import Misread
from sm_p2p.rules.variant import PRESETS, Hints, Refill, StockOut, Variant
from sm_p2p.ui.news import describe, variant_name
from sm_p2p.ui.screen.overlays import Listing
from sm_p2p.ui.words import Words, mark

ROWS: Final = ("preset", "packs", "pay_off", "target", "centres", "hints", "stock_out", "refill", "patience")
_LABELS: Final = {
    "preset": mark("Variant"),
    "packs": mark("Packs"),
    "pay_off": mark("Pay-off cards each"),
    "target": mark("Points that win the match"),
    "centres": mark("Centre stacks"),
    "hints": mark("Hints"),
    "stock_out": mark("When the stock runs out"),
    "refill": mark("An emptied hand is filled"),
    "patience": mark("Minutes to wait for a player"),
}
_WORDS: Final = {
    Hints.NO: mark("no"),
    Hints.YES: mark("yes"),
    StockOut.CANNOT_DRAW: mark("a tie"),
    StockOut.EMPTY: mark("a tie, one card earlier"),
    StockOut.FEWEST: mark("fewer cards win"),
    Refill.AT_ONCE: mark("at once"),
    Refill.NEXT_TURN: mark("next turn"),
}
_VALUES: Final = {
    "packs": (2, 3, 4),
    "pay_off": (5, 7, 10, 13, 15, 20, 25, 30, 35, 40),
    "target": (1, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200),
    "centres": (3, 4),
    "hints": tuple(Hints),
    "stock_out": tuple(StockOut),
    "refill": tuple(Refill),
    "patience": (1, 2, 3, 5, 10, 15, 30, 60),
}


def listing(words: Words, variant: Variant, title: str, done: str, at: int = 0) -> Listing:
    """The list for this variant, whose last entry, `done`, takes it."""
    entries = tuple((words.say(_LABELS[row]), _value(words, variant, row)) for row in ROWS)
    return Listing(title, (*entries, (done, "")), at, (*describe(words, variant), ""), is_turned=True)


def turned(variant: Variant, row: int, by: int) -> Variant:
    """The variant with the next value, or the one before, in this row.

    >>> turned(Variant.parse("quick"), ROWS.index("pay_off"), 1), turned(Variant.parse("quick"), 0, 1)
    (Variant.parse('quick,pay_off=13'), Variant.parse('long'))
    """
    key = ROWS[row]
    if key == "preset":
        names = [*PRESETS]
        name = str(variant).partition(",")[0]
        at = names.index(name) if variant == PRESETS[name] else (-1 if by > 0 else 0)
        return PRESETS[names[(at + by) % len(names)]]
    now = getattr(variant, key)
    values = sorted({*_VALUES[key], now}) if isinstance(now, int) else [*_VALUES[key]]
    at = values.index(now)
    for step in range(1, len(values)):
        try:
            return _having(variant, key, values[(at + by * step) % len(values)])
        except Misread:
            continue  # too few cards would be left
    return variant


class Bargain:
    """House rules in the making: `chosen` so far, the list of them, and what turning one of its entries makes of it."""

    def __init__(self, words: Words, start: Variant, title: str, done: str) -> None:
        self.chosen = start
        self._words = words
        self._title = title
        self._done = done

    def listing(self, at: int = 0) -> Listing:
        """The list, whose last entry takes what is chosen."""
        return listing(self._words, self.chosen, self._title, self._done, at)

    def turn(self, at: int, by: int) -> Listing | None:
        """The list with another value in this row; None in the last one, which has none."""
        if at == len(ROWS):
            return None
        self.chosen = turned(self.chosen, at, by)
        return self.listing(at)


def _having(variant: Variant, key: str, value: object) -> Variant:
    """The variant with another value; Misread if it cannot be played."""
    keys = {**asdict(variant), key: value}
    return Variant.parse(",".join(f"{name}={text}" for name, text in keys.items()))


def _value(words: Words, variant: Variant, row: str) -> str:
    if row == "preset":
        name = str(variant).partition(",")[0]
        return variant_name(words, name) if variant == PRESETS[name] else words.say("your own")
    value = getattr(variant, row)
    return words.say(_WORDS[value]) if value in _WORDS else str(value)
