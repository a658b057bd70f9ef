"""From an entry of the match to what is seen of it: pictures, lines of the log, marks, a moment.

Law: a scene is made from the entry and from the faces that its game has shown us, never from anything newer.
"""

import math
from collections.abc import Mapping
from typing import Final

from sm_p2p.rules.cards import Card
from sm_p2p.rules.table import Seat, Slot
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced
from sm_p2p.session.events import ANSWERED, MOVED, OPENED
from sm_p2p.session.state import IN_GAME, Match
from sm_p2p.ui.app.choices import Speed
from sm_p2p.ui.app.film import UNIT_S, Scene
from sm_p2p.ui.banners import banner, log_lines
from sm_p2p.ui.flights import flights, undealt
from sm_p2p.ui.news import sentences
from sm_p2p.ui.screen.model import LogLine, Moment
from sm_p2p.ui.screen.spots import Spots
from sm_p2p.ui.words import Words, tell

Faces = Mapping[Slot, Card]
GREAT_S: Final = 20.0  # how long the end of a game is shown to somebody who presses nothing
SMALL_UNITS: Final = 4


def scene(words: Words, news: Advanced, seat: Seat | None, faces: Faces, marks: Spots | None, speed: Speed) -> Scene:
    """The scene of an entry; `faces` are those of the game that it belongs to."""
    before, after = view_of(news.before, seat, faces), view_of(news.after, seat, faces)
    shots = (
        ()
        if before is None or after is None or not news.after.happened
        else flights(before, news.after.happened, after)
    )
    moment = banner(words, news.before, news.after)
    held = 0.0
    if moment is not None:
        held = SMALL_UNITS * UNIT_S[speed]
        if moment.lines:
            held = math.inf if moment.moment is Moment.MATCH else GREAT_S
    follows = moment is None and news.entry.kind == ANSWERED
    return Scene(news.after, after, shots, lines_of(words, news), marks, moment, held, follows)


def view_of(match: Match, seat: Seat | None, faces: Faces) -> View | None:
    """The table as this seat (None: an onlooker) sees it, all cards in the stock until they are dealt; None if there is none."""
    if match.game is None:
        return None
    view = View(match.game.table, seat, faces)
    return view if view.table.turn else undealt(view)


def lines_of(words: Words, news: Advanced) -> tuple[LogLine, ...]:
    """What the log says about an entry: what happened at the table, and everything else in sentences."""
    lines = log_lines(news.before, news.after)
    if _is_play(news):
        return lines
    said = {tell(words, happening) for happening in news.after.happened}
    others = [sentence for sentence in sentences(words, news) if sentence not in said]
    if news.entry.kind == OPENED:
        del others[1:]  # the house rules stand among the details of the connection
    return (*lines, *(LogLine(0, sentence) for sentence in others))


def _is_play(news: Advanced) -> bool:
    """Whether an entry in the middle of a game has told everything with what it did; most entries are such."""
    return news.entry.kind in {MOVED, ANSWERED} and news.after.state in IN_GAME
