"""Machines that find each other: several networks, some that come and go, wrong ones, link-local addresses, firewalls.

Each machine is a network namespace, in which a thread of this process is at home.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import pytest
from cables import Machine, machines, why_not, wire
from wires import GUEST, HOST, OTHER, a_door, a_guest, identity, until

from sm_p2p.cli.reach import bound, invited_to, reachable
from sm_p2p.errors import UsageError
from sm_p2p.net import discovery, interfaces
from sm_p2p.net.addresses import Address
from sm_p2p.net.discovery import SERVICE, Announced, announce, browse
from sm_p2p.net.door import Door
from sm_p2p.net.inquiry import nameplate, who_is_there
from sm_p2p.net.invite import TOKEN_BYTES, Invite
from sm_p2p.net.link import LinkState
from sm_p2p.net.race import Trouble

PORT = 7301
ANNA, BERT = identity(HOST), identity(OTHER)
QUESTION_END = bytes([0, 12, 0, 1])  # PTR, IN


@pytest.fixture(scope="module", autouse=True)
def _may() -> None:
    if reason := why_not():
        pytest.skip(reason)


@pytest.fixture(autouse=True)
def _attentive(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Networks that come and go are noticed at once, and nothing is complained of that would spoil a screen."""
    for room in (interfaces, discovery):
        monkeypatch.setattr(room, "AGAIN_S", 0.05)
    yield
    assert not [record for record in caplog.records if record.name == "asyncio" and record.levelno > logging.INFO]


class Table(NamedTuple):
    """What is open at a machine: its door, and the invite that leads to it."""

    door: Door
    invite: Invite


@contextlib.asynccontextmanager
async def a_table(
    bind: Sequence[str] = (), seed: bytes = HOST, port: int = PORT, name: str = "Anna"
) -> AsyncIterator[Table]:
    """A door at these addresses, shown on their networks, with a plate beside it that says whose it is."""
    key, here = identity(seed), bound(bind)
    async with a_door(seed, here, port) as door, nameplate(key, port, here), announce(name, key, port, here):
        yield Table(door, Invite(invited_to((), reachable(here), port), key, bytes(TOKEN_BYTES)))


class Seen:
    """What is found on the networks of a machine."""

    def __init__(self) -> None:
        self.there: dict[str, Announced] = {}
        self._news = asyncio.Event()

    def _found(self, _entry: str, said: Announced) -> None:
        self.there[said.name] = said
        self._news.set()

    async def until(self, name: str) -> Announced:
        """The entry of this name, when there is one."""
        while name not in self.there:
            self._news.clear()
            await self._news.wait()
        return self.there[name]

    @classmethod
    @contextlib.asynccontextmanager
    async def here(cls) -> AsyncIterator["Seen"]:
        """In this machine, for the length of the block."""
        seen = cls()
        async with browse(seen._found, lambda _entry: None):
            yield seen


async def found(name: str = "Anna") -> Announced:
    """The table of this name, as soon as it is found."""
    async with Seen.here() as seen:
        return await seen.until(name)


async def answers(way: str) -> set[bytes]:
    """Those of Anna and Bert who answer questions that are asked over this address of ours, when Bert has answered some."""
    question = b"".join(bytes([len(label)]) + label for label in SERVICE.encode().split(b".")) + QUESTION_END
    found: set[bytes] = set()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.settimeout(10)
        asker.bind((way, 0))
        asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(way))
        for number in range(1, 100):
            asker.sendto(bytes([0, number, 0, 0, 0, 1, *bytes(6)]) + question, ("224.0.0.251", 5353))
            while True:
                told = asker.recv(9000)
                found |= {key for key in (ANNA, BERT) if key[:6].hex().encode() in told}
                if told[1] == number and BERT[:6].hex().encode() in told:
                    break
    return found


async def reached(addresses: Sequence[Address]) -> Address | None:
    """Dial the host; where he was reached."""
    async with a_guest(*addresses, seed=GUEST, host=ANNA) as link:
        await until(link, LinkState.UP)
        return link.address


async def trouble(address: Address) -> Trouble:
    """Dial the host there; why that does not work."""
    async with a_guest(address, seed=GUEST, host=ANNA) as link, asyncio.timeout(10):
        while address not in link.troubles:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        return link.troubles[address]


@contextlib.contextmanager
def two_networks() -> Iterator[tuple[Machine, Machine, Machine]]:
    """A host with two cables, and a guest at the end of each, who knows no other network."""
    with machines(3) as (host, left, right):
        for guest, device, number in ((left, "lan", 77), (right, "vpn", 78)):
            wire(host, guest, device)
            host.gets(device, f"10.{number}.0.1/24")
            guest.gets(device, f"10.{number}.0.2/24")
        yield host, left, right


def test_a_host_in_two_networks_is_found_in_both_and_each_guest_gets_in_by_the_one_that_he_can_reach() -> None:
    with two_networks() as (host, left, right), host.holds(a_table) as table:
        assert {one.host for one in table.invite.addresses} == {"10.77.0.1", "10.78.0.1"}
        ways = ((left, "10.77.0.1"), (right, "10.78.0.1"))
        founds = [(guest.begin(found), way) for guest, way in ways]
        for guest, way in ways:
            assert guest.tells(partial(reached, table.invite.addresses)) == Address(way, PORT)
            assert guest.tells(partial(who_is_there, Address(way, PORT))).identity == ANNA
        for (guest, _), (said, way) in zip(ways, founds, strict=True):
            assert guest.tells(partial(reached, said.result(20).addresses)) == Address(way, PORT)


