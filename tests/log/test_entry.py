"""What an envelope is, in the order in which it is looked at, and that only verified ones become entries."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from signers import ANNA, BERT, START, draft_after, entry_after

import sm_p2p
from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value, decode, encode
from sm_p2p.log.entry import MAX_ENTRY, NUMBER_END, Draft, entry_id, read_envelope, seal, unseal
from sm_p2p.log.signature import sign_labelled

FIRST = entry_after(START)
ONE = START.append(FIRST)
DRAFT = draft_after(ONE, kind=7, data=(1, b"two", "three", (True, None)))
PARTS = ("version", "match", "seq", "prev", "author", "kind", "time_ms", "data", "digest")


def code_of(raw: bytes) -> Code | None:
    try:
        read_envelope(raw)
    except Fault as fault:
        return fault.code
    return None


def raw_with(**parts: Value) -> bytes:
    """An envelope of a second entry with these parts in place of good ones."""
    good: dict[str, Value] = {name: getattr(DRAFT, name) for name in PARTS}
    body = encode(tuple((good | parts).values()))
    return encode((body, sign_labelled(ANNA, "SM1/entry", body)))


def test_an_entry_says_what_its_draft_said() -> None:
    entry = seal(DRAFT, ANNA)
    assert all(getattr(entry, name) == getattr(DRAFT, name) for name in PARTS)
    assert (entry.id, entry.body) == (DRAFT.id, DRAFT.body)
    assert entry == unseal(read_envelope(entry.raw), ANNA.identity)
    assert entry.raw == encode((entry.body, entry.signature))


def test_the_id_leaves_the_signature_out() -> None:
    assert seal(DRAFT, ANNA).id == seal(DRAFT, BERT).id == entry_id(DRAFT.body)
    assert replace(DRAFT, time_ms=1).id != DRAFT.id


def test_an_envelope_of_another_signer_is_no_entry() -> None:
    with pytest.raises(Fault, match="bad-signature"):
        unseal(read_envelope(seal(DRAFT, BERT).raw), ANNA.identity)


def test_a_signature_under_another_label_is_no_entry() -> None:
    note = encode((DRAFT.body, sign_labelled(ANNA, "SM1/note", DRAFT.body)))
    with pytest.raises(Fault, match="bad-signature"):
        unseal(read_envelope(note), ANNA.identity)


@pytest.mark.parametrize(
    "parts",
    [
        {"match": b""},
        {"match": bytes(31)},
        {"match": "m" * 32},
        {"seq": 0},
        {"seq": 1},
        {"seq": True},
        {"seq": NUMBER_END},
        {"seq": "2"},
        {"prev": b""},
        {"prev": bytes(33)},
        {"author": 2},
        {"author": False},
        {"kind": 256},
        {"kind": None},
        {"time_ms": NUMBER_END},
        {"time_ms": b"0"},
        {"data": b""},
        {"data": None},
        {"digest": bytes(7)},
        {"digest": bytes(9)},
        {"digest": 8},
        {"one": 0},
    ],
)
def test_a_part_out_of_shape_is_refused(parts: dict[str, Value]) -> None:
    assert code_of(raw_with(**parts)) is Code.BAD_SHAPE


@pytest.mark.parametrize("parts", [{"seq": NUMBER_END - 1}, {"kind": 255}, {"time_ms": NUMBER_END - 1}, {"author": 1}])
def test_the_bounds_themselves_are_in_shape(parts: dict[str, Value]) -> None:
    assert code_of(raw_with(**parts)) is None


@pytest.mark.parametrize("parts", [{"match": bytes(32)}, {"prev": bytes(32)}])
def test_the_first_entry_names_no_match_and_follows_nothing(parts: dict[str, Value]) -> None:
    first: dict[str, Value] = {"seq": 1, "match": b"", "prev": b""}
    assert code_of(raw_with(**first)) is None
    assert code_of(raw_with(**first | parts)) is Code.BAD_SHAPE


@pytest.mark.parametrize("version", [0, 2, 255, 2**60])
def test_another_version_is_named_before_its_shape_is_judged(version: int) -> None:
    with pytest.raises(Fault, match=rf"other-version: .*{version}.*1"):
        read_envelope(raw_with(version=version))
    assert code_of(encode((encode((version, "anything")), bytes(64)))) is Code.OTHER_VERSION


@pytest.mark.parametrize("body", [(), (True,) * 9, ("1",) * 9, "body", (1,), (1,) * 8])
def test_a_body_is_a_list_of_nine_that_begins_with_the_version(body: Value) -> None:
    assert code_of(encode((encode(body), bytes(64)))) is Code.BAD_SHAPE


@pytest.mark.parametrize(
    "outer",
    [
        (),
        (b"",),
        (DRAFT.body, bytes(63)),
        (DRAFT.body, bytes(65)),
        (DRAFT.body, bytes(64), None),
        ("text", bytes(64)),
        (DRAFT.body, "s" * 64),
        DRAFT.body,
        None,
    ],
)
def test_an_envelope_is_a_body_and_a_signature(outer: Value) -> None:
    assert code_of(encode(outer)) is Code.BAD_SHAPE


def test_the_body_is_canonical_too() -> None:
    assert code_of(encode((b"\xc1", bytes(64)))) is Code.NOT_CANONICAL
    assert code_of(encode((DRAFT.body + b"\0", bytes(64)))) is Code.NOT_CANONICAL
    assert (
        code_of(encode((DRAFT.body.replace(b"\x02\xc4\x20", b"\xcc\x02\xc4\x20", 1), bytes(64)))) is Code.NOT_CANONICAL
    )


def test_an_entry_has_at_most_60000_bytes() -> None:
    room = MAX_ENTRY - len(seal(replace(DRAFT, data=(bytes(50_000),)), ANNA).raw)
    largest = replace(DRAFT, data=(bytes(50_000 + room),))
    assert len(seal(largest, ANNA).raw) == MAX_ENTRY
    with pytest.raises(Fault, match="too-large"):
        seal(replace(DRAFT, data=(bytes(50_001 + room),)), ANNA)


@pytest.mark.parametrize("bad", [replace(DRAFT, seq=1), replace(DRAFT, author=2), replace(DRAFT, digest=b"")])
def test_what_would_be_refused_is_never_signed(bad: Draft) -> None:
    class Never:
        """A signer that is not asked."""

        identity = ANNA.identity

        def sign(self, message: bytes) -> bytes:
            raise AssertionError(message)

    with pytest.raises(Fault, match="bad-shape"):
        seal(bad, Never())


def test_a_signer_that_signs_something_else_gives_no_entry() -> None:
    class Absent:
        """A signer that does not listen."""

        identity = ANNA.identity

        def sign(self, message: bytes) -> bytes:
            return ANNA.sign(message + b"!")

    with pytest.raises(Fault, match="bad-signature"):
        seal(DRAFT, Absent())


@settings(derandomize=True, deadline=None)
@given(st.data())
def test_a_damaged_entry_gives_a_fault_and_never_another_exception(data: st.DataObject) -> None:
    raw = bytearray(seal(DRAFT, ANNA).raw)
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != raw[at]))
    with pytest.raises(Fault):
        unseal(read_envelope(bytes(raw)), ANNA.identity)


@settings(derandomize=True, deadline=None)
@given(st.binary(max_size=200), st.binary(min_size=60, max_size=66))
def test_garbage_gives_a_fault_and_never_another_exception(body: bytes, signature: bytes) -> None:
    for raw in (body, encode((body, signature)), encode((body, bytes(64)))):
        assert code_of(raw) is not None


def test_entries_are_made_in_one_module_only() -> None:
    package = Path(sm_p2p.__file__).parent
    makers = {path.name for path in package.rglob("*.py") if re.search(r"\bEntry\(", path.read_text("utf-8"))}
    assert makers == {"entry.py"}


def test_the_layout_of_the_body_is_the_one_of_the_protocol() -> None:
    entry = seal(DRAFT, ANNA)
    assert decode(entry.raw, MAX_ENTRY) == (entry.body, entry.signature)
    assert decode(entry.body, MAX_ENTRY) == (1, ONE.match, 2, ONE.head, 0, 7, 0, DRAFT.data, bytes(8))
