"""Two hundred who watch: from the host's send to the last one's checked table, beside a bare fan-out of the same bytes.

Law: over loopback with CURVE: one process sends, two others hold those who watch, half of them each behind one ZeroMQ
context. A machine is not always equally fast, so that for each play all three follow each other: the bare fan-out, ours,
and as many checks by as many matches without a network, in the two processes at once. Each lasts until the last one has
it; the first and the last of them make the aim. `python -m scripts.measuring.audience` prints the rows.
"""

import asyncio
import gc
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from statistics import mean, median, quantiles
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

import zmq
import zmq.asyncio
from nacl.signing import SigningKey

from scripts.making.recorder import SEEDS, Recorder
from scripts.measuring.row import Row
from sm_p2p.audience.balcony import Admission, Balcony, Rules
from sm_p2p.cli.main import NEW
from sm_p2p.deck.group import Point
from sm_p2p.deck.masking import Deck, MaskedCard
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import LinkDown
from sm_p2p.log.entry import read_envelope
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.door import listen
from sm_p2p.net.link import LinkState
from sm_p2p.session.effects import Advanced, Send
from sm_p2p.session.events import MOVED, Key, Shares, Shuffle
from sm_p2p.session.greeting import Peer
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import CHECKED, TRUSTED, Proofs
from sm_p2p.session.state import Match
from sm_p2p.session.wire import Entries, write_frame
from sm_p2p.store.keys import Identity
from sm_p2p.watch.follow import Expected, Follower
from sm_p2p.watch.spectate import TICK_S

WATCHERS: Final = 200
PROCESSES: Final = 2  # of those who watch
HALF: Final = WATCHERS // PROCESSES
MATCHES: Final = 5  # of which the plays before the first reshuffle are measured
LENGTH: Final = 60  # entries of each; the first reshuffle is among them
RESHUFFLE: Final = 2000  # bytes that no ordinary play has
SEED: Final = SEEDS[0]
SETTLE_S: Final = 0.02  # between plays, for whatever they have set in motion
READY_S: Final = 120.0
AIM: Final = 1.5

What = TypeVar("What")
Place: TypeAlias = tuple[int, int]
"""The number of a match, and of entries in it."""


class Told(NamedTuple):
    """What one of the two processes has to tell: when its last one was there, and the seconds that the checks alone take."""

    place: Place
    at: float
    checks: float


class Pipe(Protocol):
    """What the two processes tell it through."""

    def send(self, told: Told, /) -> None:
        """Tell."""

    def recv(self) -> Told:
        """Hear."""

    def poll(self, timeout: float, /) -> bool:
        """Whether there is something to hear, after at most so many seconds."""


class Start(Protocol):
    """Where the two processes wait for each other."""

    def wait(self, timeout: float, /) -> int:
        """Go on with the other one; BrokenBarrierError after so many seconds."""


class Watching(NamedTuple):
    """What those who watch are told at the beginning."""

    spans: Sequence[Place]
    """For each match how many entries were played before they come, and how many there will be."""
    start: Start


class Recorded(NamedTuple):
    """The beginning of a match, and its ordinary plays, each by the number of entries before it."""

    raws: Sequence[bytes]
    plays: Sequence[int]


class Proving:
    """Proofs that are trusted until all are ready, and checked from then on."""

    def __init__(self) -> None:
        self.now: Proofs = TRUSTED

    def key(self, place: Context, key: Key) -> Point:
        """As it is now."""
        return self.now.key(place, key)

    def shares(self, place: Context, owner: Point, cards: Sequence[MaskedCard], shares: Shares) -> tuple[Point, ...]:
        """As it is now."""
        return self.now.shares(place, owner, cards, shares)

    def shuffle(self, place: Context, joint: Point, before: Deck, shuffle: Shuffle) -> Deck:
        """As it is now."""
        return self.now.shuffle(place, joint, before, shuffle)

    def opens(self, masked: MaskedCard, given: tuple[Point, Point], card: int) -> bool:
        """As it is now."""
        return self.now.opens(masked, given, card)


def recorded(number: int) -> Recorded:
    """The beginning of one match, up to its first reshuffle."""
    record = Recorder(f"quick,target={10 + number}", f"audience {number}")
    record.go_on(lambda match: match.chain.seq == LENGTH)
    plays: list[int] = []
    for at, raw in enumerate(record.raws):
        if read_envelope(raw).kind == MOVED and len(raw) < RESHUFFLE:
            plays.append(at)
        elif plays and len(raw) >= RESHUFFLE:
            break
    return Recorded(record.raws[: plays[-1] + 1], plays[2:])


