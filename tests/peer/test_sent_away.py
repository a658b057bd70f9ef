"""A thief of an invite who comes first: the host sends him away, and whom he waits for gets the seat with a new one."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest
from peer.rig import DEADLINE_S, Person, a_seat, resign_at_once, run
from peer.tables import TABLE, Hosting, answer, begun, greeting, hosting, joining, knocking, logs
from peer.test_persons import a_wary, is_refused, met

from sm_p2p.errors import Code
from sm_p2p.log.entry import Draft, read_envelope, seal
from sm_p2p.net.link import Link, LinkState
from sm_p2p.peer.desk import new_desk
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.lobby import Seat
from sm_p2p.session.effects import Advanced, Stopped
from sm_p2p.session.events import NONCE
from sm_p2p.session.greeting import Peer
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.state import State
from sm_p2p.session.talk import Again, Refuse, Refused, Seated, Vacant
from sm_p2p.session.wire import Entries, Hello, Reject, read_frame, write_frame
from sm_p2p.store.journal import read_journal

FINISHED = Ending(How.FINISHED)


async def has_room_again(table: Hosting, times: int = 1) -> None:
    """Wait until so many guests were sent away, each with a new invite for whoever comes next."""
    await table.person.until(lambda: len(table.person.heard(Vacant)) == times)
    assert table.person.heard(Vacant)[-1] == Vacant(is_new_invite=True)
    assert len({invite.token for invite in table.invites}) == times + 1


def reasons(person: Person) -> list[Unable]:
    """Why wishes were not granted."""
    return [refused.why.reason for refused in person.heard(Refused) if isinstance(refused.why, NotNow)]


def test_a_guest_who_is_sent_away_gets_the_seat_with_no_invite_and_whom_the_host_waits_for_gets_it(
    tmp_path: Path,
) -> None:
    ana, bo, eve, eve_again = (a_wary(tmp_path, number) for number in (1, 2, 3, 4))

    async def story() -> None:
        async with hosting(ana, person=Person(moves=0)) as table:
            stolen = table.invite
            async with joining(eve, stolen, Person(moves=0)) as thief:
                await table.person.until_game()
                table.person.want(Refuse())
                assert await is_refused(thief, Code.DECLINED)
            await has_room_again(table)
            assert not logs(ana)
            assert not met(ana)
            for seat, invite, code in (
                (eve, stolen, Code.BAD_TOKEN),
                (eve, table.invite, Code.DECLINED),
                (eve_again, stolen, Code.BAD_TOKEN),
            ):
                async with joining(seat, invite) as guest:
                    assert await is_refused(guest, code)
            async with joining(bo, table.invite) as guest:
                await resign_at_once(guest.person)
                assert await guest.ending() == FINISHED
                assert await table.task == FINISHED
        assert [seated.is_guest for seated in table.person.heard(Seated)] == [True, True]
        assert met(ana) == [("Player 2", bo.identity.identity)]

    run(story())


def test_nobody_is_sent_away_after_a_card_was_played(tmp_path: Path) -> None:
    ana, bo = a_wary(tmp_path, 1), a_wary(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana, person=Person(moves=1)) as table, joining(bo, table.invite, Person(moves=1)) as guest:
            await guest.person.until(lambda: any(advanced.after.happened for advanced in guest.person.heard(Advanced)))
            await table.person.until(lambda: table.person.moves == 0 or guest.person.moves == 0)
            await table.person.until(lambda: met(ana))
            table.person.want(Refuse())
            await table.person.until(lambda: reasons(table.person))
            assert reasons(table.person) == [Unable.PLAYED]
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED

    run(story())


def test_only_a_host_whose_table_is_for_anybody_sends_his_guest_away(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    seats = [replace(seat, is_wary=True) for seat in (ana, bo)]

    async def story() -> None:
        kept = replace(TABLE, variant=None, match=match)
        async with (
            hosting(seats[0], kept, Person(moves=0)) as table,
            joining(seats[1], table.invite, Person(moves=0)) as guest,
        ):
            for person in (table.person, guest.person):
                await person.until_game()
                person.want(Refuse())
                await person.until(lambda person=person: reasons(person))  # type: ignore[misc] # as it is now
                assert reasons(person) == [Unable.NO_GUEST]
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED

    run(story())


def test_whoever_is_sent_away_from_the_next_match_leaves_the_table_to_others(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)
    seats = [replace(seat, is_wary=True, stays=True) for seat in (ana, bo)]
    cleo = a_wary(tmp_path, 3)

    async def story() -> None:
        kept = replace(TABLE, variant=None, match=match)
        async with hosting(seats[0], kept, Person(moves=0)) as table:
            async with joining(seats[1], table.invite, Person(moves=0)) as guest:
                await resign_at_once(guest.person)
                for person in (table.person, guest.person):
                    await person.until(lambda person=person: person.now.match.state is State.CLOSED)  # type: ignore[misc] # as it is now
                    person.want(Again())
                await table.person.until(lambda: table.person.now.match.chain.match not in {b"", match})
                await table.person.until_game()
                table.person.want(Refuse())
                assert await is_refused(guest, Code.DECLINED)
            await has_room_again(table)
            assert list(logs(ana)) == [match.hex()]
            async with joining(cleo, table.invite, Person(moves=0)) as guest:
                await resign_at_once(guest.person)
                await guest.person.until(lambda: guest.person.now.match.is_over)

    run(story())


async def signs(link: Link, seat: Seat, table: Hosting, name: str, digest: bytes) -> None:
    """Greet as a guest, and take part by this name and with this digest, if it is none of the right one."""
    said = await answer(link, greeting(seat.identity, table.invite))
    assert isinstance(said, Hello)
    peer = Peer(name, "guest", table.invite.token, table.invite.key)
    desk, session = new_desk(seat.places, seat.identity, 1, peer)
    async with asyncio.timeout(DEADLINE_S):
        while not session.entries:
            word = await link.receive()
            if isinstance(word, bytes):
                session.receive(word, 0.0)
    session.connected(0.0)
    chain = session.match.chain
    session.receive(write_frame(replace(said, match=chain.match, seq=chain.seq, head=chain.head)), 0.0)
    session.join(os.urandom(NONCE), 0)
    joined = read_envelope(session.entries[1])
    parts = (joined.match, joined.seq, joined.prev, joined.author, joined.kind, joined.time_ms, joined.data)
    await link.send(write_frame(Entries((seal(Draft(*parts, digest or joined.digest), seat.identity).raw,))))
    desk.close()


@pytest.mark.parametrize(
    ("name", "digest", "code"),
    [("Bo", b"", None), ("Ana", b"", Code.BAD_NAME), ("bo", b"", Code.BAD_NAME), ("Bo", bytes(8), Code.DIGEST_DIFFERS)],
)
def test_whoever_signs_what_stops_the_match_in_entry_2_is_sent_away_and_what_he_signed_is_kept(
    tmp_path: Path, name: str, digest: bytes, code: Code | None
) -> None:
    ana, bo, cleo = (a_seat(tmp_path, number) for number in (1, 2, 3))

    async def story() -> None:
        async with hosting(ana) as table:
            async with knocking(bo, table.invite) as link:
                await signs(link, bo, table, name, digest)
                if code is None:
                    await table.person.until(lambda: table.person.now.match.chain.seq > 1)
                    return
                said = await rejected(link)
                assert said.code == code
                stopped = await table.person.until_told(Stopped)
                guilty = 1 if code is Code.BAD_NAME else None
                assert (stopped.code, stopped.seq, stopped.guilty) == (code, 2, guilty)
            await has_room_again(table)
            (log,) = ana.places.data.glob("*.smlog")
            assert len(read_journal(log).records) == 1
            assert list(ana.places.data.glob("*.notes"))
            async with joining(cleo, table.invite) as guest:
                await resign_at_once(guest.person)
                assert await guest.ending() == FINISHED
        assert log.exists()

    run(story())


async def rejected(link: Link) -> Reject:
    """What the other side says no with."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            word = await link.receive()
            assert not isinstance(word, LinkState)
            said = read_frame(word)
            if isinstance(said, Reject):
                return said
            assert not isinstance(said, Entries) or len(said.raws) == 1
