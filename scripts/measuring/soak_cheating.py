"""Every lie of the vectors told to a real process, where the suite tells one of each kind (`tests/cheating`).

`python -m scripts.measuring.soak_cheating`.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
TESTS: Final = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/cheating"]


def run() -> None:
    """SystemExit when one of them is not answered as it should be."""
    environment = {**os.environ, "SM_P2P_ALL_LIES": "1"}
    if subprocess.run(TESTS, cwd=ROOT, env=environment, check=False).returncode:  # noqa: S603 - our own words
        raise SystemExit("soak: a lie was not answered as it should be")


if __name__ == "__main__":
    run()
