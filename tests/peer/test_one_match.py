"""One match and no other: a table that is kept for it, a guest who has come for it, and one who wants a new one."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest
from peer.rig import ANY, Pair, Person, a_seat, both, nonsense, resign_at_once, run
from peer.tables import LOOPBACK, TABLE, asked, begun, hosting, joining, logs

from sm_p2p.errors import Code, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.host import Table
from sm_p2p.session.effects import Rejected
from sm_p2p.session.talk import Leave, Offered, Resumed
from sm_p2p.store.matches import open_file
from sm_p2p.store.notes import NOTES, Kind, Remark
from sm_p2p.store.ways import Role, Way, read_way

FINISHED = Ending(How.FINISHED)
NOT_THERE = Ending(How.REJECTED, Rejected(Code.NO_SUCH_MATCH, 0))


def one(match: bytes) -> Table:
    """A table for one match only."""
    return Table(bind=LOOPBACK, port=0, match=match)


def one_more(home: Path) -> bytes:
    """Let the same two begin another match, and leave it; its id."""
    pair = Pair(home).begin()

    async def story() -> None:
        tasks = pair.play_both()
        for person in pair.people:
            await person.until_game()
            person.want(Leave())
        await both(tasks)

    run(story())
    return pair.match


@pytest.mark.parametrize("is_named", [False, True])
def test_a_table_that_is_kept_for_a_match_goes_on_with_that_one_whatever_the_guest_would_like(
    tmp_path: Path,
    recorded: Path,
    is_named: bool,  # noqa: FBT001
) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    later = one_more(tmp_path)
    before = logs(ana)

    async def story() -> None:
        terms = replace(ANY, match=match) if is_named else ANY
        async with hosting(ana, one(match)) as table:
            unknown = table.through(table.address, token=bytes(16))
            async with joining(bo, unknown, terms=terms) as guest:
                await resign_at_once(guest.person)
                assert await guest.ending() == FINISHED
                assert await table.task == FINISHED

    run(story())
    assert logs(ana)[later.hex()] == before[later.hex()]
    assert len(logs(ana)[match.hex()]) > len(before[match.hex()])
    assert logs(ana)[match.hex()] == logs(bo)[match.hex()]


def test_nobody_else_sits_down_at_a_table_that_is_kept_for_somebody(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    cleo = a_seat(tmp_path, 3)

    async def story() -> None:
        async with hosting(ana, one(match)) as table:
            async with joining(cleo, table.invite) as guest:
                assert await guest.ending() == Ending(How.REJECTED, Rejected(Code.TABLE_TAKEN, 0))
            async with joining(bo, table.invite, Person(moves=0)) as guest:
                await guest.person.until_told(Resumed)
                guest.person.want(Leave())
            async with joining(cleo, table.invite) as guest:
                assert await guest.ending() == Ending(How.REJECTED, Rejected(Code.TABLE_TAKEN, 0))

    run(story())
    assert list(logs(ana)) == [match.hex()]


def test_a_guest_without_that_match_begins_no_other_one_at_its_table(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    bo.places.secret(match).unlink()

    async def story() -> None:
        async with hosting(ana, one(match)) as table, asked(bo, table.invite) as guest:
            assert await table.task == NOT_THERE
            assert table.person.heard(Rejected) == [Rejected(Code.NO_SUCH_MATCH, 0)]
            assert not guest.person.heard(Offered)

    run(story())
    assert list(logs(ana)) == [match.hex()]


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_host_who_cannot_go_on_with_it_says_so(tmp_path: Path, recorded: Path, is_lost: bool) -> None:  # noqa: FBT001
    pair = Pair.begun(tmp_path, recorded)
    for desk in pair.desks:
        desk.close()
    ana, bo = pair.seats
    if is_lost:
        ana.places.secret(pair.match).unlink()
    else:  # it has stopped
        with open_file(ana.places.notes(pair.match), NOTES) as notes:
            notes.append(Remark(Kind.EVIDENCE, 5, 1, nonsense(pair)).pack(), Kind.EVIDENCE)

    async def story() -> None:
        async with hosting(ana, one(pair.match)) as table, joining(bo, table.invite):
            with pytest.raises(UsageError, match="cannot be gone on with here"):
                await table.task

    run(story())
    assert list(logs(ana)) == [pair.match.hex()]


def test_a_guest_who_has_come_for_a_match_plays_no_other_one(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    later = one_more(tmp_path)

    async def story() -> None:
        for table_of in (one(later), replace(TABLE, is_new=True)):
            async with (
                hosting(ana, table_of) as table,
                joining(bo, table.invite, terms=replace(ANY, match=match)) as guest,
            ):
                assert await guest.ending() == NOT_THERE
                assert guest.person.heard(Rejected) == [Rejected(Code.NO_SUCH_MATCH, 0)]
                assert not table.task.done()

    before = logs(ana)
    run(story())
    assert logs(ana) == before


def test_a_guest_who_has_come_for_a_match_that_is_not_here_says_so(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    bo.places.secret(match).unlink()

    async def story() -> None:
        async with hosting(ana, TABLE) as table, joining(bo, table.invite, terms=replace(ANY, match=match)) as guest:
            with pytest.raises(UsageError, match="cannot be gone on with here"):
                await guest.task

    run(story())


def test_a_guest_can_want_a_new_match_whatever_waits(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    later = one_more(tmp_path)
    before = logs(ana)

    async def story() -> None:
        async with hosting(ana, replace(TABLE, variant=None)) as table:
            async with joining(bo, table.invite, Person(moves=0), replace(ANY, is_new=True)) as guest:
                await guest.person.until_game()
                guest.person.want(Leave())
                assert await guest.ending() == Ending(How.LEFT)
            assert table.person.heard(Rejected) == [Rejected(Code.NO_SUCH_MATCH, 0)] * 2

    run(story())
    assert len(logs(ana)) == 3
    for old in (match, later):
        assert logs(ana)[old.hex()].startswith(before[old.hex()])  # what was owed may have been said
    assert set(logs(ana)) == set(logs(bo))


def test_both_remember_how_they_have_played(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> int:
        async with hosting(ana) as table:
            nobody = Address("127.0.0.1", 1)
            invite = Invite((nobody, table.address), table.invite.key, table.invite.token)
            async with joining(bo, invite, Person(moves=0)) as guest:
                await guest.person.until_game()
                (name,) = logs(bo)
                match = bytes.fromhex(name)
                dialled = Way(Role.GUEST, (str(table.address), str(nobody)))
                assert read_way(bo.places.way(match)) == dialled
                assert read_way(ana.places.way(match)) == Way(Role.HOST, LOOPBACK, table.address.port)
            return table.address.port

    assert run(story())


def test_a_match_that_nobody_has_joined_leaves_no_way_behind(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, asked(bo, table.invite) as guest:
            await guest.person.until_told(Offered)
            guest.person.want(Leave())
            await guest.ending()
            table.person.want(Leave())
            await table.task

    run(story())
    for seat in (ana, bo):
        assert not list(seat.places.data.iterdir())


def test_a_way_that_cannot_be_written_stops_nobody(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    for seat in (ana, bo):
        seat.places.way(match).unlink(missing_ok=True)
        seat.places.way(match).mkdir()

    async def story() -> None:
        async with hosting(ana, one(match)) as table, joining(bo, table.invite) as guest:
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED

    run(story())


def test_the_port_of_last_time_is_taken_if_it_is_free_and_no_other_one_is_wanted(tmp_path: Path) -> None:
    ana = a_seat(tmp_path, 1)

    async def port_of(table: Table) -> int:
        async with hosting(ana, table) as hosted:
            return hosted.address.port

    with socket.create_server(("127.0.0.1", 0)) as other:
        last = int(other.getsockname()[1])
        assert run(port_of(Table(bind=LOOPBACK, last_port=last))) != last
    assert run(port_of(Table(bind=LOOPBACK, last_port=last))) == last
    assert run(port_of(Table(bind=LOOPBACK, port=0, last_port=last))) != last
