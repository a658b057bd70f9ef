"""What is said when a match stops: to the player, and in the refusal to the other side.

Law: a disagreement is held against nobody; it shows our sections of the table, so that both sides can name what differs.
"""

from sm_p2p.errors import Code, Fault
from sm_p2p.log.entry import Envelope
from sm_p2p.session.digest import section_hashes
from sm_p2p.session.effects import Stopped
from sm_p2p.session.events import event_of
from sm_p2p.session.match import step
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match
from sm_p2p.session.verdict import BLAMELESS
from sm_p2p.session.wire import Reject


def halt(match: Match, fault: Fault, envelope: Envelope) -> tuple[Stopped, Reject]:
    """Both, about an entry that cannot follow this match because of this fault."""
    sections: tuple[bytes, ...] = ()
    if fault.code is Code.DIGEST_DIFFERS:
        sections = section_hashes(step(match, event_of(envelope.kind, envelope.data), TRUSTED))
    guilty = None if fault.code in BLAMELESS else envelope.author
    return Stopped(fault.code, envelope.seq, guilty, fault.sentence), Reject(fault.code, envelope.seq, sections)
