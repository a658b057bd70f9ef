"""Hosts and guests over TCP: who meets, which match is played, and what is left when somebody goes."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from peer.rig import ANY, SHORT, Pair, Person, a_seat, entries_of, nonsense, resign_at_once, rewrite, run, seqs
from peer.tables import LOOPBACK, TABLE, answer, asked, begun, greeting, hosting, joining, knocking, logs
from proxy import Proxy
from wires import a_door

from sm_p2p.errors import Code, DiskTrouble, JournalBusy, JournalDamaged, SpiteError, UsageError
from sm_p2p.log.entry import read_envelope
from sm_p2p.net.addresses import Address
from sm_p2p.net.door import Arrival, Door
from sm_p2p.net.invite import Invite
from sm_p2p.peer import join as joins
from sm_p2p.peer import lobby
from sm_p2p.peer.desk import Desk
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.host import Table
from sm_p2p.peer.play import Terms
from sm_p2p.rules.variant import QUICK, STANDARD
from sm_p2p.session import wire
from sm_p2p.session.effects import Advanced, PeerLeft, Recovered, Rejected
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.talk import Agree, Leave, LinkChanged, News, Offered, Refused, Resign, Resumed, Situation, Way
from sm_p2p.session.wire import Entries, Hello, Reject, read_frame, write_frame
from sm_p2p.store.journal import Journal
from sm_p2p.store.keys import load_or_create_secret
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.matches import open_file
from sm_p2p.store.notes import NOTES, Kind, Remark

FINISHED = Ending(How.FINISHED)
LEFT = Ending(How.LEFT)
ALONE = Ending(How.ALONE)
WAITING = replace(TABLE, variant=None)


def test_a_guest_comes_with_the_invite_and_both_play_to_the_end(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite) as guest:
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED

    run(story())
    assert logs(ana) == logs(bo)
    assert len(logs(ana)) == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_a_match_goes_on_without_the_invite_whoever_listens(tmp_path: Path, recorded: Path, swapped: bool) -> None:  # noqa: FBT001
    ana, bo, match = begun(tmp_path, recorded)
    listener, caller = (bo, ana) if swapped else (ana, bo)
    before = logs(ana)[match.hex()]

    async def story() -> None:
        async with (
            hosting(listener, WAITING) as table,
            joining(caller, table.through(table.address, token=bytes(16))) as guest,
        ):
            await resign_at_once(table.person)
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED
            assert isinstance(guest.person.told[0][0], Resumed)

    run(story())
    assert list(logs(ana)) == [match.hex()]
    assert logs(ana) == logs(bo)
    assert logs(ana)[match.hex()].startswith(before)


def test_whoever_declines_leaves_the_seat_to_the_next(tmp_path: Path) -> None:
    ana, bo, cleo = (a_seat(tmp_path, number) for number in (1, 2, 3))

    async def story() -> None:
        async with hosting(ana) as table:
            async with asked(bo, table.invite) as guest:
                await guest.person.until_told(Offered)
                guest.person.want(Leave())
                assert await guest.ending() == LEFT
            async with joining(cleo, table.invite, terms=Terms()) as guest:
                await guest.person.until_game()
                guest.person.want(Leave())
                assert await guest.ending() == LEFT
                await table.person.until_told(PeerLeft)
                table.person.want(Leave())
                assert await table.task == LEFT
            assert table.person.heard(Rejected) == [Rejected(Code.DECLINED, 0)]

    run(story())
    assert not logs(bo)
    assert not list(bo.places.keys.iterdir())
    assert set(logs(ana)) == set(logs(cleo))


def test_whoever_is_gone_before_he_has_agreed_leaves_the_seat_to_the_next(tmp_path: Path) -> None:
    ana, bo, cleo = (a_seat(tmp_path, number) for number in (1, 2, 3))

    async def story() -> None:
        async with hosting(ana) as table:
            async with asked(bo, table.invite) as guest:
                await guest.person.until_told(Offered)
            async with asked(cleo, table.invite) as guest:
                await guest.person.until_told(Offered)
                table.person.want(Leave())
                assert await table.task == LEFT
                assert await guest.ending() == Ending(How.GONE)

    run(story())
    for seat in (ana, cleo):
        assert not logs(seat)
        assert not list(seat.places.keys.iterdir())


def test_an_offer_stands_when_the_connection_broke_before_it_was_answered(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, Proxy(table.address.port) as proxy:
            person = Person(agrees=False)
            async with joining(bo, table.through(proxy.address), person, Terms()) as guest:
                await person.until_told(Offered)
                proxy.cut()
                await person.until(lambda: person.heard(LinkChanged)[-1].way is Way.RECONNECTING)
                await person.until(lambda: person.heard(LinkChanged)[-1].way is Way.UP)
                person.want(Agree())
                await resign_at_once(person)
                assert await guest.ending() == FINISHED
                assert await table.task == FINISHED
            assert len(person.heard(Offered)) == 1

    run(story())
    assert logs(ana) == logs(bo)
    assert len(logs(ana)) == 1


def test_whoever_agrees_while_the_connection_breaks_has_joined(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, Proxy(table.address.port) as proxy:
            person = Person(agrees=False)
            async with joining(bo, table.through(proxy.address), person, Terms()) as guest:
                await person.until_told(Offered)
                proxy.stall()
                person.want(Agree())
                await person.until(lambda: 2 in seqs(person))
                proxy.cut()
                proxy.resume()
                await resign_at_once(person)
                assert await guest.ending() == FINISHED
                assert await table.task == FINISHED
            assert seqs(person)[:3] == [1, 2, 3]

    run(story())
    assert logs(ana) == logs(bo)
    assert len(logs(ana)) == 1


def test_a_host_who_was_killed_before_he_heard_that_his_guest_has_joined_goes_on_with_him(
    tmp_path: Path, recorded: Path
) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    for seat, entries in ((ana, 1), (bo, 2)):
        raws = entries_of(seat.places.log(match))
        rewrite(seat.places.log(match), raws[:entries])
        write_mark(seat.places.signed(match), Mark(match, entries, bytes(read_envelope(raws[entries - 1]).id)))

    async def story() -> None:
        async with hosting(ana, WAITING) as table, joining(bo, table.invite) as guest:
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED

    run(story())
    assert list(logs(ana)) == [match.hex()]
    assert logs(ana) == logs(bo)


def test_what_was_offered_and_nobody_has_joined_is_gone_when_the_host_leaves(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table:
            async with asked(bo, table.invite) as guest:
                await guest.person.until_told(Offered)
            await table.person.until(lambda: table.person.heard(LinkChanged)[-1].way is not Way.UP)
            assert len(logs(ana)) == 1
            table.person.want(Leave())
            assert await table.task == LEFT

    run(story())
    for seat in (ana, bo):
        assert not logs(seat)
        assert not list(seat.places.keys.iterdir())


def test_a_connection_that_breaks_in_a_match_comes_back_and_nothing_is_lost(tmp_path: Path, recorded: Path) -> None:
    ana, bo, _ = begun(tmp_path, recorded)

    async def story() -> None:
        async with (
            hosting(ana, WAITING) as table,
            Proxy(table.address.port) as proxy,
            joining(bo, table.through(proxy.address)) as guest,
        ):
            for person in (guest.person, table.person):
                await person.until(lambda person=person: len(seqs(person)) >= 4)  # type: ignore[misc]
                proxy.cut()
            ways = [Way.UP, Way.RECONNECTING, Way.UP]
            await guest.person.until(lambda: [news.way for news in guest.person.heard(LinkChanged)][:3] == ways)
            table.person.want(Resign())
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED
            told = seqs(guest.person)
            assert told == list(range(told[0], told[0] + len(told)))

    run(story())
    assert logs(ana) == logs(bo)


def test_a_host_who_comes_back_to_his_port_finds_his_guest_again(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)

    async def story() -> None:
        async with hosting(ana, WAITING) as table, joining(bo, table.invite) as guest:
            await guest.person.until(lambda: len(seqs(guest.person)) >= 2)
            table.task.cancel()
            await asyncio.wait({table.task})
            async with hosting(ana, replace(WAITING, port=table.address.port)) as again:
                await again.person.until_game()
                again.person.want(Resign())
                assert await guest.ending() == FINISHED
                assert await again.task == FINISHED

    run(story())
    assert list(logs(ana)) == [match.hex()]
    assert logs(ana) == logs(bo)


def test_a_host_who_has_lost_his_secret_begins_a_new_match(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    ana.places.secret(match).unlink()

    async def story() -> None:
        async with hosting(ana) as table, asked(bo, table.through(table.address)) as guest:
            await guest.person.until_told(Offered)
            assert not guest.person.heard(Rejected)
            table.person.want(Leave())
            assert await guest.ending() == Ending(How.GONE)

    run(story())
    assert list(logs(bo)) == [match.hex()]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("marked", [False, True])
def test_a_host_who_has_lost_his_log_gets_it_from_the_guest(
    tmp_path: Path,
    recorded: Path,
    swapped: bool,  # noqa: FBT001
    marked: bool,  # noqa: FBT001
) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    listener, caller = (bo, ana) if swapped else (ana, bo)
    whole = entries_of(caller.places.log(match))
    listener.places.log(match).unlink()
    if not marked:
        listener.places.signed(match).unlink()
    last = max(at for at, raw in enumerate(whole, 1) if read_envelope(raw).author == swapped)

    async def story() -> None:
        async with hosting(listener, WAITING) as table, joining(caller, table.invite) as guest:
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED
            assert table.person.heard(Recovered) == [Recovered(last, is_strange=not marked)]

    run(story())
    assert list(logs(ana)) == [match.hex()]
    assert logs(ana) == logs(bo)
    assert entries_of(listener.places.log(match))[: len(whole)] == whole


def test_a_guest_who_does_not_bring_the_log_that_the_host_has_lost_is_offered_a_new_match(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "LOG_S", 0.5)
    ana, bo, match = begun(tmp_path, recorded)
    ana.places.log(match).unlink()

    async def story() -> None:
        async with hosting(ana, WAITING) as table:
            async with knocking(bo, table.invite) as link:
                named = greeting(bo.identity, table.invite, match)
                answered = await answer(link, named)
                assert isinstance(answered, Hello)
                assert (answered.match, answered.seq) == (match, 0)
                assert await link.receive() == write_frame(Reject(Code.NO_SUCH_MATCH))
            async with asked(bo, table.invite) as guest:
                await guest.person.until_told(Offered)

    run(story())
    assert ana.places.secret(match).exists()


@pytest.mark.parametrize("swapped", [False, True])
def test_a_guest_who_has_lost_his_log_gets_it_from_the_host(tmp_path: Path, recorded: Path, swapped: bool) -> None:  # noqa: FBT001
    ana, bo, match = begun(tmp_path, recorded)
    listener, caller = (bo, ana) if swapped else (ana, bo)
    caller.places.log(match).unlink()

    async def story() -> None:
        async with (
            hosting(listener, WAITING) as table,
            joining(caller, table.invite, Person(moves=0, agrees=False), Terms()) as guest,
        ):
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED
            assert len(guest.person.heard(Recovered)) == 1
            assert not guest.person.heard(Offered)
            assert not guest.person.heard(Refused)

    run(story())
    assert list(logs(ana)) == [match.hex()]
    assert logs(ana) == logs(bo)


def test_a_guest_who_leaves_while_he_is_brought_his_log_has_declined_nothing(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only entry 1 has come so far: that is where a guest who is asked would be."""
    ana, bo, match = begun(tmp_path, recorded)
    bo.places.log(match).unlink()
    monkeypatch.setattr(wire, "MAX_ENTRIES", 1)

    class Hasty(Person):
        def show(self, news: News, now: Situation) -> None:
            super().show(news, now)
            if isinstance(news, Advanced):
                self.want(Leave())

    async def story() -> None:
        async with hosting(ana, WAITING) as table:
            async with joining(bo, table.invite, Hasty(agrees=False), Terms()) as guest:
                assert await guest.ending() == LEFT
            await table.person.until_told(PeerLeft)
            assert not table.person.heard(Rejected)
            assert not table.task.done()

    run(story())
    assert bo.places.secret(match).exists()


