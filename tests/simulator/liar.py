"""A side that does not keep to the protocol: what it says instead, or beside, and what the honest side has to find.

Law: whatever is signed wrongly here is signed with the liar's own key; only that seat is ever to blame.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from session.cheat import drafted, sealed

from sm_p2p.errors import Code
from sm_p2p.log.codec import encode
from sm_p2p.log.entry import Draft, read_envelope
from sm_p2p.log.signature import Signer
from sm_p2p.session import wire
from sm_p2p.session.beside import Resignation, seal_resignation
from sm_p2p.session.effects import Advanced
from sm_p2p.session.events import Ancillary, Answered, Event, Moved, Resigned, Shares, Shuffle, event_of
from sm_p2p.session.state import IN_GAME, Match, State

ANSWERS: Final = (State.SHUFFLE, State.SHOW, State.ANSWER)
NOTHING: Final = Answered(Shuffle(), Shares())


def _say(code: Code, event: Event) -> tuple[Code, Event, Mapping[str, object]]:
    return code, event, {}


def _lies(before: Match, event: Event) -> list[tuple[Code, Event, Mapping[str, object]]]:
    """What could be said here instead, each with the fault that it is."""
    lies: list[tuple[Code, Event, Mapping[str, object]]] = [
        (Code.DIGEST_DIFFERS, event, {"digest": bytes(8)}),
        (Code.BAD_SHAPE, event, {"data": ()}),
        (Code.UNKNOWN_KIND, event, {"kind": 99}),
    ]
    if isinstance(event, Answered):
        lies += [_say(Code.NOT_DUE, NOTHING), (Code.BAD_TIME, event, {"time_ms": 1})]
    if before.state in IN_GAME:
        lies.append(_say(Code.BAD_PETITION, Resigned(b"no petition")))
    if before.state is State.TURN:
        lies += [
            _say(Code.ILLEGAL_MOVE, Moved("h9-c1", None, Shares(), Shuffle())),
            _say(Code.WRONG_EVENT, NOTHING),
            _say(Code.TOO_LARGE, Ancillary(200, (bytes(1_100),))),
        ]
    return lies


def _cheats(event: Event) -> list[tuple[Code, Event, Mapping[str, object]]]:
    """What could be said about the cards instead, with proofs that do not prove it."""
    lies: list[tuple[Code, Event, Mapping[str, object]]] = []
    if isinstance(event, Answered | Moved) and event.shares.points:
        lies.append(_say(Code.BAD_SHARE_PROOF, replace(event, shares=Shares(event.shares.points, bytes(64)))))
    if isinstance(event, Answered) and event.shuffle.proof:
        proof = event.shuffle.proof
        wrong = Shuffle(event.shuffle.deck, proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:])
        lies.append(_say(Code.BAD_SHUFFLE_PROOF, replace(event, shuffle=wrong)))
    return lies


@dataclass(slots=True)
class Liar:
    """One of the two, from entry `since` on: `how` he lies, the `codes` that it may be called, and the proof of it.

    lie      another entry takes the place of his own
    cheat    so does one with a false proof
    twin     two entries at one place
    usurp    an entry where the other one is to speak
    dangle   an entry behind one that nobody has seen, and then that one
    """

    seat: int
    how: str
    since: int
    pen: Signer
    dice: random.Random
    codes: tuple[Code, ...] = ()
    proof: bytes = b""
    beside: list[bytes] = field(default_factory=list)  # entries that are said again and again
    _instead: dict[bytes, bytes] = field(default_factory=dict)

    def saw(self, what: Advanced) -> None:
        """An entry of the match as his own program plays it; when it is time, the lie is made."""
        if self.codes or what.entry.seq < self.since or what.before.state in {State.OPEN, State.JOIN}:
            return
        is_own = what.entry.author == self.seat
        if self.how == "usurp" and what.after.speaker == 1 - self.seat:
            self._usurp(what.after)
        elif is_own and self.how in {"lie", "cheat"}:
            event = event_of(what.entry.kind, what.entry.data)
            lies = _lies(what.before, event) if self.how == "lie" else _cheats(event)
            if lies:
                code, wrong, changes = self.dice.choice(lies)
                self.codes = (code,)
                self.proof = sealed(drafted(what.before, wrong, **changes), self.pen)
                self._instead[what.entry.raw] = self.proof
        elif is_own and self.how in {"twin", "dangle"}:
            self._fork(what)

    def _usurp(self, after: Match) -> None:
        self.codes = (Code.WRONG_AUTHOR,)
        self.proof = sealed(drafted(after, Resigned(), author=self.seat), self.pen)
        self.beside.append(self.proof)

    def _fork(self, what: Advanced) -> None:
        """Another entry after the same one, and perhaps one behind it."""
        event = event_of(what.entry.kind, what.entry.data)
        twin = sealed(drafted(what.before, event, digest=bytes(8)), self.pen)
        self.codes = (Code.EQUIVOCATION, Code.DIGEST_DIFFERS)
        self.proof = twin
        self.beside.append(twin)
        if self.how == "dangle":
            self.codes = (Code.EQUIVOCATION, Code.DIGEST_DIFFERS)
            prev = read_envelope(twin).id
            behind = Draft(what.entry.match, what.entry.seq + 1, bytes(prev), self.seat, 6, 0, (b"",), bytes(8))
            self.beside.insert(0, sealed(behind, self.pen))

    def says(self, frame: bytes) -> list[bytes]:
        """What leaves his machine instead of this frame."""
        said = wire.read_frame(frame)
        if not isinstance(said, wire.Entries) or not self.codes:
            return [frame]
        frames = [wire.write_frame(wire.Entries(tuple(self._instead.get(raw, raw) for raw in said.raws)))]
        if self.beside and self.dice.random() < 0.5:
            frames.insert(self.dice.randrange(2), self.aside())
        return frames

    def aside(self) -> bytes:
        """One of the entries that he says beside his own."""
        return wire.write_frame(wire.Entries((self.dice.choice(self.beside),)))


def boast(dice: random.Random, match: Match, seat: int, signer: Signer) -> bytes:
    """A frame of this seat that shows what it does not hold: more than there is, or something else."""
    chain = match.chain
    role = ("host", "guest")[seat]
    seq = max(1, chain.seq + dice.choice([-2, 0, 1, 5, 1_000]))
    if dice.random() < 0.5:
        return wire.write_frame(wire.Ack(seq, bytes(32), 0))
    return wire.write_frame(
        wire.Hello(1, 1, "", role, signer.identity, b"", "", chain.match or bytes(32), seq, bytes(32))
    )


def noise(dice: random.Random, match: Match, seat: int, pens: Sequence[Signer], elsewhere: Sequence[bytes]) -> bytes:
    """A frame of this seat that must do nothing: of another match, forged, damaged, or about nothing."""
    chain = match.chain
    kind = dice.randrange(5 if match.state in IN_GAME else 3)
    match kind:
        case 0:
            return dice.choice(elsewhere)
        case 1:
            return bytes([dice.randrange(256)]) * dice.randrange(40)
        case 2:
            return wire.write_frame(wire.Reject("nonsense", chain.seq)) + b"\0"
        case 3:
            return wire.write_frame(wire.Petition(_unfit(dice, match, seat, pens)))
        case _:
            return wire.write_frame(wire.Entries((_forged(dice, match, seat, pens),)))


def _unfit(dice: random.Random, match: Match, seat: int, pens: Sequence[Signer]) -> bytes:
    """A petition that cannot be adopted."""
    chain, signer = match.chain, pens[seat]
    said = Resignation(chain.match, match.game_number, seat, 1, chain.seq, chain.head)
    match dice.randrange(6):
        case 0:
            return seal_resignation(said, pens[2])
        case 1:
            return seal_resignation(replace(said, game=said.game + 1), signer)
        case 2:
            return seal_resignation(replace(said, head=bytes(32)), signer)
        case 3:
            return seal_resignation(replace(said, number=0), signer)
        case 4:
            return seal_resignation(replace(said, author=1 - seat), signer)
        case _:
            return encode((b"petition", bytes(64)))


def _forged(dice: random.Random, match: Match, seat: int, pens: Sequence[Signer]) -> bytes:
    """An entry that is not signed by the seat that it names."""
    entry = drafted(match, Resigned())
    match dice.randrange(3):
        case 0:
            return sealed(entry, pens[2])
        case 1:
            return sealed(replace(entry, author=1 - seat), pens[seat])
        case _:
            return sealed(replace(entry, seq=entry.seq + 3), pens[2])
