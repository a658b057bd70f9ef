"""The vectors of the deck: framing, permutation, constants here, the rest from the modules beside.

`python -m scripts.making.deck` writes the files of this room alone.
"""

import json
from collections.abc import Iterable
from typing import TypeAlias

from scripts.making import deck_keys, deck_shuffle
from scripts.making.deck_base import vector, vector_file
from scripts.reading.deck import MAKE, VECTORS, Json
from sm_p2p.deck.generators import (
    CARD_IDS,
    MOST_CARDS,
    card_point,
    commitment_base,
    commitment_bases,
    constants_hash,
)
from sm_p2p.deck.group import G

Vectors: TypeAlias = Iterable[dict[str, Json]]


def _made(op: str, comment: str, **fields: object) -> dict[str, Json]:
    one = vector(op, comment, "ok", (), **fields)
    return {**one, "result": MAKE[op](one)}


def _framing() -> Vectors:
    for comment, item in (
        ("no bytes", {"b": ""}),
        ("one zero byte", {"b": "00"}),
        ("a point", {"b": "58" + "66" * 31}),
        ("no text", {"s": ""}),
        ("a label", {"s": "SM1/shuffle"}),
        ("text beyond ASCII is counted in bytes", {"s": "é♠"}),
        ("zero is empty", {"i": "0"}),
        ("one byte", {"i": "255"}),
        ("two bytes, big-endian", {"i": "256"}),
        ("the highest bit set needs no further byte", {"i": "32768"}),
        ("a large number", {"i": str(2**64)}),
        ("no items", {"l": []}),
        ("a list of nothing twice", {"l": [{"l": []}, {"l": [{"b": ""}]}]}),
        ("ab, c", {"l": [{"b": "6162"}, {"b": "63"}]}),
        ("a, bc: another frame than ab, c", {"l": [{"b": "61"}, {"b": "6263"}]}),
        ("the seed of the first screen", _seed()),
    ):
        yield _made("frame", comment, item=item)
    yield _made("hash", "H of a flat list", item={"l": [{"s": "SM1/pok"}, {"i": "0"}]})
    yield _made("hash", "H[S, 3]: the statement is one item", item={"l": [{"l": [{"s": "SM1/x"}]}, {"i": "3"}]})


def _seed() -> dict[str, Json]:
    return {"l": [{"s": "SM1/seed"}, {"b": "01" * 32}, {"b": "6d" * 32}, {"i": "1"}, {"i": "1"}]}


def _permutation() -> Vectors:
    stream: dict[str, Json] = {"l": [{"s": "vectors"}, {"i": "1"}]}
    bounds = [1, 2, 3, 52, 104, 2**16, 2**31, 2**32]
    yield _made("below", "no word is thrown away", stream=stream, bounds=bounds)
    half = [2**31 + 1] * 8
    yield _made("below", "about half of the words are thrown away", stream=stream, bounds=half)
    for count in (0, 1, 2, 3, 12, 66, 104, 208):
        yield _made("permutation", f"{count} places, then two wide numbers", stream=stream, count=count, wides=2)
    other: dict[str, Json] = {"l": [{"s": "vectors"}, {"i": "2"}]}
    yield _made("permutation", "another stream", stream=other, count=12, wides=1)


def _constants() -> Vectors:
    for label in ("commit-h", "commit-1", "commit-208", "card-16", "card-223"):
        yield _made("h2g", f"the point of {label}, and what was thrown away before it", label=label)
    table = {
        "G": G,
        "h": commitment_base(),
        "H": commitment_bases(MOST_CARDS),
        "ids": CARD_IDS,
        "M": [card_point(card) for card in CARD_IDS],
        "hash": constants_hash(),
    }  # the reference comes to the same in `reading.deck`, a third of a minute later
    yield vector("table", "every constant, and the hash that both players sign", result=table)


def build() -> dict[str, object]:
    """File names and contents of this room."""
    framing = "frame(item), and H over a framed list: {b: bytes}, {s: text}, {i: number}, {l: list}"
    streams = "numbers and permutations from SHAKE256 over the frame of a list"
    return {
        "framing.json": vector_file("framing", framing, [*_framing()]),
        "permutation.json": vector_file("permutation", streams, [*_permutation()]),
        "constants.json": vector_file("constants", "points that nobody chose", [*_constants()]),
        **deck_keys.build(),
        **deck_shuffle.build(),
    }


def main() -> None:
    """Write the files."""
    for name, content in build().items():
        (VECTORS / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        print(name)


if __name__ == "__main__":
    main()
