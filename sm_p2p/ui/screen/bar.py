"""The first row: game and turn, the score, the way to the other side, the log.

Law: of a row that is too long words go first, then names are cut, then whole parts are left out from the right.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from sm_p2p.rules.table import Seat
from sm_p2p.session.talk import Way
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import cut, text_width
from sm_p2p.ui.screen.frame import Rect
from sm_p2p.ui.screen.model import Link, Model, Opponent, Replay
from sm_p2p.ui.screen.short import who
from sm_p2p.ui.words import Words

HEAD_DIGITS: Final = 4
DIVIDER: Final = " │ "
TITLE: Final = "Spite & Malice"


class _Form(NamedTuple):
    """How long each part is: how many words are left out, and the cells of a name."""

    less: int
    name: int


_FORMS: Final = (
    *(_Form(0, name) for name in (24, 12)),
    *(_Form(1, name) for name in (12, 8)),
    *(_Form(2, name) for name in (12, 8)),
    *(_Form(3, name) for name in (12, 8)),
    *(_Form(4, name) for name in (8, 5, 3)),
    *(_Form(5, name) for name in (8, 5, 3)),
)


def draw_bar(canvas: Canvas, model: Model) -> None:
    """The row, reversed; while the log is broken, it says so first."""
    columns = canvas.size.columns
    parts: list[str] = []
    for parts in _forms(model):
        if _width(parts) <= columns - 2:
            break
    while len(parts) > 1 and _width(parts) > columns - 2:
        del parts[-1]
    style = "sm.bar" if model.stopped is None else "sm.bar sm.warn"
    canvas.line(Rect(0, 0, columns, 1), 0, f" {DIVIDER.join(parts)}", style)
    canvas.zone(Rect(0, 0, columns, 1), "i")


def link_text(words: Words, link: Link, name: str, *, is_short: bool = False) -> str:
    """How the way to the other side is: a sign and a word."""
    way = _way(words, link, name, is_short=is_short)
    watchers = words.say("◇ watching {n}", n=link.watchers) if link.watchers and not is_short else ""
    if link.opponent is Opponent.NOBODY:
        return watchers or way
    return f"{way} {watchers}".rstrip()


def _way(words: Words, link: Link, name: str, *, is_short: bool) -> str:
    if link.opponent is Opponent.COMPUTER:
        return "◆" if is_short else words.say("◆ computer")  # its name stands beside it
    if link.opponent is Opponent.NOBODY:
        return words.say("◇ watching")
    if link.is_away:
        return words.say("○ {name} away", name=name)
    match link.way:
        case Way.CONNECTING:
            return words.say("○ connecting")
        case Way.RECONNECTING:
            n = link.waited_s
            return words.say("○ {n} s", n=n) if is_short else words.say("○ reconnecting {n} s", n=n)
        case Way.UP:
            return words.say("● {name} {n} ms", name=name, n=link.step_ms) if link.step_ms else f"● {name}"
        case _:
            assert_never(link.way)


def _width(parts: list[str]) -> int:
    return text_width(DIVIDER.join(parts))


def _forms(model: Model) -> Iterator[list[str]]:
    """The parts of the row, the longest form first."""
    if not model.match.players:
        yield [TITLE]
        return
    for form in _FORMS:
        names = (_name(model.words, 0, form.name), _name(model.words, 1, form.name))
        link = link_text(model.words, model.link, names[1 - model.bottom], is_short=form.less > 3)
        if model.replay is not None and form.less > 4:
            link = ""  # what was checked is said before how it is looked at
        elif model.replay is not None and not model.replay.is_live:
            link = model.words.say("replay")
        log, broken = _log(model, form.less)
        parts = (broken, _game(model, form.less), _score(model, names, form.less), link, log)
        yield [part for part in parts if part]


def _name(words: Words, seat: Seat, cells: int) -> str:
    """What a player is called here; the word for the reader himself is never cut."""
    return who(words, seat) if words.is_you(seat) else cut(who(words, seat), cells)


def _game(model: Model, less: int) -> str:
    words, game = model.words, model.match.game_number
    turn = 0 if model.view is None else model.view.table.turn
    if not turn:
        return words.say("Game {game}", game=game) if less < 3 else words.say("G{game}", game=game)
    if less < 3:
        return words.say("Game {game} · turn {turn}", game=game, turn=turn)
    return words.say("G{game} t{turn}", game=game, turn=turn)


def _score(model: Model, names: tuple[str, str], less: int) -> str:
    if len(model.match.players) < 2:
        return ""
    words, bottom, points = model.words, model.bottom, model.match.score.points
    you, other, mine, theirs = names[bottom], names[1 - bottom], points[bottom], points[1 - bottom]
    if less > 3:
        return f"{you} {mine}:{theirs} {other}"
    score = f"{you} {mine} : {theirs} {other}"
    return score if less > 1 else words.say("{score} (to {target})", score=score, target=model.match.variant.target)


def _log(model: Model, less: int) -> tuple[str, str]:
    """The log as it should be, and as it should not."""
    words, head = model.words, model.match.chain.head.hex()[:HEAD_DIGITS]
    if model.stopped is not None:
        return "", words.say("LOG BROKEN at entry {entry}", entry=model.stopped.seq)
    if model.replay is not None:
        return _checked(words, model.replay, head, less)
    if not head:
        return "", ""
    return f"✓ {head}" if less else words.say("log verified ✓ {head}", head=head), ""


def _checked(words: Words, replay: Replay, head: str, less: int) -> tuple[str, str]:
    """The log of a match that is looked at: never more than what was checked of it."""
    checked, broken = replay.checked, ""
    if checked.broken_at:
        broken = words.say("LOG BROKEN at entry {entry}", entry=checked.broken_at)
    is_proved = checked.since <= max(replay.entry, 1) <= checked.proofs
    if checked.percent is not None and not is_proved:
        n = checked.percent
        return words.say("{n} % checked", n=n) if less else words.say("checking proofs {n} %", n=n), broken
    if not head:
        return "", broken
    if is_proved and checked.since > 1:  # of the game that is played; earlier ones are checked behind
        return words.say("game ✓ {head}", head=head) if less else words.say("game verified ✓ {head}", head=head), broken
    if is_proved:
        return f"✓ {head}" if less else words.say("log verified ✓ {head}", head=head), broken
    return head if less else words.say("proofs not checked {head}", head=head), broken