@pytest.mark.parametrize("swapped", [False, True])
def test_whoever_was_gone_before_the_last_entry_reached_him_gets_it_when_he_comes_back(
    tmp_path: Path,
    recorded: Path,
    swapped: bool,  # noqa: FBT001
) -> None:
    pair = Pair.begun(tmp_path, recorded)

    async def first() -> None:
        tasks = pair.play_both()
        await pair.people[pair.mover].until_game()
        pair.people[swapped].want(Resign())  # the key of the other one is the last
        await asyncio.gather(*tasks)

    run(first())
    whole = pair.log(1 - swapped)
    rewrite(pair.log_path(swapped), entries_of(pair.log_path(swapped))[:-1])
    listener, caller = pair.seats

    async def second() -> None:
        async with (
            hosting(listener, WAITING) as table,
            joining(caller, table.through(table.address, token=bytes(16))) as guest,
        ):
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED

    run(second())
    assert logs(listener) == logs(caller) == {pair.match.hex(): whole}


def test_a_guest_who_has_lost_his_secret_says_so_and_a_new_match_begins(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    bo.places.secret(match).unlink()

    async def story() -> None:
        async with hosting(ana, WAITING) as table, asked(bo, table.invite) as guest:
            await guest.person.until_told(Offered)
            assert table.person.heard(Rejected) == [Rejected(Code.NO_SUCH_MATCH, 0)]
            guest.person.want(Leave())
            assert await guest.ending() == LEFT

    run(story())
    assert list(logs(ana)) == list(logs(bo)) == [match.hex()]


def test_a_match_that_has_stopped_is_left_behind_and_a_new_one_begins(tmp_path: Path, recorded: Path) -> None:
    for number, stopped in enumerate((0, 1)):
        pair = Pair.begun(tmp_path / str(number), recorded)
        for desk in pair.desks:
            desk.close()
        with open_file(pair.seats[stopped].places.notes(pair.match), NOTES) as notes:
            notes.append(Remark(Kind.EVIDENCE, 5, 1, nonsense(pair)).pack(), Kind.EVIDENCE)

        async def story(pair: Pair = pair) -> None:
            async with hosting(pair.seats[0], WAITING) as table, asked(pair.seats[1], table.invite) as guest:
                await guest.person.until_told(Offered)

        run(story())


def test_a_host_can_begin_a_new_match_whatever_waits(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)

    async def story() -> None:
        async with hosting(ana, replace(TABLE, is_new=True)) as table, asked(bo, table.invite) as guest:
            await guest.person.until_told(Offered)
            assert len(logs(ana)) == 2

    run(story())
    assert match.hex() in logs(ana)


def test_a_variant_that_was_asked_for_is_played_and_no_other(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)

    async def story() -> None:
        async with hosting(ana, replace(TABLE, variant=QUICK)) as table, asked(bo, table.invite) as guest:
            assert (await guest.person.until_told(Offered)).variant == QUICK
        async with hosting(ana, WAITING) as table:
            async with joining(bo, table.invite, terms=Terms(STANDARD)) as guest:
                assert await guest.ending() == Ending(How.OTHER_TERMS)
            async with joining(bo, table.invite, terms=Terms(SHORT)) as guest:
                assert isinstance((await guest.person.until_told(Resumed)), Resumed)
                await guest.person.until_game()
            assert not table.task.done()

    run(story())
    assert list(logs(ana)) == [match.hex()]


def test_two_processes_cannot_sit_at_one_match_and_the_first_is_not_disturbed(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)

    async def story() -> None:
        async with hosting(ana, WAITING) as table, joining(bo, table.invite, Person(moves=0)) as first:
            await first.person.until_game()
            async with joining(bo, table.invite) as second:
                with pytest.raises(JournalBusy, match=match.hex()):
                    await second.task
            async with hosting(ana, WAITING) as other, joining(bo, other.invite) as third:
                with pytest.raises(JournalBusy):
                    await third.task
            assert len(first.person.heard(LinkChanged)) == 1

    run(story())


def test_a_host_whose_match_is_busy_or_broken_says_so(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)

    async def busy() -> None:
        async with hosting(ana, WAITING) as table, joining(bo, table.invite):
            with pytest.raises(JournalBusy):
                await table.task

    async def broken() -> None:
        async with hosting(ana, WAITING) as table, joining(bo, table.invite):
            with pytest.raises(JournalDamaged):
                await table.task

    with Journal.open(ana.places.log(match)):
        run(busy())
    raws = entries_of(ana.places.log(match))
    rewrite(ana.places.log(match), [*raws[:3], raws[3][:-1] + bytes([raws[3][-1] ^ 1])])
    run(broken())


def test_the_last_entry_is_brought_to_a_host_who_lacks_it(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)

    async def to_the_end() -> None:
        async with hosting(ana, WAITING) as table, joining(bo, table.invite) as guest:
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED

    async def once_more() -> None:
        async with hosting(ana, WAITING) as table, joining(bo, table.invite) as guest:
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED

    run(to_the_end())
    whole = entries_of(ana.places.log(match))
    last = whole.pop()
    rewrite(ana.places.log(match), whole)
    run(once_more())
    assert entries_of(ana.places.log(match)) == [*whole, last]


def test_a_match_with_somebody_else_is_not_named_to_this_host(tmp_path: Path, recorded: Path) -> None:
    ana, _, match = begun(tmp_path, recorded)
    cleo = a_seat(tmp_path, 3)

    async def story() -> None:
        async with hosting(cleo) as table, asked(ana, table.invite) as guest:
            await guest.person.until_told(Offered)
            assert guest.person.now.match.chain.match != match
            assert not table.person.heard(Rejected)

    run(story())


@pytest.mark.parametrize("has_secret", [False, True])
def test_a_host_who_insists_on_a_match_that_is_not_here_is_left_with_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_secret: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(lobby, "LOG_S", 0.1)
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)
    greetings = []
    if has_secret:
        load_or_create_secret(bo.places.secret(b"m" * 32))

    async def story() -> None:
        async with a_door(ana.identity.seed) as door:
            invite = Invite((Address("127.0.0.1", door.port),), ana.identity.identity, bytes(16))
            async with joining(bo, invite) as guest:
                insisting = write_frame(hello(ana.identity, Peer("Ana", "host"), b"m" * 32, 9, b"h" * 32))
                while not guest.task.done():
                    knock = asyncio.create_task(door.receive())
                    await asyncio.wait({knock, guest.task}, return_when=asyncio.FIRST_COMPLETED)
                    if not knock.done():
                        knock.cancel()
                        break
                    arrival = knock.result()
                    if isinstance(arrival, Arrival):
                        greetings.append(arrival.frame)
                        if arrival.frame == write_frame(Reject(Code.NO_SUCH_MATCH)):
                            door.drop(arrival.route)
                        else:
                            door.admit(arrival.route, "guest")
                            await door.send(arrival.route, insisting)
                with pytest.raises(SpiteError, match="--new"):
                    await guest.task

    run(story())
    assert write_frame(Reject(Code.NO_SUCH_MATCH)) in greetings


