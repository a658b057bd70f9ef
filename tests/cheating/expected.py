"""What a right client answers to an entry, read from the tables of `protocol/wire.md` (Taking entries) and `faults.md`.

Law: nothing of the package is imported here.
"""

from typing import Final, NamedTuple

from cheating.client import ACK, HELLO, REJECT

from scripts.reading.reader.envelope import Envelope, check_signature, read_envelope
from scripts.reading.reference_curve import RefusedError
from scripts.reading.reference_log import Value

BLAMELESS: Final = {
    "unknown-kind",
    "digest-differs",
    "other-version",
    "other-constants",
    "bad-identity",
    "unknown-card",
}
"""What `faults.md` holds against nobody."""


SITS: Final = {1: 3, 2: 1}
"""Kinds of entries by which somebody sits down, and the place of his identity in them."""


class Answer(NamedTuple):
    """The kind of frame that comes back, the code of a REJECT, and whether the entry is kept as evidence."""

    kind: int
    code: str = ""
    is_kept: bool = False


def answer(raw: bytes, log: list[bytes], identities: list[bytes], code: str) -> Answer:
    """What comes back; `identities` are who sits at the table, and `code` is what all checks of the entry say."""
    try:
        theirs = read_envelope(raw)
    except RefusedError:
        return Answer(ACK)
    held = [read_envelope(one) for one in log]
    is_signed = _is_signed(theirs, identities)
    if theirs.seq <= len(log):
        ours = held[theirs.seq - 1]
        if ours.id == theirs.id:
            return Answer(ACK)
        if theirs.match != held[0].id or not is_signed:
            return Answer(ACK)
        if ours.prev == theirs.prev:
            return Answer(REJECT, "equivocation" if ours.author == theirs.author else "wrong-author", is_kept=True)
        return _parted(theirs, held)
    if theirs.match != held[0].id:
        return Answer(ACK)
    if theirs.seq > len(log) + 1:
        return Answer(HELLO)
    if not is_signed:
        return Answer(ACK)
    if code == "bad-prev":
        return _parted(theirs, held)
    return Answer(ACK) if code == "ok" else Answer(REJECT, code, is_kept=True)


def _parted(theirs: Envelope, held: list[Envelope]) -> Answer:
    """Another predecessor than its number has: the two may be the proof, or it is further down."""
    follows = [one for one in held if one.prev == theirs.prev and one.author == theirs.author]
    return Answer(REJECT, "equivocation", is_kept=True) if follows else Answer(HELLO, is_kept=True)


def _is_signed(entry: Envelope, identities: list[bytes]) -> bool:
    """Whether it is signed by who has the seat that it names, or takes it with this entry."""
    identity: Value = b""
    if entry.author < len(identities):
        identity = identities[entry.author]
    elif entry.kind in SITS and SITS[entry.kind] < len(entry.data):
        identity = entry.data[SITS[entry.kind]]
    if not isinstance(identity, bytes):
        return False
    try:
        check_signature(identity, "SM1/entry", entry.body, entry.signature)
    except RefusedError:
        return False
    return True
