"""Our seat at a match: frames and wishes in, effects out; no clock, no socket, no file.

Law: an entry is stored before it is sent and signed once for its place; nothing is signed before the other side has
shown what it holds, while the mark is not in the log, where the chain may be forked, or after a stop. `now` is any
monotonic clock, in seconds.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from sm_p2p.deck.generators import constants_hash
from sm_p2p.errors import Code, Fault
from sm_p2p.log.entry import Envelope, read_envelope, seal
from sm_p2p.log.signature import Signer
from sm_p2p.rules.moves import Move
from sm_p2p.rules.reasons import Reason, Refused
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.session import wire
from sm_p2p.session.author import AUTOMATIC, Author, draft
from sm_p2p.session.chat import Beside, Lane
from sm_p2p.session.claims import Claims
from sm_p2p.session.digest import differing
from sm_p2p.session.ear import Ear
from sm_p2p.session.effects import (
    Advanced,
    Effect,
    Keep,
    Latency,
    Mark,
    PeerLeft,
    Rejected,
    Said,
    Send,
    Stopped,
    Store,
    Tell,
)
from sm_p2p.session.events import Event, Joined, Opened, Resigned
from sm_p2p.session.faces import Faces
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.halt import halt
from sm_p2p.session.holding import Holding
from sm_p2p.session.match import advance
from sm_p2p.session.petitions import Petitions
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.reach import Reach
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.state import IN_GAME, Match, State
from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.session.verdict import AskFrom, Broken, Forked, Known, New, Nobodys, judge
from sm_p2p.version import RULES


class Session:
    """One seat of one match.

    `entries` are the sealed entries that `match` was replayed from; `mark` is the high-water mark.
    """

    def __init__(
        self,
        author: Author,
        signer: Signer,
        peer: Peer,
        match: Match | None = None,
        entries: Iterable[bytes] = (),
        mark: Mark | None = None,
        beside: Beside | None = None,
    ) -> None:
        beside = beside or Beside()
        self.match = match or Match()
        self.entries = list(entries)
        self.stopped: Stopped | None = None
        self.is_forked = False  # the other side has signed what does not follow our log; by whom it forked is open
        self._author = author
        self._signer = signer
        self._peer = peer
        self._ids = [bytes(read_envelope(raw).id) for raw in self.entries]
        self._faces = Faces(author)
        self._ear = Ear()
        self._reach = Reach()
        self._holding = Holding(self._ids, mark)
        self._lane = Lane(author.seat, beside.notes, beside.heard)
        self._petitions = Petitions(author.seat, self.match, beside.petition, beside.petitions)
        self._claims = Claims(author.seat, signer, beside.claim, beside.claims)
        self._refusal: Send | None = None
        for verdict in [judge(self.match, self.entries, self._ids, raw) for raw in beside.evidence]:
            if isinstance(verdict, Broken):
                self._stop(verdict.fault, verdict.envelope)
            self.is_forked = self.is_forked or isinstance(verdict, Forked)

    @property
    def seat(self) -> int:
        """Our seat."""
        return self._author.seat

    @property
    def view(self) -> View | None:
        """The table as we see it; None before the first deal."""
        return self._faces.view(self.match)

    @property
    def hindrance(self) -> NotNow | None:
        """Why nothing may be signed here now; None if it may."""
        if self.stopped:
            return NotNow(Unable.STOPPED)
        return NotNow(Unable.FORKED) if self.is_forked else self._holding.hindrance

    @property
    def is_caught_up(self) -> bool:
        """Whether the other side has shown what it holds, and we hold all of it and all that we ever signed."""
        return not self.is_forked and self._holding.hindrance is None

    @property
    def is_settled(self) -> bool:
        """Whether the match is closed and the other side is known to hold all of it."""
        return self.match.state is State.CLOSED and self._holding.theirs >= self.match.chain.seq

    @property
    def is_our_turn(self) -> bool:
        """Whether a move of ours is what the match waits for."""
        ours = self.match.state is State.TURN and self.match.speaker == self.seat
        return ours and not self._petitions.own and self.hindrance is None

    # What we want

    def open(self, variant: Variant, nonce: bytes, time_ms: int) -> list[Effect]:
        """Open a new match, as seat 0; `nonce` are 16 random bytes."""
        identity = self._signer.identity
        return self._say(Opened(RULES, str(variant), self._peer.name, identity, nonce, constants_hash()), time_ms)

    def join(self, nonce: bytes, time_ms: int) -> list[Effect]:
        """Agree to the variant that was offered, as seat 1; `nonce` are 16 random bytes."""
        if self.match.state is not State.JOIN or self.seat != 1 or self.hindrance is not None:
            raise NotNow(Unable.NOTHING_OFFERED)
        key = self._author.joining_key(self.match)
        return [*self._say(Joined(self._peer.name, self._signer.identity, nonce, key), time_ms), *self._automatic()]

    def move(self, move: Move, time_ms: int) -> list[Effect]:
        """Make a move; IllegalMove says why it cannot be made, and then nothing was signed."""
        if self.stopped:
            raise NotNow(Unable.STOPPED)
        if self._petitions.own:
            raise NotNow(Unable.RESIGNED)
        if self.match.game is not None and self.match.game.table.outcome is not None:
            raise Refused(Reason.GAME_OVER)
        if self.match.state is not State.TURN or self.match.speaker != self.seat:
            raise NotNow(Unable.NOT_YOUR_TURN)
        if self.hindrance is not None:
            raise self.hindrance
        return [*self._say(self._author.moved(self.match, move), time_ms), *self._automatic()]

    def resign(self, time_ms: int) -> list[Effect]:
        """Give the game up, in anybody's turn; IllegalMove when none is being played."""
        if self.stopped or self._petitions.own or self.match.state not in IN_GAME:
            raise NotNow(Unable.NO_GAME)
        if self.match.speaker == self.seat and self.is_caught_up:
            return [*self._say(Resigned(), time_ms), *self._automatic()]
        raw = self._petitions.write(self.match, self._signer)
        return [Keep(raw, "petition"), _send(wire.Petition(raw))]

    def say(self, text: str) -> list[Effect]:
        """Send a line of chat; nothing happens when it is empty."""
        text = clean(text, NOTE_LENGTH)
        if not text or not self.match.chain.match:
            return []
        raw = self._lane.write(self.match, text, self._signer)
        return [Keep(raw, "note"), Tell(Said(self.seat, text)), *map(_send, map(wire.Note, self._lane.fresh()))]

    def claim(self) -> list[Effect]:
        """Claim that the other side has abandoned the match; IllegalMove while it may not be claimed."""
        if self.hindrance is not None:
            raise self.hindrance
        return self._claims.claim(self.match, self._reach.absent)

    def leave(self) -> list[Effect]:
        """Say goodbye."""
        return [_send(wire.Bye())]

    # What the link brings

    def connected(self, now: float) -> list[Effect]:
        """A way to the other side exists (again): show what we hold."""
        self._reach.connected(now)
        self._holding.connected()
        self._lane.connected()
        return [*self._holding.unmarked(self.match.chain.match, self.entries, self.seat), self._hello()]

    def disconnected(self) -> None:
        """The way is gone."""
        self._reach.disconnected()

    def tick(self, now: float) -> list[Effect]:
        """Time has passed: ask again for what was not acknowledged, and whether anybody is there."""
        self._reach.looked(now)
        effects = [] if self.hindrance else self._claims.overdue(self.match, self._reach.absent)
        if not self._reach.is_linked:
            return effects
        if self._holding.is_shown and (number := self._reach.beat(now)) is not None:
            effects.append(_send(wire.Ping(number)))
        if self._reach.is_due(now):
            again = [*([] if self.is_caught_up else [self._hello()]), *self._unacknowledged()]
            self._reach.waits(now, for_something=bool(again))
            effects += again
        return effects

    def receive(self, raw: bytes, now: float) -> list[Effect]:
        """A frame has come. Whatever it is, it gives effects and never an exception."""
        return [*self.hear(raw, now)]

    def hear(self, raw: bytes, now: float) -> Iterator[Effect]:
        """As `receive`, but each effect as soon as it is worked out: what came, before the shuffle that we owe for it.

        Whoever asks takes all of them, and carries out each before the next.
        """
        if (frame := self._ear.frame(raw, now)) is None:
            return
        self._reach.heard(now)
        self._claims.heard()
        yield from self._answer(frame, now)

    def _answer(self, frame: wire.Frame, now: float) -> Iterable[Effect]:
        match frame:
            case wire.Hello() | wire.Entries() if self._refusal is not None:  # the other side may not have heard it
                return [self._refusal]
            case wire.Hello():
                return self._greet(frame)
            case wire.Entries(raws):
                return self._take_all(raws)
            case wire.Ack(seq, head, notes):
                return self._acknowledged(seq, head, notes, now)
            case wire.Petition(sealed):
                self._petitions.hear(self.match, sealed)
                return self._automatic()
            case wire.Note(sealed):
                return self._noted(sealed)
            case wire.Ping(number):
                return [_send(wire.Pong(number))]
            case wire.Pong(number):
                seconds = self._reach.back(number, now)
                return [] if seconds is None else [Tell(Latency(seconds))]
            case wire.Reject(code, seq, sections):
                is_head = seq == self.match.chain.seq
                return [Tell(Rejected(code, seq, differing(self.match, sections) if is_head else ()))]
            case wire.Bye():
                had_left, self._reach.has_left = self._reach.has_left, True
                return [] if had_left else [Tell(PeerLeft())]
            case _:
                assert_never(frame)

    def _hello(self, seq: int | None = None) -> Send:
        seq = self.match.chain.seq if seq is None else seq
        head = self._ids[seq - 1] if seq else b""
        return _send(hello(self._signer, self._peer, self.match.chain.match, seq, head))

    def _greet(self, theirs: wire.Hello) -> list[Effect]:
        """Answer a hello: what they lack, or the entry that differs; before it the host's hello, behind it a guest's ack."""
        if theirs.match not in {b"", self.match.chain.match} and self.match.chain.match:
            return [_send(wire.Reject(Code.NO_SUCH_MATCH))]
        before, behind = ([self._hello()], []) if self._peer.role == "host" else ([], [self._ack()])
        self._reach.has_left = False
        self._holding.claimed(theirs.seq)
        if theirs.seq > self.match.chain.seq:
            self._holding.is_shown = True
            return [*before, *self._back(), *behind]
        if not self._holding.has(theirs.seq, theirs.head):
            return [*before, _send(wire.Entries((self.entries[theirs.seq - 1],))), *behind]
        self._holding.shown(theirs.seq)
        return [*before, *self._back(), *self._automatic(), *self._unacknowledged(), *behind]

    def _back(self) -> list[Effect]:
        """The other side has shown itself: nothing that was claimed about it stands, and what came back from it is told."""
        recovered = None if self.hindrance else self._holding.recovery()
        return [*self._claims.returned(self.match), *([] if recovered is None else [Tell(recovered)])]

    def _unacknowledged(self) -> list[Effect]:
        """Everything that the other side is not known to hold: entries (one frame of them), petition, notes."""
        if not self._holding.is_shown:
            return []
        frames: list[wire.Frame] = []
        if (theirs := self._holding.theirs) < len(self.entries):
            frames.append(wire.fitting(self.entries[theirs : theirs + wire.MAX_ENTRIES]))
        if self._petitions.own:
            frames.append(wire.Petition(self._petitions.own))
        frames += map(wire.Note, self._lane.again())
        return [_send(frame) for frame in frames]

    def _acknowledged(self, seq: int, head: bytes, notes: int, now: float) -> list[Effect]:
        """The other side shows what it holds; where its hello was lost, this is as good."""
        holding = self._holding
        if seq > self.match.chain.seq or not holding.has(seq, head):
            return [] if self.stopped or self.is_forked else [self._hello()]
        if self._lane.arrived(notes):
            self._reach.progressed(now)
        fresh = [*map(_send, map(wire.Note, self._lane.fresh()))]
        if holding.is_shown and seq <= holding.theirs:
            return [*self._back(), *fresh]
        holding.shown(max(holding.theirs, seq))
        self._reach.progressed(now)
        back, effects = self._back(), [*self._automatic()]
        return back + fresh + (effects or (self._unacknowledged() if seq < self.match.chain.seq else []))

    def _take_all(self, raws: Sequence[bytes]) -> Iterator[Effect]:
        for raw in raws:
            yield from (taken := self._take(raw))
            if self.stopped or any(isinstance(effect, Send) for effect in taken):
                return
        yield self._ack()
        yield from self._back()
        yield from self._automatic()

    def _take(self, raw: bytes) -> list[Effect]:
        """Take one entry over; a Send among the effects asks for something first."""
        match verdict := judge(self.match, self.entries, self._ids, raw):
            case New(_, after) if not self._holding.is_about(after.chain.match):
                pass
            case New(entry, after):
                fault = self._peer.misplaced(after, self.seat, self._signer.identity)
                if fault is not None:
                    return self._stop(fault, entry)
                before = self._append(raw, bytes(entry.id), after)
                marks = self._holding.taken(_place(after), is_ours=entry.author == self.seat)
                return [Store(raw), *marks, Tell(Advanced(before, entry, after))]
            case Known(seq):
                self._holding.known(seq)
            case AskFrom(seq):
                return [self._hello(seq)]
            case Forked(seq):
                kept = [] if self.is_forked else [Keep(raw, "evidence")]
                self.is_forked = True
                return [*kept, self._hello(seq)]
            case Broken(fault, envelope):
                return self._stop(fault, envelope)
            case Nobodys():
                pass
            case _:
                assert_never(verdict)
        return []

    def _append(self, raw: bytes, entry_id: bytes, after: Match) -> Match:
        """Take the match after an entry over; the one before comes back."""
        before, self.match = self.match, after
        self.entries.append(raw)
        self._ids.append(entry_id)
        if after.state not in IN_GAME:
            self._petitions.clear()
        return before

    def _stop(self, fault: Fault, envelope: Envelope) -> list[Effect]:
        """Freeze, keep the entry as evidence, and say so to both sides. A disagreement is held against nobody."""
        self.stopped, refusal = halt(self.match, fault, envelope)
        self._refusal = _send(refusal)
        return [Keep(envelope.raw, "evidence"), self._refusal, Tell(self.stopped)]

    def _noted(self, raw: bytes) -> list[Effect]:
        said, is_heard = self._lane.read(self.match, raw)
        shown: list[Effect] = [] if said is None else [Keep(raw, "note"), Tell(Said(said.author, said.text))]
        return [*shown, self._ack()] if is_heard else []

    def _ack(self) -> Send:
        return _send(wire.Ack(self.match.chain.seq, self.match.chain.head, self._lane.heard))

    def _automatic(self) -> Iterator[Effect]:
        """Write what our seat owes without being asked, as long as it is ours to speak."""
        while self.match.speaker == self.seat and self.hindrance is None:
            event = self._owed_event()
            if event is None:
                return
            yield from self._say(event, 0)

    def _owed_event(self) -> Event | None:
        state = self.match.state
        if state in IN_GAME:
            if self._petitions.own:
                return Resigned()
            adopted = self._petitions.adopted(self.match)
            if adopted is not None:
                return adopted
        if state not in AUTOMATIC or (state is State.REVEAL and self._holding.theirs < self.match.chain.seq):
            return None  # a key leaves only after the other side has acknowledged the end of the game
        return self._author.next_event(self.match)

    def _say(self, event: Event, time_ms: int) -> list[Effect]:
        """Seal an entry, take it over, and have it stored, marked and sent, in this order."""
        entry = seal(draft(self.match, event, time_ms), self._signer)
        after = advance(self.match, entry, TRUSTED)
        before = self._append(entry.raw, bytes(entry.id), after)
        mark = _place(after)
        self._holding.signed(mark)
        return [Store(entry.raw), mark, Tell(Advanced(before, entry, after)), _send(wire.Entries((entry.raw,)))]


def _place(match: Match) -> Mark:
    """The mark that names the head of this match."""
    return Mark(match.chain.match, match.chain.seq, match.chain.head)


def _send(frame: wire.Frame) -> Send:
    return Send(wire.write_frame(frame))
