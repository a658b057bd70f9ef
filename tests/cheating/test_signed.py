"""Everything that a cheat at the table can sign, sent to a real process: each lie has its answer, and nothing is taken of it."""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import msgpack
import pytest
from cheating.client import (
    ACK,
    ENTRIES,
    HELLO,
    NOTE,
    PETITION,
    PING,
    REJECT,
    SEEDS,
    Frame,
    Item,
    Line,
    Log,
    id_of,
    identity_of,
    line,
    opened,
    pack,
    sealed,
    sealed_bytes,
)
from cheating.evening import ALL, recorded
from cheating.expected import BLAMELESS, answer
from cheating.running import House, Seat

from scripts.reading.log import Json, raw
from scripts.reading.reader.envelope import read_envelope
from scripts.reading.reference_curve import RefusedError
from scripts.reading.reference_log import read_file

Vector: TypeAlias = Mapping[str, Json]

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
IDENTITIES: Final = [identity_of(seed) for seed in SEEDS]
AT_ONCE: Final = 8
SOON_S: Final = 20.0
LATE: Final = 103  # entries of a match that the next one ends


def attacks() -> list[Vector]:
    """The vectors behind entry 1 that somebody opposite can have written, while the match is not over."""
    found = json.loads((VECTORS / "session.json").read_text("utf-8"))["vectors"]
    return [vector for vector in found if vector["entries"] >= 1 and vector["id"] not in {"closed", "joined-by-0"}]


def some(vectors: list[Vector]) -> list[Vector]:
    """One of each code in each state, and all of them if that is wished."""
    if os.environ.get(ALL):
        return vectors
    return [
        *{
            (str(one["expect"]), str(one["entries"]) if one["expect"] == "ok" else str(one["flags"])): one
            for one in vectors
        }.values()
    ]


def author_of(entry: bytes, other: int) -> int:
    """Who says that he has written this."""
    try:
        return read_envelope(entry).author
    except RefusedError:
        return other


def name_in(entry: bytes) -> str:
    """What its author is called, if that is said in it."""
    try:
        envelope = read_envelope(entry)
    except RefusedError:
        return "Bo"
    name = envelope.data[0] if envelope.kind == 2 and envelope.data else ""
    return name if isinstance(name, str) and name else "Bo"


def as_entries(frame: Frame) -> list[bytes]:
    """The entries of a frame."""
    entries = frame[1] if frame[0] == ENTRIES else []
    assert isinstance(entries, list)
    return [entry for entry in entries if isinstance(entry, bytes)]


def files(seat: Seat) -> tuple[list[bytes], list[bytes]]:
    """The entries of this seat's log, and the evidence in its notes."""
    logs = seat.home.rglob("*.smlog")
    notes = [record for path in seat.home.rglob("*.notes") for record in read_file(path.read_bytes(), "notes").records]
    entries = [payload for log in logs for _, _, payload in read_file(log.read_bytes(), "log").records]
    return entries, [payload for _, type_, payload in notes if type_ == 4]


def lie(house: House, vector: Vector) -> str:
    """Tell this lie at a table of its own; what is wrong with the answer, or nothing."""
    game, count, code = str(vector["game"]), int(str(vector["entries"])), str(vector["expect"])
    said = raw(vector["entry"])
    log = recorded(game)[:count]
    cheat = author_of(said, 1)
    seat = house.opens(game, count, 1 - cheat)
    port, token = seat.door()
    with line(port, SEEDS[cheat], IDENTITIES[1 - cheat]) as link:
        link.greet(Log([id_of(entry) for entry in log]), token=token, name=name_in(said))
        assert link.hear(HELLO, REJECT)[0] == HELLO
        for frame in link.heard():  # what the honest side owes is written as soon as it has been greeted
            log += [entry for entry in as_entries(frame) if entry not in log]
        wanted = answer(said, log, IDENTITIES[:count], code)
        link.send([ENTRIES, [said]])
        got = link.hear(ACK, HELLO, REJECT)
    if wanted.kind == REJECT and (count > 1 or wanted.code in BLAMELESS):
        ending, right = seat.ending(), ("STOPPED" if wanted.code in BLAMELESS else "BROKEN", wanted.code)
    else:
        seat.leave()
        ending, right = seat.ending(), ("FINISHED" if code == "ok" and count > LATE else "LEFT", "")
    entries, evidence = files(seat)
    is_kept = any(said in piece for piece in evidence)
    taken = [*log, said] if code == "ok" else log
    held = taken if len(taken) > 1 or evidence else []  # what nobody has joined is taken away in the end
    is_right = (
        (got[0], got[1] if got[0] == REJECT else "") == (wanted.kind, wanted.code)
        and (wanted.kind != ACK or got[1] == len(taken))
        and ending == right
        and entries[: len(held)] == held
        and (code == "ok" or len(entries) == len(held))
        and (is_kept == wanted.is_kept or (count == 1 and wanted.code in BLAMELESS))
    )
    return "" if is_right else f"{vector['id']}: {got[:2]}, {ending}, {len(entries)} entries, evidence: {is_kept}"


