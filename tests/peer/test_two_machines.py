"""One key on two machines in one match: what was signed elsewhere comes back and is told, and a fork stops on both sides."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from peer.rig import Pair, Person, run

from sm_p2p.errors import Code
from sm_p2p.peer.desk import resumed_desk
from sm_p2p.peer.ending import How
from sm_p2p.peer.play import Play
from sm_p2p.session.effects import Recovered, Stopped
from sm_p2p.session.state import SeatNumber
from sm_p2p.session.talk import Leave, LinkChanged, News, Way
from sm_p2p.store.backup import back_up
from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places
from sm_p2p.store.restore import restore
from sm_p2p.ui.news import sentences, words_of


@dataclass
class Machines:
    """A match whose mover has taken a backup to another machine; `pair` is theirs, `mover` that one's seat."""

    pair: Pair
    mover: SeatNumber
    other: Path

    def there(self, person: Person) -> Play:
        """The mover on the other machine, from what was restored there."""
        pair, seat = self.pair, self.pair.seats[self.mover]
        found = resumed_desk(Places.below(self.other), seat.identity, pair.match, pair.peer(self.mover))
        assert found is not None
        return Play(found[1], found[0], pair.cable.ends[self.mover], person)


def two_machines(tmp_path: Path, recorded: Path) -> Machines:
    """In their recorded match the one whose turn it is has put a backup back on another machine."""
    pair = Pair.begun(tmp_path, recorded)
    for person in pair.people:
        person.moves = 0
    mover = pair.mover
    places = pair.seats[mover].places
    Identity.load_or_create(places.identity, lambda _size: pair.seats[mover].identity.seed)
    back_up(places, tmp_path / "backup")
    restore(Places.below(tmp_path / "other"), tmp_path / "backup")
    return Machines(pair, mover, tmp_path / "other")


def told(person: Person, kind: type[News]) -> list[str]:
    """The sentences of all such news that this person was told."""
    return [
        line
        for news, now in person.told
        if isinstance(news, kind)
        for line in sentences(words_of(now.match, now.seat), news)
    ]


async def lost(person: Person) -> None:
    """Wait until this person knows that nobody is there."""
    await person.until(lambda: Way.RECONNECTING in [news.way for news in person.heard(LinkChanged)])


def test_what_was_signed_on_one_machine_comes_back_on_the_other_and_is_told(tmp_path: Path, recorded: Path) -> None:
    machines = two_machines(tmp_path, recorded)
    pair, mover = machines.pair, machines.mover
    here, opponent = pair.people[mover], pair.people[1 - mover]

    async def story() -> None:
        tasks = pair.play_both()
        here.moves = 1
        await here.until_turn()
        seq = here.now.match.chain.seq
        here.want(here._choose(here.now.view))  # type: ignore[arg-type]
        await opponent.until(lambda: opponent.now.match.chain.seq > seq)
        pair.cable.cut()
        here.want(Leave())
        assert (await tasks[mover]).how is How.LEFT
        there = Person(moves=0)
        again = asyncio.create_task(machines.there(there).run())
        pair.cable.plug()
        (recovered,) = [await there.until_told(Recovered)]
        assert recovered.is_strange
        assert any("your key is in use on another machine as well" in line for line in told(there, Recovered))
        there.want(Leave())
        opponent.want(Leave())
        await asyncio.gather(again, tasks[1 - mover])

    run(story())
    there = (machines.other / "data" / pair.log_path(mover).name).read_bytes()
    assert there.startswith(pair.log(mover))


def test_a_key_that_has_signed_two_moves_on_two_machines_stops_the_match_and_both_are_told_why(
    tmp_path: Path, recorded: Path
) -> None:
    machines = two_machines(tmp_path, recorded)
    pair, mover = machines.pair, machines.mover
    here, opponent = pair.people[mover], pair.people[1 - mover]

    async def story() -> None:
        tasks = pair.play_both()
        await here.until_turn()
        moves = list(here.now.view.legal_moves)  # type: ignore[union-attr]
        seq = here.now.match.chain.seq
        pair.cable.cut()
        await lost(here)
        here.want(moves[0])  # stored here, and never seen by anybody
        await here.until(lambda: here.now.match.chain.seq > seq)
        here.want(Leave())
        await tasks[mover]
        there = Person(moves=0)
        again = asyncio.create_task(machines.there(there).run())
        pair.cable.plug()
        await there.until_turn()
        there.want(moves[1])
        await opponent.until(lambda: opponent.now.match.chain.seq > seq)
        pair.cable.cut()
        there.want(Leave())
        await again
        back = Person(moves=0)
        once_more = asyncio.create_task(pair.again(mover, back).run())
        pair.cable.plug()
        ended = await asyncio.gather(once_more, tasks[1 - mover])
        assert {ending.how for ending in ended} <= {How.BROKEN, How.REJECTED, How.STOPPED}
        stopped = [*back.heard(Stopped), *opponent.heard(Stopped)]
        assert stopped
        assert {(news.code, news.guilty) for news in stopped} == {(Code.EQUIVOCATION, mover)}
        if back.heard(Stopped):
            assert any("Your key is in use on another machine as well" in line for line in told(back, Stopped))
        if opponent.heard(Stopped):
            assert any("one key in use on two machines" in line for line in told(opponent, Stopped))

    run(story())
