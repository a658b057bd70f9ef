"""Sitting down: who sits there, the loop around it, line mode, and what the shell is told in the end."""

import argparse
import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from sm_p2p.bot.advice import advise
from sm_p2p.bot.opponents import find
from sm_p2p.cli.chair import Chair, Face, ShowInvite
from sm_p2p.cli.settings import options_of
from sm_p2p.cli.shelf import Shelved
from sm_p2p.cli.status import Status
from sm_p2p.cli.words import check_name, kind_of_screen, name_of, places_of, variant_of
from sm_p2p.deck.group import self_test
from sm_p2p.errors import Code
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.lobby import Seat
from sm_p2p.peer.player import Automaton
from sm_p2p.rules.variant import Hints
from sm_p2p.store.keys import Identity
from sm_p2p.store.options import Options
from sm_p2p.store.peers import Peers
from sm_p2p.stream import Stream
from sm_p2p.ui import notices
from sm_p2p.ui.lines import Form, standard_lines, told_lines

DICE_BYTES: Final = 16
BOT_PATIENCE_S: Final = 60.0  # how long a computer waits for somebody whose link was lost
OPENING: Final = {Code.OTHER_VERSION, Code.OTHER_VARIANT, Code.OTHER_CONSTANTS, Code.BAD_VARIANT}
FAULTS: Final = {How.BROKEN: Status.BROKEN, How.STOPPED: Status.FAILED, How.REJECTED: Status.FAILED}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a player wants where matches wait: any of them, a new one (`is_new`), or one of them only, perhaps to resign."""

    is_new: bool = False
    only: Shelved | None = None
    resigns: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """The matches that may be gone on with at a table, and what the table becomes by what is wanted."""

    waiting: Callable[[Seat], Sequence[Shelved]]
    taken: Callable[[Wanted], "Occasion"]


@dataclass(frozen=True, slots=True)
class Occasion:
    """One table to sit down at.

    The work there, how long to wait for the other side, whether hints are allowed, whether we are the host of it,
    whether we are here to resign, and what a person is asked before.
    """

    work: Callable[[Seat, Chair], Awaitable[Ending]]
    wait: float | None = None
    hints: Hints = Hints.NO
    is_ours: bool = True
    resigns: bool = False
    offer: Offer | None = None


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in this process, and how."""

    arguments: argparse.Namespace
    options: Options
    seat: Seat
    is_first: bool  # whether this is the first start of all
    is_on_screen: bool

    @property
    def is_computer(self) -> bool:
        """Whether a computer sits here."""
        return bool(self.arguments.player != "human")


def sit(sitter: Sitter, occasion: Occasion) -> int:
    """Sit down once in line mode; what the shell is to be told."""
    return run(partial(_in_lines, sitter, occasion))


def sitter_of(arguments: argparse.Namespace) -> Sitter:
    """Who sits down with these words.

    The words are read before the disk is touched, and nobody is asked for a name before everything else is in order.
    """
    self_test()
    variant_of(arguments)
    for computer in {arguments.player, arguments.opponent if "opponent" in arguments else "human"} - {"human"}:
        find(computer)
    if arguments.name is not None:
        check_name(arguments.name)
    places = places_of(arguments)
    is_first = not places.identity.exists()
    options = options_of(places)
    is_on_screen = kind_of_screen(arguments, options) == "screen"
    identity = Identity.load_or_create(places.identity)
    if arguments.player == "human":
        Peers.load(places.peers)  # without which everybody whom he knows would be a stranger, also with a changed key
    patience = BOT_PATIENCE_S if arguments.player != "human" else None
    seat = Seat(places, identity, name_of(arguments, places, options), wait=arguments.wait, patience=patience)
    return Sitter(arguments, options, seat, is_first, is_on_screen)


def run(work: Callable[[], Awaitable[int]]) -> int:
    """Run it on a loop that can watch file descriptors, which zmq needs and Windows' own loop cannot."""

    async def main() -> int:
        return await work()

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(main())


async def seated(
    sitter: Sitter, occasion: Occasion, face: Face, show: ShowInvite | None = None
) -> tuple[Chair, Ending]:
    """One match at one table; `show` presents the invite where a notice would not do."""
    stays = not occasion.is_ours if sitter.is_computer else sitter.is_on_screen
    chair = Chair(face, _automaton(sitter, stays=stays) if sitter.is_computer else None, show)
    chair.resigns = occasion.resigns
    if not sitter.is_on_screen:  # which attends the signals itself
        chair.attend()
    if sitter.arguments.tied:
        chair.tie_to_input()
    wait = occasion.wait if sitter.seat.wait is None else sitter.seat.wait
    try:
        is_wary = not sitter.is_computer and occasion.hints is not Hints.YES  # which is the computer's table
        return chair, await occasion.work(replace(sitter.seat, wait=wait, stays=stays, is_wary=is_wary), chair)
    finally:
        chair.close()


def _automaton(sitter: Sitter, *, stays: bool) -> Automaton:
    """The computer that sits here, with dice that nobody knows."""
    words = sitter.arguments
    dice = Stream("SM1/player", os.urandom(DICE_BYTES))
    return Automaton(find(words.player)(dice), stays=stays, pause=words.pause or 0.0)


async def _in_lines(sitter: Sitter, occasion: Occasion) -> int:
    form = Form.JSON if sitter.arguments.json else Form.WORDS
    with contextlib.ExitStack() as stack:
        if sitter.is_computer:
            lines = told_lines(form)
        else:
            lines = stack.enter_context(standard_lines(form, adviser=advise, hints=occasion.hints))
            if sitter.is_first:
                lines.notice(notices.first_start())
        chair, ending = await seated(sitter, occasion, lines)
        if chair.status is None and (sentence := unsaid(ending)) is not None:
            lines.notice(sentence)
        return chair.status or status_of(ending)


def status_of(ending: Ending) -> Status:
    """What the shell is told about an ending."""
    match ending.how:
        case How.FINISHED | How.AGAIN | How.LEFT | How.UNSEATED | How.SENT_AWAY:
            return Status.OK
        case How.GONE | How.ALONE:
            return Status.ALONE
        case How.OTHER_TERMS:
            return Status.OTHER_TERMS
        case How.REFUSED:
            return Status.FAILED
        case How.BROKEN | How.STOPPED | How.REJECTED:
            is_of_the_opening = ending.fault is not None and str(ending.fault.code) in OPENING
            return Status.OTHER_TERMS if is_of_the_opening else FAULTS[ending.how]


def unsaid(ending: Ending) -> str | None:
    """The sentence of an ending that the player has not heard yet."""
    match ending.how:
        case How.ALONE:
            return notices.alone()
        case How.OTHER_TERMS:
            return notices.other_terms()
        case _:
            return None
