"""One value, one encoding; any bytes give a value or a Fault, in bounded memory."""

import itertools
import struct
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scripts.reading import reference_log as reference
from scripts.reading.reference_curve import RefusedError
from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import INT_END, MAX_DEPTH, MAX_ITEMS, Value, decode, encode

LIMIT = 60_000
ALWAYS = settings(derandomize=True, deadline=None)

SCALARS: st.SearchStrategy[Value] = (
    st.none()
    | st.booleans()
    | st.integers(0, INT_END - 1)
    | st.sampled_from([127, 128, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32])
    | st.binary(max_size=40)
    | st.text(max_size=40)
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5).map(tuple), max_leaves=8
)


def kind_of_fault(raw: bytes, limit: int = LIMIT) -> Code | None:
    """None for a value that encodes to these bytes again, else the code; any other exception passes."""
    try:
        value = decode(raw, limit)
    except Fault as fault:
        return fault.code
    assert encode(value) == raw
    return None


def as_tuples(value: reference.Value) -> Value:
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


def reference_accepts(raw: bytes) -> bool:
    """Whether the hand-written reader of `scripts/reading/reference_log.py` finds a value there, and the same one."""
    try:
        value = reference.decode(raw, LIMIT)
    except RefusedError:
        return False
    assert repr(as_tuples(value)) == repr(decode(raw, LIMIT))
    return True


@ALWAYS
@given(VALUES)
def test_what_is_decoded_is_what_was_encoded(value: Value) -> None:
    back = decode(encode(value), LIMIT)
    assert back == value
    assert repr(back) == repr(value)  # True is not 1


@pytest.mark.parametrize("length", [0, 1, 2])
def test_every_short_input_is_judged_as_by_hand(length: int) -> None:
    for bytes_ in itertools.product(range(256), repeat=length):
        raw = bytes(bytes_)
        assert (kind_of_fault(raw) is None) == reference_accepts(raw), raw.hex()


@ALWAYS
@given(st.integers(0, 255), st.binary(max_size=12))
def test_inputs_of_every_lead_byte_are_judged_as_by_hand(lead: int, rest: bytes) -> None:
    raw = bytes([lead]) + rest
    assert kind_of_fault(raw) is (None if reference_accepts(raw) else Code.NOT_CANONICAL)


@ALWAYS
@given(VALUES, st.data())
def test_a_damaged_encoding_is_refused_or_is_another_values_encoding(value: Value, data: st.DataObject) -> None:
    raw = bytearray(encode((value, value)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw) - 1))
        match data.draw(st.sampled_from(["flip", "insert", "delete", "cut"])):
            case "flip":
                raw[at] ^= 1 << data.draw(st.integers(0, 7))
            case "insert":
                raw.insert(at, data.draw(st.integers(0, 255)))
            case "delete" if len(raw) > 1:
                del raw[at]
            case _:
                del raw[max(at, 1) :]
    assert kind_of_fault(bytes(raw)) is (None if reference_accepts(bytes(raw)) else Code.NOT_CANONICAL)


@ALWAYS
@given(st.binary(max_size=300))
@example(b"")
@example(b"\xc1")
@example(b"\xd6\xff" + bytes(4))  # a timestamp
@example(b"\xc7\x00\xff")  # an empty extension, the type of timestamps
@example(b"\xa1\xff")  # text that is no UTF-8
@example(b"\xa3\xed\xa0\x80")  # half of a surrogate pair
def test_garbage_gives_a_fault_and_never_another_exception(raw: bytes) -> None:
    assert kind_of_fault(raw) in {None, Code.NOT_CANONICAL}