def test_who_listens_at_one_address_is_found_and_reached_in_its_network_alone() -> None:
    with two_networks() as (host, left, right), host.holds(partial(a_table, ("10.77.0.1",))) as table:
        assert table.invite.addresses == (Address("10.77.0.1", PORT),)
        assert left.tells(found).addresses == table.invite.addresses
        with right.holds(Seen.here) as seen, host.holds(partial(a_table, (), OTHER, PORT + 1, "Bert")):
            assert right.tells(partial(found, "Bert")).identity == BERT
            assert "Anna" not in seen.there
        assert right.tells(partial(trouble, table.invite.addresses[0])) is Trouble.CLOSED  # no way leads there


def test_a_network_that_comes_up_later_is_used_and_one_that_goes_away_and_comes_back_too() -> None:
    with machines(2) as (host, guest), host.holds(a_table) as table, guest.holds(Seen.here):
        assert {one.host for one in table.invite.addresses} == {"127.0.0.1", "::1"}
        looking = guest.begin(found)
        wire(host, guest)
        host.gets("cable", "10.77.0.1/24")
        guest.gets("cable", "10.77.0.2/24")
        for looks in (looking, guest.begin(found)):
            assert guest.tells(partial(reached, looks.result(20).addresses)) == Address("10.77.0.1", PORT)
        for machine in (host, guest):
            machine.ip("link", "set", "cable", "down")
        looking = guest.begin(found)
        for machine in (guest, host):
            machine.ip("link", "set", "cable", "up")
        assert guest.tells(partial(reached, looking.result(20).addresses)) == Address("10.77.0.1", PORT)
        host.ip("link", "del", "cable")
        wire(host, guest)
        host.gets("cable", "10.79.0.1/24")
        guest.gets("cable", "10.79.0.2/24")

        async def elsewhere() -> Announced:
            async with Seen.here() as seen:
                while (said := await seen.until("Anna")).addresses != (Address("10.79.0.1", PORT),):
                    seen.there.clear()
                return said

        assert guest.tells(elsewhere)


def test_of_three_networks_the_guest_finds_the_right_one_without_choosing() -> None:
    with machines(4) as (host, guest, bridged, contained):
        wire(host, guest, "lan")
        host.gets("lan", "10.77.0.1/24")
        guest.gets("lan", "10.77.0.2/24")
        for machine, other in ((host, bridged), (guest, contained)):
            wire(machine, other, "docker0")  # everybody's bridge has the same address
            machine.gets("docker0", "172.17.0.1/16")
        wire(host, bridged, "tun0")
        host.gets("tun0", "10.8.0.1/24")
        guest.ip("route", "add", "blackhole", "10.8.0.0/24")
        with host.holds(a_table) as table, guest.holds(partial(a_door, OTHER, (), PORT)):
            hosts = [one.host for one in table.invite.addresses]
            assert hosts[0] == "10.77.0.1"
            assert set(hosts[1:]) == {"172.17.0.1", "10.8.0.1"}
            for addresses in (table.invite.addresses, table.invite.addresses[::-1], guest.tells(found).addresses):
                assert guest.tells(partial(reached, addresses)) == Address("10.77.0.1", PORT)


def test_without_any_other_address_a_link_local_one_leads_from_each_network_to_the_host() -> None:
    with machines(3) as (host, guest, other):
        wire(other, guest, "aaa")  # which is asked first, and has another machine with that address
        wire(host, guest, "lan")
        for machine, device in ((other, "aaa"), (host, "lan")):
            machine.gets(device, "fe80::1/64")
            guest.gets(device, "fe80::2/64")
        there = partial(a_table, ("fe80::1",), HOST, PORT + 1, "Anna there")
        with host.holds(a_table) as everywhere, host.holds(there) as bound_there:
            for table, port, name in ((everywhere, PORT, "Anna"), (bound_there, PORT + 1, "Anna there")):
                assert table.invite.addresses == (Address("fe80::1", port),)
                assert Invite.parse(str(table.invite)) == table.invite
                zoned = Address.nearby(f"[fe80::1%lan]:{port}")
                assert guest.tells(partial(found, name)).addresses == (zoned,)
                for address in (zoned, table.invite.addresses[0]):
                    assert guest.tells(partial(reached, [address])) == address
                    assert guest.tells(partial(who_is_there, address)).identity == ANNA
        assert guest.tells(partial(trouble, Address("fe80::1%aaa", PORT))) is Trouble.CLOSED
        assert guest.tells(partial(trouble, Address("fe80::1%vpn", PORT))) is Trouble.INTERFACE


def test_a_firewall_is_named_by_the_guest_and_nobody_has_come_to_the_host() -> None:
    with machines(2) as (host, guest):
        wire(host, guest)
        host.gets("cable", "10.77.0.1/24")
        guest.gets("cable", "10.77.0.2/24")
        with host.holds(a_table) as table:
            (address,) = table.invite.addresses
            host.ip("route", "add", "blackhole", "10.77.0.2/32")
            asking = guest.begin(partial(who_is_there, address))
            assert guest.tells(partial(trouble, address)) is Trouble.SILENT
            with pytest.raises(UsageError, match=f"does a firewall let UDP port {PORT} through"):
                asking.result(20)
            assert table.door.accepted == 0
            host.ip("route", "del", "blackhole", "10.77.0.2/32")
            assert guest.tells(partial(reached, [address])) == address
            assert table.door.accepted == 1
