"""Worlds of two honest sides, or of one and a liar, one seed after the other for some minutes (`tests/simulator`).

`python -m scripts.measuring.soak_simulator [SEED]` begins with this seed and stops at the first law that is broken.
"""

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from simulator.laws import BrokenLawError
from simulator.stage import stage

SOAK_S: Final = 300.0
EVERY: Final = 100  # worlds between two words about them


def run(seed: int = 0) -> None:
    """Play worlds and print how deep they got; SystemExit with the story of one that breaks a law."""
    began = time.monotonic()
    depth: Counter[str] = Counter()
    steps = count = 0
    with stage() as place:
        while time.monotonic() - began < SOAK_S:
            try:
                world = place.run(seed + count)
            except BrokenLawError as broken:
                raise SystemExit(f"soak: {broken}") from broken
            depth += world.depth
            steps += world.steps
            count += 1
            if count % EVERY == 0:
                print(f"{count} worlds, {steps} steps, {depth['entries']} entries", flush=True)
    for name, number in sorted(depth.items()):
        print(f"{number:9}  {name}")
    print(f"seeds {seed} to {seed + count - 1}: {steps} steps, no law was broken")


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
