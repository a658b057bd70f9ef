"""Names become numbers here, before libzmq sees them, and never hold anything up.

libzmq resolves names itself, in its one I/O thread: a name that nobody answers for stalled every other connection for
6 s. The loop's own `getaddrinfo` runs in threads that the end of the program waits for; these it does not wait for.
"""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Callable

from sm_p2p.net.interfaces import to_neighbours

RESOLVE_S = 3.0


class NameUnknown(Exception):  # noqa: N818 - what happened, inside this room only
    """Nobody knows this name, or nobody says so in time."""


def look_up(host: str) -> list[str]:
    """The numeric addresses that the system knows for a host, in its order of preference; raises OSError, takes its time.

    A link-local one without an interface may be behind any of ours, and one with an interface is none while that is away.
    """
    if "%" in host:  # which an answer would leave out
        socket.if_nametoindex(host.partition("%")[2])
        return [host]
    if ":" in host and ipaddress.ip_address(host).is_link_local:
        return [f"{host}%{zone}" for zone in to_neighbours()] or [host]
    answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


async def resolve(host: str, look_up: Callable[[str], list[str]] = look_up) -> list[str]:
    """What `look_up` finds; raises NameUnknown when that is nothing, or `RESOLVE_S` after the question at the latest."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def tell(numbers: list[str]) -> None:
        if not found.done():
            found.set_result(numbers)

    def look() -> None:
        try:
            numbers = look_up(host)
        except (OSError, UnicodeError):
            numbers = []
        try:
            loop.call_soon_threadsafe(tell, numbers)
        except RuntimeError:
            return  # the loop has ended meanwhile

    threading.Thread(target=look, name="resolve", daemon=True).start()
    try:
        async with asyncio.timeout(RESOLVE_S):
            numbers = await found
    except TimeoutError:
        numbers = []
    if not numbers:
        raise NameUnknown(host)
    return numbers
