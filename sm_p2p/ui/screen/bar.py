"""The first row: game and turn, the score, the way to the other side, the log.

Law: of a row that is too long the words go first, then the names are cut; nothing is left out before that.
"""

from collections.abc import Iterator
from typing import assert_never

from sm_p2p.session.talk import Way
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import cut, text_width
from sm_p2p.ui.screen.frame import Rect
from sm_p2p.ui.screen.model import Link, Model, Opponent
from sm_p2p.ui.screen.short import who
from sm_p2p.ui.words import Words

HEAD_DIGITS = 4
DIVIDER = " │ "
_NAMES = (24, 12, 8, 5, 3)  # cells of a name, the longest that fit


def draw_bar(canvas: Canvas, model: Model) -> None:
    """The row, reversed; while the log is broken, it says so first."""
    columns = canvas.size.columns
    parts = next(
        (parts for parts in _forms(model) if text_width(DIVIDER.join(parts)) <= columns - 2), [*_forms(model)][-1]
    )
    style = "sm.bar" if model.stopped is None else "sm.bar sm.warn"
    canvas.line(Rect(0, 0, columns, 1), 0, f" {DIVIDER.join(parts)}", style)
    canvas.zone(Rect(0, 0, columns, 1), "i")


def _forms(model: Model) -> Iterator[list[str]]:
    """The parts of the row, the longest form first."""
    for part in (_long, _short):
        for cells in _NAMES:
            names = (cut(who(model.words, 0), cells), cut(who(model.words, 1), cells))
            yield [text for text in part(model, names) if text]


def _long(model: Model, names: tuple[str, str]) -> list[str]:
    words, match, view = model.words, model.match, model.view
    bottom = model.bottom
    mine, theirs = match.score.points[bottom], match.score.points[1 - bottom]
    game = words.say("Game {game}", game=match.game_number)
    if view is not None and view.table.turn:
        game = words.say("Game {game} · turn {turn}", game=match.game_number, turn=view.table.turn)
    score = words.say(
        "{you} {mine} : {theirs} {other} (to {target})",
        you=names[bottom],
        mine=mine,
        theirs=theirs,
        other=names[1 - bottom],
        target=match.variant.target,
    )
    return [*_broken(model), game, score, link_text(words, model.link, names[1 - bottom]), _log(model)]


def _short(model: Model, names: tuple[str, str]) -> list[str]:
    words, match, view = model.words, model.match, model.view
    bottom = model.bottom
    turn = 0 if view is None else view.table.turn
    mine, theirs = match.score.points[bottom], match.score.points[1 - bottom]
    score = f"{names[bottom]} {mine}:{theirs} {names[1 - bottom]}"
    mark = "" if model.stopped is not None or not match.chain.head else f"✓ {_head(model)}"
    game = words.say("G{game} t{turn}", game=match.game_number, turn=turn)
    return [*_broken(model), game, score, link_text(words, model.link, names[1 - bottom]), mark]


def _broken(model: Model) -> tuple[str, ...]:
    if model.stopped is None:
        return ()
    return (model.words.say("LOG BROKEN at entry {entry}", entry=model.stopped.seq),)


def _log(model: Model) -> str:
    if model.stopped is not None or not model.match.chain.head:
        return ""
    return model.words.say("log verified ✓ {head}", head=_head(model))


def _head(model: Model) -> str:
    return model.match.chain.head.hex()[:HEAD_DIGITS]


def link_text(words: Words, link: Link, name: str) -> str:
    """How the way to the other side is: a sign and a word."""
    watchers = f" {words.say('◇ {n} watching', n=link.watchers)}" if link.watchers else ""
    if link.opponent is Opponent.COMPUTER:
        return words.say("◆ computer") + watchers
    if link.opponent is Opponent.NOBODY:
        return words.say("◇ watching") + watchers
    if link.is_away:
        return words.say("○ {name} away", name=name) + watchers
    return _way(words, link, name) + watchers


def _way(words: Words, link: Link, name: str) -> str:
    match link.way:
        case Way.CONNECTING:
            return words.say("○ connecting")
        case Way.RECONNECTING:
            return words.say("○ reconnecting {n} s", n=link.waited_s)
        case Way.UP:
            return words.say("● {name} {n} ms", name=name, n=link.step_ms) if link.step_ms else f"● {name}"
        case _:
            assert_never(link.way)
