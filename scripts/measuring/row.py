"""One number that was measured, as every measurement gives it and `scripts/bench` prints it."""

from typing import NamedTuple


class Row(NamedTuple):
    """One measured number."""

    name: str
    value: float
    unit: str
    note: str
