"""How a seat presents itself: the hello, and whom it expects to find."""

from dataclasses import dataclass

from sm_p2p.errors import Code, Fault
from sm_p2p.log.signature import Signer
from sm_p2p.session import wire
from sm_p2p.session.state import Match, SeatNumber
from sm_p2p.version import PACKAGE, PROTOCOL


@dataclass(frozen=True, slots=True)
class Peer:
    """How we present ourselves, and whom we expect: an empty `identity` lets anybody sit opposite.

    `called`: the name in the greeting of whoever sits down opposite in a new match, to be the one in its log.
    """

    name: str = ""
    role: str = "guest"
    token: bytes = b""
    identity: bytes = b""
    called: str | None = None

    def misplaced(self, match: Match, seat: SeatNumber, identity: bytes) -> Fault | None:
        """What is wrong with who sits where, for us who have this seat and identity; None if it is as it should be."""
        ours, theirs = match.players[seat : seat + 1], match.players[1 - seat : 2 - seat]
        if self.identity and any(player.identity != self.identity for player in theirs):
            return Fault(Code.BAD_IDENTITY, "somebody else than the one behind this link sits down")
        if self.called is not None and any(player.name != self.called for player in theirs):
            return Fault(Code.BAD_NAME, "whoever sits down has another name in the log than in the greeting")
        if any(player.identity != identity for player in ours):
            return Fault(Code.BAD_IDENTITY, "somebody else sits at our seat")
        return None


def hello(signer: Signer, peer: Peer, match: bytes, seq: int, head: bytes) -> wire.Hello:
    """The greeting of somebody whose log of this match ends at `seq`; match, seq and head are empty where there is none."""
    return wire.Hello(PROTOCOL, PROTOCOL, PACKAGE, peer.role, signer.identity, peer.token, peer.name, match, seq, head)
