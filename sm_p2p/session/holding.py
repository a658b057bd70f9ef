"""What the other side is known to hold, and what of our own is missing here: whether the pen has to rest.

Law: nothing is signed before the other side has shown once what it holds, nor while it says that it holds more, nor
while what we signed last, as the mark tells, is not in our log. What it says on one connection is forgotten with that
connection, and then it has to show itself anew.
"""

from collections.abc import Sequence

from sm_p2p.log.entry import read_envelope
from sm_p2p.session.effects import Mark, Recovered
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.state import SeatNumber


class Holding:
    """Of one match; `ids` are those of our log, which its owner lets grow."""

    def __init__(self, ids: Sequence[bytes], mark: Mark | None) -> None:
        self.mark = mark
        self.is_shown = False  # whether the other side has shown what it holds
        self.theirs = 0  # the last entry that it is known to hold
        self._ids = ids
        self._claimed = 0  # the last entry that it says it holds
        self._kept = len(ids)  # how many entries were here before any came back
        self._back = 0  # how many came back since, up to the last one of ours
        self._is_strange = False  # whether one of them is beyond our mark

    def connected(self) -> None:
        """A new connection."""
        self.is_shown = self.is_shown and self._claimed <= len(self._ids)
        self._claimed = 0

    def claimed(self, seq: int) -> None:
        """The other side says that it holds so many entries."""
        self._claimed = max(self._claimed, seq)

    def shown(self, seq: int) -> None:
        """It holds our entry `seq`, and nothing more is known."""
        self.is_shown, self.theirs = True, seq

    def has(self, seq: int, head: bytes) -> bool:
        """Whether entry `seq` of our log, which has so many, is the one of this id; there is no entry 0 to differ."""
        return not seq or self._ids[seq - 1] == head

    def signed(self, mark: Mark) -> None:
        """We have signed the entry at this place, which is in our log."""
        self.mark, self._kept = mark, mark.seq

    def is_about(self, match: bytes) -> bool:
        """Whether this is the match that we know to have signed in; without a log, any other one begins like it."""
        return self.mark is None or self.mark.match in {b"", match}

    def unmarked(self, match: bytes, entries: Sequence[bytes], seat: SeatNumber) -> list[Mark]:
        """The mark to be written because we died between storing the last of these entries that is ours and marking it."""
        first = 0 if self.mark is None else self.mark.seq
        for at in range(len(entries), first if self._is_marked else len(entries), -1):
            if read_envelope(entries[at - 1]).author == seat:
                self.mark = Mark(match, at, self._ids[at - 1])
                return [self.mark]
        return []

    def known(self, seq: int) -> None:
        """The other side has sent our entry `seq`."""
        self.theirs = max(self.theirs, seq)

    def taken(self, place: Mark, *, is_ours: bool) -> list[Mark]:
        """The other side has sent a new entry, now in our log; the mark to be written, if it is ours and was not marked."""
        self.known(place.seq)
        if not is_ours:
            if not self._back and self.hindrance is None:
                self._kept = place.seq
            return []
        self._back = place.seq - self._kept
        if self.mark is not None and (place.seq <= self.mark.seq or not self._is_marked):
            return []
        self._is_strange, self.mark = True, place
        return [place]

    def recovery(self) -> Recovered | None:
        """What came back, when all of it is here; told once."""
        if not self._back or self.hindrance is not None:
            return None
        found = Recovered(self._back, is_strange=self._is_strange)
        self._kept, self._back, self._is_strange = len(self._ids), 0, False
        return found

    @property
    def hindrance(self) -> NotNow | None:
        """Why nothing may be signed; None if it may."""
        if not self._is_marked:
            return NotNow(Unable.BEHIND)
        if not self.is_shown:
            return NotNow(Unable.UNSHOWN)
        if self._claimed > len(self._ids):
            return NotNow(Unable.AHEAD, theirs=self._claimed, ours=len(self._ids))
        return None

    @property
    def _is_marked(self) -> bool:
        """Whether what we signed last, as the mark tells, stands in our log."""
        mark = self.mark
        return mark is None or (mark.seq <= len(self._ids) and self.has(mark.seq, mark.head))
