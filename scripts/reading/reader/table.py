"""Variants, cards, moves and the public table, read from `protocol/rules.md`.

Law: standard library only. A table is a value that is copied before it is changed.
"""

from copy import deepcopy
from dataclasses import dataclass, field

from scripts.reading.reference_curve import RefusedError

RANKS = ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
KING = 13
SOURCES = ["p", "h1", "h2", "h3", "h4", "h5", "a", "b", "c", "d"]
TARGETS = ["c1", "c2", "c3", "c4", "a", "b", "c", "d"]
KEYS = ["packs", "pay_off", "target", "centres", "hints", "patience", "stock_out", "refill"]
RANGES = {"packs": (2, 4), "pay_off": (5, 40), "target": (1, 1000), "centres": (3, 4), "patience": (1, 60)}
WORDS = {
    "hints": ["no", "yes"],
    "stock_out": ["cannot-draw", "empty", "fewest"],
    "refill": ["at-once", "next-turn"],
}
STANDARD: "dict[str, int | str]" = {
    "packs": 2,
    "pay_off": 20,
    "target": 50,
    "centres": 3,
    "hints": "no",
    "patience": 3,
    "stock_out": "cannot-draw",
    "refill": "at-once",
}
PRESETS: "dict[str, dict[str, int | str]]" = {
    "standard": STANDARD,
    "quick": {**STANDARD, "pay_off": 10, "target": 1},
    "long": {**STANDARD, "pay_off": 30, "packs": 3},
}
FULL = 12
LAST_TURN = 500


@dataclass(frozen=True)
class Variant:
    """What is played."""

    packs: int
    pay_off: int
    target: int
    centres: int
    hints: str
    patience: int
    stock_out: str
    refill: str

    @property
    def cards(self) -> int:
        """How many cards the game has."""
        return 52 * self.packs

    @property
    def text(self) -> str:
        """The one text."""
        texts = []
        for order, (name, preset) in enumerate(PRESETS.items()):
            differing = [f"{key}={getattr(self, key)}" for key in KEYS if getattr(self, key) != preset[key]]
            texts.append((len(differing), order, ",".join([name, *differing])))
        return min(texts)[2]


def read_variant(text: str) -> Variant:
    """The variant of a text that need not be its one text; `bad-variant`."""
    words = text.split(",")
    name = "standard" if "=" in words[0] else words.pop(0)
    if name not in PRESETS:
        raise RefusedError("bad-variant")
    values = dict(PRESETS[name])
    seen = set()
    for word in words:
        spelled, equals, value = word.partition("=")
        key = spelled.replace("-", "_")
        if not equals or key not in values or key in seen:
            raise RefusedError("bad-variant")
        seen.add(key)
        values[key] = _value(key, value)
    variant = Variant(**values)  # type: ignore[arg-type] # each key has its own type
    if variant.cards - 2 * variant.pay_off - 10 < 20:
        raise RefusedError("bad-variant")
    return variant


def _value(key: str, text: str) -> int | str:
    if key in WORDS:
        if text in WORDS[key]:
            return text
        raise RefusedError("bad-variant")
    low, high = RANGES[key]
    if not (text.isascii() and text.isdigit() and len(text) < 5 and low <= int(text) <= high):
        raise RefusedError("bad-variant")
    return int(text)


def card_text(card: int) -> str:
    """Face and pack."""
    pack = card >> 2 & 3
    return RANKS[card >> 4] + "CDHS"[card & 3] + (f".{pack}" if pack else "")


def pack(packs: int) -> list[int]:
    """The initial order of a deck."""
    return [rank << 4 | copy << 2 | suit for rank in range(1, 14) for copy in range(packs) for suit in range(4)]


@dataclass
class Seat:
    """What lies before one player."""

    pay_off: int
    top: int | None
    hand: list[int | None]
    sides: list[list[int]] = field(default_factory=lambda: [[], [], [], []])

    @property
    def is_empty_handed(self) -> bool:
        """No card in hand."""
        return self.hand == [None] * 5


@dataclass
class Owed:
    """What has to come before the mover goes on."""

    shuffle: list[int]
    hidden: list[int]
    top: bool
    draws: list[int]


