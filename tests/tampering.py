"""A log with something changed in it, and what may be said about it.

Law: whatever was changed, the answer has a name; what is shown is a beginning of the match that was played and never
another table; and no proof is looked at but those of the entries before the change, which are the same as ever.
"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from scripts.making.recorder import as_log
from sm_p2p.deck.group import Point
from sm_p2p.deck.masking import Deck, MaskedCard
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import Fault, JournalDamaged, sure
from sm_p2p.session.events import Key, Shares, Shuffle
from sm_p2p.session.proofs import CHECKED
from sm_p2p.session.state import Match
from sm_p2p.store.records import HEAD_BYTES, LOG, MAGIC_BYTES, PASSED_OVER, pack_record, read_records
from sm_p2p.watch.replay import read_recording, steps
from sm_p2p.watch.report import Standing
from sm_p2p.watch.verify import verify_file

T = TypeVar("T")
PREFIX: Final = {Standing.INCOMPLETE, Standing.UNOPENED}
NAMED: Final = set(Standing) - PREFIX - {Standing.COMPLETE, Standing.UNREADABLE}


@dataclass
class Memory:
    """Proofs that were checked once; when `is_sealed`, one that was not is a failure of the test."""

    known: dict[object, object] = field(default_factory=dict)
    is_sealed: bool = False

    def key(self, place: Context, key: Key) -> Point:
        """The public key."""
        return self._of((place, key), partial(CHECKED.key, place, key))

    def shares(self, place: Context, owner: Point, cards: Sequence[MaskedCard], shares: Shares) -> tuple[Point, ...]:
        """One decryption share for each card."""
        return self._of((place, shares), partial(CHECKED.shares, place, owner, cards, shares))

    def shuffle(self, place: Context, joint: Point, before: Deck, shuffle: Shuffle) -> Deck:
        """The deck after the shuffle."""
        return self._of((place, shuffle), partial(CHECKED.shuffle, place, joint, before, shuffle))

    def opens(self, masked: MaskedCard, given: tuple[Point, Point], card: int) -> bool:
        """Whether both shares open the masked card as the one that was announced."""
        return CHECKED.opens(masked, given, card)

    def _of(self, asked: object, check: Callable[[], T]) -> T:
        if asked not in self.known:
            assert not self.is_sealed, "a proof of something that was changed is looked at"
            self.known[asked] = check()
        return self.known[asked]  # type: ignore[return-value] # what was asked for tells what is known


class Honest:
    """A match as it was played: its file, and the match after each entry."""

    def __init__(self, raws: Sequence[bytes]) -> None:
        self.raw = as_log(raws)
        self.records = read_records(self.raw, LOG).records
        self.ends = (MAGIC_BYTES, *(record.offset for record in self.records[1:]), len(self.raw))
        self.memory = Memory()
        self.matches: list[Match] = [Match(), *(step.after for step in steps(raws, self.memory))]
        self.memory.is_sealed = True

    def entries_before(self, place: int) -> int:
        """How many entries end before this byte."""
        return sum(end <= place for end in self.ends[1:])

    def flipped(self, place: int, mask: int) -> bytes:
        """The file with these bits of one byte changed."""
        raw = bytearray(self.raw)
        raw[place] ^= mask
        return bytes(raw)

    def mended(self, place: int, mask: int) -> bytes | None:
        """The same with the checksum of the record made right; None where no record is left whose checksum that could be."""
        if place < MAGIC_BYTES:
            return None
        raw = bytearray(self.flipped(place, mask))
        record = self.records[self.entries_before(place)]
        length = int.from_bytes(raw[record.offset : record.offset + 4])
        payload = bytes(raw[record.offset + HEAD_BYTES : record.offset + HEAD_BYTES + length])
        is_checksum = record.offset + 4 <= place < record.offset + HEAD_BYTES
        if is_checksum or not payload or len(payload) != length or length > 0xFFFF:
            return None
        raw[record.offset : record.offset + HEAD_BYTES + length] = pack_record(payload[0], payload[1:])
        return bytes(raw)

    def read(self, raw: bytes, place: int) -> None:
        """AssertionError unless the file, whose checksums tell what was changed, is read up to there and no further."""
        reading = read_records(raw, LOG)
        count = self.entries_before(place)
        assert reading.records == self.records[:count], place
        assert reading.verdict is not None or raw == self.raw[:place], place

    def look(self, path: Path, raw: bytes, place: int) -> None:
        """AssertionError unless what is said of these bytes, which differ from `place` on, is as the law wants it."""
        path.write_bytes(raw)
        report = verify_file(path, proofs=self.memory)
        count = report.counts.entries
        assert count == self.entries_before(place), (place, report)
        assert report.head == self.matches[count].chain.head
        is_prefix = report.standing in PREFIX and self._is_cut_between(raw, place)
        assert report.standing in NAMED or is_prefix, (place, report)
        if report.standing is not Standing.TORN and not is_prefix:
            assert sure(report.flaw).code is not None, (place, report)
            assert sure(report.flaw).sentence or sure(report.flaw).code, (place, report)

    def look_at_table(self, path: Path, count: int) -> None:
        """AssertionError unless a replay of this file shows the honest match up to so many entries, and no more."""
        shown = Match()
        with contextlib.suppress(Fault, JournalDamaged):
            for step in read_recording(path).steps(self.memory):
                shown = step.after
        assert shown.chain.seq == count
        assert shown == self.matches[count]

    def _is_cut_between(self, raw: bytes, place: int) -> bool:
        """Whether the file simply ends after an entry, or its last record is one that readers pass over."""
        last = self.records[-1].offset
        return raw == self.raw[:place] or (place == last + HEAD_BYTES and raw[place] >= PASSED_OVER)
