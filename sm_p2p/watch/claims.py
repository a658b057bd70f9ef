"""What is claimed beside a log: that the other player has abandoned the match (`protocol/session.md`, Claims).

Law: a claim is read from the notes that lie beside the log, never from the log, and counts for nothing. Notes that cannot
be read tell nothing.
"""

from pathlib import Path
from typing import NamedTuple

from sm_p2p.errors import Code, DiskTrouble, Fault
from sm_p2p.session.beside import Abandoned, unseal_claim
from sm_p2p.session.claims import check_claim
from sm_p2p.session.state import Match, SeatNumber
from sm_p2p.store.journal import read_journal
from sm_p2p.store.notes import NOTES, Kind, read_remark


class Claim(NamedTuple):
    """That seat claims that the other one has abandoned the match, having waited so many minutes."""

    by: SeatNumber
    minutes: int


def claim_beside(log: Path, match: Match) -> Claim | None:
    """The claim that stands where this log ends, after `match`; None if none does."""
    try:
        records = read_journal(log.with_suffix(".notes"), NOTES).records
    except DiskTrouble:
        return None
    last: dict[SeatNumber, Abandoned] = {}
    for record in records:
        try:
            remark = read_remark(record)
            if remark.kind is Kind.CLAIM:
                said = _signed(match, remark.content)
                last[said.author] = max(said, last.get(said.author, said), key=lambda one: one.number)
        except Fault:
            continue
    return next((Claim(said.author, said.minutes) for said in last.values() if _stands(match, said)), None)


def _signed(match: Match, raw: bytes) -> Abandoned:
    """What a claim says that is signed by the player whose seat it names; Fault."""
    for seat, player in enumerate(match.players):
        try:
            said = unseal_claim(raw, player.identity)
        except Fault:
            continue
        if said.author == seat:
            return said
    raise Fault(Code.BAD_CLAIM, "nobody at this table has signed it")


def _stands(match: Match, said: Abandoned) -> bool:
    try:
        check_claim(match, said)
    except Fault:
        return False
    return True
