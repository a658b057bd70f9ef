"""The tables nearby: nothing is shown that does not answer, and knocking to see lets nobody in."""

import asyncio
from collections import deque
from pathlib import Path

import pytest
from peer.rig import run
from peer.tables import LOOPBACK, asked, hosting
from peer.test_persons import a_wary, uninvited

from sm_p2p.net.addresses import Address
from sm_p2p.net.discovery import Announced, announce
from sm_p2p.net.invite import Whereabouts
from sm_p2p.peer import neighbours as nearby
from sm_p2p.peer.neighbours import Neighbours, Seen, Standing, neighbours, probe
from sm_p2p.session.talk import Asked, Offered
from sm_p2p.store.keys import Identity

OWN, ANA, BO = (Identity(bytes([number]) * 32).identity for number in (1, 2, 3))
WHERE = (Address("10.0.0.7", 7227),)


class Looking:
    """Answers in their order, for each key; None stands for silence."""

    def __init__(self, **answers: list[Standing | None]) -> None:
        self.answers = {name: deque(answer) for name, answer in answers.items()}
        self.shown: list[list[str]] = []
        self._news = asyncio.Event()
        self.here = Neighbours(OWN, self._changed, self._look)

    def _changed(self, tables: tuple[Seen, ...]) -> None:
        self._news.set()
        self.shown.append([f"{one.name} {one.standing}" for one in tables])

    async def _look(self, there: Whereabouts) -> Standing | None:
        answers = self.answers["ana" if there.key == ANA else "bo"]
        if not answers:
            await asyncio.Event().wait()
        return answers.popleft()

    async def until(self, count: int) -> None:
        """Wait until the list has changed so often."""
        async with asyncio.timeout(60):
            while len(self.shown) < count:
                self._news.clear()
                await self._news.wait()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever answers is looked at again at once."""
    monkeypatch.setattr(nearby, "AGAIN_S", 0.0)


def test_a_table_is_shown_when_it_has_answered_and_not_before() -> None:
    async def story() -> None:
        looking = Looking(ana=[None, Standing.OPEN, Standing.OPEN, Standing.TAKEN], bo=[])
        looking.here.found("1", Announced("Ana", ANA, WHERE))
        looking.here.found("2", Announced("Bo", BO, WHERE))
        await looking.until(2)
        assert looking.shown == [["Ana open"], ["Ana taken"]]
        looking.here.gone("1")
        looking.here.gone("2")
        looking.here.gone("never")
        assert looking.shown[2:] == [[]]
        looking.here.close()

    run(story())


def test_an_entry_that_has_not_answered_twice_is_as_good_as_gone() -> None:
    async def story() -> None:
        looking = Looking(
            ana=[Standing.OPEN, None, Standing.OPEN, None, None, Standing.OPEN], bo=[None, None, Standing.OPEN]
        )
        looking.here.found("1", Announced("Ana", ANA, WHERE))
        looking.here.found("2", Announced("Bo", BO, WHERE))
        await looking.until(2)
        assert looking.shown == [["Ana open"], []]
        assert len(looking.answers["ana"]) == len(looking.answers["bo"]) == 1
        looking.here.found("1", Announced("Ana", ANA, WHERE))
        await looking.until(3)
        assert looking.shown[-1] == ["Ana open"]
        looking.here.close()

    run(story())


def test_our_own_table_is_not_shown_and_one_that_was_found_twice_is_shown_once() -> None:
    async def story() -> None:
        looking = Looking(ana=[Standing.OPEN, Standing.OTHER_VERSION], bo=[])
        looking.here.found("0", Announced("Me", OWN, WHERE))
        looking.here.found("1", Announced("Ana", ANA, WHERE))
        looking.here.found("2", Announced("Ana", ANA, WHERE))
        await looking.until(2)
        assert len(looking.here.tables) == 1
        looking.here.close()

    run(story())


def test_a_probe_tells_how_a_table_stands_and_asks_nobody_about_anybody(tmp_path: Path) -> None:
    ana, bo = a_wary(tmp_path, 1), a_wary(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table:
            assert await probe(uninvited(table)) is Standing.OPEN
            async with asked(bo, table.invite) as guest:
                await guest.person.until_told(Offered)
                assert await probe(uninvited(table)) is Standing.TAKEN
            assert not table.person.heard(Asked)

    run(story())


def test_where_nobody_or_somebody_else_answers_a_probe_tells_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearby, "PROBE_S", 0.3)
    ana = a_wary(tmp_path, 1)

    async def story() -> None:
        async with hosting(ana) as table:
            there = uninvited(table)
            assert await probe(there._replace(key=BO)) is None
        assert await probe(there) is None

    run(story())


def test_a_table_on_this_network_is_found_where_it_is(tmp_path: Path) -> None:
    ana, bo = a_wary(tmp_path, 1), a_wary(tmp_path, 2)

    async def story() -> None:
        changed = asyncio.Event()
        async with (
            hosting(ana) as table,
            announce("Ana", table.invite.key, table.address.port, LOOPBACK),
            neighbours(bo.identity.identity, lambda _tables: changed.set(), LOOPBACK) as here,
            asyncio.timeout(60),
        ):
            await changed.wait()
            assert Seen("Ana", Whereabouts((table.address,), ana.identity.identity), Standing.OPEN) in here.tables

    run(story())
