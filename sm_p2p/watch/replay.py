"""A file as a spectator sees it: the match before and after each entry, from the first one on.

Law: the file is only read. Signatures, chain, rules and digests are checked at every step; the proofs too, unless the
caller asks for `UNPROVED`. Whatever the bytes are, what is raised is a `SpiteError`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.deck.group import Point, decode_point, split
from sm_p2p.deck.masking import Deck, MaskedCard, decode_deck
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import Code, Fault, JournalDamaged
from sm_p2p.log.entry import Entry
from sm_p2p.session.events import Event, Key, Shares, Shuffle, event_of
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import CHECKED, TRUSTED, Proofs
from sm_p2p.session.state import Match
from sm_p2p.store.journal import read_journal
from sm_p2p.store.records import Reading

START: Final = Match()


class Step(NamedTuple):
    """One entry, with the match before and after it."""

    before: Match
    entry: Entry
    after: Match

    @property
    def event(self) -> Event:
        """What the entry says."""
        return event_of(self.entry.kind, self.entry.data)


@dataclass(frozen=True, slots=True)
class Recording:
    """The entries of a file up to its end or to its first bad place, as bytes that nobody has checked yet.

    `ending` is None for a whole file, else why the rest cannot be read: `torn-tail`, `damaged-file` or `other-version`;
    `sentence` says it to a person.
    """

    raws: tuple[bytes, ...]
    ending: Code | None = None
    sentence: str = ""

    @property
    def is_torn(self) -> bool:
        """Whether the last entry was not written to its end, which is nobody's fault."""
        return self.ending is Code.TORN_TAIL

    def steps(self, proofs: Proofs = CHECKED) -> Iterator[Step]:
        """Each entry in order. Raises Fault at the first wrong one, JournalDamaged behind the last before a bad place.

        A file that ends early, also in the middle of an entry, just has fewer steps.
        """
        at = 0
        try:
            for step in steps(self.raws, proofs):
                at = step.after.chain.seq
                yield step
        except Fault as fault:
            raise Fault(fault.code, "entry {seq}: {why}", seq=at + 1, why=fault.sentence or fault.code) from fault
        if self.ending is not None and not self.is_torn:
            raise JournalDamaged(self.ending, self.sentence)


def read_recording(path: Path) -> Recording:
    """The recording in this file. Raises JournalDamaged if it is no log or of another version, DiskTrouble."""
    reading = read_journal(path)
    if not reading.end:
        raise JournalDamaged(code_of_file(reading), "{path}: {sentence}", path=path, sentence=reading.sentence)
    return Recording(tuple(record.payload for record in reading.records), reading.verdict, reading.sentence)


def code_of_file(reading: Reading) -> Code:
    """What is the matter with a file in which not even the first eight bytes are good; a piece of them is no log."""
    return Code.OTHER_VERSION if reading.verdict is Code.OTHER_VERSION else Code.NO_JOURNAL


def steps(raws: Iterable[bytes], proofs: Proofs = CHECKED, start: Match = START) -> Iterator[Step]:
    """Each of these entries with the match before and after it, from this one on; Fault at the first that is wrong."""
    match = start
    for raw in raws:
        entry = admit(match, raw)
        after = advance(match, entry, proofs)
        yield Step(match, entry, after)
        match = after


class _Unproved:
    """Points are points and cards open to cards, but whether the right ones, nobody has asked."""

    def key(self, _place: Context, key: Key) -> Point:
        return decode_point(key.point)

    def shares(self, _place: Context, _owner: Point, cards: Sequence[MaskedCard], shares: Shares) -> tuple[Point, ...]:
        return tuple(map(decode_point, split(shares.points, len(cards))))

    def shuffle(self, _place: Context, _joint: Point, before: Deck, shuffle: Shuffle) -> Deck:
        return decode_deck(shuffle.deck, len(before))

    def opens(self, masked: MaskedCard, given: tuple[Point, Point], card: int) -> bool:
        return CHECKED.opens(masked, given, card)


class _Glanced:
    """Keys are looked at, and cards that come to lie open unannounced; the rest is bytes of the right length.

    Whether an announced card is the one that its shares open says nothing as long as nobody has asked for their proof.
    """

    def key(self, _place: Context, key: Key) -> Point:
        return decode_point(key.point)

    def shares(self, place: Context, owner: Point, cards: Sequence[MaskedCard], shares: Shares) -> tuple[Point, ...]:
        return TRUSTED.shares(place, owner, cards, shares)

    def shuffle(self, place: Context, joint: Point, before: Deck, shuffle: Shuffle) -> Deck:
        return TRUSTED.shuffle(place, joint, before, shuffle)

    def opens(self, _masked: MaskedCard, _given: tuple[Point, Point], _card: int) -> bool:
        return True


GLANCED: Final[Proofs] = _Glanced()
"""For a first look by whoever checks everything behind it. As safe on foreign bytes as `UNPROVED`, and many times as fast."""
UNPROVED: Final[Proofs] = _Unproved()
"""Much faster than CHECKED, and as safe to run on foreign bytes; but a game of two cheats looks like any other."""
