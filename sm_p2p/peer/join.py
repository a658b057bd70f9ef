"""Joining: dial the host of an invite, go on with the match that the two have, or agree to a new one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from sm_p2p.audience.balcony import Balcony
from sm_p2p.errors import Code, SpiteError, UsageError
from sm_p2p.net.dial import DialledLink, dial
from sm_p2p.net.invite import Invite, Whereabouts
from sm_p2p.net.link import LinkState
from sm_p2p.peer.acquaintance import doubt_about, introduced
from sm_p2p.peer.desk import Desk, new_desk, resumed_desk
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.lobby import (
    NOT_HERE,
    Ahead,
    Greeter,
    HostHasLeftError,
    NobodyCameError,
    PlayerHasLeftError,
    Seat,
    answer_of,
    in_thread,
    surely,
    try_to_send,
    unless_left,
)
from sm_p2p.peer.play import Around, Play, Terms
from sm_p2p.peer.player import Player
from sm_p2p.peer.saved import unfinished
from sm_p2p.peer.sequel import sequel
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import PeerLeft, Rejected
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import Afresh, Agree, Situation
from sm_p2p.session.wire import Hello, Reject
from sm_p2p.store.journal import Journal
from sm_p2p.store.peers import Peer as Met
from sm_p2p.store.ways import Role, Way

NOWHERE: Final = Situation(1, Match(), None, is_our_turn=False)  # between two matches
MOST_BEGINNINGS: Final = 100  # more than a bad connection needs, and few enough for what each may leave on the disk


@dataclass(frozen=True, slots=True)
class Joined:
    """How it ended, and the link, which tells why an address did not work."""

    ending: Ending
    link: DialledLink


async def join(
    seat: Seat,
    invite: Invite | Whereabouts,
    terms: Terms,
    player: Player,
    balcony: Balcony | None = None,
    dialled: Callable[[DialledLink], None] = lambda _link: None,
) -> Joined:
    """Play at the table of this invite until the match ends here; others may watch from our `balcony`.

    `dialled` is told the link when it begins to look for the host.

    Raises UsageError for an address that is none or a match that cannot be gone on with, JournalBusy when another process of ours sits there already, another
    SpiteError when a file cannot be used.
    """
    link = dial(seat.identity.seed, invite.addresses, invite.key)
    try:
        dialled(link)
        return Joined(await _Guest(seat, invite, terms, player, link, balcony).run(), link)
    except PlayerHasLeftError:
        return Joined(Ending(How.LEFT), link)
    except NobodyCameError:
        return Joined(Ending(How.ALONE), link)
    except HostHasLeftError:
        return Joined(Ending(How.GONE), link)
    finally:
        await link.close()


@dataclass(slots=True)
class _Guest:
    seat: Seat
    invite: Invite | Whereabouts
    terms: Terms
    player: Player
    link: DialledLink
    balcony: Balcony | None
    played: Variant | None = None  # the variant of the match that is over
    is_known: bool = False  # whether this player wants to play with this host

    async def run(self) -> Ending:
        seat, invite = self.seat, self.invite
        peer = Peer(seat.name, "guest", invite.token, invite.key)
        match = await unless_left(self.player, None, in_thread(self._named))
        greeter = Greeter(self.link, seat.identity, peer, match, is_only=bool(self.terms.match))
        ending = await self._match(greeter)
        while ending.again is not None:
            self.terms = replace(self.terms, variant=None, known=self.played, match=b"")
            self.seat = replace(self.seat, wait=None)  # the host is there, and may take his time
            self.player.show(Afresh(), NOWHERE)
            try:
                ending = await self._match(greeter)
            except HostHasLeftError:
                self.player.show(PeerLeft(), NOWHERE)
                return Ending(How.FINISHED)
        return ending

    async def _match(self, greeter: Greeter) -> Ending:
        """One match, however often the two have to begin."""
        for _ in range(MOST_BEGINNINGS):
            ending = await self._one_table(greeter)
            if ending is not None:
                return ending
        raise SpiteError("The host begins again and again, and no match comes of it; ask what is wrong there.")

    async def _one_table(self, greeter: Greeter) -> Ending | None:
        """Greet, sit down and play; None if it has to begin anew, because the two do not have the same match."""
        said, frame = await unless_left(self.player, self.seat.wait, greeter.greet())
        if not isinstance(said, Reject) and self.terms.match not in {b"", said.match}:
            await greeter.refuse(said.match)
            said = Reject(Code.NO_SUCH_MATCH)
        if isinstance(said, Reject):
            rejected = Rejected(said.code, said.seq)
            self.player.show(rejected, NOWHERE)
            return Ending(How.REJECTED, rejected)
        if self.seat.is_wary and not await self._knows(said):
            await try_to_send(self.link, Reject(Code.DECLINED))
            return Ending(How.REFUSED)
        words: list[bytes | LinkState] = [LinkState.UP, frame]
        sat = await self._sit(greeter, said, words)
        if sat is None:
            if said.match == greeter.refused:
                raise SpiteError(
                    "The host goes on with a match that cannot be gone on with here; ask for a new match, as in host --new."
                )
            await greeter.refuse(said.match)
            return None
        desk, session = sat
        if session.entries and self.terms.variant not in {None, session.match.variant}:
            desk.close()
            await try_to_send(self.link, Reject(Code.OTHER_VARIANT))
            return Ending(How.OTHER_TERMS)
        table = Ahead(self.link, *words)
        another = sequel(self.seat.identity, greeter.peer) if self.seat.stays else None
        around = Around(self.seat.patience, another, self.balcony)
        await surely(partial(desk.remember, self._way(), self._met(said)))
        try:
            terms = None if desk.is_resumed else self.terms  # what was agreed to once is not offered again
            ending = await Play(session, desk, table, self.player, terms, around).run()
        finally:
            if session.match.state is State.JOIN:  # nothing of ours is in it; what we have signed is never forgotten
                await surely(desk.discard)
        greeter.match = b""
        if session.match.state is not State.JOIN:
            self.terms = replace(self.terms, is_new=False)  # this is the new one
        if ending.how is How.AGAIN:
            greeter.over, self.played = session.match.chain.match, session.match.variant
        return None if ending.how is How.UNSEATED else ending

    async def _knows(self, host: Hello) -> bool:
        """Whether it is the one whom we know, or this player wants to play with him all the same; told and asked once."""
        if self.is_known:
            return True
        places = self.seat.places
        doubt = partial(doubt_about, places, host.name, host.identity, is_invited=True, at_door=False)
        question = await unless_left(self.player, None, in_thread(doubt))
        if question is not None:
            self.player.show(question, NOWHERE)
            self.is_known = isinstance(await answer_of(self.player), Agree)
            return self.is_known
        self.is_known = True
        who = partial(introduced, places, host.name, host.identity, is_guest=False)
        self.player.show(await unless_left(self.player, None, in_thread(who)), NOWHERE)
        return True

    def _met(self, host: Hello) -> Met | None:
        """Whom we are to remember."""
        where = ",".join(self._way().addresses)
        return Met(host.name, host.identity, where) if self.seat.is_wary else None

    def _named(self) -> bytes:
        """The match that we would like to go on with, our latest with this host; empty if there is none."""
        places, terms = self.seat.places, self.terms
        for saved in () if terms.is_new else unfinished(places, self.seat.identity.identity, terms.variant):
            if saved.opponent == self.invite.key and terms.match in {b"", saved.match}:
                # if another process of ours plays this, that one keeps its seat, and we stop here
                Journal.open(places.log(saved.match)).close()
                return saved.match
        if terms.match:
            raise UsageError(NOT_HERE)
        return b""

    def _way(self) -> Way:
        """The addresses of the table, the one that has led there first."""
        good = self.link.address
        return Way(Role.GUEST, tuple(str(one) for one in sorted(self.invite.addresses, key=lambda one: one != good)))

    async def _sit(self, greeter: Greeter, hello: Hello, words: list[bytes | LinkState]) -> tuple[Desk, Session] | None:
        """The match that the host has named: one of ours, or a new one; None if it cannot be played here."""
        places, identity, peer = self.seat.places, self.seat.identity, greeter.peer
        our_seat = None
        if self.terms.is_new and (hello.seq > 1 or places.secret(hello.match).exists()):
            return None
        if not places.log(hello.match).exists():
            if not places.secret(hello.match).exists():
                return new_desk(places, identity, 1, replace(peer, called=hello.name)) if hello.seq == 1 else None
            bringing = greeter.first_entry(hello.match)  # the log is lost, our secret is not
            first = await unless_left(self.player, None, bringing)
            if first is None:
                return None
            our_seat, frame = first
            words.append(frame)
        take_up = partial(resumed_desk, places, identity, hello.match, peer, our_seat)
        return await unless_left(self.player, None, in_thread(take_up))
