"""Joining late: from the first word to whoever serves a match of 13 games, to the picture of the table as it is now.

Law: all of the way is walked, over loopback with CURVE, between two processes: fetch, form, signature, chain, rules, digest,
reel, picture. `python -m scripts.measuring.late` prints the rows, the first of them about the same match as a replay.
"""

import asyncio
import gc
import multiprocessing
import time
from collections.abc import Sequence
from typing import Final, Protocol

from scripts.making.recorder import AUTHORS, SEEDS, SIGNERS, Recorder
from scripts.measuring.row import Row
from sm_p2p.audience.balcony import Admission, Balcony, Rules
from sm_p2p.bot.greedy import choose
from sm_p2p.cli.live import Live
from sm_p2p.cli.main import NEW
from sm_p2p.errors import sure
from sm_p2p.log.entry import read_envelope, unseal
from sm_p2p.net.addresses import Address
from sm_p2p.net.door import listen
from sm_p2p.net.invite import Invite, Purpose
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.session.greeting import Peer
from sm_p2p.session.state import State
from sm_p2p.store.keys import Identity
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.model import Replay
from sm_p2p.ui.screen.render import render
from sm_p2p.watch.loading import Loading
from sm_p2p.watch.replay import GLANCED, Recording
from sm_p2p.watch.spectate import Sight, Spectator, spectate

GAMES: Final = 13
AIM_MS: Final = 1000
TIMES: Final = 3
WATCHER: Final = Identity(b"\x07" * 32)


class Pipe(Protocol):
    """How the process that serves says at which port."""

    def send(self, port: int, /) -> None:
        """Tell."""

    def recv(self) -> int:
        """Hear."""


class _Greedy(Recorder):
    """A match of two greedy players, which looks like one of people."""

    def _choose(self) -> Move:
        game = sure(self.match.game)
        seat = sure(game.table.to_move)
        hand = [slot for slot in game.table.places[seat].hand if slot is not None]
        return choose(View(game.table, seat, {slot: sure(AUTHORS[seat].face(game, slot)) for slot in hand}))


class _Eyes:
    """A viewer who has seen enough with the first picture."""

    def __init__(self) -> None:
        self._live = Live()
        self._seen = asyncio.Event()

    async def left(self) -> None:
        """Back when the picture is there."""
        await self._seen.wait()

    def see(self, sight: Sight) -> None:
        """Take it in; the first picture of the table of now."""
        self._live.see(sight)
        if self._live.is_here and not self._seen.is_set():
            reel = self._live.reel
            render(Stills(reel).model(len(reel), Replay(checked=self._live.checked)), Size(80, 24))
            self._seen.set()


def recorded() -> list[bytes]:
    """The entries of a match up to the end of its last game; it takes a minute."""
    record = _Greedy("standard,target=1000", "late")
    record.go_on(lambda match: len(match.outcomes) == GAMES and match.state is State.REVEAL)
    return record.raws


def serving(pipe: Pipe, raws: Sequence[bytes]) -> None:
    """The other process."""
    asyncio.run(_serve(pipe, raws))


async def _serve(pipe: Pipe, raws: Sequence[bytes]) -> None:
    door = await listen(SEEDS[0], bind=["127.0.0.1"], port=0)
    balcony = Balcony(door, SIGNERS[0], Peer("Ana", "host"), Rules(Admission.ANYONE))
    await balcony.begin(raws)
    pipe.send(door.port)
    await balcony.serve()


def joined(raws: Sequence[bytes]) -> float:
    """Milliseconds until whoever joins behind these entries sees the table; the best of a few times."""
    gc.set_threshold(NEW)  # as the program does
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serving, args=(there, raws), daemon=True)
    process.start()
    try:
        invite = Invite((Address("127.0.0.1", here.recv()),), SIGNERS[0].identity, bytes(16), Purpose.WATCH)
        times = []
        for _ in range(TIMES):
            began = time.perf_counter()
            asyncio.run(spectate(Spectator(WATCHER, ""), invite, _Eyes()))
            times.append(1000 * (time.perf_counter() - began))
        return min(times)
    finally:
        process.kill()
        process.join()


def signatures(raws: Sequence[bytes]) -> float:
    """Milliseconds that the signatures alone take."""
    began = time.perf_counter()
    for raw in raws:
        envelope = read_envelope(raw)
        unseal(envelope, SIGNERS[envelope.author].identity)
    return 1000 * (time.perf_counter() - began)


def reading(raws: Sequence[bytes]) -> float:
    """Milliseconds until the last entry of its log lies on the reel of a replay on the screen; the best of a few times."""
    times = []
    for _ in range(TIMES):
        began, reel = time.perf_counter(), Reel()
        for news in Loading(Recording(tuple(raws))).news(GLANCED):
            reel.add(news)
        times.append(1000 * (time.perf_counter() - began))
    return min(times)


def rows() -> list[Row]:
    """All numbers."""
    raws = recorded()
    note = "in pieces, while the screen answers; its proofs are checked by another process"
    found = [Row(f"a replay of {len(raws)} entries is read to its end", round(reading(raws), 1), "ms", note)]
    for part in (4, 2, 1):
        count = len(raws) // part
        alone = signatures(raws[:count])
        note = f"aim at most {AIM_MS} ms; the signatures alone {alone:.0f} ms in this run"
        found.append(Row(f"joining behind entry {count} of {len(raws)}", round(joined(raws[:count]), 1), "ms", note))
    return found


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:64} {row.value:>10,} {row.unit:8} {row.note}")


if __name__ == "__main__":
    main()
