"""The claim of a player who has waited that the other has abandoned the match: a signed word of his own, and no result.

Law: nothing of it is ever in the chain, and the score is what the log says. A claim stands while it is its author's last
one and the log ends where he made it.
"""

from typing import Final

from sm_p2p.errors import Code, Fault
from sm_p2p.log.signature import Signer
from sm_p2p.session.beside import Abandoned, seal_claim, unseal_claim
from sm_p2p.session.effects import Claimed, Effect, Keep, Overdue, Tell, Withdrawn
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.state import Match, SeatNumber, State

MINUTE_S: Final = 60.0


def is_awaited(match: Match, seat: SeatNumber) -> bool:
    """Whether the match cannot go on without that seat: its entry comes next, or perhaps its word on the end of a game."""
    is_begun = len(match.players) == 2 and match.state is not State.CLOSED
    return is_begun and (match.speaker == seat or match.state is State.REVEAL)


def check_claim(match: Match, said: Abandoned) -> None:
    """Return if what was claimed can stand at the head of this match; Fault(BAD_CLAIM) else. A withdrawal never stands."""
    chain = match.chain
    if said.is_withdrawn or (said.match, said.at_seq, said.head) != (chain.match, chain.seq, chain.head):
        raise Fault(Code.BAD_CLAIM, "the claim was withdrawn, or is about another place")
    if not is_awaited(match, 1 - said.author):
        raise Fault(Code.BAD_CLAIM, "the match does not wait for the other side")
    if said.minutes < match.variant.patience:
        raise Fault(Code.BAD_CLAIM, "a claim takes {patience} min", patience=match.variant.patience)


class Claims:
    """Those of our seat: the last one that was made, and how many; and whether it was told that one may be made."""

    def __init__(self, seat: SeatNumber, signer: Signer, last: bytes = b"", count: int = 0) -> None:
        self._seat = seat
        self._signer = signer
        self._count = count
        self._last: Abandoned | None = None
        self._is_told = False
        try:
            self._last = unseal_claim(last, signer.identity) if last else None
        except Fault:
            return

    def heard(self) -> None:
        """The other side has said something: an absence is over."""
        self._is_told = False

    def overdue(self, match: Match, absent: float) -> list[Effect]:
        """Once in an absence of so many seconds: that it may be claimed to be one for good."""
        minutes = int(absent / MINUTE_S)
        is_long = minutes >= match.variant.patience and is_awaited(match, 1 - self._seat)
        if self._is_told or not is_long or self._stands(match):
            return []
        self._is_told = True
        return [Tell(Overdue(minutes))]

    def claim(self, match: Match, absent: float) -> list[Effect]:
        """Claim that the other side, away for so many seconds, has abandoned the match; NotNow while that may not be."""
        minutes = int(absent / MINUTE_S)
        if len(match.players) < 2 or match.state is State.CLOSED:
            raise NotNow(Unable.NO_MATCH)
        if not is_awaited(match, 1 - self._seat):
            raise NotNow(Unable.OWES_NOTHING)
        if minutes < match.variant.patience:
            raise NotNow(Unable.TOO_SOON, patience=match.variant.patience, waited=minutes)
        if self._stands(match):
            raise NotNow(Unable.CLAIMED)
        return [self._write(match, minutes), Tell(Claimed(minutes))]

    def returned(self, match: Match) -> list[Effect]:
        """The other side has shown itself: what was claimed is withdrawn."""
        return [self._write(match, 0), Tell(Withdrawn())] if self._stands(match) else []

    def _stands(self, match: Match) -> bool:
        """Whether what we have claimed last is still so."""
        if self._last is None:
            return False
        try:
            check_claim(match, self._last)
        except Fault:
            return False
        return True

    def _write(self, match: Match, minutes: int) -> Keep:
        """The claim of somebody who has waited so many minutes; none at all takes back what was claimed."""
        self._count += 1
        chain = match.chain
        said = Abandoned(chain.match, self._seat, self._count, not minutes, chain.seq, chain.head, minutes)
        self._last = said
        return Keep(seal_claim(said, self._signer), "claim")
