"""Line mode: one sentence an event, one line a wish, nothing that a screen reader or a script could stumble over.

Law: output is only ever appended, holds no escape byte, and there is no prompt. Where both ends are a terminal, keys are
read one by one and echoed here: only so is it known that a line is being typed, and everything that happens meanwhile is
held back until Enter (a terminal that edits its lines itself does not tell; redrawing a broken line takes escapes).

Typed moves wait for our turn. At a terminal every other word acts at once. In a pipe, everything is taken in order: a
line waits for the lines before it, `hint` and `moves` for our turn, every question about the table until somebody is to
move and nothing is under way; so a script gives the same dialogue each time. When the pipe has ended and all of it was
played out, the player leaves as soon as the next line would be needed.
"""

import asyncio
import contextlib
import io
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import partial
from typing import Final

from sm_p2p.errors import sure
from sm_p2p.rules.variant import Hints
from sm_p2p.rules.view import View
from sm_p2p.session.state import IN_GAME
from sm_p2p.session.talk import Agree, Claim, Leave, News, Refuse, Resign, Say, Situation, Wish
from sm_p2p.ui.advice import Advice, Adviser, Counsel
from sm_p2p.ui.commands import Command, Nothing, Play, PlayFrom, Show, Unclear, Word, read_command
from sm_p2p.ui.jsonl import JsonLines
from sm_p2p.ui.printer import Printer
from sm_p2p.ui.spoken import Spoken
from sm_p2p.ui.standing import Standing
from sm_p2p.ui.terminal import CAN_LISTEN, Terminal, listening
from sm_p2p.ui.typed import Keyboard, Pipe, Typing
from sm_p2p.ui.voice import Remark, Voice
from sm_p2p.ui.words import HERE, Language

CHUNK: Final = 65_536  # bytes that are read at once: all that a pipe holds
MOST_WAITING: Final = 256  # lines that wait before no more are read
Source = Callable[[], bytes]


class Form(Enum):
    """What is written."""

    WORDS = "sentences"
    JSON = "JSON Lines"


