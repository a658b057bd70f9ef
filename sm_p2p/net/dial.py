"""The guest's side (and every spectator's): one link that is looked after until it is closed.

A supervisor races the addresses, carries frames while the winning line stands, and races again with new sockets when it
falls: libzmq itself never comes back after a damaged byte or a refusal (libzmq#4196), so its own reconnecting is off.

Law: a host who says more than a host has to say is read no faster than his pace, and not dialled again before there is
room for more. Every `LinkState.UP` is a new connection at the host, which has to be greeted anew; before it was received
nothing goes over it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

import zmq
import zmq.asyncio

from sm_p2p.errors import LinkDown, UsageError, sure
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_keys, curve_of
from sm_p2p.net.intake import Intake
from sm_p2p.net.link import A_SECOND, AT_ONCE, FRAME_LIMIT, LinkSlow, LinkState, checked, weight
from sm_p2p.net.race import AGAIN_MAX_S, AGAIN_S, Line, Racer, Trouble
from sm_p2p.net.zeromq import LINGER_MS, require_curve
from sm_p2p.pace import Bucket

INBOX = 256
"""Frames that wait here until the caller takes them; then the socket's own queue fills."""
SETTLED_S = 5.0
"""A line that stood this long is raced for again without a pause."""


class DialledLink:
    """What `dial` gives: a `Link` that comes back by itself."""

    def __init__(self, racer: Racer, addresses: Sequence[Address]) -> None:
        self._racer = racer
        self._addresses = list(addresses)
        self._state = LinkState.CONNECTING
        self._line: Line | None = None
        self._intake: Intake | None = None
        self._inbox: asyncio.Queue[bytes | LinkState | None] = asyncio.Queue()
        self._waiting = 0  # frames in the inbox
        self._owing = False  # whether frames came faster than their pace
        self._looked = asyncio.Event()
        self._pace = Bucket(AT_ONCE, A_SECOND)
        self._heard = False
        self._untold = 0  # states that the caller has not been told yet
        self._closed = False
        self._supervisor = asyncio.create_task(self._supervise())
        self._supervisor.add_done_callback(lambda _: self._inbox.put_nowait(None))

    @property
    def state(self) -> LinkState:
        """How the link is just now."""
        return self._state

    @property
    def address(self) -> Address | None:
        """Where the host was reached, while the link is up."""
        return None if self._line is None else self._line.address

    @property
    def troubles(self) -> Mapping[Address, Trouble]:
        """Why the addresses have not worked so far, for words on the screen."""
        return self._racer.troubles

    async def send(self, frame: bytes) -> None:
        """Hands one frame over, never waiting; raises LinkDown when the link is not up, LinkSlow when it is full.

        It is not up for somebody who has not received that it is: what he says is about the connection before.
        """
        checked(frame)
        if self._line is None or self._intake is None or self._untold:
            raise LinkDown("there is no connection just now")
        try:
            self._line.socket.send(frame, flags=zmq.NOBLOCK)
        except zmq.Again:
            raise LinkSlow("the connection takes no more frames just now") from None
        finally:
            self._intake.soon()

    async def receive(self) -> bytes | LinkState:
        """The next frame, or the state that the link has just come to; raises LinkDown once it is closed."""
        if self._closed:
            raise LinkDown("this link is closed")
        item = await self._inbox.get()
        if item is None:
            self._inbox.put_nowait(None)
            if not self._closed:
                self._supervisor.result()  # raises what ended it, which is a mistake of ours
            raise LinkDown("this link is closed")
        if isinstance(item, bytes):
            was_full = self._waiting >= INBOX
            self._waiting -= 1
            if was_full:
                self._look()
        else:
            self._untold -= 1
        return item

    async def close(self) -> None:
        """Closes everything within a second; what was sent last is still delivered when it can be."""
        if self._closed:
            return
        self._closed = True
        self._supervisor.cancel()
        try:
            await asyncio.gather(self._supervisor, return_exceptions=True)
        finally:  # also when whoever waits for this is called off
            self._line = None
            await self._racer.close(LINGER_MS)

    async def _supervise(self) -> None:
        loop = asyncio.get_running_loop()
        pause = 0.0
        while True:
            line = await self._racer.run(self._addresses)
            self._addresses.sort(key=lambda address: address != line.address)
            began, self._heard = loop.time(), False
            self._line = line
            self._become(LinkState.UP)
            await self._carry(line)
            self._line = None
            self._become(LinkState.RECONNECTING)
            self._racer.drop(line, 0)
            if loop.time() - began >= SETTLED_S:
                pause = 0.0
            else:
                pause = AGAIN_S if self._heard else min(max(2 * pause, AGAIN_S), AGAIN_MAX_S)
            await asyncio.sleep(pause)
            await self._until_room()

    def _become(self, state: LinkState) -> None:
        self._state = state
        self._untold += 1
        self._inbox.put_nowait(state)

    async def _carry(self, line: Line) -> None:
        """Takes frames in until the connection is lost, and all that came before that, or until it says nonsense."""
        self._intake = intake = Intake(line.socket, self._has_room, partial(self._heed, line))
        choked, ended = (asyncio.create_task(work) for work in (line.choked(), line.ended()))
        try:
            done, _ = await asyncio.wait([intake.over, choked, ended], return_when=asyncio.FIRST_COMPLETED)
            if done == {ended}:
                intake.look_for_the_last()
        finally:
            self._intake = None
            intake.close()
            for task in (choked, ended):
                task.cancel()
            await asyncio.gather(choked, ended, return_exceptions=True)
        for one in (*done, intake.over):
            one.result()

    def _has_room(self) -> bool:
        return self._waiting < INBOX and not self._owing

    async def _until_room(self) -> None:
        while not self._has_room():
            self._looked.clear()
            await self._looked.wait()

    def _look(self) -> None:
        self._looked.set()
        if self._intake is not None:
            self._intake.look()

    def _heed(self, line: Line, parts: list[zmq.Frame]) -> None:
        frame = parts[0].bytes
        if len(parts) != 1 or len(frame) > FRAME_LIMIT:
            sure(self._intake).close()
            return
        self._heard = True
        self._waiting += 1
        self._inbox.put_nowait(frame)
        self._owe(weight(frame))
        line.taken += len(frame)
        line.heard = line.heard or self._has_room()

    def _owe(self, weight: int) -> None:
        loop = asyncio.get_running_loop()
        debt = self._pace.owes(loop.time(), weight)
        if debt and not self._owing:
            self._owing = True
            loop.call_later(debt, self._pay)

    def _pay(self) -> None:
        self._owing = False
        self._owe(0)  # what has come on top meanwhile
        self._look()


def dial(
    seed: bytes, addresses: Sequence[Address], host: bytes, context: zmq.asyncio.Context | None = None
) -> DialledLink:
    """A link to the host with this identity, from the identity with this 32-byte Ed25519 seed; needs a running loop.

    It connects in the background: the first `receive()` tells `LinkState.UP` as soon as the host has proved its key at
    one of the addresses. Many links of one process may share a `context`, which stays its owner's; else the link has its
    own. Raises UsageError or Fault(BAD_IDENTITY), before anything was tried.
    """
    require_curve()
    if not addresses:
        raise UsageError("There is no address to connect to.")
    return DialledLink(Racer(curve_keys(seed), curve_of(host), context), list(dict.fromkeys(addresses)))