@dataclass
class Table:
    """The public state of a game."""

    variant: Variant
    deck: int
    next: int
    end: int
    centre: list[list[int]]
    seats: list[Seat]
    tie_break: int
    turn: int = 0
    to_move: int | None = None
    began: int | None = None
    owed: Owed | None = None
    drawn: list[int] = field(default_factory=list)
    outcome: tuple[str, int | None, int] | None = None

    def top_slot(self, seat: int) -> int:
        """The slot of a pay-off top."""
        return seat * self.variant.pay_off + self.seats[seat].pay_off - 1

    def sections(self) -> dict[str, list[int]]:
        """The state in numbers."""
        first, second = self.seats
        how, winner, points = self.outcome or ("", None, 0)
        owed = self.owed
        return {
            "stock": [self.deck, self.next, self.end],
            "centre": _piles(self.centre),
            "sides": _piles(first.sides + second.sides),
            "pay-off": [first.pay_off, first.top or 0, second.pay_off, second.top or 0],
            "hands": [slot or 0 for slot in first.hand + second.hand],
            "turn": [
                self.turn,
                _seat(self.to_move),
                _seat(self.began),
                self.tie_break,
                len(self.drawn),
                ["", "win", "tie", "resign"].index(how),
                _seat(winner),
                points,
                *([1, int(owed.top), *_piles([owed.shuffle, owed.hidden, owed.draws])] if owed else [0]),
            ],
        }

    @property
    def text(self) -> str:
        """The one line."""
        if self.outcome is not None:
            how, winner, points = self.outcome
            new = how if winner is None else f"{how}:{winner}:{points}"
        elif self.owed is not None:
            new = f"owes:{_owed_text(self.owed)}"
        else:
            new = f"drew:{_run(self.drawn)}" if self.drawn else "-"
        seats = " ".join("-" if seat is None else str(seat) for seat in (self.to_move, self.began, self.tie_break))
        first, second = map(_seat_text, self.seats)
        stock, centre = f"{self.deck}:{self.next}-{self.end}", "/".join(map(_pile, self.centre))
        return f"{self.variant.text} {self.turn} {seats} {stock} {centre} {first} {second} {new}"


def _seat(seat: int | None) -> int:
    return 2 if seat is None else seat


def _piles(piles: list[list[int]]) -> list[int]:
    return [number for pile in piles for number in (len(pile), *pile)]


def _pile(pile: list[int]) -> str:
    return ",".join(map(card_text, pile)) or "-"


def _run(slots: list[int]) -> str:
    return f"{slots[0] >> 8}:{slots[0] & 255}-{(slots[-1] & 255) + 1}" if slots else "-"


def _owed_text(owed: Owed) -> str:
    parts = [f"shuffle={_pile(owed.shuffle)}@{_run(owed.hidden)}"] if owed.shuffle else []
    parts += ["top"] if owed.top else []
    return ";".join(parts + ([f"draw={_run(owed.draws)}"] if owed.draws else []))


def _seat_text(seat: Seat) -> str:
    top = "" if seat.top is None else f"={card_text(seat.top)}"
    hand = ",".join("-" if slot is None else f"{slot >> 8}.{slot & 255}" for slot in seat.hand)
    return f"{seat.pay_off}{top} {hand} {'/'.join(map(_pile, seat.sides))}"


def deal(variant: Variant, tie_break: int) -> Table:
    """All cards face down."""
    first = 2 * variant.pay_off
    seats = [Seat(variant.pay_off, None, list(range(start, start + 5))) for start in (first, first + 5)]
    return Table(variant, 0, first + 10, variant.cards, [[] for _ in range(variant.centres)], seats, tie_break)


def turn_up(table: Table, seat: int, card: int) -> Table:
    """One first top face up; with the second one the game begins."""
    table = deepcopy(table)
    table.seats[seat].top = card
    tops = table.seats[0].top, table.seats[1].top
    if tops[0] is not None and tops[1] is not None:
        ranks = tops[0] >> 4, tops[1] >> 4
        table.turn = 1
        table.to_move = table.began = table.tie_break if ranks[0] == ranks[1] else int(ranks[1] > ranks[0])
    return table


def read_move(text: str) -> tuple[str, str]:
    """Source and target, both empty for `end`; `illegal-move`."""
    if text == "end":
        return "", ""
    source, _, target = text.partition("-")
    if source not in SOURCES or target not in TARGETS:
        raise RefusedError("illegal-move")
    return source, target


def hand_slot(table: Table, move: str) -> int | None:
    """The slot of the hand card that the mover would take."""
    source, _ = read_move(move)
    if source[:1] != "h" or table.to_move is None:
        return None
    return table.seats[table.to_move].hand[int(source[1]) - 1]


