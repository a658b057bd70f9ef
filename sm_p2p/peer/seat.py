"""The host's guest as a link: one seat before the door, given to one identity, kept for it while it is away.

Whoever only watches goes on to the balcony.

Law: who sits down is decided by the key that the connection proved, never by what a frame says; everybody else hears
a readable refusal.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest

from sm_p2p.audience.balcony import Balcony
from sm_p2p.audience.doorstep import doubt
from sm_p2p.errors import Code, Fault, LinkDown
from sm_p2p.net.curve import curve_of
from sm_p2p.net.door import Arrival, Door, Knock
from sm_p2p.net.link import LinkState
from sm_p2p.peer.anteroom import Anteroom, Waiting
from sm_p2p.session.talk import Agree, Asked, Refuse, Wish
from sm_p2p.session.wire import Hello, Reject, read_frame, write_frame


@dataclass(slots=True)
class Gate:
    """Who may sit down: whoever brings the token, and the opponents of matches that wait to be gone on with.

    `waiting` are those matches, each with its opponent, `lost` those whose log a guest may bring, `over` those whose end
    an opponent may come for, `offered` those that a guest may have joined without our knowing; `seated` is who has the
    seat, `played` the match on the table, `kept` whom the table is kept for, if it is for one player only. `wary` says
    what a person is to be asked about somebody who is no opponent of such a match, invited or not; without it nobody is
    asked, and only the invited sit down. Who was asked about is `welcome` or `refused` from then on.
    """

    identity: bytes
    token: bytes
    waiting: Mapping[bytes, bytes]
    seated: bytes = b""
    played: bytes = b""
    kept: bytes = b""
    lost: Container[bytes] = ()
    over: Mapping[bytes, bytes] = field(default_factory=dict)
    offered: Container[bytes] = ()
    wary: Callable[[Hello, bool], Asked | None] | None = None
    welcome: Container[bytes] = ()
    refused: Container[bytes] = ()

    def judge(self, hello: Hello, key: bytes) -> Code | Asked | None:
        """Why this greeting, sent over a connection that proved `key`, is refused, or what is asked; None lets it in."""
        code = doubt(hello, key, self.identity)
        if code is not None:
            return code
        if hello.role != "guest":
            return Code.NO_SPECTATORS
        if hello.identity != (self.seated or self.kept or hello.identity):
            return Code.TABLE_TAKEN
        is_known = (
            hello.identity in {self.seated, self.over.get(hello.match)} or hello.identity in self.waiting.values()
        )
        is_invited = compare_digest(hello.token, self.token)
        is_known = is_known or hello.identity in self.welcome
        if not is_known and not is_invited and (hello.token or self.wary is None):
            return Code.BAD_TOKEN
        if hello.identity in self.refused:
            return Code.DECLINED
        question = None if is_known or self.wary is None else self.wary(hello, is_invited)
        if question is not None:
            return question
        return None if self._is_here(hello) else Code.NO_SUCH_MATCH

    def _is_here(self, hello: Hello) -> bool:
        """Whether the match that the guest names, if he names one, can be gone on with here."""
        if self.played:
            return hello.match in {b"", self.played}
        ours = {self.waiting.get(hello.match), self.over.get(hello.match)}
        may_be = hello.match in self.lost or hello.match in self.offered
        return not hello.match or may_be or hello.identity in ours


class SeatLink:
    """The link to whoever sits at the table; it waits for him, and for his return."""

    def __init__(
        self, door: Door, gate: Gate, balcony: Balcony | None = None, anteroom: Anteroom | None = None
    ) -> None:
        self._door = door
        self._gate = gate
        self._balcony = balcony
        self._anteroom = Anteroom(lambda _news: None) if anteroom is None else anteroom
        self._gate.welcome, self._gate.refused = self._anteroom.let_in, self._anteroom.refused
        self._knock: asyncio.Task[Knock] | None = None
        self._route = b""
        self._pending: deque[bytes | LinkState] = deque()

    @property
    def state(self) -> LinkState:
        """UP while the guest is connected."""
        if self._route:
            return LinkState.UP
        return LinkState.RECONNECTING if self._gate.seated else LinkState.CONNECTING

    async def greeted(self) -> Hello:
        """Wait until somebody sits down; his greeting, which `receive` will give once more behind an UP."""
        deciding = asyncio.ensure_future(self._anteroom.decided())
        try:
            while True:
                await asyncio.wait({self._knocking(), deciding}, return_when=asyncio.FIRST_COMPLETED)
                if deciding.done():
                    hello = await self._decided(*deciding.result())
                    if hello is None:
                        self._anteroom.go_on()
                    deciding = asyncio.ensure_future(self._anteroom.decided())
                else:
                    hello = await self._hear()
                if hello is not None:
                    for one in self._anteroom.clear():
                        await self._door.reject(one.route, write_frame(Reject(Code.TABLE_TAKEN)))
                    return hello
        finally:
            deciding.cancel()

    def answer(self, wish: Wish) -> None:
        """What the player says to the question about somebody who waits."""
        if isinstance(wish, Agree | Refuse):
            self._anteroom.decide(wish)

    async def send(self, frame: bytes) -> None:
        """Hand a frame to the guest; LinkDown when he is not there."""
        if not self._route:
            raise LinkDown("nobody is connected just now")
        await self._door.send(self._route, frame)

    async def receive(self) -> bytes | LinkState:
        """The guest's next frame, or the state that the link has just come to; LinkDown once the door is closed."""
        while not self._pending:
            await self._hear()
        return self._pending.popleft()

    def keep_for(self, identity: bytes) -> None:
        """Nobody else sits down at this table."""
        self._gate.kept = identity

    def play(self, match: bytes) -> None:
        """This match is on the table; a guest who names another one hears that it is not here."""
        self._gate.played = match

    async def send_away(self, token: bytes) -> None:
        """Whoever has the seat loses it, and neither he nor who has the token of before gets it again."""
        self._anteroom.refused.add(self._gate.seated)
        self._gate.token, self._gate.kept = token, b""
        await self.free(Reject(Code.DECLINED))

    async def free(self, why: Reject | None = None) -> None:
        """Let the seat be taken by somebody else, or by the same one anew; `why` is what he reads who had it."""
        if self._route and why is not None:
            await self._door.reject(self._route, write_frame(why))
        elif self._route:
            self._door.drop(self._route)
        self._gate.seated = self._gate.played = self._route = b""
        self._pending.clear()

    async def close(self) -> None:
        """Close the door with it."""
        try:
            if self._knock is not None:
                self._knock.cancel()
                await asyncio.gather(self._knock, return_exceptions=True)
                self._knock = None
        finally:  # also when whoever waits for this is called off
            await self._door.close()

    def _knocking(self) -> asyncio.Task[Knock]:
        """What waits for the next knock; none is lost when nobody waits for it any more."""
        self._knock = self._knock or asyncio.create_task(self._door.receive())
        return self._knock

    async def _hear(self) -> Hello | None:
        """Take one knock; what belongs to the guest goes into the queue, anybody else is answered at the door."""
        knocking = self._knocking()
        await asyncio.wait({knocking})
        self._knock = None
        knock = knocking.result()
        if knock.route == self._route:
            if isinstance(knock, Arrival):
                self._pending.append(knock.frame)
            else:
                self._route = b""
                self._pending.append(LinkState.RECONNECTING)
            return None
        if self._balcony is not None and await self._balcony.take(knock):
            return None
        if not isinstance(knock, Arrival):
            self._anteroom.gone(knock.route)
            return None
        try:
            hello = read_frame(knock.frame)
        except Fault:
            hello = None
        if not isinstance(hello, Hello):
            self._door.drop(knock.route)
            return None
        code = self._gate.judge(hello, knock.key)
        if isinstance(code, Asked):
            if self._anteroom.takes(Waiting(knock.route, hello, code)):
                return None
            code = Code.BAD_TOKEN
        if code is not None:
            await self._door.reject(knock.route, write_frame(Reject(code)))
            return None
        return self._seat(knock.route, hello)

    async def _decided(self, one: Waiting, answer: Agree | Refuse) -> Hello | None:
        """Do what the player has decided about one who waits."""
        code = self._gate.judge(one.hello, curve_of(one.hello.identity)) if isinstance(answer, Agree) else Code.DECLINED
        if code is None:
            return self._seat(one.route, one.hello)
        await self._door.reject(one.route, write_frame(Reject(code if isinstance(code, Code) else Code.DECLINED)))
        return None

    def _seat(self, route: bytes, hello: Hello) -> Hello | None:
        """Let him sit down; None if he has gone."""
        try:
            self._door.admit(route, hello.role)
        except LinkDown:
            return None
        self._route, self._gate.seated = route, hello.identity
        self._pending += (LinkState.UP, write_frame(hello))
        return hello
