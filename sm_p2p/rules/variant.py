"""The house rules that both players sign before the first card.

Law: a `Variant` that exists can be played; each has exactly one text.
"""

from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Final, Self

from sm_p2p.rules.cards import PACK_SIZE
from sm_p2p.rules.moves import HAND_SIZE
from sm_p2p.rules.reasons import Misread, Reason

LEAST_STOCK: Final = 20  # fewer would tie most games after a few turns


class Hints(StrEnum):
    """Whether the client may give hints in a match against a person."""

    NO = "no"
    YES = "yes"


class StockOut(StrEnum):
    """What happens when the stock runs out."""

    CANNOT_DRAW = "cannot-draw"  # a draw that needs more cards than there are is a tie
    EMPTY = "empty"  # a draw that takes the last card is a tie already
    FEWEST = "fewest"  # at a draw that cannot be made, fewer pay-off cards win the difference


class Refill(StrEnum):
    """When a hand that was emptied by a play is filled again."""

    AT_ONCE = "at-once"
    NEXT_TURN = "next-turn"


RANGES: Final = {"packs": (2, 4), "pay_off": (5, 40), "target": (1, 1000), "centres": (3, 4), "patience": (1, 60)}
WORDS: Final = {"hints": Hints, "stock_out": StockOut, "refill": Refill}


@dataclass(frozen=True, slots=True)
class Variant:
    """What is played; the fields in the order of the text. Building one that cannot be played raises Misread.

    >>> Variant.parse("quick,target=3,centres=4")
    Variant.parse('quick,target=3,centres=4')
    >>> Variant.parse("pay_off=38")
    Traceback (most recent call last):
    sm_p2p.rules.reasons.Misread: 2 packs with a pay-off of 38 leave a stock of 18 cards; it must hold at least 20
    """

    packs: int = 2
    pay_off: int = 20
    target: int = 50
    centres: int = 3
    hints: Hints = Hints.NO
    patience: int = 3
    stock_out: StockOut = StockOut.CANNOT_DRAW
    refill: Refill = Refill.AT_ONCE

    def __post_init__(self) -> None:
        for key, (least, most) in RANGES.items():
            value = getattr(self, key)
            if not least <= value <= most:
                raise Misread(Reason.NOT_A_VALUE, key=key, text=value, names=f"{least}-{most}")
        if self.stock < LEAST_STOCK:
            raise Misread(
                Reason.STOCK_TOO_SMALL, packs=self.packs, pay_off=self.pay_off, stock=self.stock, least=LEAST_STOCK
            )

    @property
    def cards(self) -> int:
        """How many cards the game has."""
        return self.packs * PACK_SIZE

    @property
    def stock(self) -> int:
        """How many cards the stock holds after the deal."""
        return self.cards - 2 * self.pay_off - 2 * HAND_SIZE

    @classmethod
    def parse(cls, text: str) -> Self:
        """The variant `[NAME][,key=value…]`, NAME a preset (`standard` if left out), `-` as good as `_` in a key.

        Raises Misread. Many texts may name one variant; `str` gives the one that is signed.
        """
        words = text.split(",")
        name = "standard" if "=" in words[0] else words.pop(0)
        if name not in PRESETS:
            raise Misread(Reason.NOT_A_PRESET, text=name, names=", ".join(PRESETS))
        keys = asdict(PRESETS[name])
        given: set[str] = set()
        for word in words:
            spelled, _, value = word.partition("=")
            key = spelled.replace("-", "_")
            if key not in keys:
                raise Misread(Reason.NOT_AN_OPTION, text=spelled, names=", ".join(keys))
            if key in given:
                raise Misread(Reason.OPTION_TWICE, key=key)
            given.add(key)
            keys[key] = _value(key, value)
        return cls(**keys)

    def __str__(self) -> str:
        mine = asdict(self)
        best: tuple[str, ...] = ()
        for name, preset in PRESETS.items():
            theirs = asdict(preset)
            text = (name, *(f"{key}={value}" for key, value in mine.items() if theirs[key] != value))
            if not best or len(text) < len(best):
                best = text
        return ",".join(best)

    def __repr__(self) -> str:
        return f"Variant.parse('{self}')"


def _value(key: str, text: str) -> int | StrEnum:
    """What stands behind `key=`, in the range and form of the key; raises Misread."""
    if key in WORDS:
        word = WORDS[key]
        if text in list(word):
            return word(text)
        raise Misread(Reason.NOT_A_VALUE, key=key, text=text, names=", ".join(word))
    if text.isascii() and text.isdecimal() and len(text) < 5:
        return int(text)
    least, most = RANGES[key]
    raise Misread(Reason.NOT_A_VALUE, key=key, text=text, names=f"{least}-{most}")


STANDARD: Final = Variant()
QUICK: Final = replace(STANDARD, pay_off=10, target=1)
LONG: Final = replace(STANDARD, pay_off=30, packs=3)
PRESETS: Final = {"standard": STANDARD, "quick": QUICK, "long": LONG}
