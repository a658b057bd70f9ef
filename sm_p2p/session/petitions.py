"""Resigning out of turn: our petition until its game is over, and the other side's until it can be adopted.

Law: a petition of another game, of another match or of nobody at the table counts for nothing.
"""

from sm_p2p.errors import Fault
from sm_p2p.log.signature import Signer
from sm_p2p.session.beside import Resignation, seal_resignation, unseal_resignation
from sm_p2p.session.events import Resigned
from sm_p2p.session.match import step
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import IN_GAME, Match, SeatNumber


class Petitions:
    """What both sides have asked for; `own` is our sealed petition about the game that is being played, or empty."""

    def __init__(self, seat: SeatNumber, match: Match, own: bytes, count: int) -> None:
        self.own = own if _is_about(match, seat, own) else b""
        self._seat = seat
        self._count = max(count, match.petitions[seat])
        self._theirs = b""

    def write(self, match: Match, signer: Signer) -> bytes:
        """Our petition, sealed: we resign the game that is being played."""
        self._count += 1
        chain = match.chain
        said = Resignation(chain.match, match.game_number, self._seat, self._count, chain.seq, chain.head)
        self.own = seal_resignation(said, signer)
        return self.own

    def hear(self, match: Match, raw: bytes) -> None:
        """Remember a petition of the other side, if it is one about this game."""
        if _is_about(match, 1 - self._seat, raw):
            self._theirs = raw

    def adopted(self, match: Match) -> Resigned | None:
        """What our seat, the speaker of a game, has to write down for the other side; None if there is nothing."""
        if not self._theirs:
            return None
        event = Resigned(self._theirs)
        try:
            step(match, event, TRUSTED)
        except Fault:
            self._theirs = b""
            return None
        return event

    def clear(self) -> None:
        """The game is over."""
        self.own = self._theirs = b""


def _is_about(match: Match, seat: SeatNumber, raw: bytes) -> bool:
    """Whether this is a petition of that seat about the game that is being played."""
    if not raw or match.state not in IN_GAME:
        return False
    try:
        said = unseal_resignation(raw, match.players[seat].identity)
    except Fault:
        return False
    return (said.match, said.game, said.author) == (match.chain.match, match.game_number, seat)
