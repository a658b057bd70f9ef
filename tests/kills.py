"""A match between two computers who are killed again and again, and come back each time.

Law: whatever was told is in the file of whoever told it; what a file held once, it holds for ever; nobody signs twice.
"""

import contextlib
import select
import socket
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

from apart import (
    COMPUTER,
    LOOPBACK,
    SHORT,
    all_entries,
    entries_of,
    entries_told,
    hosting,
    invite_of,
    is_whole,
    joining,
    log_of,
)
from processes import DEADLINE_S, Run

from sm_p2p.log.entry import read_envelope
from sm_p2p.net.invite import Invite
from sm_p2p.session.events import REVEALED

LATEST_S: Final = 1.5  # a kill by the clock comes within this time
STARTING_S: Final = 0.6  # before that a process that was just begun can hardly open its table
GLANCE_S: Final = 0.0002  # between two looks at a file; a write takes about as long
MOST_GROWTHS: Final = 6
MOST_STARTS: Final = 1_000


class Moment(StrEnum):
    """When somebody is killed."""

    START = "before its table is open"
    CLOCK = "by the clock"
    LOG = "as its log grows"
    MARK = "as its mark changes"
    KEY = "as a key is opened"  # the match may be over for the other one then


IN_A_GAME: Final = (Moment.CLOCK, Moment.LOG, Moment.MARK)


@dataclass
class Player:
    """One side: its home, its process if it runs, and the entries that its files were seen to hold."""

    home: Path
    run: Run | None = None
    held: dict[Path, tuple[bytes, ...]] = field(default_factory=dict)
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    @property
    def is_running(self) -> bool:
        """Whether its process lives."""
        return self.run is not None and self.run.process.poll() is None

    def begin(self, run: "contextlib.AbstractContextManager[Run]") -> Run:
        """Let this process play here."""
        self.run = self._stack.enter_context(run)
        return self.run

    def end(self) -> int:
        """The exit status of its process; what it told is in its file, and so is what was there before."""
        assert self.run is not None
        status = self.run.end()
        held = all_entries(self.home)
        for path, entries in self.held.items():
            is_kept = held.get(path, ())[: len(entries)] == entries
            assert is_kept or (path not in held and len(entries) == 1), "a file has lost what it held"
        stored = {(at, read_envelope(raw).id.hex()) for raws in held.values() for at, raw in enumerate(raws, 1)}
        told = entries_told(self.run)
        assert stored.issuperset(told), "what was told is in no file"
        assert all(later == earlier + 1 or later in {1, 2} for (earlier, _), (later, _) in pairwise(told))
        assert not self.run.errors, self.run.errors
        self._stack.close()
        self.run, self.held = None, held
        return status

    def close(self) -> None:
        """End its process, whatever it does."""
        self._stack.close()

    def changes(self, moment: Moment) -> int:
        """A number that changes when this happens to its files."""
        match moment:
            case Moment.LOG:
                path = log_of(self.home)
                return 0 if path is None else path.stat().st_size
            case Moment.MARK:
                return max((path.stat().st_ino for path in (self.home / "keys").glob("*.signed")), default=0)
            case Moment.KEY:
                return sum(read_envelope(raw).kind == REVEALED for raw in entries_of(self.home)[-1:])
            case _:
                return 0


class Killing:
    """A table at which nobody is safe; its invite leads to the same port each time."""

    def __init__(self, home: Path, dice: Random, variant: str = SHORT, moments: Sequence[Moment] = IN_A_GAME) -> None:
        self.ana, self.bo = Player(home / "a"), Player(home / "b")
        self.kills: Counter[Moment] = Counter()
        self.statuses: Counter[int] = Counter()
        self._dice = dice
        self._variant = variant
        self._moments = moments
        self._port = a_free_port()
        self._invite: Invite | None = None

    @property
    def both(self) -> tuple[Player, Player]:
        """The host and the guest."""
        return self.ana, self.bo

    def play(self, kills: int) -> None:
        """Play one match to its end, in which so many are killed, unless it ends before."""
        with contextlib.ExitStack() as stack:
            for player in self.both:
                stack.callback(player.close)
            for _ in range(MOST_STARTS):
                is_due = self.kills.total() < kills
                if self._start(is_due=is_due):
                    self._let_play(is_due=is_due)
                is_over = all(is_whole(player.home) for player in self.both)
                for player in self.both:
                    if player.run is not None and (is_over or not player.is_running):
                        self.statuses[player.end()] += 1
                if is_over:
                    return
        raise AssertionError(f"{MOST_STARTS} starts, and no end")

    def _start(self, *, is_due: bool) -> bool:
        """Let both come (again); False if the host was killed before his table was open."""
        if self.ana.run is None:
            host = self.ana.begin(hosting(self.ana.home, *COMPUTER, "--port", str(self._port), variant=self._variant))
            if is_due and self._dice.random() < 0.2:
                pause(self._dice.uniform(0, STARTING_S))
                self._kill(self.ana, Moment.START)
                return False
            self._invite = invite_of(host)
        if self.bo.run is None:
            assert self._invite is not None
            self.bo.begin(joining(self.bo.home, self._invite, *COMPUTER))
        return True

    def _let_play(self, *, is_due: bool) -> None:
        """Wait until somebody's moment has come, or until somebody has ended."""
        victims = self._dice.choice([(self.ana,), (self.bo,), self.both])
        moment = self._dice.choice(self._moments)
        left = 1 if moment is Moment.KEY else self._dice.randint(1, MOST_GROWTHS)
        end = time.monotonic() + (self._dice.uniform(0, LATEST_S) if is_due and moment is Moment.CLOCK else DEADLINE_S)
        was = victims[0].changes(moment)
        while left and all(player.is_running for player in self.both) and time.monotonic() < end:
            pause(GLANCE_S)
            now = victims[0].changes(moment)
            left -= is_due and now > was if moment is Moment.KEY else is_due and now != was
            was = now
        if is_due:
            for victim in victims:
                self._kill(victim, moment)

    def _kill(self, victim: Player, moment: Moment) -> None:
        if victim.run is not None and victim.is_running:
            victim.run.process.kill()
            victim.run.process.wait(DEADLINE_S)
            self.kills[moment] += 1


def pause(seconds: float) -> None:
    """Let others go on for so long."""
    select.select([], [], [], seconds)


def a_free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])
