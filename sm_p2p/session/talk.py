"""What a seat and the player who sits at it say to each other: wishes go down, news comes up.

Law: a player only wishes; the session decides. What he is shown comes in the order in which it happened.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TypeAlias

from sm_p2p.errors import IllegalMove
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Claimed, Overdue, Recovered, Told, Withdrawn
from sm_p2p.session.state import Match, SeatNumber


@dataclass(frozen=True, slots=True)
class Say:
    """Send this line of chat."""

    text: str


@dataclass(frozen=True, slots=True)
class Resign:
    """Give this game up."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Put into writing that the other side has abandoned the match; that is no result, and nothing else changes."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Go, and keep the match; before the offered variant was agreed to: decline it."""


@dataclass(frozen=True, slots=True)
class Agree:
    """Play by the variant that was offered, or with the player about whom was asked."""


@dataclass(frozen=True, slots=True)
class Again:
    """Another match with the same opponent, after one is over; None: by the same variant. The host's variant counts."""

    variant: Variant | None = None


@dataclass(frozen=True, slots=True)
class Refuse:
    """Not with this player: no to what was asked about him, or, as long as no card was played, our table is not for him."""


Wish: TypeAlias = Move | Say | Resign | Claim | Leave | Agree | Again | Refuse


class Way(StrEnum):
    """How the way to the other side is; the values are those of a link's states."""

    CONNECTING = "connecting"
    UP = "up"
    RECONNECTING = "reconnecting"


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The way to the other side came or went."""

    way: Way


@dataclass(frozen=True, slots=True)
class Refused:
    """The last wish could not be granted; nothing was signed."""

    why: IllegalMove


@dataclass(frozen=True, slots=True)
class Offered:
    """The host would like to play this variant (to a guest who has not agreed yet)."""

    name: str
    variant: Variant


@dataclass(frozen=True, slots=True)
class Resumed:
    """An unfinished match goes on, with so many entries."""

    entries: int


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """The match is over, and the other side would like another one."""


@dataclass(frozen=True, slots=True)
class Afresh:
    """Another match begins at this table; what was shown belongs to the one before."""


@dataclass(frozen=True, slots=True)
class Vacant:
    """The seat opposite is free again, and nothing of a match is left; `is_new_invite`: whoever has the old one is not let in."""

    is_new_invite: bool = False


@dataclass(frozen=True, slots=True)
class Watched:
    """So many others watch at this door now."""

    by: int


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody sits opposite: the name that he gives, the words of his key, and the names that it had before, if it was met.

    `is_guest`: he has come to our table, and can be sent away as long as no card was played.
    """

    name: str
    key: str
    before: tuple[str, ...] = ()
    is_guest: bool = False


class Doubt(StrEnum):
    """Why a player is asked about another one."""

    UNINVITED = "uninvited"  # he would like to sit down, and has no invite
    OTHER_KEY = "other-key"  # his name came with other keys before
    UNKNOWN = "unknown"  # he listens at this address (which stands for the name), and his key was not met before
    OTHER_HOST = "other-host"  # so he does, and somebody else did before


@dataclass(frozen=True, slots=True)
class Asked:
    """Whether to play with somebody of this name, whose key has these words, where the `known` ones were met before.

    Agree and Refuse answer it; `at_door` tells a host, who goes on waiting for others, from a guest.
    """

    doubt: Doubt
    name: str
    key: str
    known: tuple[str, ...] = ()
    at_door: bool = True


@dataclass(frozen=True, slots=True)
class Unasked:
    """Nobody waits for the answer any more: he has gone, or somebody else has the seat."""


Person: TypeAlias = Seated | Asked | Unasked
"""News about who somebody is."""


class Repair(Enum):
    """What was found broken among the files of a match, and mended."""

    TORN_LOG = "torn-log"
    TORN_NOTES = "torn-notes"
    DAMAGED_NOTES = "damaged-notes"


@dataclass(frozen=True, slots=True)
class Mended:
    """A file of this match was mended when it was opened; what was taken out of it is kept in another one."""

    what: Repair
    file: str


Return: TypeAlias = Recovered | Overdue | Claimed | Withdrawn | Mended
"""News about who is away or back, and what came back or was mended."""

News: TypeAlias = (
    Told | LinkChanged | Refused | Offered | Resumed | AskedAgain | Afresh | Vacant | Watched | Mended | Person
)


@dataclass(frozen=True, slots=True)
class Situation:
    """Where things stand when news is shown: the public match, our view of it, whether a move of ours is awaited."""

    seat: SeatNumber
    match: Match
    view: View | None
    is_our_turn: bool
