"""Addresses as people write them, and those of this machine.

Law: what libzmq is handed was checked here first; it takes `tcp://:7777` without a word.
"""

import contextlib
import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple

from sm_p2p.errors import UsageError

DEFAULT_PORT = 7227
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_ZONED = re.compile(r"\[(?P<ip>[0-9A-Fa-f:]+)%(?P<zone>[\w.-]{1,32})\](?P<rest>(?::[0-9]*)?)", re.ASCII)
_PORT = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)


class Address(NamedTuple):
    """A host (an IP address or a name, lower case, IPv6 without brackets) and a TCP port.

    >>> Address.parse("[2001:DB8::1]:7227")
    Address(host='2001:db8::1', port=7227)
    >>> str(Address.parse("anas-laptop.local"))
    'anas-laptop.local:7227'
    """

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Reads `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`; raises UsageError with what to write instead."""
        word = text.strip().lower()
        if word.startswith("["):
            inner, bracket, rest = word[1:].partition("]")
            if not bracket or (rest and not rest.startswith(":")):
                raise UsageError(
                    "{text} is not an address: an IPv6 address is written [2001:db8::1]:{port}.",
                    text=repr(text),
                    port=DEFAULT_PORT,
                )
            return cls(_ipv6(inner), _port(rest[1:]) if rest else DEFAULT_PORT)
        if word.count(":") > 1:
            raise UsageError(
                "{text} is not an address: put the IPv6 address into brackets, [ADDRESS]:PORT.", text=repr(text)
            )
        host, colon, port = word.partition(":")
        return cls(_name_or_ipv4(host, text), _port(port) if colon else DEFAULT_PORT)

    @classmethod
    def nearby(cls, text: str) -> "Address":
        """As `parse`, and a link-local IPv6 address names the interface of this machine that leads there, as [fe80::1%eth0]:7227."""
        found = _ZONED.fullmatch(text.strip())
        if found is None:
            return cls.parse(text)
        without, zone = cls.parse(f"[{found['ip']}]{found['rest']}"), found["zone"]
        if not ipaddress.ip_address(without.host).is_link_local:
            raise UsageError("{text} needs no interface behind a %; leave it out.", text=repr(text))
        return cls(f"{without.host}%{zone}", without.port)

    def __str__(self) -> str:
        """`HOST:PORT`, with brackets around an IPv6 address; `parse` reads it back."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def remembered(texts: Iterable[str]) -> tuple[Address, ...]:
    """The addresses among these texts, which this machine wrote down at some time, each once.

    An interface that is not there now may be there again, and a name known again.
    """
    found = []
    for text in texts:
        with contextlib.suppress(UsageError):
            found.append(Address.nearby(text))
    return tuple(dict.fromkeys(found))


def endpoint(ip: str, port: int) -> str:
    """The ZeroMQ endpoint of a numeric address."""
    return f"tcp://{Address(ip, port)}"


def bind_host(text: str) -> str:
    """An IP address to listen on, as an endpoint writes it; raises UsageError with what to write instead."""
    try:
        ip = ipaddress.ip_address(text.strip().removeprefix("[").removesuffix("]"))
    except ValueError:
        raise UsageError("{text} is not an IP address; --bind takes one of this machine's.", text=repr(text)) from None
    return f"[{ip}]" if ip.version == 6 else str(ip)


def _port(text: str) -> int:
    if not _PORT.fullmatch(text) or int(text) > 65_535:
        raise UsageError("{text} is not a port: write a number from 1 to 65535.", text=repr(text))
    return int(text)


def _ipv6(text: str) -> str:
    if "%" in text:
        raise UsageError(
            "{text} names an interface of one machine; another machine cannot use it. Leave out the %.",
            text=repr(text),
        )
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        raise UsageError("{text} is not an IPv6 address.", text=repr(text)) from None
    if address.ipv4_mapped is not None:
        raise UsageError(
            "{text} is an IPv4 address in disguise; write {address}.",
            text=repr(text),
            address=address.ipv4_mapped,
        )
    return _one_machine(address)


def _one_machine(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    if address.is_unspecified or address.is_multicast or address == ipaddress.IPv4Address("255.255.255.255"):
        raise UsageError("{address} is not the address of one machine.", address=address)
    return str(address)


def _name_or_ipv4(host: str, text: str) -> str:
    labels = host.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        try:
            address = ipaddress.IPv4Address(host)
        except ValueError:
            raise UsageError(
                "{text} is not an address: an IPv4 address has four numbers from 0 to 255.", text=repr(text)
            ) from None
        return _one_machine(address)
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise UsageError(
            "{text} is not an address: write HOST:PORT, for example 192.168.1.20:{port}.",
            text=repr(text),
            port=DEFAULT_PORT,
        )
    return ".".join(labels)
