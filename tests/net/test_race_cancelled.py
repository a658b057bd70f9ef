"""A race that is called off in the very moment in which an attempt fails."""

import asyncio

import pytest
import zmq
from wires import HOST, a_guest, identity, run

from sm_p2p.net import race


def test_a_link_that_is_closed_while_an_attempt_fails_is_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        fails: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        asked = asyncio.Event()

        async def next_event(_monitor: object) -> tuple[int, int]:
            asked.set()
            await fails
            return zmq.EVENT_CLOSED, 0

        monkeypatch.setattr(race, "next_event", next_event)
        async with a_guest(1, host=identity(HOST)) as link:
            await asked.wait()
            fails.set_result(None)
            await asyncio.sleep(0)
            async with asyncio.timeout(5):
                await link.close()

    run(story())
