"""Hosting: open the door, let one opponent in, play the match that the two have, or a new one."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sm_p2p.net.door import Door, listen
from sm_p2p.net.invite import TOKEN_BYTES
from sm_p2p.peer.desk import Desk, new_desk, resumed_desk, unfinished
from sm_p2p.peer.lobby import Seat, unless_left
from sm_p2p.peer.play import Ending, How, Play
from sm_p2p.peer.player import Player
from sm_p2p.peer.seat import Gate, SeatLink
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Keep, Mark, Store
from sm_p2p.session.events import NONCE
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.state import State
from sm_p2p.session.wire import Hello


@dataclass(frozen=True, slots=True)
class Table:
    """What a host opens: the variant of a new match, the addresses to listen at (none: all), the port (None: any)."""

    variant: Variant
    bind: Sequence[str] = ()
    port: int | None = None


async def host(seat: Seat, table: Table, player: Player, announce: Callable[[Door, bytes], None]) -> Ending:
    """Listen, tell `announce` the door and the invite's token, and play until the match ends here.

    Raises UsageError when the port cannot be had, SpiteError when a file cannot be used.
    """
    waiting = unfinished(seat.places, seat.identity.identity)
    token = os.urandom(TOKEN_BYTES)
    door = await listen(seat.identity.seed, bind=table.bind, port=table.port)
    link = SeatLink(door, Gate(seat.identity.identity, token, frozenset(opponent for _, opponent, _ in waiting)))
    try:
        announce(door, token)
        while True:
            try:
                hello = await unless_left(player, seat.wait, link.greeted())
            except TimeoutError:
                return Ending(How.ALONE)
            if hello is None:
                return Ending(How.LEFT)
            desk, session = await asyncio.to_thread(_match_with, seat, table.variant, hello)
            ending = await Play(session, desk, link, player, patience=seat.patience).run()
            if session.match.state is State.JOIN:
                desk.discard()
            if ending.how is not How.UNSEATED:
                return ending
            await link.free()
    finally:
        await link.close()


def _match_with(seat: Seat, variant: Variant, hello: Hello) -> tuple[Desk, Session]:
    """The match that this guest names if it waits here, else the latest with him, else a new one."""
    peer = Peer(seat.name, "host", b"", hello.identity)
    matches = [
        match for match, opponent, _ in unfinished(seat.places, seat.identity.identity) if opponent == hello.identity
    ]
    if matches:
        return resumed_desk(seat.places, seat.identity, hello.match if hello.match in matches else matches[0], peer)
    desk, session = new_desk(seat.places, seat.identity, 0, peer)
    for effect in session.open(variant, os.urandom(NONCE), int(time.time() * 1000)):
        if isinstance(effect, Store | Mark | Keep):
            desk.carry_out(effect)
    return desk, session
