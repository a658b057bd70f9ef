"""The file beside the log: what was said next to the chain, and what only this player knows about it.

Law: it never leaves the machine unless its owner asks for that. Each record is `[seq, time_ms, content]`: the last
entry of the chain when it was written, the own clock then, and bytes (`protocol/log.md`, The file).
"""

from enum import IntEnum
from typing import Final, NamedTuple

from sm_p2p.errors import Code, Fault, Sentence
from sm_p2p.log.codec import decode, encode
from sm_p2p.store.records import MAX_LENGTH, Record, Sort


class Kind(IntEnum):
    """What a remark is; the numbers are the record types of the file."""

    NOTE = 1  # a signed note (chat) as it was sent or received
    PETITION = 2  # a signed petition, stored before it is sent
    CLAIM = 3  # a signed claim
    EVIDENCE = 4  # bytes that prove a fault or an equivocation, as they were received
    ANNOTATION = 5  # text of this client in UTF-8: when something arrived, how the connection was


NOTES: Final = Sort(Sentence("a file of notes"), b"SMNOT\r\n", frozenset(Kind))


class Remark(NamedTuple):
    """One record of the notes: its kind, the seq of the chain's head then, the own clock then, the bytes."""

    kind: Kind
    seq: int
    time_ms: int
    content: bytes

    def pack(self) -> bytes:
        """The payload of its record."""
        return encode((self.seq, self.time_ms, self.content))


def read_remark(record: Record) -> Remark:
    """The remark in this record of a notes file; Fault `not-canonical` or `bad-shape`."""
    match decode(record.payload, MAX_LENGTH):
        case (seq, time_ms, bytes() as content) if type(seq) is int and type(time_ms) is int:
            return Remark(Kind(record.type), seq, time_ms, content)
    raise Fault(Code.BAD_SHAPE, "a remark is [seq, time_ms, content]")
