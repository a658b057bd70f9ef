"""Tables on the local network: shown by multicast DNS, and found by it, where the package zeroconf is installed.

Law: what is found is a hint, and every part of it foreign text: what cannot be read is passed over, and there is a bound to
what is kept. Without the package, or without a network, nothing is found, and everything else goes on.
Source: `protocol/transport.md`, On the local network; DNS-SD (RFC 6763), multicast DNS (RFC 6762).
"""

import asyncio
import contextlib
import importlib
import importlib.util
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from sm_p2p.errors import Sentence, SpiteError, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_of
from sm_p2p.net.interfaces import every_address, for_neighbours
from sm_p2p.net.invite import MAX_ADDRESSES
from sm_p2p.session.text import NAME_LENGTH, clean

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

SERVICE: Final = "_sm-p2p._tcp.local."
MOST: Final = 64
"""Entries that are kept at once; a network with more tables than that shows some of them."""
ASKED_MS: Final = 3000
CLOSE_S: Final = 1.0
MISSING: Final = Sentence(
    "Tables on this network can be found with the package zeroconf: install it with pip install 'sm-p2p[lan]'."
)
NO_NETWORK: Final = Sentence("Tables on this network cannot be found now: no network takes multicast.")


class LanTrouble(SpiteError):  # noqa: N818 - a state, not a mistake
    """Why nothing can be shown or found on the local network."""


class Announced(NamedTuple):
    """What an entry says: the name of the host, his identity, and where his table is; nothing of it is certain."""

    name: str
    identity: bytes
    addresses: tuple[Address, ...]


def is_possible() -> bool:
    """Whether the package is there."""
    return importlib.util.find_spec("zeroconf") is not None


def texts(name: str, identity: bytes) -> dict[str, str]:
    """What the text record of an entry says."""
    return {"key": identity.hex(), "name": name}


def announced(properties: Mapping[bytes, bytes | None], hosts: Sequence[str], port: int) -> Announced:
    """What an entry with this text record, these numeric addresses and this port says; Fault, UsageError if it is none."""
    key, name = properties.get(b"key") or b"", properties.get(b"name") or b""
    try:
        identity = bytes.fromhex(key.decode("ascii"))
    except ValueError:
        raise UsageError("This entry has no key.") from None
    curve_of(identity)
    addresses = []
    for host in hosts[: 2 * MAX_ADDRESSES]:
        with contextlib.suppress(UsageError):
            addresses.append(Address.nearby(f"[{host}]:{port}" if ":" in host else f"{host}:{port}"))
    if not addresses:
        raise UsageError("This entry has no address.")
    return Announced(clean(name.decode("utf-8", "replace"), NAME_LENGTH), identity, tuple(addresses[:MAX_ADDRESSES]))


@contextlib.asynccontextmanager
async def announce(name: str, identity: bytes, port: int, bind: Sequence[str] = ()) -> AsyncIterator[None]:
    """For the length of the block, this table is shown on the networks of these addresses (none: on all).

    Raises LanTrouble when it cannot be shown.
    """
    chosen = _chosen(bind)
    hosts = chosen or for_neighbours()
    async with _zeroconf(bind) as zeroconf:
        info = _info(name, identity, port, hosts)
        with _troubles():
            await (await zeroconf.async_register_service(info, allow_name_change=True))
        yield


@contextlib.asynccontextmanager
async def browse(
    found: Callable[[str, Announced], None], gone: Callable[[str], None], bind: Sequence[str] = ()
) -> AsyncIterator[None]:
    """For the length of the block, tell what is found on these networks and what has gone, each by the name of its entry.

    Raises LanTrouble when nothing can be found.
    """
    async with _zeroconf(bind) as zeroconf:
        from zeroconf import ServiceStateChange as Change
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

        tasks: dict[str, asyncio.Task[None]] = {}

        async def ask(entry: str) -> None:
            info = AsyncServiceInfo(SERVICE, entry)
            with contextlib.suppress(Exception):  # of the package, over what a stranger has sent it
                if await info.async_request(zeroconf.zeroconf, ASKED_MS):
                    said = announced(info.properties, [*map(_named, info.parsed_scoped_addresses())], info.port or 0)
                    found(entry, said)

        def changed(zeroconf: "Zeroconf", service_type: str, name: str, state_change: "ServiceStateChange") -> None:  # noqa: ARG001
            task = tasks.pop(name, None)
            if task is not None:
                task.cancel()
            if state_change is Change.Removed:
                gone(name)
            elif len(tasks) < MOST:
                tasks[name] = asyncio.create_task(ask(name))

        with _troubles():
            browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed])
        try:
            yield
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
            await browser.async_cancel()


@contextlib.asynccontextmanager
async def _zeroconf(bind: Sequence[str]) -> AsyncIterator["AsyncZeroconf"]:
    """The package at work on these networks; LanTrouble."""
    if not is_possible():
        raise LanTrouble(MISSING)
    await asyncio.to_thread(importlib.import_module, "zeroconf.asyncio")  # which takes a while
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    chosen = _chosen(bind)
    if not set(chosen) <= set(every_address()):  # the package would leave a socket open
        raise LanTrouble(NO_NETWORK)
    with _troubles():
        version = IPVersion.All if any(":" in host for host in chosen or ":") else IPVersion.V4Only
        made = AsyncZeroconf(interfaces=chosen or InterfaceChoice.All, ip_version=version)
    try:
        yield made
    finally:
        with contextlib.suppress(Exception):  # whatever it is, it is over
            async with asyncio.timeout(CLOSE_S):
                await made.async_close()


@contextlib.contextmanager
def _troubles() -> Iterator[None]:
    """Within it, what the package or the system refuses becomes a LanTrouble."""
    from zeroconf import Error

    try:
        yield
    except (Error, OSError, RuntimeError) as refusal:
        raise LanTrouble(NO_NETWORK) from refusal


def _named(host: str) -> str:
    """An address with the name of its interface, which the package tells by number."""
    ip, percent, zone = host.partition("%")
    return f"{ip}%{socket.if_indextoname(int(zone))}" if percent and zone.isdecimal() else host


def _chosen(bind: Sequence[str]) -> list[str]:
    """These addresses, without those that stand for all."""
    return [host for host in bind if not ipaddress.ip_address(host).is_unspecified]


def _info(name: str, identity: bytes, port: int, hosts: Sequence[str]) -> "AsyncServiceInfo":
    from zeroconf.asyncio import AsyncServiceInfo

    entry = f"{identity[:6].hex()}-{port}"
    raws = [ipaddress.ip_address(host).packed for host in hosts]
    return AsyncServiceInfo(
        SERVICE,
        f"{entry}.{SERVICE}",
        port=port,
        addresses=raws,
        properties=texts(name, identity),
        server=f"sm-p2p-{entry}.local.",
    )