# those who watch, in the other processes


def watchers(pipe: Pipe, port: int, watching: Watching, half: int) -> None:
    """Follow with so many; tell for each entry when the last one had it."""
    gc.set_threshold(NEW)  # as the program does
    asyncio.run(_watchers(pipe, port, watching, half))


async def _watchers(pipe: Pipe, port: int, watching: Watching, half: int) -> None:
    host = bytes(SigningKey(SEED).verify_key)
    context = zmq.asyncio.Context()
    have: Counter[Place] = Counter()
    proving = Proving()
    tables: list[Match] = []
    ticking: set[asyncio.Task[None]] = set()

    async def tick(follower: Follower, link: DialledLink) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            for said in follower.tick():
                with suppress(LinkDown):
                    await link.send(said.frame)

    def has(place: Place, raw: bytes) -> None:
        have[place] += 1
        if have[place] < HALF:
            return
        at, (number, count) = time.monotonic(), place
        first, last = watching.spans[number]
        if count == 1:
            tables[:] = [Match()] * HALF
        if count > first:
            watching.start.wait(READY_S)
        began = time.perf_counter()
        tables[:] = [advance(table, admit(table, raw), proving.now) for table in tables]
        pipe.send(Told(place, at, time.perf_counter() - began))
        proving.now = CHECKED if first <= count < last else TRUSTED

    async def one(number: int) -> None:
        identity = Identity(number.to_bytes(32, "big"))
        link = dial(identity.seed, [Address("127.0.0.1", port)], host, context)
        follower = Follower(identity, Peer("", "spectator"), Expected(host, host), proofs=proving)
        ticking.add(asyncio.create_task(tick(follower, link)))
        match = -1
        while True:
            word = await link.receive()
            if isinstance(word, LinkState):
                effects = follower.connected() if word is LinkState.UP else []
            else:
                effects = follower.receive(word)
            for effect in effects:
                if isinstance(effect, Send):
                    await link.send(effect.frame)
                elif isinstance(effect, Advanced):
                    match += effect.entry.seq == 1
                    has((match, effect.entry.seq), effect.entry.raw)

    await asyncio.gather(*map(one, range(1 + half * HALF, 1 + half * HALF + HALF)))


def bare(pipe: Pipe, port: int, key: bytes, _half: int) -> None:
    """As many bare sockets; tell for each frame when the last one had it."""
    asyncio.run(_bare(pipe, port, key))


async def _bare(pipe: Pipe, port: int, key: bytes) -> None:
    context = zmq.asyncio.Context()
    have: Counter[int] = Counter()

    async def one() -> None:
        socket = context.socket(zmq.DEALER)
        socket.curve_serverkey = key
        socket.curve_publickey, socket.curve_secretkey = zmq.curve_keypair()
        socket.connect(f"tcp://127.0.0.1:{port}")
        await socket.send(b"hello")
        count = 0
        while True:
            await socket.recv()
            count += 1
            have[count] += 1
            if have[count] == HALF:
                pipe.send(Told((0, count), time.monotonic(), 0))

    await asyncio.gather(*(one() for _ in range(HALF)))


# the one who sends


async def _told(pipes: Sequence[Pipe], wanted: Place) -> list[Told]:
    """What the processes tell when the last one had it, wherever he is."""
    return [await _told_by(pipe, wanted) for pipe in pipes]


async def _told_by(pipe: Pipe, wanted: Place) -> Told:
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        if await asyncio.to_thread(pipe.poll, 1.0):
            told = await asyncio.to_thread(pipe.recv)
            if told.place == wanted:
                return told
    raise SystemExit("audience: somebody has not got it")


def _at(told: Sequence[Told]) -> float:
    return max(one.at for one in told)


class Times(NamedTuple):
    """Milliseconds for each play: ours, a bare fan-out of the same frame, and the checks alone, divided by the cores.

    The checks are those of the process that is done last, and of both in the mean, which asks more of us.
    """

    found: list[float]
    bare: list[float]
    checks: list[float]
    mean_checks: list[float]


