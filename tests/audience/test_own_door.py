"""A door for those who watch: what is heard there, and that it is closed whatever happens while it is being closed."""

import asyncio
from dataclasses import replace

import pytest
from audience.test_spectate import INVITED, TOKEN, key, watching
from peer.rig import run
from peer.tables import LOOPBACK

from scripts.making.recorder import SIGNERS, Recorder
from sm_p2p.audience.balcony import Balcony
from sm_p2p.audience.gallery import Gallery, Outgoing
from sm_p2p.audience.own_door import own_door
from sm_p2p.errors import Code
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.door import Door
from sm_p2p.net.invite import Invite, Purpose
from sm_p2p.net.link import LinkState
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.wire import Ack, Hello, Reject, read_frame, write_frame
from sm_p2p.watch import spectate as spectating


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


def test_whoever_serves_hears_how_far_somebody_is_who_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectating, "TICK_S", 0.01)
    monkeypatch.setattr(Gallery, "tick", lambda _gallery, _now: [])  # nothing is said twice
    record = Recorder("quick", "heard")
    record.go_on(lambda match: match.chain.seq == 5)
    raws = record.raws
    heard, hear = asyncio.Queue[int](), Gallery.hear

    def listened(gallery: Gallery, route: bytes, raw: bytes, now: float) -> list[Outgoing]:
        frame = read_frame(raw)
        if isinstance(frame, Ack):
            heard.put_nowait(frame.seq)
        return hear(gallery, route, raw, now)

    monkeypatch.setattr(Gallery, "hear", listened)

    async def story() -> None:
        async with own_door(SIGNERS[0], Peer("Ana", "host"), INVITED, LOOPBACK, 0) as (door, balcony):
            await balcony.begin(raws[:2])
            invite = Invite((Address("127.0.0.1", door.port),), SIGNERS[0].identity, TOKEN, Purpose.WATCH)
            async with watching(invite) as watcher:
                await watcher.eyes.until_same(raws[:2])
                for count, raw in enumerate(raws[2:], 3):
                    await balcony.grow(raw)
                    await watcher.eyes.until_same(raws[:count])
                while await heard.get() < len(raws):
                    pass

    run(story())


async def comes(links: list[DialledLink], port: int, number: int) -> Hello | Reject:
    """Somebody comes to watch, over a connection of his own; what he hears first."""
    who = key(number)
    link = dial(who.seed, [Address("127.0.0.1", port)], SIGNERS[0].identity)
    links.append(link)
    while not isinstance(word := await link.receive(), bytes):
        if word is LinkState.UP:
            await link.send(write_frame(hello(who, Peer("", "spectator", TOKEN), b"", 0, b"")))
    frame = read_frame(word)
    assert isinstance(frame, Hello | Reject)
    return frame


def test_where_all_places_are_taken_whoever_has_one_comes_back_to_it_and_nobody_else_comes_in() -> None:
    async def story() -> None:
        links: list[DialledLink] = []
        async with own_door(SIGNERS[0], Peer("Ana", "host"), replace(INVITED, most=2), LOOPBACK, 0) as (door, balcony):
            for number in (1, 2):
                assert isinstance(await comes(links, door.port, number), Hello)
            assert await comes(links, door.port, 3) == Reject(Code.NO_SPECTATORS)
            assert isinstance(await comes(links, door.port, 1), Hello)  # whose first connection has not been missed yet
            assert len(balcony) == 2
            for link in links:
                await link.close()

    run(story())
