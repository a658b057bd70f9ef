"""Why a wish cannot be granted by the session: a closed list of reasons, each with its sentence.

Law: as in `rules.reasons`: a program looks at the reason, a translation starts from its sentence.
"""

from enum import StrEnum

from sm_p2p.errors import IllegalMove


class Unable(StrEnum):
    """The sentence of each refusal; the words in braces are the `values` of the exception."""

    STOPPED = "the match has stopped"
    RESIGNED = "you have resigned this game"
    NOT_YOUR_TURN = "it is not your turn"
    NO_GAME = "there is no game to resign now"
    NOTHING_OFFERED = "there is nothing to agree to now"
    NO_GUEST = "nobody sits here who could be sent away"
    PLAYED = "a card was played already; resign gives the game up, quit leaves"
    # why nothing is signed
    UNSHOWN = "the other side has not shown yet what it holds"
    AHEAD = "the other side says that it holds {theirs} entries, against {ours} here; nothing is signed until it shows the rest"
    BEHIND = (
        "you have signed more than this copy of the match holds; nothing is signed until the other side shows the rest"
    )
    FORKED = (
        "the other side holds entries that do not follow your log; nothing is signed until it shows where the two part"
    )
    # a claim
    NO_MATCH = "there is no match that could be abandoned now"
    OWES_NOTHING = "the match does not wait for the other side"
    TOO_SOON = "a claim takes {patience} min without the other side, and so far it is {waited} min"
    CLAIMED = "you have claimed that already"


class NotNow(IllegalMove):
    """A wish that cannot be granted now, with its reason.

    >>> raise NotNow(Unable.NO_GAME)
    Traceback (most recent call last):
    sm_p2p.session.reasons.NotNow: there is no game to resign now
    """

    def __init__(self, reason: Unable, **values: str | int) -> None:
        super().__init__(reason.value, **values)
        self.reason = reason
        self.values = values
