"""The vectors of record files and of fingerprints, through the package."""

import pytest
from vector_files import Vector, unpacked, vectors

from sm_p2p.store.fingerprint import fingerprint
from sm_p2p.store.notes import NOTES
from sm_p2p.store.records import LOG, read_records


@pytest.mark.parametrize("vector", vectors("journal.json"), ids=repr)
def test_journal(vector: Vector) -> None:
    reading = read_records(vector.raw("file"), {"log": LOG, "notes": NOTES}[vector.text("sort")])
    assert (reading.verdict or "ok") == vector.expect
    assert (reading.end, reading.rest) == (vector.number("end"), vector.number("rest"))
    expected = []
    for record in vector.items("records"):
        assert isinstance(record, dict)
        expected.append((record["offset"], record["type"], unpacked(record["payload"])))
    assert list(reading.records) == expected


@pytest.mark.parametrize("vector", vectors("chain.json", "fingerprint"), ids=repr)
def test_fingerprint(vector: Vector) -> None:
    assert list(fingerprint(vector.raw("identity"))) == vector.items("words")
