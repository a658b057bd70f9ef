"""Where others can reach this machine, as an invite names it, and whether they are shown what there is."""

import argparse
import os
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Final

from sm_p2p.errors import UsageError
from sm_p2p.net.addresses import DEFAULT_PORT, Address, bind_host
from sm_p2p.net.interfaces import local_addresses, on_interface
from sm_p2p.net.invite import MAX_ADDRESSES

LOOPBACK: Final = "127.0.0.1"
LAN_VARIABLE: Final = "SM_P2P_LAN"


def lan_of(arguments: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> tuple[str, ...] | None:
    """The addresses of this machine on whose networks tables are shown and looked for (none: on all); None: nowhere.

    UsageError for what is neither addresses nor the word no.
    """
    said = environ.get(LAN_VARIABLE, "").strip()
    if getattr(arguments, "unlisted", False) or said == "no":
        return None
    try:
        return tuple(str(ip_address(text.strip())) for text in said.split(",") if text.strip())
    except ValueError:
        raise UsageError(
            "{variable}={said} is neither no nor IP addresses of this machine.", variable=LAN_VARIABLE, said=said
        ) from None


def bound(texts: Sequence[str]) -> tuple[str, ...]:
    """The addresses to listen at, a link-local one with the interface of ours that has it; UsageError for what is none."""
    return tuple(on_interface(bind_host(text).strip("[]")) for text in texts)


def reachable(bind: Sequence[str]) -> tuple[str, ...]:
    """The addresses of this machine that an invite can name: those that were chosen, else all; UsageError for others."""
    if not bind:
        return tuple(address.ip for address in local_addresses())[:MAX_ADDRESSES] or (LOOPBACK,)
    found: list[str] = []
    for text in bind:
        ip = ip_address(text)
        if ip.is_unspecified:
            found += (address.ip for address in local_addresses() if ip.version == 6 or ":" not in address.ip)
        else:
            found.append(Address.parse(str(Address(text.partition("%")[0], DEFAULT_PORT))).host)
    return tuple(dict.fromkeys(found))[:MAX_ADDRESSES] or (LOOPBACK,)


def named_address(text: str) -> Address:
    """An address of `--address`, with port 0 where it names none; UsageError."""
    address, word = Address.parse(text), text.strip()
    is_bare = word.endswith("]") or ":" not in word
    return Address(address.host, 0) if is_bare else address


def invited_to(named: Sequence[Address], ours: Sequence[str], port: int) -> tuple[Address, ...]:
    """The addresses of an invite: those that were named, then our own, all with this port where they have none.

    >>> [str(one) for one in invited_to((named_address("203.0.113.5"), named_address("[2001:db8::1]:80")), ("10.0.0.1",), 7)]
    ['203.0.113.5:7', '[2001:db8::1]:80', '10.0.0.1:7']
    """
    found = (*named, *(Address(ip, 0) for ip in ours))
    return tuple(dict.fromkeys(Address(host, own or port) for host, own in found))[:MAX_ADDRESSES]
