"""The tables that a player can sit down at: play, host, join."""

import argparse
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from sm_p2p.cli.chair import Chair
from sm_p2p.cli.computer import Computer
from sm_p2p.cli.sitting import Occasion
from sm_p2p.cli.status import Status
from sm_p2p.cli.words import variant_of
from sm_p2p.errors import UsageError
from sm_p2p.net.addresses import DEFAULT_PORT, Address, bind_host
from sm_p2p.net.door import Door
from sm_p2p.net.interfaces import local_addresses
from sm_p2p.net.invite import MAX_ADDRESSES, Invite, Purpose
from sm_p2p.peer import host as hosting
from sm_p2p.peer import join as joining
from sm_p2p.peer.lobby import Seat
from sm_p2p.peer.play import Ending, How, Terms
from sm_p2p.rules.variant import Hints
from sm_p2p.ui import notices

JOIN_WAIT_S: Final = 60.0
SILENCE_S: Final = 20.0  # after so long without anybody at the port, a firewall is the likely cause
COMPUTER_WAIT_S: Final = 30.0  # a process on this machine that is not there by then will not come
LOOPBACK: Final = "127.0.0.1"


def host(arguments: argparse.Namespace) -> Occasion:
    """Open a table, print its invite, play."""
    bind = tuple(bind_host(text).strip("[]") for text in arguments.bind or ())
    reachable = _reachable(bind)

    async def work(seat: Seat, chair: Chair) -> Ending:
        def announce(door: Door, token: bytes) -> None:
            addresses = tuple(Address(ip, door.port) for ip in reachable)
            chair.invite(str(Invite(addresses, seat.identity.identity, token)))
            chair.face.notice(notices.waiting(door.port))
            chair.later(SILENCE_S, lambda: None if door.accepted else chair.face.notice(notices.nobody_came(door.port)))

        table = hosting.Table(variant_of(arguments), arguments.new, bind, arguments.port)
        return await hosting.host(seat, table, chair, announce)

    return Occasion(work)


def join(arguments: argparse.Namespace) -> Occasion:
    """Sit down at the table of an invite, play."""
    invite = invite_of(arguments.invite)

    async def work(seat: Seat, chair: Chair) -> Ending:
        if invite.key == seat.identity.identity:
            raise UsageError(notices.own_table())
        chair.face.notice(notices.connecting())
        joined = await joining.join(seat, invite, Terms(variant_of(arguments), is_any=arguments.yes), chair)
        if joined.ending.how is How.ALONE:
            for address, trouble in joined.link.troubles.items():
                chair.face.notice(notices.trouble(str(address), trouble.value))
        return joined.ending

    return Occasion(work, JOIN_WAIT_S, is_ours=False)


def invite_of(text: str) -> Invite:
    """The invite to a seat that a text is; UsageError with what is wrong with it."""
    invite = Invite.parse(text)
    if invite.purpose is not Purpose.PLAY:
        raise UsageError("This invite is for watching; ask for one to play.")
    return invite


def play(arguments: argparse.Namespace) -> Occasion:
    """Play against the computer: another process of this program, at our table, which opens on loopback by itself."""
    bind = tuple(bind_host(text).strip("[]") for text in arguments.bind or (LOOPBACK,))
    (near, *_) = _reachable(bind)

    async def work(seat: Seat, chair: Chair) -> Ending:
        computer = Computer(seat.places.data.parent / "computer", arguments.opponent)

        def gone(last_words: str) -> None:
            chair.face.notice(notices.computer_gone(last_words))
            chair.get_up(Status.FAILED)

        def announce(door: Door, token: bytes) -> None:
            invite = Invite((Address(near, door.port),), seat.identity.identity, token)
            computer.start(str(invite), gone)

        table = hosting.Table(variant_of(arguments), arguments.new, bind, arguments.port or 0)
        try:
            return await hosting.host(seat, table, chair, announce)
        finally:
            await computer.stop()

    return Occasion(work, COMPUTER_WAIT_S, Hints.YES)


def _reachable(bind: Sequence[str]) -> tuple[str, ...]:
    """The addresses of this machine that an invite can name: those that were chosen, else all; UsageError for others."""
    if not bind:
        return tuple(address.ip for address in local_addresses())[:MAX_ADDRESSES] or (LOOPBACK,)
    found: list[str] = []
    for text in bind:
        ip = ip_address(text)
        if ip.is_unspecified:
            found += (address.ip for address in local_addresses() if ip.version == 6 or ":" not in address.ip)
        else:
            found.append(Address.parse(str(Address(text, DEFAULT_PORT))).host)
    return tuple(dict.fromkeys(found))[:MAX_ADDRESSES] or (LOOPBACK,)
