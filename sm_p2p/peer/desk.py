"""Where a match lies while it is played: its journal, the notes beside it, our secret and the mark.

Law: what an effect asks to be stored is durable when `carry_out` returns. The secret is on the disk before the first
entry of a match is, so no key of ours can be lost with a crash.
"""

import contextlib
import os
import time
from pathlib import Path
from threading import Lock
from typing import Final, assert_never

from sm_p2p.errors import Code, DiskTrouble, Fault, JournalDamaged, Sentence
from sm_p2p.log.entry import read_envelope
from sm_p2p.peer.acquaintance import remember
from sm_p2p.session.author import Author
from sm_p2p.session.beside import unseal_chat, unseal_claim, unseal_resignation
from sm_p2p.session.chat import Beside
from sm_p2p.session.effects import Keep, Mark, Store
from sm_p2p.session.events import MOVED, RESIGNED
from sm_p2p.session.greeting import Peer
from sm_p2p.session.match import resume
from sm_p2p.session.session import Session
from sm_p2p.session.state import Match, SeatNumber
from sm_p2p.session.talk import Mended, Repair
from sm_p2p.store import marks
from sm_p2p.store.files import disk
from sm_p2p.store.journal import Journal, begin_anew
from sm_p2p.store.keys import SECRET_BYTES, Identity, load_or_create_secret, load_secret
from sm_p2p.store.matches import open_file
from sm_p2p.store.notes import NOTES, Kind, Remark, read_remark
from sm_p2p.store.peers import Peer as Met
from sm_p2p.store.places import Places
from sm_p2p.store.records import LOG, Sort
from sm_p2p.store.ways import Way, write_way

PLAYED: Final = {MOVED, RESIGNED}  # kinds of entries, of which each match has one that is more than a beginning
KINDS: Final = {"note": Kind.NOTE, "petition": Kind.PETITION, "claim": Kind.CLAIM, "evidence": Kind.EVIDENCE}
TORN: Final = {LOG: Repair.TORN_LOG, NOTES: Repair.TORN_NOTES}
MOVE_IT: Final = Sentence("move it away, and the match is fetched anew from the other player")
SPOILT: Final = {Code.DAMAGED_FILE, Code.NO_JOURNAL}  # what becomes of a file of notes holds up no match


class Desk:
    """The files of one match; those of a new match are made when its first entry is stored. `mended` tells what was broken.

    `was_played`: whether a card was played in it, or a game given up.

    Whichever threads ask: one thing is done after the other.
    """

    def __init__(self, places: Places, secret: bytes, match: bytes = b"") -> None:
        self.match = match
        self.seq = 0
        self.mark: Mark | None = None
        self.mended: tuple[Mended, ...] = ()
        self._places = places
        self._secret = secret
        self.is_resumed = bool(match)
        self.was_played = False
        self._journal: Journal | None = None
        self._notes: Journal | None = None
        self._way: Way | None = None
        self._met: Met | None = None
        self._turn = Lock()

    def carry_out(self, effect: Store | Mark | Keep) -> None:
        """Do it durably; DiskTrouble or JournalBusy when that cannot be."""
        with self._turn:
            self._carry_out(effect)

    def remember(self, way: Way, met: Met | None = None) -> None:
        """How this match is played now, kept beside it as soon as there is something of it; never worth an error.

        `met` is whom it is played with: he is remembered when a card was played.
        """
        with self._turn:
            self._way, self._met = way, met
            if self.match:
                self._keep_way()
            if self.was_played:
                self._keep_met()

    def close(self) -> None:
        """The files are free for others."""
        with self._turn:
            self._close()

    def discard(self) -> None:
        """Forget a match that nobody has joined; one that was taken up again is kept, since we may have signed in it."""
        with self._turn:
            self._close()
            if self.is_resumed:
                return
            places = self._places
            for place in (places.log, places.notes, places.secret, places.signed, places.way):
                path = place(self.match)
                with disk(path):
                    path.unlink(missing_ok=True)

    def resume(self, identity: Identity, peer: Peer, seat: SeatNumber | None) -> Session | None:
        """The session that goes on with a match of ours against this peer; None if it cannot: it is not that, or it has stopped.

        Entries up to our mark were checked by this client and are replayed without their proofs; later ones are checked.
        Where the log is lost, `seat` tells our seat, and all of it is asked for again. Raises JournalDamaged for a log
        that does not verify, JournalBusy, DiskTrouble.
        """
        path = self._places.log(self.match)
        try:
            self._journal = self._opened(path, LOG)
        except JournalDamaged as damage:
            raise JournalDamaged(damage.code, "{damage}; {move_it}", damage=damage, move_it=MOVE_IT) from damage
        raws = [record.payload for record in self._journal.records]
        self.seq = len(raws)
        self.was_played = any(map(_is_played, raws))
        mark = marks.read_mark(self._places.signed(self.match)) or marks.Mark(self.match, 0, b"")
        self.mark = Mark(*mark)
        try:
            match = resume(raws, mark.seq, mark.head)
        except Fault as fault:
            raise JournalDamaged(
                Code.DAMAGED_FILE,
                "{path} does not verify ({fault}); {move_it}",
                path=path,
                fault=fault,
                move_it=MOVE_IT,
            ) from fault
        if raws:
            seat = _our_seat(match, identity.identity, peer.identity)
        if seat is None:
            return None
        beside = _beside(self._open_notes(), identity.identity)
        session = Session(Author(seat, self._secret), identity, peer, match, raws, self.mark, beside)
        return session if session.stopped is None else None

    def _carry_out(self, effect: Store | Mark | Keep) -> None:
        match effect:
            case Store(raw):
                if not self.match:
                    self._begin(read_envelope(raw).id)
                self._open_journal().append(raw)
                self.seq += 1
                if not self.was_played and _is_played(raw):
                    self.was_played = True
                    self._keep_met()
            case Mark(match, seq, head):
                marks.write_mark(self._places.signed(match), marks.Mark(match, seq, head))
                self.mark = effect
            case Keep(raw, kind):
                if not self.match:  # before entry 1 only that entry itself can be evidence
                    self.match = read_envelope(raw).id
                remark = Remark(KINDS[kind], self.seq, int(time.time() * 1000), raw)
                self._open_notes().append(remark.pack(), remark.kind)
            case _:
                assert_never(effect)

    def _close(self) -> None:
        for journal in (self._journal, self._notes):
            if journal is not None:
                journal.close()

    def _begin(self, match: bytes) -> None:
        self.match = match
        load_or_create_secret(self._places.secret(match), lambda _size: self._secret)
        self._keep_way()

    def _keep_way(self) -> None:
        if self._way is not None:
            with contextlib.suppress(DiskTrouble):
                write_way(self._places.way(self.match), self._way)

    def _keep_met(self) -> None:
        if self._met is not None:
            remember(self._places, self._met)

    def _open_journal(self) -> Journal:
        if self._journal is None:
            self._journal = self._opened(self._places.log(self.match), LOG)
        return self._journal

    def _open_notes(self) -> Journal:
        if self._notes is None:
            path = self._places.notes(self.match)
            try:
                self._notes = self._opened(path, NOTES)
            except JournalDamaged as damage:
                if damage.code not in SPOILT:
                    raise
                self._note(Mended(Repair.DAMAGED_NOTES, str(begin_anew(path, NOTES))))
                self._notes = self._opened(path, NOTES)
        return self._notes

    def _opened(self, path: Path, sort: Sort) -> Journal:
        journal = open_file(path, sort)
        if journal.torn is not None:
            self._note(Mended(TORN[sort], str(journal.torn.saved)))
        return journal

    def _note(self, mended: Mended) -> None:
        self.mended = (*self.mended, mended)


