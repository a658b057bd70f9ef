"""A match as a score sheet: what a person would write down, one line a turn (`protocol/export.md`, The score sheet).

Law: a sheet holds public cards only, and as many of them as the rules need to come to the same tables again. One sheet,
one text: `read_sheet(write_sheet(sheet)) == sheet`.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.errors import sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.table import Outcome, Seat
from sm_p2p.rules.variant import STANDARD, Variant
from sm_p2p.session.effects import Said
from sm_p2p.session.events import Answered, Moved, Opened, event_of
from sm_p2p.session.state import Match, State
from sm_p2p.session.text import NAME_LENGTH, NOTE_LENGTH, clean
from sm_p2p.watch.replay import Step

VERSION: Final = 1
NO_DATE: Final = "?"
LAST_MS: Final = 253_402_300_799_999  # the end of the year 9999
NOTHING: Final = "(-)"

Remark: TypeAlias = tuple[int, Said]
"""A line of chat, and how many entries the log had when it was said."""


class Answer(NamedTuple):
    """What the other side has answered to a move: the pay-off card that is turned up, if one was due."""

    top: Card | None


@dataclass(frozen=True, slots=True)
class Ply:
    """A move, the card that it moves (None for `end`), and the answer to it, if it needed one and got it."""

    move: Move
    card: Card | None
    answer: Answer | None = None

    def __str__(self) -> str:
        if self.card is None:
            return str(self.move)
        if self.answer is None:
            return f"{self.move} {self.card}"
        return f"{self.move} {self.card} {NOTHING if self.answer.top is None else f'({self.answer.top})'}"


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn in which somebody has moved; `remarks` were made in it or behind it."""

    number: int
    seat: Seat
    plies: tuple[Ply, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetGame:
    """A game: the first two pay-off cards, seat 0's first, once they lie open; its turns; and how it ended."""

    number: int
    tops: tuple[Card, Card] | None = None
    turns: tuple[Turn, ...] = ()
    outcome: Outcome | None = None
    remarks: tuple[str, ...] = ()  # before the first move


@dataclass(frozen=True, slots=True)
class Sheet:
    """A match as far as it went. `match` and `head` are ids in hexadecimal digits; `names` by seat, one while alone."""

    match: str = ""
    entries: int = 0
    head: str = ""
    date: str = NO_DATE
    variant: Variant = STANDARD
    names: tuple[str, ...] = ()
    score: tuple[int, int] = (0, 0)
    is_finished: bool = False
    games: tuple[SheetGame, ...] = ()
    remarks: tuple[str, ...] = ()  # before the first game


def write_sheet(sheet: Sheet) -> str:
    """The text of a sheet, its last line ended as well."""
    return "".join(f"{line}\n" for line in _lines(sheet))


def _lines(sheet: Sheet) -> Iterator[str]:
    host, guest = (*sheet.names, "", "")[:2]
    tags = {
        "Sheet": str(VERSION),
        "Match": sheet.match,
        "Entries": str(sheet.entries),
        "Head": sheet.head,
        "Date": sheet.date,
        "Variant": str(sheet.variant),
        "Host": host,
        "Guest": guest,
        "Score": f"{sheet.score[0]}:{sheet.score[1]}",
        "Ending": "finished" if sheet.is_finished else "unfinished",
    }
    for name, value in tags.items():
        yield f'[{name} "{_escaped(value)}"]'
    yield from map(_comment, sheet.remarks)
    for game in sheet.games:
        yield ""
        yield f"Game {game.number}"
        if game.tops is not None:
            yield f"deal {game.tops[0]} {game.tops[1]}"
        yield from map(_comment, game.remarks)
        for turn in game.turns:
            yield f"{turn.number}. {sheet.names[turn.seat]}: {', '.join(map(str, turn.plies))}"
            yield from map(_comment, turn.remarks)
        yield f"= {'*' if game.outcome is None else game.outcome}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> str:
    return f"; {text}"


@dataclass(slots=True)
class Scribe:
    """Writes a match down while it is played back; `chat` has to be in the order of the log."""

    chat: Sequence[Remark] = ()
    _sheet: Sheet = field(default_factory=Sheet)
    _games: list[SheetGame] = field(default_factory=list)
    _said: int = 0  # how many lines of chat are written down

    def take(self, step: Step) -> None:
        """The next entry."""
        before, entry, after = step
        event = event_of(entry.kind, entry.data)
        if isinstance(event, Opened):
            self._sheet = replace(self._sheet, match=entry.id.hex(), date=_date(entry.time_ms))
        if after.game is not None and (not self._games or after.game.number > self._games[-1].number):
            self._games.append(SheetGame(after.game.number))
        if isinstance(event, Moved):
            self._move(event, before)
        elif isinstance(event, Answered):
            self._answer(before, after)
        if len(after.outcomes) > len(before.outcomes):
            self._games[-1] = replace(self._games[-1], outcome=after.outcomes[-1])
        self._sheet = replace(
            self._sheet,
            entries=entry.seq,
            head=entry.id.hex(),
            variant=after.variant,
            names=tuple(player.name for player in after.players),
            score=after.score.points,
            is_finished=after.is_over,
        )
        self._write_chat(entry.seq)

    @property
    def sheet(self) -> Sheet:
        """The sheet of what was played back so far."""
        rest = tuple(map(self._remark, self.chat[self._said :]))
        if rest and not self._games:
            return replace(self._sheet, remarks=(*self._sheet.remarks, *rest))
        games = [*self._games]
        if rest:
            games[-1] = _remarked(games[-1], rest)
        return replace(self._sheet, games=tuple(games))

    def _move(self, event: Moved, before: Match) -> None:
        table, game = sure(before.game).table, self._games[-1]
        move = Move.parse(event.move)
        card = None if move == END else Card(event.card) if event.card is not None else table.open_card(move)
        turns = [*game.turns]
        if not turns or turns[-1].number != table.turn:
            turns.append(Turn(table.turn, sure(table.to_move), ()))
        turns[-1] = replace(turns[-1], plies=(*turns[-1].plies, Ply(move, card)))
        self._games[-1] = replace(game, turns=tuple(turns))

    def _answer(self, before: Match, after: Match) -> None:
        game, table = self._games[-1], sure(after.game).table
        if before.state is State.SHOW:
            self._games[-1] = replace(game, tops=(sure(table.places[0].top), sure(table.places[1].top)))
        elif before.state is State.ANSWER:
            was = sure(before.game).table
            seat, is_due = sure(was.to_move), sure(was.owed).top
            *others, last = game.turns
            ply = replace(last.plies[-1], answer=Answer(table.places[seat].top if is_due else None))
            self._games[-1] = replace(game, turns=(*others, replace(last, plies=(*last.plies[:-1], ply))))

    def _write_chat(self, seq: int) -> None:
        while self._said < len(self.chat) and self.chat[self._said][0] <= seq:
            said = (self._remark(self.chat[self._said]),)
            self._said += 1
            if self._games:
                self._games[-1] = _remarked(self._games[-1], said)
            else:
                self._sheet = replace(self._sheet, remarks=(*self._sheet.remarks, *said))

    def _remark(self, remark: Remark) -> str:
        _, said = remark
        name = clean((*self._sheet.names, "", "")[said.seat], NAME_LENGTH)
        return f"{name}: {clean(said.text, NOTE_LENGTH)}"


def _remarked(game: SheetGame, remarks: tuple[str, ...]) -> SheetGame:
    """The game with these remarks behind everything in it."""
    if not game.turns:
        return replace(game, remarks=(*game.remarks, *remarks))
    *others, last = game.turns
    return replace(game, turns=(*others, replace(last, remarks=(*last.remarks, *remarks))))


def _date(time_ms: int) -> str:
    """The day, in UTC; a clock can say anything."""
    if time_ms > LAST_MS:
        return NO_DATE
    return (dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=time_ms)).strftime("%Y-%m-%d")
