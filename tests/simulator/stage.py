"""Where worlds are played, one after the other, and how one that broke a law is told.

Law: whatever goes wrong in a world is told with its seed, its last moments, and the command that plays it again.
"""

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final

from simulator.disk import Machines, simulated
from simulator.group import Memory, cheap
from simulator.laws import BrokenLawError
from simulator.world import World

MOMENTS: Final = 40  # lines of a story that went wrong
ELSEWHERE: Final = "quick,pay_off=6"  # no other world plays this


class Stage:
    """A place for worlds, and the frames of another match between the same two."""

    def __init__(self, machines: Machines, memory: Memory) -> None:
        self._machines = machines
        self._memory = memory
        self._elsewhere: Sequence[bytes] = ()
        other = self.world(1, "outages")
        other.variant = ELSEWHERE
        self._elsewhere = tuple(frame for _, frame in other.run().link.posted)

    def world(self, seed: int, plot: str = "", *, is_told: bool = False) -> World:
        """A world that has just begun; the one before is over with it."""
        return World(seed, self._machines, self._memory, self._elsewhere, plot, is_told=is_told)

    def run(self, seed: int, plot: str = "") -> World:
        """A world that has come to its end; BrokenLawError with its story if it has not."""
        try:
            return self.world(seed, plot).run()
        except Exception as broken:  # whatever it is, it is told with its seed
            told = self.world(seed, plot, is_told=True)
            with contextlib.suppress(Exception):
                told.run()
            story = "\n".join(told.story[-MOMENTS:])
            again = f"stage.run({seed}, {plot!r})" if plot else f"scripts/soak simulator {seed}"
            raise BrokenLawError(f"{story}\nplot {told.plot}, seed {seed}: {broken!r}\nonce more: {again}") from broken


@contextlib.contextmanager
def stage(mathematics: AbstractContextManager[Memory] | None = None) -> Iterator[Stage]:
    """A stage for as long as the block lasts; the mathematics costs nothing unless it is chosen otherwise."""
    with mathematics or cheap() as memory, simulated() as machines:
        yield Stage(machines, memory)
