"""The vector files, read with types."""

import json
from pathlib import Path
from typing import Final, TypeAlias

VECTORS: Final = Path(__file__).resolve().parent.parent / "protocol" / "vectors"

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"


class Vector:
    """One vector; its fields come with the type that is asked for, or the test fails."""

    def __init__(self, fields: dict[str, Json]) -> None:
        self._fields = fields
        self.id: Final = self.text("id")
        self.expect: Final = self.text("expect")

    def __repr__(self) -> str:
        return self.id

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def text(self, name: str) -> str:
        """A field that is text."""
        value = self._fields[name]
        assert isinstance(value, str), name
        return value

    def number(self, name: str) -> int:
        """A field that is a number."""
        value = self._fields[name]
        assert isinstance(value, int), name
        return value

    def raw(self, name: str) -> bytes:
        """A field that is bytes: hex, or a list of [hex, how often]."""
        return unpacked(self._fields[name])

    def json(self, name: str) -> Json:
        """A field of any form."""
        return self._fields[name]

    def items(self, name: str) -> list[Json]:
        """A field that is a list."""
        value = self._fields[name]
        assert isinstance(value, list), name
        return value

    def part(self, name: str) -> "Vector":
        """A field that is an object."""
        value = self._fields[name]
        assert isinstance(value, dict), name
        return Vector({"id": self.id, "expect": self.expect, **value})


def unpacked(value: Json) -> bytes:
    """Bytes from hex, or from a list of [hex, how often]."""
    if isinstance(value, str):
        return bytes.fromhex(value)
    assert isinstance(value, list)
    raw = b""
    for run in value:
        match run:
            case [str() as once, int() as times]:
                raw += bytes.fromhex(once) * times
            case _:
                raise AssertionError(run)
    return raw


def vectors(name: str, op: str | None = None) -> list[Vector]:
    """The vectors of this file, or those of one operation."""
    content: object = json.loads((VECTORS / name).read_text("utf-8"))
    assert isinstance(content, dict)
    assert content["protocol"] == 1
    found = [Vector(fields) for fields in content["vectors"]]
    return [vector for vector in found if op is None or vector.text("op") == op]
