"""The line of a table and the text of a card, read from `protocol/rules.md`.

Law: standard library only. A line that no game could write is refused with `bad-shape`.
"""

import re

from scripts.reading.reader.table import (
    FULL,
    KING,
    LAST_TURN,
    RANKS,
    Owed,
    Seat,
    Table,
    read_variant,
)
from scripts.reading.reference_curve import RefusedError

CARD = re.compile(r"(A|[2-9]|10|J|Q|K)([CDHS])(?:\.([123]))?")


def read_card(text: str) -> int:
    """The id of a card; `illegal-move`."""
    found = CARD.fullmatch(text)
    if found is None:
        raise RefusedError("illegal-move")
    return RANKS.index(found[1]) << 4 | int(found[3] or 0) << 2 | "CDHS".index(found[2])


def read_table(line: str) -> Table:
    """The table of a line; `bad-shape`."""
    words = line.split(" ")
    try:
        table = _read(words)
    except (RefusedError, ValueError, IndexError) as problem:
        raise RefusedError("bad-shape") from problem
    if table.text != line or not (_cards_are_sound(table) and _slots_are_sound(table) and _phase_is_sound(table)):
        raise RefusedError("bad-shape")
    return table


def _read(words: list[str]) -> Table:
    if len(words) != 14:
        raise ValueError(words)
    variant = read_variant(words[0])
    to_move, began, tie_break = (
        {"0": 0, "1": 1, "-": None}[word] if word in "01-" else int("x") for word in words[2:5]
    )
    if tie_break is None:
        raise ValueError(words)
    deck, start, end = _range(words[5])
    seats = [_seat(words[7:10]), _seat(words[10:13])]
    table = Table(variant, deck, start, end, _piles(words[6], variant.centres), seats, tie_break)
    table.turn, table.to_move, table.began = int(words[1]), to_move, began
    kind, _, rest = words[13].partition(":")
    if kind == "owes":
        table.owed = _owed(rest)
    elif kind == "drew":
        table.drawn = _slots(rest)
    elif kind == "tie":
        table.outcome = ("tie", None, 0)
    elif kind != "-":
        winner, points = rest.split(":")
        table.outcome = (kind, int(winner), int(points))
    return table


def _range(text: str) -> tuple[int, int, int]:
    deck, start, end = re.split("[:-]", text)
    return int(deck), int(start), int(end)


def _slots(text: str) -> list[int]:
    if text == "-":
        return []
    deck, start, end = _range(text)
    return [deck << 8 | place for place in range(start, end)]


def _pile(text: str) -> list[int]:
    return [] if text == "-" else [read_card(word) for word in text.split(",")]


def _piles(text: str, count: int) -> list[list[int]]:
    piles = [_pile(word) for word in text.split("/")]
    if len(piles) != count:
        raise ValueError(text)
    return piles


def _seat(words: list[str]) -> Seat:
    count, equals, top = words[0].partition("=")
    hand: list[int | None] = []
    for word in words[1].split(","):
        deck, _, place = word.partition(".")
        hand.append(None if word == "-" else int(deck) << 8 | int(place))
    if len(hand) != 5:
        raise ValueError(words)
    return Seat(int(count), read_card(top) if equals else None, hand, _piles(words[2], 4))


def _owed(text: str) -> Owed:
    owed = Owed([], [], top=False, draws=[])
    for part in text.split(";"):
        name, _, value = part.partition("=")
        if name == "shuffle":
            pile, _, slots = value.partition("@")
            owed.shuffle, owed.hidden = _pile(pile), _slots(slots)
        elif name == "draw":
            owed.draws = _slots(value)
        elif part == "top":
            owed.top = True
        else:
            raise ValueError(part)
    return owed


def count_cards(table: Table) -> int:
    """All cards of the table; those of an owed shuffle lie in the stock."""
    seats = table.seats
    held = sum(seat.pay_off + 5 - seat.hand.count(None) + sum(map(len, seat.sides)) for seat in seats)
    return held + table.end - table.next + sum(map(len, table.centre))


def _cards_are_sound(table: Table) -> bool:
    piles = [*table.centre, *table.seats[0].sides, *table.seats[1].sides]
    cards = [card for pile in piles for card in pile] + [seat.top for seat in table.seats if seat.top is not None]
    stacks = list(table.centre)
    if table.owed is not None:
        cards += table.owed.shuffle
        stacks.append(table.owed.shuffle)
    full = sum(len(stack) >= FULL for stack in table.centre)
    won = table.outcome is not None and 0 in (seat.pay_off for seat in table.seats)
    return (
        len(set(cards)) == len(cards)
        and all(card >> 2 & 3 < table.variant.packs for card in cards)
        and all(card >> 4 in {height, KING} for stack in stacks for height, card in enumerate(stack, 1))
        and full <= won
        and (table.owed is None or len(table.owed.shuffle) in {0, FULL})
        and count_cards(table) <= table.variant.cards
    )


def _slots_are_sound(table: Table) -> bool:
    least, cards = 2 * table.variant.pay_off, table.variant.cards
    hands = [slot for seat in table.seats for slot in seat.hand if slot is not None]
    drawn = table.owed.draws if table.owed is not None else table.drawn
    hand = [] if table.to_move is None else table.seats[table.to_move].hand
    last = [table.deck << 8 | place for place in range(table.next - len(drawn), table.next)]
    hidden = [] if table.owed is None else table.owed.hidden
    return (
        table.next <= table.end <= cards
        and (table.deck > 0 or (table.next >= least + 10 and table.end == cards))
        and len(set(hands)) == len(hands)
        and all(least <= slot < (table.deck << 8 | table.next) and slot & 255 < cards for slot in hands)
        and drawn == last
        and all(slot in hand for slot in drawn)
        and (table.owed is None or len(drawn) in {0, 5})
        and (not hidden or (hidden[0] >> 8 == table.deck - 1 and len(hidden) + FULL == table.end))
    )


def _phase_is_sound(table: Table) -> bool:
    over, dealing, owed = table.outcome is not None, table.turn == 0, table.owed
    if owed is not None and (table.to_move is None or not (owed.shuffle or owed.top or owed.draws)):
        return False
    for number, seat in enumerate(table.seats):
        due = owed is not None and owed.top and number == table.to_move
        lies_open = seat.top is not None
        if lies_open and (due or not seat.pay_off):
            return False
        if not (lies_open or over or dealing or due) or not (seat.pay_off > 0 or over):
            return False
        if seat.pay_off > table.variant.pay_off:
            return False
        if number == table.to_move and seat.is_empty_handed and table.variant.refill == "at-once":
            return False
    return (
        table.turn <= LAST_TURN
        and (table.to_move is None) == (over or dealing)
        and (table.began is None) == dealing
        and _points_are_sound(table)
    )


def _points_are_sound(table: Table) -> bool:
    if table.outcome is None:
        return True
    how, winner, points = table.outcome
    if winner is None:
        return True
    own = table.seats[winner].pay_off if how == "win" else 0
    return how in {"win", "resign"} and points == table.seats[1 - winner].pay_off - own
