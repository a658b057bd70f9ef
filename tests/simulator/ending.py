"""How a world ends: the match is played to its end, a lie was found, or a pen rests that has signed more than is known.

Law: whatever else happens in a calm for a minute is a deadlock.
"""

import math
from collections import Counter
from typing import Final, Protocol

from simulator.laws import Laws, hold
from simulator.liar import Liar
from simulator.link import Link
from simulator.machine import Machine

from sm_p2p.errors import Code
from sm_p2p.session.match import replay
from sm_p2p.session.verdict import BLAMELESS

STALL_S: Final = 60.0
CHATTER: Final = 2_000  # frames in a calm in which nothing happens
FOUND_S: Final = 40.0  # in which a lie is heard and found, once nothing is in its way
AFTER_S: Final = 5.0  # in which whoever has stopped has little to say


class Outside(Protocol):
    """What is looked at."""

    now: float
    depth: Counter[str]
    laws: Laws
    liar: Liar | None
    link: Link
    machines: tuple[Machine, Machine]

    @property
    def match(self) -> bytes:
        """The match at the table."""


class Ending:
    """Whoever looks whether it is over."""

    def __init__(self, world: Outside) -> None:
        self._world = world
        self._progress: tuple[object, ...] = ()
        self._since = 0.0
        self._arrived = 0
        self._told_at = math.inf  # since when a lie could have been heard
        self._found: tuple[float, int] | None = None

    def wait(self) -> None:
        """The calm begins."""
        self._since, self._arrived = self._world.now, self._world.depth["arrived"]

    def is_reached(self) -> bool:
        """Whether all has happened that should; BrokenLawError if it never will, or if it is not as it should be."""
        world, laws, match = self._world, self._world.laws, self._world.match
        if world.liar is not None and world.liar.codes:
            if self._is_found(world.liar):
                return True
        elif self._is_settled() and laws.has_all_lines(match):
            self._account(match)
            return True
        hold(world.liar or not any(m.stopped for m in world.machines), "an honest match cannot be gone on with")
        papers = [laws.of(seat, match) for seat in (0, 1)] if match else []
        progress = (
            match,
            world.link.number,
            self._is_settled(),
            *(len(held) for p in papers for held in (p.ids, p.heard, p.evidence)),
        )
        if progress != self._progress:
            self._progress, self._since, self._arrived = progress, world.now, world.depth["arrived"]
        if not world.link.is_up:
            self._since = world.now
        hold(world.depth["arrived"] - self._arrived < CHATTER, "the two talk without end")
        return world.now - self._since > STALL_S and self._is_resting(match)

    def _is_settled(self) -> bool:
        sessions = [machine.session for machine in self._world.machines]
        return all(session is not None and session.is_settled for session in sessions)

    def _is_resting(self, match: bytes) -> bool:
        world = self._world
        resting = [machine for machine in world.machines if match and world.laws.rests(machine.seat, match)]
        hold(resting, "both wait for ever")
        for machine in resting:
            is_ready = machine.session is not None and machine.session.is_caught_up
            hold(not is_ready, f"seat {machine.seat} would sign although it has signed more than it knows")
        world.depth["rests"] += 1
        return True

    def _is_found(self, liar: Liar) -> bool:
        """Whether the honest side has stopped; then for the right reason, with the proof, and for good."""
        world = self._world
        honest = world.machines[1 - liar.seat]
        has_stopped = honest.session is not None and honest.session.stopped is not None
        if not has_stopped and not honest.stopped:
            self._told_at = min(self._told_at, world.now) if world.link.is_up else math.inf
            hold(world.now - self._told_at < FOUND_S, "a lie was not found")
            return False
        if has_stopped:
            if self._found is None:
                self._found = world.now, world.depth["arrived"]
            if world.now - self._found[0] < AFTER_S:
                return False
            hold(world.depth["arrived"] - self._found[1] < CHATTER // 10, "the two talk without end after a stop")
        match = next(iter(honest.stopped), honest.match)
        for _, stop in world.laws.stops:
            hold(stop.code in liar.codes, f"a lie of {liar.codes} is called {stop.code}")
            hold((stop.guilty is None) == (stop.code in BLAMELESS), f"{stop.code} is held against {stop.guilty}")
            world.depth[f"found: {Code(stop.code)}"] += 1
        papers = world.laws.of(honest.seat, match)
        hold(liar.proof in papers.evidence, "the proof of a lie was not kept")
        held = honest.disk.entries(match)
        hold(liar.proof not in held, "a lie was taken over")
        hold(replay(held).chain.seq == len(held), "the log of the honest side is not valid")
        honest.fall()
        hold(not honest.resume(match), "a match that has stopped is gone on with")
        world.depth[f"plot: {liar.how}"] += 1
        return True

    def _account(self, match: bytes) -> None:
        """The two hold the same, and whoever starts again holds the same still."""
        world = self._world
        host, guest = (machine.session for machine in world.machines)
        assert host is not None
        assert guest is not None
        hold(host.match == guest.match, "the two matches differ")
        hold(world.laws.of(0, match).ids == world.laws.of(1, match).ids, "the two logs differ")
        for machine in world.machines:
            machine.fall()
            hold(machine.resume(match), "a match that is over cannot be read again")
            hold(machine.session is not None and machine.session.match == host.match, "a restart sees another match")
        world.depth["entries"] += len(host.entries)
        world.depth["games"] += len(host.match.outcomes)
        world.depth["closed"] += 1
