"""Pings and their answers: whether anybody is there, and how long a word takes to come back."""

from typing import Final

PING_EVERY: Final = 2.0  # seconds
FORGET_AFTER: Final = 60.0  # seconds; an answer that comes later tells nothing


class Pulse:
    """The pings that are under way."""

    def __init__(self) -> None:
        self._at = 0.0
        self._number = 0
        self._under_way: dict[int, float] = {}

    def beat(self, now: float) -> int | None:
        """The number of the ping that is due now, or None."""
        if now < self._at:
            return None
        self._at = now + PING_EVERY
        self._number += 1
        recent = {number: at for number, at in self._under_way.items() if now - at < FORGET_AFTER}
        self._under_way = {**recent, self._number: now}
        return self._number

    def back(self, number: int, now: float) -> float | None:
        """How many seconds this ping took; None if it is none of those under way."""
        sent = self._under_way.pop(number, None)
        return None if sent is None else now - sent

    def stop(self) -> None:
        """No answer comes any more."""
        self._under_way.clear()
