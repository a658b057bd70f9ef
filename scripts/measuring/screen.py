"""What the full screen costs: time and bytes of an event, Esc, and nothing at all while nothing happens.

Law: the news of a real match are recorded first and shown afterwards, on a terminal of 80×24 that only counts; so no
other work is measured. `python -m scripts.measuring.screen` prints the rows.
"""

import asyncio
import contextlib
import io
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, NamedTuple

from prompt_toolkit.data_structures import Size as Cells
from prompt_toolkit.input import PipeInput, create_pipe_input

from scripts.measuring.peer import seat
from sm_p2p.bot.greedy import choose
from sm_p2p.net.link import memory_links
from sm_p2p.peer.player import Automaton
from sm_p2p.session.effects import Advanced
from sm_p2p.session.state import State
from sm_p2p.session.talk import News, Situation, Wish
from sm_p2p.ui.app.choices import Choices
from sm_p2p.ui.app.console import Window
from sm_p2p.ui.app.lean import LeanOutput
from sm_p2p.ui.app.opening import full_screen
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.screen.looks import UNICODE

IDLE_S: Final = 30.0
AIM_MS, AIM_BYTES, AIM_ESC_MS, AIM_CPU = 5.0, 1024, 100.0, 0.5
Told = tuple[News, Situation]


class Row(NamedTuple):
    """One measured number."""

    name: str
    value: float
    unit: str
    note: str


class Recorder:
    """A computer that keeps everything that it was shown."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self._automaton = Automaton(choose)

    async def wish(self) -> Wish:
        """What the computer wants."""
        return await self._automaton.wish()

    def show(self, news: News, now: Situation) -> None:
        """Keep it."""
        self.told.append((news, now))
        self._automaton.show(news, now)


class Counter(io.StringIO):
    """A terminal that counts what it is sent."""

    count = 0

    def write(self, text: str) -> int:
        """Count it."""
        self.count += len(text.encode())
        return len(text)

    def isatty(self) -> bool:
        """It is a terminal."""
        return True


async def recorded(home: Path) -> list[Told]:
    """The news of a short match."""
    recorder = Recorder()
    plays = [seat(home / str(number), number, link) for number, link in enumerate(memory_links())]
    plays[0]._player = recorder  # noqa: SLF001 - the host's seat, watched
    await asyncio.gather(*(play.run() for play in plays))
    return recorder.told


@contextlib.asynccontextmanager
async def shown() -> AsyncIterator[tuple[Terminal, Counter, PipeInput]]:
    """The full screen on such a terminal, without animation."""
    counter = Counter()
    with create_pipe_input() as feed:
        output = LeanOutput(counter, lambda: Cells(24, 80), term="xterm", enable_cpr=False)
        window = Window(feed, output, UNICODE, "xterm")
        async with full_screen(Choices.read({"speed": "off", "bell": "off"}), window=window) as terminal:
            terminal.sit_down()
            yield terminal, counter, feed


async def events(told: list[Told]) -> tuple[list[float], list[int]]:
    """Seconds and bytes of each event in a turn: shown, drawn, written."""
    seconds, sizes = [], []
    async with shown() as (terminal, counter, _):
        app = terminal.console._app  # noqa: SLF001 - it is drawn at once
        for news, now in told:
            before, began = counter.count, time.perf_counter()
            terminal.show(news, now)
            app._redraw()  # noqa: SLF001 - at once, in place of in its turn
            if isinstance(news, Advanced) and news.before.state is State.TURN and news.after.state is State.TURN:
                seconds.append(time.perf_counter() - began)
                sizes.append(counter.count - before)
    return seconds, sizes


async def escape(told: list[Told]) -> float:
    """Seconds from Esc until the picked card lies there again."""
    async with shown() as (terminal, _, feed):
        for news, now in told:
            terminal.show(news, now)
            if now.is_our_turn:
                break
        feed.send_text("1")
        while not terminal._picture.model.picking.source:  # noqa: ASYNC110, SLF001 - each turn of the loop counts
            await asyncio.sleep(0)
        began = time.perf_counter()
        feed.send_text("\x1b")
        while terminal._picture.model.picking.source:  # noqa: ASYNC110, SLF001
            await asyncio.sleep(0)
        return time.perf_counter() - began


async def idle(told: list[Told]) -> tuple[int, float]:
    """Bytes and seconds of processor time while nothing happens in the other player's turn."""
    async with shown() as (terminal, counter, _):
        for news, now in told:
            terminal.show(news, now)
            if now.match.state is State.TURN and not now.is_our_turn:
                break
        await asyncio.sleep(1)
        before, began = counter.count, time.process_time()
        await asyncio.sleep(IDLE_S)
        return counter.count - before, time.process_time() - began


def rows() -> list[Row]:
    """All rows."""
    with tempfile.TemporaryDirectory() as home:
        told = asyncio.run(recorded(Path(home)))
    seconds, sizes = asyncio.run(events(told))
    written, worked = asyncio.run(idle(told))
    aim = f"aim at most {AIM_MS:.0f} ms"
    return [
        Row("screen: an event shown and drawn, half of them", round(1000 * statistics.median(seconds), 2), "ms", aim),
        Row("screen: the longest", round(1000 * max(seconds), 2), "ms", f"of {len(seconds)}"),
        Row("screen: bytes of an event, half of them", statistics.median(sizes), "bytes", ""),
        Row("screen: the most", max(sizes), "bytes", f"aim at most {AIM_BYTES}"),
        Row("screen: Esc", round(1000 * asyncio.run(escape(told)), 1), "ms", f"aim at most {AIM_ESC_MS:.0f} ms"),
        Row(f"screen: bytes in {IDLE_S:.0f} s of the other's turn", written, "bytes", "aim at none"),
        Row("screen: processor in that time", round(100 * worked / IDLE_S, 3), "%", f"aim at most {AIM_CPU} %"),
    ]


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:60} {row.value:>12} {row.unit:6} {row.note}")


if __name__ == "__main__":
    main()
