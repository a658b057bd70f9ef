"""Frames, read from `protocol/wire.md`."""

from scripts.reading.reader.envelope import is_number
from scripts.reading.reference_curve import RefusedError
from scripts.reading.reference_log import Value, decode

MAX_FRAME = 61_440
ROLES = ("host", "guest", "spectator", "relay")


def read_frame(raw: bytes) -> list[Value]:
    """The items; `too-large`, `not-canonical`, `bad-frame`."""
    items = decode(raw, MAX_FRAME)
    if not (isinstance(items, list) and items and is_number(items[0]) and _is_frame(items)):
        raise RefusedError("bad-frame")
    return items


def _is_frame(items: list[Value]) -> bool:
    number, *rest = items
    match number, rest:
        case 1, [low, high, app, role, identity, token, name, match_id, seq, head]:
            return (
                _are_numbers(low, high, seq)
                and _is_range(low, high)
                and _is_text(app, 256)
                and role in ROLES
                and _is_bytes(identity, 32)
                and _is_bytes(token, 0, 16)
                and _is_text(name, 256)
                and _is_bytes(match_id, *((0, 32) if seq == 0 else (32,)))
                and _is_bytes(head, 0 if seq == 0 else 32)
            )
        case 2, [code, seq, [*sections]]:
            return _is_text(code, 256) and is_number(seq) and len(sections) <= 16 and _all_bytes(sections, 32)
        case 3, [[*entries]]:
            return len(entries) <= 32 and all(isinstance(entry, bytes) for entry in entries)
        case 4, [seq, head, notes]:
            return _are_numbers(seq, notes) and _is_bytes(head, 0 if seq == 0 else 32)
        case ((5 | 6), [sealed]):
            return isinstance(sealed, bytes)
        case ((7 | 8), [count]):
            return is_number(count)
        case 9, []:
            return True
        case _:
            return False


def _are_numbers(*items: Value) -> bool:
    return all(map(is_number, items))


def _is_range(low: Value, high: Value) -> bool:
    return isinstance(low, int) and isinstance(high, int) and low <= high


def _is_text(item: Value, length: int) -> bool:
    return isinstance(item, str) and len(item) <= length


def _is_bytes(item: Value, *lengths: int) -> bool:
    return isinstance(item, bytes) and len(item) in lengths


def _all_bytes(items: list[Value], length: int) -> bool:
    return all(_is_bytes(item, length) for item in items)
