"""Addresses are checked before any library sees them."""

import ipaddress
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sm_p2p.cli.reach import bound, reachable
from sm_p2p.errors import UsageError
from sm_p2p.net import interfaces
from sm_p2p.net.addresses import DEFAULT_PORT, Address, bind_host, remembered
from sm_p2p.net.interfaces import LocalAddress, choose, local_addresses, on_interface, to_neighbours
from sm_p2p.net.names import look_up

EVERYWHERE = "0.0.0.0"  # noqa: S104 - a word to be checked, nothing is bound here


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20:7227", Address("192.168.1.20", 7227)),
        ("192.168.1.20", Address("192.168.1.20", DEFAULT_PORT)),
        (" Anas-Laptop.LOCAL:1 ", Address("anas-laptop.local", 1)),
        ("ana.example.:65535", Address("ana.example", 65535)),
        ("[2001:DB8:0::1]:80", Address("2001:db8::1", 80)),
        ("[::1]", Address("::1", DEFAULT_PORT)),
        ("my_nas:99", Address("my_nas", 99)),
    ],
)
def test_an_address_is_read_in_every_way_that_people_write_it(text: str, address: Address) -> None:
    assert Address.parse(text) == address
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "", ":7227", "host:", "host:0", "host:65536", "host:07", "host:+1", "host:٣", "host:1:2", "host :1", "tcp://host:1",
        "a..b", "-a", "a-", "a" * 64, "a/b", "ho\x1bst", "hôst", ("a" * 60 + ".") * 5 + "a",
        "256.1.1.1", "1.2.3", "127.1", "0x7f.1", "a.0x10", "1.2.3.4.5", EVERYWHERE, "255.255.255.255", "224.0.0.1",
        "::1", "2001:db8::1", "[::1", "[::1]7227", "[::1]:", "[host]:1", "[fe80::1%eth0]:1", "[::]", "[ff02::1]", "[::ffff:1.2.3.4]", "[]",
    ],
)  # fmt: skip
def test_what_is_no_address_of_one_machine_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"\.$"):
        Address.parse(text)


def test_a_link_local_address_nearby_names_the_interface_that_leads_there() -> None:
    zoned = Address("fe80::1%eth0", 7227)
    for text in ("[FE80::1%eth0]", "[fe80:0::1%eth0]:7227", str(zoned)):
        assert Address.nearby(text) == zoned
    assert Address.nearby("[fe80::1%wlP1.s-0]:80") == Address("fe80::1%wlP1.s-0", 80)
    for text in ("10.0.0.1", "[2001:db8::1]:80", "ana.local:1"):
        assert Address.nearby(text) == Address.parse(text)
    assert look_up(zoned.host) == [zoned.host]


@pytest.mark.parametrize(
    "text", ["[2001:db8::1%eth0]:1", "[fe80::1%]:1", "[fe80::1%e h]:1", "[fe80::1%eth0]:0", "fe80::1%eth0", "[10.0.0.1%eth0]", "[fe80::1%a\x1b]"]
)  # fmt: skip
def test_no_other_address_names_an_interface(text: str) -> None:
    with pytest.raises(UsageError, match=r"\.$"):
        Address.nearby(text)


@settings(derandomize=True, deadline=None)
@given(st.ip_addresses(), st.integers(1, 65535))
def test_every_ip_address_is_read_back_from_its_text_or_refused(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int
) -> None:
    address = Address(str(ip), port)
    try:
        assert Address.parse(str(address)) == address
    except UsageError:
        assert ip.is_multicast or ip.is_unspecified or int(ip) == 2**32 - 1 or ip.ipv4_mapped  # type: ignore[union-attr]


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_an_address_with_one_text_or_a_sentence(text: str) -> None:
    try:
        address = Address.parse(text)
    except UsageError:
        return
    assert Address.parse(str(address)) == address


