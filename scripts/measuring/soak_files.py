"""A log with every byte changed, cut at every byte, and a whole match changed at ten thousand places.

`python -m scripts.measuring.soak_files [STEP]` looks at every STEP-th byte only.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from tampering import Honest
from watch.files import begun, ended

ENTRIES: Final = 15  # an opening and ten more
RANDOM: Final = 10_000
TABLES: Final = 50  # a replay of every fiftieth is looked at as well
WHOLE: Final = 20  # what the checksums tell is verified to the end at every twentieth

Changed: TypeAlias = Iterable[tuple[bytes | None, int]]


def read(what: str, honest: Honest, changed: Changed) -> None:
    """Files whose checksums tell what was changed: AssertionError at the first that is read any further."""
    with _told(what) as (path, count):
        for raw, place in changed:
            assert raw is not None
            count[what] += 1
            honest.read(raw, place)
            if count[what] % WHOLE == 0:
                honest.look(path, raw, place)


def look(what: str, honest: Honest, changed: Changed) -> None:
    """Any files: AssertionError at the first about which something wrong is said."""
    with _told(what) as (path, count):
        for raw, place in changed:
            if raw is not None:
                count[what] += 1
                honest.look(path, raw, place)
                if count[what] % TABLES == 0:
                    honest.look_at_table(path, honest.entries_before(place))


@contextmanager
def _told(what: str) -> Iterator[tuple[Path, Counter[str]]]:
    began = time.monotonic()
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory) / "log", count
    print(f"files: {what}: {count[what]} files, {time.monotonic() - began:.0f} s", flush=True)


def run(step: int = 1) -> None:
    """All of it; AssertionError when something is not as it should be."""
    dice = Random(1)  # noqa: S311 - the same damage every time
    whole = ended(begun())
    opening = Honest(whole[:ENTRIES])
    places = range(0, len(opening.raw), step)
    read("every byte", opening, ((opening.flipped(place, 1 << dice.randrange(8)), place) for place in places))
    read("every end", opening, ((opening.raw[:cut], cut) for cut in places))
    look("every byte, checksum mended", opening, ((opening.mended(at, 1 << dice.randrange(8)), at) for at in places))
    match = Honest(whole)
    somewhere = [(dice.randrange(len(match.raw)), 1 << dice.randrange(8)) for _ in range(RANDOM // step)]
    look("a whole match", match, ((match.flipped(place, mask), place) for place, mask in somewhere))
    look("a whole match, checksum mended", match, ((match.mended(place, mask), place) for place, mask in somewhere))


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
