"""Any bytes are whole, torn, damaged or something else, and what is sound before the bad place is always given."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from signers import raw_chain

from sm_p2p.errors import Code
from sm_p2p.store.notes import NOTES
from sm_p2p.store.records import ENTRY, LOG, MAX_LENGTH, pack_record, read_records

ALWAYS = settings(derandomize=True, deadline=None)
ENTRIES = raw_chain(6)
WHOLE = LOG.head + b"".join(pack_record(ENTRY, raw) for raw in ENTRIES)
ENDS = [8]
for _raw in ENTRIES:
    ENDS.append(ENDS[-1] + 9 + len(_raw))


def payloads(raw: bytes) -> tuple[bytes, ...]:
    return tuple(record.payload for record in read_records(raw, LOG).records)


def verdict(raw: bytes) -> Code | None:
    return read_records(raw, LOG).verdict


def test_a_whole_file_gives_every_record_and_its_place() -> None:
    reading = read_records(WHOLE, LOG)
    assert (reading.verdict, reading.end, reading.rest, reading.sentence) == (None, len(WHOLE), 0, "")
    assert payloads(WHOLE) == ENTRIES
    assert [record.offset for record in reading.records] == ENDS[:-1]
    assert read_records(LOG.head, LOG).verdict is None


def test_the_bytes_of_a_record_are_those_of_the_protocol() -> None:
    assert pack_record(1, b"abc").hex() == "00000004" + "e27b861c" + "01" + "616263"
    assert LOG.head.hex() == "534d4c4f470d0a01"


def test_a_file_cut_at_any_byte_is_torn_and_keeps_its_complete_records() -> None:
    for cut in range(len(WHOLE)):
        reading = read_records(WHOLE[:cut], LOG)
        complete = sum(end <= cut for end in ENDS[1:])
        assert payloads(WHOLE[:cut]) == ENTRIES[:complete]
        if cut in ENDS:
            assert reading.verdict is None
        else:
            assert reading.verdict is Code.TORN_TAIL
            assert (reading.end, reading.rest) == ((ENDS[complete], cut - ENDS[complete]) if cut >= 8 else (0, cut))


def test_every_bit_flip_is_noticed_where_it_is() -> None:
    for bit in range(8 * len(WHOLE)):
        raw = bytearray(WHOLE)
        raw[bit // 8] ^= 1 << bit % 8
        reading = read_records(bytes(raw), LOG)
        hit = sum(end <= bit // 8 for end in ENDS) - 1  # the record that was hit; -1 for the head of the file
        assert payloads(bytes(raw)) == ENTRIES[: max(hit, 0)]
        if hit < 0:
            assert reading.verdict in {Code.NO_JOURNAL, Code.OTHER_VERSION}
        elif hit < len(ENTRIES) - 1:
            assert reading.verdict is Code.DAMAGED_FILE
        else:
            assert reading.verdict is Code.TORN_TAIL


@ALWAYS
@given(st.binary(max_size=200), st.sampled_from(ENDS))
@example(bytes(100), ENDS[2])
@example(b"\0\0\0\1", ENDS[2])
def test_garbage_behind_sound_records_never_costs_one(garbage: bytes, end: int) -> None:
    assert payloads(WHOLE[:end] + garbage)[: ENDS.index(end)] == ENTRIES[: ENDS.index(end)]
    assert payloads(WHOLE[:end] + bytes(4) + garbage) == ENTRIES[: ENDS.index(end)]


def test_zeros_are_no_records() -> None:
    for count in (1, 8, 9, 100, 4_096):
        assert verdict(WHOLE + bytes(count)) is Code.TORN_TAIL


def test_a_sound_record_anywhere_behind_a_bad_place_makes_it_damage() -> None:
    for gap in (b"\0", b"x" * 7, bytes(5_000)):
        assert verdict(LOG.head + gap + pack_record(ENTRY, b"")) is Code.DAMAGED_FILE
        assert verdict(LOG.head + gap + pack_record(77, b"z") + b"\xff") is Code.DAMAGED_FILE


RECORD = pack_record(ENTRY, b"a record that another player has put into his entry")


def cuts(payload: bytes) -> dict[int, Code | None]:
    """The verdict on a log whose last record has this payload, by where the file was cut."""
    last = pack_record(ENTRY, payload)
    start = len(WHOLE)
    return {cut: verdict((WHOLE + last)[:cut]) for cut in range(start + 1, start + len(last))}


@pytest.mark.parametrize("around", [b"", b"\0", b"\xff" * 40])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_torn_record_is_torn_whatever_the_other_player_wrote_into_it(around: bytes, count: int) -> None:
    """Only where the cut hits the very end of such bytes it cannot be told; then nothing is cut off."""
    payload = around + RECORD * count + b"."
    found = cuts(payload)
    ends = {len(WHOLE) + 9 + len(around) + at * len(RECORD) for at in range(1, count + 1)}
    assert {cut for cut, code in found.items() if code is Code.DAMAGED_FILE} <= ends
    assert {code for cut, code in found.items() if cut not in ends} == {Code.TORN_TAIL}


def test_a_torn_record_is_torn_also_where_the_bytes_in_it_go_on_past_its_end() -> None:
    payload = RECORD + RECORD[:4] + bytes(200)
    ends = {len(WHOLE) + 9 + len(RECORD)}
    assert {cut for cut, code in cuts(payload).items() if code is not Code.TORN_TAIL} <= ends


@ALWAYS
@given(st.integers(0, len(ENTRIES) - 2), st.integers(1, MAX_LENGTH))
def test_a_length_that_was_changed_is_damage_as_long_as_records_follow_to_the_end(record: int, length: int) -> None:
    at = ENDS[record]
    raw = WHOLE[:at] + length.to_bytes(4) + WHOLE[at + 4 :]
    reading = read_records(raw, LOG)
    if raw != WHOLE:
        assert (reading.verdict, reading.end) == (Code.DAMAGED_FILE, at)


def test_bytes_within_bytes_cost_no_minutes() -> None:
    """Records within records, each chain of them looked at once."""
    payload = pack_record(ENTRY, b"") * 7_000
    begun = time.process_time()
    assert verdict(LOG.head + pack_record(ENTRY, payload)[:-1]) is Code.TORN_TAIL
    assert time.process_time() - begun < 10


def test_a_type_below_128_has_to_be_known() -> None:
    reading = read_records(LOG.head + pack_record(ENTRY, b"a") + pack_record(2, b"b") + pack_record(ENTRY, b"c"), LOG)
    assert reading.verdict is Code.OTHER_VERSION
    assert [record.payload for record in reading.records] == [b"a"]
    assert "record 2 at byte 18" in reading.sentence
    assert "type 2" in reading.sentence


def test_a_type_from_128_on_is_passed_over() -> None:
    raw = (
        LOG.head + pack_record(ENTRY, b"a") + pack_record(128, b"b") + pack_record(255, b"") + pack_record(ENTRY, b"c")
    )
    assert verdict(raw) is None
    assert payloads(raw) == (b"a", b"c")


def test_another_version_is_named_with_ours() -> None:
    reading = read_records(WHOLE[:7] + b"\x02" + WHOLE[8:], LOG)
    assert reading.verdict is Code.OTHER_VERSION
    assert "version 2" in reading.sentence
    assert "version 1" in reading.sentence


@pytest.mark.parametrize("raw", [b"x", b"#!/bin/sh\n", b"SMLOG\n\x01\x00", NOTES.head, WHOLE[1:], bytes(8)])
def test_another_file_is_no_journal(raw: bytes) -> None:
    assert verdict(raw) is Code.NO_JOURNAL


def test_a_record_has_a_largest_size() -> None:
    largest = LOG.head + pack_record(ENTRY, bytes(MAX_LENGTH - 1))
    assert verdict(largest) is None
    with pytest.raises(ValueError, match="65534"):
        pack_record(ENTRY, bytes(MAX_LENGTH))


@pytest.mark.parametrize("pattern", [b"\0", b"\0\0\xff\xff", b"\0\0\0\x01", b"\0\0\x10"])
def test_crafted_bytes_do_not_cost_minutes(pattern: bytes) -> None:
    raw = LOG.head + b"\xff" * 9 + pattern * (4_000_000 // len(pattern))
    begun = time.process_time()
    assert verdict(raw) in {Code.TORN_TAIL, Code.DAMAGED_FILE}
    assert time.process_time() - begun < 10


def test_where_the_search_is_given_up_nothing_may_be_cut_off() -> None:
    assert verdict(LOG.head + b"\xff" * 9 + b"\0\0\xff\xff" * 100_000) is Code.DAMAGED_FILE
