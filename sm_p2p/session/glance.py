"""A quick look at a log: who plays what, and whether it is over, with nothing verified."""

from collections.abc import Sequence
from dataclasses import dataclass

from sm_p2p.errors import Code, Fault
from sm_p2p.log.entry import read_envelope
from sm_p2p.session.events import Joined, Opened, Revealed, event_of


@dataclass(frozen=True, slots=True)
class Glance:
    """What the ends of a log say; `identities` and `names` by seat, one while nobody has joined."""

    names: tuple[str, ...]
    identities: tuple[bytes, ...]
    variant: str
    is_over: bool


def glance(entries: Sequence[bytes]) -> Glance:
    """The look at a log of at least one entry; Fault if its first two or last two entries cannot be read."""
    first = _event(entries[0])
    if not isinstance(first, Opened):
        raise Fault(Code.BAD_SHAPE, "entry 1 opens no match")
    sitting: list[Opened | Joined] = [first]
    if len(entries) > 1:
        second = _event(entries[1])
        if not isinstance(second, Joined):
            raise Fault(Code.BAD_SHAPE, "entry 2 joins no match")
        sitting.append(second)
    last = [_event(raw) for raw in entries[-2:]]
    is_over = len(entries) > 3 and all(isinstance(event, Revealed) and not event.key.point for event in last)
    names, identities = tuple(one.name for one in sitting), tuple(one.identity for one in sitting)
    return Glance(names, identities, first.variant, is_over)


def _event(raw: bytes) -> object:
    envelope = read_envelope(raw)
    return event_of(envelope.kind, envelope.data)