def new_desk(places: Places, identity: Identity, seat: SeatNumber, peer: Peer) -> tuple[Desk, Session]:
    """A desk and a session for a match that has not begun; the secret comes from the operating system."""
    secret = os.urandom(SECRET_BYTES)
    return Desk(places, secret), Session(Author(seat, secret), identity, peer)


def resumed_desk(
    places: Places, identity: Identity, match: bytes, peer: Peer, seat: SeatNumber | None = None
) -> tuple[Desk, Session] | None:
    """A desk and a session for a saved match of ours; as `Desk.resume`. None also if our secret is lost."""
    if not places.secret(match).exists():
        return None
    desk = Desk(places, load_secret(places.secret(match)), match)
    session = None
    try:
        session = desk.resume(identity, peer, seat)
    finally:
        if session is None:
            desk.close()
    return None if session is None else (desk, session)


def _is_played(raw: bytes) -> bool:
    return read_envelope(raw).kind in PLAYED


def _our_seat(match: Match, ours: bytes, theirs: bytes) -> SeatNumber | None:
    """Where we sit in a match against this opponent, whoever of us sits down yet; None if it is no match of us two."""
    sitting = [player.identity for player in match.players]
    if sitting == [ours, theirs][: len(sitting)]:
        return 0
    return 1 if sitting == [theirs, ours][: len(sitting)] else None


def _beside(notes: Journal, identity: bytes) -> Beside:
    """What the notes file holds of ours; whatever in it is not signed by its seat is passed over."""
    ours: list[bytes] = []
    evidence: list[bytes] = []
    heard = petitions = claims = 0
    petition = claim = b""
    for record in notes.records:
        try:
            remark = read_remark(record)
            if remark.kind is Kind.NOTE:
                if _is_by(identity, remark.content):
                    ours.append(remark.content)
                else:
                    heard += 1
            elif remark.kind is Kind.PETITION:
                said = unseal_resignation(remark.content, identity)
                petitions = max(petitions, said.number)
                petition = remark.content
            elif remark.kind is Kind.CLAIM:
                claims = max(claims, unseal_claim(remark.content, identity).number)
                claim = remark.content
            elif remark.kind is Kind.EVIDENCE:
                evidence.append(remark.content)
        except Fault:
            continue
    return Beside(tuple(ours), heard, petition, petitions, tuple(evidence), claim, claims)


def _is_by(identity: bytes, raw: bytes) -> bool:
    try:
        unseal_chat(raw, identity)
    except Fault:
        return False
    return True
