"""Reading a score sheet, and playing it again.

Law: a text is read only if it is the one text of a sheet whose every move is legal and whose results follow from them;
anything else is a `Fault` that names the line: `bad-shape`, `bad-variant`, `other-version` or `illegal-move`.
"""

import datetime as dt
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from typing import Final

from sm_p2p.errors import Code, Fault, IllegalMove, UsageError, sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.play import deal, play, resign, settle, turn_up
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import How, Outcome, Seat, Table
from sm_p2p.rules.variant import Variant
from sm_p2p.session.text import NAME_LENGTH, NOTE_LENGTH, check_text
from sm_p2p.watch.sheet import NO_DATE, NOTHING, VERSION, Answer, Ply, Sheet, SheetGame, Turn, write_sheet

TAGS: Final = ("Sheet", "Match", "Entries", "Head", "Date", "Variant", "Host", "Guest", "Score", "Ending")
MOST_CHARACTERS: Final = 16 * 1024 * 1024
_TAG: Final = re.compile(r'\[([A-Z][a-z]+) "((?:[^"\\]|\\["\\])*)"\]')
_PLY: Final = re.compile(r"([^ ()]+)(?: ([^ ()]+)(?: \(([^ ()]+)\))?)?")
_TURN: Final = re.compile(r"([1-9][0-9]{0,8})\. (.*)")
_GAME: Final = re.compile(r"Game ([1-9][0-9]{0,8})")
_ID: Final = re.compile(r"[0-9a-f]{64}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def read_sheet(text: str) -> Sheet:
    """The sheet with this text; Fault."""
    if len(text) > MOST_CHARACTERS:
        raise Fault(Code.TOO_LARGE, "this is too long for a score sheet")
    sheet = _Reader(text).sheet()
    for at, (line, right) in enumerate(zip_longest(text.split("\n"), write_sheet(sheet).split("\n")), 1):
        if line != right:
            raise Fault(Code.BAD_SHAPE, "line {line} of the sheet is not written in the one way", line=at)
    final_tables(sheet)
    return sheet


def final_tables(sheet: Sheet) -> tuple[Table, ...]:
    """The table that each game ends with; Fault `illegal-move` where the rules or the sheet's own results say no."""
    score, tables = Score(), list[Table]()
    for number, game in enumerate(sheet.games, 1):
        if game.number != number or (number > 1 and sheet.games[number - 2].outcome is None):
            raise Fault(Code.ILLEGAL_MOVE, "game {number} does not follow a game that has ended", number=game.number)
        if score.winner(sheet.variant) is not None:
            raise Fault(Code.ILLEGAL_MOVE, "game {number} was played after the match had ended", number=number)
        table = _played(sheet, game, score)
        tables.append(table)
        if table.outcome is not None:
            score = score.after(table.outcome, table.began)
    is_finished = score.winner(sheet.variant) is not None
    if (score.points, is_finished) != (sheet.score, sheet.is_finished):
        raise Fault(Code.ILLEGAL_MOVE, "the score does not follow from the games")
    return tuple(tables)


def _played(sheet: Sheet, game: SheetGame, score: Score) -> Table:
    """The final table of a game."""
    table = deal(sheet.variant, score.tie_break)
    with _legal(f"game {game.number}"):
        if game.tops is not None:
            for seat, top in enumerate(game.tops):
                table = turn_up(table, seat, top)
    for turn in game.turns:
        with _legal(f"game {game.number}, turn {turn.number}"):
            table = _turn(table, turn)
    with _legal(f"game {game.number}"):
        if game.outcome is not None and game.outcome.how is How.RESIGN:
            table = resign(table, 1 - sure(game.outcome.winner))
        if table.outcome != game.outcome:
            raise Fault(Code.ILLEGAL_MOVE, "the result does not follow from the moves")
    return table


def _turn(table: Table, turn: Turn) -> Table:
    for ply in turn.plies:
        if (table.turn, table.to_move) != (turn.number, turn.seat):
            raise Fault(Code.ILLEGAL_MOVE, "this is another turn, or the turn of somebody else")
        if (ply.card is None) != (ply.move == END):
            raise Fault(
                Code.ILLEGAL_MOVE,
                "{move} is written without a card" if ply.move == END else "{move} is written with a card",
                move=ply.move,
            )
        table = play(table, ply.move, ply.card)
        if ply.answer is not None:
            table = settle(table, ply.answer.top)
    return table


@contextmanager
def _legal(place: str) -> Iterator[None]:
    try:
        yield
    except IllegalMove as error:
        raise Fault(Code.ILLEGAL_MOVE, "{place}: {error}", place=place, error=error) from error
    except Fault as fault:
        raise Fault(fault.code, "{place}: {sentence}", place=place, sentence=fault.sentence) from fault


class _Reader:
    """The lines of a text, taken one by one; what is not of the one form is found out by writing it again."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0

    def sheet(self) -> Sheet:
        """The sheet that the lines look like."""
        tags = {name: self._tag(name) for name in TAGS[:1]}
        if tags["Sheet"] != str(VERSION):
            said = tags["Sheet"] if _NUMBER.fullmatch(tags["Sheet"]) else "?"
            raise Fault(
                Code.OTHER_VERSION,
                "a sheet of version {said}; this program reads version {version}",
                said=said,
                version=VERSION,
            )
        tags |= {name: self._tag(name) for name in TAGS[1:]}
        names = tuple(self._harmless(name, NAME_LENGTH) for name in (tags["Host"], tags["Guest"]) if name)
        first, _, second = tags["Score"].partition(":")
        numbers = [tags["Entries"], first, second]
        if not tags["Host"] or not _is_date(tags["Date"]) or not all(map(_NUMBER.fullmatch, numbers)):
            raise self._fault("one of the tags is not as it should be")
        if not all(_ID.fullmatch(tags[name]) for name in ("Match", "Head")):
            raise self._fault("an id has 64 hexadecimal digits")
        try:
            variant = Variant.parse(tags["Variant"])
        except UsageError as error:
            raise Fault(Code.BAD_VARIANT, "line {line}: {why}", line=TAGS.index("Variant") + 1, why=error) from error
        entries, mine, theirs = map(int, numbers)
        return Sheet(
            tags["Match"],
            entries,
            tags["Head"],
            tags["Date"],
            variant,
            names,
            (mine, theirs),
            tags["Ending"] == "finished",
            remarks=self._remarks(),
            games=self._games(names),
        )

    def _games(self, names: tuple[str, ...]) -> tuple[SheetGame, ...]:
        games: list[SheetGame] = []
        began: Seat | None = None  # the last game whose two cards lay open
        while self._next == "" and self._at + 1 < len(self._lines):
            self._take()
            if len(names) < 2:
                raise self._fault("a game needs two players")
            found = _GAME.fullmatch(self._take())
            if found is None:
                raise self._fault("a game begins with its number")
            tops = self._tops()
            began = began if tops is None else _beginner(tops, began)
            remarks, turns = self._remarks(), list[Turn]()
            while not self._next.startswith("= "):
                turns.append(self._turn(names, None if tops is None else began))
            games.append(SheetGame(int(found[1]), tops, tuple(turns), self._outcome(self._take()[2:]), remarks))
        return tuple(games)

    def _tops(self) -> tuple[Card, Card] | None:
        if not self._next.startswith("deal "):
            return None
        cards = tuple(map(self._card, self._take().split(" ")[1:]))
        if len(cards) != 2:
            raise self._fault("a deal opens two cards")
        return cards[0], cards[1]

    def _turn(self, names: tuple[str, ...], began: Seat | None) -> Turn:
        found = _TURN.fullmatch(self._take())
        if found is None or began is None:
            raise self._fault("neither a turn of a game that was dealt nor a result")
        number, rest = int(found[1]), found[2]
        seat = (began + number - 1) % 2
        prefix = f"{names[seat]}: "
        plies = self._plies(rest.removeprefix(prefix)) if rest.startswith(prefix) else ()
        if not plies:
            raise self._fault("a turn is a number, the name of whose turn it is, and moves")
        return Turn(number, seat, plies, self._remarks())

    def _plies(self, text: str) -> tuple[Ply, ...]:
        plies = []
        for part in text.split(", "):
            found = _PLY.fullmatch(part)
            if found is None:
                return ()
            move, card, top = found.groups()
            answer = None if top is None else Answer(None if f"({top})" == NOTHING else self._card(top))
            plies.append(Ply(self._move(move), None if card is None else self._card(card), answer))
        return tuple(plies)

    def _move(self, text: str) -> Move:
        try:
            return Move.parse(text)
        except UsageError as error:
            raise self._fault(error.told, Code.ILLEGAL_MOVE) from error

    def _card(self, text: str) -> Card:
        try:
            return Card.parse(text)
        except UsageError as error:
            raise self._fault(error.told, Code.ILLEGAL_MOVE) from error

    def _outcome(self, text: str) -> Outcome | None:
        try:
            return None if text == "*" else Outcome.parse(text)
        except UsageError as error:
            raise self._fault(error.told) from error

    def _remarks(self) -> tuple[str, ...]:
        remarks: list[str] = []
        while self._next.startswith("; "):
            remarks.append(self._harmless(self._take()[2:], NAME_LENGTH + 2 + NOTE_LENGTH))
        return tuple(remarks)

    def _harmless(self, text: str, length: int) -> str:
        try:
            check_text(text, length, Code.BAD_SHAPE)
        except Fault as fault:
            raise self._fault(fault.sentence) from fault
        return text

    def _tag(self, name: str) -> str:
        found = _TAG.fullmatch(self._take())
        if found is None or found[1] != name:
            raise self._fault(f"the tag {name} is expected here")
        return re.sub(r"\\(.)", r"\1", found[2])

    @property
    def _next(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else "= "

    def _take(self) -> str:
        if self._at >= len(self._lines):
            raise self._fault("the sheet ends too early")
        self._at += 1
        return self._lines[self._at - 1]

    def _fault(self, sentence: str, code: Code = Code.BAD_SHAPE) -> Fault:
        return Fault(code, "line {line} of the sheet: {why}", line=self._at, why=sentence)


def _beginner(tops: tuple[Card, Card], before: Seat | None) -> Seat:
    """Who begins a game with these two cards, after one that `before` has begun."""
    first, second = tops[0].rank, tops[1].rank
    return int(first < second) if first != second else 1 if before is None else 1 - before


def _is_date(text: str) -> bool:
    if text == NO_DATE:
        return True
    try:
        return bool(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII) and dt.date.fromisoformat(text))
    except ValueError:
        return False
