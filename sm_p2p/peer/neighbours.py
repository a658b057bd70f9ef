"""The tables on the local network: what was found, and what each of them answers when it is knocked at.

Law: nothing is shown that has not proved its key just now. Whoever knocks only to see shows no key of his own and no
token that could be one, so that nobody is let in by it and nobody is asked.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from sm_p2p.errors import Code, Fault, LinkDown
from sm_p2p.net.dial import dial
from sm_p2p.net.discovery import Announced, browse
from sm_p2p.net.invite import TOKEN_BYTES, Whereabouts
from sm_p2p.net.link import LinkState
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.wire import Reject, read_frame, write_frame
from sm_p2p.store.keys import SECRET_BYTES, Identity

PROBE_S: Final = 4.0
AGAIN_S: Final = 10.0
AT_ONCE: Final = 4
FAILURES: Final = 2
"""After so many of them in a row an entry is as good as gone; a host that was killed stays listed for an hour."""


class Standing(StrEnum):
    """What a table answers."""

    OPEN = "open"
    TAKEN = "taken"
    OTHER_VERSION = "other-version"


class Seen(NamedTuple):
    """A table that answers: how its host calls himself, where it is and whose, and how it stands."""

    name: str
    there: Whereabouts
    standing: Standing


@dataclass(slots=True)
class _Entry:
    said: Announced
    task: asyncio.Task[None]
    standing: Standing | None = None


async def probe(there: Whereabouts) -> Standing | None:
    """How a table stands at which the owner of this key answers; None if he does not in time."""
    nobody = Identity(os.urandom(SECRET_BYTES))
    link = dial(nobody.seed, there.addresses, there.key)
    greeting = write_frame(hello(nobody, Peer("", "guest", bytes(TOKEN_BYTES)), b"", 0, b""))
    try:
        async with asyncio.timeout(PROBE_S):
            while True:
                word = await link.receive()
                if word is LinkState.UP:
                    with contextlib.suppress(LinkDown):
                        await link.send(greeting)
                elif isinstance(word, bytes) and (standing := _standing(word)) is not None:
                    return standing
    except (TimeoutError, LinkDown):
        return None
    finally:
        await link.close()


class Neighbours:
    """The tables that answer, in the order of their names; `changed` is told every other list."""

    def __init__(
        self,
        own: bytes,
        changed: Callable[[tuple[Seen, ...]], None],
        look: Callable[[Whereabouts], Awaitable[Standing | None]] = probe,
    ) -> None:
        self._own = own
        self._changed = changed
        self._look = look
        self._entries: dict[str, _Entry] = {}
        self._turn = asyncio.Semaphore(AT_ONCE)

    @property
    def tables(self) -> tuple[Seen, ...]:
        """Each of them once, however often it was found."""
        seen = {
            (one.said.identity, one.said.addresses[0].port): Seen(
                one.said.name, Whereabouts(one.said.addresses, one.said.identity), one.standing
            )
            for one in self._entries.values()
            if one.standing is not None
        }
        return tuple(sorted(seen.values(), key=lambda one: (one.name.casefold(), one.there.key)))

    def found(self, name: str, said: Announced) -> None:
        """An entry of this name says this."""
        self.gone(name)
        if said.identity != self._own:
            self._entries[name] = _Entry(said, asyncio.create_task(self._watch(name)))

    def gone(self, name: str) -> None:
        """There is no such entry any more."""
        entry = self._entries.pop(name, None)
        if entry is not None:
            entry.task.cancel()
            if entry.standing is not None:
                self._changed(self.tables)

    def close(self) -> None:
        """Nothing is looked at any more."""
        for entry in self._entries.values():
            entry.task.cancel()

    async def _watch(self, name: str) -> None:
        """Look again and again whether it answers, until it has not for too often."""
        entry, failures = self._entries[name], 0
        while failures < FAILURES:
            async with self._turn:
                standing = await self._look(Whereabouts(entry.said.addresses, entry.said.identity))
            failures = 0 if standing is not None else failures + 1
            if standing is not None and standing is not entry.standing:
                entry.standing = standing
                self._changed(self.tables)
            if standing is not None:
                await asyncio.sleep(AGAIN_S)
        was_shown, entry.standing = entry.standing is not None, None
        if was_shown:
            self._changed(self.tables)


@contextlib.asynccontextmanager
async def neighbours(
    own: bytes, changed: Callable[[tuple[Seen, ...]], None], bind: Sequence[str] = ()
) -> AsyncIterator[Neighbours]:
    """For the length of the block, the tables on these networks (none: on all), without our own; LanTrouble."""
    here = Neighbours(own, changed)
    try:
        async with browse(here.found, here.gone, bind):
            yield here
    finally:
        here.close()


def _standing(word: bytes) -> Standing | None:
    """What this answer says about the table; None if it is none."""
    try:
        said = read_frame(word)
    except Fault:
        return None
    if not isinstance(said, Reject):
        return None
    match said.code:
        case Code.BAD_TOKEN:
            return Standing.OPEN
        case Code.OTHER_VERSION:
            return Standing.OTHER_VERSION
        case _:
            return Standing.TAKEN
