"""The saved matches as a player sees them: with whom, how it stands, and whether it can be gone on with.

Law: one broken file never breaks the list. What is told about a match was replayed from its log; scores that cost a
replay are remembered beside the logs, which is never worth an error.
"""

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.errors import Code, DiskTrouble, Fault, Sentence, SpiteError, UsageError
from sm_p2p.log.entry import read_envelope
from sm_p2p.rules.parts import Outcome
from sm_p2p.rules.reasons import Misread
from sm_p2p.session.beside import unseal_claim
from sm_p2p.session.glance import Glance, glance
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match, SeatNumber
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.session.verdict import Broken, judge
from sm_p2p.store.files import disk, replace_file
from sm_p2p.store.journal import read_journal
from sm_p2p.store.keys import Identity, load_secret
from sm_p2p.store.marks import read_mark
from sm_p2p.store.matches import Saved, saved_matches
from sm_p2p.store.notes import NOTES, Kind, read_remark
from sm_p2p.store.places import Places
from sm_p2p.store.removal import belongings, size_of
from sm_p2p.watch.replay import UNPROVED

SHORT: Final = 8  # digits of an id that are shown at least
ID_BYTES: Final = 32
_MOST_BYTES: Final = 4 * 1024 * 1024  # of the remembered scores


class State(StrEnum):
    """How a saved match stands."""

    UNFINISHED = "unfinished"
    CLAIMED = "claimed"  # unfinished, and we have signed that the other side has abandoned it
    UNOPENED = "unopened"  # decided, but a last key has not come
    FINISHED = "finished"
    INCOMPLETE = "incomplete"  # not over, and it cannot be gone on with here
    STOPPED = "stopped"  # somebody has broken the protocol
    DAMAGED = "damaged"  # the file, or what stands in it


@dataclass(frozen=True, slots=True)
class Shelved:
    """One saved match; `opponent` and `score` (ours first) as we see it, or both names and the host first if it is not ours.

    `match` is empty and `score` is None where the file does not tell; `problem` is a sentence about what is the matter.
    """

    path: Path
    match: bytes
    changed: float
    entries: int
    size: int
    state: State
    opponent: str = ""
    identity: bytes = b""  # of the opponent
    variant: str = ""
    score: tuple[int, int] | None = None
    problem: str | None = None
    seat: SeatNumber | None = None  # ours
    checked: int = 0  # entries whose proofs were checked here
    outcomes: tuple[Outcome, ...] = ()  # of the games that are over, by the seats of the log

    @property
    def is_waiting(self) -> bool:
        """Whether it is offered to be gone on with."""
        return self.state in {State.UNFINISHED, State.CLAIMED}


class _Told(NamedTuple):
    """What the entries of a log tell."""

    glance: Glance
    head: bytes
    outcomes: tuple[Outcome, ...]
    is_decided: bool
    checked: int

    @property
    def score(self) -> tuple[int, int]:
        """The points of both seats."""
        first, second = (sum(one.points for one in self.outcomes if one.winner == seat) for seat in (0, 1))
        return first, second


def shelf(places: Places) -> tuple[Shelved, ...]:
    """Everything that is saved here, the latest first; DiskTrouble if the directory cannot be read."""
    scores = _Scores(places)
    saved = saved_matches(places.data, scores.tell)
    scores.keep()
    ours = _ours(places)
    return tuple(_shelved(places, ours, one) for one in saved)


def waiting(places: Places, found: Sequence[Shelved], *, with_computer: bool) -> tuple[Shelved, ...]:
    """Those that are offered: against the computer of this home, or against everybody else."""
    computer = identity_of_computer(places)
    return tuple(one for one in found if one.is_waiting and (one.identity == computer) == with_computer)


def identity_of_computer(places: Places) -> bytes:
    """Who the computer of this home is; empty if it has never played."""
    return _ours(places.computer)


