"""The tables that a player can sit down at: play, host, join."""

import argparse
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from typing import Final

from sm_p2p.audience.balcony import Admission
from sm_p2p.cli.chair import Chair
from sm_p2p.cli.computer import Computer
from sm_p2p.cli.reach import LOOPBACK, bound, invited_to, lan_of, named_address, reachable
from sm_p2p.cli.search import SILENCE_S, Search
from sm_p2p.cli.shelf import Shelved, shelf, waiting
from sm_p2p.cli.sitting import Occasion, Offer, Wanted
from sm_p2p.cli.status import Status
from sm_p2p.cli.watching import most_of, rules_of, served
from sm_p2p.cli.words import find_places, variant_of
from sm_p2p.errors import UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.door import Door
from sm_p2p.net.interfaces import every_address, is_alone
from sm_p2p.net.invite import Invite, Purpose, Whereabouts, invite_in
from sm_p2p.peer import host as hosting
from sm_p2p.peer import join as joining
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.lobby import PlayerHasLeftError, Seat
from sm_p2p.peer.play import Terms
from sm_p2p.peer.saved import unfinished
from sm_p2p.peer.stranger import is_wanted, of_somebody, whereabouts
from sm_p2p.rules.variant import Hints
from sm_p2p.session.greeting import Peer
from sm_p2p.session.text import clean
from sm_p2p.store.peers import Peers
from sm_p2p.store.ways import Role, Way, read_way
from sm_p2p.ui import notices

JOIN_WAIT_S: Final = 60.0
ASKED_WAIT_S: Final = 120.0  # a host who is asked about his guest may take his time
NETWORKS_S: Final = 2.0  # so often it is looked whether the invite leads to where this machine is now
SCREEN_PAUSE_S: Final = 0.4  # for a move of the computer on the full screen, so that it can be followed
COMPUTER_WAIT_S: Final = 30.0  # a process on this machine that is not there by then will not come
SHOWN: Final = 200  # characters of addresses that were remembered
ANY: Final = Wanted()


def host(arguments: argparse.Namespace, wanted: Wanted = ANY) -> Occasion:
    """Open a table, print its invite, play."""
    last = _last(wanted)
    bind = bound(arguments.bind or last.addresses)
    reachable(bind)  # which may not be as it should
    named = tuple(map(named_address, getattr(arguments, "address", None) or ()))
    rules = rules_of(arguments, Admission.INVITED, last.watching)
    lan = lan_of(arguments)

    async def work(seat: Seat, chair: Chair) -> Ending:
        shown: Invite | None = None

        def invite(door: Door, token: bytes, why: str = "") -> None:
            nonlocal shown
            shown = Invite(invited_to(named, reachable(bind), door.port), seat.identity.identity, token)
            watch = replace(shown, token=rules.token, purpose=Purpose.WATCH)
            more = [] if rules.admission is Admission.NONE else [notices.to_watch(str(watch))]
            if seat.is_wary:  # and so lets somebody in who has no invite
                more.append(notices.compared(" ".join(seat.identity.fingerprint)))
            chair.invite(str(shown), *more, why=why)
            if not bind and not named and is_alone():
                chair.face.notice(notices.no_network())
            chair.later(NETWORKS_S, partial(look, door, shown))

        def look(door: Door, last: Invite) -> None:
            if shown is not last:
                return
            if chair.is_waiting and {*invited_to(named, reachable(bind), door.port)} != {*last.addresses}:
                invite(door, last.token, notices.moved())
            else:
                chair.later(NETWORKS_S, partial(look, door, last))

        def announce(door: Door, token: bytes) -> None:
            invite(door, token)
            chair.face.notice(notices.waiting(door.port))
            chair.later(SILENCE_S, lambda: None if door.accepted else chair.face.notice(notices.nobody_came(door.port)))

        if wanted.only is not None:
            chair.face.notice(notices.kept_for(wanted.only.opponent))
        table = replace(_table(arguments, wanted, bind, arguments.port), last_port=last.port, watching=rules)
        if wanted.only is None and lan is not None:
            table = replace(table, shown_on=lan or bind)
        return await hosting.host(seat, table, chair, announce)

    return Occasion(work, resigns=wanted.resigns, offer=_offer(host, arguments, wanted, with_computer=False))


def join(arguments: argparse.Namespace, wanted: Wanted = ANY) -> Occasion:
    """Sit down at the table of an invite, play."""
    if not is_an_invite(arguments.invite):
        return _join_uninvited(arguments, wanted)
    invite = invite_of(arguments.invite)
    offer = _offer(join, arguments, wanted, with_computer=False, host=invite.key)
    return replace(join_at(arguments, invite, wanted), offer=offer)


def is_an_invite(text: str) -> bool:
    """Whether it is meant as one; else it is an address, or the name of somebody."""
    return "/" in text or text.strip().lower().startswith("sm-p2p:")


def _join_uninvited(arguments: argparse.Namespace, wanted: Wanted) -> Occasion:
    """Sit down at a table of which only the address is known, or at that of somebody who was met; UsageError."""
    known = of_somebody(Peers.load(find_places(arguments).peers), arguments.invite)
    if known is not None:
        return join_there(arguments, known, wanted)
    address = Address.nearby(arguments.invite)

    async def found(seat: Seat, chair: Chair) -> Whereabouts | None:
        chair.face.notice(notices.inquiring(str(address)))
        return await whereabouts(seat, chair, address, getattr(arguments, "fingerprint", None))

    return _once_found(arguments, wanted, found)


def join_there(arguments: argparse.Namespace, there: Whereabouts, wanted: Wanted = ANY) -> Occasion:
    """Sit down at a table that was found, or with somebody who was met."""

    async def found(seat: Seat, chair: Chair) -> Whereabouts | None:
        return there if await is_wanted(seat, chair, there, getattr(arguments, "fingerprint", None)) else None

    return _once_found(arguments, wanted, found)


