"""Two processes and whatever can come between them: storms, kills, cuts, cables, frozen machines, full disks.

Each function prints what it saw and raises when something was lost or took too long.
"""

import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from apart import COMPUTER, assert_same_and_whole, entries_of, hosting, invite_of, joining
from cables import why_not
from kills import IN_A_GAME, Killing, Moment
from outages import damaged, dealing, firewalled, frozen, left_by_one, looking, moved, pulled, returned, waiting, wired
from proxy import Way
from reconnects import cut_again_and_again
from seated import Measured, lay, leaves, seated, told
from small_disk import small_disk
from storms import voyage

SEEDS: Final = range(1, 21)
KILLS: Final = 100
LONGER: Final = "standard,pay_off=5,target=12"  # about five hundred entries
LONGEST: Final = "standard,pay_off=5,target=30"  # more than are needed, whoever has the luck
CUTS: Final = 100
EVERY: Final = 4
TALKS_EVERY: Final = (
    12  # turns of these two, who play a hundred times as fast as people and are listened to as people are
)
BYTES: Final = 20
NEAR: Final = 60  # within the next frame, whichever that is
CABLES_S: Final = (0.0, 6.0, 60.0)
PAGES: Final = range(8)
PATIENCE_S: Final = 600.0


def proxy() -> None:
    """Twenty matches through storms."""
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as directory:
            made = told(voyage((Path(directory) / "a", Path(directory) / "b"), seed, PATIENCE_S))
        kinds = Counter(storm.kind.value for storm in made.storms)
        storms = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        print(
            f"proxy: seed {seed}: {made.entries} entries, {made.connections} connections, {made.seconds:.0f} s; {storms}",
            flush=True,
        )


def kill() -> None:
    """Matches until a hundred were killed."""
    began = time.monotonic()
    killed: Counter[str] = Counter()
    matches = 0
    while killed.total() < KILLS:
        matches += 1
        with tempfile.TemporaryDirectory() as directory:
            dice = Random(matches)  # noqa: S311 - the same dice every time
            table = Killing(Path(directory), dice, LONGER, (*IN_A_GAME, Moment.KEY))
            table.play(KILLS - killed.total())
            entries = assert_same_and_whole([player.home for player in table.both])
        killed.update(moment.value for moment in table.kills.elements())
        print(
            f"kill: match {matches}: {entries} entries, {table.kills.total()} kills, statuses {dict(table.statuses)}",
            flush=True,
        )
    print(f"kill: {killed.total()} kills: {dict(killed)}, {time.monotonic() - began:.0f} s", flush=True)


def reconnects() -> None:
    """A hundred cuts in four hundred entries, each entry and each line of chat once."""
    with tempfile.TemporaryDirectory() as directory:
        homes = Path(directory) / "a", Path(directory) / "b"
        outcome = told(cut_again_and_again(homes, CUTS, EVERY, LONGEST, TALKS_EVERY, gives_up=True))
    print(
        f"reconnects: {outcome.cuts} cuts in {outcome.entries} entries with {outcome.notes} lines of chat; slowest {outcome.slowest:.2f} s",
        flush=True,
    )


def disk() -> None:
    """A host whose disk has room for so many pages, and for more when he has complained."""
    if os.geteuid() != 0:
        print("disk: needs root")
        return
    for pages in PAGES:
        with tempfile.TemporaryDirectory() as directory, small_disk(Path(directory) / "disk") as small:
            homes = small.place / "a", Path(directory) / "b"
            for home, laid in zip(homes, lay(Path(directory) / "laid"), strict=True):
                shutil.copytree(laid, home)
            small.fill(pages)
            with hosting(homes[0], *COMPUTER) as ana, joining(homes[1], invite_of(ana), *COMPUTER):
                status = ana.end()
            held = entries_of(homes[0])
            assert (status, len(ana.errors)) == (1, 1), (pages, status, ana.errors)
            assert "the disk is full" in ana.errors[0], ana.errors
            small.clear()
            with hosting(homes[0], *COMPUTER) as ana, joining(homes[1], invite_of(ana), *COMPUTER) as bo:
                assert [run.end() for run in (ana, bo)] == [0, 0], (ana.errors, bo.errors)
            entries = assert_same_and_whole(homes)
            assert entries_of(homes[0])[: len(held)] == held
        print(f"disk: room for {pages} pages: full after {len(held)} of {entries} entries", flush=True)


def outages() -> None:
    """Every story of what may come between two people, and of leaving meanwhile; the slowest of each kind is told."""
    seen: list[Measured] = []
    for story in (
        _frozen,
        _damaged,
        _returned,
        waiting,
        looking,
        _dealing,
        *([] if why_not() else [_cables, firewalled]),
    ):
        with tempfile.TemporaryDirectory() as directory:
            seen += told(story(Path(directory)))
    if reason := why_not():
        print(f"outages: without cables: {reason}")
    _tell(seen)


async def _frozen(home: Path) -> list[Measured]:
    async with seated(home) as party:
        seen = [measured for seat in (0, 1, 0, 1) for measured in await frozen(party, seat)]
        return [*seen, *await left_by_one(party)]


async def _damaged(home: Path) -> list[Measured]:
    dice = Random(1)  # noqa: S311 - the same bytes every time
    async with seated(home, proxied=True) as party:
        places = [(way, dice.randrange(NEAR)) for _ in range(BYTES) for way in Way]
        return [measured for way, place in places for measured in await damaged(party, way, place)]


async def _returned(home: Path) -> list[Measured]:
    async with seated(home, proxied=True) as party:
        return [*await returned(party), *[await leaves(run, "from a table") for run in party.seats]]


async def _dealing(home: Path) -> list[Measured]:
    return [*await dealing(home / "quick", "quick"), *await dealing(home / "long", "long,packs=4")]


async def _cables(home: Path) -> list[Measured]:
    async with wired(home) as (party, cable):
        seen = [measured for seconds in CABLES_S for measured in await pulled(party, cable, seconds)]
        seen += [measured for seat in (1, 0) for measured in await moved(party, cable, seat)]
        cable.pull()
        return [*seen, *[await leaves(run, "without a cable") for run in party.seats]]


def _tell(seen: Iterable[Measured]) -> None:
    slowest: dict[str, Measured] = {}
    for measured in seen:
        if measured.what not in slowest or measured.seconds > slowest[measured.what].seconds:
            slowest[measured.what] = measured
    for what, seconds, limit in slowest.values():
        print(f"outages: {seconds:6.2f} s of {limit:4.1f}  {what}", flush=True)
    late = [what for what, seconds, limit in slowest.values() if seconds > limit]
    if late:
        raise SystemExit(f"soak: took too long: {', '.join(late)}")
