"""What must hold at every moment, whatever the world does to two honest sides; a law that is broken is an exception.

Law: what is judged here is what leaves a session (its effects) and what lies on a disk, never what is inside of it.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Final

from simulator.disk import Disk, read_mark

from sm_p2p.errors import Fault
from sm_p2p.log.entry import Envelope, read_envelope
from sm_p2p.rules.parts import How
from sm_p2p.session import wire
from sm_p2p.session.beside import unseal_chat, unseal_claim, unseal_resignation
from sm_p2p.session.effects import Advanced, Keep, Mark, Rejected, Said, Stopped, Told
from sm_p2p.session.events import RESIGNED
from sm_p2p.session.state import IN_GAME, State
from sm_p2p.store.notes import NOTES, Kind, read_remark

SEATS: Final = (0, 1)


class BrokenLawError(AssertionError):
    """Something happened that must not."""


def hold(truth: object, law: str) -> None:
    """Nothing, if this is so."""
    if not truth:
        raise BrokenLawError(law)


@lru_cache(4_000)
def envelope_of(raw: bytes) -> Envelope:
    """The envelope in these bytes, remembered."""
    return read_envelope(raw)


class Papers:
    """What one machine holds durably about one match, as the laws see it; read anew from the disk after each restart."""

    def __init__(self) -> None:
        self.ids: list[bytes] = []
        self.marked = 0
        self.lines: list[bytes] = []
        self.heard: list[bytes] = []
        self.petitions: list[bytes] = []
        self.evidence: list[bytes] = []
        self.claimed = 0  # at which entry it was claimed last that the other side is gone

    def read(self, match: bytes, disk: Disk, identity: bytes) -> "Papers":
        """All of it is what lies on the disk."""
        self.ids = [bytes(envelope_of(raw).id) for raw in disk.entries(match)]
        mark = read_mark(disk, disk.places.signed(match))
        self.marked = 0 if mark is None else mark.seq
        for record in disk.records(disk.places.notes(match), NOTES):
            remark = read_remark(record)
            if remark.kind is Kind.PETITION:
                self.petitions.append(remark.content)
            elif remark.kind is Kind.EVIDENCE:
                self.evidence.append(remark.content)
            elif remark.kind is Kind.CLAIM:
                said = unseal_claim(remark.content, identity)
                self.claimed = 0 if said.is_withdrawn else said.at_seq
            elif remark.kind is Kind.NOTE:
                (self.lines if is_by(identity, remark.content) else self.heard).append(remark.content)
        return self


class Laws:
    """The memory of everything that the two have ever signed, stored, sent and been shown in one world."""

    def __init__(self, identities: tuple[bytes, bytes], disks: tuple[Disk, Disk]) -> None:
        self.identities = identities
        self.disks = disks
        self.liar: int | None = None  # a seat for which no law holds
        self.noisy: int | None = None  # a seat that says what may be rejected
        self.papers: dict[tuple[int, bytes], Papers] = {}
        self.wished: set[tuple[int, bytes, int]] = set()  # who wanted to give which game up
        self.stops: list[tuple[int, Stopped]] = []
        self._chain: dict[bytes, list[bytes]] = defaultdict(list)  # the one order of entries, of two honest sides
        self._signed: dict[tuple[int, bytes, int], bytes] = {}  # what a key has signed for a place
        self._born: tuple[set[bytes], set[bytes]] = (set(), set())  # what a process has signed and not shown yet
        self._left: set[bytes] = set()  # entries that have left the machine of their author
        self._showed: dict[tuple[int, bytes], int] = defaultdict(int)  # how far a side has told the other that it holds
        self._granted: dict[tuple[int, bytes], int] = defaultdict(int)  # how far it has ever told the other so
        self._seen: dict[tuple[int, bytes], int] = {}  # the last entry that the player of this process was shown
        self._petitioned: dict[tuple[int, bytes], int] = {}  # the game in which a side has asked to resign
        self._knows: set[tuple[int, bytes]] = (
            set()
        )  # who has heard how many of his lines were shown, since he lost some
        self._forgot: set[tuple[int, bytes]] = set()  # whose lines were put back
        self._owed: dict[tuple[int, bytes], list[bytes]] = defaultdict(list)  # lines that have to arrive
        self._read: dict[tuple[int, bytes], list[bytes]] = defaultdict(list)  # the lines that a player was shown

    def of(self, seat: int, match: bytes) -> Papers:
        """What this side holds durably."""
        key = seat, match
        if key not in self.papers:
            self.papers[key] = Papers().read(match, self.disks[seat], self.identities[seat])
        return self.papers[key]

    # A process begins, or a disk was put back

    def began(self, seat: int, match: bytes) -> None:
        """A process has read the files of this match."""
        self.papers.pop((seat, match), None)
        papers = self.of(seat, match)
        hold(len(papers.ids) >= self._showed[seat, match], f"seat {seat} has lost what it had acknowledged")
        self._seen[seat, match] = len(papers.ids)
        self._born[seat].clear()

    def put_back(self, seat: int, match: bytes) -> None:
        """The files are those of another day: what was forgotten with them binds nobody, unless others may know of it."""
        self.papers.pop((seat, match), None)
        papers = self.of(seat, match)
        self._showed[seat, match] = min(self._showed[seat, match], len(papers.ids))
        self._read[seat, match] = list(papers.heard)
        self._forgot.add((seat, match))
        self._knows.discard((seat, match))
        self._owed[seat, match] = [raw for raw in self._owed[seat, match] if raw in papers.lines]
        self._petitioned.pop((seat, match), None)
        for sealed in papers.petitions:
            self._petitioned[seat, match] = unseal_resignation(sealed, self.identities[seat]).game
        for key, signed in list(self._signed.items()):
            if key[:2] == (seat, match) and signed not in self._left and signed not in papers.ids:
                del self._signed[key]
        chain, held = self._chain[match], {*papers.ids, *self.of(1 - seat, match).ids}
        while chain and chain[-1] not in held | self._left:
            chain.pop()
        chain += papers.ids[len(chain) :]  # an old copy may hold what was forgotten before
        for entry in map(envelope_of, self.disks[seat].entries(match)):
            if entry.author == seat:
                self._signed.setdefault((seat, match, entry.seq), entry.id)

    def id_of(self, raw: bytes) -> bytes:
        """The id of an entry."""
        return envelope_of(raw).id

    def is_signed(self, seat: int, match: bytes, seq: int, entry_id: bytes) -> bool:
        """Whether this side has signed this entry."""
        return self._signed.get((seat, match, seq)) == entry_id

    def left(self, seat: int, match: bytes) -> set[bytes]:
        """The entries of this side that have left its machine."""
        return {found for key, found in self._signed.items() if key[:2] == (seat, match) and found in self._left}

    def rests(self, seat: int, match: bytes) -> bool:
        """Whether this side knows by its mark that it has signed what neither log shows."""
        ours = self.of(seat, match)
        return ours.marked > len(ours.ids) and ours.marked > len(self.of(1 - seat, match).ids)

    def has_all_lines(self, match: bytes) -> bool:
        """Whether every line that has to arrive is kept by its reader.

        Where both have lost lines nobody can say which numbers are free, and some may never arrive.
        """
        if {(0, match), (1, match)} <= self._forgot:
            return True
        return all(set(self._owed[seat, match]) <= set(self.of(1 - seat, match).heard) for seat in SEATS)

    def told_lines(self, seat: int, match: bytes) -> None:
        """This side has heard how many of its lines were shown."""
        self._knows.add((seat, match))

    # Effects

    def stored(self, seat: int, raw: bytes) -> None:
        """An entry is durable now."""
        entry = envelope_of(raw)
        match = entry.match or entry.id
        papers = self.papers.setdefault((seat, match), Papers())  # nothing was read of a match that begins
        hold(entry.seq == len(papers.ids) + 1, f"seat {seat} stores entry {entry.seq} behind {len(papers.ids)}")
        papers.ids.append(entry.id)
        if entry.author == seat != self.liar:
            if (seat, match, entry.seq) not in self._signed:
                self._born[seat].add(entry.id)
            first = self._signed.setdefault((seat, match, entry.seq), entry.id)
            hold(first == entry.id, f"seat {seat} has signed two entries {entry.seq}")
        if self.liar is None:
            chain = self._chain[match]
            if entry.seq > len(chain):
                chain.append(entry.id)
            hold(chain[entry.seq - 1] == entry.id, f"the two logs part at entry {entry.seq}")

    def marked(self, seat: int, mark: Mark) -> None:
        """A mark is durable now."""
        papers = self.of(seat, mark.match)
        hold(papers.ids[mark.seq - 1 : mark.seq] == [mark.head], f"seat {seat} marks {mark.seq}, which is not stored")
        papers.marked = mark.seq

    def kept(self, seat: int, match: bytes, kept: Keep) -> None:
        """Something beside the log is durable now."""
        papers = self.of(seat, match)
        if kept.kind == "note":
            is_own = is_by(self.identities[seat], kept.raw)
            (papers.lines if is_own else papers.heard).append(kept.raw)
            if is_own and ((seat, match) in self._knows or (seat, match) not in self._forgot):
                self._owed[seat, match].append(kept.raw)
        elif kept.kind == "petition":
            papers.petitions.append(kept.raw)
            self._petitioned[seat, match] = unseal_resignation(kept.raw, self.identities[seat]).game
        elif kept.kind == "claim":
            said = unseal_claim(kept.raw, self.identities[seat])
            hold(
                (papers.claimed == said.at_seq) == said.is_withdrawn,
                f"seat {seat} claims what stands, or takes back nothing",
            )
            papers.claimed = 0 if said.is_withdrawn else said.at_seq
        elif kept.kind == "evidence":
            hold(self.liar is not None, f"seat {seat} keeps evidence against an honest side")
            papers.evidence.append(kept.raw)

    def sent(self, seat: int, match: bytes, raw: bytes) -> None:
        """A frame leaves the machine: whatever it says has to be durable."""
        if seat == self.liar:
            return
        match frame := wire.read_frame(raw):
            case wire.Entries(raws):
                for entry in map(envelope_of, raws):
                    papers = self.of(seat, entry.match or entry.id)
                    stands = papers.ids[entry.seq - 1 : entry.seq]
                    hold(stands == [entry.id], f"seat {seat} sends entry {entry.seq}, which it has not stored")
                    if entry.author == seat:
                        hold(papers.marked >= entry.seq, f"seat {seat} sends entry {entry.seq} before it is marked")
                        self._left.add(entry.id)
            case wire.Ack(seq, head, notes):
                self._shows(seat, match, seq, head)
                hold(notes <= len(self.of(seat, match).heard), f"seat {seat} acknowledges a line before it is kept")
            case wire.Hello():
                self._shows(seat, frame.match, frame.seq, frame.head)
            case wire.Petition(sealed):
                hold(sealed in self.of(seat, match).petitions, f"seat {seat} sends a petition before it is kept")
            case wire.Note(sealed):
                hold(sealed in self.of(seat, match).lines, f"seat {seat} sends a line before it is kept")
            case _:
                pass

    def _shows(self, seat: int, match: bytes, seq: int, head: bytes) -> None:
        if seq:
            stands = self.of(seat, match).ids[seq - 1 : seq]
            hold(stands == [head], f"seat {seat} says that it holds entry {seq}, which it has not stored")
            for memory in (self._showed, self._granted):
                memory[seat, match] = max(memory[seat, match], seq)

    def told(self, seat: int, match: bytes, what: Told) -> None:
        """The player is shown something."""
        if seat == self.liar:
            return
        match what:
            case Advanced():
                self._advanced(seat, what)
            case Said(author, text) if author != seat:
                self._heard(seat, match, text)
            case Stopped():
                hold(self.liar is not None, f"seat {seat} stops in an honest match: {what}")
                hold(what.guilty in {self.liar, None}, f"an honest seat is blamed: {what}")
                self.stops.append((seat, what))
            case Rejected():
                hold(seat == self.noisy or self.liar is not None, f"seat {seat} is rejected in an honest match: {what}")
            case _:
                pass

    def _advanced(self, seat: int, what: Advanced) -> None:
        entry, before, after = what.entry, what.before, what.after
        match = after.chain.match
        papers = self.of(seat, match)
        hold(papers.ids[entry.seq - 1 : entry.seq] == [entry.id], f"entry {entry.seq} is shown before it is stored")
        seen = self._seen.get((seat, match), 0)
        hold(entry.seq == seen + 1, f"seat {seat} is shown entry {entry.seq} after entry {seen}")
        self._seen[seat, match] = entry.seq
        if len(after.outcomes) > len(before.outcomes) and after.outcomes[-1].how is How.RESIGN:
            loser = 1 - (after.outcomes[-1].winner or 0)
            is_wished = (loser, match, after.game_number) in self.wished
            hold(is_wished or loser == self.liar, f"seat {loser} gives game {after.game_number} up and never wanted to")
        if entry.id not in self._born[seat]:
            return  # somebody else's, or his own that has come back
        self._born[seat].discard(entry.id)
        if before.state in IN_GAME and entry.kind != RESIGNED:
            asked = self._petitioned.get((seat, match))
            hold(asked != before.game_number, f"seat {seat} plays on in a game that it has asked to resign")
        if before.state is State.REVEAL:
            acknowledged = self._granted[1 - seat, match] >= before.chain.seq
            is_invented = (
                self.liar is not None or self.noisy == 1 - seat
            )  # who invents entries can say that he has this
            hold(acknowledged or is_invented, f"seat {seat} opens its key before the end is acknowledged")

    def _heard(self, seat: int, match: bytes, text: str) -> None:
        raw = self.of(seat, match).heard[-1:]
        hold(raw and unseal_chat(raw[0], self.identities[1 - seat]).text == text, "a line is shown before it is kept")
        read = self._read[seat, match]
        hold(raw[0] not in read, f"seat {seat} is shown a line twice: {text}")
        read.append(raw[0])


@lru_cache(1_000)
def is_by(identity: bytes, note: bytes) -> bool:
    """Whether this identity has signed this line."""
    try:
        unseal_chat(note, identity)
    except Fault:
        return False
    return True