def test_whatever_a_cheat_signs_is_answered_by_its_name_and_nothing_is_taken_of_it(house: House) -> None:
    """At its own table each, many at once; those that tell the truth go on meanwhile."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert [wrong for wrong in pool.map(partial(lie, house), some(attacks())) if wrong] == []


def vector(name: str) -> bytes:
    """The entry of a vector."""
    return raw(next(one["entry"] for one in attacks() if one["id"] == name))


@contextmanager
def table(house: House, count: int, cheat: int) -> Iterator[tuple[Seat, Line, Log]]:
    """A table of its own, at which the cheat of this seat has been greeted."""
    seat = house.opens("short", count, 1 - cheat)
    port, token = seat.door()
    log = Log([id_of(entry) for entry in recorded("short")[:count]])
    with line(port, SEEDS[cheat], IDENTITIES[1 - cheat]) as link:
        link.greet(log, token=token)
        assert link.hear(HELLO, REJECT)[0] == HELLO
        yield seat, link, log


def test_two_entries_at_one_place_are_the_proof(house: House) -> None:
    first, second = vector("chain-recorded"), vector("resigned-turn")
    with table(house, 5, 1) as (seat, link, _):
        link.send([ENTRIES, [first]])
        assert link.hear(ACK, REJECT)[:2] == [ACK, 6]
        link.send([ENTRIES, [second]])
        assert link.hear(REJECT)[:3] == [REJECT, "equivocation", 6]
    assert seat.ending() == ("BROKEN", "equivocation")
    entries, evidence = files(seat)
    assert entries[5] == first
    assert any(second in piece for piece in evidence)


NAMES: Final = ("version", "match", "seq", "prev", "author", "kind", "time", "data", "digest")


def readable(**changes: bytes) -> bytes:
    """The guest's next entry, with other bytes in the place of some parts, signed by him as it is."""
    body, _ = opened(vector("chain-recorded"))
    parts = dict(zip(NAMES, map(msgpack.packb, msgpack.unpackb(body)), strict=True))
    return signed_bytes(b"\x99" + b"".join({**parts, **changes}.values()))


def signed_bytes(body: bytes) -> bytes:
    """These bytes as a body, signed by the guest, whatever they are."""
    return sealed_bytes("SM1/entry", body, SEEDS[1])


def unreadable() -> dict[str, bytes]:
    """Entries that are signed and in their place, and cannot be read in the one way in which they may be written."""
    right, _ = opened(vector("chain-recorded"))
    assert readable() == vector("chain-recorded")
    return {
        "a number in a longer form": readable(version=b"\xcc\x01"),
        "a list in a longer form": signed_bytes(b"\xdc\x00\x09" + right[1:]),
        "something behind it": signed_bytes(right + b"\x00"),
        "a negative number": readable(time=b"\xff"),
        "a truth value for a number": readable(author=b"\xc3"),
        "a float": readable(time=b"\xcb" + bytes(8)),
        "a map": readable(data=b"\x81\xa4move\xa4h1-a"),
        "a map with one key twice": readable(data=b"\x82\x01\x01\x01\x01"),
        "an extension": readable(data=b"\x91\xd4\x01\x00"),
        "lists in lists": readable(data=b"\x91" * 60 + b"\x90"),
        "lists in lists, as far as they go": readable(data=b"\x91" * 30_000 + b"\x90"),
        "a promised list": readable(data=b"\xdd\xff\xff\xff\xff"),
        "promised bytes": readable(digest=b"\xc6\xff\xff\xff\xff"),
        "an item more": signed_bytes(b"\x9a" + right[1:] + b"\x00"),
        "a number that is too large": readable(seq=b"\xcf\x80" + bytes(7)),
        "more than an entry may have": signed_bytes(bytes(60_001)),
        "no signature": pack([right]),
        "a signature of 63 bytes": pack([right, bytes(63)]),
    }


