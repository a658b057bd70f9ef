"""What to make of an entry that has arrived: take it, know it, ask for more, leave it, or stop.

Law: a pure function of our log and the bytes. Only what a seat's own key has signed is ever held against that seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from sm_p2p.errors import Code, Fault
from sm_p2p.log.entry import Entry, Envelope, read_envelope, unseal
from sm_p2p.session.events import Joined, Opened, event_of
from sm_p2p.session.match import admit_read, advance
from sm_p2p.session.proofs import CHECKED, Proofs
from sm_p2p.session.state import Match

BLAMELESS: Final = frozenset(
    {
        Code.OTHER_VERSION,
        Code.UNKNOWN_KIND,
        Code.OTHER_CONSTANTS,
        Code.BAD_IDENTITY,  # whoever sits down has signed it; that he is another one than expected is not his fault
        Code.UNKNOWN_CARD,
        Code.DIGEST_DIFFERS,
    }
)
"""What stops a match and is held against nobody: the two programs, or the expectations, differ."""


@dataclass(frozen=True, slots=True)
class New:
    """The next entry, and the match after it."""

    entry: Entry
    after: Match


@dataclass(frozen=True, slots=True)
class Known:
    """It stands at this place of our log."""

    seq: int


@dataclass(frozen=True, slots=True)
class AskFrom:
    """Entries are missing: say hello as somebody whose log ends at this place."""

    seq: int


@dataclass(frozen=True, slots=True)
class Forked:
    """It follows another entry than the one in our log: sign nothing, and say hello as if our log ended at `seq`.

    The entries that come then lead down to the place where the chains part; who signed twice there has forked.
    """

    seq: int


@dataclass(frozen=True, slots=True)
class Nobodys:
    """It cannot be pinned on anybody, or belongs elsewhere: as if it had not come."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Its author has signed something that the protocol forbids."""

    fault: Fault
    envelope: Envelope


Verdict: TypeAlias = New | Known | AskFrom | Forked | Nobodys | Broken


def judge(
    match: Match, entries: Sequence[bytes], ids: Sequence[bytes], raw: bytes, proofs: Proofs = CHECKED
) -> Verdict:
    """The verdict on one sealed entry; `entries` and `ids` are our log, whose head `match` stands at."""
    try:
        envelope = read_envelope(raw)
    except Fault:
        return Nobodys()
    return judge_read(match, entries, ids, envelope, proofs)


def judge_read(
    match: Match, entries: Sequence[bytes], ids: Sequence[bytes], envelope: Envelope, proofs: Proofs = CHECKED
) -> Verdict:
    """The same for whoever has read the envelope already."""
    if envelope.seq <= match.chain.seq:
        if envelope.id == ids[envelope.seq - 1]:
            return Known(envelope.seq)
        return _contradiction(match, entries, ids, envelope)
    if envelope.match != match.chain.match:
        return Nobodys()
    if envelope.seq > match.chain.seq + 1:
        return AskFrom(match.chain.seq)
    try:
        entry = admit_read(match, envelope)
    except Fault as fault:
        return Broken(fault, envelope) if _is_signed(match, envelope) else Nobodys()
    if entry.prev != match.chain.head and entry.seq > 2:  # what came before entry 2 is the match itself
        return _parted(entries, ids, envelope, match.chain.seq - 1)
    try:
        return New(entry, advance(match, entry, proofs))
    except Fault as fault:
        return Broken(fault, envelope)


def _contradiction(match: Match, entries: Sequence[bytes], ids: Sequence[bytes], theirs: Envelope) -> Verdict:
    """Two entries with one number: whoever signed the second one after the same predecessor has forked the chain."""
    ours = read_envelope(entries[theirs.seq - 1])
    if theirs.match != match.chain.match or not _is_signed(match, theirs):
        return Nobodys()
    if ours.prev != theirs.prev and theirs.seq > 2:
        return _parted(entries, ids, theirs, theirs.seq - 2)
    if ours.prev != theirs.prev:
        return Broken(Fault(Code.BAD_PREV, "entry 2 follows entry 1"), theirs)
    code = Code.EQUIVOCATION if ours.author == theirs.author else Code.WRONG_AUTHOR
    return Broken(Fault(code, "there are two different entries {seq}", seq=theirs.seq), theirs)


def _parted(entries: Sequence[bytes], ids: Sequence[bytes], theirs: Envelope, seq: int) -> Verdict:
    """Another predecessor than its number has in our log: the place may be further down, unless our log has it already."""
    if theirs.prev in ids[:-1]:
        ours = read_envelope(entries[ids.index(theirs.prev) + 1])
        if ours.author == theirs.author:
            fault = Fault(
                Code.EQUIVOCATION,
                "entry {seq} and another entry {other} follow the same one",
                seq=ours.seq,
                other=theirs.seq,
            )
            return Broken(fault, theirs)
    return Forked(seq)


def _is_signed(match: Match, envelope: Envelope) -> bool:
    """Whether whoever sits, or says that he sits, at the seat that this names has really signed it."""
    try:
        if envelope.author < len(match.players):
            identity = match.players[envelope.author].identity
        else:
            event = event_of(envelope.kind, envelope.data)
            identity = event.identity if isinstance(event, Opened | Joined) else b""
        unseal(envelope, identity)
    except Fault:
        return False
    return True
