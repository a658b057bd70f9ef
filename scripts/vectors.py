"""Write `protocol/vectors/`, or with `--check` say what in it is not as it would be written.

Every module `vectors_ROOM.py` beside this one has `build()`, which gives files by name: a JSON value, text, or bytes.
Modules with a longer name belong to the room before it.
"""

import argparse
import importlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol, TypeGuard

ROOT: Final = Path(__file__).resolve().parent.parent
VECTORS: Final = ROOT / "protocol" / "vectors"


class Builder(Protocol):
    """A module of vectors."""

    def build(self) -> Mapping[str, object]:
        """File names and contents."""


def builders() -> Iterator[Builder]:
    """The modules, in the order of their names."""
    for path in sorted((ROOT / "scripts").glob("vectors_*.py")):
        module = importlib.import_module(f"scripts.{path.stem}")
        if path.stem.count("_") == 1:
            if not _is_builder(module):
                raise TypeError(f"{path.name} has no build()")
            yield module


def _is_builder(module: object) -> TypeGuard[Builder]:
    return hasattr(module, "build")


def contents() -> dict[str, bytes]:
    """Every file of `protocol/vectors/` by its name there, as it has to be."""
    found: dict[str, bytes] = {}
    for builder in builders():
        for name, content in builder.build().items():
            if name in found:
                raise AssertionError(f"two modules write {name}")
            found[name] = _bytes(content)
    return found


def _bytes(content: object) -> bytes:
    if isinstance(content, bytes):
        return content
    text = content if isinstance(content, str) else json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    return text.encode()


def differences(wanted: Mapping[str, bytes]) -> list[str]:
    """A sentence for every file that is not as wanted."""
    there = {str(path.relative_to(VECTORS)): path.read_bytes() for path in VECTORS.rglob("*") if path.is_file()}
    return [
        *(f"{name} is missing" for name in sorted(wanted.keys() - there.keys())),
        *(f"{name} is written by no module" for name in sorted(there.keys() - wanted.keys())),
        *(f"{name} differs" for name in sorted(wanted.keys() & there.keys()) if wanted[name] != there[name]),
    ]


def main() -> int:
    """0, or with `--check` 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    wanted = contents()
    if parser.parse_args().check:
        found = differences(wanted)
        print("\n".join(found) or f"{len(wanted)} files of vectors are up to date", file=sys.stderr)
        return int(bool(found))
    for name, content in wanted.items():
        path = VECTORS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for line in differences(wanted):
        print(line, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