def _once_found(
    arguments: argparse.Namespace, wanted: Wanted, find: Callable[[Seat, Chair], Awaitable[Whereabouts | None]]
) -> Occasion:
    async def work(seat: Seat, chair: Chair) -> Ending:
        try:
            there = await find(seat, chair)
        except PlayerHasLeftError:
            return Ending(How.LEFT)
        return Ending(How.REFUSED) if there is None else await join_at(arguments, there, wanted).work(seat, chair)

    return Occasion(work, ASKED_WAIT_S, is_ours=False, resigns=wanted.resigns)


def join_at(arguments: argparse.Namespace, invite: Invite | Whereabouts, wanted: Wanted, alone: str = "") -> Occasion:
    """Sit down at the table of this invite; `alone` is one more sentence for whoever finds nobody there."""
    match = b"" if wanted.only is None else wanted.only.match
    is_new = arguments.new or wanted.is_new
    terms = Terms(variant_of(arguments), is_any=arguments.yes, match=match, is_new=is_new)

    async def work(seat: Seat, chair: Chair) -> Ending:
        if invite.key == seat.identity.identity:
            raise UsageError(notices.own_table())
        chair.face.notice(notices.connecting())
        if not invite.token:
            chair.face.notice(notices.asked_there())
        async with served(seat.identity, Peer(seat.name, "host"), arguments.serve, invite, most_of(arguments)) as (
            balcony,
            addresses,
            token,
        ):
            if balcony is not None:
                watch = Invite(addresses, seat.identity.identity, token, Purpose.WATCH)
                chair.face.notice(notices.to_watch(str(watch)))
            search = Search(chair.face.notice, chair.later)
            joined = await joining.join(seat, invite, terms, chair, balcony, search.begins)
        if joined.ending.how is How.ALONE:
            search.tell_reasons()
            if alone:
                chair.face.notice(alone)
            chair.reasons = (*search.reasons, *([alone] if alone else []))
        return joined.ending

    return Occasion(work, JOIN_WAIT_S if invite.token else ASKED_WAIT_S, is_ours=False, resigns=wanted.resigns)


def invite_of(text: str) -> Invite:
    """The invite to a seat that a text is, or holds; UsageError with what is wrong with it."""
    invite = Invite.parse(invite_in(text))
    if invite.purpose is not Purpose.PLAY:
        raise UsageError("This invite is for watching; ask for one to play.")
    return invite


def play(arguments: argparse.Namespace, wanted: Wanted = ANY) -> Occasion:
    """Play against the computer: another process of this program, at our table, which opens on loopback by itself."""
    bind = bound(arguments.bind or (LOOPBACK,))
    (near, *_) = reachable(bind)

    async def work(seat: Seat, chair: Chair) -> Ending:
        pause = arguments.pause if arguments.pause is not None else SCREEN_PAUSE_S if seat.stays else 0.0
        computer = Computer(seat.places.computer.data.parent, arguments.opponent, pause)

        def gone(last_words: str) -> None:
            chair.face.notice(notices.computer_gone(last_words))
            chair.get_up(Status.FAILED)

        def announce(door: Door, token: bytes) -> None:
            invite = Invite((Address(near, door.port),), seat.identity.identity, token)
            computer.start(str(invite), gone)

        try:
            return await hosting.host(seat, _table(arguments, wanted, bind, arguments.port or 0), chair, announce)
        finally:
            await computer.stop()

    offer = _offer(play, arguments, wanted, with_computer=True)
    return Occasion(work, COMPUTER_WAIT_S, Hints.YES, resigns=wanted.resigns, offer=offer)


def _table(arguments: argparse.Namespace, wanted: Wanted, bind: Sequence[str], port: int | None) -> hosting.Table:
    match = b"" if wanted.only is None else wanted.only.match
    return hosting.Table(variant_of(arguments), arguments.new or wanted.is_new, bind, port, match)


def _offer(
    occasion: Callable[[argparse.Namespace, Wanted], Occasion],
    arguments: argparse.Namespace,
    wanted: Wanted,
    *,
    with_computer: bool,
    host: bytes = b"",
) -> Offer | None:
    """What a person is asked before, unless that was said already; `host` is whose table it is, if it is not ours."""
    if arguments.new or wanted != ANY:
        return None

    def waits(seat: Seat) -> tuple[Shelved, ...]:
        saved = unfinished(seat.places, seat.identity.identity, variant_of(arguments))
        if not saved:
            return ()
        matches = {one.match for one in saved if host in {b"", one.opponent}}
        found = waiting(seat.places, shelf(seat.places), with_computer=with_computer)
        return tuple(one for one in found if one.match in matches)

    return Offer(waits, partial(occasion, arguments))


def _last(wanted: Wanted) -> Way:
    """Where our table was when this match was played last; UsageError if none of its addresses is ours any more."""
    way = None if wanted.only is None else read_way(wanted.only.path.with_suffix(".way"))
    if way is None or way.role is not Role.HOST:
        return Way(Role.HOST)
    ours = {*every_address()}
    still = tuple(one for one in way.addresses if one.partition("%")[0] in ours or _is_of_every_machine(one))
    if way.addresses and not still:
        was = clean(", ".join(way.addresses), SHOWN)
        raise UsageError(
            "The table was at {was}, which is no address of this machine any more; say where with --bind.", was=was
        )
    return way._replace(addresses=still)


def _is_of_every_machine(text: str) -> bool:
    try:
        ip = ip_address(text)
    except ValueError:
        return False
    return ip.is_unspecified or ip.is_loopback
