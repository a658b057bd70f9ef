"""Two hundred who watch: from the host's send to the last one's checked table, beside a bare fan-out of the same bytes.

Law: both in one run, over loopback with CURVE: one process sends, two others hold those who watch, half of them each.
`python -m scripts.measuring.audience` prints the rows.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from statistics import median, quantiles
from typing import Final, Protocol

import zmq
import zmq.asyncio
from nacl.signing import SigningKey

from scripts.making.recorder import SEEDS, Recorder
from scripts.measuring.row import Row
from sm_p2p.audience.balcony import Admission, Balcony, Rules
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
PLAYS: Final = 40
RESHUFFLE: Final = 2000  # bytes that no ordinary play has
SEED: Final = SEEDS[0]
READY_S: Final = 120.0
AIM: Final = 1.5


class Pipe(Protocol):
    """What the two processes tell each other through: which entry the last one has, and when he got it."""

    def send(self, told: tuple[int, float], /) -> None:
        """Tell."""

    def recv(self) -> tuple[int, float]:
        """Hear."""

    def poll(self, timeout: float, /) -> bool:
        """Whether there is something to hear, after at most so many seconds."""


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


def recorded() -> list[bytes]:
    """The entries of a short match."""
    record = Recorder("quick", "audience")
    record.go_on()
    return record.raws


def plays(raws: Sequence[bytes]) -> list[int]:
    """Which entries are ordinary plays, as many as are measured: behind the deal, before the first reshuffle."""
    found: list[int] = []
    for at, raw in enumerate(raws):
        if read_envelope(raw).kind == MOVED and len(raw) < RESHUFFLE:
            found.append(at)
        elif found and len(raw) >= RESHUFFLE:
            break
    return found[2 : 2 + PLAYS]


# those who watch, in the other processes


def watchers(pipe: Pipe, port: int, past: bytes, half: int) -> None:
    """Follow with so many; tell for each entry when the last one had it."""
    asyncio.run(_watchers(pipe, port, int.from_bytes(past), half))


async def _watchers(pipe: Pipe, port: int, first: int, half: int) -> None:
    host = bytes(SigningKey(SEED).verify_key)
    have: dict[int, int] = {}
    proving = Proving()

    ticking: set[asyncio.Task[None]] = set()

    async def tick(follower: Follower, link: DialledLink) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            for said in follower.tick():
                with suppress(LinkDown):
                    await link.send(said.frame)

    async def one(number: int) -> None:
        identity = Identity(number.to_bytes(32, "big"))
        link = dial(identity.seed, [Address("127.0.0.1", port)], host)
        follower = Follower(identity, Peer("", "spectator"), Expected(host, host), proofs=proving)
        ticking.add(asyncio.create_task(tick(follower, link)))
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
                    seq = effect.entry.seq
                    have[seq] = have.get(seq, 0) + 1
                    if have[seq] == HALF:
                        proving.now = TRUSTED if seq < first else CHECKED
                        pipe.send((seq, time.monotonic()))

    await asyncio.gather(*map(one, range(1 + half * HALF, 1 + half * HALF + HALF)))


def bare(pipe: Pipe, port: int, key: bytes, _half: int) -> None:
    """As many bare sockets; tell for each frame when the last one had it."""
    asyncio.run(_bare(pipe, port, key))


async def _bare(pipe: Pipe, port: int, key: bytes) -> None:
    context = zmq.asyncio.Context()
    have: dict[int, int] = {}

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
            have[count] = have.get(count, 0) + 1
            if have[count] == HALF:
                pipe.send((count, time.monotonic()))

    await asyncio.gather(*(one() for _ in range(HALF)))


# the one who sends


async def _last(pipes: Sequence[Pipe], wanted: int) -> float:
    """When the last one had it, wherever he is."""
    return max([await _last_of(pipe, wanted) for pipe in pipes])


async def _last_of(pipe: Pipe, wanted: int) -> float:
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        if await asyncio.to_thread(pipe.poll, 1.0):
            number, at = await asyncio.to_thread(pipe.recv)
            if number == wanted:
                return float(at)
    raise SystemExit("audience: somebody has not got it")


async def ours(raws: Sequence[bytes], begin: Callable[[int, bytes], list[Pipe]]) -> list[float]:
    """Milliseconds from the send to the last one's table, for each play."""
    door = await listen(SEED, bind=["127.0.0.1"], port=0)
    rules = Rules(Admission.ANYONE, most=WATCHERS)
    balcony = Balcony(door, Identity(SEED), Peer("Ana", "host"), rules)
    chosen = plays(raws)
    await balcony.begin(raws[: chosen[0]])
    serving = asyncio.create_task(balcony.serve())
    pipes = begin(door.port, chosen[0].to_bytes(2))
    await _last(pipes, chosen[0])
    times = []
    for at in range(chosen[0], chosen[-1] + 1):
        began = time.monotonic()
        await balcony.grow(raws[at])
        took = await _last(pipes, at + 1) - began
        if at in chosen:
            times.append(1000 * took)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await balcony.close()
    await door.close()
    return times


