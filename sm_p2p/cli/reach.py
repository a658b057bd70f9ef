"""Where others can reach this machine, as an invite names it."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from sm_p2p.net.addresses import DEFAULT_PORT, Address
from sm_p2p.net.interfaces import local_addresses
from sm_p2p.net.invite import MAX_ADDRESSES

LOOPBACK: Final = "127.0.0.1"


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
            found.append(Address.parse(str(Address(text, DEFAULT_PORT))).host)
    return tuple(dict.fromkeys(found))[:MAX_ADDRESSES] or (LOOPBACK,)
