"""A language and a reader: how every sentence is made, and what happened at the table in sentences.

Law: a sentence is one whole template with named places, in English where it is used, which is also its key in a
catalogue: `say` and `of` take messages, `count` takes a message and its plural, `mark` names one that is said later.
Cards, places and moves are written in the notation, which is the same in every language.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias, assert_never

from sm_p2p.errors import SpiteError
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
from sm_p2p.rules.table import How, Outcome, Seat
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.ui import tongue

Language: TypeAlias = tongue.Language
ENGLISH: Final = tongue.ENGLISH
HERE: Final = tongue.HERE
mark: Final = tongue.mark
mark_plural: Final = tongue.mark_plural


NAMELESS: Final = (mark("Computer"), mark("Player"))  # what the program calls those who have told no name

POINT: Final = mark("before decimals stands .")  # whose last character is the mark of the language


@dataclass(frozen=True, slots=True)
class Words:
    """A language, the names of both seats, and which of them the reader is (None: neither)."""

    names: tuple[str, str] = ("", "")
    you: Seat | None = None
    language: Language = HERE

    def say(self, message: str, **values: object) -> str:
        """The message with its places filled.

        >>> Words().say("{stack} is complete.", stack="c1")
        'c1 is complete.'
        """
        return self.language.gettext(message).format(**values)

    def decimal(self, value: float, digits: int) -> str:
        """A number with so many digits behind the mark that the language has there.

        >>> Words().decimal(1.25, 1), Words().decimal(3, 2)
        ('1.2', '3.00')
        """
        return f"{value:.{digits}f}".replace(".", self.say(POINT)[-1])

    def again(self, sentence: str) -> str:
        """A sentence of the rooms below in this language, if it is one that can be said again; else as it is."""
        return tongue.again(sentence, self.language)

    def why(self, error: SpiteError) -> str:
        """The sentence of an error in this language."""
        return self.again(error.told)

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """The message in the plural form for n, which both messages may name as {n}."""
        return self.language.ngettext(one, many, n).format(n=n, **values)

    def of(self, seat: Seat, you: str, they: str, **values: object) -> str:
        """The message about a player: the first one if he is the reader, else the second, which knows his {name}.

        >>> Words(("Ana", "Bo"), 0).of(1, "You resign.", "{name} resigns.")
        'Bo resigns.'
        """
        return self.say(you, **values) if self.is_you(seat) else self.say(they, name=self.name(seat), **values)

    def is_you(self, seat: Seat) -> bool:
        """Whether the reader sits there."""
        return self.you == seat

    def called(self, name: str) -> str:
        """The name itself, or what this language calls those who have told none."""
        return self.say(name) if name in NAMELESS else name

    def name(self, seat: Seat) -> str:
        """The name of a player, harmless, and not the same for both where the reader is neither of them."""
        first, second = map(self.called, map(_harmless, self.names))
        name = (first, second)[seat]
        if not name:
            return self.say("Player {number}", number=seat + 1)
        if self.you is not None or first != second:
            return name
        return self.say("{name} (host)", name=name) if seat == 0 else self.say("{name} (guest)", name=name)


@lru_cache(maxsize=64)
def _harmless(name: str) -> str:
    return clean(name, NAME_LENGTH)


def tell(words: Words, happening: Happening) -> str:  # noqa: PLR0912 - an arm for each happening
    """What happened, as one sentence."""
    match happening:
        case Played(seat, move, card, stands_for):
            return _played(words, seat, move, card, stands_for)
        case Discarded(seat, move, card):
            return words.of(
                seat,
                "You discard {card} from the hand ({place}) onto side stack {stack}.",
                "{name} discards {card} from the hand ({place}) onto side stack {stack}.",
                card=card.face,
                place=move.source,
                stack=move.target,
            )
        case Passed(seat):
            return words.of(seat, "You end the turn with an empty hand.", "{name} ends the turn with an empty hand.")
        case Completed(stack, _):
            return words.say("{stack} is complete.", stack=TARGETS[stack])
        case Reshuffled(stock):
            return words.count(
                "Its twelve cards are shuffled into the stock, which now holds {n} card.",
                "Its twelve cards are shuffled into the stock, which now holds {n} cards.",
                stock,
            )
        case TurnedUp(seat, card, left):
            return _turned_up(words, seat, card, left)
        case TurnBegan(seat, turn):
            return words.of(seat, "Turn {turn} is yours.", "Turn {turn} is {name}'s.", turn=turn)
        case Drew(seat, count):
            return _drew(words, seat, count)
        case StockRanOut(seat, needed, stock):
            return _stock_ran_out(words, seat, needed, stock)
        case TurnsRanOut(turn):
            return words.say("Turn {turn} was the last one that a game can have.", turn=turn)
        case Resigned(seat):
            return words.of(seat, "You resign.", "{name} resigns.")
        case Finished(outcome):
            return tell_outcome(words, outcome)
        case _:
            assert_never(happening)


def tell_outcome(words: Words, outcome: Outcome) -> str:
    """How a game ended, as one sentence."""
    if outcome.winner is None:
        return words.say("The game is a tie, and nobody scores.")
    name, is_you = words.name(outcome.winner), words.is_you(outcome.winner)
    points = outcome.points
    if outcome.how is How.RESIGN:
        if is_you:
            return words.count("You score {n} point for it.", "You score {n} points for it.", points)
        return words.count("{name} scores {n} point for it.", "{name} scores {n} points for it.", points, name=name)
    if is_you:
        return words.count("You win the game and score {n} point.", "You win the game and score {n} points.", points)
    return words.count(
        "{name} wins the game and scores {n} point.", "{name} wins the game and scores {n} points.", points, name=name
    )


_PLAYS: Final = {  # (from the pay-off pile, the hand or a side stack; with a king or not) → about you, about another
    ("p", False): (
        mark("You play {card} from the pay-off pile onto {stack}."),
        mark("{name} plays {card} from the pay-off pile onto {stack}."),
    ),
    ("p", True): (
        mark("You play {card} from the pay-off pile onto {stack}, where it stands for {rank}."),
        mark("{name} plays {card} from the pay-off pile onto {stack}, where it stands for {rank}."),
    ),
    ("h", False): (
        mark("You play {card} from the hand ({place}) onto {stack}."),
        mark("{name} plays {card} from the hand ({place}) onto {stack}."),
    ),
    ("h", True): (
        mark("You play {card} from the hand ({place}) onto {stack}, where it stands for {rank}."),
        mark("{name} plays {card} from the hand ({place}) onto {stack}, where it stands for {rank}."),
    ),
    ("s", False): (
        mark("You play {card} from side stack {place} onto {stack}."),
        mark("{name} plays {card} from side stack {place} onto {stack}."),
    ),
    ("s", True): (
        mark("You play {card} from side stack {place} onto {stack}, where it stands for {rank}."),
        mark("{name} plays {card} from side stack {place} onto {stack}, where it stands for {rank}."),
    ),
}


def _played(words: Words, seat: Seat, move: Move, card: Card, stands_for: int) -> str:
    source = "p" if move >> 3 == PAY_OFF else "s" if move.hand_place is None else "h"
    you, they = _PLAYS[source, card.rank == KING]
    rank = RANKS[stands_for]
    return words.of(seat, you, they, card=card.face, place=move.source, stack=move.target, rank=rank)


def _turned_up(words: Words, seat: Seat, card: Card, left: int) -> str:
    if words.is_you(seat):
        return words.count(
            "Your pay-off card is now {card}, {n} left.",
            "Your pay-off card is now {card}, {n} left.",
            left,
            card=card.face,
        )
    return words.count(
        "{name}'s pay-off card is now {card}, {n} left.",
        "{name}'s pay-off card is now {card}, {n} left.",
        left,
        card=card.face,
        name=words.name(seat),
    )


def _drew(words: Words, seat: Seat, count: int) -> str:
    if words.is_you(seat):
        return words.count("You draw {n} card.", "You draw {n} cards.", count)
    return words.count("{name} draws {n} card.", "{name} draws {n} cards.", count, name=words.name(seat))


def _stock_ran_out(words: Words, seat: Seat, needed: int, stock: int) -> str:
    if needed <= stock:
        return words.of(
            seat,
            "Your draw would take the last card of the stock: it has run out.",
            "{name}'s draw would take the last card of the stock: it has run out.",
        )
    if words.is_you(seat):
        return words.count(
            "You would have to draw {n} card and the stock holds {stock}: it has run out, and nothing is drawn.",
            "You would have to draw {n} cards and the stock holds {stock}: it has run out, and nothing is drawn.",
            needed,
            stock=stock,
        )
    return words.count(
        "{name} would have to draw {n} card and the stock holds {stock}: it has run out, and nothing is drawn.",
        "{name} would have to draw {n} cards and the stock holds {stock}: it has run out, and nothing is drawn.",
        needed,
        stock=stock,
        name=words.name(seat),
    )
