"""The same worlds, driven step by step, so that what goes wrong is found again in the shortest way."""

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from simulator.laws import BrokenLawError
from simulator.machine import Machine
from simulator.mutants import MUTANTS, made
from simulator.stage import Stage
from simulator.weather import CALM, OUTAGES, YESTERDAY, Weather
from simulator.world import World

REPEATABLE: Final = settings(derandomize=True, deadline=None, max_examples=8, stateful_step_count=20)
WEATHERS: Final = (Weather(drop=1.0), Weather(drop=0.4, repeat=0.4, late=0.5, latest=3.0), OUTAGES, YESTERDAY)
SEATS: Final = st.integers(0, 1)


class ByHand(RuleBasedStateMachine):
    """One world, in the calm unless something is done to it."""

    def __init__(self, stage: Stage, seed: int = 0) -> None:
        super().__init__()
        self.world: World = stage.world(seed, "by hand")

    def teardown(self) -> None:
        """Whatever was done, both come to the end."""
        if not self.world.is_over:
            self.world.end_storm()
        self.world.run()

    def wait(self, steps: int) -> None:
        """So many steps."""
        while steps and not self.world.is_over:
            self.world.step()
            steps -= 1

    @rule(count=st.integers(1, 20))
    def play(self, count: int) -> None:
        """The match goes on by so many entries, as long as nothing takes too long."""
        until = self.held + count
        for _ in range(30 * count):
            if self.world.is_over or self.held >= until:
                return
            self.world.step()

    @property
    def held(self) -> int:
        """How many entries one of the two holds."""
        return max(len(machine.session.entries) if machine.session else 0 for machine in self.world.machines)

    @rule(weather=st.sampled_from(WEATHERS), steps=st.integers(1, 60))
    def storm(self, weather: Weather, steps: int) -> None:
        """Bad weather for a while."""
        self.world.weather = weather
        self.wait(steps)
        self.world.weather = CALM

    @rule(
        seat=SEATS, steps=st.integers(0, 5), act=st.sampled_from([World.kill, World.resign, World.talk, World.put_back])
    )
    def do(self, seat: int, steps: int, act: Callable[[World, Machine], None]) -> None:
        """Something comes over one of the two, and a little later both are backed up."""
        if self.world.is_over:
            return
        act(self.world, self.world.machines[seat])
        self.wait(steps)
        for machine in self.world.machines:
            self.world.back_up(machine)

    @rule(steps=st.integers(0, 5))
    def cut(self, steps: int) -> None:
        """The connection is lost."""
        if not self.world.is_over:
            self.world.link.cut()
        self.wait(steps)


def run_by_hand(stage: Stage, how: settings) -> None:
    """As many worlds as it takes."""

    class Here(ByHand):
        """On this stage."""

        def __init__(self) -> None:
            super().__init__(stage)

    run_state_machine_as_test(Here, settings=how)


def test_whatever_is_done_to_two_sides_they_come_to_the_end(stage: Stage) -> None:
    run_by_hand(stage, REPEATABLE)


def test_a_mistake_is_seen_by_hand_too(stage: Stage) -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "nothing is said twice")
    with made(mutant), pytest.raises(BrokenLawError):
        run_by_hand(stage, settings(REPEATABLE, phases=[Phase.generate]))
