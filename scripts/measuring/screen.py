"""What the full screen costs: time and bytes of an event, Esc, a shuffle meanwhile, and nothing at all while nothing happens.

Law: the news are those of a stage and cost nothing while they are shown, on a terminal of 80×24 that only counts; so no
other work is measured. Each event is shown in several rounds, and its quietest one counts: what remains is the screen's own.
`python -m scripts.measuring.screen` prints the rows.
"""

import asyncio
import contextlib
import io
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from prompt_toolkit.data_structures import Size as Cells
from prompt_toolkit.input import PipeInput, create_pipe_input

from scripts.making.stage import Stage
from scripts.measuring.peer import heartbeat
from scripts.measuring.row import Row
from sm_p2p.bot.greedy import choose
from sm_p2p.deck.masking import joint_key, mask_public
from sm_p2p.deck.seed import derive_key, game_seed, public_key
from sm_p2p.deck.shuffle import shuffle
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import sure
from sm_p2p.rules.cards import pack
from sm_p2p.rules.variant import STANDARD
from sm_p2p.session.effects import Advanced, Said
from sm_p2p.session.state import State
from sm_p2p.session.talk import LinkChanged, News, Situation, Way
from sm_p2p.ui.app.choices import Choices
from sm_p2p.ui.app.console import Window
from sm_p2p.ui.app.lean import LeanOutput
from sm_p2p.ui.app.opening import full_screen
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.screen.looks import UNICODE

IDLE_S: Final = 30.0
ROUNDS: Final = 7
EVENTS: Final = 120
SHUFFLES: Final = 5
AIM_MS, AIM_BYTES, AIM_ESC_MS, AIM_CPU, AIM_GAP_MS = 5.0, 1024, 100.0, 0.5, 50.0
Told = tuple[News, Situation]


class Cost(NamedTuple):
    """What one event cost: seconds of the processor until it was in the picture, and of the redraw; bytes."""

    shown: float
    drawn: float
    size: int


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


def staged() -> Iterator[Told]:
    """The news of some turns."""
    stage = Stage(STANDARD, 53)
    yield LinkChanged(Way.UP), stage.situation
    for item in stage.begin():
        yield item, stage.situation
    while stage.match.chain.seq < EVENTS:
        for item in stage.move(choose(stage.view(sure(stage.match.speaker)))):
            yield item, stage.situation
    yield Said(1, "nice one"), stage.situation


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


async def events(told: Sequence[Told]) -> tuple[list[Cost], float]:
    """The cost of each event in a turn; and of a redraw in which nothing has changed."""
    costs = []
    async with shown() as (terminal, counter, _):
        app = terminal.console._app  # noqa: SLF001 - it is drawn at once
        for news, now in told:
            before, began = counter.count, time.thread_time()
            terminal.show(news, now)
            ready = time.thread_time()
            app._redraw()  # noqa: SLF001 - at once, in place of in its turn
            if isinstance(news, Advanced) and news.before.state is State.TURN and news.after.state is State.TURN:
                costs.append(Cost(ready - began, time.thread_time() - ready, counter.count - before))
        again = []
        for _ in range(EVENTS):
            began = time.thread_time()
            app._redraw()  # noqa: SLF001
            again.append(time.thread_time() - began)
        return costs, statistics.median(again)


async def escape(told: Sequence[Told]) -> float:
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


async def idle(told: Sequence[Told]) -> tuple[int, float]:
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


async def gaps() -> tuple[float, float]:
    """How late the loop's beats came while a deck of four packs was shuffled in a thread, and on an idle loop; seconds."""
    place = Context(bytes(32), 1, 1, bytes(32), 0, 0)
    seeds = [game_seed(bytes([number]) * 32, bytes(32), 1, number) for number in (0, 1)]
    joint = joint_key(*(public_key(derive_key(seed, place)) for seed in seeds))
    deck = mask_public(pack(4), joint)
    loop = asyncio.get_running_loop()
    busy, quiet = list[float](), list[float]()
    with ThreadPoolExecutor(1) as worker:
        for _ in range(SHUFFLES):
            work = loop.run_in_executor(worker, shuffle, seeds[0], place, joint, deck)
            busy.append(await _latest(work))
            quiet.append(await _latest(asyncio.sleep(0.5)))
    return min(busy), min(quiet)


async def _latest(work: Awaitable[object]) -> float:
    """How late the latest beat of the loop came while this was done."""
    late: list[float] = []
    beats = asyncio.create_task(heartbeat(late))
    await work
    beats.cancel()
    return max(late)


def rows() -> list[Row]:
    """All rows."""
    told = [*staged()]
    rounds = [asyncio.run(events(told)) for _ in range(ROUNDS)]
    quiet = [
        Cost(min(cost.shown for cost in costs), min(cost.drawn for cost in costs), costs[0].size)
        for costs in zip(*(costs for costs, _ in rounds), strict=True)
    ]
    drawn, sizes = [cost.drawn for cost in quiet], [cost.size for cost in quiet]
    again = min(seconds for _, seconds in rounds)
    written, worked = asyncio.run(idle(told))
    busy, at_rest = asyncio.run(gaps())
    half = statistics.median(drawn)
    aim, of = f"aim at most {AIM_MS:.0f} ms", f"of {len(quiet)} events, the best of {ROUNDS} rounds each"
    return [
        Row("screen: a redraw of an event, half of them", _ms(half), "ms", aim),
        Row("screen: the longest redraw", _ms(max(drawn)), "ms", of),
        Row(
            "screen: a redraw: ratio to one in which nothing has changed",
            round(half / again, 2),
            "×",
            f"{_ms(again)} ms",
        ),
        Row("screen: an event taken into the picture", _ms(statistics.median(cost.shown for cost in quiet)), "ms", ""),
        Row("screen: bytes of an event, half of them", statistics.median(sizes), "bytes", ""),
        Row("screen: the most", max(sizes), "bytes", f"aim at most {AIM_BYTES}"),
        Row(
            "screen: Esc",
            _ms(min(asyncio.run(escape(told)) for _ in range(3))),
            "ms",
            f"aim at most {AIM_ESC_MS:.0f} ms",
        ),
        Row(f"screen: bytes in {IDLE_S:.0f} s of the other's turn", written, "bytes", "aim at none"),
        Row("screen: processor in that time", round(100 * worked / IDLE_S, 3), "%", f"aim at most {AIM_CPU} %"),
        Row("screen: longest block while 208 cards are shuffled", _ms(busy), "ms", f"aim at most {AIM_GAP_MS:.0f} ms"),
        Row("screen: longest block of an idle loop", _ms(at_rest), "ms", "the machine's own"),
    ]


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 2)


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:60} {row.value:>12} {row.unit:6} {row.note}")


if __name__ == "__main__":
    main()
