"""The commands that sit down at a table: play, host, join."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

from sm_p2p.bot import greedy
from sm_p2p.cli.chair import Chair
from sm_p2p.cli.computer import Computer
from sm_p2p.cli.status import Status
from sm_p2p.cli.words import check_ui, name_of, options_of, places_of, variant_of
from sm_p2p.deck.group import self_test
from sm_p2p.errors import Code, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.dial import DialledLink
from sm_p2p.net.door import Door
from sm_p2p.net.interfaces import local_addresses
from sm_p2p.net.invite import MAX_ADDRESSES, Invite
from sm_p2p.peer import host as hosting
from sm_p2p.peer import join as joining
from sm_p2p.peer.lobby import Seat
from sm_p2p.peer.play import Ending, How, Terms
from sm_p2p.rules.variant import STANDARD, Hints
from sm_p2p.session.effects import Rejected, Stopped
from sm_p2p.store.keys import Identity
from sm_p2p.ui import notices
from sm_p2p.ui.lines import Form, Lines, standard_lines, told_lines

JOIN_WAIT_S: Final = 60.0
SILENCE_S: Final = 20.0  # after so long without anybody at the port, a firewall is the likely cause
COMPUTER_WAIT_S: Final = 30.0  # a process on this machine that is not there by then will not come
BOT_PATIENCE_S: Final = 60.0  # how long a computer waits for somebody whose link was lost
OPENING: Final = {Code.OTHER_VERSION, Code.OTHER_VARIANT, Code.OTHER_CONSTANTS, Code.BAD_VARIANT}
AT_THE_DOOR: Final = {
    Code.TABLE_TAKEN, Code.OWN_TABLE, Code.BAD_TOKEN, Code.DECLINED, Code.NO_SPECTATORS, Code.BAD_IDENTITY,
    Code.NO_SUCH_MATCH, Code.SAME_IDENTITY,
}  # fmt: skip


def host(arguments: argparse.Namespace) -> int:
    """Open a table, print its invite, play."""
    return _sit(arguments, None, _host)


def join(arguments: argparse.Namespace) -> int:
    """Sit down at the table of an invite, play."""
    return _sit(arguments, JOIN_WAIT_S, _join)


def play(arguments: argparse.Namespace) -> int:
    """Play against the computer: another process of this program, at our table over loopback."""
    return _sit(arguments, COMPUTER_WAIT_S, _play)


async def _host(arguments: argparse.Namespace, seat: Seat, chair: Chair) -> Ending:
    bind = tuple(arguments.bind or ())
    table = hosting.Table(variant_of(arguments) or STANDARD, bind, arguments.port)

    def announce(door: Door, token: bytes) -> None:
        hosts = list(bind) or [address.ip for address in local_addresses()]
        addresses = tuple(Address(host, door.port) for host in hosts)[:MAX_ADDRESSES]
        chair.lines.notice(notices.invitation(str(Invite(addresses, seat.identity.identity, token))))
        chair.lines.notice(notices.waiting(door.port))
        chair.later(SILENCE_S, lambda: None if door.accepted else chair.lines.notice(notices.nobody_came(door.port)))

    return await hosting.host(seat, table, chair, announce)


async def _join(arguments: argparse.Namespace, seat: Seat, chair: Chair) -> Ending:
    invite = Invite.parse(arguments.invite)
    if invite.key == seat.identity.identity:
        raise UsageError(notices.own_table())
    terms = Terms(variant_of(arguments), is_any=arguments.yes)
    chair.lines.notice(notices.connecting())
    ending, link = await joining.join(seat, invite, terms, chair)
    if ending.how is How.ALONE:
        _say_troubles(chair, link)
    return ending


async def _play(arguments: argparse.Namespace, seat: Seat, chair: Chair) -> Ending:
    computer = Computer(seat.places.data.parent / "computer", arguments.opponent)
    table = hosting.Table(variant_of(arguments) or STANDARD, ("127.0.0.1",), 0)

    def announce(door: Door, token: bytes) -> None:
        invite = Invite((Address("127.0.0.1", door.port),), seat.identity.identity, token)
        computer.start(str(invite))

    try:
        return await hosting.host(seat, table, chair, announce)
    finally:
        await computer.stop()


def _sit(
    arguments: argparse.Namespace,
    wait: float | None,
    work: Callable[[argparse.Namespace, Seat, Chair], Awaitable[Ending]],
) -> int:
    """Everything around a seat: who sits there, the chair, the loop, and what the shell is told."""
    self_test()
    places = places_of(arguments)
    is_first = not places.identity.exists()
    options = options_of(places)
    check_ui(arguments, options)
    variant_of(arguments)
    name = name_of(arguments, places, options)
    is_computer = arguments.player != "human"
    seat = Seat(
        places,
        Identity.load_or_create(places.identity),
        name,
        wait=arguments.wait if arguments.wait is not None else wait,
        patience=BOT_PATIENCE_S if is_computer else None,
    )
    is_practice = work is _play

    async def seated(lines: Lines) -> int:
        chair = Chair(lines, greedy.choose if is_computer else None)
        if is_first and not is_computer:
            lines.notice(notices.first_start())
        if arguments.tied:
            chair.tie_to_input()
        try:
            ending = await work(arguments, seat, chair)
        finally:
            chair.close()
        return chair.status or _told(lines, ending)

    with _lines(arguments, is_practice=is_practice) as lines, asyncio.Runner(loop_factory=_loop) as runner:
        return runner.run(seated(lines))


@contextlib.contextmanager
def _lines(arguments: argparse.Namespace, *, is_practice: bool) -> Iterator[Lines]:
    form = Form.JSON if arguments.json else Form.WORDS
    if arguments.player != "human":
        yield told_lines(form)
        return
    hints = Hints.YES if is_practice else Hints.NO
    with standard_lines(form, hint=greedy.choose, hints=hints) as lines:
        yield lines


def _loop() -> asyncio.AbstractEventLoop:
    """Zmq needs a loop that can watch file descriptors, which Windows' own cannot."""
    return asyncio.SelectorEventLoop()


def _told(lines: Lines, ending: Ending) -> Status:
    """The status of an ending, its sentence said where the player has not heard it yet."""
    match ending.how:
        case How.FINISHED:
            return Status.OK
        case How.LEFT | How.UNSEATED:
            return Status.OK
        case How.ALONE:
            lines.notice(notices.alone())
            return Status.ALONE
        case How.OTHER_TERMS:
            lines.notice(notices.other_terms())
            return Status.OTHER_TERMS
        case How.STOPPED | How.REJECTED:
            return _status_of(ending.fault)


def _status_of(fault: Stopped | Rejected | None) -> Status:
    code = None if fault is None else str(fault.code)
    if code in OPENING:
        return Status.OTHER_TERMS
    return Status.FAILED if code in AT_THE_DOOR else Status.BROKEN


def _say_troubles(chair: Chair, link: DialledLink) -> None:
    for address, trouble in link.troubles.items():
        chair.lines.notice(notices.trouble(str(address), trouble.value))
    sys.stdout.flush()
