"""Hosting: open the door, let one opponent in, play the match that the two have, or a new one.

Law: the host decides which match it is: the one that the guest names if both can go on with it, else their latest
unfinished one, else a new one. Whoever comes back is known by his key, with or without an invite.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from sm_p2p.audience.balcony import NOBODY, Balcony, Rules
from sm_p2p.errors import Code, SpiteError, UsageError, sure
from sm_p2p.net.discovery import LanTrouble
from sm_p2p.net.discovery import announce as shown
from sm_p2p.net.door import Door, listen
from sm_p2p.net.inquiry import nameplate
from sm_p2p.net.invite import TOKEN_BYTES
from sm_p2p.net.link import Link, LinkState
from sm_p2p.peer.acquaintance import doubt_about, introduced
from sm_p2p.peer.anteroom import Anteroom
from sm_p2p.peer.desk import Desk, new_desk, resumed_desk
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.lobby import (
    NOT_HERE,
    Ahead,
    NobodyCameError,
    PlayerHasLeftError,
    Seat,
    first_entry,
    in_thread,
    surely,
    unless_left,
)
from sm_p2p.peer.play import Around, Play
from sm_p2p.peer.player import Player
from sm_p2p.peer.saved import lost, offered, over, unfinished, withdraw
from sm_p2p.peer.seat import Gate, SeatLink
from sm_p2p.peer.sequel import sequel
from sm_p2p.rules.variant import STANDARD, Variant
from sm_p2p.session.effects import Keep, Mark, Rejected, Store
from sm_p2p.session.events import NONCE
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.session import Session
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import Afresh, Asked, Situation, Vacant
from sm_p2p.session.wire import Hello, Reject, write_frame
from sm_p2p.store.peers import Peer as Met
from sm_p2p.store.removal import remove_match
from sm_p2p.store.ways import Role, Way

NOWHERE: Final = Situation(0, Match(), None, is_our_turn=False)  # between two matches
ELSEWHERE: Final = {
    Code.NO_SUCH_MATCH,
    Code.OTHER_VARIANT,
}  # what a guest says who cannot, or will not, go on with this


@dataclass(frozen=True, slots=True)
class Table:
    """What a host opens.

    The variant (None: any for a match that is gone on with, the standard one for a new match), whether it is a new
    match in any case, the addresses to listen at (none: all), the port (None: any), the one match that is to be gone on
    with (empty: whichever waits for the guest), the port to try first, who may watch, the addresses on whose
    networks it is shown (none: on all; None: nowhere).
    """

    variant: Variant | None = None
    is_new: bool = False
    bind: Sequence[str] = ()
    port: int | None = None
    match: bytes = b""
    last_port: int | None = None
    watching: Rules = NOBODY
    shown_on: Sequence[str] | None = None


async def host(seat: Seat, table: Table, player: Player, announce: Callable[[Door, bytes], None]) -> Ending:
    """Listen, tell `announce` the door and the invite's token, and play until the match ends here.

    Raises UsageError when the port cannot be had or the one match cannot be gone on with, SpiteError when a file cannot
    be used.
    """
    try:
        return await _Host(seat, table, player).run(announce)
    except PlayerHasLeftError:
        return Ending(How.LEFT)
    except NobodyCameError:
        return Ending(How.ALONE)


@dataclass(slots=True)
class _Host:
    seat: Seat
    table: Table
    player: Player
    waiting: dict[bytes, bytes] = field(default_factory=dict)  # matches that can be gone on with, and with whom
    lost: set[bytes] = field(default_factory=set)  # matches whose log a guest may bring
    over: dict[bytes, bytes] = field(default_factory=dict)  # matches whose end a guest may come for, and who that is
    offered: dict[bytes, Desk | None] = field(default_factory=dict)  # what a guest may have joined without our knowing
    way: Way | None = None  # how the next match will have been played
    balcony: Balcony | None = None
    met: Met | None = None  # who sits opposite, to be remembered

    async def run(self, announce: Callable[[Door, bytes], None]) -> Ending:
        seat = self.seat
        token = os.urandom(TOKEN_BYTES)
        door = await self._listen()
        self.way = Way(Role.HOST, tuple(self.table.bind), door.port, self.table.watching.token)
        balcony = self.balcony = Balcony(door, seat.identity, Peer(seat.name, "host"), self.table.watching)
        anteroom = Anteroom(lambda news: self.player.show(news, NOWHERE))
        gate = Gate(seat.identity.identity, token, self.waiting, lost=self.lost, over=self.over, offered=self.offered)
        if seat.is_wary:
            gate.wary = self._doubt
        link = SeatLink(door, gate, balcony, anteroom)
        async with contextlib.AsyncExitStack() as stack:  # which closes the rest also when whoever closes is called off
            stack.push_async_callback(lambda: surely(partial(self._withdraw, *self.offered)))
            stack.push_async_callback(link.close)
            stack.push_async_callback(balcony.close)
            if seat.is_wary:  # somebody can be asked about a guest who knows no more than the address
                await stack.enter_async_context(nameplate(seat.identity.identity, door.port, self.table.bind))
            if self.table.shown_on is not None:
                await stack.enter_async_context(self._listed(door.port, self.table.shown_on))
            announce(door, token)
            await self._look_around(link)
            while True:
                ending = await self._one_guest(link)
                if ending is not None and ending.how is not How.SENT_AWAY:
                    return ending
                await self._vacate(link, None if ending is None else partial(announce, door))

    async def _look_around(self, link: SeatLink) -> None:
        """Find out which matches can be gone on with; whoever knocks meanwhile is heard afterwards."""
        seat, table = self.seat, self.table
        if not table.is_new:
            look = partial(unfinished, seat.places, seat.identity.identity, table.variant)
            for found, where in (
                (look, self.waiting),
                (partial(over, seat.places, seat.identity.identity), self.over),
            ):
                saved = await unless_left(self.player, None, in_thread(found))
                where.update((match, opponent) for match, opponent, _ in saved if self._may_be(match))
            if not table.match:
                opened = partial(offered, seat.places, seat.identity.identity, table.variant)
                self.offered.update(dict.fromkeys(await unless_left(self.player, None, in_thread(opened))))
            if table.variant is None and not table.match:
                self.lost.update(await unless_left(self.player, None, in_thread(partial(lost, seat.places))))
        if table.match:
            if not self.waiting:
                raise UsageError(NOT_HERE)
            link.keep_for(self.waiting[table.match])

    async def _vacate(self, link: SeatLink, announce: Callable[[bytes], None] | None) -> None:
        """Let the next guest come: with a new invite, which is announced, if the one before him was sent away."""
        if announce is None:
            await link.free()
            self.player.show(Vacant(), NOWHERE)
            return
        token = os.urandom(TOKEN_BYTES)
        await link.send_away(token)
        self.player.show(Vacant(is_new_invite=True), NOWHERE)
        announce(token)

    def _doubt(self, guest: Hello, is_invited: bool) -> Asked | None:  # noqa: FBT001 - as the gate has found out
        """What we are asked about this guest."""
        return doubt_about(self.seat.places, guest.name, guest.identity, is_invited=is_invited, at_door=True)

    @contextlib.asynccontextmanager
    async def _listed(self, port: int, bind: Sequence[str]) -> AsyncIterator[None]:
        """For the length of the block, this table is shown on the local network, if that can be; nobody waits for it."""

        async def show() -> None:
            with contextlib.suppress(LanTrouble):
                async with shown(self.seat.name, self.seat.identity.identity, port, bind):
                    await asyncio.Event().wait()

        showing = asyncio.create_task(show())
        try:
            yield
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)

    async def _listen(self) -> Door:
        """The door, at the port of last time if that is free and no other one is wanted."""
        seed, bind = self.seat.identity.seed, self.table.bind
        if self.table.port is None and self.table.last_port:
            with contextlib.suppress(UsageError):
                return await listen(seed, bind=bind, port=self.table.last_port)
        return await listen(seed, bind=bind, port=self.table.port)

    def _may_be(self, match: bytes) -> bool:
        """Whether this match may be gone on with at this table."""
        return self.table.match in {b"", match}

    async def _one_guest(self, link: SeatLink) -> Ending | None:
        """Wait for a guest and play with him; None, or that he is sent away, if the next one may come."""
        guest = await unless_left(self.player, self.seat.wait, link.greeted(), link.answer)
        self.met = None
        if self.seat.is_wary:
            who = partial(introduced, self.seat.places, guest.name, guest.identity, is_guest=True)
            self.player.show(await unless_left(self.player, None, in_thread(who)), NOWHERE)
            self.met = Met(guest.name, guest.identity)
        words = Ahead(link)
        laid = await self._lay(guest, words)
        if laid is None:
            await link.free(Reject(Code.NO_SUCH_MATCH))
            return None
        ending = await self._one_match(*laid, link, words)
        while ending is not None and ending.again is not None:
            variant = ending.again.variant or laid[1].match.variant
            self.table = replace(self.table, variant=variant, is_new=True, match=b"")
            self.waiting.clear()
            self.player.show(Afresh(), NOWHERE)
            laid = await surely(partial(self._open, self._peer(guest), guest.name))
            greeting = write_frame(replace(guest, match=b"", seq=0, head=b""))
            ending = await self._one_match(*laid, link, Ahead(link, LinkState.UP, greeting))
        return ending

    async def _one_match(self, desk: Desk, session: Session, link: SeatLink, words: Link) -> Ending | None:
        """Play one match, hearing `words` first; None if it has not begun, and the next guest may come.

        Whoever stops it before it has begun is sent away; what he has signed is kept.
        """
        match, was_begun = session.match.chain.match, session.match.state is not State.JOIN
        link.play(match)
        said = sequel(self.seat.identity, Peer(self.seat.name, "host")) if self.seat.stays else None
        has_others = not self.table.match
        around = Around(self.seat.patience, said, self.balcony, has_others)
        await surely(partial(desk.remember, sure(self.way), self.met))
        try:
            ending = await Play(session, desk, words, self.player, around=around).run()
        finally:
            if session.match.state is State.JOIN:
                self.offered[match] = desk
        if ending.how is How.SENT_AWAY:
            self._forget(match)
            await surely(partial(remove_match, self.seat.places, self.seat.places.log(match), match))
        if ending.how in {How.BROKEN, How.STOPPED} and has_others and match in self.offered:
            self._forget(match)
            return Ending(How.SENT_AWAY)
        if match in self.offered and ending.fault is not None:
            await surely(partial(self._withdraw, match))
        code = ending.fault.code if was_begun and isinstance(ending.fault, Rejected) else None
        if code == Code.NO_SUCH_MATCH:
            self._forget(match)
        is_for_others = code in ELSEWHERE and not self.table.match
        return None if ending.how is How.UNSEATED or is_for_others else ending

    async def _lay(self, guest: Hello, words: Ahead) -> tuple[Desk, Session] | None:
        """The match for this guest; None if he names one that cannot be gone on with here after all."""
        seat = self.seat
        peer = self._peer(guest)
        if guest.match in self.lost and not seat.places.log(guest.match).exists():
            return await self._fetch(guest, peer, words)
        theirs = [match for match, opponent in self.waiting.items() if opponent == guest.identity]
        for match in [guest.match] if guest.match else theirs:
            take_up = partial(resumed_desk, seat.places, seat.identity, match, peer)
            resumed = await unless_left(self.player, None, in_thread(take_up))
            if resumed is not None:
                return resumed
            self._forget(match)
            if self.table.match:
                raise UsageError(NOT_HERE)
        return None if guest.match else await surely(partial(self._open, peer, guest.name))

    def _forget(self, match: bytes) -> None:
        """This match is no choice at this table any more."""
        self.waiting.pop(match, None)
        self.over.pop(match, None)
        self.lost.discard(match)
        self.offered.pop(match, None)

    def _withdraw(self, *matches: bytes) -> None:
        """Nothing of these is left, if nobody has joined them."""
        for match in matches:
            desk = self.offered[match]
            if desk is not None:
                desk.close()  # which may not have been waited for
            withdraw(self.seat.places, match)

    async def _fetch(self, guest: Hello, peer: Peer, words: Ahead) -> tuple[Desk, Session] | None:
        """The match whose log is lost here and not with the guest, who names it; None if he does not bring it."""
        seat = self.seat
        ours = hello(seat.identity, peer, guest.match, 0, b"")
        our_seat = await unless_left(self.player, None, first_entry(words, ours))
        if our_seat is None:
            self.lost.discard(guest.match)
            return None
        take_up = partial(resumed_desk, seat.places, seat.identity, guest.match, peer, our_seat)
        return await unless_left(self.player, None, in_thread(take_up))

    def _peer(self, guest: Hello) -> Peer:
        """How we present ourselves to this guest."""
        return Peer(self.seat.name, "host", b"", guest.identity)

    def _open(self, peer: Peer, called: str) -> tuple[Desk, Session]:
        """A new match with this guest, who calls himself so."""
        desk, session = new_desk(self.seat.places, self.seat.identity, 0, replace(peer, called=called))
        try:
            for effect in session.open(self.table.variant or STANDARD, os.urandom(NONCE), int(time.time() * 1000)):
                if isinstance(effect, Store | Mark | Keep):
                    desk.carry_out(effect)
        except SpiteError:
            desk.close()
            raise
        return desk, session
