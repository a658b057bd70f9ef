"""What is written beside the log comes back as it was."""

import pytest

from sm_p2p.errors import Fault
from sm_p2p.log.codec import Value, encode
from sm_p2p.store.notes import NOTES, Kind, Remark, read_remark
from sm_p2p.store.records import Record, pack_record, read_records


@pytest.mark.parametrize("kind", Kind)
def test_a_remark_comes_back_as_it_was(kind: Kind) -> None:
    remark = Remark(kind, 12, 1_700_000_000_000, b"\0" * 61_440)
    reading = read_records(NOTES.head + pack_record(kind, remark.pack()), NOTES)
    assert [read_remark(record) for record in reading.records] == [remark]


@pytest.mark.parametrize("value", [None, (), (1, 2, "text"), (True, 2, b""), (1, False, b""), (1, 2, b"", b"")])
def test_another_shape_is_a_fault(value: Value) -> None:
    with pytest.raises(Fault, match="bad-shape"):
        read_remark(Record(8, Kind.NOTE, encode(value)))


def test_garbage_is_a_fault() -> None:
    with pytest.raises(Fault, match="not-canonical"):
        read_remark(Record(8, Kind.NOTE, b"\xc1"))
