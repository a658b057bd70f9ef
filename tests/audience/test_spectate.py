"""Watching real tables over loopback: from the beginning, later, through relays, and when somebody goes."""

import asyncio
import contextlib
import shutil
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from peer.rig import ANY, Person, a_seat, run
from peer.tables import LOOPBACK, TABLE, Hosting, answer, begun, greeting, hosting, joining, knocking

from sm_p2p.audience.balcony import Admission, Balcony, Rules
from sm_p2p.audience.own_door import own_door
from sm_p2p.errors import Code
from sm_p2p.net.addresses import Address
from sm_p2p.net.door import listen
from sm_p2p.net.invite import Invite, Origin, Purpose
from sm_p2p.peer.join import join
from sm_p2p.session.effects import Advanced, PeerLeft, Rejected, Stopped
from sm_p2p.session.greeting import Peer
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import State
from sm_p2p.session.talk import Afresh, Again, Leave, LinkChanged, Resign, Watched, Way
from sm_p2p.session.wire import Reject
from sm_p2p.store.journal import read_journal
from sm_p2p.store.keys import Identity
from sm_p2p.watch import prove
from sm_p2p.watch.prove import Proved, Prover
from sm_p2p.watch.spectate import Sight, Spectator, Watching, Why, spectate

pytestmark = pytest.mark.usefixtures("free_mathematics")

TOKEN = bytes(range(16))
INVITED = Rules(Admission.INVITED, TOKEN)
WATCHED = replace(TABLE, watching=INVITED)
DEADLINE_S = 50.0


class Eyes:
    """A viewer who remembers."""

    def __init__(self) -> None:
        self.seen: list[Sight] = []
        self._news = asyncio.Event()
        self._gone = asyncio.Event()

    async def left(self) -> None:
        """Until the test has seen enough."""
        await self._gone.wait()

    def see(self, sight: Sight) -> None:
        """Remember it."""
        self.seen.append(sight)
        self._news.set()

    def leave(self) -> None:
        """Enough."""
        self._gone.set()

    @property
    def raws(self) -> list[bytes]:
        """The entries of the match that was seen last."""
        at = max((n for n, sight in enumerate(self.seen) if isinstance(sight, Afresh)), default=-1)
        return [sight.entry.raw for sight in self.seen[at + 1 :] if isinstance(sight, Advanced)]

    @property
    def proved(self) -> Proved:
        """How much was proved, as was told last."""
        return next((sight for sight in reversed(self.seen) if isinstance(sight, Proved)), Proved(0, 0, 0, 0))

    async def until_same(self, raws: list[bytes]) -> None:
        """Wait until all of these were seen, and nothing else."""
        await self.until(lambda: self.raws == raws)

    async def until_proved(self, count: int) -> None:
        """Wait until all proofs were checked, of so many entries."""
        await self.until(lambda: self.proved.is_all_proved and self.proved.total == count)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until this is so."""
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                self._news.clear()
                await self._news.wait()


def key(number: int) -> Identity:
    """Somebody who only watches."""
    return Identity(bytes([100 + number]) * 32)


def ticket(table: Hosting, token: bytes = TOKEN) -> Invite:
    """The invite for watching at a table."""
    return Invite((table.address,), table.seat.identity.identity, token, Purpose.WATCH)


@dataclass
class Watcher:
    """Somebody who watches in this process."""

    eyes: Eyes
    task: "asyncio.Task[Watching]"


@contextlib.asynccontextmanager
async def watching(invite: Invite, number: int = 1, wait: float | None = None) -> AsyncIterator[Watcher]:
    """Somebody watches; at the end he is stopped, if he has not ended."""
    eyes = Eyes()
    task = asyncio.create_task(spectate(Spectator(key(number), f"Watcher {number}", wait), invite, eyes))
    try:
        yield Watcher(eyes, task)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@contextlib.asynccontextmanager
async def relaying(invite: Invite, number: int, match: bytes, host: bytes) -> AsyncIterator[tuple[Watcher, Invite]]:
    """Somebody who watches and lets others watch; his invite."""
    me = key(number)
    async with own_door(me, Peer("", "relay"), INVITED, LOOPBACK, 0) as (door, balcony):
        eyes = Eyes()
        task = asyncio.create_task(spectate(Spectator(me, f"Relay {number}"), invite, eyes, balcony))
        try:
            address = Address("127.0.0.1", door.port)
            yield Watcher(eyes, task), Invite((address,), me.identity, TOKEN, Purpose.WATCH, Origin(host, match))
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@contextlib.asynccontextmanager
async def behind_a_relay(homes: Path, recorded: Path) -> AsyncIterator[tuple[Person, Watcher, Invite, Watcher]]:
    """A match that stands still: its host, a relay that stays, the relay's invite, and who watches through it by now."""
    shutil.copytree(recorded, homes, dirs_exist_ok=True)
    ana, bo = a_seat(homes, 1), a_seat(homes, 2)
    async with (
        hosting(ana, replace(WATCHED, variant=None)) as table,
        joining(bo, table.invite, Person(moves=0)) as guest,
    ):
        await guest.person.until_game()
        match = guest.person.now.match.chain.match
        async with (
            relaying(ticket(table), 3, match, ana.identity.identity) as (relay, through),
            watching(through, 5) as far,
        ):
            await far.eyes.until(lambda: far.eyes.raws)
            yield table.person, relay, through, far