def play(table: Table, move: str, card: int | None) -> Table:
    """The table after a move of the mover; `illegal-move`."""
    source, target = read_move(move)
    if table.to_move is None or table.owed is not None:
        raise RefusedError("illegal-move")
    table = deepcopy(table)
    table.drawn = []
    seat = table.seats[table.to_move or 0]
    if not source:
        if table.variant.refill != "next-turn" or not seat.is_empty_handed or card is not None:
            raise RefusedError("illegal-move")
        return _pass(table)
    moved = _taken(table.variant, seat, source, card)
    if target in {"a", "b", "c", "d"}:
        if source[0] != "h":
            raise RefusedError("illegal-move")
        seat.sides["abcd".index(target)].append(moved)
        return _pass(table)
    return _built(table, seat, source, int(target[1]) - 1, moved)


def _taken(variant: Variant, seat: Seat, source: str, card: int | None) -> int:
    """The card that leaves its place."""
    if source[0] == "h":
        place = int(source[1]) - 1
        if seat.hand[place] is None or card is None:
            raise RefusedError("illegal-move")
        if not (1 <= card >> 4 <= KING and card >> 2 & 3 < variant.packs):
            raise RefusedError("illegal-move")
        seat.hand[place] = None
        return card
    side = [] if source == "p" else seat.sides["abcd".index(source)]
    moved = seat.top if source == "p" else side[-1] if side else None
    if moved is None or (card is not None and card != moved):
        raise RefusedError("illegal-move")
    if side:
        side.pop()
    return moved


def _built(table: Table, seat: Seat, source: str, at: int, card: int) -> Table:
    """A card has gone onto a centre stack."""
    if at >= len(table.centre) or card >> 4 not in {len(table.centre[at]) + 1, KING}:
        raise RefusedError("illegal-move")
    mover = table.to_move or 0
    table.centre[at].append(card)
    if source == "p":
        seat.pay_off -= 1
        seat.top = None
        if seat.pay_off == 0:
            return _over(table, ("win", mover, table.seats[1 - mover].pay_off))
    owed = Owed([], [], source == "p", [])
    if len(table.centre[at]) == FULL:
        owed.shuffle, table.centre[at] = table.centre[at], []
        owed.hidden = [table.deck << 8 | place for place in range(table.next, table.end)]
        table.deck, table.next, table.end = table.deck + 1, 0, len(owed.hidden) + FULL
    if source[0] == "h" and seat.is_empty_handed and table.variant.refill == "at-once":
        if not _can_draw(table, 5):
            return _over(table, _run_out(table))
        owed.draws = _draw(table, seat)
    if owed.shuffle or owed.top or owed.draws:
        table.owed = owed
    return table


def _pass(table: Table) -> Table:
    """The turn passes."""
    mover = 1 - (table.to_move or 0)
    if table.turn == LAST_TURN:
        return _over(table, ("tie", None, 0))
    table.turn += 1
    seat = table.seats[mover]
    if None in seat.hand:
        if not _can_draw(table, seat.hand.count(None)):
            return _over(table, _run_out(table))
        table.drawn = _draw(table, seat)
    table.to_move = mover
    return table


def _can_draw(table: Table, count: int) -> bool:
    left = table.end - table.next - count
    return left > 0 or (left == 0 and table.variant.stock_out != "empty")


def _draw(table: Table, seat: Seat) -> list[int]:
    drawn = []
    for place, slot in enumerate(seat.hand):
        if slot is None:
            seat.hand[place] = table.deck << 8 | table.next
            drawn.append(table.deck << 8 | table.next)
            table.next += 1
    return drawn


def _run_out(table: Table) -> tuple[str, int | None, int]:
    first, second = table.seats[0].pay_off, table.seats[1].pay_off
    if table.variant.stock_out == "fewest" and first != second:
        return "win", int(second < first), abs(first - second)
    return "tie", None, 0


def _over(table: Table, outcome: tuple[str, int | None, int]) -> Table:
    table.outcome, table.to_move, table.owed, table.drawn = outcome, None, None, []
    return table


def settle(table: Table, top: int | None) -> Table:
    """What was owed has come."""
    table = deepcopy(table)
    if table.to_move is not None and top is not None:
        table.seats[table.to_move].top = top
    table.owed = None
    return table


def resign(table: Table, seat: int) -> Table:
    """A player gives up."""
    table = deepcopy(table)
    return _over(table, ("resign", 1 - seat, table.seats[seat].pay_off))
