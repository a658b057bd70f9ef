"""What a player's session listens to: frames that are whole, and of the costly kinds no more than anybody honest sends.

Law: what is not listened to is as if it had been lost on the way. Whoever keeps to the times of `protocol/wire.md`
(Sending) loses nothing for good: what matters is sent again until it is acknowledged.
"""

from typing import Final

from sm_p2p.errors import Fault
from sm_p2p.pace import Bucket
from sm_p2p.session.wire import Frame, Hello, Note, Petition, read_frame

PACES: Final[dict[type[Frame], tuple[int, int]]] = {
    Hello: (64, 8),  # each may be answered with a whole frame of entries
    Petition: (32, 2),  # each has a signature
    Note: (16, 2),  # each has a signature, is stored, and shown to a person
}
"""How many of a kind are taken at once, and how many a second after that."""


class Ear:
    """One session's; it outlives the connections, so that coming back brings no new patience."""

    def __init__(self) -> None:
        self._buckets = {kind: Bucket(*pace) for kind, pace in PACES.items()}

    def frame(self, raw: bytes, now: float) -> Frame | None:
        """The frame in these bytes; None where there is none, or too many of its kind have come."""
        try:
            frame = read_frame(raw)
        except Fault:
            return None
        bucket = self._buckets.get(type(frame))
        return frame if bucket is None or bucket.has_room(now) else None
