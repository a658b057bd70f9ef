"""Seats with homes of their own, players who do what a test tells them, and a cable between them that can be cut.

Law: nothing here sleeps; whoever waits, waits for news, with a deadline.
"""

import asyncio
import os
import shutil
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sm_p2p.bot import greedy
from sm_p2p.errors import LinkDown, sure
from sm_p2p.log.entry import Draft, seal
from sm_p2p.net.link import LinkState
from sm_p2p.peer.desk import Desk, new_desk, resumed_desk
from sm_p2p.peer.ending import Ending
from sm_p2p.peer.lobby import Seat
from sm_p2p.peer.play import Around, Play, Terms
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced, Keep, Mark, Store
from sm_p2p.session.events import MOVED, NONCE
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.talk import Agree, Leave, News, Offered, Resign, Situation, Wish
from sm_p2p.session.wire import Frame, read_frame
from sm_p2p.store.journal import Journal, read_journal
from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places

T = TypeVar("T")
N = TypeVar("N")

DEADLINE_S = 60.0
SHORT = Variant.parse("quick,pay_off=5")
ANY = Terms(is_any=True)


def run(story: Coroutine[None, None, T]) -> T:
    """One test's story to its end, or a failure at the deadline."""
    return asyncio.run(asyncio.wait_for(story, DEADLINE_S))


def a_seat(home: Path, number: int, wait: float | None = None, patience: float | None = None) -> Seat:
    """A seat with a home of its own; the same number is the same identity."""
    places = Places.below(home / f"home-{number}").make()
    return Seat(places, Identity(bytes([number]) * 32), f"Player {number}", wait, patience)


