"""A log with every byte changed, cut at every byte, and a whole match changed at ten thousand places.

`python -m scripts.measuring.soak_files [STEP]` looks at every STEP-th byte only.
"""

import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from tampering import Honest
from watch.files import begun, ended

ENTRIES: Final = 15  # an opening and ten more
RANDOM: Final = 10_000
TABLES: Final = 50  # a replay of every fiftieth is looked at as well


def flips(honest: Honest, dice: Random, places: Iterable[int]) -> Iterator[tuple[bytes, int]]:
    """The file with one bit of each place changed, and that with a good checksum."""
    for place in places:
        mask = 1 << dice.randrange(8)
        yield honest.flipped(place, mask), place
        mended = honest.mended(place, mask)
        if mended is not None:
            yield mended, place


def look(what: str, honest: Honest, changed: Iterable[tuple[bytes, int]]) -> None:
    """AssertionError at the first about which something wrong is said."""
    began = time.monotonic()
    count = 0
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "log"
        for raw, place in changed:
            count += 1
            honest.look(path, raw, place)
            if count % TABLES == 0:
                honest.look_at_table(path, honest.entries_before(place))
    print(f"files: {what}: {count} files, {time.monotonic() - began:.0f} s", flush=True)


def run(step: int = 1) -> None:
    """All of it; AssertionError when something is not as it should be."""
    dice = Random(1)  # noqa: S311 - the same damage every time
    whole = ended(begun())
    opening = Honest(whole[:ENTRIES])
    places = range(0, len(opening.raw), step)
    look("every byte", opening, flips(opening, dice, places))
    look("every end", opening, ((opening.raw[:cut], cut) for cut in places))
    match = Honest(whole)
    somewhere = (dice.randrange(len(match.raw)) for _ in range(RANDOM // step))
    look("a whole match", match, flips(match, dice, somewhere))


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
