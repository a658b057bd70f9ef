"""Check every vector with readers that import nothing of the package.

They were written from the pages in `protocol/`, so what they cannot know from there is missing there. They need the
standard library and PyNaCl: in `reading/`, `reference_*.py` count curve points in plain whole numbers, `reader/` replays whole
matches and leaves points and signatures to PyNaCl. Each room has a module there; this one does them all, one by one.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Final, Protocol, TypeGuard

ROOT: Final = Path(__file__).resolve().parent.parent
VECTORS: Final = ROOT / "protocol" / "vectors"
ROOMS: Final = ("deck", "log", "net", "rules", "session")


class Checker(Protocol):
    """A module that checks the vectors of a room."""

    CHECKS: object

    def main(self) -> None:
        """Check them all, or raise AssertionError."""


def _is_checker(module: object) -> TypeGuard[Checker]:
    return hasattr(module, "main")


def main() -> int:
    """0 if every file was checked and holds."""
    for room in ROOMS:
        module = importlib.import_module(f"scripts.reading.{room}")
        if not _is_checker(module):
            raise TypeError(f"{room} has no main()")
        module.main()
    imported = sorted(name for name in sys.modules if name.split(".")[0] == "sm_p2p")
    if imported:
        raise AssertionError(f"the readers import the package: {imported}")
    files = [path for path in VECTORS.glob("*.json") if not json.loads(path.read_text("utf-8"))["vectors"]]
    if files:
        raise AssertionError(f"nothing to check in {files}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
