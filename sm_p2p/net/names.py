"""Names become numbers here, before libzmq sees them, and never hold anything up.

libzmq resolves names itself, in its one I/O thread: a name that nobody answers for stalled every other connection for
6 s. The loop's own `getaddrinfo` runs in threads that the end of the program waits for; these it does not wait for.
"""

import asyncio
import socket
import threading

RESOLVE_S = 3.0


class NameUnknown(Exception):  # noqa: N818 - what happened, inside this room only
    """Nobody knows this name, or nobody says so in time."""


async def resolve(host: str) -> list[str]:
    """The numeric addresses of a host, in the order of the system's preference; raises NameUnknown after 3 s at most."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def tell(numbers: list[str]) -> None:
        if not found.done():
            found.set_result(numbers)

    def look() -> None:
        try:
            answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            answers = []
        numbers = list(dict.fromkeys(str(answer[4][0]) for answer in answers))
        try:
            loop.call_soon_threadsafe(tell, numbers)
        except RuntimeError:
            return  # the loop has ended meanwhile

    threading.Thread(target=look, name="resolve", daemon=True).start()
    try:
        numbers = await asyncio.wait_for(found, RESOLVE_S)
    except TimeoutError:
        numbers = []
    if not numbers:
        raise NameUnknown(host)
    return numbers
