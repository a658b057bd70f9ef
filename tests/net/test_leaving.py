"""Closing takes less than a second, and our own mistakes are seen."""

import asyncio
import contextlib
import time
from collections.abc import Callable

import pytest
from hosts import a_closed_port, a_silent_port
from proxy import Proxy
from wires import GUEST, HOST, a_guest, an_echo, identity, run, talk

from sm_p2p.errors import LinkDown
from sm_p2p.net import race
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.link import FRAME_LIMIT
from sm_p2p.net.names import NameUnknown


def nothing(_: Proxy) -> None:
    """Leaves the connection as it is."""


@pytest.mark.parametrize("spoil", [nothing, Proxy.stall, Proxy.cut], ids=["up", "stalled", "cut"])
def test_a_link_closes_within_a_second_and_says_so(spoil: Callable[[Proxy], None]) -> None:
    async def story() -> None:
        async with an_echo() as door, Proxy(door.port) as proxy, a_guest(proxy.address) as guest:
            await talk(guest, b"first")
            spoil(proxy)
            with contextlib.suppress(LinkDown):
                for _ in range(200):
                    await guest.send(bytes(FRAME_LIMIT))
            waiting = asyncio.create_task(_until_closed(guest))
            await asyncio.sleep(0)
            before = time.monotonic()
            await guest.close()
            await waiting
            assert time.monotonic() - before < 1
            await guest.close()
            for call in (guest.receive(), guest.send(b"more")):
                with pytest.raises(LinkDown):
                    await call

    run(story())


async def _until_closed(link: DialledLink) -> None:
    with contextlib.suppress(LinkDown):
        while True:
            await link.receive()


def test_a_link_closes_within_a_second_while_it_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(host: str) -> list[str]:
        if host != "slow.invalid":
            return [host]
        await asyncio.Event().wait()
        raise NameUnknown(host)

    monkeypatch.setattr(race, "resolve", slow)

    async def story() -> None:
        with a_silent_port() as silent:
            places = [Address("slow.invalid", 1), Address("127.0.0.1", silent), Address("127.0.0.1", a_closed_port())]
            for rounds in (0, 1, 100):
                link = dial(GUEST, places, identity(HOST))
                for _ in range(rounds):
                    await asyncio.sleep(0.01)
                before = time.monotonic()
                await link.close()
                assert time.monotonic() - before < 1

    run(story())


def test_a_mistake_of_ours_is_not_a_link_that_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: str) -> list[str]:
        raise AssertionError("a mistake")

    monkeypatch.setattr(race, "resolve", broken)

    async def story() -> None:
        async with a_guest(1) as guest:
            for _ in range(2):
                with pytest.raises(AssertionError, match="a mistake"):
                    await guest.receive()

    run(story())
