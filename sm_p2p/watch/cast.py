"""A replay as a film for asciinema, in version 2 of its format: a header, then what the terminal is told, and when.

Law: a film follows from the reel and from how it is looked at; there is no clock in it. What it ends with is the picture
of its last place.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from sm_p2p.ui.app.choices import Speed
from sm_p2p.ui.app.film import Film
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.reel import Reel, pause
from sm_p2p.ui.screen.ansi import BEGIN, END, drawn
from sm_p2p.ui.screen.frame import Frame, Size
from sm_p2p.ui.screen.looks import UNICODE, Look
from sm_p2p.ui.screen.model import Model, Replay
from sm_p2p.ui.screen.render import render

LAST_S: Final = 3.0  # how long the last picture is looked at
SIZE: Final = Size(80, 24)
AS_IT_IS: Final = Replay()


@dataclass(frozen=True, slots=True)
class Shooting:
    """How a film is made: from which place to which, how fast, in which size and look, and how it is looked at."""

    first: int
    last: int
    rate: float = 1.0
    size: Size = SIZE
    look: Look = UNICODE
    how: Replay = AS_IT_IS


def cast_lines(reel: Reel, stills: Stills, shooting: Shooting) -> Iterator[str]:
    """The lines of the film, each without its end."""
    size, look = shooting.size, shooting.look
    names = [player.name for player in reel.match(len(reel)).players]
    header = {"version": 2, "width": size.columns, "height": size.rows, "title": " - ".join(names)}
    yield json.dumps({**header, "env": {"TERM": "xterm-256color"}}, separators=(",", ":"))
    before: Frame | None = None
    clock = 0.0
    for clock, model in _pictures(reel, stills, shooting):
        frame = render(model, size, look)
        if before is None or frame.lines != before.lines:
            yield _event(clock, ("" if before else BEGIN) + drawn(before, frame, look))
            before = frame
    yield _event(clock + LAST_S, END)


def _pictures(reel: Reel, stills: Stills, shooting: Shooting) -> Iterator[tuple[float, Model]]:
    """Every picture, and the second at which it is seen."""
    clock, how, rate = 0.0, shooting.how, shooting.rate
    film = Film(Speed.NORMAL, rate)
    model = stills.model(shooting.first, how)
    yield clock, model
    for place in range(shooting.first + 1, shooting.last + 1):
        clock += pause(reel.match(place - 1)) / rate
        film.add(stills.scene(place, how, Speed.NORMAL, rate))
        model, due = film.advance(model, 0.0)
        while due is not None:
            yield clock, replace(model, replay=stills.replay(place, how))  # as on the screen
            clock += due
            model, due = film.advance(model, due)
        model = stills.model(place, how)
        yield clock, model


def _event(clock: float, text: str) -> str:
    return json.dumps([round(clock, 3), "o", text], separators=(",", ":"))
