"""Letting others watch, and watching: the words for it, and the command `watch`."""

import argparse
import asyncio
import contextlib
import hmac
import os
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.audience.balcony import MOST, Admission, Balcony, Rules
from sm_p2p.audience.own_door import own_door
from sm_p2p.cli.onlooker import Onlooker
from sm_p2p.cli.reach import reachable
from sm_p2p.cli.scribe import Scribe, new_log
from sm_p2p.cli.search import Search
from sm_p2p.cli.settings import options_of
from sm_p2p.cli.sitting import run as run_loop
from sm_p2p.cli.status import Status
from sm_p2p.cli.words import kind_of_screen, places_of
from sm_p2p.deck.group import self_test
from sm_p2p.errors import Code, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import TOKEN_BYTES, Invite, Origin, Purpose, Whereabouts, invite_in
from sm_p2p.session.effects import Advanced
from sm_p2p.session.greeting import Peer
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.store.keys import Identity
from sm_p2p.store.options import Options
from sm_p2p.store.places import Places
from sm_p2p.ui import notices
from sm_p2p.ui.lines import Form
from sm_p2p.ui.printer import Printer
from sm_p2p.watch.spectate import Sight, Spectator, Viewer, Watching, Why, spectate

WAIT_S: Final = 60.0
LABEL: Final = b"sm-p2p token for watching 1\n"
STATUSES: Final = {
    Why.LEFT: Status.OK,
    Why.OVER: Status.OK,
    Why.GONE: Status.ALONE,
    Why.ALONE: Status.ALONE,
    Why.REJECTED: Status.FAILED,
    Why.STOPPED: Status.UNVERIFIED,
}


def rules_of(arguments: argparse.Namespace, otherwise: Admission, token: bytes = b"") -> Rules:
    """Who may watch, as the words say it; with this token, if there is one from before."""
    admission = otherwise if arguments.spectators is None else Admission(arguments.spectators)
    return Rules(admission, token or os.urandom(TOKEN_BYTES), most_of(arguments))


def most_of(arguments: argparse.Namespace) -> int:
    """How many may watch at once, as the words say it."""
    most: int | None = arguments.spectators_max
    return MOST if most is None else most


def token_for(identity: Identity, table: Invite | Whereabouts) -> bytes:
    """Our own token for watching there; started again with the same invite, we let in whoever has come with ours.

    Nobody without our key can guess it, nor that of another table. Where the table has told no token, it is drawn.
    """
    if not any(table.token):
        return os.urandom(TOKEN_BYTES)
    about = [table.key, table.token]
    if isinstance(table, Invite):
        about += [table.purpose.value.encode(), *(table.origin or ())]
    return hmac.digest(identity.seed, LABEL + b"".join(about), "sha256")[:TOKEN_BYTES]


@contextlib.asynccontextmanager
async def served(
    identity: Identity, peer: Peer, port: int | None, table: Invite | Whereabouts, most: int = MOST
) -> AsyncIterator[tuple[Balcony | None, tuple[Address, ...], bytes]]:
    """A door of our own for those who watch, if there is to be one; where it is, and the token that it asks for."""
    if port is None:
        yield None, (), b""
        return
    rules = Rules(Admission.INVITED, token_for(identity, table), most)
    async with own_door(identity, peer, rules, port=port) as (door, balcony):
        yield balcony, tuple(Address(ip, door.port) for ip in reachable(())), rules.token


class Ticket(NamedTuple):
    """Who watches what, and how.

    `serve` is the port for others who watch through us, `most` how many of them may; `kept` is the file for the log.
    """

    places: Places
    options: Options
    who: Spectator
    invite: Invite
    serve: int | None
    most: int
    form: Form
    is_on_screen: bool
    kept: Path | None = None


