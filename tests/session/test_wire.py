"""Frames: each has one form, and anything else is dropped before it is looked into."""

from contextlib import suppress

import pytest
from deck.refusals import refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import STEADY

from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value, encode
from sm_p2p.log.entry import MAX_ENTRY
from sm_p2p.session.wire import (
    ENTRIES_BYTES,
    MAX_ENTRIES,
    MAX_FRAME,
    ROLES,
    Ack,
    Bye,
    Entries,
    Frame,
    Hello,
    Note,
    Petition,
    Ping,
    Pong,
    Reject,
    fitting,
    read_frame,
    write_frame,
)

numbers = st.integers(0, 2**63 - 1)
raws = st.binary(max_size=50)
words = st.text(max_size=256)
ids = st.binary(min_size=32, max_size=32)
places = st.one_of(st.tuples(st.integers(1, 2**53), ids), st.just((0, b"")))
matches = st.one_of(st.tuples(ids, places), st.just((b"", (0, b""))))
hellos = st.builds(
    lambda versions, app, role, identity, token, name, place: Hello(
        min(versions), max(versions), app, role, identity, token, name, place[0], place[1][0], place[1][1]
    ),
    st.tuples(numbers, numbers),
    words,
    st.sampled_from(ROLES),
    ids,
    st.one_of(st.just(b""), st.binary(min_size=16, max_size=16)),
    words,
    matches,
)
frames: st.SearchStrategy[Frame] = st.one_of(
    hellos,
    st.builds(Reject, words, numbers, st.lists(ids, max_size=16).map(tuple)),
    st.builds(Entries, st.lists(raws, max_size=32).map(tuple)),
    st.builds(lambda place, notes: Ack(place[0], place[1], notes), places, numbers),
    st.builds(Petition, raws),
    st.builds(Note, raws),
    st.builds(Ping, numbers),
    st.builds(Pong, numbers),
    st.just(Bye()),
)
ID, NOTHING = b"i" * 32, b""
HELLO: tuple[Value, ...] = (1, 1, 1, "0.1", "host", ID, NOTHING, "Ana", ID, 4, ID)


@STEADY
@given(frames)
def test_a_frame_is_read_back_from_its_bytes(frame: Frame) -> None:
    assert read_frame(write_frame(frame)) == frame


@STEADY
@given(st.binary(max_size=80))
def test_any_bytes_are_a_frame_or_a_fault(raw: bytes) -> None:
    with suppress(Fault):
        assert write_frame(read_frame(raw)) == raw


def test_a_reject_carries_any_fault_code() -> None:
    for code in Code:
        assert read_frame(write_frame(Reject(code))) == Reject(str(code))


def changed(at: int, value: Value) -> tuple[Value, ...]:
    """The hello with one item replaced."""
    return (*HELLO[:at], value, *HELLO[at + 1 :])


def test_the_hello_that_the_refusals_start_from_is_one() -> None:
    assert isinstance(read_frame(encode(HELLO)), Hello)


@pytest.mark.parametrize(
    "value",
    [
        None,
        1,
        b"frame",
        "frame",
        (),
        (0,),
        (10,),
        ("1",),
        ((1,),),
        (True, 1),
        HELLO[:-1],
        (*HELLO, 0),
        changed(1, 2),  # low > high
        changed(1, "1"),
        changed(2, None),
        changed(3, b"0.1"),
        changed(3, "x" * 257),
        changed(4, "dealer"),
        changed(4, 0),
        changed(5, ID[1:]),
        changed(5, "i" * 32),
        changed(6, bytes(15)),
        changed(7, "x" * 257),
        changed(7, b"Ana"),
        changed(8, NOTHING),  # a seq without a match
        changed(8, ID[1:]),
        changed(9, 0),  # a head without a seq
        changed(9, True),
        changed(10, NOTHING),  # a seq without a head
        changed(10, ID + ID),
        (2, "gap", 0),
        (2, "x" * 257, 0, ()),
        (2, b"gap", 0, ()),
        (2, "gap", None, ()),
        (2, "gap", 0, (ID[1:],)),
        (2, "gap", 0, ("i" * 32,)),
        (2, "gap", 0, (ID,) * 17),
        (2, "gap", 0, ID),
        (3,),
        (3, b""),
        (3, (b"", "")),
        (3, (b"", True)),
        (3, (b"",) * 33),
        (3, (), ()),
        (4, 0, NOTHING),
        (4, 0, ID, 0),
        (4, 1, NOTHING, 0),
        (4, 1, ID, ID),
        (4, False, NOTHING, 0),
        (5,),
        (5, "petition"),
        (5, b"", b""),
        (6, 1),
        (6, ()),
        (7,),
        (7, b"1"),
        (7, False),
        (8, 1, 1),
        (8, ""),
        (9, 0),
    ],
    ids=repr,
)
def test_other_items_are_a_bad_frame(value: Value) -> None:
    with refused(Code.BAD_FRAME):
        read_frame(encode(value))


def test_a_hello_may_name_a_match_and_hold_nothing_of_it() -> None:
    hello = Hello(1, 1, "", "guest", ID, NOTHING, "", ID, 0, NOTHING)
    assert read_frame(write_frame(hello)) == hello


def test_bytes_that_are_not_canonical_are_no_frame() -> None:
    with refused(Code.NOT_CANONICAL):
        read_frame(b"\x91\xcc\x09")
    with refused(Code.NOT_CANONICAL):
        read_frame(encode((9,)) + b"\0")


def test_a_frame_has_a_largest_size() -> None:
    fits = MAX_FRAME - len(encode((6, bytes(MAX_FRAME - 10)))) + MAX_FRAME - 10
    assert len(write_frame(Note(bytes(fits)))) == MAX_FRAME
    assert read_frame(write_frame(Note(bytes(fits)))) == Note(bytes(fits))
    with refused(Code.TOO_LARGE):
        read_frame(write_frame(Note(bytes(fits + 1))))


@STEADY
@given(st.lists(st.integers(1, MAX_ENTRY), max_size=40))
def test_a_frame_carries_as_many_whole_entries_as_fit(sizes: list[int]) -> None:
    entries = [bytes(size) for size in sizes]
    carried = fitting(entries).raws
    assert list(carried) == entries[: len(carried)]
    assert len(write_frame(Entries(carried))) <= MAX_FRAME
    assert bool(carried) == bool(entries)
    if len(carried) < min(len(entries), MAX_ENTRIES):
        assert sum(sizes[: len(carried) + 1]) + 8 * (len(carried) + 1) > ENTRIES_BYTES


def test_what_stands_before_each_entry_counts_too() -> None:
    entries = [bytes(ENTRIES_BYTES // 4)] * 4
    assert sum(map(len, entries)) == ENTRIES_BYTES
    assert fitting(entries) == Entries(tuple(entries[:3]))


def test_a_frame_carries_no_more_than_thirty_two_entries() -> None:
    assert fitting([b""] * 40) == Entries((b"",) * 32)
    assert fitting([]) == Entries(())
