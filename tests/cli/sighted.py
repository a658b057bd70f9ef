"""A player who knows nothing but what stands on the screen of 80×24, and has nothing but its keys.

Law: cards are read off the table, and only what can be foreseen is typed ahead; so a picture that is wrong, late or never
drawn ends the game badly, or not at all.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from cli.terminal import Session

RANKS: Final = ("A", *map(str, range(2, 11)), "J", "Q")
KING: Final = "K"
PITCH: Final = 8  # cells from one card to the next
TOP, CENTRE, NEEDS, OWN, LEFT, HAND, STATUS = 0, 8, 10, 13, 15, 18, 22  # rows
CENTRES: Final = 3
TURN: Final = " YOUR TURN"
READY: Final = (" YOUR TURN — play to the centre", " YOUR TURN — the stock is low")
PATIENT: Final = ("on their way", "as soon as")
QUESTION: Final = "can still be played. Discard"
OVER: Final = r"YOU WIN THE MATCH|WINS THE MATCH"
TIE: Final = "A TIE"
PUT_BACK: Final = "n\x1b"  # no to a question, and the card where it was


@dataclass(frozen=True, slots=True)
class Seen:
    """The ranks on the table, "" where no card lies, and whose turn it is."""

    turn: str
    needs: tuple[str, ...]
    pay_off: str
    sides: tuple[str, ...]
    hand: tuple[str, ...]


def read(rows: list[str]) -> Seen:
    """What stands on the screen."""
    table = [row[:47].ljust(47) for row in rows]
    own, hand = (tuple(_rank(table[row][1 + PITCH * at :][:6]) for at in range(5)) for row in (OWN, HAND))
    found = re.search(r"Game \d+ · turn \d+", rows[TOP])
    needs = tuple(re.findall(r"needs ?(\w+)", table[NEEDS]))
    return Seen(found.group() if found else "", needs, own[0], own[1:], hand)


def _rank(cells: str) -> str:
    """The rank of the card in these cells."""
    found = re.search(r"(10|[2-9AJQK])[♠♥♦♣]", cells)
    return found.group(1) if found else ""


def planned(seen: Seen) -> tuple[str, tuple[str, ...]]:
    """Keys of all that can be foreseen, two for each move, and what the centre then needs; nothing if the turn ends."""
    keys = ""
    while True:
        move = _play(seen)
        if move is None:
            return keys + _discard(seen), ()
        source, at = move
        keys += f"{source}{6 + at}"
        height = (RANKS.index(seen.needs[at]) + 1) % len(RANKS)
        seen = replace(seen, needs=(*seen.needs[:at], RANKS[height], *seen.needs[at + 1 :]))
        if source == "0":
            return keys, seen.needs
        if source in "abcd":
            seen = replace(seen, sides=_without(seen.sides, "abcd".index(source)))
            continue
        seen = replace(seen, hand=_without(seen.hand, int(source) - 1))
        if not any(seen.hand):
            return keys, seen.needs


def _without(cards: tuple[str, ...], at: int) -> tuple[str, ...]:
    return (*cards[:at], "", *cards[at + 1 :])


def _play(seen: Seen) -> tuple[str, int] | None:
    """The key of a card and the number of the stack that it goes to: where it helps the pay-off card, else wherever it fits."""
    cards = dict(zip("abcd12345", (*seen.sides, *seen.hand), strict=True))
    ways = [way for at in range(CENTRES) if (way := _way(seen, cards, at)) is not None]
    if ways:
        return min(ways, key=len)[0]
    return next(((key, at) for key, card in cards.items() for at, need in enumerate(seen.needs) if card == need), None)


def _way(seen: Seen, cards: dict[str, str], at: int) -> list[tuple[str, int]] | None:
    """All that is to be played onto a stack so that the pay-off card fits at last, and that."""
    left, height, way = dict(cards), RANKS.index(seen.needs[at]), []
    while seen.pay_off not in (RANKS[height], KING):
        wanted = [key for rank in (RANKS[height], KING) for key, card in left.items() if card == rank]
        if not wanted:
            return None
        way.append((wanted[0], at))
        left.pop(wanted[0])
        height = (height + 1) % len(RANKS)
    return [*way, ("0", at)]


def _discard(seen: Seen) -> str:
    """The keys of a discard: onto its like or the next higher, else onto an empty stack, else anywhere."""
    cards = sorted((card == KING, str(at + 1), card) for at, card in enumerate(seen.hand) if card)
    for _, key, card in cards:
        for side, top in zip("abcd", seen.sides, strict=True):
            if card != KING and top in RANKS and RANKS.index(top) - RANKS.index(card) in {0, 1}:
                return f"{key}{side}"
    free = [side for side, top in zip("abcd", seen.sides, strict=True) if not top]
    return f"{cards[-1][1]}{free[0] if free else 'abcd'[len(seen.turn) % 4]}"


def play(session: Session) -> None:
    """Play until the match is over."""
    acted = ""  # in which turn
    awaited: tuple[str, ...] = ()

    def is_ready() -> bool:
        """Whether there is something to do that was not done yet, and all cards lie there."""
        seen = read(session.rows)
        is_whole = len(seen.needs) == CENTRES and seen.pay_off and any(seen.hand)
        is_new = seen.turn != acted or seen.needs == awaited
        return is_asked() or bool(session.rows[STATUS].startswith(READY) and is_whole and is_new)

    def is_asked() -> bool:
        """Whether a press was refused, or a card is still picked: what was seen was not the whole picture."""
        status = session.rows[STATUS]
        return QUESTION in status or (
            status.startswith(TURN) and not status.startswith(READY) and not any(word in status for word in PATIENT)
        )

    while True:
        session.until_so(lambda: session.sees(f"{OVER}|{TIE}") or is_ready(), "a turn, or the end")
        if session.sees(OVER):
            return
        if session.sees(TIE):
            session.press(" ")
        elif is_asked():
            session.press(PUT_BACK)
            session.until_so(lambda: not is_asked(), "nothing picked")
            acted = ""
        else:
            seen = read(session.rows)
            keys, awaited = planned(seen)
            acted = seen.turn
            session.press(keys)
