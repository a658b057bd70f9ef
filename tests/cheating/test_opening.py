"""What a cheat can open a match with, and what he can join one with: a refusal by its name, before anything is dealt."""

import json
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from cheating.client import (
    ACK,
    ENTRIES,
    HELLO,
    REJECT,
    SEEDS,
    Den,
    Frame,
    Item,
    Log,
    id_of,
    identity_of,
    invite,
    line,
    sealed,
)
from cheating.evening import ALL
from cheating.running import House

from scripts.reading.log import Json, raw
from scripts.reading.reader.envelope import read_envelope
from scripts.reading.reader.match import Match, advance
from scripts.reading.reader.match import digest as right_digest
from scripts.reading.reference_curve import G, encode, negative, recover
from scripts.reading.reference_deck import Place, make_key
from scripts.reading.reference_log import read_file

Vector: TypeAlias = Mapping[str, Json]

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
GUEST: Final = identity_of(SEEDS[1])
DROPPED: Final = {"bad-signature", "bad-identity", "bad-shape"}
"""Nobody can be held to it: whose it would be stands in what cannot be read."""


def openings() -> list[Vector]:
    """One vector for entry 1 of each code, and all of them if that is wished."""
    found = json.loads((VECTORS / "session.json").read_text("utf-8"))["vectors"]
    first = [one for one in found if one["entries"] == 0 and one["expect"] not in DROPPED]
    return first if os.environ.get(ALL) else [*{one["expect"]: one for one in first}.values()]


@pytest.fixture(scope="module")
def den() -> Iterator[Den]:
    """A cheat who opens tables with the key of the recorded host."""
    den = Den(SEEDS[0])
    yield den
    den.close()


@pytest.mark.parametrize("vector", openings(), ids=lambda vector: str(vector["id"]))
def test_a_match_that_is_opened_wrong_is_refused(house: House, den: Den, vector: Vector) -> None:
    entry = raw(vector["entry"])
    guest = house.opens("short", 0, 1, invite=invite(den.port, den.identity))
    route, _ = den.visited(HELLO)
    greeting: Frame = [
        HELLO,
        1,
        1,
        "?",
        "host",
        den.identity,
        b"",
        str(read_envelope(entry).data[2]),
        id_of(entry),
        1,
        id_of(entry),
    ]
    den.answer(route, greeting, [ENTRIES, [entry]])
    answer: Frame = [ACK, 0]
    while answer[:2] == [ACK, 0]:  # before he has seen the entry
        route, answer = den.visited(REJECT, ACK)
    if vector["expect"] == "ok":
        assert answer[:2] == [ACK, 1]
        _, joined = den.visited(ENTRIES)
        assert len(joined[1]) == 1  # type: ignore[arg-type] # it is a list
        guest.leave()
        assert guest.ending()[0] == "LEFT"
    else:
        assert answer[:3] == [REJECT, vector["expect"], 1]
        assert guest.ending()[1] == vector["expect"]
        assert not list(guest.home.rglob("*.secret"))


def test_a_host_who_greets_by_another_name_than_he_signs_is_refused(house: House, den: Den) -> None:
    entry = next(raw(vector["entry"]) for vector in openings() if vector["expect"] == "ok")
    guest = house.opens("short", 0, 1, invite=invite(den.port, den.identity))
    route, _ = den.visited(HELLO)
    den.answer(
        route, [HELLO, 1, 1, "?", "host", den.identity, b"", "Zoe", id_of(entry), 1, id_of(entry)], [ENTRIES, [entry]]
    )
    answer: Frame = [ACK, 0]
    while answer[:2] == [ACK, 0]:  # before he has seen the entry
        route, answer = den.visited(REJECT, ACK)
    assert answer[:3] == [REJECT, "bad-name", 1]
    assert guest.ending()[1] == "bad-name"