def find(found: Sequence[Shelved], text: str) -> Shelved:
    """The one that is meant by the beginning of its id, or by its path; UsageError if that is none, or more than one."""
    path = Path(text).absolute()
    same = [one for one in found if text and one.path.absolute() == path]
    digits = text.lower()
    meant = same or [one for one in found if digits and one.match.hex().startswith(digits) and _bears_its_name(one)]
    if not meant:
        raise UsageError("No saved match is called {text}; see them with: sm-p2p matches", text=f"{text!r:.80}")
    if len(meant) > 1:
        raise UsageError("{text} begins the names of {n} saved matches; write more of it.", text=text, n=len(meant))
    return meant[0]


def names(found: Sequence[Shelved]) -> tuple[str, ...]:
    """What each of them is called: so much of its id that no other one begins so, else the name of its file."""
    ids = sorted(one.match.hex() for one in found if _bears_its_name(one))
    length = SHORT
    for one, other in pairwise(ids):
        while one[:length] == other[:length]:
            length += 1
    return tuple(one.match.hex()[:length] if _bears_its_name(one) else one.path.name for one in found)


def _bears_its_name(one: Shelved) -> bool:
    return one.path.stem == one.match.hex()


def _ours(places: Places) -> bytes:
    """Who plays in this home; empty if nobody does, or his key cannot be read."""
    try:
        return Identity(load_secret(places.identity)).identity if places.identity.exists() else b""
    except SpiteError:
        return b""


def _shelved(places: Places, ours: bytes, saved: Saved[_Told]) -> Shelved:
    match = saved.match or _id_in(saved.path)
    is_named = saved.path == places.log(match)
    size = size_of(belongings(places, match)) if is_named else size_of((saved.path,))
    bare = Shelved(saved.path, match, saved.changed, saved.entries, size, State.DAMAGED, problem=saved.problem)
    told = saved.about
    if told is None:
        return bare
    seats = told.glance.identities
    seat = seats.index(ours) if ours in seats else None
    state, problem = State.DAMAGED, saved.problem
    if saved.verdict in {None, Code.TORN_TAIL}:
        state, problem = _state(places, saved, told, ours if is_named and seat is not None else b"")
    called = [clean(name, NAME_LENGTH) for name in told.glance.names]
    opponent, identity = " – ".join(called), b""
    if seat is not None:
        opponent, identity = (called[1 - seat], seats[1 - seat]) if len(seats) == 2 else ("", b"")
    score = told.score[::-1] if seat == 1 else told.score
    return Shelved(
        saved.path,
        match,
        saved.changed,
        saved.entries,
        size,
        state,
        opponent,
        identity,
        told.glance.variant,
        (score[0], score[1]),
        problem,
        seat,
        told.checked,
        told.outcomes,
    )


def _state(places: Places, saved: Saved[_Told], told: _Told, ours: bytes) -> tuple[State, str | None]:
    """How a match stands whose file is good, and why it cannot be gone on with; `ours` is empty if it is none of ours."""
    if told.glance.is_over:
        return State.FINISHED, None
    if len(told.glance.identities) < 2:
        return State.INCOMPLETE, Sentence("Nobody has joined this match.")
    if not ours:
        return State.INCOMPLETE, Sentence("This is a match of others, or a copy of one; it can be looked at.")
    if not places.secret(saved.match).exists():
        return State.INCOMPLETE, Sentence(
            "The secret of this match is lost; it can be looked at, and not be gone on with."
        )
    evidence, claim = _notes(places, saved.match)
    if evidence and _has_stopped(places, saved.path, evidence):
        return State.STOPPED, Sentence("This match has stopped: what was received is kept beside it.")
    if told.is_decided:
        return State.UNOPENED, None
    return (State.CLAIMED if _stands(claim, ours, saved.entries, told.head) else State.UNFINISHED), None


def _notes(places: Places, match: bytes) -> tuple[list[bytes], bytes]:
    """The evidence in the notes of a match, and the last claim."""
    evidence, claim = [], b""
    try:
        records = read_journal(places.notes(match), NOTES).records if places.notes(match).exists() else ()
    except DiskTrouble:
        records = ()
    for record in records:
        with contextlib.suppress(Fault):
            remark = read_remark(record)
            if remark.kind is Kind.EVIDENCE:
                evidence.append(remark.content)
            elif remark.kind is Kind.CLAIM:
                claim = remark.content
    return evidence, claim


