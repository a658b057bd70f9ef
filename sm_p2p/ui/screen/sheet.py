"""The text of what lies over the table: a title, lines, and for questions and lists what can be clicked.

Law: a sheet's lines are made for a width and never wider.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, assert_never

from sm_p2p.rules.cards import KING, RANKS
from sm_p2p.rules.table import Pile
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.ui.board import SIDE_NAMES, pile_at
from sm_p2p.ui.guide import rules_lines
from sm_p2p.ui.keys import Binding, Mode, bindings, key_names
from sm_p2p.ui.news import describe, score_sheet
from sm_p2p.ui.screen.cells import text_width, wrap
from sm_p2p.ui.screen.faces import face, with_glyphs
from sm_p2p.ui.screen.model import LogLine, Model
from sm_p2p.ui.screen.overlays import (
    Ask,
    Asking,
    AskQuit,
    AskResign,
    Details,
    FullLog,
    Help,
    Offer,
    Reading,
    Rules,
    ScoreSheet,
    Sheet,
    StackView,
)
from sm_p2p.ui.words import Words, tell

KEY_CELLS: Final = 12


class Text(NamedTuple):
    """A title and lines; `is_newest_last` sheets are read from their end."""

    title: str
    lines: tuple[str, ...]
    is_newest_last: bool = False


def reading(model: Model, sheet: Reading, width: int) -> Text:
    """What there is to read."""
    words = model.words
    match sheet:
        case Help(mode):
            rules = rules_text(words, width)
            return Text(
                words.say("KEYS AND RULES"), (*(line for line, _ in help_lines(words, mode, width)), "", *rules)
            )
        case Rules():
            return Text(words.say("RULES"), rules_text(words, width))
        case StackView(stack):
            pile = () if model.view is None else pile_at(model.view.table, stack)
            return Text(_stack_title(words, stack.seat, stack.number), _stack_lines(words, stack.seat, pile, width))
        case FullLog():
            return Text(words.say("LOG OF THE GAME"), tuple(_log_lines(words, model.log, width)), is_newest_last=True)
        case ScoreSheet():
            return Text(words.say("SCORE"), wrapped(score_sheet(words, model.match), width))
        case Details(lines, invite):
            copy = (words.say("y: copy the invite"), *wrap(invite, width)) if invite else ()
            return Text(words.say("CONNECTION AND VERIFICATION"), (*wrapped(lines, width), *copy))
        case Sheet(title, lines):
            return Text(title, wrapped(lines, width))
        case _:
            assert_never(sheet)


def asking(model: Model, question: Asking, width: int) -> Text:
    """What is asked."""
    words = model.words
    match question:
        case AskQuit():
            kept = words.say("The match is kept: it goes on when you are both here again.")
            return Text(words.say("LEAVE?"), wrapped((kept,), width))
        case AskResign():
            left = 0 if model.view is None else model.view.table.places[model.bottom].pay_off
            costs = words.count(
                "{name} scores {n} point for it.",
                "{name} scores {n} points for it.",
                left,
                name=words.name(1 - model.bottom),
            )
            return Text(words.say("GIVE THIS GAME UP?"), wrapped((costs,), width))
        case Offer(name, variant):
            offers = words.say("{name} offers a match.", name=clean(name, NAME_LENGTH))
            return Text(words.say("PLAY THIS?"), wrapped((offers, *describe(words, variant)), width))
        case Ask(title, lines):
            return Text(title, wrapped(lines, width))
        case _:
            assert_never(question)


@lru_cache(maxsize=64)
def help_lines(words: Words, mode: Mode, width: int) -> tuple[tuple[str, Binding], ...]:
    """Every key of a mode with what it does: lines, and what each is about."""
    found: list[tuple[str, Binding]] = []
    for binding in bindings(mode):
        keys = " ".join(key_names(binding, words.language))
        first, *more = wrap(words.say(binding.help), max(width - KEY_CELLS, 10))
        lines = (f"{keys:<{KEY_CELLS - 1}} {first}", *(" " * KEY_CELLS + line for line in more))
        found += ((line, binding) for line in lines)
    return tuple(found)


@lru_cache(maxsize=8)
def rules_text(words: Words, width: int) -> tuple[str, ...]:
    """The rules, wrapped; the file is read once."""
    return wrapped(tuple(rules_lines(words)), width)


def wrapped(lines: tuple[str, ...], width: int) -> tuple[str, ...]:
    """Every line in as many lines as it needs."""
    return tuple(short for line in lines for short in wrap(line, width))


def _stack_title(words: Words, seat: int | None, number: int) -> str:
    if seat is None:
        return words.say("CENTRE STACK [{key}]", key=number + 6)
    return words.of(seat, "YOUR SIDE STACK {stack}", "SIDE STACK {stack} OF {name}", stack=SIDE_NAMES[number])


def _stack_lines(words: Words, seat: int | None, pile: Pile, width: int) -> tuple[str, ...]:
    """The cards, the top first, and what the stack needs."""
    if not pile:
        return (words.say("empty"),)
    cards = [face(card) for card in pile]
    if seat is None:
        cards = [
            f"{text}={RANKS[height]}" if card.rank == KING else text
            for height, (card, text) in enumerate(zip(pile, cards, strict=True), 1)
        ]
    first = words.count("{n} card, the top first:", "{n} cards, the top first:", len(pile))
    return (*wrap(first, width), "", *wrap("  ".join(reversed(cards)), width))


def _log_lines(words: Words, log: tuple[LogLine, ...], width: int) -> Iterator[str]:
    for line in log:
        yield from _log_line(words, line, width)


@lru_cache(maxsize=4096)
def _log_line(words: Words, line: LogLine, width: int) -> tuple[str, ...]:
    said = line.what if isinstance(line.what, str) else with_glyphs(tell(words, line.what))
    turn = f"{line.turn:>3} " if line.turn else "    "
    first, *more = wrap(said, width - len(turn))
    return (turn + first, *(" " * len(turn) + rest for rest in more))


def widest(lines: tuple[str, ...]) -> int:
    """The cells of the widest line."""
    return max(map(text_width, lines), default=0)