def joinings(first: bytes) -> dict[str, tuple[bytes, tuple[int, str]]]:
    """Entries 2 that a guest can sign, and what comes back."""
    match = advance(Match(), first)
    ctx = Place(match.id, 1, 2, match.head, 1, 2)
    key = made(ctx)
    other = {name: made(place) for name, place in elsewhere(ctx).items()}
    h, proof = key
    q = (2**252 + 27742317777372353535851937790883648493).to_bytes(32, "little")
    found = recover(h)
    assert found is not None
    opposite = encode(negative(found))
    data: dict[str, tuple[list[Item], str]] = {
        "a name with a line break": (["B\no", GUEST, bytes(16), h, proof], "bad-name"),
        "another name than in the greeting": (["Bob", GUEST, bytes(16), h, proof], "bad-name"),
        "a name of 25 letters": (["B" * 25, GUEST, bytes(16), h, proof], "bad-name"),
        "no key": (["Bo", GUEST, bytes(16), b"", b""], "bad-length"),
        "a short proof": (["Bo", GUEST, bytes(16), h, proof[:-1]], "bad-length"),
        "a nonce of 15 bytes": (["Bo", GUEST, bytes(15), h, proof], ""),
        "an item more": (["Bo", GUEST, bytes(16), h, proof, 0], ""),
        "a scalar that is q": (["Bo", GUEST, bytes(16), h, proof[:32] + q], "bad-scalar"),
        "a key that is no point": (["Bo", GUEST, bytes(16), b"\xff" * 32, proof], "bad-point"),
        "a key that is the neutral element": (["Bo", GUEST, bytes(16), b"\x01" + bytes(31), proof], "bad-point"),
        "a key of small order": (["Bo", GUEST, bytes(16), bytes(32), proof], "bad-point"),
        "a key that he does not know": (["Bo", GUEST, bytes(16), opposite, proof], "bad-key-proof"),
        "the generator as key": (["Bo", GUEST, bytes(16), G, proof], "bad-key-proof"),
        **{f"a key proved for {name}": (["Bo", GUEST, bytes(16), *it], "bad-key-proof") for name, it in other.items()},
    }
    lies = {name: (entry_2(match, items), (REJECT if code else ACK, code)) for name, (items, code) in data.items()}
    right: list[Item] = ["Bo", GUEST, bytes(16), h, proof]
    return {
        **lies,
        "a digest of nothing": (entry_2(match, right, digest=bytes(8)), (REJECT, "digest-differs")),
        "a later kind": (entry_2(match, right, kind=99), (ACK, "")),  # whose it is, nobody can know
        "another version": (entry_2(match, right, version=2), (ACK, "")),
        "another match": (entry_2(match, right, match=bytes(32)), (ACK, "")),
        "another predecessor": (entry_2(match, right, prev=bytes(32)), (REJECT, "bad-prev")),
        "a number too far": (entry_2(match, right, seq=3), (HELLO, "")),
        "in the name of the host": (entry_2(match, right, author=0), (ACK, "")),
        "signed by somebody else": (entry_2(match, right, seed=bytes(32)), (ACK, "")),
        TRUE: (entry_2(match, right), (ACK, "")),
    }


AT_ONCE: Final = 8
TRUE: Final = "true"


def elsewhere(ctx: Place) -> dict[str, Place]:
    """Other places, at which a proof would be right."""
    return {
        "another game": ctx._replace(game=2),
        "another match": ctx._replace(match=bytes(32)),
        "the other seat": ctx._replace(author=0),
        "another place": ctx._replace(seq=3),
        "another predecessor": ctx._replace(prev=bytes(32)),
        "another kind": ctx._replace(kind=3),
    }


def made(ctx: Place) -> tuple[bytes, bytes]:
    """A key and its proof."""
    values = make_key(b"\x22" * 32, ctx.game, ctx)
    h, proof = values["h"], values["proof"]
    assert isinstance(h, bytes)
    assert isinstance(proof, bytes)
    return h, proof


def entry_2(
    match: Match, /, data: list[Item], *, seed: bytes = SEEDS[1], digest: bytes = b"", **changes: Item
) -> bytes:
    """An entry by the guest, with the right digest unless there is none."""
    parts: dict[str, Item] = {
        "version": 1,
        "match": match.id,
        "seq": 2,
        "prev": match.head,
        "author": 1,
        "kind": 2,
        "time": 0,
    }
    parts.update(changes)

    after = copy(match)
    after.state = 3  # nothing has been dealt, and it is the host's turn to write
    return sealed("SM1/entry", [*parts.values(), data, digest or right_digest(after)], seed)


def sit_down(house: House, name: str) -> str:
    """Join a new table with this entry 2; what is wrong with the answer, or nothing."""
    host = house.opens("short", 0, 0)
    port, token = host.door()
    with line(port, SEEDS[1], identity_of(SEEDS[0])) as link:
        link.greet(Log(), token=token)
        first = link.hear(ENTRIES)[1]
        assert isinstance(first, list)
        assert isinstance(first[0], bytes)
        link.send([ACK, 1, id_of(first[0]), 0])
        entry, (kind, code) = joinings(first[0])[name]
        link.send([ENTRIES, [entry]])
        got = link.hear(ACK, REJECT, HELLO)
        told = got[1] if got[0] == REJECT else ""
    is_taken = got[0] == ACK and got[1] == 2
    host.leave()  # who has not heard the end of it from a guest
    return "" if (got[0], told, is_taken) == (kind, code, name == TRUE) else f"{name}: {got[:2]}"


def test_whoever_joins_wrong_is_refused_by_name(house: House) -> None:
    first = read_file((VECTORS / "games" / "short.smlog").read_bytes(), "log").records[0][2]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert [wrong for wrong in pool.map(partial(sit_down, house), joinings(first)) if wrong] == []
