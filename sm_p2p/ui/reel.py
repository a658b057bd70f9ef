"""A match as a reel: what lies on the table after each entry, and the ways from one place to another.

Law: a reel only grows, at its end, and what is at a place follows from the entries up to it alone, however one came
there. Place 0 is before the first entry, place n behind entry n.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from enum import Enum
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.rules.cards import Card
from sm_p2p.rules.table import Slot
from sm_p2p.session.effects import Advanced
from sm_p2p.session.events import MOVED
from sm_p2p.session.state import Match
from sm_p2p.ui.flights import marks_of
from sm_p2p.ui.news import words_of
from sm_p2p.ui.screen.spots import Spots
from sm_p2p.ui.verdicts import Analysis
from sm_p2p.ui.words import HERE, Language, Words

Faces: TypeAlias = Mapping[Slot, Card]
HIDDEN: Final[Faces] = MappingProxyType({})
LOOK_S: Final = 0.9
GLANCE_S: Final = 0.15


class Hands(Enum):
    """What is known of the cards that the players of a game held."""

    CLOSED = "the keys were not revealed"
    UNCHECKED = "the keys were revealed, and nobody has looked at what they open"
    KNOWN = "the keys were revealed, and open what was played"
    WRONG = "the keys were revealed, and open something else"


class Stop(NamedTuple):
    """Where one can jump to: the start of a turn, or the end of a game (`is_end`)."""

    game: int
    turn: int
    is_end: bool


class Reel:
    """The entries of one match, and everything that is public after each."""

    def __init__(self) -> None:
        self._matches = [Match()]
        self._news: list[Advanced] = []
        self._marks: list[Spots] = [()]
        self._places: list[int] = []  # of the stops, ascending
        self._stops: list[Stop] = []
        self._faces: dict[int, Faces] = {}
        self._wrong: set[int] = set()
        self._analyses: dict[int, Analysis] = {}

    def __len__(self) -> int:
        """How many entries there are, and so the last place."""
        return len(self._news)

    # growing

    def add(self, news: Advanced) -> None:
        """One more entry, with the match before and after it."""
        before, after = self._matches[-1], news.after
        here, place = marks_of(after.happened), len(self._matches)
        goes_on = here if news.entry.kind == MOVED else tuple(dict.fromkeys((*self._marks[-1], *here)))
        self._matches.append(after)
        self._news.append(news)
        self._marks.append(goes_on if after.game is not None and _number(before) == _number(after) else ())
        stop = _stop_at(after)
        if stop is not None and stop != _stop_at(before):
            self._places.append(place)
            self._stops.append(stop)

    def open(self, game: int, faces: Faces) -> None:
        """Both keys of this game lie open: the face of every card in it."""
        self._faces[game] = faces

    def distrust(self, game: int) -> None:
        """Both keys of this game lie open, and what they open is not what was played."""
        self._wrong.add(game)

    def judge(self, analysis: Analysis) -> None:
        """Somebody who plays well has looked at a game."""
        self._analyses[analysis.game] = analysis

    # looking

    def match(self, place: int) -> Match:
        """The match there."""
        return self._matches[place]

    def news(self, place: int) -> Advanced:
        """The entry that leads to this place, which is not the first one."""
        return self._news[place - 1]

    def marks(self, place: int) -> Spots:
        """What the last move has touched."""
        return self._marks[place]

    def faces(self, place: int) -> Faces | None:
        """The faces of the game on the table there; None if there is no game, or its keys do not lie open."""
        number = _number(self._matches[place])
        return None if number is None else self._faces.get(number)

    def hands(self, place: int) -> Hands:
        """Whether the hands can be shown there."""
        number, last = _number(self._matches[place]), self._matches[-1].finished
        if number in self._faces:
            return Hands.KNOWN
        if number in self._wrong:
            return Hands.WRONG
        is_revealed = number is not None and last is not None and last.number >= number
        return Hands.UNCHECKED if is_revealed else Hands.CLOSED

    def analysis(self, place: int) -> Analysis | None:
        """What is thought of the game on the table there; None as long as nobody has looked."""
        number = _number(self._matches[place])
        return None if number is None else self._analyses.get(number)

    def words(self, language: Language = HERE) -> Words:
        """The words of somebody who looks on."""
        return words_of(self._matches[-1], None, language)

    # finding places

    def within(self, place: int) -> int:
        """This place, or the end that it lies beyond."""
        return min(max(place, 0), len(self))

    def turn_on(self, place: int) -> int:
        """Where the next turn begins or the game ends, or the last place."""
        return self._next(place, self._places)

    def turn_back(self, place: int) -> int:
        """Where this turn has begun, or from there the one before; at last place 0."""
        return self._before(place, self._places)

    def game_on(self, place: int) -> int:
        """Where the next game lies dealt, or the last place."""
        return self._next(place, self._starts)

    def game_back(self, place: int) -> int:
        """Where this game lay dealt, or from there the one before; at last place 0."""
        return self._before(place, self._starts)

    def turn(self, place: int, number: int) -> int | None:
        """Where this turn begins, in the game that lies there; None if there is none."""
        game = _number(self._matches[place]) or 1
        return self._find(Stop(game, number, is_end=False))

    def game(self, number: int) -> int | None:
        """Where this game lies dealt (or was given up before that); None if it is not there."""
        found = (place for place in self._starts if _number(self._matches[place]) == number)
        return next(found, None)

    @property
    def is_dealt(self) -> bool:
        """Whether a game lies dealt anywhere on it, or was given up before that."""
        return bool(self._places)

    @property
    def first(self) -> int:
        """Where the first game lies dealt, or the last place."""
        return self._places[0] if self._places else len(self)

    @property
    def _starts(self) -> list[int]:
        """The first stops of the games."""
        firsts = [True, *(one.game != other.game for one, other in pairwise(self._stops))]
        return [place for place, is_first in zip(self._places, firsts, strict=False) if is_first]

    def _find(self, stop: Stop) -> int | None:
        return self._places[self._stops.index(stop)] if stop in self._stops else None

    def _next(self, place: int, places: list[int]) -> int:
        at = bisect_right(places, place)
        return places[at] if at < len(places) else len(self)

    def _before(self, place: int, places: list[int]) -> int:
        at = bisect_left(places, place)
        return places[at - 1] if at else 0


def pause(match: Match) -> float:
    """How many seconds this is looked at while it plays: less where nothing was seen to happen."""
    return LOOK_S if match.happened else GLANCE_S


def _number(match: Match) -> int | None:
    return None if match.game is None else match.game.number


def _stop_at(match: Match) -> Stop | None:
    """The stop that this match stands at or behind; None before the cards lie there."""
    if match.game is None:
        return None
    table = match.game.table
    if not table.turn and table.outcome is None:
        return None
    return Stop(match.game.number, table.turn, table.outcome is not None)