def test_a_host_who_denies_and_names_one_match_gets_one_entry_of_the_guest(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()
    ana, bo, match = *pair.seats, pair.match
    (opened,) = pair.sessions[0].entries
    joined: list[bytes] = []

    async def serve(door: Door) -> None:
        is_heard = True
        while len(joined) < 2:
            arrival = await door.receive()
            frame = read_frame(arrival.frame) if isinstance(arrival, Arrival) else None
            if isinstance(arrival, Arrival) and isinstance(frame, Hello):
                door.admit(arrival.route, "guest")
                here = hello(ana.identity, Peer(ana.name, "host"), match, 1, match)
                for said in (here, Entries((opened,))):
                    await door.send(arrival.route, write_frame(said))
                is_heard = is_heard or not frame.match  # he begins anew
            elif isinstance(arrival, Arrival) and isinstance(frame, Entries) and is_heard:
                is_heard = False
                joined.append(frame.raws[0])
                await door.send(arrival.route, write_frame(Reject(Code.NO_SUCH_MATCH)))

    async def story() -> None:
        async with a_door(ana.identity.seed) as door:
            invite = Invite((Address("127.0.0.1", door.port),), ana.identity.identity, bytes(16))
            async with joining(bo, invite):
                await serve(door)

    run(story())
    assert read_envelope(joined[0]).seq == 2
    assert len(set(joined)) == 1
    for desk in pair.desks:
        desk.close()


def test_a_host_who_begins_again_and_again_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joins, "MOST_BEGINNINGS", 3)
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def serve(door: Door) -> None:
        """Name a new match to whoever greets, and deny it when he shows what he holds of it."""
        for number in range(1, 100):
            while not isinstance(arrival := await door.receive(), Arrival) or not is_hello(arrival):
                pass
            door.admit(arrival.route, "guest")
            match = bytes([number]) * 32
            is_named = number % 2 == 1
            said = hello(ana.identity, Peer("Ana", "host"), match, 1, match) if is_named else Reject(Code.NO_SUCH_MATCH)
            await door.send(arrival.route, write_frame(said))

    def is_hello(arrival: Arrival) -> bool:
        return isinstance(read_frame(arrival.frame), Hello)

    async def story() -> None:
        async with a_door(ana.identity.seed) as door:
            invite = Invite((Address("127.0.0.1", door.port),), ana.identity.identity, bytes(16))
            serving = asyncio.create_task(serve(door))
            async with joining(bo, invite) as guest:
                with pytest.raises(SpiteError, match="again and again"):
                    await guest.task
            serving.cancel()

    run(story())
    assert not logs(bo)


