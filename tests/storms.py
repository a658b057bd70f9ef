"""A match between two computers whose bytes pass a proxy that has its storms: which, where and in which order, by the dice.

Law: the same seed gives the same storms at the same bytes. A storm passes by itself, and nobody presses a key.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, Self

from apart import COMPUTER, assert_same_and_whole, entries_of, entries_told, hosting, invite_of, joining, through
from processes import DEADLINE_S
from proxy import CHUNK, Proxy, Way
from seated import call

from sm_p2p.session.proofs import CHECKED, Proofs

GROWTH: Final = 8_000  # bytes from one storm to the next, at most
MOST_AFTER: Final = 3_000  # bytes from the order to the damaged byte, at most
LATE_S: Final = 0.05
STALLS_S: Final = (0.2, 1.0, 4.0)  # the last is longer than a heartbeat may be missing


class Kind(StrEnum):
    """What may happen to the bytes."""

    CUT = "cut"
    TORN = "torn"  # cut in the middle of a frame
    FLIP = "flip"
    STALL = "stall"
    DELAY = "delay"
    SLICES = "slices"


class Storm(NamedTuple):
    """One of them: so many bytes after the one before, going that way; `place` bytes further it strikes."""

    kind: Kind
    way: Way
    after: int
    place: int
    stall: float

    @classmethod
    def by(cls, kind: Kind, dice: Random) -> Self:
        """The next one of this kind."""
        way = dice.choice(list(Way))
        return cls(kind, way, dice.randrange(GROWTH), dice.randrange(MOST_AFTER), dice.choice(STALLS_S))

    async def strike(self, proxy: Proxy) -> None:
        """Do it; back when the worst is over."""
        await proxy.until(self.way, self.after)
        match self.kind:
            case Kind.CUT:
                proxy.cut()
            case Kind.TORN:
                proxy.cut_after(self.way, self.place)
            case Kind.FLIP:
                proxy.flip(self.way, self.place)
            case Kind.STALL:
                proxy.stall()
                await asyncio.sleep(self.stall)
                proxy.resume()
            case Kind.DELAY:
                proxy.delay = 0.0 if proxy.delay else LATE_S
            case Kind.SLICES:
                proxy.slices = CHUNK if proxy.slices < CHUNK else 7


@dataclass
class Voyage:
    """What became of one match: its entries, the storms that struck, and how many connections it took."""

    entries: int
    storms: Sequence[Storm]
    connections: int
    seconds: float


async def voyage(homes: tuple[Path, Path], seed: int, patience: float = DEADLINE_S, proofs: Proofs = CHECKED) -> Voyage:
    """Play one match to its end through the storms of this seed; AssertionError if anything was lost or differs.

    A match that waits in the homes is gone on with. Both sides have checked each other's proofs: whoever wants to save the
    time does not check them again.
    """
    began = time.monotonic()
    held = len(entries_of(homes[1]))
    dice = Random(seed)
    struck: list[Storm] = []
    with ExitStack() as stack:
        ana = stack.enter_context(hosting(homes[0], *COMPUTER))
        invite = await call(partial(invite_of, ana))
        async with Proxy(invite.addresses[0].port, seed=seed) as proxy:
            bo = stack.enter_context(joining(homes[1], through(invite, proxy.address), *COMPUTER))
            weather = asyncio.create_task(_weather(proxy, dice, struck))
            statuses = await asyncio.gather(*(call(partial(run.end, patience)) for run in (bo, ana)))
            weather.cancel()
            await asyncio.gather(weather, return_exceptions=True)
            connections = proxy.connections
    assert statuses == [0, 0], (statuses, ana.errors, bo.errors)
    assert not ana.errors
    assert not bo.errors
    entries = assert_same_and_whole(homes, proofs)
    for run, first in ((ana, max(held, 1) + 1), (bo, held + 1)):
        assert [number for number, _ in entries_told(run)] == list(range(first, entries + 1))
    return Voyage(entries, struck, connections, time.monotonic() - began)


async def _weather(proxy: Proxy, dice: Random, struck: list[Storm]) -> None:
    while True:
        for kind in dice.sample(list(Kind), len(Kind)):
            storm = Storm.by(kind, dice)
            await storm.strike(proxy)
            struck.append(storm)
