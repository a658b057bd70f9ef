"""Quick matches between two people at two full screens, played by keys alone from what stands there.

Each is two processes at two pseudo-terminals; how long it took and what its log holds is printed.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from cli.two_screens import played_by_keys

VARIANT: Final = "quick"
MATCHES: Final = 5


def run() -> None:
    """Play them; AssertionError with the screen on which nothing went on."""
    for number in range(1, MATCHES + 1):
        with tempfile.TemporaryDirectory() as directory:
            began = time.monotonic()
            report = played_by_keys(Path(directory), VARIANT)
            counts = report.counts
            print(
                f"match {number}: {report.score[0]} : {report.score[1]}, {counts.games} games, {counts.moves} moves, "
                f"{counts.entries} entries, {time.monotonic() - began:.1f} s"
            )
    print(f"screens: {MATCHES} matches by keys alone, the same bytes on both sides, good")
