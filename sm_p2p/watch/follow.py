"""Following a match that others play: frames in, entries and answers out.

Law: nothing that arrives is believed. Each entry is looked at as a player looks at it, its proofs excepted, which
whoever owns this has checked elsewhere; the first wrong one stops everything, and what was right stays.
"""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from sm_p2p.errors import Code, Fault, Sentence
from sm_p2p.log.entry import Envelope, read_envelope, unseal
from sm_p2p.log.signature import Signer
from sm_p2p.session import wire
from sm_p2p.session.effects import Advanced, PeerLeft, Rejected, Send, Stopped
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.proofs import Proofs
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import Afresh, LinkChanged, Way
from sm_p2p.session.verdict import BLAMELESS, AskFrom, Broken, Forked, Known, New, Nobodys, judge_read
from sm_p2p.version import PROTOCOL
from sm_p2p.watch.replay import GLANCED


@dataclass(frozen=True, slots=True)
class Fetching:
    """What was played before is on its way, up to this entry; 0: nothing was, the table waits for its first card."""

    upto: int


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The match of the invite is over, and another one is played there now, which is not for us."""


Beside: TypeAlias = Callable[[Callable[[], None]], object]
"""Does something in another thread, some time."""
WORTH_IT: Final = 8  # entries of a frame
GATHERED: Final = 16  # entries, one at a time, that are acknowledged together if a second does not pass before
AT_ONCE: Final = 2  # entries that are no past to be fetched: a match that has just begun
Seen: TypeAlias = Fetching | Advanced | Stopped | Rejected | PeerLeft | MovedOn | Afresh | LinkChanged
"""What is told to whoever watches."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Whom we want to see at the table, and in which match (empty: in any); `server` is who sends it to us."""

    server: bytes
    player: bytes
    match: bytes = b""