def ticket(arguments: argparse.Namespace) -> Ticket:
    """What the words say; the invite is read before the disk is touched."""
    self_test()
    invite_of(arguments.invite)
    places = places_of(arguments)
    options = options_of(places)
    identity = Identity.load_or_create(places.identity)
    invite = invite_of(arguments.invite, identity.identity)
    name = clean(arguments.name or options.name or "", NAME_LENGTH)
    who = Spectator(identity, name, WAIT_S if arguments.wait is None else arguments.wait)
    is_on_screen = kind_of_screen(arguments, options) == "screen"
    form = Form.JSON if arguments.json else Form.WORDS
    kept = None if arguments.save is None else new_log(arguments.save)
    return Ticket(places, options, who, invite, arguments.serve, most_of(arguments), form, is_on_screen, kept)


def in_lines(ticket: Ticket) -> int:
    """Watch in line mode until the match is over or somebody has seen enough; what the shell is to be told."""
    return run_loop(partial(_watch, ticket))


def invite_of(text: str, ours: bytes = b"") -> Invite:
    """The invite for watching that a text is, or holds; UsageError with what is wrong with it, or if it leads to our own door."""
    invite = Invite.parse(invite_in(text, Purpose.WATCH))
    if invite.purpose is not Purpose.WATCH:
        raise UsageError("This invite is for playing; ask for the one for watching.")
    if invite.key == ours:
        raise UsageError(notices.own_table())
    return invite


async def _watch(ticket: Ticket) -> int:
    who, invite = ticket.who, ticket.invite
    onlooker = Onlooker(ticket.form, Printer(sys.stdout))
    onlooker.notice(notices.connecting())
    search = Search(onlooker.notice, asyncio.get_running_loop().call_later)
    async with served(who.identity, Peer(who.name, "relay"), ticket.serve, invite, ticket.most) as (
        balcony,
        addresses,
        token,
    ):
        scribe = None if ticket.kept is None else Scribe(ticket.kept)
        viewer: Viewer = onlooker if scribe is None else _Kept(onlooker, scribe)
        if balcony is not None:
            own = Invite(addresses, who.identity.identity, token, Purpose.WATCH)
            viewer = Relay(viewer, lambda shared: onlooker.notice(notices.to_watch(str(shared))), invite, own)
        try:
            ended = await spectate(who, invite, viewer, balcony, search.begins)
        finally:
            if scribe is not None:
                scribe.close()
    if ended.why is Why.ALONE:
        search.tell_reasons()
        onlooker.notice(notices.nobody_serves())
    return status_of(ended)


class Relay:
    """A viewer who, as soon as it is known which match this is, is told the invite to watch it here."""

    def __init__(self, viewer: Viewer, tell: Callable[[Invite], None], invite: Invite, own: Invite) -> None:
        self._viewer = viewer
        self._tell = tell
        self._invite = invite
        self._own = own
        self._match = b""

    async def left(self) -> None:
        """As the viewer."""
        await self._viewer.left()

    def see(self, sight: Sight) -> None:
        """As the viewer, and the invite before."""
        if isinstance(sight, Advanced) and sight.after.chain.match != self._match:
            self._match = sight.after.chain.match
            host = self._invite.key if self._invite.origin is None else self._invite.origin.host
            own = Invite(self._own.addresses, self._own.key, self._own.token, Purpose.WATCH, Origin(host, self._match))
            self._tell(own)
        self._viewer.see(sight)


class _Kept:
    """An onlooker for whom everything is written down as well."""

    def __init__(self, onlooker: Onlooker, scribe: Scribe) -> None:
        self._onlooker = onlooker
        self._scribe = scribe

    async def left(self) -> None:
        """As the onlooker."""
        await self._onlooker.left()

    def see(self, sight: Sight) -> None:
        """As the onlooker, once it was written."""
        self._scribe.see(sight)
        self._onlooker.see(sight)


def status_of(ended: Watching) -> int:
    """What the shell is told about an ending."""
    if ended.why is Why.REJECTED and ended.fault is not None and str(ended.fault.code) == Code.OTHER_VERSION:
        return Status.OTHER_TERMS
    return STATUSES[ended.why]
