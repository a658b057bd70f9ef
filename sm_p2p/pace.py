"""How much may come at once, and how fast after that: a bucket of tokens that fills by itself.

Law: no clock in here. `now` is any monotonic clock in seconds; one that goes back brings nothing and takes nothing.
"""


class Bucket:
    """At most `most` tokens, full at first, and so many new ones `a_second`."""

    def __init__(self, most: float, a_second: float) -> None:
        self._most = most
        self._a_second = a_second
        self._level = most
        self._at: float | None = None

    def has_room(self, now: float, weight: float = 1) -> bool:
        """Whether there are so many tokens; then they are spent, else nothing is.

        >>> bucket = Bucket(2, 1)
        >>> [bucket.has_room(now) for now in (0, 0, 0, 0.5, 1)]
        [True, True, False, False, True]
        """
        self._fill(now)
        if self._level < weight:
            return False
        self._level -= weight
        return True

    def owes(self, now: float, weight: float = 1) -> float:
        """Spends so many tokens, also ones that are still to come; how many seconds it takes until none are owed.

        >>> bucket = Bucket(2, 4)
        >>> [bucket.owes(now) for now in (0, 0, 0, 1)]
        [0.0, 0.0, 0.25, 0.0]
        """
        self._fill(now)
        self._level -= weight
        return max(0.0, -self._level / self._a_second)

    def _fill(self, now: float) -> None:
        at = now if self._at is None else self._at
        self._at = max(at, now)
        self._level = min(self._most, self._level + (self._at - at) * self._a_second)
