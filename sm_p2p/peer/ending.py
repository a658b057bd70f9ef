"""How a match ended in this process."""

from dataclasses import dataclass
from enum import Enum

from sm_p2p.session.effects import Rejected, Stopped
from sm_p2p.session.talk import Again


class How(Enum):
    """How it ended."""

    FINISHED = "the match is over"
    AGAIN = "the match is over, and both sides would like another one"
    LEFT = "this player has left"
    UNSEATED = "the two sit at no common table yet, and can begin anew"
    SENT_AWAY = "this host does not want to play with his guest"
    GONE = "the host has left before the match began"
    ALONE = "the other side did not come back in time"
    BROKEN = "the other side has signed what the protocol forbids"
    STOPPED = "the two sides, or their programs, do not agree"
    REJECTED = "the other side refuses"
    REFUSED = "this player does not want to play with whoever answers"
    OTHER_TERMS = "the host offers another variant than the one asked for"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended in this process, and with what fault or refusal, or wish for another one, if that was it."""

    how: How
    fault: Stopped | Rejected | None = None
    again: Again | None = None