def test_a_bind_word_is_an_ip_address() -> None:
    assert [bind_host(word) for word in ("127.0.0.1", "::1", "[::1]", f" {EVERYWHERE} ")] == [
        "127.0.0.1", "[::1]", "[::1]", EVERYWHERE,
    ]  # fmt: skip
    for word in ("", "*", "eth0", "localhost", "127.0.0.1:80"):
        with pytest.raises(UsageError, match="IP address"):
            bind_host(word)


LAN, BRIDGE = LocalAddress("eth0", "10.0.0.5"), LocalAddress("docker0", "172.17.0.1")


def test_the_likeliest_address_comes_first() -> None:
    global6 = LocalAddress("eth0", "2001:db8::5")
    unconfigured = LocalAddress("wlan0", "169.254.7.7")
    assert choose([BRIDGE, unconfigured, global6, LAN]) == [LAN, global6, unconfigured, BRIDGE]


def test_an_address_that_means_another_machine_there_is_left_out() -> None:
    useless = [LocalAddress("eth0", ip) for ip in ("fe80::1", "127.0.0.1", "::1", EVERYWHERE, "224.0.0.1")]
    assert choose([*useless, LAN]) == [LAN]


def test_one_interface_gives_two_addresses_of_a_kind() -> None:
    many = [LocalAddress("eth0", f"2001:db8::{n}") for n in range(1, 9)]
    assert choose([*many, LAN]) == [LAN, *many[:2]]
    nameless = [LocalAddress("", f"10.0.0.{n}") for n in range(1, 5)]
    assert choose([*nameless, *nameless]) == nameless


def test_without_a_network_the_loopback_is_left() -> None:
    assert choose([LocalAddress("lo", "127.0.0.1"), LocalAddress("lo", "::1")]) == [
        LocalAddress("lo", "127.0.0.1"), LocalAddress("lo", "::1"),
    ]  # fmt: skip
    assert choose([]) == []


def test_without_any_other_address_the_link_local_ones_are_left() -> None:
    near, loop = LocalAddress("eth0", "fe80::1"), LocalAddress("lo", "127.0.0.1")
    assert choose([loop, near]) == [near]
    assert choose([loop, near, LAN]) == [LAN]


def test_a_link_local_address_of_ours_is_taken_with_its_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = LocalAddress("eth0", "fe80::1"), LocalAddress("docker0", "fe80::2")
    monkeypatch.setattr(interfaces, "_found", lambda: [LAN, far, near])
    assert to_neighbours() == ["eth0", "docker0"]
    for text, taken in {"fe80::1": "fe80::1%eth0", "fe80::1%x": "fe80::1%x", "fe80::9": "fe80::9"}.items():
        assert on_interface(text) == taken
    for text in ("10.0.0.5", "169.254.1.1", "::1"):
        assert on_interface(text) == text
    assert bound(["[fe80::2]", "10.0.0.5"]) == ("fe80::2%docker0", "10.0.0.5")
    assert reachable(("fe80::2%docker0",)) == ("fe80::2",)


def test_remembered_addresses_are_read_as_far_as_they_are_any() -> None:
    assert remembered(["[fe80::1%eth0]:1", "nonsense:x", "ana.local", "[fe80::1%eth0]:1"]) == (
        Address("fe80::1%eth0", 1), Address("ana.local", 7227),
    )  # fmt: skip


def test_this_machine_has_addresses_and_every_one_can_be_written_into_an_invite() -> None:
    found = local_addresses()
    assert found
    for _, ip in found:
        assert Address.parse(str(Address(ip, 1))).host == ip


def test_a_system_that_cannot_list_its_addresses_is_asked_for_those_of_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent() -> list[LocalAddress]:
        raise AttributeError("getifaddrs")

    monkeypatch.setattr(interfaces, "_from_system", absent)
    for address in local_addresses():
        assert address.interface == ""
        assert Address.parse(str(Address(address.ip, 1))).host == address.ip


def test_a_machine_that_does_not_know_its_own_name_still_has_a_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "a..b")
    assert choose(interfaces._from_own_name()) == [LocalAddress("", "127.0.0.1")]
