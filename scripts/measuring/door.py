"""How soon the command line answers, beside a bare interpreter that does nothing. `python -m scripts.measuring.door`."""

import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final

from scripts.measuring.row import Row

ROUNDS: Final = 9
AIM: Final = "aim: under 150 ms on a machine where bare Python takes 20 ms"


def seconds(words: Sequence[str]) -> float:
    """The fastest of several runs of this interpreter with these words."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own words
        times.append(time.perf_counter() - began)
    return min(times)


def rows() -> list[Row]:
    """All rows."""
    bare = seconds(["-c", "pass"])
    said = [Row("door: bare python -c pass", round(1000 * bare, 1), "ms", "")]
    for words in (["--help"], ["--version"], ["--help", "--lang", "pt"]):
        took = seconds(["-m", "sm_p2p", *words])
        note = f"{took / bare:.1f} × bare Python; {AIM}"
        said.append(Row(f"door: sm-p2p {' '.join(words)}", round(1000 * took, 1), "ms", note))
    return said