class Person:
    """A player who is told everything; agrees, chooses a move and leaves as a test wants.

    `moves` of them are played by `choose`, then it only looks on.
    """

    def __init__(
        self, choose: Callable[[View], Move] = greedy.choose, moves: int = 10_000, *, agrees: bool = True
    ) -> None:
        self.told: list[tuple[News, Situation]] = []
        self.moves = moves
        self._choose = choose
        self._agrees = agrees
        self._wishes: asyncio.Queue[Wish] = asyncio.Queue()
        self._news = asyncio.Event()
        self._moved_at = 0

    async def wish(self) -> Wish:
        """What the test wants, or the next move."""
        wish = await self._wishes.get()
        if isinstance(wish, Leave):
            self._wishes.put_nowait(wish)
        return wish

    def show(self, news: News, now: Situation) -> None:
        """Remember it, and answer what has an answer."""
        self.told.append((news, now))
        self._news.set()
        if isinstance(news, Offered) and self._agrees:
            self.want(Agree())
        seq = now.match.chain.seq
        if self.moves and now.is_our_turn and now.view is not None and seq != self._moved_at:
            self._moved_at = seq
            self.moves -= 1
            self.want(self._choose(now.view))

    def want(self, wish: Wish) -> None:
        """Wish for this."""
        self._wishes.put_nowait(wish)

    def heard(self, kind: type[N]) -> list[N]:
        """All news of one kind, so far."""
        return [news for news, _ in self.told if isinstance(news, kind)]

    @property
    def now(self) -> Situation:
        """How things stood at the last news."""
        return self.told[-1][1]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until this is so."""
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def until_told(self, kind: type[N]) -> N:
        """Wait for the first news of this kind."""
        await self.until(lambda: self.heard(kind))
        return self.heard(kind)[0]

    async def until_turn(self) -> None:
        """Wait until it is our turn."""
        await self.until(lambda: self.told and self.now.is_our_turn)

    async def until_game(self) -> None:
        """Wait until cards are on the table and somebody is to move."""
        await self.until(lambda: self.told and self.now.match.game and self.now.match.game.table.to_move is not None)


class End:
    """One end of a cable."""

    def __init__(self) -> None:
        self.state = LinkState.CONNECTING
        self.sent: list[Frame] = []
        self.spoil: Callable[[bytes], bytes] = lambda frame: frame
        self.other: End | None = None
        self.is_closed = False
        self._inbox: asyncio.Queue[bytes | LinkState] = asyncio.Queue()
        self._news = asyncio.Event()

    async def until_sent(self, count: int) -> None:
        """Wait until so many frames were sent."""
        async with asyncio.timeout(DEADLINE_S):
            while len(self.sent) < count:
                self._news.clear()
                await self._news.wait()

    async def send(self, frame: bytes) -> None:
        """Hand it over, if the cable is whole."""
        if self.state is not LinkState.UP or self.other is None:
            raise LinkDown("the cable is cut")
        self.sent.append(read_frame(frame))
        self._news.set()
        self.other.put(self.spoil(frame))

    async def receive(self) -> bytes | LinkState:
        """What comes."""
        return await self._inbox.get()

    async def close(self) -> None:
        """Nothing leaves here any more."""
        self.is_closed = True
        if self.other is not None:
            self.other.turn(LinkState.RECONNECTING)

    def put(self, item: bytes | LinkState) -> None:
        """Let this arrive here."""
        self._inbox.put_nowait(item)

    def turn(self, state: LinkState) -> None:
        """Be in this state from now on."""
        if state is not self.state:
            self.state = state
            self.put(state)


@dataclass
class Cable:
    """Two ends; `plug` connects them, `cut` loses what is said from then on."""

    ends: tuple[End, End] = field(default_factory=lambda: (End(), End()))

    def __post_init__(self) -> None:
        self.ends[0].other, self.ends[1].other = self.ends[1], self.ends[0]

    def plug(self) -> "Cable":
        """Connect (again)."""
        for end in self.ends:
            end.turn(LinkState.UP)
        return self

    def cut(self) -> None:
        """Disconnect."""
        for end in self.ends:
            end.turn(LinkState.RECONNECTING)


class Pair:
    """A host and a guest at one cable, each with a person, a desk and files."""

    def __init__(self, home: Path, variant: Variant = SHORT) -> None:
        self.seats = (a_seat(home, 1), a_seat(home, 2))
        self.variant = variant
        self.people = (Person(), Person())
        self.cable = Cable().plug()
        self.desks: list[Desk] = []
        self.sessions: list[Session] = []

    def begin(self) -> "Pair":
        """Two desks for a new match."""
        return self.lay(
            *(new_desk(seat.places, seat.identity, number, self.peer(number)) for number, seat in enumerate(self.seats))
        )._open()

    def resume(self, match: bytes) -> "Pair":
        """Two desks for the match that both have on their disks; new people, and the cable plugged anew."""
        found = [
            resumed_desk(seat.places, seat.identity, match, self.peer(number)) for number, seat in enumerate(self.seats)
        ]
        laid = [one for one in found if one is not None]
        assert len(laid) == 2
        self.people, self.cable = (Person(), Person()), Cable().plug()
        return self.lay(*laid)

    @classmethod
    def begun(cls, home: Path, recorded: Path) -> "Pair":
        """A pair that goes on with a copy of the recorded match, in which the first turn has begun."""
        shutil.copytree(recorded, home, dirs_exist_ok=True)
        pair = cls(home)
        (log,) = pair.seats[0].places.data.glob("*.smlog")
        return pair.resume(bytes.fromhex(log.stem))

    def again(self, number: int, person: Person) -> Play:
        """One seat once more, from its disk, with another person."""
        seat = self.seats[number]
        found = resumed_desk(seat.places, seat.identity, self.match, self.peer(number))
        assert found is not None
        return Play(found[1], found[0], self.cable.ends[number], person)

    def peer(self, number: int) -> Peer:
        """How a seat presents itself, and whom it expects."""
        return Peer(f"Player {number + 1}", ("host", "guest")[number], b"", self.seats[1 - number].identity.identity)

    def lay(self, *laid: tuple[Desk, Session]) -> "Pair":
        """Use these desks and sessions."""
        self.desks, self.sessions = [desk for desk, _ in laid], [session for _, session in laid]
        return self

    def play(self, number: int, terms: Terms | None = None, patience: float | None = None) -> "asyncio.Task[Ending]":
        """Let one seat play."""
        return asyncio.create_task(
            Play(
                self.sessions[number],
                self.desks[number],
                self.cable.ends[number],
                self.people[number],
                terms,
                Around(patience),
            ).run()
        )

    def play_both(self, terms: Terms = ANY) -> "tuple[asyncio.Task[Ending], asyncio.Task[Ending]]":
        """Let both play."""
        return self.play(0), self.play(1, terms)

    @property
    def match(self) -> bytes:
        """The id of the match."""
        return self.sessions[0].match.chain.match

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return sure(self.sessions[0].match.speaker)

    def log_path(self, number: int) -> Path:
        """A seat's log."""
        return self.seats[number].places.log(self.match)

    def log(self, number: int) -> bytes:
        """The bytes of a seat's log."""
        return self.log_path(number).read_bytes()

    def files(self, number: int) -> set[str]:
        """The names of all files of a seat."""
        places = self.seats[number].places
        return {path.name for place in (places.data, places.keys) for path in place.iterdir()}

    def _open(self) -> "Pair":
        for effect in self.sessions[0].open(self.variant, os.urandom(NONCE), 0):
            if isinstance(effect, Store | Mark | Keep):
                self.desks[0].carry_out(effect)
        return self


async def both(tasks: "tuple[asyncio.Task[Ending], asyncio.Task[Ending]]") -> tuple[Ending, Ending]:
    """How both end."""
    one, other = await asyncio.gather(*tasks)
    return one, other


def entries_of(path: Path) -> list[bytes]:
    """The entries of a log."""
    return [record.payload for record in read_journal(path).records]


def seqs(person: Person) -> list[int]:
    """The entries that a person was told, in order."""
    return [news.entry.seq for news in person.heard(Advanced)]


async def resign_at_once(person: Person) -> None:
    """End the game as soon as it is on the table."""
    await person.until_game()
    person.want(Resign())


def rewrite(path: Path, raws: Sequence[bytes]) -> None:
    """Let a log hold these entries and nothing else."""
    path.unlink()
    with Journal.create(path) as journal:
        for raw in raws:
            journal.append(raw)


def nonsense(pair: Pair, kind: int = MOVED, prev: bytes | None = None) -> bytes:
    """An entry by whoever is to move, well signed and in its place (or after another one), that says nothing."""
    match, author = pair.sessions[0].match, pair.mover
    draft = Draft(match.chain.match, match.chain.seq + 1, prev or match.chain.head, author, kind, 0, (), bytes(8))
    return seal(draft, pair.seats[author].identity).raw
