"""Two sides in any weather, with any lie: the laws hold at every step, and in the calm both come to the end.

A world that breaks a law is told with its seed; `scripts/soak simulator SEED` plays it again, and then the ones behind it.
"""

from collections import Counter
from typing import Final

import pytest
from simulator.group import dear
from simulator.stage import Stage
from simulator.stage import stage as stages
from simulator.world import PLOTS

PARTS: Final = 4
STEPS: Final = 25_000  # of each part
SEEDS: Final = 1_000  # more than a part needs

DEPTH: Final = {
    "arrived": 8_000,
    "lost": 1_000,
    "damaged": 50,
    "entries": 500,
    "games": 25,
    "closed": 15,
    "kills": 100,
    "torn": 4,
    "resumed": 120,
    "connections": 150,
    "put back: machine": 6,
    "put back: data": 5,
    "put back: log": 3,
    "put back: lost": 2,
    "Recovered": 6,
    "Said": 150,
    "resigned": 10,
    "adopted": 5,
    "beginnings": 25,
    "killed in state 6": 60,
}
"""How deep the worlds of one part get at least: what happened how often."""


@pytest.mark.parametrize("part", range(PARTS))
def test_no_weather_and_no_lie_breaks_a_law(part: int, stage: Stage) -> None:
    depth: Counter[str] = Counter()
    steps = 0
    for seed in range(part * SEEDS, (part + 1) * SEEDS):
        world = stage.run(seed)
        depth += world.depth
        steps += world.steps
        if steps >= STEPS:
            break
    assert steps >= STEPS
    shallow = {name: (depth[name], least) for name, least in DEPTH.items() if depth[name] < least}
    assert not shallow, f"in {steps} steps: {shallow}"
    states = {state for state in range(2, 11) if depth[f"killed in state {state}"]}
    assert len(states) >= 7, f"nobody was killed in the states {set(range(2, 11)) - states}"
    found = {name: count for name, count in depth.items() if name.startswith("found: ")}
    assert len(found) >= 2, f"of all lies only {found} were told and found"


@pytest.mark.parametrize("plot", sorted(set(PLOTS)))
def test_a_seed_tells_the_same_story_again(plot: str, stage: Stage) -> None:
    first, second = (stage.world(7, plot, is_told=True).run() for _ in range(2))
    assert first.story == second.story
    assert first.depth == second.depth


def test_the_real_mathematics_changes_nothing() -> None:
    """A short match over a bad link, with real keys, shuffles and proofs, each of them made and checked."""
    with stages(dear()) as place:
        world = place.run(4, "outages")
    assert world.depth["closed"] == 1
    assert world.depth["kills"] > 0
