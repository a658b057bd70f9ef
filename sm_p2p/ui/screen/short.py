"""What happened in a few cells, for the list of moves beside the table.

Law: a line is columns that are cut one by one, so that a long name or a long word never moves the rest. What happened
is told in the longest form that fits.
"""

from functools import lru_cache
from typing import Final, NamedTuple, assert_never

from sm_p2p.rules.cards import KING, RANKS, Card
from sm_p2p.rules.happenings import (
    Completed,
    Discarded,
    Drew,
    Finished,
    Happening,
    Passed,
    Played,
    Reshuffled,
    Resigned,
    StockRanOut,
    TurnBegan,
    TurnedUp,
    TurnsRanOut,
)
from sm_p2p.rules.moves import PAY_OFF, TARGETS, Move
from sm_p2p.rules.table import Outcome, Seat
from sm_p2p.ui.screen.cells import best, fit, text_width, wrap
from sm_p2p.ui.screen.faces import face
from sm_p2p.ui.screen.model import LogLine
from sm_p2p.ui.words import Words

TURN_CELLS: Final = 3
SOURCE_CELLS: Final = 7
LEAST_NAME: Final = 3
MOST_NAME: Final = 12
_REST: Final = 23  # cells of a line without the name: turn, card, source, target, and what a king stands for


class Short(NamedTuple):
    """A line of the list: the turn if it is a new one, who, and what, the longest form first; or a sentence alone."""

    turn: str
    seat: Seat | None
    forms: tuple[str, ...]


def short_lines(words: Words, log: tuple[LogLine, ...], most: int, width: int) -> list[Short]:
    """The last so many lines; a sentence takes as many as it needs, each of at most `width` cells."""
    found: list[Short] = []
    for entry in reversed(log):
        if len(found) >= most:
            break
        found += reversed(_tell(words, entry, width))
    found = found[most - 1 :: -1] if most else []
    shown = ""
    for at, line in enumerate(found):
        if line.turn == shown:
            found[at] = line._replace(turn="")
        elif line.turn:
            shown = line.turn
    return found


def name_cells(words: Words, width: int) -> int:
    """How wide the names are in lines of this width."""
    widest = max(text_width(who(words, seat)) for seat in (0, 1))
    return min(widest, MOST_NAME, max(width - _REST, LEAST_NAME))


@lru_cache(maxsize=1024)
def columns(words: Words, line: Short, name: int, width: int) -> tuple[tuple[str, str], ...]:
    """Texts with their style classes, in order, in so many cells."""
    turn, room = (f"{line.turn:>{TURN_CELLS}} ", "sm.dim"), width - TURN_CELLS - 1
    if line.seat is None:
        return turn, (best(room, *line.forms), "")
    seat = f"{fit(who(words, line.seat), name)} "
    return turn, (f"{seat}{best(room - text_width(seat), *line.forms)}", "")


@lru_cache(maxsize=16)
def who(words: Words, seat: Seat) -> str:
    """A player in a list."""
    return words.of(seat, "You", "{name}")


@lru_cache(maxsize=1024)
def _tell(words: Words, line: LogLine, width: int) -> tuple[Short, ...]:
    if isinstance(line.what, str):
        return tuple(Short("", None, (text,)) for text in wrap(line.what, width - TURN_CELLS - 1))
    seat, *forms = _what(words, line.what)
    return (Short(str(line.turn) if line.turn else "", seat, tuple(forms)),) if forms else ()


def _what(words: Words, happening: Happening) -> tuple[Seat | None, *tuple[str, ...]]:  # noqa: PLR0912 - an arm for each happening
    match happening:
        case Played(seat, move, card, stands_for) if card.rank == KING:
            played, rank = _moved(words, move, card), RANKS[stands_for]
            short = f"{face(card)} {_source(words, move)} > {move.target}={rank}"
            return seat, f"{played} {words.say('as {rank}', rank=rank)}", f"{played}={rank}", short
        case Played(seat, move, card) | Discarded(seat, move, card):
            return seat, _moved(words, move, card)
        case Passed(seat):
            return seat, words.say("ends the turn")
        case Completed(stack, _):
            return None, words.say("{stack} is complete", stack=TARGETS[stack])
        case Reshuffled(stock):
            return None, words.say("shuffled in: stock {n}", n=stock)
        case TurnedUp(seat, card, left):
            shown = f"{face(card):<3}"
            long = words.count("{card} turned up, {n} left", "{card} turned up, {n} left", left, card=shown)
            return seat, long, words.count("{card} is up, {n} left", "{card} is up, {n} left", left, card=shown)
        case TurnBegan():
            return (None,)
        case Drew(seat, count):
            return seat, words.count("drew {n}", "drew {n}", count)
        case StockRanOut():
            return None, words.say("the stock has run out")
        case TurnsRanOut():
            return None, words.say("the last turn is over")
        case Resigned(seat):
            return seat, words.say("resigned")
        case Finished(outcome):
            return outcome.winner, _outcome(words, outcome)
        case _:
            assert_never(happening)


def _outcome(words: Words, outcome: Outcome) -> str:
    if outcome.winner is None:
        return words.say("a tie")
    return words.count("+{n} point", "+{n} points", outcome.points)


def _moved(words: Words, move: Move, card: Card) -> str:
    return f"{face(card):<3} {_source(words, move)} > {move.target}"


def _source(words: Words, move: Move) -> str:
    if move >> 3 == PAY_OFF:
        text = words.say("pay-off")
    elif move.hand_place is None:
        text = words.say("side {stack}", stack=move.source)
    else:
        text = words.say("hand")
    return fit(text, SOURCE_CELLS)
