"""What two players have said to each other, out of the notes that one of them keeps beside the log.

Law: the notes are read only if somebody asks; a note that neither player has signed is passed over.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sm_p2p.errors import Fault
from sm_p2p.session.beside import Chat, unseal_chat
from sm_p2p.session.state import Match, SeatNumber
from sm_p2p.store.journal import read_journal
from sm_p2p.store.notes import NOTES, Kind, read_remark


class Spoken(NamedTuple):
    """A line of chat: how many entries the log had when it was written down here, who said it, and the text."""

    at: int
    seat: SeatNumber
    text: str


def read_chat(path: Path, match: Match) -> Iterator[Spoken]:
    """Every line in these notes of a match with two players, in the order in which it was written down; DiskTrouble."""
    last = 0
    for record in read_journal(path, NOTES).records:
        try:
            remark = read_remark(record)
            said = _said(remark.content, match) if remark.kind is Kind.NOTE else None
        except Fault:
            continue
        if said is not None:
            last = max(last, remark.seq)
            yield Spoken(last, said.author, said.text)


def _said(raw: bytes, match: Match) -> Chat | None:
    """What a note says, if a player of this match has signed it."""
    for seat, player in enumerate(match.players):
        try:
            said = unseal_chat(raw, player.identity)
        except Fault:
            continue
        if (said.match, said.author) == (match.chain.match, seat):
            return said
    return None
