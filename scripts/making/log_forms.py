"""The form of one vector of the log, and the two players of all of them."""

from typing import Final

from sm_p2p.errors import Code
from sm_p2p.log.codec import Value
from sm_p2p.log.entry import Draft
from sm_p2p.store.keys import Identity

ANNA: Final = Identity(bytes(range(32)))
BERT: Final = Identity(bytes(range(32, 64)))
FIRST: Final = Draft(
    b"", 1, b"", 0, 1, 1_700_000_000_000, (1, "standard", b"\x2a" * 4), bytes.fromhex("0102030405060708")
)
MATCH: Final = FIRST.id
SECOND: Final = Draft(MATCH, 2, FIRST.id, 1, 2, 0, (None, True, ()), bytes(8))

Vector = dict[str, object]


def vector(name: str, comment: str, flag: str, expect: Code | None, **inputs: object) -> Vector:
    """One vector: what goes in, and what is expected."""
    return {"id": name, "comment": comment, "flags": [flag], **inputs, "expect": str(expect or "ok")}


def tagged(value: Value) -> object:
    """A value in JSON: numbers, text and bytes carry a tag, a list is a list."""
    match value:
        case None | bool():
            return value
        case int():
            return {"int": str(value)}
        case str():
            return {"text": value}
        case bytes():
            return {"bytes": value.hex()}
        case tuple():
            return [tagged(item) for item in value]