class Follower:
    """One seat among the spectators, through any number of matches at one table."""

    def __init__(
        self, signer: Signer, peer: Peer, expected: Expected, proofs: Proofs = GLANCED, beside: Beside | None = None
    ) -> None:
        self.match = Match()
        self.raws: list[bytes] = []
        self.stopped: Stopped | None = None
        self._signer = signer
        self._peer = peer
        self._expected = expected
        self._proofs = proofs
        self._beside = beside
        self._ids: list[bytes] = []
        self._named = b""  # the match that the server has named
        self._said = 0  # the last entry that was acknowledged
        self._is_cut = False  # whether the server has said that nothing comes to him just now

    def connected(self) -> list[Send | Seen]:
        """A way to the server exists (again): say what we hold."""
        self._is_cut = False
        return [self._hello()]

    def receive(self, raw: bytes) -> list[Send | Seen]:
        """A frame has come. Whatever it is, it gives effects and never an exception."""
        try:
            frame = wire.read_frame(raw)
        except Fault:
            return []
        match frame:
            case wire.Hello():
                return self._greeted(frame)
            case wire.Entries(raws):
                return [] if self.stopped else self._take_all(raws)
            case wire.Reject(code) if code == Code.NO_SUCH_MATCH and self.match.chain.match:
                return [_send(hello(self._signer, self._peer, b"", 0, b""))]  # there may be another one
            case wire.Reject(code, seq):
                return [Rejected(code, seq)]
            case wire.Bye():
                return [PeerLeft()]
            case wire.Ping(number):
                return [_send(wire.Pong(number))]
            case wire.Ack() | wire.Petition() | wire.Note() | wire.Pong():
                return []
            case _:
                assert_never(frame)

    def tick(self) -> list[Send]:
        """A second has passed: acknowledge what has not been acknowledged."""
        return [self._ack()] if self.match.chain.seq > self._said and not self.stopped else []

    def _greeted(self, theirs: wire.Hello) -> list[Send | Seen]:
        if theirs.identity != self._expected.server:
            return self._stop(Code.BAD_IDENTITY, Sentence("somebody else than the one who invited answers"))
        if not theirs.low <= PROTOCOL <= theirs.high:
            return [Rejected(Code.OTHER_VERSION, 0)]
        if not theirs.match:
            return self._cut(is_cut=theirs.role == "relay") if self.raws else [Fetching(0)]
        return [*self._cut(is_cut=False), *self._shown(theirs)]

    def _cut(self, *, is_cut: bool) -> list[Send | Seen]:
        """That nothing comes to a relay just now is as if the way to it was cut; a host without a match waits for a guest."""
        if is_cut is self._is_cut:
            return []
        self._is_cut = is_cut
        return [LinkChanged(Way.RECONNECTING if is_cut else Way.UP)]

    def _shown(self, theirs: wire.Hello) -> list[Send | Seen]:
        """A match lies on the table: the one that we follow, or another one."""
        if theirs.match == self._named:
            return self._fetching(theirs.seq)
        if self._expected.match not in {b"", theirs.match}:
            if self.match.state is State.CLOSED:
                return [MovedOn()]
            return self._stop(Code.OTHER_MATCH, Sentence("another match is played there than the one of the invite"))
        is_another, self._named = bool(self.raws) and theirs.match != self.match.chain.match, theirs.match
        if not is_another:
            return self._fetching(theirs.seq)
        self.match, self.raws, self._ids, self.stopped, self._said = Match(), [], [], None, 0
        return [Afresh(), *self._fetching(theirs.seq)]

    def _fetching(self, upto: int) -> list[Send | Seen]:
        return [Fetching(upto)] if upto > self.match.chain.seq + AT_ONCE else []

    def _take_all(self, raws: Sequence[bytes]) -> list[Send | Seen]:
        seen: list[Send | Seen] = []
        envelopes = _read(raws)
        self._look_ahead(envelopes)
        for envelope in envelopes:
            verdict = judge_read(self.match, self.raws, self._ids, envelope, self._proofs)
            match verdict:
                case New(entry, after):
                    seen.append(Advanced(self.match, entry, after))
                    self.match = after
                    self.raws.append(entry.raw)
                    self._ids.append(bytes(entry.id))
                    if (code := self._is_strange()) is not None:
                        return [*seen, *self._stop(code, Sentence("this is not the match that the invite is for"))]
                case AskFrom():
                    return [*seen, self._hello()]
                case Forked(seq):
                    return [*seen, self._hello(seq)]
                case Broken(fault, envelope):
                    guilty = None if fault.code in BLAMELESS else envelope.author
                    self.stopped = Stopped(fault.code, envelope.seq, guilty, fault.sentence)
                    return [*seen, self.stopped]
                case Known() | Nobodys():
                    pass
                case _:
                    assert_never(verdict)
        if len(envelopes) == len(seen) == 1 and self.match.chain.seq - self._said < GATHERED:
            return seen  # of whoever follows live nobody waits for an answer
        return [*seen, self._ack()]

    def _ack(self) -> Send:
        self._said = self.match.chain.seq
        return _send(wire.Ack(self._said, self.match.chain.head, 0))

    def _look_ahead(self, envelopes: Sequence[Envelope]) -> None:
        """Let somebody look at the signatures from the last one on; where that goes on beside us, they are known then."""
        players = self.match.players
        if self._beside is None or len(players) < 2 or len(envelopes) < WORTH_IT:
            return
        identities = [player.identity for player in players]

        def look() -> None:
            for envelope in reversed(envelopes):
                with contextlib.suppress(Fault):
                    unseal(envelope, identities[envelope.author])

        self._beside(look)

    def _is_strange(self) -> Code | None:
        """Why this is not the match that we came for, as soon as that can be seen."""
        match, expected = self.match, self._expected
        if expected.match not in {b"", match.chain.match}:
            return Code.OTHER_MATCH
        if match.state is State.DEAL and expected.player not in {player.identity for player in match.players}:
            return Code.BAD_IDENTITY
        return None

    def _stop(self, code: Code, sentence: str) -> list[Send | Seen]:
        if self.stopped is not None:
            return []
        self.stopped = Stopped(code, self.match.chain.seq, None, sentence)
        return [self.stopped]

    def _hello(self, seq: int | None = None) -> Send:
        seq = self.match.chain.seq if seq is None else seq
        match, head = (self.match.chain.match, self._ids[seq - 1]) if seq else (b"", b"")
        return _send(hello(self._signer, self._peer, match, seq, head))


def _read(raws: Iterable[bytes]) -> list[Envelope]:
    """Those that are entries at all; the others are nobody's."""
    found = []
    for raw in raws:
        with contextlib.suppress(Fault):
            found.append(read_envelope(raw))
    return found


def _send(frame: wire.Frame) -> Send:
    return Send(wire.write_frame(frame))
