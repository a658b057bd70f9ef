"""Tables on the local network, over loopback alone: shown, found, gone; and whatever an entry says is foreign text."""

import asyncio
import gc
import random
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from importlib import import_module

import pytest
from signers import ANNA

from sm_p2p.errors import SpiteError
from sm_p2p.net import beside, discovery, interfaces
from sm_p2p.net.addresses import Address
from sm_p2p.net.discovery import SERVICE, Announced, LanTrouble, announce, announced, browse, is_possible, texts

LOOPBACK = ("127.0.0.1",)
RIGHT = {key.encode(): value.encode() for key, value in texts("Anna", ANNA.identity).items()}


def run(story: Callable[[], Awaitable[None]]) -> None:
    """Run it on the loop that the program uses."""

    async def main() -> None:
        async with asyncio.timeout(100):
            await story()

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(main())


class Heard:
    """What a browser is told."""

    def __init__(self) -> None:
        self.there: dict[str, Announced] = {}
        self._news = asyncio.Event()

    def found(self, name: str, said: Announced) -> None:
        """An entry."""
        self.there[name] = said
        self._news.set()

    def gone(self, name: str) -> None:
        """One less."""
        self.there.pop(name, None)
        self._news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this is so."""
        while not condition():
            self._news.clear()
            await self._news.wait()


def test_a_table_is_found_while_it_is_shown_and_gone_when_it_is_closed() -> None:
    async def story() -> None:
        heard = Heard()
        async with browse(heard.found, heard.gone, LOOPBACK):
            async with announce("Anna \u2665", ANNA.identity, 7301, LOOPBACK):
                await heard.until(lambda: bool(heard.there))
                (said,) = heard.there.values()
                assert said == Announced("Anna \u2665", ANNA.identity, (Address("127.0.0.1", 7301),))
            await heard.until(lambda: not heard.there)

    run(story)


def test_what_an_entry_says_is_read_and_made_harmless() -> None:
    said = announced(
        {**RIGHT, b"name": b"An\x1b[2Jna\xff" + b"x" * 200, b"more": None}, ["10.0.0.7", "fe80::1%eth0"], 7227
    )
    assert said.identity == ANNA.identity
    assert said.addresses == (Address("10.0.0.7", 7227), Address("fe80::1%eth0", 7227))
    assert said.name.startswith("An[2Jna")
    assert len(said.name) <= 24
    assert "\x1b" not in said.name
    assert announced({b"key": RIGHT[b"key"].upper()}, ["10.0.0.7"], 1).name == ""


@pytest.mark.parametrize(
    ("properties", "hosts", "port"),
    [
        ({}, ["10.0.0.7"], 7227),
        ({b"key": None}, ["10.0.0.7"], 7227),
        ({b"key": b"00" * 32}, ["10.0.0.7"], 7227),
        ({b"key": b"\xff" * 64}, ["10.0.0.7"], 7227),
        ({b"key": RIGHT[b"key"][:-2]}, ["10.0.0.7"], 7227),
        (RIGHT, [], 7227),
        (RIGHT, ["0.0.0.0", "224.0.0.1", "ff02::1", "nonsense\n"], 7227),  # noqa: S104 - no address of one machine
        (RIGHT, ["10.0.0.7"], 0),
        (RIGHT, ["10.0.0.7"], 70_000),
    ],
)
def test_an_entry_without_a_key_or_an_address_is_none(
    properties: dict[bytes, bytes | None], hosts: list[str], port: int
) -> None:
    with pytest.raises(SpiteError):
        announced(properties, hosts, port)


def test_no_entry_gives_anything_but_what_it_says_or_an_error_of_its_own() -> None:
    dice = random.Random(8)
    for _ in range(500):
        key = dice.choice([RIGHT[b"key"], dice.randbytes(dice.choice([0, 32, 64, 255]))])
        hosts = [dice.choice(["10.0.0.1", "::1", "fe80::1%", dice.randbytes(9).decode("latin-1")]) for _ in range(40)]
        try:
            said = announced({b"key": key, b"name": dice.randbytes(255)}, hosts, dice.randint(-1, 70_000))
        except SpiteError:
            continue
        assert len(said.addresses) <= 16


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert not is_possible()

    async def story() -> None:
        with pytest.raises(LanTrouble, match="pip install"):
            async with announce("Anna", ANNA.identity, 7301, LOOPBACK):
                pass
        with pytest.raises(LanTrouble, match="pip install"):
            async with browse(lambda _name, _said: None, lambda _name: None, LOOPBACK):
                pass

    run(story)


def test_a_table_that_was_opened_without_a_network_is_shown_as_soon_as_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for room in (interfaces, discovery):
        monkeypatch.setattr(room, "AGAIN_S", 0.01)
    here, looked = ["192.0.2.1"], threading.Event()

    def every_address() -> list[str]:
        looked.set()
        return here

    for room in (interfaces, discovery):
        monkeypatch.setattr(room, "every_address", every_address)

    async def story() -> None:
        heard = Heard()
        async with announce("Anna", ANNA.identity, 7301, LOOPBACK):
            await asyncio.to_thread(looked.wait, 60)
            with pytest.raises(LanTrouble):
                async with browse(heard.found, heard.gone, LOOPBACK):
                    pass
            here[:] = ["127.0.0.1"]
            async with browse(heard.found, heard.gone, LOOPBACK):
                await heard.until(lambda: bool(heard.there))
                here[:] = ["127.0.0.1", "192.0.2.1"]  # and whoever has found it finds it again
                heard.there.clear()
                await heard.until(lambda: bool(heard.there))

    run(story)


def answer(label: bytes) -> bytes:
    """A packet that tells of an entry with this name."""
    service = b"".join(bytes([len(part)]) + part for part in SERVICE.encode().split(b"."))
    entry = bytes([len(label)]) + label + service
    head = bytes([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0])
    return head + service + bytes([0, 12, 0, 1, 0, 0, 17, 148]) + len(entry).to_bytes(2) + entry


@pytest.mark.parametrize(
    "packets",
    [
        [answer(b"\xff" * 63)],  # a name that the package takes, and at which it stumbles when it asks again
        [answer(b"%d" % number) for number in range(9)],
    ],
    ids=["odd", "many"],
)
def test_where_the_package_stumbles_over_what_a_stranger_sends_or_is_told_too_much_it_begins_anew_and_nobody_notices(
    monkeypatch: pytest.MonkeyPatch, packets: list[bytes]
) -> None:
    stumbled, noticed = threading.Event(), list[object]()
    noted = beside._noted

    def watched(failed: asyncio.Event, loop: asyncio.AbstractEventLoop, what: dict[str, object]) -> None:
        stumbled.set()
        noted(failed, loop, what)

    monkeypatch.setattr(beside, "_noted", watched)
    monkeypatch.setattr(discovery, "NEWS", 8)

    async def story() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, what: noticed.append(what))
        heard = Heard()
        async with browse(heard.found, heard.gone, LOOPBACK):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
                stranger.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK[0]))
                for packet in packets:
                    stranger.sendto(packet, ("224.0.0.251", 5353))
            assert await asyncio.to_thread(stumbled.wait, 60)
            async with announce("Anna", ANNA.identity, 7301, LOOPBACK):
                await heard.until(lambda: bool(heard.there))
        assert not noticed

    run(story)


def test_nothing_stays_open_of_what_is_called_off_while_it_begins() -> None:
    import_module("zeroconf.asyncio")  # so that it begins at once

    async def story() -> None:
        for _ in range(20):
            async with announce("Anna", ANNA.identity, 7301, LOOPBACK):
                pass

    for _ in range(3):
        run(story)
    gc.collect()


def test_nothing_stays_open_where_the_package_takes_too_long_to_say_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "CLOSE_S", 0.0)

    async def story() -> None:
        heard = Heard()
        async with announce("Anna", ANNA.identity, 7301, LOOPBACK):
            async with browse(heard.found, heard.gone, LOOPBACK):
                await heard.until(lambda: bool(heard.there))
            await asyncio.sleep(0)
            assert heard.there  # whoever looks no longer is told nothing any more

    run(story)
    gc.collect()  # what is open still would be complained of


def test_without_a_network_it_is_said_that_nothing_can_be_found() -> None:
    async def story() -> None:
        with pytest.raises(LanTrouble) as refusal:
            async with browse(print, print, ("192.0.2.77",)):
                pass
        assert str(refusal.value) == str(discovery.NO_NETWORK)

    run(story)
