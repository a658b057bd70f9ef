"""A mark is the one before or this one; one that cannot be read holds the pen."""

from pathlib import Path

import pytest

from sm_p2p.errors import JournalDamaged
from sm_p2p.log.codec import encode
from sm_p2p.store.marks import MARK, MARKS, Mark, read_mark, write_mark
from sm_p2p.store.records import pack_record

HERE = Mark(b"m" * 32, 7, b"h" * 32)


def test_a_mark_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "m.signed"
    assert read_mark(path) is None
    for mark in (HERE, HERE._replace(seq=8), HERE._replace(seq=2**53 - 1)):
        write_mark(path, mark)
        assert read_mark(path) == mark
    assert [file.name for file in path.parent.iterdir()] == ["m.signed"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_damaged_mark_is_never_taken_for_none(tmp_path: Path) -> None:
    path = tmp_path / "m.signed"
    write_mark(path, HERE)
    good = path.read_bytes()
    flipped = [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in range(len(good))]
    for raw in [good[:cut] for cut in range(len(good))] + flipped + [good + b"\0"]:
        path.write_bytes(raw)
        with pytest.raises(JournalDamaged, match="nothing is signed"):
            read_mark(path)


@pytest.mark.parametrize("payload", [b"\xc1", encode(()), encode((b"", True, b"")), encode((b"", 1)), encode(b"")])
def test_a_mark_of_another_shape_is_damaged(tmp_path: Path, payload: bytes) -> None:
    path = tmp_path / "m.signed"
    path.write_bytes(MARKS.head + pack_record(MARK, payload))
    with pytest.raises(JournalDamaged):
        read_mark(path)
    path.write_bytes(MARKS.head)
    with pytest.raises(JournalDamaged):
        read_mark(path)
