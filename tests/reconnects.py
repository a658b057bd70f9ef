"""Two people who play and talk while their connection is cut again and again.

Law: each entry is told once on each side, and each line of chat is shown once, in the order in which it was said.
"""

import asyncio
import contextlib
import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from apart import Event, assert_same_and_whole, entries_told, events, hosting, invite_of, joining, through
from processes import Run
from proxy import Proxy
from seated import BACK, LOOK_S, TURN, call

from sm_p2p.errors import sure

TALK_EVERY: Final = 3  # turns
ENTRY: Final = '"event":"entry"'


@dataclass
class Talker:
    """One of the two: plays whatever can be played, and says something every so many turns of his."""

    run: Run
    name: str
    talks_every: int
    said: list[str] = field(default_factory=list)
    turns: int = 0
    is_tired: bool = False  # gives up as soon as it is called to move

    def play(self) -> None:
        """Answer every line that asks for something, until the process has ended; nothing more when the match is whole."""
        keys_left = math.inf
        for line in self.run.each():
            if TURN in line:
                self._answer(json.loads(line))
            elif '"event":"score"' in line and json.loads(line)["winner"] is not None:
                keys_left = 2
            elif '"kind":"revealed"' in line:
                keys_left -= 1
                if not keys_left:
                    sure(self.run.process.stdin).close()

    def _answer(self, turn: Event) -> None:
        moves = turn["moves"]
        assert isinstance(moves, list)
        if self.is_tired:
            self.run.type("resign")
            self.run.type("resign")
            return
        self.turns += 1
        if self.turns % self.talks_every == 0:
            self.said.append(f"{self.name} {len(self.said) + 1}")
            self.run.type(f"say {self.said[-1]}")
        self.run.type(min(moves, key=lambda move: ("-c" not in move, not move.startswith("p"))))

    def tire(self, _cause: object) -> None:
        """Play no more."""
        self.is_tired = True

    def count(self, word: str) -> int:
        """How many lines with this word it has told so far."""
        return sum(word in line for line in self.run.lines)


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    entries: int
    cuts: int
    notes: int
    slowest: float  # seconds from a cut to the link being back on both sides


async def cut_again_and_again(
    homes: tuple[Path, Path],
    cuts: int,
    every: int,
    variant: str,
    talks_every: int = TALK_EVERY,
    *,
    gives_up: bool = False,
) -> Outcome:
    """Play a match to its end, cut so often, each time so many entries later; AssertionError if anything was lost.

    Who `gives_up` does so after the last cut.
    """
    with contextlib.ExitStack() as stack:
        ana = Talker(stack.enter_context(hosting(homes[0], variant=variant)), "Ana", talks_every)
        invite = await call(lambda: invite_of(ana.run))
        async with Proxy(invite.addresses[0].port) as proxy:
            bo = Talker(stack.enter_context(joining(homes[1], through(invite, proxy.address))), "Bo", talks_every)
            cutting = asyncio.create_task(_cut(proxy, (ana, bo), cuts, every))
            if gives_up:
                for talker in (ana, bo):
                    cutting.add_done_callback(talker.tire)
            await asyncio.gather(*(call(talker.play) for talker in (ana, bo)))
            cutting.cancel()
            times = (await asyncio.gather(cutting, return_exceptions=True))[0]
            assert isinstance(times, list), "the match was over before it was cut often enough"
            statuses = [await call(talker.run.end) for talker in (ana, bo)]
    assert statuses == [0, 0], (statuses, ana.run.errors, bo.run.errors)
    entries = assert_same_and_whole(homes)
    for talker, other in ((ana, bo), (bo, ana)):
        numbers = [number for number, _ in entries_told(talker.run)]
        assert numbers == list(range(numbers[0], entries + 1)), numbers
        for seat, speaker in enumerate((ana, bo)):
            shown = [event["text"] for event in events(talker.run, "said") if event["seat"] == seat]
            assert shown == speaker.said, (talker.name, other.name, shown)
    return Outcome(entries, len(times), len(ana.said) + len(bo.said), max(times))


async def _cut(proxy: Proxy, talkers: tuple[Talker, Talker], cuts: int, every: int) -> list[float]:
    times = []
    for done in range(1, cuts + 1):
        seen = talkers[0].count(ENTRY)
        await _until(talkers, ENTRY, seen + every)
        proxy.cut()
        began = time.monotonic()
        await _until(talkers, BACK, done + 1)
        times.append(time.monotonic() - began)
    return times


async def _until(talkers: tuple[Talker, Talker], word: str, count: int) -> None:
    while any(talker.count(word) < count for talker in talkers):  # noqa: ASYNC110 - lines come in another thread
        await asyncio.sleep(LOOK_S)
