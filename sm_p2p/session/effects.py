"""What a session asks of the world, in order: store this, mark that, send those bytes, tell the player.

Law: the order is the promise. Whoever carries effects out does them one after the other and stops at the first that
fails; then nothing was said that is not stored.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from sm_p2p.errors import Code
from sm_p2p.log.entry import Entry
from sm_p2p.session.state import Match, SeatNumber


@dataclass(frozen=True, slots=True)
class Store:
    """Append this sealed entry to the journal, durably."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Mark:
    """Write the high-water mark: we have signed, or checked, everything up to here."""

    match: bytes
    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Keep:
    """Append these bytes to the notes beside the journal, durably."""

    raw: bytes
    kind: Literal["note", "petition", "claim", "evidence"]


@dataclass(frozen=True, slots=True)
class Send:
    """Give this frame to the link; a link that is down may lose it."""

    frame: bytes


@dataclass(frozen=True, slots=True)
class Advanced:
    """An entry was taken over; both sides of it, for sentences and for the screen."""

    before: Match
    entry: Entry
    after: Match


@dataclass(frozen=True, slots=True)
class Said:
    """Chat: who said what."""

    seat: SeatNumber
    text: str


@dataclass(frozen=True, slots=True)
class Latency:
    """The other side answered a ping after so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match cannot go on here: what was found, at which entry, and who is to blame (None: nobody).

    `sections` names the parts of the table that the two sides see differently.
    """

    code: Code
    seq: int
    guilty: SeatNumber | None
    sentence: str
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """The other side refuses: its code, and the entry that it is about (0: none)."""

    code: str
    seq: int
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PeerLeft:
    """The other side said goodbye; the match is kept."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """So many entries that were missing here came back from the other side, the last one of them ours.

    If it `is_strange`, this machine does not know that it signed it.
    """

    entries: int
    is_strange: bool = False


@dataclass(frozen=True, slots=True)
class Overdue:
    """The other side, for whom the match waits, is away so many minutes: now it may be claimed that it has left for good."""

    minutes: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """We have claimed that the other side has abandoned the match, after so many minutes."""

    minutes: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The other side is back, and what we had claimed is withdrawn."""


Told: TypeAlias = Advanced | Said | Latency | Stopped | Rejected | PeerLeft | Recovered | Overdue | Claimed | Withdrawn


@dataclass(frozen=True, slots=True)
class Tell:
    """Show this to the player."""

    what: Told


Effect: TypeAlias = Store | Mark | Keep | Send | Tell
