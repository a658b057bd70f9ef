"""A typed line and what it asks for: the moves of the notation, the screen's keys, and a few words.

Law: reading a line has no effect and never fails; what cannot be understood is an `Unclear` with the line in it. The
English words are understood in every language, and the player's own beside them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias

from sm_p2p.rules.moves import ONTO_SIDE, SOURCES, TARGETS, Move
from sm_p2p.rules.reasons import Misread, Reason
from sm_p2p.session.talk import Say
from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.ui.lexicon import NO, YES, english, own, plain
from sm_p2p.ui.tongue import ENGLISH, Language, mark


class Word(Enum):
    """Commands that are one word, by the word."""

    TABLE = mark("table")
    HAND = mark("hand")
    MOVES = mark("moves")
    SCORE = mark("score")
    HINT = mark("hint")
    RESIGN = mark("resign")
    CLAIM = mark("claim")
    REFUSE = mark("refuse")
    BACK = mark("back")
    YES = mark("yes")
    NO = mark("no")
    HELP = mark("help")
    RULES = mark("rules")
    QUIT = mark("quit")


@dataclass(frozen=True, slots=True)
class Play:
    """Make this move."""

    move: Move


@dataclass(frozen=True, slots=True)
class PlayFrom:
    """Play the card at this source to the only centre stack that it fits."""

    source: str


@dataclass(frozen=True, slots=True)
class Show:
    """List a stack: `a`…`d` of one's own, `A`…`D` of the other player, `c1`…`c4`."""

    stack: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that asks for nothing that there is; harmless text, and the rule that it forgets, if it is one."""

    text: str
    why: Misread | None = None


Command: TypeAlias = Word | Play | PlayFrom | Show | Say | Nothing | Unclear

SHORT: Final[Mapping[str, Word]] = MappingProxyType(
    {"?": Word.HELP, "h": Word.HINT, "q": Word.QUIT, "y": Word.YES, "n": Word.NO}
)
KEYS: Final[Mapping[str, str]] = MappingProxyType(  # the screen's keys → places
    {"0": "p", **{str(at): f"h{at}" for at in range(1, 6)}, **{str(at + 5): f"c{at}" for at in range(1, 5)}}
)
VOCABULARY: Final = (*(word.value for word in Word), mark("say"), mark("show"))
_STACKS: Final = (*"abcdABCD", *TARGETS[:ONTO_SIDE])


def read_command(line: str, language: Language = ENGLISH) -> Command:
    """What a line asks for.

    >>> read_command("0 6"), read_command(" H3-B "), read_command("3 3")
    (Play(move=Move.parse('p-c1')), Play(move=Move.parse('h3-b')), PlayFrom(source='h3'))
    >>> read_command("show c1"), read_command("say hello"), read_command("x")
    (Show(stack='c1'), Say(text='hello'), Unclear(text='x', why=None))
    """
    text = clean(line, NOTE_LENGTH)
    first, _, rest = text.partition(" ")
    word = english(first, VOCABULARY, language)
    if not text:
        return Nothing()
    if not rest and (known := _word(word, language)) is not None:
        return known
    if word in {"say", "t"}:
        return Say(rest) if rest else Unclear(text)
    if word in {"show", "v"}:
        return _show(rest, language)
    return _move(text.lower()) or Unclear(text)


def _word(word: str, language: Language) -> Word | None:
    for (letter, _), means in ((YES, Word.YES), (NO, Word.NO)):
        if plain(own(letter, language)) == word:
            return means
    return SHORT[word] if word in SHORT else next((known for known in Word if known.value == word), None)


def _show(rest: str, language: Language) -> Command:
    place = KEYS.get(rest, rest)
    if place in _STACKS:
        return Show(place)
    what = english(rest, (Word.HAND.value, Word.TABLE.value), language)
    return Word.HAND if what == "hand" else Word.TABLE if what == "table" else Unclear(f"show {rest}".rstrip())


def _move(text: str) -> Command | None:
    """A move as `h3-b`, as two keys, or its source alone or twice; None if it is none of these."""
    places = [KEYS.get(place, place) for place in (text.split("-") if "-" in text else text.split())]
    if places[0] in SOURCES and "-" not in text and places[1:] in ([], places[:1]):
        return PlayFrom(places[0])
    try:
        return Play(Move.parse("-".join(places)))
    except Misread as why:
        return Unclear(text, why) if why.reason is Reason.CENTRE_STAYS else None
