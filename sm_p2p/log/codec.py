"""MessagePack with one encoding for one value; every other text of the same value is refused.

Law: `decode` gives a value or a Fault, never another exception, for any bytes; what it gives encodes to the very
bytes that were read. Memory is bounded by the caller's limit, `MAX_ITEMS` and `MAX_DEPTH` (`protocol/log.md`, The codec).
"""

from typing import TypeAlias, TypeGuard

import msgpack

from sm_p2p.errors import Code, Fault

Value: TypeAlias = "bool | int | bytes | str | tuple[Value, ...] | None"

INT_END = 2**63  # whole numbers lie below it: a signed 64-bit integer of any language holds them
MAX_DEPTH = 8  # arrays in arrays; nothing in the protocol needs more than five
MAX_ITEMS = 1024  # items of one array; an open array is paid for before its items are seen
_PLAIN = frozenset({bytes, str, bool, type(None)})


def encode(value: Value) -> bytes:
    r"""The canonical bytes of a value; ValueError for what has none (that is a bug of the caller).

    >>> encode((1, True, None, b"\0", "é", ())).hex()
    '9601c3c0c40100a2c3a990'
    """
    if not _is_value(value, MAX_DEPTH):
        raise ValueError(f"no canonical encoding: {value!r:.80}")
    return _pack(value)


def decode(raw: bytes, limit: int) -> Value:
    r"""The value that these bytes are the canonical encoding of; `limit` is the largest length in bytes.

    Raises Fault `too-large` or `not-canonical`.

    >>> decode(bytes.fromhex("93 01 c3 c4 01 00"), 100)
    (1, True, b'\x00')
    >>> decode(bytes.fromhex("cc 01"), 100)
    Traceback (most recent call last):
    sm_p2p.errors.Fault: not-canonical: a longer form than needed
    """
    if len(raw) > limit:
        raise Fault(Code.TOO_LARGE, "{n} bytes, {limit} are allowed", n=len(raw), limit=limit)
    try:
        value: object = msgpack.unpackb(
            raw, use_list=False, raw=False, max_array_len=MAX_ITEMS, max_map_len=0, max_ext_len=0
        )
    except (ValueError, msgpack.exceptions.UnpackException) as error:
        raise Fault(Code.NOT_CANONICAL, "no value of this format") from error
    if not _is_value(value, MAX_DEPTH):
        raise Fault(Code.NOT_CANONICAL, "a type, a number or a depth that the format leaves out")
    if _pack(value) != raw:
        raise Fault(Code.NOT_CANONICAL, "a longer form than needed")
    return value


def _pack(value: Value) -> bytes:
    packed: bytes = msgpack.packb(value)  # `strict_types` would refuse tuples; `_is_value` has been stricter already
    return packed


def _is_value(value: object, depth: int) -> TypeGuard[Value]:
    """Whether this is a Value to the letter: True is no number here, and no subclass passes."""
    if type(value) in _PLAIN:
        return True
    if type(value) is int:
        return 0 <= value < INT_END
    return (
        type(value) is tuple
        and depth > 0
        and len(value) <= MAX_ITEMS
        and all(_is_value(item, depth - 1) for item in value)
    )
