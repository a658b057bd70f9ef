"""Whoever was let in and does not stop talking is read at his pace, and makes nobody else wait."""

import asyncio
from collections.abc import Sequence

import pytest
from wires import OTHER, a_door, a_guest, arrival, run, sit_down, until

from sm_p2p.net import dial, door, race
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import DialledLink
from sm_p2p.net.door import Arrival, Departure, Door
from sm_p2p.net.link import FRAME_LIMIT, FRAME_WEIGHT, LinkSlow, LinkState, weight
from sm_p2p.net.race import Line
from sm_p2p.pace import Bucket

AT_ONCE = 20
NEVER = 0.001  # tokens a second


async def say(link: DialledLink, frames: list[bytes]) -> None:
    """Send them as fast as it goes."""
    for frame in frames:
        while True:
            try:
                await link.send(frame)
                break
            except LinkSlow:
                await asyncio.sleep(0)


async def tell(gate: Door, route: bytes, frames: list[bytes]) -> None:
    """Send them to a guest, as fast as it goes."""
    for frame in frames:
        while True:
            try:
                await gate.send(route, frame)
                break
            except LinkSlow:
                await asyncio.sleep(0)


def test_of_a_flood_no_more_is_read_than_its_pace_and_the_others_are_heard() -> None:
    async def story() -> None:
        async with a_door() as gate, a_guest(gate.port) as loud, a_guest(gate.port, seed=OTHER) as quiet:
            route = await sit_down(gate, loud)
            await sit_down(gate, quiet)
            gate._visitors[route].pace = Bucket(AT_ONCE, NEVER)
            await say(loud, [b"%d" % n for n in range(500)])
            await quiet.send(b"and I?")
            heard: list[bytes] = []
            while b"and I?" not in heard or len(heard) <= AT_ONCE:
                heard.append((await arrival(gate)).frame)
            assert sorted(heard) == sorted([*(b"%d" % n for n in range(AT_ONCE)), b"and I?"])

    run(story())


def test_long_frames_count_for_more() -> None:
    assert [weight(bytes(n)) for n in (0, FRAME_WEIGHT - 1, FRAME_WEIGHT, FRAME_LIMIT)] == [1, 1, 2, 16]


def test_whoever_floods_on_and_on_is_shown_out_and_may_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "FLOOD", 30)

    async def story() -> None:
        async with a_door() as gate, a_guest(gate.port) as loud:
            route = await sit_down(gate, loud)
            gate._visitors[route].pace = Bucket(AT_ONCE, NEVER)
            await say(loud, [bytes([n]) for n in range(AT_ONCE + 31)])
            frames: list[bytes] = []
            while isinstance(knock := await gate.receive(), Arrival):
                frames.append(knock.frame)
            assert isinstance(knock, Departure)
            assert frames == [bytes([n]) for n in range(AT_ONCE)]
            await until(loud, LinkState.RECONNECTING)
            await sit_down(gate, loud)

    run(story())


def test_who_is_let_in_gets_the_pace_of_his_role() -> None:
    async def story() -> None:
        async with a_door() as gate, a_guest(gate.port) as watcher:
            await until(watcher, LinkState.UP)
            await watcher.send(b"hello")
            knock = await arrival(gate)
            gate.admit(knock.route, "watch", Bucket(1, NEVER))
            await say(watcher, [b"one", b"two"])
            assert (await arrival(gate)).frame == b"one"
            with pytest.raises(TimeoutError):
                await arrival(gate, 0.1)

    run(story())


def test_a_host_that_floods_is_read_slowly_and_nothing_of_it_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dial, "AT_ONCE", AT_ONCE)
    monkeypatch.setattr(dial, "A_SECOND", 100)

    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with a_door() as gate, a_guest(gate.port) as guest:
            route = await sit_down(gate, guest)
            began = loop.time()
            flood = [b"%d" % n for n in range(AT_ONCE + 30)]
            await tell(gate, route, flood)
            assert [*await until(guest, flood[-1]), flood[-1]] == flood
            assert loop.time() - began >= 0.29

    run(story())


def test_a_host_that_floods_and_goes_is_not_dialled_again_before_his_pace_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"AT_ONCE": AT_ONCE, "A_SECOND": 100, "AGAIN_S": 0.0}.items():
        monkeypatch.setattr(dial, name, value)

    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with a_door() as gate, a_guest(gate.port) as guest:
            began = loop.time()
            route = await sit_down(gate, guest)
            flood = [b"%d" % n for n in range(AT_ONCE + 30)]
            await tell(gate, route, flood)
            await gate.close()
            async with a_door(port=gate.port):
                assert await until(guest, LinkState.RECONNECTING) == flood
                await until(guest, LinkState.UP)
                assert loop.time() - began >= 0.29

    run(story())


def test_whoever_has_not_taken_what_was_said_does_not_dial_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dial, "AGAIN_S", 0.0)

    async def story() -> None:
        async with a_door() as gate, a_guest(gate.port) as guest:
            route = await sit_down(gate, guest)
            races = 0
            run_race = guest._racer.run

            async def counted(addresses: Sequence[Address]) -> Line:
                nonlocal races
                races += 1
                return await run_race(addresses)

            monkeypatch.setattr(guest._racer, "run", counted)
            guest._waiting += dial.INBOX
            gate.drop(route)
            await until(guest, LinkState.RECONNECTING)
            for _ in range(100):
                await asyncio.sleep(0)
            assert races == 0
            guest._waiting -= dial.INBOX
            guest._look()
            await until(guest, LinkState.UP)
            assert races == 1

    run(story())


def test_a_message_without_an_end_is_cut_short_also_behind_frames_that_are_kept_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    came = 0
    for name, value in {"AT_ONCE": AT_ONCE, "A_SECOND": NEVER}.items():
        monkeypatch.setattr(dial, name, value)
    for name, most in {"SWEEP_S": 0, "UNFINISHED_BYTES": 100_000}.items():
        monkeypatch.setattr(race, name, most)
    monkeypatch.setattr(race, "received", lambda _: came)

    async def story() -> None:
        nonlocal came
        async with a_door() as gate, a_guest(gate.port) as guest:
            route = await sit_down(gate, guest)
            flood = [b"%d" % n for n in range(AT_ONCE + 30)]
            await tell(gate, route, flood)
            await until(guest, flood[AT_ONCE])
            for _ in flood[AT_ONCE + 1 :]:
                guest._owing = False  # as if it had just been paid
                guest._look()
                if await guest.receive() is LinkState.RECONNECTING:
                    break
                came += 10_000
                for _ in range(10):
                    await asyncio.sleep(0)
            else:
                pytest.fail("nobody has noticed")

    run(story())