class Lines:
    """A player who reads lines and types lines.

    `read` blocks until there are bytes and gives none at the end; it is called in a thread of its own, from the first
    `wish` on. `adviser` gives hints, `hints` allows them beyond what the variant allows.
    """

    def __init__(
        self,
        read: Source,
        printer: Printer,
        typing: Typing,
        voice: Voice,
        adviser: Adviser | None = None,
        hints: Hints = Hints.NO,
        terminal: Terminal | None = None,
    ) -> None:
        self._read = read
        self._printer = printer
        self._typing = typing
        self._voice = voice
        self._counsel = Counsel(adviser)
        self._hints = hints
        self._terminal = terminal
        self._is_live = isinstance(typing, Keyboard)
        self._thread: threading.Thread | None = None
        self._room = threading.Semaphore(1)  # the reading thread takes it before each chunk
        self._is_full = False
        self._wishes: asyncio.Queue[Wish] = asyncio.Queue()
        self._waiting: deque[Command] = deque()
        self._held: list[str] = []
        self._standing = Standing()
        self._announced = b""  # the entry at which we were last called to move
        self._turn = (b"", 0, 0)  # of which match, game and turn that was
        self._doubted: Word | None = None  # what it was asked whether we really want
        self._has_left = False
        self._is_closed = False

    # The player that the peer knows

    async def wish(self) -> Wish:
        """The next thing that was typed, when it can be done; again and again Leave once the player has left."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            if self._terminal is not None:
                self._terminal.attend(loop)
            self._thread = threading.Thread(target=self._listen, args=(loop,), name="lines", daemon=True)
            self._thread.start()
        if self._has_left and self._wishes.empty():
            return Leave()
        return await self._wishes.get()

    def show(self, news: News, now: Situation) -> None:
        """Tell what happened, and whose turn it is if that is ours."""
        if self._has_left:
            return
        self._standing.note(news, now)
        self._tell(self._voice.news(news, now))
        chain = now.match.chain
        if self._standing.is_to_move and chain.head != self._announced:
            self._announced = chain.head
            turn = (chain.match, now.match.game_number, sure(now.view).table.turn)
            self._tell(self._voice.again(now) if turn == self._turn else self._voice.turn(now))
            self._turn = turn
        self._go_on()

    # What else its surroundings may ask

    def notice(self, sentence: str) -> None:
        """Say something that happened outside the match; it does not break a line that is being typed."""
        if not self._has_left:
            self._tell(self._voice.notice(sentence))

    def leave(self) -> None:
        """Wish to leave now, as `quit` does; again is harmless."""
        if not self._has_left:
            self._has_left = True
            self.close()
            self._printer.put(self._voice.remark(Remark.LEAVING))
            self._wishes.put_nowait(Leave())

    def close(self) -> None:
        """Say what was held back; a line that is half typed now is never finished."""
        if self._typing.is_open and not self._is_closed:
            self._printer.echo("\n")
        self._is_closed = True
        self._printer.put(self._held)
        self._held = []
        self._room.release()  # whoever reads for us is told that there is nothing more to read

    # Reading

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand over what comes, one chunk after the other, until the end or until nobody listens any more."""
        chunk = b"-"
        while chunk:
            self._room.acquire()
            if self._is_closed:  # what comes now is for somebody else
                return
            try:
                chunk = self._read()
            except OSError:
                chunk = b""
            try:
                loop.call_soon_threadsafe(self._take, chunk)
            except RuntimeError:  # the loop is closed
                return

    def _take(self, chunk: bytes) -> None:
        """Act on what was typed, now or when its moment comes."""
        if self._has_left:
            return
        lines = self._typing.feed(chunk)
        if not self._typing.is_open:
            held, self._held = self._held, []
            self._tell(held)
        for line in lines:
            command = read_command(line, self._voice.language)
            if not self._is_live:
                self._waiting.append(command)
            elif isinstance(command, Play | PlayFrom):
                self._waiting.append(command)
                if not self._standing.is_ready(self._waiting[0]):
                    self._remark(Remark.WAITS, move=str(command.move if isinstance(command, Play) else command.source))
            else:
                self._do(command)
        self._is_full = True
        self._go_on()

    def _tell(self, lines: Iterable[str]) -> None:
        if self._typing.is_open and not self._is_closed:
            self._held += lines
        else:
            self._printer.put(lines)
        if self._printer.is_gone and not self._has_left:
            self.leave()

    def _remark(self, remark: Remark, **values: str) -> None:
        self._tell(self._voice.remark(remark, **values))

    def _go_on(self) -> None:
        """Do what waited for this moment; leave when nothing is left to wait for."""
        while (
            self._waiting
            and not (self._has_left or self._counsel.is_thinking)
            and self._standing.is_ready(self._waiting[0])
        ):
            self._do(self._waiting.popleft())
        if self._typing.is_over and not self._has_left and self._is_done:
            self.leave()
        if self._is_full and len(self._waiting) < MOST_WAITING:
            self._is_full = False
            self._room.release()

    @property
    def _is_done(self) -> bool:
        """Whether a player from whom no line will come can leave: a pipe's at the moment when he would be asked."""
        if self._counsel.is_thinking:
            return False
        if self._is_live or not self._standing.has_hope:
            return True
        return not self._waiting and self._standing.can_leave

    # Doing

    def _do(self, command: Command) -> None:
        if self._standing.is_offered or self._standing.is_asked:
            (self._answer if self._standing.is_offered else self._decide)(command)
            return
        doubted, self._doubted = self._doubted, None
        match command:
            case Play() | PlayFrom():
                self._play(command)
            case Say():
                self._say(command)
            case Word.RESIGN | Word.CLAIM | Word.REFUSE:
                self._give_up(command, is_sure=doubted is command)
            case Word.QUIT:
                self.leave()
            case Word.HINT:
                self._give_hint()
            case Word.BACK:
                if self._is_live:  # in a pipe, nothing before it waits any more
                    self._waiting.clear()
                self._remark(Remark.TAKEN_BACK)
            case Word.YES | Word.NO:
                self._remark(Remark.NO_QUESTION)
            case Nothing():
                pass
            case Unclear():
                self._tell(self._voice.unclear(command))
            case Word() | Show():
                self._tell(self._voice.look(command, self._standing.now))

    def _answer(self, command: Command) -> None:
        """What a typed line means while a variant is offered."""
        match command:
            case Nothing() | Word.YES:
                self._standing.is_offered = False
                self._wishes.put_nowait(Agree())
            case Word.NO | Word.QUIT:
                self._standing.is_offered = False
                self.leave()
            case Word.HELP | Word.RULES:
                self._tell(self._voice.look(command, self._standing.now))
            case _:
                self._remark(Remark.ANSWER)

    def _decide(self, command: Command) -> None:
        """What a typed line means while it is asked whether to play with somebody."""
        match command:
            case Word.YES | Word.NO:
                self._standing.is_asked = False
                self._wishes.put_nowait(Agree() if command is Word.YES else Refuse())
            case Word.QUIT:
                self.leave()
            case Word.HELP | Word.RULES:
                self._tell(self._voice.look(command, self._standing.now))
            case _:
                self._remark(Remark.WITH_HIM)

    def _play(self, command: Play | PlayFrom) -> None:
        if self._standing.is_over:
            self._remark(Remark.OVER)
        elif isinstance(command, Play):
            self._standing.awaited = command.move
            self._wishes.put_nowait(command.move)
        else:
            place = command.source
            fitting = [
                move
                for move in sure(self._standing.now.view).legal_moves
                if move.source == place and not move.ends_turn
            ]
            if len(fitting) == 1:
                self._play(Play(fitting[0]))
            elif fitting:
                stacks = ", ".join(move.target for move in fitting)
                self._remark(Remark.FITS_SEVERAL, place=place, stacks=stacks, stack=fitting[0].target)
            else:
                self._remark(Remark.FITS_NOWHERE, place=place)

    def _say(self, wish: Say) -> None:
        if len(self._standing.now.match.players) > 1:
            self._standing.unsaid += 1
            self._wishes.put_nowait(wish)
        else:
            self._remark(Remark.NOBODY)

    def _give_up(self, what: Word, *, is_sure: bool) -> None:
        """The game, or the other player; a claim that he stays away is only a word, the others are asked about."""
        if what is Word.CLAIM:
            self._standing.is_claiming = True
            self._wishes.put_nowait(Claim())
        elif what is Word.RESIGN and self._standing.now.match.state not in IN_GAME:
            self._remark(Remark.NO_GAME)
        elif not is_sure:
            self._doubted = what
            self._remark(Remark.SURE if what is Word.RESIGN else Remark.AWAY)
        elif what is Word.RESIGN:
            self._standing.awaited = Resign()
            self._wishes.put_nowait(Resign())
        else:
            self._wishes.put_nowait(Refuse())

    def _give_hint(self) -> None:
        if not self._counsel.is_there or Hints.YES not in {self._hints, self._standing.now.match.variant.hints}:
            self._remark(Remark.NO_HINTS)
        elif not self._standing.is_to_move:
            self._remark(Remark.NOT_YOUR_TURN)
        else:
            self._counsel.ask(sure(self._standing.now.view), self._advised)

    def _advised(self, view: View, advice: Advice) -> None:
        if self._has_left:
            return
        if view == self._standing.now.view:
            self._tell(self._voice.hint(advice, self._standing.now))
        self._go_on()


