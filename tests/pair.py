"""Two sessions and a wire between them that drops, repeats, reorders, cuts and tampers; one thread, one seed.

Law: time is a number that the wire counts; every run is a function of its seed and ends after a bounded number of steps.
What is played depends on the habits of the players alone, so that the same match is played over any wire.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from typing import Final

from nacl.signing import SigningKey

from sm_p2p.deck.generators import constants_hash
from sm_p2p.errors import Fault, IllegalMove
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.session.author import Author
from sm_p2p.session.beside import unseal_chat, unseal_resignation
from sm_p2p.session.chat import Beside
from sm_p2p.session.effects import Effect, Keep, Mark, Rejected, Said, Send, Store, Tell, Told
from sm_p2p.session.events import Opened
from sm_p2p.session.greeting import Peer
from sm_p2p.session.match import resume
from sm_p2p.session.session import Session
from sm_p2p.session.state import State

NAMES = ("Ana", "Bruno")
ROLES: Final = ("host", "guest")
STEP_S: Final = 0.25  # what a step without a frame takes


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


def habit(view: View, habits: int = 0) -> Move:
    """A sensible move that depends on nothing but the table and the habits of the player."""
    return sensible(view, random.Random(f"{habits} {view.table}"))


class Side:
    """One session with what it has stored, kept, marked and been told, as a disk would hold it."""

    def __init__(self, seat: int, nonce: bytes = bytes(16)) -> None:
        self.seat = seat
        self.nonce = nonce
        self.journal: list[bytes] = []
        self.kept: list[Keep] = []
        self.told: list[Told] = []
        self.mark: Mark | None = None
        self.outbox: list[bytes] = []
        self.session = self.awake()

    def awake(self) -> Session:
        """A session that knows what was stored and nothing else."""
        peer = Peer(NAMES[self.seat], ROLES[self.seat])
        mark = self.mark or Mark(b"", 0, b"")
        match = resume(tuple(self.journal), mark.seq, mark.head)
        return Session(AUTHORS[self.seat], KEYS[self.seat], peer, match, self.journal, self.mark, self.beside())

    def beside(self) -> Beside:
        """What the notes hold, sorted as a session wants it."""
        notes = [keep.raw for keep in self.kept if keep.kind == "note"]
        ours = tuple(raw for raw in notes if self._is_ours(raw))
        petitions = [keep.raw for keep in self.kept if keep.kind == "petition"]
        numbers = [unseal_resignation(raw, KEYS[self.seat].identity).number for raw in petitions]
        evidence = tuple(keep.raw for keep in self.kept if keep.kind == "evidence")
        last = petitions[-1] if petitions else b""
        claims = [keep.raw for keep in self.kept if keep.kind == "claim"]
        claim = claims[-1] if claims else b""
        return Beside(ours, len(notes) - len(ours), last, max(numbers, default=0), evidence, claim, len(claims))

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Do what the session asks, in order, and hold it to the law of the order."""
        for effect in effects:
            match effect:
                case Store(raw):
                    self.journal.append(raw)
                case Mark(_, seq, _):
                    assert seq <= len(self.journal), "a mark before its entry is stored"
                    self.mark = effect
                case Keep():
                    self.kept.append(effect)
                case Send(frame):
                    self.outbox.append(frame)
                case Tell(what):
                    self.told.append(what)

    def _is_ours(self, note: bytes) -> bool:
        try:
            unseal_chat(note, KEYS[self.seat].identity)
        except Fault:
            return False
        return True

    def of_kind(self, kind: type) -> list[Told]:
        """What the player was told of one kind."""
        return [what for what in self.told if isinstance(what, kind)]

    @property
    def heard(self) -> list[str]:
        """The chat of the other side, as it was shown."""
        return [what.text for what in self.told if isinstance(what, Said) and what.seat != self.seat]

    @property
    def is_done(self) -> bool:
        """Whether this side has nothing more to do."""
        session = self.session
        return session.is_settled or session.stopped is not None or bool(self.of_kind(Rejected))


@dataclass
class Faults:
    """How often the wire does what, per frame (a cut and a crash: per step); `tamper` makes another frame of one."""

    drop: float = 0.0
    repeat: float = 0.0
    reorder: float = 0.0
    cut: float = 0.0
    crash: float = 0.0
    tamper: Callable[[int, bytes], bytes] = lambda _side, frame: frame
    until: int = 2_000  # after so many steps the faults stop


@dataclass
class Wishes:
    """What the two players do: their habits, what they say at which step, and who resigns at which entry."""

    habits: int = 0
    resign: dict[int, int] = field(default_factory=dict)
    say: dict[int, tuple[int, str]] = field(default_factory=dict)