def test_whoever_waits_in_vain_is_told_after_his_time(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1, wait=0.2), a_seat(tmp_path, 2, wait=0.2)

    async def story() -> None:
        async with hosting(ana) as table:
            assert await table.task == ALONE
            invite = table.invite
        async with joining(bo, invite) as guest:
            joined = await guest.task
            assert joined.ending == ALONE
            assert list(joined.link.troubles) == list(invite.addresses)

    run(story())


def test_whoever_waits_can_leave(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table:
            table.person.want(Leave())
            assert await table.task == LEFT
        async with joining(bo, table.invite) as guest:
            guest.person.want(Leave())
            assert await guest.ending() == LEFT

    run(story())


def test_a_port_that_is_busy_is_one_sentence(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table:
            with pytest.raises(UsageError, match="busy"):
                async with hosting(bo, Table(port=table.address.port, bind=LOOPBACK)):
                    pass

    run(story())


def test_a_host_who_cannot_store_his_first_entry_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    def refuse(_desk: Desk, _effect: object) -> None:
        raise DiskTrouble("the disk is full")

    monkeypatch.setattr(Desk, "carry_out", refuse)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite):
            with pytest.raises(DiskTrouble):
                await table.task

    run(story())


def test_a_second_table_in_the_same_process_is_a_new_one(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        invites = []
        for _ in range(2):
            async with hosting(ana) as table, joining(bo, table.invite, terms=ANY) as guest:
                await resign_at_once(guest.person)
                assert await guest.ending() == FINISHED
                assert await table.task == FINISHED
                invites.append(table.invite)
        assert len({invite.token for invite in invites}) == 2

    run(story())
    assert len(logs(ana)) == 2
    assert logs(ana) == logs(bo)
