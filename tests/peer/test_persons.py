"""Who may sit down without an invite, who comes with another key, and who is remembered."""

from dataclasses import replace
from pathlib import Path

from peer.rig import Person, a_seat, resign_at_once, run
from peer.tables import Hosting, Joining, hosting, joining
from peer.tables import asked as asked_by

from sm_p2p.errors import Code
from sm_p2p.net.invite import Whereabouts
from sm_p2p.peer.acquaintance import words_of
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.lobby import Seat
from sm_p2p.session.effects import Rejected
from sm_p2p.session.talk import Agree, Asked, Doubt, Offered, Refuse, Seated, Unasked
from sm_p2p.store.peers import Peer, Peers

FINISHED = Ending(How.FINISHED)


def a_wary(home: Path, number: int, name: str = "") -> Seat:
    """A seat with a person who is told who sits opposite."""
    seat = a_seat(home, number)
    return replace(seat, is_wary=True, name=name or seat.name)


def uninvited(table: Hosting) -> Whereabouts:
    """What somebody knows who has only the address."""
    return Whereabouts(table.invite.addresses, table.invite.key)


def met(seat: Seat) -> list[tuple[str, bytes]]:
    """Who is remembered, the latest last."""
    return [(peer.name, peer.identity) for peer in Peers.load(seat.places.peers).met]


async def is_refused(guest: Joining, code: Code) -> bool:
    """Whether this is what the guest hears."""
    return await guest.ending() == Ending(How.REJECTED, Rejected(str(code), 0))


def test_whoever_comes_without_an_invite_sits_down_when_the_host_says_yes(tmp_path: Path) -> None:
    ana, bo = a_wary(tmp_path, 1), a_wary(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, uninvited(table)) as guest:
            question = await table.person.until_told(Asked)
            assert question == Asked(Doubt.UNINVITED, "Player 2", words_of(bo.identity.identity))
            assert not guest.person.heard(Seated)
            table.person.want(Agree())
            await resign_at_once(guest.person)
            assert await guest.ending() == FINISHED
            assert await table.task == FINISHED
            assert table.person.heard(Seated) == [Seated("Player 2", words_of(bo.identity.identity), is_guest=True)]
            assert guest.person.heard(Seated) == [Seated("Player 1", words_of(ana.identity.identity))]
        assert met(ana) == [("Player 2", bo.identity.identity)]
        (known,) = Peers.load(bo.places.peers).met
        assert known == Peer("Player 1", ana.identity.identity, str(table.address))

    run(story())


def test_whoever_was_refused_is_not_asked_about_again_and_the_table_stays_open(tmp_path: Path) -> None:
    ana, bo, eve = (a_wary(tmp_path, number) for number in (1, 2, 3))

    async def story() -> None:
        async with hosting(ana) as table:
            async with joining(eve, uninvited(table)) as guest:
                await table.person.until_told(Asked)
                table.person.want(Refuse())
                assert await is_refused(guest, Code.DECLINED)
            async with joining(eve, uninvited(table)) as guest:
                assert await is_refused(guest, Code.DECLINED)
            async with asked_by(bo, table.invite) as guest:
                await guest.person.until_told(Offered)
            assert len(table.person.heard(Asked)) == 1

    run(story())


def test_a_wrong_token_is_no_question_and_neither_is_a_stranger_where_nobody_can_be_asked(tmp_path: Path) -> None:
    ana, bo = a_wary(tmp_path, 1), a_wary(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.through(table.address, b"x" * 16)) as guest:
            assert await is_refused(guest, Code.BAD_TOKEN)
            assert not table.person.heard(Asked)
        async with hosting(a_seat(tmp_path, 1)) as table, joining(bo, uninvited(table)) as guest:
            assert await is_refused(guest, Code.BAD_TOKEN)
            assert not table.person.heard(Asked)

    run(story())


