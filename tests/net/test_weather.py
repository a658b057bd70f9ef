"""Whatever the network does to the bytes, traffic flows again in time, and nobody has to press a key."""

import asyncio
import random
import time
from collections.abc import Coroutine

from proxy import Proxy, Way
from wires import HELLO, a_guest, an_echo, run, talk, until

from sm_p2p.net.link import FRAME_LIMIT, LinkState

BACK_S = 5.0
"""One damaged byte, and traffic flows again within this time."""
SOON_S = 3.0
"""So soon if nobody has to wait for a silence to be long enough."""
LENGTH_OF_A_LONG_FRAME = range(1, 9)


async def one_damaged_byte(
    way: Way, after: int, *, seed: int = 0, byte: int | None = None, length: int = 3000, within: float = BACK_S
) -> None:
    """Spoils one byte of an exchange of frames of this length and waits until another one has passed whole."""
    async with an_echo() as door, Proxy(door.port, seed=seed) as proxy, a_guest(proxy.address) as guest:
        await talk(guest, b"before")
        if byte is None:
            proxy.flip(way, after)
        else:
            proxy.put(way, after, byte)
        before = time.monotonic()
        await guest.send(bytes(length))
        await talk(guest, b"after")
        assert time.monotonic() - before < within, (way, after, byte, seed)


async def together(stories: list[Coroutine[None, None, None]]) -> None:
    """Tells several stories at once."""
    await asyncio.gather(*stories)


def test_after_one_damaged_byte_anywhere_in_a_frame_traffic_flows_again() -> None:
    dice = random.Random(7)
    places = [0, 9, 10, 18, 26, *(dice.randrange(3000) for _ in range(7))]
    run(together([one_damaged_byte(way, place, seed=place, within=SOON_S) for place in places for way in Way]))


def test_after_a_damaged_length_that_makes_the_other_side_wait_traffic_flows_again() -> None:
    stories = []
    for way in Way:
        stories += [one_damaged_byte(way, 1, byte=0xFF, length=10), one_damaged_byte(way, 7, byte=0xF0)]
        stories += [one_damaged_byte(way, place, seed=place) for place in LENGTH_OF_A_LONG_FRAME]
    run(together(stories))


async def one_damaged_handshake(way: Way, after: int) -> None:
    """Spoils one byte of the first connection and waits until a frame has passed whole."""
    async with an_echo() as door, Proxy(door.port, seed=after) as proxy:
        proxy.flip(way, after)
        before = time.monotonic()
        async with a_guest(proxy.address) as guest:
            await talk(guest, b"after", BACK_S)
        assert time.monotonic() - before < BACK_S, (way, after)


def test_one_damaged_byte_of_the_handshake_costs_one_more_attempt() -> None:
    dice = random.Random(7)
    places = [0, 1, 8, 9, 10, 11, 12, 20, 32, 63, 64, 65, 66, 72, *(dice.randrange(64, 340) for _ in range(4))]
    run(together([one_damaged_handshake(way, place) for place in places for way in Way]))


async def one_cut(way: Way, after: int) -> None:
    """Cuts an exchange of frames of 3000 bytes and waits until another one has passed whole."""
    async with an_echo() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
        await talk(guest, b"before")
        proxy.cut_after(way, after)
        await guest.send(bytes(3000))
        assert bytes(3000) not in await until(guest, LinkState.UP, 3)
        await talk(guest, b"after", 3)


def test_after_a_cut_in_the_middle_of_a_frame_traffic_flows_again() -> None:
    run(together([one_cut(way, after) for after in (0, 1, 9, 1000, 2999) for way in Way]))


def test_a_link_outlives_cut_after_cut() -> None:
    async def story() -> None:
        async with an_echo() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
            for n in range(5):
                await talk(guest, b"%d" % n, 3)
                proxy.cut()
                await until(guest, LinkState.RECONNECTING)
                await until(guest, LinkState.UP, 3)
            assert proxy.connections == 6
            assert len(guest._racer._lines) == 1

    run(story())


def test_a_short_stall_loses_nothing() -> None:
    async def story() -> None:
        async with an_echo() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
            await talk(guest, b"before")
            proxy.stall()
            for n in range(20):
                await guest.send(b"%d" % n)
            proxy.resume()
            assert [await guest.receive() for _ in range(20)] == [b"%d" % n for n in range(20)]

    run(story())


def test_a_long_way_only_takes_longer() -> None:
    async def story() -> None:
        async with an_echo() as door, Proxy(door.port, delay=0.1) as proxy, a_guest(proxy.address) as guest:
            await talk(guest, bytes(20_000), BACK_S)
            assert proxy.connections == 1

    run(story())


def test_the_largest_frames_pass_in_slices_of_seven_bytes() -> None:
    async def story() -> None:
        async with an_echo() as door, Proxy(door.port, slices=7) as proxy, a_guest(proxy.address) as guest:
            await talk(guest, bytes(FRAME_LIMIT), BACK_S)
            assert proxy.connections == 1

    run(story())


def test_a_proxy_without_orders_changes_nothing() -> None:
    async def story() -> None:
        dice = random.Random(7)
        async with an_echo() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
            await talk(guest, HELLO + b"!")
            for length in (1, 300, FRAME_LIMIT):
                frame = dice.randbytes(length)
                await guest.send(frame)
                assert await guest.receive() == frame
            assert all(proxy.passed(way) > FRAME_LIMIT for way in Way)

    run(story())
