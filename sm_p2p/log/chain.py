"""One chain of entries by two authors: what follows what, and how two entries can contradict each other.

Law: `(seq, head)` is all that two sides have to compare. A chain knows order only; who may speak and what may be
said is decided above it (`protocol/log.md`, The chain).
"""

from dataclasses import dataclass
from enum import Enum

from sm_p2p.errors import Code, Fault
from sm_p2p.log.entry import Entry


@dataclass(frozen=True, slots=True)
class Chain:
    """The place where the next entry goes: the match (the id of entry 1), the last seq and the last id."""

    match: bytes
    seq: int
    head: bytes

    @classmethod
    def empty(cls) -> "Chain":
        """The chain before entry 1."""
        return cls(b"", 0, b"")

    def append(self, entry: Entry) -> "Chain":
        """The chain with this entry at its end; Fault `other-match`, `gap` or `bad-prev`, in this order."""
        if entry.match != self.match:
            raise Fault(Code.OTHER_MATCH, "an entry of another match")
        if entry.seq != self.seq + 1:
            raise Fault(Code.GAP, "entry {seq} does not follow entry {before}", seq=entry.seq, before=self.seq)
        if entry.prev != self.head:
            raise Fault(
                Code.BAD_PREV, "entry {seq} does not follow this entry {before}", seq=entry.seq, before=self.seq
            )
        return Chain(self.match or entry.id, entry.seq, entry.id)


class Conflict(Enum):
    """How two entries of one author cannot both be honest."""

    EQUIVOCATION = "two different entries after the same one: these two are the proof"
    DIVERGED = "two entries with one number: one of the two chains below them was forked"


def conflict(one: Entry, other: Entry) -> Conflict | None:
    """How these two contradict each other, if they do; entries 1 never do, each of them begins a match."""
    if not one.match or (one.match, one.author) != (other.match, other.author) or one.id == other.id:
        return None
    if one.prev == other.prev:
        return Conflict.EQUIVOCATION
    return Conflict.DIVERGED if one.seq == other.seq else None
