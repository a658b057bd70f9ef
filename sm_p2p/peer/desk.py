"""Where a match lies while it is played: its journal, the notes beside it, our secret and the mark.

Law: what an effect asks to be stored is durable when `carry_out` returns. The secret is on the disk before the first
entry of a match is, so no key of ours can be lost with a crash.
"""

import os
import time
from pathlib import Path
from typing import Final

from sm_p2p.errors import Fault, SpiteError
from sm_p2p.log.entry import read_envelope
from sm_p2p.session.author import Author
from sm_p2p.session.beside import unseal_chat, unseal_resignation
from sm_p2p.session.chat import Beside
from sm_p2p.session.effects import Keep, Mark, Store
from sm_p2p.session.glance import Glance, glance
from sm_p2p.session.greeting import Peer
from sm_p2p.session.match import resume
from sm_p2p.session.session import Session
from sm_p2p.session.state import Match, SeatNumber
from sm_p2p.store import marks
from sm_p2p.store.journal import Journal
from sm_p2p.store.keys import SECRET_BYTES, Identity, load_or_create_secret, load_secret
from sm_p2p.store.matches import open_file, saved_matches
from sm_p2p.store.notes import NOTES, Kind, Remark, read_remark
from sm_p2p.store.places import Places

KINDS: Final = {"note": Kind.NOTE, "petition": Kind.PETITION, "evidence": Kind.EVIDENCE}


class Desk:
    """The files of one match; they are made when its first entry is stored."""

    def __init__(self, places: Places, secret: bytes) -> None:
        self.match = b""
        self.seq = 0
        self._places = places
        self._secret = secret
        self._journal: Journal | None = None
        self._notes: Journal | None = None

    def carry_out(self, effect: Store | Mark | Keep) -> None:
        """Do it durably; DiskTrouble or JournalBusy when that cannot be."""
        match effect:
            case Store(raw):
                if self._journal is None:
                    self._begin(read_envelope(raw).id)
                self._open_journal().append(raw)
                self.seq += 1
            case Mark(match, seq, head):
                marks.write_mark(self._places.signed(match), marks.Mark(match, seq, head))
            case Keep(raw, kind):
                remark = Remark(KINDS[kind], self.seq, int(time.time() * 1000), raw)
                self._open_notes().append(remark.pack(), remark.kind)

    def close(self) -> None:
        """The files are free for others."""
        for journal in (self._journal, self._notes):
            if journal is not None:
                journal.close()

    def discard(self) -> None:
        """Forget a match that nobody has joined."""
        self.close()
        for path in (self._places.log, self._places.notes, self._places.secret, self._places.signed):
            path(self.match).unlink(missing_ok=True)

    def resume(self, path: Path, match: bytes, identity: Identity, peer: Peer) -> Session:
        """The session that goes on with a saved match of ours.

        Entries up to our mark were checked by this client and are replayed without their proofs; later ones are checked.
        """
        self.match = match
        self._journal = Journal.open(path)
        raws = [record.payload for record in self._journal.records]
        self.seq = len(raws)
        mark = marks.read_mark(self._places.signed(match)) or marks.Mark(match, 0, b"")
        state = resume(raws, mark.seq, mark.head)
        seat = our_seat(state, identity.identity)
        beside = _beside(self._open_notes(), state, seat)
        return Session(Author(seat, self._secret), identity, peer, state, raws, Mark(*mark), beside)

    def _begin(self, match: bytes) -> None:
        self.match = match
        load_or_create_secret(self._places.secret(match), lambda _size: self._secret)
        self._journal = open_file(self._places.log(match))

    def _open_journal(self) -> Journal:
        if self._journal is None:
            self._journal = open_file(self._places.log(self.match))
        return self._journal

    def _open_notes(self) -> Journal:
        if self._notes is None:
            self._notes = open_file(self._places.notes(self.match), NOTES)
        return self._notes


def new_desk(places: Places, identity: Identity, seat: SeatNumber, peer: Peer) -> tuple[Desk, Session]:
    """A desk and a session for a match that has not begun; the secret comes from the operating system."""
    secret = os.urandom(SECRET_BYTES)
    return Desk(places, secret), Session(Author(seat, secret), identity, peer)


def resumed_desk(places: Places, identity: Identity, match: bytes, peer: Peer) -> tuple[Desk, Session]:
    """A desk and a session for a saved match of ours; SpiteError says why it cannot go on here."""
    desk = Desk(places, load_secret(places.secret(match)))
    try:
        return desk, desk.resume(places.log(match), match, identity, peer)
    except BaseException:
        desk.close()
        raise


def our_seat(match: Match, identity: bytes) -> SeatNumber:
    """Where we sit in a match; SpiteError if we do not."""
    for seat, player in enumerate(match.players):
        if player.identity == identity:
            return seat
    raise SpiteError("This match was played with another key; it can be watched here, but not gone on with.")


def unfinished(places: Places, identity: bytes) -> tuple[tuple[bytes, bytes, Glance], ...]:
    """(match, opponent's identity, a glance) of every match of ours that can go on here, the latest first."""
    found = []
    for saved in saved_matches(places.data, glance):
        about = saved.about
        if about is None or about.is_over or identity not in about.identities or len(about.identities) < 2:
            continue
        opponent = about.identities[1 - about.identities.index(identity)]
        if places.secret(saved.match).exists():
            found.append((saved.match, opponent, about))
    return tuple(found)


def _beside(notes: Journal, match: Match, seat: SeatNumber) -> Beside:
    """What the notes file holds of ours; whatever in it is not signed by its seat is passed over."""
    ours: list[bytes] = []
    evidence: list[bytes] = []
    heard = petitions = 0
    petition = b""
    for record in notes.records:
        try:
            remark = read_remark(record)
            if remark.kind is Kind.NOTE:
                if _is_by(seat, remark.content, match):
                    ours.append(remark.content)
                else:
                    heard += 1
            elif remark.kind is Kind.PETITION:
                said = unseal_resignation(remark.content, match.players[seat].identity)
                petitions = max(petitions, said.number)
                petition = remark.content if said.game == len(match.outcomes) + 1 else b""
            elif remark.kind is Kind.EVIDENCE:
                evidence.append(remark.content)
        except Fault:
            continue
    return Beside(tuple(ours), heard, petition, petitions, tuple(evidence))


def _is_by(seat: SeatNumber, raw: bytes, match: Match) -> bool:
    try:
        unseal_chat(raw, match.players[seat].identity)
    except Fault:
        return False
    return True
