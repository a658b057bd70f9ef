"""The side lane: numbered, signed notes between the two players, each shown once and never part of the chain."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sm_p2p.errors import Fault
from sm_p2p.log.signature import Signer
from sm_p2p.session.beside import Chat, number_of, seal_chat, unseal_chat
from sm_p2p.session.state import Match, SeatNumber

UNDER_WAY: Final = (
    8  # notes that were not acknowledged; more would not be listened to, and spend the other side's patience
)
MOST_NOTES: Final = 1_000_000  # what no chat comes to: a larger number is made up


@dataclass(frozen=True, slots=True)
class Beside:
    """What the notes of a match hold when a session goes on.

    Our sealed notes, how many of the other side's were shown, our last petition and the number of it, our last claim and
    the number of it, and the entries that were kept because something is wrong with them.
    """

    notes: tuple[bytes, ...] = ()
    heard: int = 0
    petition: bytes = b""
    petitions: int = 0
    evidence: tuple[bytes, ...] = ()
    claim: bytes = b""
    claims: int = 0


class Lane:
    """Our notes, those of them that arrived, and how many of the other side's were shown."""

    def __init__(self, seat: SeatNumber, notes: Sequence[bytes], heard: int) -> None:
        self.heard = heard
        self._seat = seat
        self._notes = {number_of(note): note for note in notes}
        self._arrived = 0
        self._sent = 0  # the last one that was sent
        self._is_known = False  # whether the other side has said on this connection how many it has shown

    def again(self) -> tuple[bytes, ...]:
        """The next notes of ours that the other side is not known to have."""
        return self._under_way(self._arrived)

    def fresh(self) -> tuple[bytes, ...]:
        """Those of them that were not sent yet."""
        return self._under_way(max(self._arrived, self._sent))

    def _under_way(self, seen: int) -> tuple[bytes, ...]:
        """The notes behind this number that may be under way now."""
        numbers = [*islice((number for number in self._notes if number > self._arrived), UNDER_WAY)]
        self._sent = max(self._sent, *numbers, 0)
        return tuple(self._notes[number] for number in numbers if number > seen)

    def write(self, match: Match, text: str, signer: Signer) -> bytes:
        """The next note of ours, sealed."""
        number = max(self._arrived, *self._notes, 0) + 1
        note = seal_chat(Chat(match.chain.match, self._seat, number, match.chain.seq, text), signer)
        self._notes[number] = note
        return note

    def connected(self) -> None:
        """A new connection: whoever is at its other end may have lost what he had shown."""
        self._is_known = False

    def arrived(self, count: int) -> bool:
        """The other side has shown so many of our notes; also more than are here, if it is us who have lost some.

        Whether that are more than before.
        """
        before, shown = self._arrived, count if count <= MOST_NOTES else max(self._notes, default=0)
        self._arrived = max(before, shown) if self._is_known else shown
        self._is_known = True
        return self._arrived > before

    def read(self, match: Match, raw: bytes) -> tuple[Chat | None, bool]:
        """What a note of the other side says if it is the next one, and whether it has to be acknowledged."""
        if len(match.players) < 2:
            return None, False
        try:
            said = unseal_chat(raw, match.players[1 - self._seat].identity)
        except Fault:
            return None, False
        if (said.match, said.author) != (match.chain.match, 1 - self._seat) or said.number > self.heard + 1:
            return None, False
        if said.number <= self.heard:
            return None, True
        self.heard += 1
        return said, True