class Pair:
    """A host and a guest who play until the match is closed, somebody stops, or the steps run out."""

    def __init__(
        self, seed: int = 0, variant: str = "quick", faults: Faults | None = None, wishes: Wishes | None = None
    ) -> None:
        self.dice = random.Random(seed)
        self.faults = faults or Faults()
        self.wishes = wishes or Wishes()
        self.now = 0.0
        self.steps = 0
        self.crashes = 0
        self.sides = (Side(0), Side(1))
        self.wires: tuple[list[bytes], list[bytes]] = ([], [])  # frames on their way to the host, to the guest
        self.sides[0].carry_out(self.sides[0].session.open(Variant.parse(variant), bytes(16), 1))
        self.connect()

    def connect(self) -> None:
        """A new connection: what was under way is lost."""
        for seat, side in enumerate(self.sides):
            self.wires[seat].clear()
            side.outbox.clear()
            side.session.disconnected()
        for side in self.sides:
            side.carry_out(side.session.connected(self.now))
        self.flush()

    def do(self, side: Side, effects: Sequence[Effect]) -> None:
        """Carry effects out, unless the program is killed between any two of them; then it starts anew."""
        if not effects or not self.happens(self.faults.crash):
            side.carry_out(effects)
            return
        self.crashes += 1
        side.carry_out(effects[: self.dice.randrange(len(effects) + 1)])
        self.flush()
        side.session = side.awake()
        kept = [list(wire) for wire in self.wires]  # what has left the machine still arrives, before the new greetings
        self.connect()
        self.wires[1 - side.seat][:0] = kept[1 - side.seat]

    def happens(self, chance: float) -> bool:
        """Whether a fault of this chance happens now."""
        return self.steps < self.faults.until and self.dice.random() < chance

    def flush(self) -> None:
        """Put what the sides have said onto the wire, with its faults."""
        for seat, side in enumerate(self.sides):
            wire = self.wires[1 - seat]
            for frame in side.outbox:
                if self.happens(self.faults.drop):
                    continue
                sent = self.faults.tamper(seat, frame) if self.steps < self.faults.until else frame
                wire += [sent] * (1 + self.happens(self.faults.repeat))
                if len(wire) > 1 and self.happens(self.faults.reorder):
                    at = self.dice.randrange(len(wire) - 1)
                    wire[at], wire[-1] = wire[-1], wire[at]
            side.outbox.clear()

    def step(self) -> None:
        """Deliver one frame, or let time pass; then the players act."""
        self.steps += 1
        busy = [seat for seat in (0, 1) if self.wires[seat]]
        if busy:
            seat = self.dice.choice(busy)
            side = self.sides[seat]
            self.do(side, side.session.receive(self.wires[seat].pop(0), self.now))
        else:
            self.now += STEP_S
            for side in self.sides:
                self.do(side, side.session.tick(self.now))
        self.act()
        if self.happens(self.faults.cut):
            self.connect()
        self.flush()

    def act(self) -> None:
        """Let the players do what is theirs to do."""
        if self.steps in self.wishes.say:
            seat, text = self.wishes.say[self.steps]
            self.do(self.sides[seat], self.sides[seat].session.say(text))
        for side in self.sides:
            session = side.session
            if session.match.state is State.JOIN and session.seat == 1 and session.is_caught_up and not session.stopped:
                self.do(side, session.join(side.nonce, 2))
            self.resign(side)
            session = side.session
            if session.is_our_turn and session.view is not None:
                self.do(side, session.move(habit(session.view, self.wishes.habits), 3))

    def resign(self, side: Side) -> None:
        """Let this player give the game up, if that is what he wants now; a crash does not change his mind."""
        due = [at for at, seat in self.wishes.resign.items() if seat == side.seat and at <= len(side.journal)]
        for at in due:
            before = self.crashes
            try:
                self.do(side, side.session.resign(4))
            except IllegalMove:
                return
            if self.crashes == before:
                del self.wishes.resign[at]

    @property
    def is_done(self) -> bool:
        """Whether both know that the match is over, or that it has stopped."""
        return all(side.is_done for side in self.sides)

    @property
    def journals_agree(self) -> bool:
        """Whether one journal is a prefix of the other."""
        return all(starmap(bytes.__eq__, zip(*(side.journal for side in self.sides), strict=False)))

    def run(self, steps: int = 20_000) -> "Pair":
        """Go on until done, but no further than so many steps; the law of the journals holds at each."""
        while not self.is_done and self.steps < steps:
            self.step()
            assert self.journals_agree, f"after step {self.steps}"
        return self
