"""Do what a vector of the log says with the reference, and compare: nothing of the package is imported.

`python -m scripts.reading.log` checks all files of the log and says how many vectors held.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from scripts.reading import reference_log as reference
from scripts.reading.reference_curve import RefusedError

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Vector: TypeAlias = Mapping[str, Json]

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"


def raw(value: Json) -> bytes:
    """Bytes from hex, or from a list of [hex, how often]."""
    if isinstance(value, str):
        return bytes.fromhex(value)
    assert isinstance(value, list)
    joined = b""
    for run in value:
        match run:
            case [str() as once, int() as times]:
                joined += bytes.fromhex(once) * times
            case _:
                raise AssertionError(run)
    return joined


def tagged(value: reference.Value) -> Json:
    """A value in the form of the files."""
    match value:
        case None | bool():
            return value
        case int():
            return {"int": str(value)}
        case str():
            return {"text": value}
        case bytes():
            return {"bytes": value.hex()}
        case list():
            return [tagged(item) for item in value]


def _codec(vector: Vector) -> str:
    limit = vector["limit"]
    assert isinstance(limit, int)
    assert tagged(reference.decode(raw(vector["bytes"]), limit)) == vector["value"]
    return "ok"


def _entry(vector: Vector) -> str:
    entry = reference.unseal(raw(vector["raw"]), raw(vector["identity"]))
    if "parts" in vector:
        assert isinstance(vector["parts"], dict)
        parts = [tagged(part) for part in entry.parts]
        assert parts == [_part(part) for part in vector["parts"].values()]
        assert entry.id == raw(vector["entry_id"])
        assert entry.body == raw(vector["body"])
        assert entry.signature == raw(vector["signature"])
    return "ok"


def _part(value: Json) -> Json:
    match value:
        case int():
            return {"int": str(value)}
        case str():
            return {"bytes": value}
        case _:
            return value


def _chain(vector: Vector) -> str:
    match vector:
        case {"op": "append", "entry": sealed, "identity": identity, "chain": before}:
            after = reference.append(_place(before), reference.unseal(raw(sealed), raw(identity)))
            assert after == _place(vector["then"])
        case {"op": "conflict", "entries": [one, other], "identities": list(identities), "conflict": expected}:
            found = reference.conflict(*(_unsealed(raw(sealed), identities) for sealed in (one, other)))
            assert found == expected
            return found if found == "equivocation" else "ok"
        case {"op": "fingerprint", "identity": identity, "words": list(words)}:
            assert reference.fingerprint(raw(identity)) == words
        case _:
            raise AssertionError(vector)
    return "ok"


def _unsealed(sealed: bytes, identities: list[Json]) -> reference.Entry:
    """The entry under the identity of the seat that it names."""
    body = reference.decode(sealed, 60_000)
    assert isinstance(body, list)
    assert isinstance(body[0], bytes)
    parts = reference.decode(body[0], 60_000)
    assert isinstance(parts, list)
    author = parts[4]
    assert isinstance(author, int)
    return reference.unseal(sealed, raw(identities[author]))


def _place(value: Json) -> reference.Chain:
    match value:
        case {"match": match_id, "seq": int() as seq, "head": head}:
            return reference.Chain(raw(match_id), seq, raw(head))
        case _:
            raise AssertionError(value)


def _journal(vector: Vector) -> str:
    content = raw(vector["file"])
    reading = reference.read_file(content, str(vector["sort"]))
    assert (reading.end, len(content) - reading.end) == (vector["end"], vector["rest"])
    assert isinstance(vector["records"], list)
    expected = []
    for record in vector["records"]:
        assert isinstance(record, dict)
        expected.append((record["offset"], record["type"], raw(record["payload"])))
    assert reading.records == expected
    return reading.verdict


CHECKS: Final[Mapping[str, Callable[[Vector], str]]] = {
    "codec": _codec,
    "entry": _entry,
    "chain": _chain,
    "journal": _journal,
}


def main() -> None:
    """Check every file of the log."""
    for name, check in CHECKS.items():
        vectors = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))["vectors"]
        for vector in vectors:
            try:
                outcome = check(vector)
            except RefusedError as refusal:
                outcome = str(refusal)
            assert outcome == vector["expect"], (vector["id"], outcome)
        print(f"{name}: {len(vectors)} vectors hold")


if __name__ == "__main__":
    main()
