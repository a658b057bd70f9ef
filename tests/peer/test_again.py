"""After a match is over: another one at the same table, without another invite, when both would like one."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from peer.rig import ANY, SHORT, Person, a_seat, run
from peer.tables import TABLE, Hosting, Joining, begun, hosting, joining, logs
from proxy import Proxy

from sm_p2p.bot.greedy import choose
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.join import join
from sm_p2p.peer.lobby import Seat
from sm_p2p.peer.play import Terms
from sm_p2p.peer.player import Automaton
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Advanced, PeerLeft, Said
from sm_p2p.session.state import State
from sm_p2p.session.talk import Afresh, Again, AskedAgain, Leave, News, Offered, Resign, Say, Situation, Wish

FINISHED = Ending(How.FINISHED)
LONGER = Variant.parse("quick,pay_off=6")


def staying(home: Path, number: int) -> Seat:
    """A seat whose player may want another match."""
    return replace(a_seat(home, number), stays=True)


def is_over(person: Person) -> bool:
    """Whether the last match that this person was told of is closed."""
    return bool(person.told) and person.now.match.state is State.CLOSED


async def finish(*people: Person) -> None:
    """One of them resigns as soon as cards are on the table; until all have seen the end."""
    first = people[0]
    await first.until(lambda: first.told and first.now.match.state is State.TURN)
    first.want(Resign())
    for person in people:
        await person.until(lambda person=person: is_over(person))  # type: ignore[misc]


async def finish_first(table: Hosting, guest: Joining) -> None:
    """The first match, to its end."""
    await finish(guest.person, table.person)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_when_both_want_it_another_match_begins_on_the_same_terms(tmp_path: Path, order: tuple[int, int]) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite) as guest:
            people = (table.person, guest.person)
            for number in range(1, 3):
                await finish(*people)
                first, second = (people[which] for which in order)
                first.want(Again())
                await second.until(lambda second=second, number=number: len(second.heard(AskedAgain)) == number)  # type: ignore[misc]
                second.want(Again())
                for person in people:
                    await person.until(lambda person=person, number=number: len(person.heard(Afresh)) == number)  # type: ignore[misc]
            await finish(*people)
            for person in people:
                person.want(Leave())
            assert await table.task == FINISHED
            assert await guest.ending() == FINISHED
            assert len({news.after.chain.match for news in guest.person.heard(Advanced)}) == 3

    run(story())
    assert len(logs(ana)) == 3
    assert logs(ana) == logs(bo)


def test_the_other_side_can_still_be_talked_to_while_one_waits_for_the_other(tmp_path: Path) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite) as guest:
            await finish_first(table, guest)
            guest.person.want(Again())
            await table.person.until_told(AskedAgain)
            table.person.want(Say("one moment"))
            await guest.person.until_told(Said)
            guest.person.want(Say("of course"))
            await table.person.until(lambda: len(table.person.heard(Said)) == 2)

    run(story())


def test_other_terms_are_offered_to_the_guest_who_may_decline(tmp_path: Path) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        terms = Terms(SHORT)  # he has come for these
        async with hosting(ana) as table, joining(bo, table.invite, Person(agrees=False), terms) as guest:
            await finish_first(table, guest)
            guest.person.want(Again())
            table.person.want(Again(LONGER))
            assert (await guest.person.until_told(Offered)).variant == LONGER
            guest.person.want(Leave())
            assert (await guest.ending()).how is How.LEFT

    run(story())
    assert len(logs(bo)) == 1


def test_other_terms_that_are_agreed_to_are_played(tmp_path: Path) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite, terms=Terms(SHORT)) as guest:
            await finish_first(table, guest)
            table.person.want(Again(LONGER))
            guest.person.want(Again())
            await guest.person.until(lambda: guest.person.now.match.state is State.TURN)
            assert guest.person.now.match.variant == LONGER

    run(story())


@pytest.mark.parametrize("goes", [0, 1])
def test_when_one_of_them_goes_there_is_no_other_match(tmp_path: Path, goes: int) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite) as guest:
            await finish_first(table, guest)
            people = (table.person, guest.person)
            people[1 - goes].want(Again())
            await people[goes].until_told(AskedAgain)
            people[goes].want(Leave())
            assert await table.task == FINISHED
            assert await guest.ending() == FINISHED
            assert people[1 - goes].heard(PeerLeft)

    run(story())
    assert len(logs(ana)) == len(logs(bo)) == 1


@pytest.mark.parametrize("goes", [0, 1])
def test_whoever_does_not_stay_ends_it_for_both(tmp_path: Path, goes: int) -> None:
    seats = [replace(staying(tmp_path, number), stays=number != goes + 1) for number in (1, 2)]

    async def story() -> None:
        async with hosting(seats[0]) as table, joining(seats[1], table.invite) as guest:
            people = (table.person, guest.person)
            await finish_first(table, guest)
            people[1 - goes].want(Again())
            assert await table.task == FINISHED
            assert await guest.ending() == FINISHED

    run(story())


def test_a_host_who_leaves_between_two_matches_ends_it_for_his_guest(tmp_path: Path) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite) as guest:
            await finish_first(table, guest)
            table.person.want(Again())
            await guest.person.until_told(AskedAgain)
            table.person.want(Leave())
            guest.person.want(Again())
            assert await table.task == FINISHED
            assert await guest.ending() == FINISHED

    run(story())
    assert logs(ana) == logs(bo)


def test_a_connection_that_breaks_between_two_matches_comes_back_and_the_next_one_begins(tmp_path: Path) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        async with (
            hosting(ana) as table,
            Proxy(table.address.port) as proxy,
            joining(bo, table.through(proxy.address)) as guest,
        ):
            await finish_first(table, guest)
            guest.person.want(Again())
            await table.person.until_told(AskedAgain)
            proxy.cut()
            table.person.want(Again())
            await finish(guest.person, table.person)

    run(story())
    assert len(logs(ana)) == 2


def test_a_match_that_was_gone_on_with_is_followed_by_a_new_one_whoever_listens(tmp_path: Path, recorded: Path) -> None:
    bo, ana, match = begun(tmp_path, recorded)
    listener, caller = replace(ana, stays=True), replace(bo, stays=True)

    async def story() -> None:
        async with hosting(listener, replace(TABLE, variant=None)) as table, joining(caller, table.invite) as guest:
            await finish_first(table, guest)
            assert table.person.now.seat == 1
            for person in (table.person, guest.person):
                person.want(Again())
            await finish(guest.person, table.person)
            assert table.person.now.seat == 0

    run(story())
    assert match.hex() in logs(ana)
    assert len(logs(ana)) == 2


def test_a_wish_for_another_match_means_nothing_while_one_is_played(tmp_path: Path) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table, joining(bo, table.invite) as guest:
            await guest.person.until_game()
            for person in (table.person, guest.person):
                person.want(Again())
            await finish_first(table, guest)
            assert not table.person.heard(Afresh)
            assert not table.person.heard(AskedAgain)

    run(story())


class Computer:
    """A computer that stays, watched."""

    def __init__(self) -> None:
        self.told: list[News] = []
        self._automaton = Automaton(choose, stays=True)

    async def wish(self) -> Wish:
        """What it wishes."""
        return await self._automaton.wish()

    def show(self, news: News, now: Situation) -> None:
        """Show it."""
        self.told.append(news)
        self._automaton.show(news, now)


def test_a_computer_that_stays_plays_again_as_often_as_it_is_asked(tmp_path: Path) -> None:
    ana, bo = staying(tmp_path, 1), staying(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table:
            computer = Computer()
            task = asyncio.create_task(_join(bo, table, computer))
            for number in range(1, 3):
                await table.person.until(
                    lambda number=number: is_over(table.person) and matches(table.person) == number  # type: ignore[misc]
                )
                table.person.want(Again() if number == 1 else Leave())
            assert await table.task == FINISHED
            assert await task == FINISHED
            assert sum(isinstance(news, Afresh) for news in computer.told) == 1

    run(story())
    assert logs(ana) == logs(bo)


async def _join(seat: Seat, table: Hosting, computer: Computer) -> Ending:
    return (await join(seat, table.invite, ANY, computer)).ending


def matches(person: Person) -> int:
    """How many matches a person has seen."""
    return len({news.after.chain.match for news in person.heard(Advanced)})
