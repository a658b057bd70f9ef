"""Check every vector with readers that import nothing of the package.

They were written from the pages in `protocol/`, so what they cannot know from there is missing there. They need the
standard library and PyNaCl: in `reading/`, `reference_*.py` count curve points in plain whole numbers, `reader/` replays whole
matches and leaves points and signatures to PyNaCl. Each room has a module there; this one does them all, one by one.
"""

import contextlib
import importlib
import io
import json
import re
import sys
from pathlib import Path
from typing import Final, Protocol, TypeGuard

ROOT: Final = Path(__file__).resolve().parent.parent
VECTORS: Final = ROOT / "protocol" / "vectors"
ROOMS: Final = ("deck", "log", "net", "rules", "session", "watch")


class Checker(Protocol):
    """A module that checks the vectors of a room."""

    CHECKS: object

    def main(self) -> None:
        """Check them all, or raise AssertionError."""


def _is_checker(module: object) -> TypeGuard[Checker]:
    return hasattr(module, "main")


def main() -> int:
    """0 if every file was checked and holds."""
    said = io.StringIO()
    for room in ROOMS:
        module = importlib.import_module(f"scripts.reading.{room}")
        if not _is_checker(module):
            raise TypeError(f"{room} has no main()")
        with contextlib.redirect_stdout(said):
            module.main()
    print(said.getvalue(), end="")
    checked = sorted(re.findall(r"^([a-z]+): \d+ vectors hold$", said.getvalue(), re.MULTILINE))
    replayed = sorted(re.findall(r"^games/([a-z]+): ", said.getvalue(), re.MULTILINE))
    if checked != _names(VECTORS) or replayed != _names(VECTORS / "games"):
        raise AssertionError(f"not every file was read: {checked}, {replayed}")
    imported = sorted(name for name in sys.modules if name.split(".")[0] == "sm_p2p")
    if imported:
        raise AssertionError(f"the readers import the package: {imported}")
    empty = [path for path in VECTORS.glob("*.json") if not json.loads(path.read_text("utf-8"))["vectors"]]
    if empty:
        raise AssertionError(f"nothing to check in {empty}")
    return 0


def _names(directory: Path) -> list[str]:
    return sorted(path.stem for path in directory.glob("*.json"))


if __name__ == "__main__":
    sys.exit(main())