def told_lines(form: Form, language: Language = HERE) -> Lines:
    """Line mode on standard output alone, for a seat whose wishes come from somebody else."""
    return Lines(bytes, Printer(sys.stdout or io.StringIO()), Pipe(), _voice(form, language))


@contextlib.contextmanager
def standard_lines(
    form: Form, *, adviser: Adviser | None = None, hints: Hints = Hints.NO, language: Language = HERE
) -> Iterator[Lines]:
    """Line mode on standard input and output; a terminal gets its manners back at the end of the block."""
    printer = Printer(sys.stdout or io.StringIO())
    voice = _voice(form, language)
    with contextlib.ExitStack() as stack:
        stack.callback(_forget, printer)
        if sys.stdin is None:
            lines = Lines(bytes, printer, Pipe(), voice, adviser, hints)
        elif _are_a_terminal():
            terminal = stack.enter_context(listening(0))
            lines = Lines(partial(os.read, 0, CHUNK), printer, Keyboard(printer.echo), voice, adviser, hints, terminal)
        else:
            lines = Lines(partial(os.read, 0, CHUNK), printer, Pipe(), voice, adviser, hints)
        stack.callback(lines.close)
        yield lines


def _are_a_terminal() -> bool:
    """Whether standard input and standard output are both a terminal."""
    try:
        return CAN_LISTEN and sys.stdout is not None and os.isatty(0) and sys.stdout.isatty()
    except ValueError:  # it was closed here
        return False


def _forget(printer: Printer) -> None:
    """If nobody reads standard output any more, what is still buffered goes nowhere, without a word."""
    if printer.is_gone and sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _voice(form: Form, language: Language) -> Voice:
    return JsonLines() if form is Form.JSON else Spoken(language)