class Bare:
    """Sockets and nothing else."""

    def __init__(self, begin: Callable[[int, bytes], list[Pipe]]) -> None:
        public, secret = zmq.curve_keypair()
        self._context = zmq.asyncio.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.curve_server = True
        self._socket.curve_publickey, self._socket.curve_secretkey = public, secret
        self._pipes = begin(self._socket.bind_to_random_port("tcp://127.0.0.1"), public)
        self._routes: list[bytes] = []
        self._sent = 0

    async def ready(self) -> None:
        """Everybody is there."""
        while len(self._routes) < WATCHERS:
            self._routes.append((await self._socket.recv_multipart())[0])

    async def fan_out(self, frame: bytes) -> float:
        """Seconds until everybody has it."""
        began = time.monotonic()
        for route in self._routes:
            await self._socket.send_multipart([route, frame])
        self._sent += 1
        return _at(await _told(self._pipes, (0, self._sent))) - began

    def close(self) -> None:
        """Ends it."""
        self._context.destroy(0)


async def times(matches: Sequence[Recorded], bare: Bare, begin: Callable[[int], list[Pipe]]) -> Times:
    """All three for each play; `begin` brings those who watch to a port."""
    cores = multiprocessing.cpu_count() or 1
    door = await listen(SEED, bind=["127.0.0.1"], port=0)
    rules = Rules(Admission.ANYONE, most=WATCHERS)
    balcony = Balcony(door, Identity(SEED), Peer("Ana", "host"), rules)
    serving = asyncio.create_task(balcony.serve())
    pipes = begin(door.port)
    await bare.ready()
    seconds = Times([], [], [], [])
    for number, (raws, chosen) in enumerate(matches):
        await balcony.begin(raws[: chosen[0]])
        await _told(pipes, (number, chosen[0]))
        for at in range(chosen[0], len(raws)):
            frame = write_frame(Entries((raws[at],)))
            fanned = await bare.fan_out(frame)
            began = time.monotonic()
            await balcony.grow(raws[at])
            told = await _told(pipes, (number, at + 1))
            if at in chosen:
                share = min(PROCESSES, cores) / cores
                checks = [one.checks * share for one in told]
                for one, took in zip(seconds, (_at(told) - began, fanned, max(checks), mean(checks)), strict=True):
                    one.append(1000 * took)
            await asyncio.sleep(SETTLE_S)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await balcony.close()
    await door.close()
    return seconds


def rows() -> list[Row]:
    """All numbers."""
    matches = list(map(recorded, range(MATCHES)))
    context = multiprocessing.get_context("spawn")
    processes = []

    def begin(work: Callable[[Pipe, int, What, int], None], port: int, what: What) -> list[Pipe]:
        pipes: list[Pipe] = []
        for half in range(PROCESSES):
            here, there = context.Pipe()
            process = context.Process(target=work, args=(there, port, what, half), daemon=True)
            process.start()
            processes.append(process)
            pipes.append(here)
        return pipes

    async def story() -> Times:
        bare_sockets = Bare(partial(begin, bare))
        try:
            spans = [(chosen[0], len(raws)) for raws, chosen in matches]
            watching = Watching(spans, context.Barrier(PROCESSES))
            return await times(matches, bare_sockets, partial(begin, watchers, what=watching))
        finally:
            bare_sockets.close()

    try:
        found, plain, checks, mean_checks = asyncio.run(story())
    finally:
        for process in processes:
            process.kill()
            process.join()
    name = f"a play, to the last of {WATCHERS} tables"
    return [
        Row(
            name,
            round(median(found), 1),
            "ms",
            f"aim at most {AIM * median(plain) + median(checks):.1f} ms in this run",
        ),
        Row(
            f"{name}: p99",
            round(_p99(found), 1),
            "ms",
            f"aim at most {AIM * _p99(plain) + _p99(checks):.1f} ms in this run",
        ),
        Row(f"{name}: a bare fan-out", round(median(plain), 1), "ms", f"p99 {_p99(plain):.1f} ms"),
        Row(f"{name}: the checks alone", round(median(checks), 1), "ms", f"p99 {_p99(checks):.1f} ms, on all cores"),
        _beside(f"{name}: beside its aim", found, plain, checks),
        _beside(f"{name}: with the mean of the checks", found, plain, mean_checks),
    ]


def _beside(name: str, found: Sequence[float], plain: Sequence[float], checks: Sequence[float]) -> Row:
    """Each play beside its own aim."""
    shares = [100 * took / (AIM * one + check) for took, one, check in zip(found, plain, checks, strict=True)]
    return Row(
        name,
        round(median(shares)),
        "%",
        f"aim at most 100 %; of ten plays nine stay below {quantiles(shares, n=10)[8]:.0f} %",
    )


def _p99(times: Sequence[float]) -> float:
    return quantiles(times, n=100, method="inclusive")[98]


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:64} {row.value:>10,} {row.unit:8} {row.note}")


if __name__ == "__main__":
    main()
