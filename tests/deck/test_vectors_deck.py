"""The vectors of the deck, read back through the package."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from scripts.reading.deck import (
    FILES,
    VECTORS,
    Json,
    Vector,
    check,
    hashes,
    item,
    items,
    number,
    numbers,
    plain,
    raw,
    text,
)
from sm_p2p.deck import transcript
from sm_p2p.deck.audit import audit_share, audit_shuffle, open_key
from sm_p2p.deck.generators import (
    CARD_IDS,
    MOST_CARDS,
    candidate,
    card_point,
    commitment_base,
    commitment_bases,
    constants_hash,
    hash_to_group,
)
from sm_p2p.deck.group import G, Point, Scalar, decode_point, decode_scalar, encode_scalar
from sm_p2p.deck.masking import Deck, decode_deck, encode_deck, joint_key, mask_public, unmask
from sm_p2p.deck.proofs import check_new_key, prove_key, prove_shares, verify_key, verify_shares
from sm_p2p.deck.seed import GameSeed, derive_key, game_seed, public_key, shuffle_stream
from sm_p2p.deck.shuffle import shuffle, verify_shuffle
from sm_p2p.deck.transcript import Context, challenge, draw_scalars
from sm_p2p.errors import Code, Fault
from sm_p2p.stream import Stream, frame

ROOT: Final = Path(__file__).resolve().parents[2]


def read(name: str) -> list[Vector]:
    found: list[Vector] = json.loads((VECTORS / f"{name}.json").read_text())["vectors"]
    return found


ALL: Final = [vector for name in FILES for vector in read(name)]


def context(v: Vector) -> Context:
    ctx = v["ctx"]
    assert isinstance(ctx, dict)
    ints = [number(ctx, name) for name in ("game", "seq", "author", "kind")]
    return Context(raw(ctx, "match"), ints[0], ints[1], raw(ctx, "prev"), ints[2], ints[3])


def deck_of(content: bytes) -> Deck:
    return decode_deck(content, len(content) // 64)


def seed_of(v: Vector) -> GameSeed:
    return GameSeed(raw(v, "K"))


def listed(values: object) -> Json:
    return plain(list(values)) if isinstance(values, tuple) else plain(values)


def below(v: Vector) -> dict[str, Json]:
    stream = Stream(*items(v["stream"]))
    return {"numbers": [stream.below(bound) for bound in numbers(v, "bounds")]}


def permutation(v: Vector) -> dict[str, Json]:
    stream = Stream(*items(v["stream"]))
    order = stream.permutation(number(v, "count"))
    wides = draw_scalars(stream, number(v, "wides"))
    return {"permutation": listed(order), "wides": [encode_scalar(wide).hex() for wide in wides]}


def h2g(v: Vector) -> dict[str, Json]:
    label = text(v, "label")
    point, counter = hash_to_group(label)
    discarded: list[Json] = [candidate(label, k).hex() for k in range(counter)]
    return {"counter": counter, "point": point.hex(), "discarded": discarded}


def table(_: Vector) -> dict[str, Json]:
    return {
        "G": G.hex(),
        "h": commitment_base().hex(),
        "H": listed(commitment_bases(MOST_CARDS)),
        "ids": listed(CARD_IDS),
        "M": [card_point(card).hex() for card in CARD_IDS],
        "hash": constants_hash().hex(),
    }


def make_key(v: Vector) -> dict[str, Json]:
    ctx = context(v)
    seed = game_seed(raw(v, "secret"), ctx.match, ctx.game, ctx.author)
    x = derive_key(seed, ctx)
    proof = prove_key(seed, ctx, x)
    assert verify_key(ctx, public_key(x), proof) == public_key(x)
    return {"K": seed.hex(), "x": encode_scalar(x).hex(), "h": public_key(x).hex(), "proof": proof.hex()}


def make_shares(v: Vector) -> dict[str, Json]:
    ctx, x, deck = context(v), decode_scalar(raw(v, "x")), deck_of(raw(v, "deck"))
    shares, proof = prove_shares(seed_of(v), ctx, x, deck)
    verify_shares(ctx, public_key(x), deck, shares, proof)
    return {"shares": shares.hex(), "proof": proof.hex()}


def make_shuffle(v: Vector) -> dict[str, Json]:
    ctx, joint, deck = context(v), decode_point(raw(v, "pk")), deck_of(raw(v, "deck"))
    made = shuffle(seed_of(v), ctx, joint, deck)
    assert verify_shuffle(ctx, joint, deck, made.raw, made.proof) == made.deck
    stream = shuffle_stream(seed_of(v), ctx, [card.a for card in deck], [card.b for card in deck])
    order = stream.permutation(len(deck))
    masks: list[Json] = [encode_scalar(r).hex() for r in draw_scalars(stream, len(deck))]
    return {"permutation": listed(order), "r": masks, "out": made.raw.hex(), "argument": made.proof.hex()}


MAKE: Final[dict[str, Callable[[Vector], dict[str, Json]]]] = {
    "frame": lambda v: {"frame": frame(item(v["item"])).hex()},
    "hash": lambda v: {"scalar": encode_scalar(challenge(*items(v["item"]))).hex()},
    "below": below,
    "permutation": permutation,
    "h2g": h2g,
    "table": table,
    "make-key": make_key,
    "joint-key": lambda v: {"pk": joint_key(decode_point(raw(v, "h0")), decode_point(raw(v, "h1"))).hex()},
    "mask-public": lambda v: {"deck": encode_deck(mask_public(numbers(v, "cards"), decode_point(raw(v, "pk")))).hex()},
    "unmask": lambda v: {
        "card": unmask(deck_of(raw(v, "masked"))[0], decode_point(raw(v, "d0")), decode_point(raw(v, "d1")))
    },
    "make-shares": make_shares,
    "make-shuffle": make_shuffle,
}

VERIFY: Final[dict[str, Callable[[Vector], object]]] = {
    "verify-key": lambda v: verify_key(context(v), raw(v, "h"), raw(v, "proof")),
    "new-key": lambda v: check_new_key(decode_point(raw(v, "h")), known(v)),
    "open-key": lambda v: open_key(raw(v, "x"), Point(raw(v, "h"))),
    "decode-deck": lambda v: decode_deck(raw(v, "deck"), number(v, "count")),
    "audit-shuffle": lambda v: audit_shuffle(
        deck_of(raw(v, "before")), deck_of(raw(v, "after")), scalar_of(v, "x0"), scalar_of(v, "x1")
    ),
    "audit-share": lambda v: audit_share(scalar_of(v, "x"), deck_of(raw(v, "masked"))[0], Point(raw(v, "share"))),
    "verify-shares": lambda v: verify_shares(
        context(v), Point(raw(v, "h")), deck_of(raw(v, "deck")), raw(v, "shares"), raw(v, "proof")
    ),
    "verify-shuffle": lambda v: verify_shuffle(
        context(v), Point(raw(v, "pk")), deck_of(raw(v, "deck")), raw(v, "out"), raw(v, "argument")
    ),
}


def scalar_of(v: Vector, name: str) -> Scalar:
    return decode_scalar(raw(v, name))


def known(v: Vector) -> list[bytes]:
    listed_keys = v["known"]
    assert isinstance(listed_keys, list)
    return [bytes.fromhex(str(key)) for key in listed_keys]


@pytest.mark.parametrize("vector", ALL, ids=[str(vector["id"]) for vector in ALL])
def test_the_package_comes_to_what_the_vector_expects(vector: Vector) -> None:
    operation = text(vector, "op")
    if vector["expect"] != "ok":
        with pytest.raises(Fault) as caught:
            (MAKE | VERIFY)[operation](vector)
        assert caught.value.code == Code(text(vector, "expect"))
        return
    if operation in VERIFY:
        VERIFY[operation](vector)
        return
    result: Mapping[str, Json] = MAKE[operation](vector)
    expected = vector.get("result") or vector["result_sha256"]
    assert isinstance(expected, dict)
    found = hashes(result) if "result_sha256" in vector else result
    assert found == {name: expected[name] for name in found}


@pytest.mark.parametrize("name", [name for name in FILES if name not in {"constants", "masking", "shuffle"}])
def test_the_reference_agrees_with_a_sample(name: str) -> None:
    for vector in read(name)[::7]:
        check(vector)


def test_the_reference_agrees_with_the_first_shuffle_and_a_forged_one() -> None:
    vectors = read("shuffle")
    check(vectors[0])
    check(next(vector for vector in vectors if vector["flags"] == ["forged"]))


def test_every_vector_has_a_number_and_its_flags_are_described() -> None:
    assert len({str(vector["id"]) for vector in ALL}) == len(ALL)
    for name in FILES:
        whole = json.loads((VECTORS / f"{name}.json").read_text())
        assert whole["protocol"] == 1
        assert {flag for vector in whole["vectors"] for flag in vector["flags"]} == set(whole["flags"])


def test_what_is_refused_outnumbers_what_is_accepted() -> None:
    counted = Counter(vector["expect"] == "ok" for vector in ALL)
    assert counted[False] > 2 * counted[True]


def test_every_code_of_the_deck_that_the_specification_promises_has_a_vector() -> None:
    specification = (ROOT / "protocol" / "deck.md").read_text()
    rows = [line.split("|") for line in specification.splitlines() if line.count("|") == 4 and "` |" in line]
    promised = {row[2].strip(" `"): row[3].strip() for row in rows if row[2].strip(" `") in set(Code)}
    assert len(promised) == 12
    for code, files in promised.items():
        for name in FILES[3:] if files == "all" else files.split(", "):
            if not name.endswith(".md"):
                assert any(vector["expect"] == code for vector in read(name)), (code, name)


def test_the_example_of_the_specification_is_the_first_vector_of_the_keys() -> None:
    specification = (ROOT / "protocol" / "deck.md").read_text()
    result = read("keys")[0]["result"]
    assert isinstance(result, dict)
    assert all(str(result[name]) in specification for name in ("K", "x", "h"))
    assert constants_hash().hex() in specification


def test_every_label_of_the_deck_stands_in_the_specification() -> None:
    specification = (ROOT / "protocol" / "deck.md").read_text()
    labels = [label for label in vars(transcript).values() if isinstance(label, str) and label.startswith("SM1/")]
    assert len(labels) == len(set(labels)) == 8
    assert all(f"`{label}`" in specification for label in labels)


def test_large_vectors_are_hashed_value_by_value() -> None:
    assert hashes({"a": ["00ff", 1], "b": 2}) == {
        "a": hashlib.sha256(bytes.fromhex("00ff00000001")).hexdigest(),
        "b": hashlib.sha256(bytes(3) + b"\x02").hexdigest(),
    }
