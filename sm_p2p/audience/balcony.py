"""The door as those who watch use it: who is let in, and the frames that the gallery has for them.

Law: the players never wait for anybody here. A frame that somebody cannot take just now is not kept for him: he is
behind, and asks for it when he can.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hmac import compare_digest
from typing import Final

from sm_p2p.audience.doorstep import doubt
from sm_p2p.audience.gallery import Gallery, Outgoing
from sm_p2p.errors import Code, Fault, LinkDown
from sm_p2p.log.signature import Signer
from sm_p2p.net.door import Arrival, Door, Knock
from sm_p2p.net.link import LinkSlow
from sm_p2p.pace import Bucket
from sm_p2p.session.greeting import Peer
from sm_p2p.session.wire import Hello, Reject, read_frame, write_frame

ROLES: Final = frozenset({"spectator", "relay"})
TICK_S: Final = 1.0
MOST: Final = 64
"""How many may watch at one door, unless its owner says otherwise; what each costs is a place in a queue."""


PACE: Final = (256, 64)
"""Frames of somebody who watches that are read at once, and so many a second: one for each entry, and more."""


class Admission(StrEnum):
    """Who may watch."""

    ANYONE = "anyone"
    INVITED = "invited"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Rules:
    """Who may watch, with which token, and how many at once."""

    admission: Admission = Admission.NONE
    token: bytes = b""
    most: int = MOST


NOBODY: Final = Rules()


class Balcony:
    """Those who watch at one door."""

    def __init__(self, door: Door, signer: Signer, peer: Peer, rules: Rules) -> None:
        self._door = door
        self._signer = signer
        self._gallery = Gallery(signer, peer)
        self._rules = rules
        self._routes: dict[bytes, tuple[bytes, str]] = {}  # the key and the role of whoever is there
        self._ticking: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many watch."""
        return len(self._routes)

    async def begin(self, raws: Iterable[bytes]) -> None:
        """Another match lies on the table."""
        await self._send(self._gallery.begin(raws, _now()))

    async def grow(self, raw: bytes) -> None:
        """One more entry was stored."""
        await self._send(self._gallery.grow(raw, _now()))

    async def leave(self) -> None:
        """Nothing more will come, and everybody is told so once he holds what has come."""
        await self._send(self._gallery.leave())

    async def cut(self, *, is_cut: bool) -> None:
        """Whoever brings us the log cannot be reached just now, or can again."""
        await self._send(self._gallery.cut(is_cut=is_cut))

    async def take(self, knock: Knock) -> bool:
        """Whether this knock was that of somebody who watches, or would like to; then it is answered."""
        if knock.route in self._routes:
            if isinstance(knock, Arrival):
                await self._send(self._gallery.hear(knock.route, knock.frame, _now()))
            else:
                self._forget(knock.route)
            return True
        hello = _hello_of(knock)
        if hello is None or hello.role not in ROLES:
            return False
        code = self._why_not(hello, knock.key)
        if code is not None:
            await self._door.reject(knock.route, write_frame(Reject(code)))
            return True
        try:
            older = self._door.admit(knock.route, hello.role, Bucket(*PACE))
        except LinkDown:
            return True
        if older is not None:
            self._forget(older)
        self._routes[knock.route] = knock.key, hello.role
        self._ticking = self._ticking or asyncio.create_task(self._tick())
        await self._send(self._gallery.greet(knock.route, hello, _now()))
        return True

    async def serve(self) -> None:
        """Answer whoever knocks at a door that is for nobody else, until it is closed."""
        while True:
            try:
                knock = await self._door.receive()
            except LinkDown:
                return
            if not await self.take(knock) and isinstance(knock, Arrival):
                await self._door.reject(knock.route, write_frame(Reject(Code.TABLE_TAKEN)))

    async def close(self) -> None:
        """Goodbye to everybody; the door stays its owner's to close."""
        if self._ticking is not None:
            self._ticking.cancel()
            await asyncio.gather(self._ticking, return_exceptions=True)
        await self._send(self._gallery.close())

    def _why_not(self, hello: Hello, key: bytes) -> Code | None:
        """Why he is refused; None lets him in. Whoever is let in again takes his own place."""
        code = doubt(hello, key, self._signer.identity)
        if code is not None:
            return code
        rules = self._rules
        if rules.admission is Admission.NONE:
            return Code.NO_SPECTATORS
        if rules.admission is Admission.INVITED and not (rules.token and compare_digest(hello.token, rules.token)):
            return Code.BAD_TOKEN
        others = [one for one in self._routes.values() if one != (key, hello.role)]
        return Code.NO_SPECTATORS if len(others) >= rules.most else None

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            await self._send(self._gallery.tick(_now()))

    async def _send(self, outgoing: Iterable[Outgoing]) -> None:
        for route, frame in outgoing:
            try:
                await self._door.send(route, frame)
            except LinkSlow:
                self._gallery.slow(route)
            except LinkDown:
                self._forget(route)

    def _forget(self, route: bytes) -> None:
        self._gallery.forget(route)
        self._routes.pop(route, None)


def _hello_of(knock: Knock) -> Hello | None:
    if not isinstance(knock, Arrival):
        return None
    try:
        frame = read_frame(knock.frame)
    except Fault:
        return None
    return frame if isinstance(frame, Hello) else None


def _now() -> float:
    return asyncio.get_running_loop().time()
