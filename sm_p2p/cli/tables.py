"""The commands that sit down at a table: play, host, join."""

import argparse
import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from ipaddress import ip_address
from typing import Final

from sm_p2p.bot import greedy
from sm_p2p.cli.chair import Chair
from sm_p2p.cli.computer import Computer
from sm_p2p.cli.status import Status
from sm_p2p.cli.words import check_name, check_ui, name_of, options_of, places_of, variant_of
from sm_p2p.deck.group import self_test
from sm_p2p.errors import Code, UsageError
from sm_p2p.net.addresses import DEFAULT_PORT, Address, bind_host
from sm_p2p.net.door import Door
from sm_p2p.net.interfaces import local_addresses
from sm_p2p.net.invite import MAX_ADDRESSES, Invite, Purpose
from sm_p2p.peer import host as hosting
from sm_p2p.peer import join as joining
from sm_p2p.peer.lobby import Seat
from sm_p2p.peer.play import Ending, How, Terms
from sm_p2p.rules.variant import Hints
from sm_p2p.store.keys import Identity
from sm_p2p.ui import notices
from sm_p2p.ui.lines import Form, Lines, standard_lines, told_lines

JOIN_WAIT_S: Final = 60.0
SILENCE_S: Final = 20.0  # after so long without anybody at the port, a firewall is the likely cause
COMPUTER_WAIT_S: Final = 30.0  # a process on this machine that is not there by then will not come
BOT_PATIENCE_S: Final = 60.0  # how long a computer waits for somebody whose link was lost
OPENING: Final = {Code.OTHER_VERSION, Code.OTHER_VARIANT, Code.OTHER_CONSTANTS, Code.BAD_VARIANT}
FAULTS: Final = {How.BROKEN: Status.BROKEN, How.STOPPED: Status.FAILED, How.REJECTED: Status.FAILED}
LOOPBACK: Final = "127.0.0.1"


def host(arguments: argparse.Namespace) -> int:
    """Open a table, print its invite, play."""
    bind = tuple(bind_host(text).strip("[]") for text in arguments.bind or ())
    reachable = _reachable(bind)

    async def work(seat: Seat, chair: Chair) -> Ending:
        def announce(door: Door, token: bytes) -> None:
            addresses = tuple(Address(ip, door.port) for ip in reachable)
            chair.lines.notice(notices.invitation(str(Invite(addresses, seat.identity.identity, token))))
            chair.lines.notice(notices.waiting(door.port))
            chair.later(
                SILENCE_S, lambda: None if door.accepted else chair.lines.notice(notices.nobody_came(door.port))
            )

        table = hosting.Table(variant_of(arguments), arguments.new, bind, arguments.port)
        return await hosting.host(seat, table, chair, announce)

    return _sit(arguments, None, work)


def join(arguments: argparse.Namespace) -> int:
    """Sit down at the table of an invite, play."""
    invite = Invite.parse(arguments.invite)
    if invite.purpose is not Purpose.PLAY:
        raise UsageError("This invite is for watching; ask for one to play.")

    async def work(seat: Seat, chair: Chair) -> Ending:
        if invite.key == seat.identity.identity:
            raise UsageError(notices.own_table())
        chair.lines.notice(notices.connecting())
        joined = await joining.join(seat, invite, Terms(variant_of(arguments), is_any=arguments.yes), chair)
        if joined.ending.how is How.ALONE:
            for address, trouble in joined.link.troubles.items():
                chair.lines.notice(notices.trouble(str(address), trouble.value))
        return joined.ending

    return _sit(arguments, JOIN_WAIT_S, work)


def play(arguments: argparse.Namespace) -> int:
    """Play against the computer: another process of this program, at our table over loopback."""

    async def work(seat: Seat, chair: Chair) -> Ending:
        computer = Computer(seat.places.data.parent / "computer", arguments.opponent)

        def gone(last_words: str) -> None:
            chair.lines.notice(notices.computer_gone(last_words))
            chair.get_up(Status.FAILED)

        def announce(door: Door, token: bytes) -> None:
            invite = Invite((Address(LOOPBACK, door.port),), seat.identity.identity, token)
            computer.start(str(invite), gone)

        table = hosting.Table(variant_of(arguments), arguments.new, (LOOPBACK,), 0)
        try:
            return await hosting.host(seat, table, chair, announce)
        finally:
            await computer.stop()

    return _sit(arguments, COMPUTER_WAIT_S, work, Hints.YES)


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


def _sit(
    arguments: argparse.Namespace,
    wait: float | None,
    work: Callable[[Seat, Chair], Awaitable[Ending]],
    hints: Hints = Hints.NO,
) -> int:
    """Everything around a seat: who sits there, the chair, the loop, and what the shell is told.

    The words are read before the disk is touched, and nobody is asked for a name before everything else is in order.
    """
    self_test()
    variant_of(arguments)
    if arguments.name is not None:
        check_name(arguments.name)
    places = places_of(arguments)
    is_first = not places.identity.exists()
    options = options_of(places)
    check_ui(arguments, options)
    is_computer = arguments.player != "human"
    identity = Identity.load_or_create(places.identity)
    seat = Seat(
        places,
        identity,
        name_of(arguments, places, options),
        wait=arguments.wait if arguments.wait is not None else wait,
        patience=BOT_PATIENCE_S if is_computer else None,
    )

    async def seated(lines: Lines) -> int:
        chair = Chair(lines, greedy.choose if is_computer else None)
        if is_first and not is_computer:
            lines.notice(notices.first_start())
        if arguments.tied:
            chair.tie_to_input()
        try:
            ending = await work(seat, chair)
        finally:
            chair.close()
        return chair.status or _told(lines, ending)

    with _lines(arguments, hints) as lines, asyncio.Runner(loop_factory=_loop) as runner:
        return runner.run(seated(lines))


@contextlib.contextmanager
def _lines(arguments: argparse.Namespace, hints: Hints) -> Iterator[Lines]:
    form = Form.JSON if arguments.json else Form.WORDS
    if arguments.player != "human":
        yield told_lines(form)
        return
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
        case How.GONE:
            return Status.ALONE
        case How.ALONE:
            lines.notice(notices.alone())
            return Status.ALONE
        case How.OTHER_TERMS:
            lines.notice(notices.other_terms())
            return Status.OTHER_TERMS
        case How.BROKEN | How.STOPPED | How.REJECTED:
            is_of_the_opening = ending.fault is not None and str(ending.fault.code) in OPENING
            return Status.OTHER_TERMS if is_of_the_opening else FAULTS[ending.how]
