"""A name that nobody answers for holds nothing up."""

import asyncio
import socket
import threading
import time

import pytest
from wires import run

from sm_p2p.net import names
from sm_p2p.net.names import NameUnknown, resolve


def test_a_number_is_its_own_answer() -> None:
    async def story() -> None:
        assert await resolve("127.0.0.1") == ["127.0.0.1"]
        assert await resolve("::1") == ["::1"]

    run(story())


def test_a_link_local_number_may_be_behind_any_interface_that_has_one_and_behind_none_that_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        monkeypatch.setattr(names, "to_neighbours", lambda: ["lan", "vpn"])
        assert await resolve("fe80::1") == ["fe80::1%lan", "fe80::1%vpn"]
        monkeypatch.setattr(names, "to_neighbours", list)
        assert await resolve("fe80::1") == ["fe80::1"]
        here = f"fe80::1%{socket.if_nameindex()[0][1]}"
        assert await resolve(here) == [here]
        with pytest.raises(NameUnknown):
            await resolve("fe80::1%nowhere0")

    run(story())


@pytest.mark.parametrize("error", [OSError("no such name"), UnicodeError("label too long")])
def test_a_name_that_the_system_refuses_is_unknown(error: Exception) -> None:
    def look_up(_: str) -> list[str]:
        raise error

    async def story() -> None:
        with pytest.raises(NameUnknown):
            await resolve("nobody.invalid", look_up)

    run(story())


def test_a_name_without_an_address_is_unknown() -> None:
    async def story() -> None:
        with pytest.raises(NameUnknown):
            await resolve("empty.invalid", lambda _: [])

    run(story())


def test_a_question_without_an_answer_ends_in_time_and_its_late_answer_hurts_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(names, "RESOLVE_S", 0.05)
    answered, given = threading.Event(), threading.Event()

    def look_up(_: str) -> list[str]:
        answered.wait(10)
        given.set()
        return ["127.0.0.1"]

    async def story() -> None:
        with pytest.raises(NameUnknown):
            await resolve("slow.invalid", look_up)
        answered.set()
        while not given.is_set():  # noqa: ASYNC110 - the other thread has no loop to tell
            await asyncio.sleep(0)
        for _ in range(100):
            await asyncio.sleep(0)

    run(story())


def test_the_end_of_the_program_does_not_wait_for_an_answer() -> None:
    never = threading.Event()

    def look_up(_: str) -> list[str]:
        never.wait(20)
        return ["127.0.0.1"]

    async def story() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(resolve("slow.invalid", look_up), 0.01)

    before = time.monotonic()
    run(story())
    assert time.monotonic() - before < 1
    never.set()
    for thread in threading.enumerate():
        if thread.name == "resolve":
            thread.join(5)
