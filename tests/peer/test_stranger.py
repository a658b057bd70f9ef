"""A table of which only the address is known: nobody is dialled whose words nobody has compared."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from peer.rig import Person, run
from peer.tables import TABLE, hosting
from peer.test_persons import a_wary

from sm_p2p.errors import UsageError
from sm_p2p.net import inquiry
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Whereabouts
from sm_p2p.peer.acquaintance import words_of
from sm_p2p.peer.lobby import PlayerHasLeftError
from sm_p2p.peer.stranger import addresses_of, of_somebody, whereabouts
from sm_p2p.session.talk import Agree, Asked, Doubt, Leave, Refuse, Say, Wish
from sm_p2p.store.peers import Peer, Peers


@pytest.mark.parametrize(("wish", "is_taken"), [(Agree(), True), (Refuse(), False)])
def test_the_words_of_a_host_who_is_not_known_are_asked_about(wish: Wish, is_taken: bool, tmp_path: Path) -> None:  # noqa: FBT001
    ana, bo = a_wary(tmp_path, 1), a_wary(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table:
            person = Person()
            asking = asyncio.create_task(whereabouts(bo, person, table.address, None))
            await person.until_told(Asked)
            for said in (Say("hm"), wish):
                person.want(said)
            found = await asking
            assert found == (Whereabouts((table.address,), ana.identity.identity) if is_taken else None)
            (asked,) = person.heard(Asked)
            assert asked == Asked(Doubt.UNKNOWN, str(table.address), words_of(ana.identity.identity), (), at_door=False)

    run(story())


def test_whoever_is_known_or_whose_words_were_said_is_not_asked_about(tmp_path: Path) -> None:
    ana, bo, known = (a_wary(tmp_path, number) for number in (1, 2, 3))
    Peers().remember(Peer("Ana", ana.identity.identity)).save(known.places.peers)

    async def story() -> None:
        async with hosting(ana) as table:
            there, words = Whereabouts((table.address,), ana.identity.identity), words_of(ana.identity.identity)
            person = Person()
            assert await whereabouts(known, person, table.address, None) == there
            assert await whereabouts(bo, person, table.address, f" {words.upper()}\n") == there
            assert await whereabouts(ana, person, table.address, None) == there  # which is refused as one's own
            with pytest.raises(UsageError, match="that is not what --fingerprint says"):
                await whereabouts(bo, person, table.address, words_of(bo.identity.identity))
            with pytest.raises(UsageError, match="say its words with --fingerprint"):
                await whereabouts(replace(bo, is_wary=False), person, table.address, None)
            assert not person.told

    run(story())


def test_somebody_else_at_an_address_that_is_known_is_a_loud_question(tmp_path: Path) -> None:
    ana, bo, other = (a_wary(tmp_path, number) for number in (1, 2, 3))

    async def story() -> None:
        async with hosting(ana) as table:
            where = f"10.0.0.1:7227,{table.address}"
            Peers().remember(Peer("Cleo", other.identity.identity, where)).save(bo.places.peers)
            person = Person()
            asking = asyncio.create_task(whereabouts(bo, person, table.address, None))
            await person.until_told(Asked)
            person.want(Leave())
            with pytest.raises(PlayerHasLeftError):
                await asking
            (asked,) = person.heard(Asked)
            assert (asked.doubt, asked.known) == (Doubt.OTHER_HOST, (words_of(other.identity.identity),))

    run(story())


def test_a_host_whom_nobody_can_ask_about_guests_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inquiry, "PAUSES", (0.05,))
    ana, bo = replace(a_wary(tmp_path, 1), is_wary=False), a_wary(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana, TABLE) as table:
            with pytest.raises(UsageError, match="nobody there says who he is"):
                await whereabouts(bo, Person(), table.address, None)

    run(story())


def test_the_addresses_of_somebody_are_those_that_can_be_read() -> None:
    ana, lost = Peer("Ana", bytes([1]) * 32, "10.0.0.1:7227,nonsense:x,[fe80::1%eth0]:7228,"), Peer("Ana", bytes(32))
    assert addresses_of(ana) == (Address("10.0.0.1", 7227), Address("fe80::1%eth0", 7228))
    assert addresses_of(lost) == ()
    assert of_somebody(Peers((ana, lost)), "ANA") == Whereabouts(addresses_of(ana), ana.identity)
    assert of_somebody(Peers((lost,)), "Ana") is None
    assert of_somebody(Peers((ana,)), "Bo") is None
