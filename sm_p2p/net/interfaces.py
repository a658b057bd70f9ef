"""The addresses of this machine, with the interface that each belongs to, asked of the system alone.

Nothing leaves the machine for this; how the world sees it from behind a router nobody here can know.
"""

import asyncio
import ctypes
import ctypes.util
import ipaddress
import socket
import sys
from collections.abc import AsyncIterator
from functools import cache
from typing import Final, NamedTuple

_VIRTUAL = ("docker", "br-", "virbr", "veth", "vmnet", "vboxnet", "lxc", "lxd", "cni", "podman", "utun", "tun", "tap", "wg", "tailscale", "zt")  # fmt: skip
_UP_AND_RUNNING = 0x1 | 0x40
AGAIN_S: Final = 2.0
"""After so long it is looked again whether a network has come or gone; a look takes a tenth of a millisecond."""
_PER_INTERFACE = 2
"""IPv6 hands out several addresses to one interface; two lead as far as ten."""


class LocalAddress(NamedTuple):
    """One address that others may reach this machine at, and the interface it belongs to (empty: not known)."""

    interface: str
    ip: str


class _IfAddrs(ctypes.Structure):
    _fields_ = (
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("flags", ctypes.c_uint),
        ("address", ctypes.c_void_p),
    )


def local_addresses() -> list[LocalAddress]:
    """The usable addresses, the likeliest first; loopback only when there is no other.

    Left out: IPv6 addresses that need a zone, more than two of one kind on an interface, and interfaces that are down or unplugged.
    """
    return choose(_found())


def is_alone() -> bool:
    """Whether there is no network, so that nobody but this machine itself can reach it."""
    return all(ipaddress.ip_address(address.ip).is_loopback for address in local_addresses())


def _found() -> list[LocalAddress]:
    try:
        return _from_system()
    except (OSError, AttributeError):
        return _from_own_name()


def for_neighbours() -> list[str]:
    """The addresses at which this machine may be reached from its own networks, link-local ones too; loopback if there is no other."""
    texts = every_address()
    return [text for text in texts if not ipaddress.ip_address(text).is_loopback] or texts[:2]


def to_neighbours() -> list[str]:
    """The interfaces that have a link-local IPv6 address, the likeliest first."""
    near = [one for one in _found() if ":" in one.ip and ipaddress.ip_address(one.ip).is_link_local]
    return list(dict.fromkeys(one.interface for one in sorted(near, key=_rank)))


def on_interface(text: str) -> str:
    """This IP address as this machine takes it: a link-local IPv6 one that is ours gets its interface, if none was said."""
    ip = ipaddress.ip_address(text)
    if ip.version == 4 or not ip.is_link_local or "%" in text:
        return text
    return next((f"{text}%{one.interface}" for one in _found() if one.ip == text), text)


def every_address() -> list[str]:
    """All addresses of this machine at interfaces that are up, the likeliest first."""
    return list(dict.fromkeys(address.ip for address in sorted(_found(), key=_rank)))


async def networks() -> AsyncIterator[frozenset[str]]:
    """All addresses of this machine at once, and again whenever they have become others; it never ends."""
    before = None
    while True:
        now = frozenset(every_address())
        if now != before:
            yield now
        before = now
        await asyncio.sleep(AGAIN_S)


def choose(found: list[LocalAddress]) -> list[LocalAddress]:
    """Those of `found` worth printing, the likeliest first.

    >>> choose([LocalAddress("docker0", "172.17.0.1"), LocalAddress("lo", "127.0.0.1"), LocalAddress("eth0", "10.0.0.5")])
    [LocalAddress(interface='eth0', ip='10.0.0.5'), LocalAddress(interface='docker0', ip='172.17.0.1')]
    """
    kept: list[LocalAddress] = []
    for address in sorted(dict.fromkeys(found), key=_rank):
        alike = [
            other for other in kept if other.interface == address.interface and _version(other) == _version(address)
        ]
        if not _is_local_only(address.ip) and (not address.interface or len(alike) < _PER_INTERFACE):
            kept.append(address)
    near = [address for address in found if address.interface and ipaddress.ip_address(address.ip).is_link_local]
    return kept or near or [address for address in found if ipaddress.ip_address(address.ip).is_loopback][:2]


def _version(address: LocalAddress) -> int:
    return ipaddress.ip_address(address.ip).version


def _rank(address: LocalAddress) -> tuple[bool, bool, bool]:
    ip = ipaddress.ip_address(address.ip)
    return address.interface.startswith(_VIRTUAL), ip.is_link_local, ip.version == 6


def _is_local_only(text: str) -> bool:
    ip = ipaddress.ip_address(text)
    return ip.is_loopback or ip.is_unspecified or ip.is_multicast or (ip.version == 6 and ip.is_link_local)


def _from_own_name() -> list[LocalAddress]:
    try:
        answers = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        answers = []
    texts = [str(answer[4][0]).partition("%")[0] for answer in answers]
    return [LocalAddress("", text) for text in (*texts, "127.0.0.1")]


def _from_system() -> list[LocalAddress]:
    """`getifaddrs(3)` of Linux, macOS and the BSDs; raises AttributeError where there is none."""
    libc = _libc()
    first = ctypes.c_void_p()
    if libc.getifaddrs(ctypes.byref(first)) != 0:
        raise OSError(ctypes.get_errno(), "getifaddrs")
    found = []
    try:
        place = first.value
        while place is not None:
            entry = _IfAddrs.from_address(place)
            ip = None if entry.address is None else _ip(entry.address)
            if ip is not None and entry.flags & _UP_AND_RUNNING == _UP_AND_RUNNING:
                found.append(LocalAddress(entry.name.decode(errors="replace"), ip))
            place = entry.next
    finally:
        libc.freeifaddrs(first)
    return found


@cache
def _libc() -> ctypes.CDLL:
    """The C library, which takes another process to find; OSError."""
    return ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)


def _ip(place: int) -> str | None:
    head = ctypes.string_at(place, 2)
    family = int.from_bytes(head, sys.byteorder) if sys.platform == "linux" else head[1]
    if family == socket.AF_INET:
        return str(ipaddress.IPv4Address(ctypes.string_at(place + 4, 4)))
    if family == socket.AF_INET6:
        return str(ipaddress.IPv6Address(ctypes.string_at(place + 8, 16)))
    return None
