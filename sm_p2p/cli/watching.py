"""Letting others watch, and watching: the words for it, and the command `watch`."""

import argparse
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from sm_p2p.audience.balcony import Admission, Balcony, Rules
from sm_p2p.audience.own_door import own_door
from sm_p2p.cli.onlooker import Onlooker
from sm_p2p.cli.reach import reachable
from sm_p2p.cli.sitting import run as run_loop
from sm_p2p.cli.status import Status
from sm_p2p.cli.words import options_of, places_of
from sm_p2p.deck.group import self_test
from sm_p2p.errors import Code, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import TOKEN_BYTES, Invite, Origin, Purpose
from sm_p2p.session.effects import Advanced
from sm_p2p.session.greeting import Peer
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.store.keys import Identity
from sm_p2p.ui import notices
from sm_p2p.ui.lines import Form
from sm_p2p.ui.printer import Printer
from sm_p2p.watch.spectate import Sight, Spectator, Watching, Why, spectate

WAIT_S: Final = 60.0
STATUSES: Final = {
    Why.LEFT: Status.OK,
    Why.OVER: Status.OK,
    Why.GONE: Status.ALONE,
    Why.ALONE: Status.ALONE,
    Why.REJECTED: Status.FAILED,
    Why.STOPPED: Status.UNVERIFIED,
}


def rules_of(arguments: argparse.Namespace, otherwise: Admission) -> Rules:
    """Who may watch, as the words say it."""
    admission = otherwise if arguments.spectators is None else Admission(arguments.spectators)
    return Rules(admission, os.urandom(TOKEN_BYTES))


@contextlib.asynccontextmanager
async def served(
    identity: Identity, peer: Peer, port: int | None
) -> AsyncIterator[tuple[Balcony | None, tuple[Address, ...], bytes]]:
    """A door of our own for those who watch, if there is to be one; where it is, and the token that it asks for."""
    if port is None:
        yield None, (), b""
        return
    rules = Rules(Admission.INVITED, os.urandom(TOKEN_BYTES))
    async with own_door(identity, peer, rules, port=port) as (door, balcony):
        yield balcony, tuple(Address(ip, door.port) for ip in reachable(())), rules.token


def run(arguments: argparse.Namespace) -> int:
    """Watch until the match is over or somebody has seen enough; what the shell is to be told."""
    self_test()
    invite = Invite.parse(arguments.invite)
    if invite.purpose is not Purpose.WATCH:
        raise UsageError("This invite is for playing; ask for the one for watching.")
    places = places_of(arguments)
    identity = Identity.load_or_create(places.identity)
    if invite.key == identity.identity:
        raise UsageError(notices.own_table())
    name = clean(arguments.name or options_of(places).name or "", NAME_LENGTH)
    return run_loop(partial(_watch, arguments, invite, identity, name))


async def _watch(arguments: argparse.Namespace, invite: Invite, identity: Identity, name: str) -> int:
    onlooker = Onlooker(Form.JSON if arguments.json else Form.WORDS, Printer(sys.stdout))
    onlooker.notice(notices.connecting())
    async with served(identity, Peer(name, "relay"), arguments.serve) as (balcony, addresses, token):
        viewer = (
            onlooker
            if balcony is None
            else _Relay(onlooker, invite, Invite(addresses, identity.identity, token, Purpose.WATCH))
        )
        wait = WAIT_S if arguments.wait is None else arguments.wait
        ended = await spectate(Spectator(identity, name, wait), invite, viewer, balcony)
    if ended.why is Why.ALONE:
        for address, trouble in ended.link.troubles.items():
            onlooker.notice(notices.trouble(str(address), trouble.value))
        onlooker.notice(notices.nobody_serves())
    return _status_of(ended)


class _Relay:
    """An onlooker who, as soon as it is known which match this is, shows the invite to watch it here."""

    def __init__(self, onlooker: Onlooker, invite: Invite, own: Invite) -> None:
        self._onlooker = onlooker
        self._invite = invite
        self._own = own
        self._match = b""

    async def left(self) -> None:
        """As the onlooker."""
        await self._onlooker.left()

    def see(self, sight: Sight) -> None:
        """As the onlooker, and the invite before."""
        if isinstance(sight, Advanced) and sight.after.chain.match != self._match:
            self._match = sight.after.chain.match
            host = self._invite.key if self._invite.origin is None else self._invite.origin.host
            own = Invite(self._own.addresses, self._own.key, self._own.token, Purpose.WATCH, Origin(host, self._match))
            self._onlooker.notice(notices.to_watch(str(own)))
        self._onlooker.see(sight)


def _status_of(ended: Watching) -> int:
    if ended.why is Why.REJECTED and ended.fault is not None and str(ended.fault.code) == Code.OTHER_VERSION:
        return Status.OTHER_TERMS
    return STATUSES[ended.why]
