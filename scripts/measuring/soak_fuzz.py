"""Ten minutes of almost right bytes for every decoder of the program, with little memory to take.

`python -m scripts.measuring.soak_fuzz [MINUTES] [SEED]` prints the seed; the same seed gives the same inputs.
"""

import resource
import secrets
import sys
import time
import tracemalloc
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from fuzzing.decoders import TABLE
from fuzzing.search import FoundError, search

MINUTES: Final = 10.0
TURN_S: Final = 0.1  # seconds of one decoder, then it is the next one's turn: quick ones are asked more
MEMORY: Final = 1024**3  # address space beyond what is in use when it begins
TRACED_EVERY: Final = 4  # rounds; to trace memory takes three times as long


def run(minutes: float = MINUTES, seed: int | None = None) -> None:
    """SystemExit with the input, if a decoder does anything else than it should."""
    seed = secrets.randbits(32) if seed is None else seed
    print(f"fuzz: seed {seed}, {minutes:g} minutes, {len(TABLE)} decoders", flush=True)
    for decoder in TABLE:
        decoder.examples()
    with Path("/proc/self/statm").open(encoding="ascii") as told:
        used = int(told.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    end, looked, read = time.monotonic() + 60 * minutes, Counter[str](), Counter[str]()
    turn = 0
    try:
        while time.monotonic() < end:
            if turn % TRACED_EVERY == 0:
                tracemalloc.start()
            for decoder in TABLE:
                until = min(end, time.monotonic() + TURN_S)
                numbers = range(looked[decoder.name], sys.maxsize)
                some, right = search(decoder, seed, numbers, partial(_is_past, until))
                looked[decoder.name] += some
                read[decoder.name] += right
            tracemalloc.stop()
            turn += 1
    except FoundError as found:
        raise SystemExit(f"soak: {found}") from found
    for name, count in looked.items():
        print(f"fuzz: {name}: {count:,} inputs, {100 * read[name] / max(count, 1):.0f} % of them read")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"fuzz: seed {seed}: {sum(looked.values()):,} inputs, none of them did harm, {most} MB of memory at most")


def _is_past(moment: float) -> bool:
    return time.monotonic() >= moment


if __name__ == "__main__":
    words = sys.argv[1:]
    run(float(words[0]) if words else MINUTES, int(words[1]) if words[1:] else None)
