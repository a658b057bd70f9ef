"""After a match: whether the two who have played it would like another one.

Law: each side says so by a hello that names no match; the next one begins when both have, and nothing is signed before.
"""

from dataclasses import dataclass

from sm_p2p.errors import Code, Fault
from sm_p2p.log.signature import Signer
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.talk import Again
from sm_p2p.session.wire import Hello, Reject, read_frame, write_frame


@dataclass(slots=True)
class Sequel:
    """What both sides have said about another match; `request` is the frame that asks for it."""

    request: bytes
    wish: Again | None = None
    is_asked: bool = False

    @property
    def is_agreed(self) -> bool:
        """Whether both would like another match."""
        return self.wish is not None and self.is_asked


def sequel(signer: Signer, peer: Peer) -> Sequel:
    """Nobody has said anything yet."""
    return Sequel(write_frame(hello(signer, peer, b"", 0, b"")))


def asks_for_another(frame: bytes, match: bytes) -> bool:
    """Whether a frame comes from somebody who has done with this match: his hello, or that he does not have it any more."""
    try:
        said = read_frame(frame)
    except Fault:
        return False
    return (isinstance(said, Hello) and said.match != match) or (
        isinstance(said, Reject) and said.code == Code.NO_SUCH_MATCH
    )
