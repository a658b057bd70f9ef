"""Joining: dial the host of an invite, go on with the match that the two have, or agree to a new one."""

import asyncio

from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.invite import Invite
from sm_p2p.net.link import LinkState
from sm_p2p.peer.desk import Desk, new_desk, resumed_desk, unfinished
from sm_p2p.peer.lobby import Ahead, Seat, greet, unless_left, without_secret
from sm_p2p.peer.play import Ending, How, Play, Terms
from sm_p2p.peer.player import Player
from sm_p2p.session.effects import Rejected
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import Situation
from sm_p2p.session.wire import Hello, Reject


async def join(seat: Seat, invite: Invite, terms: Terms, player: Player) -> tuple[Ending, DialledLink]:
    """Play at the table of this invite until the match ends here; the link tells why an address did not work.

    Raises UsageError for an address that is none, SpiteError when a file cannot be used.
    """
    peer = Peer(seat.name, "guest", invite.token, invite.key)
    matches = [
        match for match, opponent, _ in unfinished(seat.places, seat.identity.identity) if opponent == invite.key
    ]
    link = dial(seat.identity.seed, invite.addresses, invite.key)
    try:
        greeting = greet(link, seat.identity, peer, matches[0] if matches else b"")
        try:
            answer = await unless_left(player, seat.wait, greeting)
        except TimeoutError:
            return Ending(How.ALONE), link
        if answer is None:
            return Ending(How.LEFT), link
        said, frame = answer
        if isinstance(said, Reject):
            rejected = Rejected(said.code, said.seq)
            player.show(rejected, Situation(1, Match(), None, is_our_turn=False))
            return Ending(How.REJECTED, rejected), link
        desk, session = await asyncio.to_thread(_match_of, seat, said, matches, peer)
        ahead = Ahead(link, LinkState.UP, frame)
        ending = await Play(session, desk, ahead, player, terms, seat.patience).run()
        if session.match.state is State.JOIN:
            desk.discard()
        return ending, link
    finally:
        await link.close()


def _match_of(seat: Seat, hello: Hello, matches: list[bytes], peer: Peer) -> tuple[Desk, Session]:
    """The match that the host has named: one that waits here, or a new one; SpiteError if it cannot be played here."""
    if hello.match in matches:
        return resumed_desk(seat.places, seat.identity, hello.match, peer)
    if hello.seq > 1:
        raise without_secret()
    return new_desk(seat.places, seat.identity, 1, peer)