def _stands(claim: bytes, ours: bytes, entries: int, head: bytes) -> bool:
    """Whether we claim that the other side has abandoned the match where the log ends."""
    try:
        said = unseal_claim(claim, ours) if claim else None
    except Fault:
        return False
    return said is not None and not said.is_withdrawn and (said.at_seq, said.head) == (entries, head)


def _has_stopped(places: Places, path: Path, evidence: Sequence[bytes]) -> bool:
    """Whether one of these entries proves that somebody has broken the protocol."""
    raws = [record.payload for record in read_journal(path).records]
    ids = [bytes(read_envelope(raw).id) for raw in raws]
    match = _replayed(places, raws)
    return any(isinstance(judge(match, raws, ids, raw), Broken) for raw in evidence)


def _replayed(places: Places, raws: Sequence[bytes]) -> Match:
    """The match of these entries, the proofs not looked at; Fault if they tell none."""
    match, checked = Match(), _checked(places, raws)
    for at, raw in enumerate(raws, 1):
        match = advance(match, admit(match, raw), TRUSTED if at <= checked else UNPROVED)
    return match


def _checked(places: Places, raws: Sequence[bytes]) -> int:
    """How many of these entries this client has checked, as a player or afterwards; the points in them are points."""
    match = bytes(read_envelope(raws[0]).id)
    return max(_marked(path, raws) for path in (places.signed(match), places.checked(match)))


def _marked(path: Path, raws: Sequence[bytes]) -> int:
    """How far this mark reaches into these entries; not at all if it is of another chain."""
    try:
        mark = read_mark(path)
    except SpiteError:
        return 0
    is_theirs = mark is not None and 0 < mark.seq <= len(raws) and read_envelope(raws[mark.seq - 1]).id == mark.head
    return mark.seq if mark is not None and is_theirs else 0


def _id_in(path: Path) -> bytes:
    """The id that a file bears in its name, if it does."""
    try:
        found = bytes.fromhex(path.stem)
    except ValueError:
        return b""
    return found if len(found) == ID_BYTES and found.hex() == path.stem else b""


class _Scores:
    """The outcomes of games that were found before, by the heads of their logs."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._path = places.data / "scores"
        self._known = self._read()
        self._found: dict[str, tuple[tuple[str, ...], bool]] = {}

    def tell(self, raws: tuple[bytes, ...]) -> _Told:
        """What these entries tell; Fault if that is no match."""
        seen, head = glance(raws), bytes(read_envelope(raws[-1]).id)
        known = self._known.get(head.hex())
        if known is None:
            match = _replayed(self._places, raws)
            known = tuple(map(str, match.outcomes)), match.is_over
        self._found[head.hex()] = known
        outcomes, is_decided = known
        return _Told(seen, head, tuple(map(Outcome.parse, outcomes)), is_decided, _checked(self._places, raws))

    def keep(self) -> None:
        """Remember them, if there are others than before and the disk has room."""
        if self._found != self._known:
            with contextlib.suppress(DiskTrouble), disk(self._path):
                replace_file(self._path, json.dumps(self._found).encode())

    def _read(self) -> dict[str, tuple[tuple[str, ...], bool]]:
        known: dict[str, tuple[tuple[str, ...], bool]] = {}
        try:
            with self._path.open("rb") as file:
                value: object = json.loads(file.read(_MOST_BYTES))
        except (OSError, ValueError, RecursionError):
            return known
        for head, one in value.items() if isinstance(value, dict) else ():
            match head, one:
                case str(), [list(outcomes), bool(is_decided)]:
                    with contextlib.suppress(Misread):
                        known[head] = tuple(str(Outcome.parse(str(one))) for one in outcomes), is_decided
                case _:
                    pass
        return known
