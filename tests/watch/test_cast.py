"""A replay as a film: the same bytes each time, and what it shows is what the screen shows."""

import json
from dataclasses import replace

import pyte
import pytest
from ui.test_reel import REEL, reel_of

from sm_p2p.errors import sure
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.screen.ansi import drawn
from sm_p2p.ui.screen.frame import Frame, Size
from sm_p2p.ui.screen.looks import ASCII, CLASSES, UNICODE, Colours, Look
from sm_p2p.ui.screen.model import Replay
from sm_p2p.ui.screen.render import render
from sm_p2p.watch.cast import LAST_S, Shooting, cast_lines

HOW = Replay(entries=len(REEL))


def film(shooting: Shooting) -> list[str]:
    """The lines of a film."""
    return [*cast_lines(REEL, Stills(REEL), shooting)]


def shown(lines: list[str], size: Size) -> tuple[str, ...]:
    """What stands on a terminal of this size when the film is over."""
    screen = pyte.Screen(*size)
    stream = pyte.Stream(screen)
    for line in lines[1:]:
        stream.feed(json.loads(line)[2])
    return tuple(screen.display)


@pytest.mark.parametrize("look", [UNICODE, ASCII, Look(colours=Colours.FOUR), Look(colours=Colours.NONE)])
@pytest.mark.parametrize("size", [Size(80, 24), Size(48, 16)])
def test_a_film_ends_with_the_picture_of_its_last_place(size: Size, look: Look) -> None:
    last = REEL.first + 12
    lines = film(Shooting(4, last, 4.0, size, look, HOW))
    assert shown(lines, size) == render(Stills(REEL).model(last, HOW), size, look).text


def test_a_film_is_of_the_form_that_players_of_films_read() -> None:
    header, *events = map(json.loads, film(Shooting(0, 20, 1.0, how=HOW)))
    assert header == {
        "version": 2,
        "width": 80,
        "height": 24,
        "title": "Ana - Bo",
        "env": {"TERM": "xterm-256color"},
    }
    times = [event[0] for event in events]
    assert times == sorted(times)
    assert times[0] == 0
    assert times[-1] - times[-2] >= LAST_S
    assert {event[1] for event in events} == {"o"}
    assert all(event[2] for event in events)


def test_one_log_gives_one_film() -> None:
    shooting = Shooting(3, 12, 2.0, how=HOW)
    assert film(shooting) == film(shooting)
    assert film(shooting) == [*cast_lines(reel_of(), Stills(reel_of()), shooting)]


def test_it_runs_so_many_times_as_fast() -> None:
    slow, fast = (json.loads(film(Shooting(4, 12, rate, how=HOW))[-1])[0] - LAST_S for rate in (1.0, 4.0))
    assert abs(slow - 4 * fast) < 0.01


def test_cards_travel_in_it_and_the_seat_can_be_chosen() -> None:
    place = sure(REEL.turn(REEL.first, 2))
    lines = film(Shooting(REEL.first, place, how=HOW))
    assert len(lines) > 5 * (place - REEL.first)
    turned = film(Shooting(REEL.first, place, how=replace(HOW, seat=1)))
    assert shown(turned, Size(80, 24)) != shown(lines, Size(80, 24))


def test_every_style_has_its_codes_and_only_what_changes_is_written() -> None:
    for look in (UNICODE, ASCII, Look(colours=Colours.FOUR), Look(colours=Colours.NONE)):
        for name in CLASSES:
            assert drawn(None, Frame(((((f"class:{name}"), "x"),),)), look).replace("x", "")
    frame = Frame(((("", "one"),), (("class:sm.key", "two"),)))
    assert drawn(frame, frame, UNICODE) == ""
    other = Frame((frame.lines[0], (("", "2"),)))
    assert drawn(frame, other, UNICODE) == "\x1b[2;1H2"
    assert drawn(Frame(()), frame, UNICODE).startswith("\x1b[1;1Hone\x1b[2;1H\x1b[1;36m")