@pytest.mark.parametrize(
    ("what", "raw"),
    [
        ("a longer form of 1", b"\xcc\x01"),
        ("a longer form of 200", b"\xcd\x00\xc8"),
        ("a longer form of short text", b"\xd9\x01a"),
        ("a longer form of bytes", b"\xc5\x00\x01a"),
        ("a longer form of a list", b"\xdc\x00\x01\x00"),
        ("a negative number", b"\xff"),
        ("a negative number of 64 bits", b"\xd3" + b"\xff" * 8),
        ("2**63", b"\xcf\x80" + bytes(7)),
        ("a float", b"\xca" + struct.pack(">f", 1)),
        ("a double", b"\xcb" + struct.pack(">d", 1)),
        ("an empty map", b"\x80"),
        ("a map", b"\x81\x01\x01"),
        ("a map with a key twice", b"\x82\x01\x01\x01\x01"),
        ("a map with a list as key", b"\x81\x90\x01"),
        ("an extension", b"\xd4\x01\x00"),
        ("a timestamp", b"\xd6\xff\x00\x00\x00\x00"),
        ("an empty extension", b"\xc7\x00\x01"),
        ("bytes behind the value", b"\x01\x01"),
        ("a value cut off", b"\x92\x01"),
        ("nothing", b""),
        ("the byte that nothing uses", b"\xc1"),
        ("a list too deep", b"\x91" * MAX_DEPTH + b"\x90"),
        ("a list far too deep", b"\x91" * 30_000),
        ("a list too long", b"\xdc" + (MAX_ITEMS + 1).to_bytes(2) + bytes(MAX_ITEMS + 1)),
        ("a list that promises much", b"\xdd\xff\xff\xff\xff"),
        ("bytes that promise much", b"\xc6\xff\xff\xff\xff"),
        ("text in old UTF-8", b"\xa2\xc0\x80"),
    ],
)
def test_there_is_no_value_for(what: str, raw: bytes) -> None:
    with pytest.raises(Fault) as caught:
        decode(raw, LIMIT)
    assert caught.value.code is Code.NOT_CANONICAL, what


def test_the_bounds_themselves_are_allowed() -> None:
    deep: Value = ()
    for _ in range(MAX_DEPTH - 1):
        deep = (deep,)
    values: tuple[Value, ...] = (deep, (0,) * MAX_ITEMS, INT_END - 1, "\0", b"", "")
    for value in values:
        assert decode(encode(value), LIMIT) == value


def test_size_is_looked_at_before_anything_else() -> None:
    for raw in (bytes(6), b"\xc1" * 6):
        with pytest.raises(Fault) as caught:
            decode(raw, 5)
        assert caught.value.code is Code.TOO_LARGE
    assert decode(encode("four"), 5) == "four"


@pytest.mark.parametrize("value", [-1, INT_END, (((((((((),),),),),),),),), (0,) * (MAX_ITEMS + 1), "\ud800"])
def test_a_value_without_an_encoding_is_a_bug_of_the_caller(value: Value) -> None:
    with pytest.raises(ValueError, match=r"no canonical encoding|surrogates"):
        encode(value)


def test_types_are_exact_when_encoding() -> None:
    class Number(int):
        """Not quite a number."""

    class Row(tuple[int, ...]):
        """Not quite a tuple."""

        __slots__ = ()

    wrong: tuple[object, ...] = (Number(1), Row((1,)), 1.0, [1], {}, bytearray(b"x"))
    for value in wrong:
        with pytest.raises(ValueError, match="no canonical encoding"):
            encode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("lists left open", b"\xdc\x04\x00" * 20_000),
        ("longer lists left open", b"\xdc\xea\x60" * 20_000),
        ("empty lists", b"\xdc\x00\x3a" + (b"\xdc\x04\x00" + b"\x90" * 1_024) * 58),
        ("small lists", b"\xdc\x03\x00" + (b"\xdc\x00\x14" + b"\x91\x01" * 20) * 768),
        ("short texts", b"\xdc\x00\x1d" + (b"\xdc\x04\x00" + b"\xa1\x61" * 1_024) * 29),
        ("large numbers", b"\xdc\x00\x0b" + (b"\xdc\x02\x58" + (b"\xcf\x7f" + bytes(7)) * 600) * 11),
        ("maps", b"\xdc\x04\x00" + b"\x80" * 59_000),
    ],
)
def test_memory_is_bounded_whatever_comes(name: str, raw: bytes) -> None:
    assert len(raw) <= LIMIT, name
    tracemalloc.start()
    try:
        kind_of_fault(raw)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 12 * 1024 * 1024, name
