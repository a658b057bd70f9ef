"""Two people in the middle of a game, each in a process of their own: their hands are the test's, their words JSON Lines.

Law: whoever waits, waits for a line or for a file, with a deadline; what was measured is given back in seconds.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from apart import LOOPBACK, SHORT, entries_of, hosting, invite_of, joining, through
from processes import DEADLINE_S, Run
from proxy import Proxy

from scripts.making.recorder import SECRETS, SEEDS, Recorder, as_log
from sm_p2p.errors import sure
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite
from sm_p2p.session.state import State
from sm_p2p.store.keys import load_or_create_secret
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.places import Places

T = TypeVar("T")

NOTICED_S: Final = 8.0  # a peer who is silent for whatever reason is noticed
BACK_S: Final = 5.0  # after he woke up, or after one damaged byte, play goes on
EQUAL_S: Final = 3.0  # after the reconnect both logs are the same
LEFT_S: Final = 1.0  # quit is back at the shell
AT_ONCE: Final = 64  # threads that wait, for all stories of a test
LOOK_S: Final = 0.01
BACK = '"way":"up"'
AWAY = '"way":"reconnecting"'
TURN = '"event":"your-turn"'


class Measured(NamedTuple):
    """How long something took, and how long it may take."""

    what: str
    seconds: float
    limit: float


@cache
def begun() -> Recorder:
    """A match that has come to its first move."""
    record = Recorder(SHORT, "11")
    record.go_on(lambda match: match.state is State.TURN)
    return record


def always(drawn: bytes) -> Callable[[int], bytes]:
    """A draw that gives these bytes."""
    return lambda _size: drawn


def lay(home: Path) -> tuple[Path, Path]:
    """The homes of two players who have left that match at its first move."""
    record = begun()
    chain = record.match.chain
    homes = home / "a", home / "b"
    for place, seed, secret in zip(homes, SEEDS, SECRETS, strict=True):
        places = Places.below(place).make()
        for path, drawn in ((places.identity, seed), (places.secret(chain.match), secret)):
            load_or_create_secret(path, always(drawn))
        places.log(chain.match).write_bytes(as_log(record.raws))
        write_mark(places.signed(chain.match), Mark(chain.match, chain.seq, chain.head))
    return homes


@dataclass
class Party:
    """Ana and Bo at their table: their homes, their processes by seat, and whose turn it is.

    `invite` leads straight to the host, `proxy` is a way round; whatever is put on the `stack` ends with the party.
    """

    homes: tuple[Path, Path]
    seats: list[Run]
    invite: Invite
    proxy: Proxy
    stack: contextlib.AsyncExitStack
    turn: int

    @property
    def mover(self) -> Run:
        """Who is to move."""
        return self.seats[self.turn]

    @property
    def other(self) -> Run:
        """Who waits for it."""
        return self.seats[1 - self.turn]

    @property
    def entries(self) -> int:
        """How many entries the longer log holds."""
        return max(len(entries_of(home)) for home in self.homes)

    def move(self) -> None:
        """Type a discard for whoever is to move; then it is the other's turn."""
        called = next(json.loads(line) for line in reversed(self.mover.lines) if TURN in line)
        self.mover.type(next(move for move in called["moves"] if move[0] == "h" and move[-1] in "abcd"))
        self.turn = 1 - self.turn


@contextlib.asynccontextmanager
async def seated(
    home: Path,
    *ways: str,
    at: str = LOOPBACK,
    inside: Sequence[Sequence[str]] = ((), ()),
    proxied: bool = False,
) -> AsyncIterator[Party]:
    """Both at the table, the mover called to move; `ways` are the addresses at which Bo looks for it, if not the invite's."""
    homes = await call(partial(lay, home))
    async with contextlib.AsyncExitStack() as stack:
        ana = stack.enter_context(hosting(homes[0], at=at, inside=inside[0]))
        invite = await call(partial(invite_of, ana))
        port = invite.addresses[0].port
        proxy = await stack.enter_async_context(Proxy(port))
        places = [proxy.address] if proxied else [Address(way, port) for way in ways]
        bo = stack.enter_context(joining(homes[1], through(invite, *places) if places else invite, inside=inside[1]))
        party = Party(homes, [ana, bo], invite, proxy, stack, sure(begun().match.speaker))
        await hears(party.other, BACK)
        await hears(party.mover, TURN)
        yield party


async def call(work: Callable[[], T]) -> T:
    """What this gives, which may wait."""
    return await asyncio.to_thread(work)


async def hears(run: Run, word: str, within: float = DEADLINE_S) -> float:
    """Wait for a line with this word; how long that took."""
    began = time.monotonic()
    await call(partial(run.until, word, within))
    return time.monotonic() - began


async def equal(party: Party) -> float:
    """Wait until both logs hold the same entries, those that the longer one holds now among them; how long that took."""
    began = time.monotonic()
    wanted = party.entries
    while True:
        logs = [entries_of(home) for home in party.homes]
        if logs[0] == logs[1] and len(logs[0]) >= wanted:
            return time.monotonic() - began
        assert time.monotonic() - began < DEADLINE_S, [len(log) for log in logs]
        await asyncio.sleep(LOOK_S)


async def leaves(run: Run, when: str) -> Measured:
    """Type quit; how long it takes back to the shell."""
    began = time.monotonic()
    run.type("quit")
    status = await call(run.end)
    assert (status, run.errors) == (0, []), (when, status, run.errors)
    return Measured(f"quit {when}", time.monotonic() - began, LEFT_S)


def told(story: Coroutine[None, None, T]) -> T:
    """What the story gives, with threads enough for everything that waits in it."""

    async def main() -> T:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(AT_ONCE))
        return await story

    return asyncio.run(main())
