"""How long a match keeps the event loop, and with it the screen, from answering.

Law: a heartbeat on the loop notes how late it comes while two seats deal, play and reshuffle in this one process over
links of memory; the figure for an idle loop in the same run stands beside it. `python -m scripts.measuring.peer` prints the rows.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Final

from scripts.measuring.row import Row
from sm_p2p.bot.greedy import choose
from sm_p2p.net.link import Link, memory_links
from sm_p2p.peer.desk import new_desk
from sm_p2p.peer.play import Play, Terms
from sm_p2p.peer.player import Automaton
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Keep, Mark, Store
from sm_p2p.session.greeting import Peer
from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places

BEAT_S: Final = 0.001
AIM_MS: Final = 50.0
MATCH: Final = Variant.parse("quick,pay_off=5")


async def heartbeat(late: list[float]) -> None:
    """Note how late each beat comes, in seconds."""
    while True:
        due = time.perf_counter() + BEAT_S
        await asyncio.sleep(BEAT_S)
        late.append(time.perf_counter() - due)


def seat(home: Path, number: int, link: Link) -> Play:
    """One seat of a match, in its own directory."""
    places = Places.below(home).make()
    identity = Identity.load_or_create(places.identity)
    role = ("host", "guest")[number]
    desk, session = new_desk(places, identity, number, Peer(role, role))
    if number == 0:
        for effect in session.open(MATCH, bytes(16), 0):
            if isinstance(effect, Store | Mark | Keep):
                desk.carry_out(effect)
    return Play(session, desk, link, Automaton(choose), Terms(is_any=True))


async def lateness(home: Path) -> tuple[list[float], list[float], float]:
    """How late the beats came in a whole match and on an idle loop, and how long the match took, in seconds."""
    busy: list[float] = []
    idle: list[float] = []
    plays = [seat(home / str(number), number, link) for number, link in enumerate(memory_links())]
    beat = asyncio.create_task(heartbeat(busy))
    began = time.perf_counter()
    await asyncio.gather(*(play.run() for play in plays))
    took = time.perf_counter() - began
    beat.cancel()
    beat = asyncio.create_task(heartbeat(idle))
    await asyncio.sleep(1)
    beat.cancel()
    return busy, idle, took


def rows() -> list[Row]:
    """All rows."""
    with tempfile.TemporaryDirectory() as home:
        busy, idle, took = asyncio.run(lateness(Path(home)))
    busy.sort()
    return [
        Row("screen: longest block in a match", round(1000 * busy[-1], 1), "ms", f"aim at most {AIM_MS:.0f} ms"),
        Row("screen: 99 of 100 beats are less late than", round(1000 * busy[len(busy) * 99 // 100], 1), "ms", ""),
        Row("screen: longest block of an idle loop", round(1000 * max(idle), 1), "ms", "the machine's own"),
        Row("a match with 5 pay-off cards, both seats, one process", round(took, 2), "s", "with every fsync"),
    ]


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:60} {row.value:>12} {row.unit:6} {row.note}")


if __name__ == "__main__":
    main()
