"""What entries say: the kinds, and the items of each, read from `protocol/session.md` (What entries say).

Law: standard library only.
"""

from collections.abc import Sequence
from typing import Final

from scripts.reading.reader.envelope import is_number
from scripts.reading.reference_curve import RefusedError
from scripts.reading.reference_log import Value

OPENED, JOINED, DEALT, ANSWERED, MOVED, RESIGNED, REVEALED = range(1, 8)
N: Final = "number"
T: Final = "text"
B: Final = "bytes"
SHAPES: Final[dict[int, list[str | int]]] = {
    OPENED: [N, T, T, 32, 16, 32],
    JOINED: [T, 32, 16, B, B],
    DEALT: [B, B, B, B],
    ANSWERED: [B, B, B, B],
    MOVED: [T, "number or nil", B, B, B, B],
    RESIGNED: [B],
    REVEALED: [B, B, B, B, B],
}
PLACES: Final = {
    OPENED: {1},
    JOINED: {2},
    DEALT: {3},
    ANSWERED: {4, 5, 7},
    MOVED: {6},
    RESIGNED: {4, 5, 6, 7},
    REVEALED: {8, 9},
}


def check_data(kind: int, data: Sequence[Value]) -> None:
    """`unknown-kind`, `bad-shape`."""
    if kind >= 128:
        return
    if kind not in SHAPES:
        raise RefusedError("unknown-kind")
    shape = SHAPES[kind]
    if len(shape) != len(data) or not all(map(_is, data, shape)):
        raise RefusedError("bad-shape")


def _is(item: Value, form: str | int) -> bool:
    if isinstance(form, int):
        return isinstance(item, bytes) and len(item) == form
    if form == T:
        return isinstance(item, str)
    if form == B:
        return isinstance(item, bytes)
    return is_number(item) or (item is None and form != N)
