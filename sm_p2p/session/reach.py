"""Whether the other side can be reached: the link, when it was last heard, when to say something again, how long it is away.

Law: `now` is any monotonic clock, in seconds. Time in which this program did not run counts for nobody's absence.
"""

from typing import Final

from sm_p2p.session.pulse import Pulse

FIRST_RETRY: Final = 0.5  # seconds; doubles up to LAST_RETRY, starts anew with progress
LAST_RETRY: Final = 8.0
LONGEST_STEP: Final = 5.0  # seconds that one look at the clock adds to an absence: a machine asleep has not waited


class Reach:
    """The way to the other side, and its silence."""

    def __init__(self) -> None:
        self.is_linked = False
        self.has_left = False  # said goodbye, and was not heard since
        self.heard_at = 0.0
        self.absent = 0.0  # seconds that were waited through since the other side was last heard
        self._looked_at: float | None = None
        self._retry = FIRST_RETRY
        self._retry_at = 0.0
        self._pulse = Pulse()

    def connected(self, now: float) -> None:
        """The way exists (again)."""
        self.is_linked, self.has_left = True, False
        self.looked(now)
        self.progressed(now)

    def disconnected(self) -> None:
        """The way is gone."""
        self.is_linked = False
        self._pulse.stop()

    def heard(self, now: float) -> None:
        """The other side has said something."""
        self.heard_at = self._looked_at = now
        self.absent = 0.0

    def looked(self, now: float) -> None:
        """Time has passed in silence."""
        if self._looked_at is not None:
            self.absent += min(max(now - self._looked_at, 0.0), LONGEST_STEP)
        self._looked_at = now

    def progressed(self, now: float) -> None:
        """What has to be said again is said again soon."""
        self._retry, self._retry_at = FIRST_RETRY, now + FIRST_RETRY

    def is_due(self, now: float) -> bool:
        """Whether it is time to say again what was not acknowledged."""
        return now >= self._retry_at

    def waits(self, now: float, *, for_something: bool) -> None:
        """It was said again, if there was something; the next time comes later."""
        self._retry = min(2 * self._retry, LAST_RETRY) if for_something else FIRST_RETRY
        self._retry_at = now + self._retry

    def beat(self, now: float) -> int | None:
        """The number of the ping that is due now, or None."""
        return self._pulse.beat(now)

    def back(self, number: int, now: float) -> float | None:
        """How many seconds this ping took; None if it is none of those under way."""
        return self._pulse.back(number, now)