async def over(person: Person) -> None:
    """Until this person's match is over."""
    await person.until(lambda: person.told and person.now.match.state is State.CLOSED)


@pytest.fixture
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs are taken for granted: many watch in one process here, and one of them is enough to check them."""
    monkeypatch.setattr(prove, "CHECKED", TRUSTED)


@pytest.mark.usefixtures("unproved")
def test_everybody_who_watches_ends_with_the_players_chain(tmp_path: Path) -> None:
    ana, bo = (replace(a_seat(tmp_path, number), stays=True) for number in (1, 2))

    async def story() -> None:
        async with (
            hosting(ana, WATCHED) as table,
            watching(ticket(table), 1) as first,
            watching(ticket(table), 6) as second,
        ):
            await first.eyes.until(lambda: first.eyes.seen)
            async with joining(bo, table.invite) as guest:
                people = (table.person, guest.person)
                await guest.person.until_game()
                match = guest.person.now.match.chain.match
                async with (
                    watching(ticket(table), 2) as late,
                    relaying(ticket(table), 3, match, ana.identity.identity) as (one, through_one),
                    relaying(through_one, 4, match, ana.identity.identity) as (two, through_two),
                    watching(through_two, 5) as far,
                    relaying(through_two, 7, match, ana.identity.identity) as (three, through_three),
                    watching(through_three, 8) as farthest,
                ):
                    await asyncio.gather(*(over(person) for person in people))
                    raws = [sight.entry.raw for sight in guest.person.heard(Advanced)]
                    async with watching(ticket(table), 9) as after:
                        for watcher in (first, second, late, one, two, far, three, farthest, after):
                            await watcher.eyes.until_same(raws)
                            await watcher.eyes.until_proved(len(raws))
                    await table.person.until(
                        lambda: Watched(4) in table.person.heard(Watched)
                    )  # 5 with whoever came after
                    table.person.want(Leave())
                    for watcher in (first, one, two, far, three, farthest):
                        assert (await watcher.task).why is Why.OVER

    run(story())


def test_whoever_watches_checks_every_proof(tmp_path: Path) -> None:
    ana, bo = (replace(a_seat(tmp_path, number), stays=True) for number in (1, 2))

    async def story() -> None:
        async with (
            hosting(ana, WATCHED) as table,
            watching(ticket(table)) as watcher,
            joining(bo, table.invite) as guest,
        ):
            await guest.person.until(lambda: guest.person.told and guest.person.now.match.state is State.TURN)
            guest.person.want(Resign())
            await over(guest.person)
            await watcher.eyes.until_proved(guest.person.now.match.chain.seq)

    run(story())


@pytest.mark.usefixtures("unproved")
def test_whoever_watches_sees_the_next_match_too(tmp_path: Path) -> None:
    ana, bo = (replace(a_seat(tmp_path, number), stays=True) for number in (1, 2))

    async def story() -> None:
        async with (
            hosting(ana, WATCHED) as table,
            watching(ticket(table)) as watcher,
            joining(bo, table.invite) as guest,
        ):
            people = (table.person, guest.person)
            for _ in range(2):
                await guest.person.until(lambda: guest.person.told and guest.person.now.match.state is State.TURN)
                guest.person.want(Resign())
                for person in people:
                    await over(person)
                    person.want(Again())
                await guest.person.until_told(Afresh)
            await watcher.eyes.until(lambda: any(isinstance(sight, Afresh) for sight in watcher.eyes.seen))
            await watcher.eyes.until(lambda: watcher.eyes.raws)
            assert len({sight.after.chain.match for sight in watcher.eyes.seen if isinstance(sight, Advanced)}) >= 2

    run(story())


@pytest.mark.parametrize(
    ("rules", "token", "code"),
    [
        (Rules(), TOKEN, Code.NO_SPECTATORS),
        (INVITED, bytes(16), Code.BAD_TOKEN),
        (replace(INVITED, most=0), TOKEN, Code.NO_SPECTATORS),
    ],
)
def test_whoever_may_not_watch_reads_why(tmp_path: Path, rules: Rules, token: bytes, code: Code) -> None:
    ana = a_seat(tmp_path, 1)

    async def story() -> None:
        async with hosting(ana, replace(TABLE, watching=rules)) as table, watching(ticket(table, token)) as watcher:
            ended = await watcher.task
            assert ended.why is Why.REJECTED
            assert isinstance(ended.fault, Rejected)
            assert ended.fault.code == code

    run(story())


@pytest.mark.parametrize("rules", [INVITED, Rules(Admission.INVITED)])
def test_no_token_is_nobodys_token(tmp_path: Path, rules: Rules) -> None:
    """Also where somebody has forgotten to draw one."""
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana, replace(TABLE, watching=rules)) as table, knocking(bo, table.invite) as link:
            said = replace(greeting(bo.identity, table.invite), role="spectator", token=b"")
            assert await answer(link, said) == Reject(Code.BAD_TOKEN)

    run(story())


def test_anyone_may_watch_where_anyone_may(tmp_path: Path) -> None:
    ana = a_seat(tmp_path, 1)

    async def story() -> None:
        rules = Rules(Admission.ANYONE)
        async with (
            hosting(ana, replace(TABLE, watching=rules)) as table,
            watching(ticket(table, bytes(16))) as watcher,
        ):
            await watcher.eyes.until(lambda: len(watcher.eyes.seen) > 0)
            watcher.eyes.leave()
            assert (await watcher.task).why is Why.LEFT

    run(story())


def test_the_invite_for_watching_does_not_let_anybody_play(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana, WATCHED) as table, joining(bo, table.through(table.address, token=TOKEN)) as guest:
            ending = await guest.ending()
            assert isinstance(ending.fault, Rejected)
            assert ending.fault.code == Code.BAD_TOKEN

    run(story())


def test_a_host_who_leaves_in_the_middle_is_said_to_have_left(tmp_path: Path, recorded: Path) -> None:
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with (
            hosting(ana, replace(WATCHED, variant=None)) as table,
            watching(ticket(table)) as watcher,
            joining(bo, table.invite, Person(moves=0)) as guest,
        ):
            await guest.person.until_game()
            await watcher.eyes.until(lambda: watcher.eyes.raws)
            table.person.want(Leave())
            ended = await watcher.task
            assert ended.why is Why.GONE
            assert any(isinstance(sight, PeerLeft) for sight in watcher.eyes.seen)

    run(story())


@pytest.mark.usefixtures("unproved")
def test_behind_a_relay_that_stays_nobody_takes_for_live_what_ends_there(tmp_path: Path, recorded: Path) -> None:
    async def story() -> None:
        async with behind_a_relay(tmp_path, recorded) as (host, relay, through, far):
            host.want(Leave())
            assert (await relay.task).why is Why.GONE
            async with watching(through, 6) as late:
                for watcher in (far, late):
                    assert (await watcher.task).why is Why.GONE
                    assert watcher.eyes.raws == relay.eyes.raws

    run(story())


def test_a_relay_says_goodbye_before_it_has_checked_all_proofs(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks, work = threading.Event(), Prover.work

    def work_later(prover: Prover) -> Stopped | None:
        checks.wait(DEADLINE_S)
        return work(prover)

    monkeypatch.setattr(Prover, "work", work_later)

    async def story() -> None:
        async with behind_a_relay(tmp_path, recorded) as (host, relay, _, far):
            host.want(Leave())
            await far.eyes.until(lambda: PeerLeft() in far.eyes.seen)
            assert not relay.task.done()
            checks.set()
            for watcher in (relay, far):
                assert (await watcher.task).why is Why.GONE

    try:
        run(story())
    finally:
        checks.set()


@contextlib.asynccontextmanager
async def shown(me: Identity, raws: list[bytes], port: int = 0) -> AsyncIterator[int]:
    """A table that shows these entries, and in the end is gone without a word; its port."""
    door = await listen(me.seed, bind=LOOPBACK, port=port)
    balcony = Balcony(door, me, Peer("Ana", "host"), INVITED)
    serving = asyncio.create_task(balcony.serve())
    try:
        await balcony.begin(raws)
        yield door.port
    finally:
        await door.close()
        await asyncio.gather(serving, return_exceptions=True)
        await balcony.close()


@pytest.mark.usefixtures("unproved")
def test_behind_relays_that_are_cut_off_nothing_is_live_until_they_are_not(tmp_path: Path, recorded: Path) -> None:
    ana, _, match = begun(tmp_path, recorded)
    host = ana.identity
    raws = [record.payload for record in read_journal(ana.places.data / f"{match.hex()}.smlog").records]

    async def until(watcher: Watcher, way: Way, count: int) -> None:
        def is_so() -> bool:
            ways = [sight.way for sight in watcher.eyes.seen if isinstance(sight, LinkChanged)]
            return ways[-1:] == [way] and watcher.eyes.raws == raws[:count]

        await watcher.eyes.until(is_so)

    async def story() -> None:
        async with contextlib.AsyncExitStack() as stack:
            async with shown(host, raws[:5]) as port:
                invite = Invite((Address("127.0.0.1", port),), host.identity, TOKEN, Purpose.WATCH)
                one, through = await stack.enter_async_context(relaying(invite, 3, match, host.identity))
                two, further = await stack.enter_async_context(relaying(through, 4, match, host.identity))
                far = await stack.enter_async_context(watching(further, 5))
                for watcher in (one, two, far):
                    await until(watcher, Way.UP, 5)
            late = await stack.enter_async_context(watching(further, 6))
            for watcher in (one, two, far, late):
                await until(watcher, Way.RECONNECTING, 5)
            async with shown(host, raws[:6], port):
                for watcher in (one, two, far, late):
                    await until(watcher, Way.UP, 6)

    run(story())


def test_nobody_at_the_address_is_said_so_in_time() -> None:
    async def story() -> None:
        invite = Invite((Address("127.0.0.1", 9),), key(9).identity, TOKEN, Purpose.WATCH)
        async with watching(invite, wait=0.2) as watcher:
            assert (await watcher.task).why is Why.ALONE

    run(story())


def test_a_guest_can_let_others_watch_too(tmp_path: Path, recorded: Path) -> None:
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        person, eyes = Person(moves=0), Eyes()
        async with hosting(ana, replace(TABLE, variant=None), Person(moves=0)) as table:
            async with own_door(bo.identity, Peer("Bo", "host"), INVITED, LOOPBACK, 0) as (door, balcony):
                playing = asyncio.create_task(join(bo, table.invite, ANY, person, balcony))
                await person.until_game()
                invite = Invite((Address("127.0.0.1", door.port),), bo.identity.identity, TOKEN, Purpose.WATCH)
                seeing = asyncio.create_task(spectate(Spectator(key(1), "Watcher"), invite, eyes))
                await eyes.until(lambda: eyes.raws)
                person.want(Leave())
                await playing
            assert (await seeing).why is Why.GONE

    run(story())
