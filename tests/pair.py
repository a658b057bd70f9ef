"""Two sessions and a wire between them that drops, repeats, reorders, cuts and tampers; one thread, one seed.

Law: time is a number that the wire counts; every run is a function of its seed and ends after a bounded number of steps.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from nacl.signing import SigningKey

from sm_p2p.deck.generators import constants_hash
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.session.author import Author
from sm_p2p.session.effects import Effect, Keep, Mark, Send, Store, Tell, Told
from sm_p2p.session.events import Opened
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.state import State

NAMES = ("Ana", "Bruno")


class Key:
    """A signer made from one number."""

    def __init__(self, number: int) -> None:
        self._key = SigningKey(number.to_bytes(32))
        self.identity = bytes(self._key.verify_key)

    def sign(self, message: bytes) -> bytes:
        """The signature over these bytes."""
        return self._key.sign(message).signature


KEYS = (Key(1), Key(2))
STRANGER = Key(3)
AUTHORS = (Author(0, b"host" * 8), Author(1, b"join" * 8))


def opened(variant: str = "quick", **changes: object) -> Opened:
    """The host's first event."""
    said = {"rules": 1, "variant": variant, "name": NAMES[0], "identity": KEYS[0].identity, "nonce": bytes(16)}
    return Opened(**{**said, "constants": constants_hash(), **changes})  # type: ignore[arg-type]


def sensible(view: View, dice: random.Random) -> Move:
    """A play where there is one, the pay-off card first; else any discard."""
    moves = view.legal_moves
    plays = [move for move in moves if not move.ends_turn]
    return plays[0] if plays and dice.random() < 0.9 else dice.choice(moves)


@dataclass
class Side:
    """One session with what it has stored, kept and been told."""

    session: Session
    journal: list[bytes] = field(default_factory=list)
    kept: list[bytes] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    mark: int = 0
    outbox: list[bytes] = field(default_factory=list)

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Do what the session asks, in order, and hold it to the law of the order."""
        for effect in effects:
            match effect:
                case Store(raw):
                    self.journal.append(raw)
                case Mark(_, seq, _):
                    assert seq == len(self.journal), "a mark before its entry is stored"
                    self.mark = seq
                case Keep(raw, _):
                    self.kept.append(raw)
                case Send(frame):
                    self.outbox.append(frame)
                case Tell(what):
                    self.told.append(what)

    def of_kind(self, kind: type) -> list[Told]:
        """What the player was told of one kind."""
        return [what for what in self.told if isinstance(what, kind)]


@dataclass
class Faults:
    """How often the wire does what, per frame; `tamper` makes another frame of one."""

    drop: float = 0.0
    repeat: float = 0.0
    reorder: float = 0.0
    cut: float = 0.0
    tamper: Callable[[int, bytes], bytes] = lambda _side, frame: frame


class Pair:
    """A host and a guest who play by `choose` until the match is closed, somebody stops, or the steps run out."""

    def __init__(self, seed: int = 0, variant: str = "quick", faults: Faults | None = None) -> None:
        self.dice = random.Random(seed)
        self.faults = faults or Faults()
        self.now = 0.0
        self.steps = 0
        self.sides = tuple(
            Side(Session(AUTHORS[seat], KEYS[seat], Peer(NAMES[seat], ("host", "guest")[seat]))) for seat in (0, 1)
        )
        self.wires: tuple[list[bytes], list[bytes]] = ([], [])  # frames on their way to the host, to the guest
        self.sides[0].carry_out(self.sides[0].session.open(Variant.parse(variant), bytes(16), 1))
        self.connect()

    def connect(self) -> None:
        """A new connection: what was under way is lost."""
        for seat, side in enumerate(self.sides):
            self.wires[seat].clear()
            side.session.disconnected()
        for side in self.sides:
            side.carry_out(side.session.connected(self.now))
        self.flush()

    def flush(self) -> None:
        """Put what the sides have said onto the wire, with its faults."""
        for seat, side in enumerate(self.sides):
            wire = self.wires[1 - seat]
            for frame in side.outbox:
                if self.dice.random() < self.faults.drop:
                    continue
                wire += [self.faults.tamper(seat, frame)] * (1 + (self.dice.random() < self.faults.repeat))
                if len(wire) > 1 and self.dice.random() < self.faults.reorder:
                    at = self.dice.randrange(len(wire) - 1)
                    wire[at], wire[-1] = wire[-1], wire[at]
            side.outbox.clear()

    def step(self) -> None:
        """Deliver one frame, or let time pass and the players act."""
        self.steps += 1
        busy = [seat for seat in (0, 1) if self.wires[seat]]
        if busy:
            seat = self.dice.choice(busy)
            side = self.sides[seat]
            side.carry_out(side.session.receive(self.wires[seat].pop(0), self.now))
        else:
            self.now += 0.25
            for side in self.sides:
                side.carry_out(side.session.tick(self.now))
        self.act()
        if self.dice.random() < self.faults.cut:
            self.connect()
        self.flush()

    def act(self) -> None:
        """Let the players do what is theirs to do."""
        for side in self.sides:
            session = side.session
            if session.match.state is State.JOIN and session.seat == 1 and session.is_caught_up and not session.stopped:
                side.carry_out(session.join(bytes(16), 2))
            if session.is_our_turn and session.view is not None:
                side.carry_out(session.move(sensible(session.view, self.dice), 3))

    @property
    def is_done(self) -> bool:
        """Whether both have closed the match, or one has stopped and the other knows or cannot."""
        return all(side.session.match.state is State.CLOSED or side.session.stopped for side in self.sides)

    def run(self, steps: int = 20_000) -> "Pair":
        """Go on until done, but no further than so many steps."""
        while not self.is_done and self.steps < steps:
            self.step()
        return self
