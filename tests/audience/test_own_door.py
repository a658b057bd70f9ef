"""A door for those who watch is closed whatever happens while it is being closed."""

import asyncio

import pytest
from audience.test_spectate import INVITED
from peer.tables import LOOPBACK

from scripts.making.recorder import SIGNERS
from sm_p2p.audience.balcony import Balcony
from sm_p2p.audience.own_door import own_door
from sm_p2p.net.door import Door
from sm_p2p.session.greeting import Peer


def test_the_door_is_closed_also_when_whoever_closes_it_is_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Door] = []
    close = Door.close

    async def noted(door: Door) -> None:
        await close(door)
        closed.append(door)

    async def called_off(_: Balcony) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(Door, "close", noted)
    monkeypatch.setattr(Balcony, "close", called_off)

    async def story() -> None:
        with pytest.raises(asyncio.CancelledError):
            async with own_door(SIGNERS[0], Peer("Ana", "host"), INVITED, LOOPBACK, 0) as (door, _):
                assert not closed
        assert closed == [door]

    asyncio.run(story())
