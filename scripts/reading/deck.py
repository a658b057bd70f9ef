"""Do what a vector of the deck says with the reference, and compare: nothing of the package is imported.

`python -m scripts.reading.deck` checks all files of the deck and says how many vectors held.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from scripts.reading import reference_deck as reference
from scripts.reading.reference_curve import G, Item, RefusedError, Xof, frame, hashed, pieces, points, scalar_bytes
from scripts.reading.reference_deck import Place

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Vector: TypeAlias = Mapping[str, Json]

FILES: Final = ("framing", "permutation", "constants", "keys", "masking", "shares", "shuffle")
VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"


def text(vector: Vector, name: str) -> str:
    """A field that is text."""
    value = vector[name]
    assert isinstance(value, str), name
    return value


def number(vector: Vector, name: str) -> int:
    """A field that is a number."""
    value = vector[name]
    assert isinstance(value, int), name
    return value


def numbers(vector: Vector, name: str) -> list[int]:
    """A field that is a list of numbers."""
    value = vector[name]
    assert isinstance(value, list), name
    return [one for one in value if isinstance(one, int)]


def raw(vector: Vector, name: str) -> bytes:
    """A field of bytes."""
    return bytes.fromhex(text(vector, name))


def place(vector: Vector) -> Place:
    """The field `ctx`."""
    ctx = vector["ctx"]
    assert isinstance(ctx, dict)
    ints = {name: number(ctx, name) for name in ("game", "seq", "author", "kind")}
    return Place(raw(ctx, "match"), ints["game"], ints["seq"], raw(ctx, "prev"), ints["author"], ints["kind"])


def item(value: Json) -> Item:
    """A framed item from its form in the files."""
    assert isinstance(value, dict)
    ((kind, content),) = value.items()
    if isinstance(content, list):
        return [item(part) for part in content]
    assert isinstance(content, str)
    match kind:
        case "b":
            return bytes.fromhex(content)
        case "i":
            return int(content)
        case _:
            assert kind == "s"
            return content


def items(value: Json) -> list[Item]:
    """The items of a list."""
    found = item(value)
    assert isinstance(found, list)
    return found


def plain(value: object) -> Json:
    """A result in the form of the files."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [plain(one) for one in value]
    assert isinstance(value, int)
    return value


def _below(v: Vector) -> dict[str, Json]:
    stream = Xof(*items(v["stream"]))
    return {"numbers": [stream.below(bound) for bound in numbers(v, "bounds")]}


def _permutation(v: Vector) -> dict[str, Json]:
    stream = Xof(*items(v["stream"]))
    order = stream.permutation(number(v, "count"))
    return {"permutation": plain(order), "wides": plain(reference.listed(stream.wides(number(v, "wides"))))}


def _h2g(v: Vector) -> dict[str, Json]:
    counter, point = reference.hash_to_group(text(v, "label"))
    tried = [frame(["SM1/constants", text(v, "label"), k]) for k in range(counter)]
    return {
        "counter": counter,
        "point": point.hex(),
        "discarded": [hashlib.sha512(framed).digest()[:32].hex() for framed in tried],
    }


def _table(_: Vector) -> dict[str, Json]:
    return {
        "G": G.hex(),
        "h": reference.constant("commit-h").hex(),
        "H": plain(reference.bases(208)),
        "ids": plain(reference.IDS),
        "M": [reference.constant(f"card-{card}").hex() for card in reference.IDS],
        "hash": reference.constants_hash().hex(),
    }


def _named(values: reference.Values) -> dict[str, Json]:
    return {name: plain(value) for name, value in values.items()}


def _known(v: Vector) -> list[bytes]:
    known = v["known"]
    assert isinstance(known, list)
    return [bytes.fromhex(one) for one in known if isinstance(one, str)]


def _decode(v: Vector) -> None:
    points(pieces(raw(v, "deck"), 2 * number(v, "count")))


MAKE: Final[dict[str, Callable[[Vector], dict[str, Json]]]] = {
    "frame": lambda v: {"frame": frame(item(v["item"])).hex()},
    "hash": lambda v: {"scalar": scalar_bytes(hashed(*items(v["item"]))).hex()},
    "below": _below,
    "permutation": _permutation,
    "h2g": _h2g,
    "table": _table,
    "make-key": lambda v: _named(reference.make_key(raw(v, "secret"), place(v).game, place(v))),
    "joint-key": lambda v: {"pk": reference.joint_key(raw(v, "h0"), raw(v, "h1")).hex()},
    "mask-public": lambda v: {"deck": reference.mask_public(numbers(v, "cards"), raw(v, "pk")).hex()},
    "unmask": lambda v: {"card": reference.unmask(raw(v, "masked"), raw(v, "d0"), raw(v, "d1"))},
    "make-shares": lambda v: _named(reference.make_shares(raw(v, "K"), place(v), raw(v, "x"), raw(v, "deck"))),
    "make-shuffle": lambda v: _named(reference.make_shuffle(raw(v, "K"), place(v), raw(v, "pk"), raw(v, "deck"))),
}
"""What computes something, with all that it computes."""

VERIFY: Final[dict[str, Callable[[Vector], None]]] = {
    "verify-key": lambda v: reference.verify_key(place(v), raw(v, "h"), raw(v, "proof")),
    "new-key": lambda v: reference.new_key(raw(v, "h"), _known(v)),
    "open-key": lambda v: reference.open_key(raw(v, "x"), raw(v, "h")),
    "decode-deck": _decode,
    "audit-shuffle": lambda v: reference.audit_shuffle(raw(v, "before"), raw(v, "after"), raw(v, "x0"), raw(v, "x1")),
    "audit-share": lambda v: reference.audit_share(raw(v, "x"), raw(v, "masked"), raw(v, "share")),
    "verify-shares": lambda v: reference.verify_shares(
        place(v), raw(v, "h"), raw(v, "deck"), raw(v, "shares"), raw(v, "proof")
    ),
    "verify-shuffle": lambda v: reference.verify_shuffle(
        place(v), raw(v, "pk"), raw(v, "deck"), raw(v, "out"), raw(v, "argument")
    ),
}
"""What accepts or refuses."""


def hashes(result: Mapping[str, Json]) -> dict[str, Json]:
    """Each value by the SHA-256 of its bytes, a list by that of all its bytes; numbers count as 4 bytes big-endian."""
    return {name: hashlib.sha256(_bytes(value)).hexdigest() for name, value in result.items()}


def _bytes(value: Json) -> bytes:
    if isinstance(value, list):
        return b"".join(map(_bytes, value))
    return bytes.fromhex(value) if isinstance(value, str) else int(str(value)).to_bytes(4, "big")


def check(vector: Vector) -> None:
    """`AssertionError` if the reference does not come to what the vector expects."""
    result: Mapping[str, Json] = {}
    outcome = "ok"
    operation = text(vector, "op")
    try:
        if operation in MAKE:
            result = MAKE[operation](vector)
        else:
            VERIFY[operation](vector)
    except RefusedError as refusal:
        outcome = str(refusal)
    assert outcome == vector["expect"], (vector["id"], outcome)
    if "result" in vector:
        assert vector["result"] == result, vector["id"]
    if "result_sha256" in vector:
        assert vector["result_sha256"] == hashes(result), vector["id"]


def main() -> None:
    """Check every file of the deck."""
    for name in FILES:
        vectors = json.loads((VECTORS / f"{name}.json").read_text())["vectors"]
        for vector in vectors:
            check(vector)
        print(f"{name}: {len(vectors)} vectors hold")


if __name__ == "__main__":
    main()
