"""Links made of memory keep the law of all links."""

import asyncio

import pytest
from wires import run

from sm_p2p.errors import LinkDown
from sm_p2p.net.link import FRAME_LIMIT, LinkState, memory_links


def test_what_one_end_sends_the_other_receives_in_order() -> None:
    async def story() -> None:
        here, there = memory_links()
        assert [await here.receive(), await there.receive()] == [LinkState.UP, LinkState.UP]
        for frame in (b"one", b"", b"x" * FRAME_LIMIT):
            await here.send(frame)
        assert [await there.receive() for _ in range(3)] == [b"one", b"", b"x" * FRAME_LIMIT]
        await there.send(b"back")
        assert await here.receive() == b"back"

    run(story())


def test_a_frame_that_is_too_long_is_refused_before_it_is_sent() -> None:
    async def story() -> None:
        here, there = memory_links()
        with pytest.raises(ValueError, match="61440"):
            await here.send(b"x" * (FRAME_LIMIT + 1))
        await here.send(b"next")
        assert [await there.receive(), await there.receive()] == [LinkState.UP, b"next"]

    run(story())


def test_when_one_end_closes_the_other_reads_what_was_sent_and_then_hears_of_it() -> None:
    async def story() -> None:
        here, there = memory_links()
        assert (here.state, there.state) == (LinkState.UP, LinkState.UP)
        await here.send(b"last")
        await here.close()
        await here.close()
        assert [await there.receive() for _ in range(3)] == [LinkState.UP, b"last", LinkState.RECONNECTING]
        assert (here.state, there.state) == (LinkState.RECONNECTING, LinkState.RECONNECTING)
        with pytest.raises(LinkDown):
            await there.send(b"anybody?")
        await there.close()

    run(story())


def test_a_closed_end_gives_nothing_more_however_often_it_is_asked() -> None:
    async def story() -> None:
        here, _ = memory_links()
        await here.close()
        for _ in range(2):
            with pytest.raises(LinkDown):
                await here.receive()

    run(story())


def test_closing_wakes_everybody_who_waits_on_that_end() -> None:
    async def story() -> None:
        here, _ = memory_links()
        assert await here.receive() is LinkState.UP
        waiting = [asyncio.create_task(here.receive()) for _ in range(2)]
        await asyncio.sleep(0)
        await here.close()
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(end) for end in ends] == [LinkDown, LinkDown]

    run(story())
