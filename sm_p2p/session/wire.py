"""The frames that two sides send each other.

Law: one frame is one canonical list that begins with its number; `read_frame` gives a frame or Fault(BAD_FRAME).
Nothing in a frame is believed: entries, petitions and notes carry their own signatures.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value, decode, encode

MAX_FRAME: Final = 61_440  # bytes; CURVE adds up to 33, and 65,503 are the most that pass
MAX_ENTRIES: Final = 32  # entries of one frame
ENTRIES_BYTES: Final = 60 * 1024 - 512  # what the entries of one frame may weigh together, their frame apart
ENTRY_HEAD: Final = 8  # bytes; more than what stands before an entry in the list
MAX_TEXT: Final = 256  # code points of any word in a frame
ROLES: Final = ("host", "guest", "spectator", "relay")


@dataclass(frozen=True, slots=True)
class Hello:
    """Who is there and how far their log goes; the one message for meeting, resuming and catching up.

    `match` is empty (and seq 0, head empty) when the sender knows of none; `seq` is the last entry held, `head` its id.
    """

    low: int
    high: int
    app: str
    role: str
    identity: bytes
    token: bytes
    name: str
    match: bytes
    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Reject:
    """No, and why: a fault code, the entry that it is about (0: none), and for a disagreement the section hashes."""

    code: str
    seq: int = 0
    sections: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Entries:
    """Sealed entries in the order of the chain."""

    raws: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Ack:
    """Everything up to this entry is stored here, and every note up to this number was shown."""

    seq: int
    head: bytes
    notes: int


@dataclass(frozen=True, slots=True)
class Petition:
    """A sealed petition: let your next entry say that I resign."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A sealed note: chat, which never enters the chain."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there? The number comes back."""

    number: int


@dataclass(frozen=True, slots=True)
class Pong:
    """Here."""

    number: int


@dataclass(frozen=True, slots=True)
class Bye:
    """I leave now, and keep the match."""


Frame: TypeAlias = Hello | Reject | Entries | Ack | Petition | Note | Ping | Pong | Bye


def fitting(raws: Sequence[bytes]) -> Entries:
    """The first of these sealed entries, as many as one frame carries; always at least one."""
    weight = 0
    for count, raw in enumerate(raws[:MAX_ENTRIES]):
        weight += len(raw) + ENTRY_HEAD
        if weight > ENTRIES_BYTES:
            return Entries(tuple(raws[:count]))
    return Entries(tuple(raws[:MAX_ENTRIES]))


def write_frame(frame: Frame) -> bytes:
    """The bytes of a frame."""
    match frame:
        case Hello(low, high, app, role, identity, token, name, match_id, seq, head):
            return encode((1, low, high, app, role, identity, token, name, match_id, seq, head))
        case Reject(code, seq, sections):
            return encode((2, str(code), seq, sections))  # a `Code` is no text to the letter, and the codec wants that
        case Entries(raws):
            return encode((3, raws))
        case Ack(seq, head, notes):
            return encode((4, seq, head, notes))
        case Petition(raw):
            return encode((5, raw))
        case Note(raw):
            return encode((6, raw))
        case Ping(number):
            return encode((7, number))
        case Pong(number):
            return encode((8, number))
        case Bye():
            return encode((9,))
        case _:
            assert_never(frame)


def read_frame(raw: bytes) -> Frame:
    """The frame in these bytes; Fault(TOO_LARGE), Fault(NOT_CANONICAL) or Fault(BAD_FRAME) when there is none."""
    value = decode(raw, MAX_FRAME)
    if not isinstance(value, tuple) or any(isinstance(item, bool) for item in value):
        raise Fault(Code.BAD_FRAME, "a frame is a list that begins with its number")
    frame = _frame_of(value)
    if frame is None:
        raise Fault(Code.BAD_FRAME, "no frame of this version has these items")
    return frame


def _frame_of(value: tuple[Value, ...]) -> Frame | None:
    match value:
        case (1, int(low), int(high), str(app), str(role), bytes(identity), bytes(token), str(name), *rest) if (
            low <= high
            and role in ROLES
            and len(identity) == 32
            and len(token) in {0, 16}
            and max(map(len, (app, name))) <= MAX_TEXT
        ):
            match rest:
                case [bytes(match_id), int(seq), bytes(head)] if len(match_id) in ({32} if seq else {0, 32}) and (
                    len(head) == (32 if seq else 0)
                ):
                    return Hello(low, high, app, role, identity, token, name, match_id, seq, head)
        case (2, str(code), int(seq), tuple(sections)) if len(code) <= MAX_TEXT:
            hashes = tuple(item for item in sections if isinstance(item, bytes) and len(item) == 32)
            return Reject(code, seq, hashes) if len(hashes) == len(sections) <= 16 else None
        case (3, tuple(items)):
            raws = tuple(item for item in items if isinstance(item, bytes))
            return Entries(raws) if len(raws) == len(items) <= MAX_ENTRIES else None
        case (4, int(seq), bytes(head), int(notes)) if len(head) == (32 if seq else 0):
            return Ack(seq, head, notes)
        case (5, bytes(sealed)):
            return Petition(sealed)
        case (6, bytes(sealed)):
            return Note(sealed)
        case (7, int(number)):
            return Ping(number)
        case (8, int(number)):
            return Pong(number)
        case (9,):
            return Bye()
        case _:
            pass
    return None
