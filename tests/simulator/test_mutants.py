"""Each mistake of a core is seen by the simulator, within a part of the steps that it takes in every run.

A mutant that survives means that a law is missing, or that no world gets so far.
"""

from typing import Final

import pytest
from simulator.laws import BrokenLawError
from simulator.mutants import MUTANTS, Mutant, made
from simulator.stage import Stage

STEPS: Final = 20_000


def lifetime(mutant: Mutant, stage: Stage) -> int:
    """How many steps a core with this mistake lives."""
    steps = seed = 0
    with made(mutant):
        while steps < STEPS:
            world = stage.world(seed, mutant.plot)
            try:
                world.run()
            except BrokenLawError:
                return steps + world.steps
            seed += 1
            steps += world.steps
    return STEPS


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mistake_is_seen(mutant: Mutant, stage: Stage) -> None:
    assert lifetime(mutant, stage) < STEPS, f"nobody has noticed that {mutant.name}"


def test_a_mutant_is_the_real_core_again_afterwards(stage: Stage) -> None:
    for mutant in MUTANTS:
        with made(mutant):
            pass
    assert stage.run(0).depth["closed"] == 1
