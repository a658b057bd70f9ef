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
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from sm_p2p.errors import Sentence, SpiteError, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.beside import beside
from sm_p2p.net.curve import curve_of
from sm_p2p.net.interfaces import AGAIN_S, every_address, for_neighbours, networks
from sm_p2p.net.invite import MAX_ADDRESSES
from sm_p2p.session.text import NAME_LENGTH, clean

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

SERVICE: Final = "_sm-p2p._tcp.local."
MOST: Final = 64
"""Entries that are kept at once; a network with more tables than that shows some of them."""
NEWS: Final = 10_000
"""After so many it is forgotten what there was, since the package keeps a little of each entry that ever was."""
ASKED_MS: Final = 3000
CLOSE_S: Final = 1.0
_NOT_ALL: Final = ((socket.IPPROTO_IP, 49), (socket.IPPROTO_IPV6, 29))
"""IP_MULTICAST_ALL and IPV6_MULTICAST_ALL of Linux, which Python has no names for."""
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

    It is so on whatever networks there are meanwhile, from the moment that there is one. Raises LanTrouble without the package.
    """
    if not is_possible():
        raise LanTrouble(MISSING)
    async with beside(partial(_show, name, identity, port, bind)):
        yield


async def _show(name: str, identity: bytes, port: int, bind: Sequence[str], is_ready: Callable[[], None]) -> None:
    """Show this table, anew whenever this machine has got other addresses."""
    is_ready()
    entry, at_work = "", list["AsyncZeroconf"]()
    async with contextlib.AsyncExitStack() as stack:
        async for _ in networks():
            is_told = False
            while not is_told:
                try:
                    if not at_work:
                        at_work.append(await stack.enter_async_context(_zeroconf(bind)))
                    info = _info(entry, name, identity, port, _chosen(bind) or for_neighbours())
                    await _tell(at_work[0], info, is_new=not entry)
                except LanTrouble:
                    await asyncio.sleep(AGAIN_S)
                else:
                    entry, is_told = info.name, True


async def _tell(zeroconf: "AsyncZeroconf", info: "AsyncServiceInfo", *, is_new: bool) -> None:
    """Say this on all networks that there are now; LanTrouble."""
    with _troubles():
        if is_new:
            await (await zeroconf.async_register_service(info, allow_name_change=True))
        else:
            telling = await zeroconf.async_update_service(info)
            await zeroconf.async_update_interfaces()  # what is said on a new network at once is what is so now
            await telling


@contextlib.asynccontextmanager
async def browse(
    found: Callable[[str, Announced], None], gone: Callable[[str], None], bind: Sequence[str] = ()
) -> AsyncIterator[None]:
    """For the length of the block, tell what is found on these networks and what has gone, each by the name of its entry.

    When this machine has got other addresses, it is asked anew. Raises LanTrouble when nothing can be found.
    """
    here, is_over = asyncio.get_running_loop(), False

    def tell(news: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # nobody is there any more
            here.call_soon_threadsafe(lambda: None if is_over else news())

    def told_found(entry: str, said: Announced) -> None:
        tell(lambda: found(entry, said))

    def told_gone(entry: str) -> None:
        tell(lambda: gone(entry))

    async with beside(partial(_look, told_found, told_gone, bind)):
        try:
            yield
        finally:
            is_over = True


async def _look(
    found: Callable[[str, Announced], None],
    gone: Callable[[str], None],
    bind: Sequence[str],
    is_ready: Callable[[], None],
) -> None:
    """Look for tables, anew whenever this machine has got other addresses."""
    async with _zeroconf(bind) as zeroconf:
        from zeroconf import ServiceStateChange as Change
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

        tasks: dict[str, asyncio.Task[None]] = {}
        heard = 0

        async def ask(entry: str) -> None:
            info = AsyncServiceInfo(SERVICE, entry)
            with contextlib.suppress(Exception):  # of the package, over what a stranger has sent it
                if await info.async_request(zeroconf.zeroconf, ASKED_MS):
                    said = announced(info.properties, [*map(_named, info.parsed_scoped_addresses())], info.port or 0)
                    found(entry, said)

        def changed(zeroconf: "Zeroconf", service_type: str, name: str, state_change: "ServiceStateChange") -> None:  # noqa: ARG001
            nonlocal heard
            heard += 1
            if heard > NEWS:  # it ends here, and begins with nothing
                raise RuntimeError("more news than a network has")
            task = tasks.pop(name, None)
            if task is not None:
                task.cancel()
            if state_change is Change.Removed:
                gone(name)
            elif len(tasks) < MOST:
                tasks[name] = asyncio.create_task(ask(name))

        def look() -> AsyncServiceBrowser:
            with _troubles():
                return AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed])

        changes = networks()
        await anext(changes)
        browser = look()
        is_ready()
        try:
            async for _ in changes:
                with contextlib.suppress(LanTrouble):
                    await browser.async_cancel()
                    with _troubles():
                        await zeroconf.async_update_interfaces()
                    browser = look()
        finally:
            for entry, task in tasks.items():
                task.cancel()
                gone(entry)
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
    starting = asyncio.create_task(_start(made, is_confined=bool(chosen)))
    try:
        await asyncio.shield(starting)
        yield made
    finally:
        with contextlib.suppress(Exception):  # whatever it is, it is over
            async with asyncio.timeout(CLOSE_S):
                await starting  # whoever called it off in its midst would leave half of it open
                await made.async_close()
        with contextlib.suppress(Exception):  # and so is whatever it has left open, in its haste
            for one in (*made.zeroconf.engine.senders, *made.zeroconf.engine.readers):
                one.transport.abort()
            await asyncio.sleep(0)


async def _start(made: "AsyncZeroconf", *, is_confined: bool) -> None:
    """Back when it has begun; if it `is_confined`, it hears nothing but the networks that were chosen.

    Linux hands it what came in anywhere if any other program of this machine listens there, and it would answer.
    """
    with contextlib.suppress(Exception):  # of another version of the package, or another system, which need not do that
        await made.zeroconf.async_wait_for_start()
        for reader in made.zeroconf.engine.readers if is_confined else ():
            for level, option in _NOT_ALL if sys.platform == "linux" else ():
                with contextlib.suppress(OSError):  # which one it is depends on its kind
                    reader.sock.setsockopt(level, option, 0)


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
    """These addresses, without those that stand for all, and without their interfaces."""
    return [host.partition("%")[0] for host in bind if not ipaddress.ip_address(host).is_unspecified]


def _info(entry: str, name: str, identity: bytes, port: int, hosts: Sequence[str]) -> "AsyncServiceInfo":
    """What is told, under the name that the entry has already, if it has one."""
    from zeroconf.asyncio import AsyncServiceInfo

    own = f"{identity[:6].hex()}-{port}"
    raws = [
        ipaddress.ip_address(host).packed for host in reversed(hosts[:MAX_ADDRESSES])
    ]  # it reads the last one first
    return AsyncServiceInfo(
        SERVICE,
        entry or f"{own}.{SERVICE}",
        port=port,
        addresses=raws,
        properties=texts(name, identity),
        server=f"sm-p2p-{own}.local.",
    )
