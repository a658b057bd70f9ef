"""Cores with one mistake each, made from the source of the real one.

Law: a mutant is the real function with one piece of its text exchanged; it takes the place of the function in itself, so
that whoever calls it calls the mutant, and it is the real one again afterwards.
"""

import contextlib
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, SimpleNamespace
from typing import Final

from sm_p2p.log.codec import decode, encode
from sm_p2p.log.entry import MAX_ENTRY, read_envelope, seal
from sm_p2p.peer.desk import Desk
from sm_p2p.session.chat import Lane
from sm_p2p.session.halt import halt
from sm_p2p.session.holding import Holding
from sm_p2p.session.match import admit_read, advance
from sm_p2p.session.petitions import Petitions
from sm_p2p.session.session import Session
from sm_p2p.session.verdict import _contradiction, _is_signed, judge_read

HELPER: Final = "signed_anew"


@dataclass(frozen=True)
class Mutant:
    """A mistake: which piece of which function becomes what, and the sort of world in which it shows."""

    name: str
    where: object
    old: str
    new: str
    plot: str = "honest"


def signed_anew(session: Session, raw: bytes) -> bytes:
    """What somebody sends who has forgotten at what time he signed it first."""
    entry = read_envelope(raw)
    body = decode(entry.body, MAX_ENTRY)
    assert isinstance(body, tuple)
    if entry.author != session.seat or not entry.time_ms:
        return raw
    changed = SimpleNamespace(body=encode((*body[:6], entry.time_ms + 1, *body[7:])))
    return seal(changed, session._signer).raw  # type: ignore[arg-type]


SAYS = "[Store(entry.raw), mark, Tell(Advanced(before, entry, after)), _send(wire.Entries((entry.raw,)))]"
TAKES = "[Store(raw), *marks, Tell(Advanced(before, entry, after))]"
TAKEN = "yield from (taken := self._take(raw))"
KEY = "(state is State.REVEAL and self._holding.theirs < self.match.chain.seq)"
AGAIN = "self.entries[theirs : theirs + wire.MAX_ENTRIES]"
JUDGED = "for raw in beside.evidence"
PETITION = '[Keep(raw, "petition"), _send(wire.Petition(raw))]'
LINE = '[Keep(raw, "note"), Tell(Said(self.seat, text)), *map(_send, map(wire.Note, self._lane.fresh()))]'
HEARD = "[*shown, self._ack()]"
IDENTITY = "unseal(envelope, match.players[envelope.author].identity)"

MUTANTS: Final = (
    Mutant("an entry is sent before it is stored", Session._say, SAYS, f"{SAYS}[::-1]"),
    Mutant("an entry is sent before it is marked", Session._say, "mark, Tell(", "Tell("),
    Mutant("an entry is shown before it is stored", Session._take, TAKES, f"{TAKES}[::-1]"),
    Mutant(
        "an entry is acknowledged before it is stored",
        Session._take_all,
        TAKEN,
        "taken = self._take(raw); yield self._ack(); yield from taken",
    ),
    Mutant(
        "an entry is signed anew when it is sent again",
        Session._unacknowledged,
        AGAIN,
        f"[{HELPER}(self, raw) for raw in {AGAIN}]",
    ),
    Mutant("whoever likes may speak", advance, "entry.author != match.speaker", "False", "usurp"),
    Mutant(
        "two entries at one place are no matter",
        _contradiction,
        "ours = read",
        "return Nobodys()\n    ours = read",
        "twin",
    ),
    Mutant(
        "nobody has to show what he holds",
        inspect.getattr_static(Holding, "hindrance"),
        "not self.is_shown",
        "False",
        "yesterday",
    ),
    Mutant("nobody believes that there are more entries", Holding.claimed, "max(self._claimed, seq)", "0", "yesterday"),
    Mutant("the digest is not looked at", advance, "digest(after) != entry.digest", "False", "lie"),
    Mutant("a petition outlives its game", Session._append, "self._petitions.clear()", "pass", "moods"),
    Mutant("a petition is forgotten at a restart", Petitions.__init__, "_is_about(match, seat, own)", "False", "moods"),
    Mutant(
        "an entry of another match is an entry",
        judge_read,
        "envelope.match != match.chain.match",
        "False",
        "noise",
    ),
    Mutant(
        "the mark is forgotten at a restart", Desk.resume, "raws, self.mark, beside", "raws, None, beside", "yesterday"
    ),
    Mutant("what was not marked stays unmarked", Holding.unmarked, "return [self.mark]", "return []", "outages"),
    Mutant("a gap is no gap", judge_read, "envelope.seq > match.chain.seq + 1", "False"),
    Mutant("a stop is forgotten at a restart", Session.__init__, JUDGED, "for raw in ()", "lie"),
    Mutant("a key is opened before the end is known", Session._owed_event, KEY, "False"),
    Mutant("a line is shown as often as it comes", Lane.read, "said.number <= self.heard", "False"),
    Mutant("a line may overtake another", Lane.read, "said.number > self.heard + 1", "False"),
    Mutant("nothing is said twice", Session.tick, "self._reach.is_due(now)", "False", "outages"),
    Mutant("a signature is taken for granted", admit_read, IDENTITY, "envelope", "noise"),
    Mutant(
        "what a stranger signs is held against a player",
        _is_signed,
        "unseal(envelope, identity)",
        "pass",
        "noise",
    ),
    Mutant("proofs are not looked at", advance, "step(match, event, proofs)", "step(match, event, TRUSTED)", "cheat"),
    Mutant(
        "a mark comes before its entry", Session._say, "[Store(entry.raw), mark, Tell", "[mark, Store(entry.raw), Tell"
    ),
    Mutant("a petition is sent before it is kept", Session.resign, PETITION, f"{PETITION}[::-1]"),
    Mutant("a line is sent before it is kept", Session.say, LINE, f"{LINE}[::-1]"),
    Mutant("a line is acknowledged before it is kept", Session._noted, HEARD, "[self._ack(), *shown]"),
    Mutant(
        "the last entry is forgotten at a restart",
        Desk.resume,
        "for record in self._journal.records",
        "for record in self._journal.records[:-1]",
    ),
    Mutant("the wrong one is blamed", halt, "else envelope.author", "else 1 - envelope.author", "lie"),
)


def _function(found: object) -> FunctionType:
    if isinstance(found, property):
        found = found.fget
    assert isinstance(found, FunctionType)
    return found


def _mutated(mutant: Mutant) -> CodeType:
    """The code of the function with the mistake in it."""
    function = _function(mutant.where)
    source = textwrap.dedent(inspect.getsource(function))
    if source.count(mutant.old) != 1:
        raise AssertionError(f"{mutant.name}: {mutant.old!r} stands {source.count(mutant.old)} times in {function}")
    names: dict[str, object] = {}
    exec(compile(source.replace(mutant.old, mutant.new), mutant.name, "exec"), function.__globals__, names)  # noqa: S102
    return _function(names[function.__name__]).__code__


@contextlib.contextmanager
def made(mutant: Mutant) -> Iterator[None]:
    """Within it, the core has this mistake."""
    function = _function(mutant.where)
    real = function.__code__
    function.__globals__[HELPER] = signed_anew
    function.__code__ = _mutated(mutant)
    try:
        yield
    finally:
        function.__code__ = real
        del function.__globals__[HELPER]
