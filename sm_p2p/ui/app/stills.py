"""The pictures of a reel: how each of its places looks, and what is seen on the way to it.

Law: a picture follows from the reel, the place and how it is looked at, never from the pictures before. What a scene
ends with is the picture of its place.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from sm_p2p.session.effects import Said
from sm_p2p.session.talk import Way
from sm_p2p.ui.app.choices import Speed
from sm_p2p.ui.app.film import LOG_LINES, UNIT_S, Scene
from sm_p2p.ui.app.scenes import lines_of, scene, view_of
from sm_p2p.ui.news import words_of
from sm_p2p.ui.reel import HIDDEN, Faces, Reel
from sm_p2p.ui.screen.model import Link, LogLine, Model, Opponent, Replay
from sm_p2p.ui.verdicts import verdict_lines
from sm_p2p.ui.words import HERE, Language, Words

HELD_UNITS: Final = 4  # of a moment
END_UNITS: Final = 12  # of the end of a game
WATCHING: Final = Link(Way.UP, Opponent.NOBODY)


class Remark(NamedTuple):
    """A line of chat, said when the log had so many entries."""

    at: int
    said: Said


class Stills:
    """The pictures of one reel, for somebody who looks on."""

    def __init__(self, reel: Reel, language: Language = HERE, chat: Sequence[Remark] = ()) -> None:
        self._reel = reel
        self._language = language
        self._chat = tuple(chat)
        self._lines: list[LogLine] = []
        self._ends = [0]  # of the lines of each place

    @property
    def words(self) -> Words:
        """The words of this reader."""
        return self._reel.words(self._language)

    def prepare(self) -> None:
        """Have the lines of the whole reel ready, so that a jump to its end takes no time."""
        self._end(len(self._reel))

    def model(self, place: int, how: Replay) -> Model:
        """What is seen at this place; `how` it is looked at, whatever it says about where."""
        reel = self._reel
        match, replay = reel.match(place), self.replay(place, how)
        return Model(
            words=self.words,
            match=match,
            view=view_of(match, None, self._faces(place, how)),
            link=WATCHING,
            log=self._log(place),
            chat=tuple(remark.said for remark in self._chat if remark.at <= place),
            marks=reel.marks(place),
            replay=replay,
            verdict=self._verdict(place),
        )

    def replay(self, place: int, how: Replay) -> Replay:
        """How it is looked at, with this place and whether the hands lie open there."""
        reel = self._reel
        is_open = how.is_open and reel.faces(place) is not None
        return replace(how, entry=place, entries=max(how.entries, len(reel)), is_open=is_open)

    def scene(self, place: int, how: Replay, speed: Speed, rate: float) -> Scene:
        """What is seen on the way from the place before."""
        unit = UNIT_S[speed] / rate
        made = scene(
            self.words,
            self._reel.news(place),
            None,
            self._faces(place, how),
            self._reel.marks(place),
            speed,
        )
        start, end = self._end(place - 1), self._end(place)
        moment, held = made.banner, 0.0
        if moment is not None:  # what the score sheet would cover is what is looked at
            held = (END_UNITS if moment.lines else HELD_UNITS) * unit
            moment = replace(moment, lines=())
        return replace(made, log=tuple(self._lines[start:end]), banner=moment, held_s=held)

    def _verdict(self, place: int) -> tuple[str, ...]:
        """What is thought of the move that leads here, if somebody has judged it."""
        analysis = self._reel.analysis(place)
        verdict = None if analysis is None else analysis.at(place)
        return () if verdict is None else verdict_lines(self.words, verdict)

    def _faces(self, place: int, how: Replay) -> Faces:
        return (self._reel.faces(place) if how.is_open else None) or HIDDEN

    def _log(self, place: int) -> tuple[LogLine, ...]:
        end = self._end(place)
        return tuple(self._lines[max(0, end - LOG_LINES) : end])

    def _end(self, place: int) -> int:
        """How many lines tell what led to this place."""
        while len(self._ends) <= place:
            news = self._reel.news(len(self._ends))
            self._lines += lines_of(words_of(news.after, None, self._language), news)
            self._ends.append(len(self._lines))
        return self._ends[place]