async def bare_fan_out(frames: Sequence[bytes], begin: Callable[[int, bytes], list[Pipe]]) -> list[float]:
    """The same with sockets and nothing else."""
    public, secret = zmq.curve_keypair()
    context = zmq.asyncio.Context()
    socket = context.socket(zmq.ROUTER)
    socket.curve_server = True
    socket.curve_publickey, socket.curve_secretkey = public, secret
    port = socket.bind_to_random_port("tcp://127.0.0.1")
    pipes = begin(port, public)
    routes = [(await socket.recv_multipart())[0] for _ in range(WATCHERS)]
    times = []
    for number, frame in enumerate(frames, 1):
        began = time.monotonic()
        for route in routes:
            await socket.send_multipart([route, frame])
        times.append(1000 * (await _last(pipes, number) - began))
    context.destroy(0)
    return times


def verifications(raws: Sequence[bytes]) -> list[float]:
    """Milliseconds that each ordinary play takes to check, proofs included; most give one share, the dearest gives five."""
    match, times, chosen = Match(), [], set(plays(raws))
    for at, raw in enumerate(raws[: max(chosen) + 1]):
        began = time.perf_counter()
        match = advance(match, admit(match, raw), CHECKED if at in chosen else TRUSTED)
        if at in chosen:
            times.append(1000 * (time.perf_counter() - began))
    return times


def rows() -> list[Row]:
    """All numbers."""
    raws = recorded()
    context = multiprocessing.get_context("spawn")
    processes = []

    def begin(work: Callable[[Pipe, int, bytes, int], None], port: int, key: bytes = b"") -> list[Pipe]:
        pipes: list[Pipe] = []
        for half in range(PROCESSES):
            here, there = context.Pipe()
            process = context.Process(target=work, args=(there, port, key, half), daemon=True)
            process.start()
            processes.append(process)
            pipes.append(here)
        return pipes

    try:
        frames = [write_frame(Entries((raws[at],))) for at in plays(raws)]
        plain = asyncio.run(bare_fan_out(frames, partial(begin, bare)))
        found = asyncio.run(ours(raws, partial(begin, watchers)))
    finally:
        for process in processes:
            process.kill()
            process.join()
    name = f"a play, to the last of {WATCHERS} tables"
    middle, bare_middle = median(found), median(plain)
    checks = verifications(raws)
    aim, dearest = (
        AIM * bare_middle + WATCHERS * check / (multiprocessing.cpu_count() or 1)
        for check in (median(checks), max(checks))
    )
    return [
        Row(
            name,
            round(middle, 1),
            "ms",
            f"aim at most {aim:.0f} ms in this run; p99 {quantiles(found, n=100)[98]:.1f} ms, "
            f"and {dearest:.0f} ms would be the aim for the play with most to check",
        ),
        Row(f"{name}: bare fan-out", round(bare_middle, 1), "ms", f"p99 {quantiles(plain, n=100)[98]:.1f} ms"),
    ]


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:64} {row.value:>10,} {row.unit:8} {row.note}")


if __name__ == "__main__":
    main()