def test_an_entry_that_cannot_be_read_is_as_if_it_had_not_come(house: House) -> None:
    with table(house, 5, 1) as (seat, link, _):
        link.heard()
        for name, raw in unreadable().items():
            link.send([ENTRIES, [raw]])
            assert [frame[0] for frame in link.heard() if frame[0] in {REJECT, HELLO}] == [], name
        link.send([ENTRIES, [vector("chain-recorded")]])
        assert link.hear(ACK, REJECT)[:2] == [ACK, 6]
        seat.leave()
        assert seat.ending() == ("LEFT", "")


def test_whoever_owes_something_and_says_nothing_is_waited_for_by_name(house: House) -> None:
    with table(house, 37, 1) as (seat, link, _):
        assert link.heard() is not None  # he answers pings, and no more
        assert seat.hears("waits") == "Bruno shuffles the cards once more."
        link.send([ENTRIES, [recorded("short")[37]]])
        assert link.hear(ACK, REJECT)[:2] == [ACK, 38]
        seat.leave()
        assert seat.ending() == ("LEFT", "")


def test_a_petition_that_is_right_is_written_down_at_once(house: House) -> None:
    """The control for all petitions that are not."""
    with table(house, 10, 1) as (seat, link, log):
        petition = sealed("SM1/petition", [log.match, 1, 1, 1, 1, 10, log.head], SEEDS[1])
        link.send([PETITION, petition])
        (written,) = as_entries(link.hear(ENTRIES))
        entry = read_envelope(written)
        assert (entry.seq, entry.author, entry.kind, entry.data) == (11, 0, 6, [petition])
        seat.leave()
        assert seat.ending() == ("LEFT", "")


def test_a_petition_from_before_ones_last_entry_ends_nothing(house: House) -> None:
    log = recorded("short")[:10]
    own = max(at for at, raw in enumerate(log, 1) if read_envelope(raw).author == 1)
    with table(house, 10, 1) as (seat, link, held):
        link.heard()
        for number, at in enumerate((1, own - 1, own), 1):
            said: list[Item] = [held.match, 1, 1, number, 1, at, held.ids[at - 1]]
            link.send([PETITION, sealed("SM1/petition", said, SEEDS[1])])
            written = [raw for frame in link.heard() for raw in as_entries(frame)]
            assert len(written) == (at == own)  # that one is behind nothing of his, and counts
        seat.leave()
        assert seat.ending() == ("LEFT", "")


def flood(kind: int, log: Log) -> list[Frame]:
    """Many frames of a kind, each of them right by itself."""
    match, head = log.match, log.head
    frames: dict[int, Callable[[int], Frame]] = {
        NOTE: lambda number: [NOTE, sealed("SM1/note", [match, 1, number, 1, 5, f"line {number}"], SEEDS[1])],
        PETITION: lambda number: [PETITION, sealed("SM1/petition", [match, 2, 1, number, 1, 5, head], SEEDS[1])],
        HELLO: lambda _: [HELLO, 1, 1, "", "guest", IDENTITIES[1], b"", "", match, 0, b""],
        ACK: lambda number: [ACK, 5, head, number % 2],
        PING: lambda number: [PING, number],
        ENTRIES: lambda _: [ENTRIES, [recorded("short")[4]] * 32],
    }
    return [frames[kind](number) for number in range(1, FLOOD[kind] + 1)]


FLOOD: Final = {NOTE: 5000, PETITION: 3000, HELLO: 5000, ACK: 5000, PING: 5000, ENTRIES: 300}


@pytest.mark.parametrize("kind", FLOOD, ids=["notes", "petitions", "hellos", "acks", "pings", "entries"])
def test_a_player_who_floods_is_answered_soon_all_the_same(house: House, kind: int) -> None:
    with table(house, 5, 1) as (seat, link, log):
        link.send(*flood(kind, log))
        began = time.monotonic()
        answer: Frame = [ACK, 5]
        while answer[1] != 6:  # what is over the pace is lost, and said again
            assert time.monotonic() - began < SOON_S
            link.send([ENTRIES, [vector("chain-recorded")]])
            with suppress(AssertionError):
                answer = link.hear(ACK, within=0.5)
        took = time.monotonic() - began
        shown = [
            record for path in seat.home.rglob("*.notes") for record in read_file(path.read_bytes(), "notes").records
        ]
        assert len(shown) <= 16 + 2 * took + 2
        seat.leave()
        assert seat.ending() == ("LEFT", "")
