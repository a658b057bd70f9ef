"""A real screen for the full screen: keys come from a pipe, what is written goes into a terminal emulator.

Law: nothing here waits for a time; whoever waits, waits for a condition, and is woken by what is written.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final, TypeVar

from prompt_toolkit.data_structures import Size as Cells
from prompt_toolkit.input import PipeInput, create_pipe_input
from ui.counsel import advise
from ui.stage import DEADLINE_S, Stage

from scripts.making.emulator import Emulator
from sm_p2p.bot.greedy import choose
from sm_p2p.errors import sure
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import QUICK, Hints, Variant
from sm_p2p.session.talk import LinkChanged, News, Way, Wish
from sm_p2p.ui.app.choices import Choices
from sm_p2p.ui.app.console import Window
from sm_p2p.ui.app.lean import LeanOutput
from sm_p2p.ui.app.opening import full_screen
from sm_p2p.ui.app.preferences import Saver
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.keys import PLACES
from sm_p2p.ui.screen.looks import UNICODE, Look
from sm_p2p.ui.screen.model import Model, Opponent

T = TypeVar("T")
STILL: Final = {"speed": "off"}
ESCAPE_S: Final = 0.005
PRESSED: Final = {  # the name of a key → what a terminal sends
    "enter": "\r",
    "escape": "\x1b",
    "space": " ",
    "tab": "\t",
    "s-tab": "\x1b[Z",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "delete": "\x1b[3~",
    "backspace": "\x7f",
    **{f"c-{letter}": chr(ord(letter) - 0x60) for letter in "acdehkluwz"},
}


class Pane:
    """A terminal with the program in it."""

    def __init__(self, terminal: Terminal, emulator: Emulator, feed: PipeInput) -> None:
        self.terminal = terminal
        self.emulator = emulator
        self._feed = feed

    @property
    def lines(self) -> tuple[str, ...]:
        """What is to be read on the screen."""
        return tuple(line.rstrip() for line in self.emulator.screen.display)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.lines)

    @property
    def model(self) -> Model:
        """What is shown."""
        return self.terminal._picture.model

    def press(self, *keys: str) -> None:
        """Press these keys; a name of the key table, or a character."""
        for key in keys:
            self.send(PRESSED.get(key, key))

    def send(self, text: str) -> None:
        """Send this as it is."""
        self._feed.send_text(text)

    async def until(self, holds: Callable[[], bool], what: str = "") -> None:
        """Wait until this holds."""
        async with asyncio.timeout(DEADLINE_S):
            while not holds():
                self.emulator.news.clear()
                await self._woken()
        assert holds(), what

    async def until_seen(self, *texts: str) -> None:
        """Wait until all of this is to be read."""
        await self.until(lambda: all(text in self.text for text in texts), " ".join(texts))

    async def until_gone(self, text: str) -> None:
        """Wait until this is not to be read any more."""
        await self.until(lambda: text not in self.text, text)

    async def pressed(self, *keys: str) -> None:
        """Press these keys one after the other, each when the one before was taken."""
        for key in keys:
            taken = self._taken
            self.press(key)
            await self.until(lambda: self._taken > taken)  # noqa: B023 - it is awaited at once

    async def still(self) -> None:
        """Wait until what is shown is drawn."""
        await self.until(lambda: not self.terminal.console._app.invalidated)

    def film(self) -> list[tuple[str, ...]]:
        """Every picture from now on, as the list grows."""
        frames: list[tuple[str, ...]] = []
        write = self.emulator.write

        def filmed(text: str) -> int:
            count = write(text)
            frames.append(tuple(self.emulator.screen.display))
            return count

        self.emulator.write = filmed  # type: ignore[method-assign]  # positive control: every picture is kept
        return frames

    def draw(self) -> None:
        """Draw what is shown now, and not only when its time has come."""
        app = self.terminal.console._app
        sure(app.context).copy().run(app._redraw)

    def resize(self, columns: int, rows: int) -> None:
        """Another size, as the signal of a resized terminal tells it."""
        self.emulator.size = Cells(rows, columns)
        self.emulator.screen.resize(rows, columns)
        app = self.terminal.console._app
        sure(app.context).copy().run(app._on_resize)

    def tell(self, news: Iterable[News], stage: Stage) -> None:
        """Show the player these news of a stage."""
        for item in news:
            self.terminal.show(item, stage.situation)

    escape_s = 0.0
    """How long Esc would wait for the rest of another key, if this were not a test."""
    _taken = 0

    async def _woken(self) -> None:
        """Something was written, or the loop has come round."""
        waiting = asyncio.ensure_future(self.emulator.news.wait())
        await asyncio.wait([waiting], timeout=0.005)
        waiting.cancel()


@contextlib.asynccontextmanager
async def pane(
    columns: int = 80,
    rows: int = 24,
    *,
    look: Look = UNICODE,
    save: Saver | None = None,
    term: str = "xterm",
    **choices: str,
) -> AsyncIterator[Pane]:
    """The full screen in an emulator; animation is off unless a speed is chosen."""
    emulator = Emulator(columns, rows)
    with create_pipe_input() as feed:
        output = LeanOutput(emulator, lambda: emulator.size, term=term, enable_cpr=False)
        window = Window(feed, output, look, term)
        async with full_screen(
            Choices.read({**STILL, **choices}), adviser=advise, save=save, window=window
        ) as terminal:
            found = Pane(terminal, emulator, feed)
            app = terminal.console._app
            found.escape_s, app.ttimeoutlen = app.ttimeoutlen, ESCAPE_S
            press = terminal.press

            def counted(key: str) -> None:
                press(key)
                found._taken += 1

            terminal.press = counted  # type: ignore[method-assign]  # positive control: a key has arrived
            yield found


@contextlib.asynccontextmanager
async def at_table(
    columns: int = 80,
    rows: int = 24,
    *,
    variant: Variant = QUICK,
    seed: int = 1,
    opponent: Opponent = Opponent.PERSON,
    look: Look = UNICODE,
    save: Saver | None = None,
    **choices: str,
) -> AsyncIterator[tuple[Pane, Stage]]:
    """A pane with a match that has begun, in a turn of ours."""
    async with pane(columns, rows, look=look, save=save, **choices) as found:
        stage = Stage(variant, seed)
        found.terminal.sit_down(opponent, Hints.YES)
        found.tell([LinkChanged(Way.UP), *stage.begin()], stage)
        while stage.match.speaker != stage.you:
            found.tell(stage.move(choose(stage.view(1 - stage.you))), stage)
        await found.until(lambda: found.model.is_our_turn)
        yield found, stage


def keys_of(move: Move) -> tuple[str, ...]:
    """Two presses that make this move."""
    keys = {place: key for key, place in PLACES.items() if key != "p"}
    return (keys[move.source], keys[move.target])


def run(story: Callable[[], Awaitable[T]]) -> T:
    """Let this happen, within a deadline."""

    async def bounded() -> T:
        return await asyncio.wait_for(story(), DEADLINE_S)

    return asyncio.run(bounded())


async def next_wish(found: Pane) -> Wish:
    """What the player wishes next."""
    return await asyncio.wait_for(found.terminal.wish(), DEADLINE_S)
