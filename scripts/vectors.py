"""Write `protocol/vectors/`, or with `--check` say what in it is not as it would be written.

In `making/` the module of each room has `build()`, which gives files by name: a JSON value, text, or bytes.
"""

import argparse
import importlib
import json
import sys
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final, Protocol, TypeGuard

ROOT: Final = Path(__file__).resolve().parent.parent
VECTORS: Final = ROOT / "protocol" / "vectors"
ROOMS: Final = ("deck", "log", "net", "rules", "session", "watch")


class Builder(Protocol):
    """A module of vectors."""

    def build(self) -> Mapping[str, object]:
        """File names and contents."""


def builders() -> Iterator[tuple[str, Builder]]:
    """The rooms in the order of their names, and the module of each."""
    for room in ROOMS:
        module = importlib.import_module(f"scripts.making.{room}")
        if not _is_builder(module):
            raise TypeError(f"{room} has no build()")
        yield room, module


def _is_builder(module: object) -> TypeGuard[Builder]:
    return hasattr(module, "build")


def contents(builder: Builder) -> dict[str, bytes]:
    """The files of a room by name, as they have to be."""
    return {name: _bytes(content) for name, content in builder.build().items()}


def _bytes(content: object) -> bytes:
    if isinstance(content, bytes):
        return content
    text = content if isinstance(content, str) else json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    return text.encode()


def differing(builder: Builder) -> list[str]:
    """The names of the files of a room that are missing or differ."""
    wanted = contents(builder).items()
    return [
        name for name, content in wanted if not (VECTORS / name).is_file() or (VECTORS / name).read_bytes() != content
    ]


def unknown(known: AbstractSet[str]) -> list[str]:
    """The files that no module writes."""
    there = {path.relative_to(VECTORS).as_posix() for path in VECTORS.rglob("*") if path.is_file()}
    return sorted(there - known)


def main() -> int:
    """0, or with `--check` 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    is_check = parser.parse_args().check
    wanted: dict[str, bytes] = {}
    for room, builder in builders():
        files = contents(builder)
        if twice := files.keys() & wanted.keys():
            raise AssertionError(f"{room} writes what another room writes: {twice}")
        wanted |= files
    found = [f"{name} is written by no module" for name in unknown(wanted.keys())]
    for name, content in wanted.items():
        path = VECTORS / name
        if path.is_file() and path.read_bytes() == content:
            continue
        if is_check:
            found.append(f"{name} is missing or differs")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    print("\n".join(found) or f"{len(wanted)} files of vectors are up to date", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