def test_the_invited_player_takes_the_seat_while_somebody_waits_for_an_answer(tmp_path: Path) -> None:
    ana, bo, eve = (a_wary(tmp_path, number) for number in (1, 2, 3))

    async def story() -> None:
        async with hosting(ana) as table, joining(eve, uninvited(table)) as stranger:
            await table.person.until_told(Asked)
            async with asked_by(bo, table.invite) as guest:
                await guest.person.until_told(Offered)
                assert await is_refused(stranger, Code.TABLE_TAKEN)
                await table.person.until_told(Unasked)

    run(story())


def test_a_question_about_somebody_who_goes_is_taken_back_and_the_next_one_is_asked(tmp_path: Path) -> None:
    ana, bo, eve = (a_wary(tmp_path, number) for number in (1, 2, 3))

    async def story() -> None:
        async with hosting(ana) as table:
            async with joining(eve, uninvited(table)):
                await table.person.until_told(Asked)
            await table.person.until_told(Unasked)
            async with asked_by(bo, uninvited(table)) as guest:
                await table.person.until(lambda: len(table.person.heard(Asked)) == 2)
                table.person.want(Agree())
                await guest.person.until_told(Offered)

    run(story())


def test_nobody_is_remembered_with_whom_no_match_has_begun(tmp_path: Path) -> None:
    ana, bo = a_wary(tmp_path, 1), a_wary(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite, Person(agrees=False)) as guest:
            await guest.person.until_told(Seated)
            await table.person.until_told(Seated)
        assert not met(ana)
        assert not met(bo)

    run(story())


def test_a_guest_with_a_known_name_and_another_key_is_asked_about_even_with_the_invite(tmp_path: Path) -> None:
    ana, bo, thief = a_wary(tmp_path, 1), a_seat(tmp_path, 2), a_wary(tmp_path, 3, "PLAYER 2")
    Peers().remember(Peer("Player 2", bo.identity.identity)).save(ana.places.peers)

    async def story() -> None:
        async with hosting(ana) as table, joining(thief, table.invite) as guest:
            asked = await table.person.until_told(Asked)
            assert asked.doubt is Doubt.OTHER_KEY
            assert (asked.key, asked.known) == (words_of(thief.identity.identity), (words_of(bo.identity.identity),))
            table.person.want(Refuse())
            assert await is_refused(guest, Code.DECLINED)
            async with joining(bo, table.invite) as friend:
                await resign_at_once(friend.person)
                assert await friend.ending() == FINISHED
            assert len(table.person.heard(Asked)) == 1
        assert met(ana) == [("Player 2", bo.identity.identity)]

    run(story())


def test_a_host_with_a_known_name_and_another_key_is_refused_unless_the_guest_says_yes(tmp_path: Path) -> None:
    ana, bo, other = a_wary(tmp_path, 1), a_wary(tmp_path, 2), a_seat(tmp_path, 3)
    Peers().remember(Peer("Player 1", other.identity.identity)).save(bo.places.peers)

    async def story() -> None:
        async with hosting(ana) as table:
            async with joining(bo, table.invite) as guest:
                asked = await guest.person.until_told(Asked)
                assert (asked.doubt, asked.at_door) == (Doubt.OTHER_KEY, False)
                assert asked.known == (words_of(other.identity.identity),)
                guest.person.want(Refuse())
                assert await guest.ending() == Ending(How.REFUSED)
            assert met(bo) == [("Player 1", other.identity.identity)]
            async with joining(bo, table.invite) as guest:
                await guest.person.until_told(Asked)
                guest.person.want(Agree())
                await resign_at_once(guest.person)
                assert await guest.ending() == FINISHED
        assert met(bo) == [("Player 1", other.identity.identity), ("Player 1", ana.identity.identity)]

    run(story())


def test_the_names_that_the_program_gives_are_nobodys(tmp_path: Path) -> None:
    ana, bo = a_wary(tmp_path, 1, "Computer"), a_wary(tmp_path, 2, "Player")
    for seat, name in ((ana, "Player"), (bo, "Computer")):
        Peers().remember(Peer(name, a_seat(tmp_path, 3).identity.identity)).save(seat.places.peers)

    async def story() -> None:
        async with hosting(ana) as table, asked_by(bo, table.invite) as guest:
            await guest.person.until_told(Offered)
            assert not table.person.heard(Asked)
            assert not guest.person.heard(Asked)

    run(story())
