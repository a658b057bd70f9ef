"""How a seat presents itself: the hello, and whom it expects to find."""

from dataclasses import dataclass

from sm_p2p.log.signature import Signer
from sm_p2p.session import wire
from sm_p2p.session.state import Match, SeatNumber
from sm_p2p.version import PACKAGE, PROTOCOL


@dataclass(frozen=True, slots=True)
class Peer:
    """How we present ourselves, and whom we expect: an empty `identity` lets anybody sit opposite."""

    name: str = ""
    role: str = "guest"
    token: bytes = b""
    identity: bytes = b""

    def may_sit(self, match: Match, seat: SeatNumber) -> bool:
        """Whether that seat is empty still, or somebody sits there whom we expect."""
        there = match.players[seat : seat + 1]
        return not self.identity or all(player.identity == self.identity for player in there)


def hello(signer: Signer, peer: Peer, match: bytes, seq: int, head: bytes) -> wire.Hello:
    """The greeting of somebody whose log of this match ends at `seq`; match, seq and head are empty where there is none."""
    return wire.Hello(PROTOCOL, PROTOCOL, PACKAGE, peer.role, signer.identity, peer.token, peer.name, match, seq, head)
