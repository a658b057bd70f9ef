"""A replay in line mode: typed words lead from place to place, and what was played is told in sentences.

Law: output is only ever appended and holds no escape byte. Going on tells what happens on the way; going back, and a
jump, tell where one has come to. While it plays, a key stops it, so that no sentence breaks a line that is being typed.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sm_p2p.rules.cards import Card
from sm_p2p.rules.table import Seat
from sm_p2p.rules.view import View
from sm_p2p.session.state import State
from sm_p2p.ui.app.scenes import view_of
from sm_p2p.ui.board import find_stack, stack_line, table_lines
from sm_p2p.ui.commands import Nothing, Show, Unclear
from sm_p2p.ui.guide import rules_lines
from sm_p2p.ui.news import score_sheet, sentences
from sm_p2p.ui.printer import Printer
from sm_p2p.ui.reel import HIDDEN, Reel, pause
from sm_p2p.ui.reel_words import (
    Deed,
    Export,
    Jump,
    Order,
    Rate,
    Step,
    Unit,
    Walk,
    absent,
    closed,
    destination,
    faster,
    help_lines,
    read_order,
)
from sm_p2p.ui.screen.model import Replay
from sm_p2p.ui.typed import Keyboard, Typing
from sm_p2p.ui.verdicts import analysis_lines
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import HERE, Language, Words, tell_outcome

POLL_S: Final = 1.0  # between two looks at a log that somebody writes
MOST_WAITING: Final = 16  # chunks of what is typed that are read ahead


@dataclass(frozen=True, slots=True)
class Desk:
    """What the surroundings do.

    Read one more entry of so many (False: there is none), look at the hands of the game at a place, judge its moves, say
    what was checked, write the match into a file.
    """

    entries: Callable[[], int]
    more: Callable[[], bool]
    open_hands: Callable[[int], None]
    judge: Callable[[int], None]
    checks: Callable[[], Iterable[str]]
    export: Callable[[str, Replay], str]
    grow: Callable[[], bool] = lambda: False


class ReelLines:
    """Somebody who reads lines and types lines; `is_over` once he has seen enough."""

    def __init__(self, reel: Reel, printer: Printer, typing: Typing, desk: Desk, language: Language = HERE) -> None:
        self.is_over = False
        self.is_playing = False
        self.is_following = False
        self._reel = reel
        self._printer = printer
        self._typing = typing
        self._desk = desk
        self._language = language
        self._place = 0
        self._speed = "1"
        self._seat: Seat = 0
        self._is_open = False

    @property
    def pause_s(self) -> float:
        """How long the next entry waits while it plays, or the next look at a log that grows."""
        if self.is_following:
            return POLL_S
        return pause(self._reel.match(self._place)) / float(self._speed)

    def begin(self) -> None:
        """Say what lies here, and where we stand."""
        while not self._reel.is_dealt and self._desk.more():
            pass
        self._place = self._reel.first
        self._say(self._words.say("This is a replay; help lists what can be typed."))
        self._put(self._where())

    def take(self, chunk: bytes) -> None:
        """Act on what was typed; no bytes are the end of it."""
        lines = self._typing.feed(chunk)
        if self.is_playing and (lines or self._typing.is_open):
            self.is_playing = False
        if lines or self._typing.is_open:
            self.is_following = False
        for line in lines:
            if not self.is_over:
                self._obey(read_order(line, self._language))
        self._look_for_the_end()

    def tick(self) -> None:
        """The next entry while it plays, or those that were written meanwhile."""
        if self.is_following:
            self._follow_on()
        elif not self._step_on():
            self.is_playing = False
            self._say_the_end()

    # orders

    @property
    def _words(self) -> Words:
        return self._reel.words(self._language)

    def _obey(self, order: Order) -> None:
        match order:
            case Step(Unit.ENTRY | Unit.TURN, by) if by > 0:
                self._go_on(order)
            case Step() | Jump():
                self._go(order)
            case Rate(speed):
                self._run_at(speed)
            case Export(file):
                self._say(self._desk.export(file, Replay(speed=self._speed, is_open=self._is_open, seat=self._seat)))
            case Show(name):
                self._show(name)
            case Unclear(text):
                self._say(self._words.say("{text} is no word that is known here; help lists them.", text=text))
            case Nothing():
                pass
            case Deed():
                self._act(order)

    def _act(self, deed: Deed) -> None:
        match deed:
            case Deed.START | Deed.END:
                self._jump(0 if deed is Deed.START else self._last())
            case Deed.PLAY:
                self._play()
            case Deed.PAUSE:
                self.is_playing = False
            case Deed.FASTER | Deed.SLOWER:
                self._run_at(faster(self._speed, 1 if deed is Deed.FASTER else -1))
            case Deed.FOLLOW:
                self._follow()
            case Deed.OPEN:
                self._open()
            case Deed.ANALYSIS:
                self._analyse()
            case Deed.CLOSE | Deed.SEAT | Deed.TABLE:
                self._is_open = self._is_open and deed is not Deed.CLOSE
                self._seat = 1 - self._seat if deed is Deed.SEAT else self._seat
                self._put(self._table())
            case Deed.QUIT:
                self.is_over = True
            case _:
                self._put(self._read(deed))

    def _read(self, deed: Deed) -> Iterable[str]:
        """What can be read."""
        match deed:
            case Deed.SCORE:
                return score_sheet(self._words, self._reel.match(self._place))
            case Deed.CHECK:
                return self._desk.checks()
            case Deed.RULES:
                return rules_lines(self._words)
            case _:
                return help_lines(self._words)

    def _show(self, name: str) -> None:
        view = self._view
        stack = None if view is None else find_stack(view._replace(seat=self._seat), name)
        if view is None:
            self._say(self._words.say(Remark.NO_TABLE.value))
        elif stack is None:
            self._say(self._words.say(Remark.NO_STACK.value, stack=name))
        else:
            self._say(stack_line(self._words, view.table, stack))

    def _open(self) -> None:
        if self._has_opened():
            self._is_open = True
            self._put(self._table())

    def _analyse(self) -> None:
        if self._has_opened():
            self._desk.judge(self._place)
            analysis = self._reel.analysis(self._place)
            self._put(() if analysis is None else analysis_lines(self._words, analysis))

    def _has_opened(self) -> bool:
        """Whether the hands are known of the game on the table; why not, is said."""
        self._last()
        self._desk.open_hands(self._place)
        is_known = self._reel.faces(self._place) is not None
        if not is_known:
            self._say(closed(self._words, self._reel, self._place))
        return is_known

    def _run_at(self, speed: str) -> None:
        self._speed = speed
        self._say(self._words.say("It plays ×{speed}.", speed=speed))

    # walking

    def _go_on(self, step: Step) -> None:
        """Tell what happens on the way."""
        count = self._found(step) - self._place if step.unit is Unit.TURN else step.by
        for _ in range(count):
            if not self._step_on():
                self._say_the_end()
                return
        if step.unit is Unit.TURN and not count:
            self._say_the_end()

    def _step_on(self) -> bool:
        if self._place == len(self._reel) and not self._desk.more():
            return False
        self._place += 1
        told = sentences(self._words, self._reel.news(self._place))
        nothing = self._words.say("Entry {entry}: nothing was seen to happen.", entry=self._place)
        self._put(told or (() if self.is_playing or self.is_following else (nothing,)))
        return True

    def _go(self, walk: Walk) -> None:
        place = self._found(walk) if isinstance(walk, Step) else self._sought(walk)
        if place is None and isinstance(walk, Jump):
            self._say(absent(self._words, self._reel, self._place, walk))
        elif place is not None:
            self._jump(place)

    def _jump(self, place: int) -> None:
        self._place = place
        self._put(self._where())

    def _found(self, step: Step) -> int:
        """Where this leads; as much is read as is needed to know."""
        while True:
            place = destination(self._reel, self._place, step)
            if place is not None and (place < len(self._reel) or not self._desk.more()):
                return place

    def _sought(self, jump: Jump) -> int | None:
        while (place := destination(self._reel, self._place, jump)) is None and self._desk.more():
            pass
        return place

    def _last(self) -> int:
        while self._desk.more():
            pass
        return len(self._reel)

    def _play(self) -> None:
        self.is_playing = True
        while self.is_playing and not isinstance(self._typing, Keyboard):  # nobody could stop it there
            self.tick()

    def _follow(self) -> None:
        """Be at the end, and tell from there on what happens; whoever types ends it."""
        self._last()
        if self._reel.match(len(self._reel)).state is State.CLOSED or not self._desk.grow():
            self._say(self._words.say("This match is not being played now; there is nothing to follow."))
            return
        self._jump(self._last())
        self._say(self._words.say("From here on it is told as it is played."))
        self.is_following = True

    def _follow_on(self) -> None:
        is_written = self._desk.grow()
        while self._step_on():
            pass
        if not is_written or self._reel.match(self._place).state is State.CLOSED:
            self.is_following = False
            self._say_the_end()
        self._look_for_the_end()

    def _look_for_the_end(self) -> None:
        """It is over for whoever can type no more, but for one who follows."""
        is_over = self._typing.is_over and not (self.is_following and not isinstance(self._typing, Keyboard))
        self.is_over = self.is_over or is_over or self._printer.is_gone

    # saying

    def _where(self) -> Iterator[str]:
        words, match = self._words, self._reel.match(self._place)
        entry, entries = self._place, max(self._desk.entries(), len(self._reel))
        if match.game is None:
            yield words.say("Entry {entry} of {entries}.", entry=entry, entries=entries)
        else:
            yield words.say(
                "Entry {entry} of {entries}: game {game}, turn {turn}.",
                entry=entry,
                entries=entries,
                game=match.game.number,
                turn=match.game.table.turn,
            )
        if self._view is not None:
            yield from self._table()

    def _table(self) -> Iterator[str]:
        words, view = self._words, self._view
        if view is None:
            yield words.say(Remark.NO_TABLE.value)
            return
        lines = table_lines(words, view)
        yield from lines if self._seat == 0 else reversed(lines)
        if view.faces:
            yield from (self._hand(view, seat) for seat in (self._seat, 1 - self._seat))
        if view.table.outcome is not None:
            yield tell_outcome(words, view.table.outcome)
        elif view.table.to_move is not None:
            yield words.say("{name}'s turn.", name=words.name(view.table.to_move))

    def _hand(self, view: View, seat: Seat) -> str:
        cards = [
            f"h{at} {_face(view.faces.get(slot))}"
            for at, slot in enumerate(view.table.places[seat].hand, 1)
            if slot is not None
        ]
        name = self._words.name(seat)
        if not cards:
            return self._words.say("{name}'s hand: empty.", name=name)
        return self._words.say("{name}'s hand: {cards}.", name=name, cards=", ".join(cards))

    @property
    def _view(self) -> View | None:
        faces = self._reel.faces(self._place) if self._is_open else None
        return view_of(self._reel.match(self._place), None, faces or HIDDEN)

    def _say_the_end(self) -> None:
        self._say(self._words.say("This is the end of the log."))

    def _say(self, sentence: str) -> None:
        self._put([sentence])

    def _put(self, lines: Iterable[str]) -> None:
        self._printer.put(lines)


async def run(lines: ReelLines, read: Callable[[], bytes]) -> None:
    """Let it be read until it is over; `read` blocks until there are bytes, gives none at the end, and has its own thread."""
    loop, typed = asyncio.get_running_loop(), asyncio.Queue[bytes]()
    room = threading.Semaphore(MOST_WAITING)

    def listen() -> None:
        chunk = b"-"
        while chunk:
            room.acquire()
            try:
                chunk = read()
            except OSError:
                chunk = b""
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(typed.put_nowait, chunk)

    lines.begin()
    threading.Thread(target=listen, name="lines", daemon=True).start()
    while not lines.is_over:
        try:
            async with asyncio.timeout(lines.pause_s if lines.is_playing or lines.is_following else None):
                chunk = await typed.get()
        except TimeoutError:
            lines.tick()
            continue
        room.release()
        lines.take(chunk)


def _face(card: Card | None) -> str:
    return "?" if card is None else card.face
