"""One machine: a disk, a person, and now and then a process that plays with both, until it is killed.

Law: a process is a real `Session` at a real `Desk`; what a killed one leaves behind is what its desk had on the disk.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final, Protocol

from simulator.disk import Disk, PowerFailureError
from simulator.group import Pen
from simulator.laws import Laws
from simulator.person import Person

from sm_p2p.errors import IllegalMove
from sm_p2p.peer.desk import Desk
from sm_p2p.rules.variant import Variant
from sm_p2p.session.author import Author
from sm_p2p.session.effects import Effect, Keep, Mark, Send, Store, Tell, Told
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.state import IN_GAME, State

NAMES: Final = ("Ana", "Bo")
ROLES: Final = ("host", "guest")
JOINED: Final = 2  # a match with so many entries is one of two


class KilledError(Exception):
    """The process of this machine is no more."""


class Doom(Enum):
    """When somebody dies who has something to do."""

    BEFORE = "before"
    WITHIN = "within"
    AFTER = "after"


class Outside(Protocol):
    """What a machine knows of its world."""

    now: float
    depth: Counter[str]

    def post(self, seat: int, frame: bytes) -> None:
        """Take a frame from this machine."""

    def saw(self, seat: int, what: Told) -> None:
        """The person was shown something."""

    def doom(self, effect: Effect) -> Doom | None:
        """When the process is killed that has to do this; None: it lives."""


class Machine:
    """One of two; `session` is None while no process runs, `asleep` while the person has nothing to think about."""

    def __init__(self, seat: int, disk: Disk, pens: Sequence[Pen], laws: Laws, person: Person, world: Outside) -> None:
        self.seat = seat
        self.disk = disk
        self.person = person
        self.session: Session | None = None
        self.linked: int | None = None  # the connection that this process knows of
        self.is_running = False
        self.is_asleep = True
        self.is_stores_first = person.dice.random() < 0.5
        self.refused: set[bytes] = set()  # matches that cannot be gone on with
        self.stopped: set[bytes] = set()  # those of them that have stopped here
        self._pens = pens
        self._laws = laws
        self._world = world
        self._desk: Desk | None = None
        self._is_new = True
        self._dice = person.dice
        self._peer = Peer(NAMES[seat], ROLES[seat], b"", pens[1 - seat].identity)

    @property
    def match(self) -> bytes:
        """The match that is being played here, if one is."""
        return self.session.match.chain.match if self.session is not None else b""

    @property
    def is_open(self) -> bool:
        """Whether nobody has joined the match on this table yet."""
        return self.session is not None and self.session.match.state in {State.OPEN, State.JOIN}

    @property
    def has_sat_down(self) -> bool:
        """Whether the process that runs here knows who plays which match."""
        return self.session is not None and len(self.session.match.players) == len(NAMES)

    @property
    def wants(self) -> bool:
        """Whether the person has something to decide now."""
        session = self.session
        if session is None or session.stopped:
            return False
        is_offered = self.seat == 1 and session.match.state is State.JOIN and session.is_caught_up
        return session.is_our_turn or is_offered

    # Sitting down

    def open(self, variant: str, nonce: bytes, secret: bytes) -> None:
        """A new match, as its host."""
        self._new(secret)
        self.do(lambda session: [e for e in session.open(Variant.parse(variant), nonce, 1) if not isinstance(e, Send)])
        self._laws.began(0, self.match)

    def sit(self, match: bytes, secret: bytes) -> bool:
        """As a guest, at the table of this match; whether it can be played here."""
        has_log = self.disk.places.log(match) in self.disk.files
        if match in self.refused:
            return False
        if not has_log and self.disk.places.secret(match) not in self.disk.files:
            self._new(secret)
            return True
        return self.resume(match, None if has_log else self.seat)

    def resume(self, match: bytes, seat: int | None = None) -> bool:
        """Go on with what lies on the disk; whether that can be done."""
        secret = self.disk.read(self.disk.places.secret(match))
        if secret is None:
            return False
        self._is_new = False
        self._desk = Desk(self.disk.places, secret, match)
        self.session = self._desk.resume(self._pens[self.seat], self._peer, seat)  # type: ignore[arg-type]
        if self.session is None:
            if len(self.disk.entries(match)) >= JOINED:
                self.stopped.add(match)
                self.refused.add(match)
            return False
        self._laws.began(self.seat, match)
        self._world.depth["resumed"] += 1
        return True

    def rise(self) -> None:
        """Leave the table; a match that was begun here and that nobody has joined is forgotten."""
        if self.session is not None and self.session.match.state is State.JOIN and self._is_new:
            self.disk.forget(self.match)
        self.session = self._desk = self.linked = None

    def fall(self) -> None:
        """The process dies."""
        self.session = self._desk = self.linked = None
        self.is_running = False

    def unlink(self) -> None:
        """The process notices that its connection is gone."""
        self.linked = None
        if self.session is not None:
            self.session.disconnected()

    def unfinished(self) -> bytes:
        """The latest match on the disk that two have begun; empty if there is none."""
        for match in reversed(self.disk.matches()):
            if match not in self.refused and len(self.disk.entries(match)) >= JOINED:
                return match
        return b""

    def _new(self, secret: bytes) -> None:
        self._is_new = True
        self._desk = Desk(self.disk.places, secret)
        self.session = Session(Author(self.seat, secret), self._pens[self.seat], self._peer)

    # Acting

    def decide(self) -> None:
        """The person does what there is to do, if it is still so."""
        self.is_asleep = True
        session, now = self.session, self.time_ms
        if session is None or not self.wants:
            return
        if session.match.state is State.JOIN:
            self.do(lambda session: session.join(bytes(16), 2))
        elif (view := session.view) is not None:
            move = self.person.choose(view)
            self.do(lambda session: session.move(move, now))

    def resign(self) -> None:
        """The person gives up."""
        session, now = self.session, self.time_ms
        if session is not None and session.match.state in IN_GAME and not session.stopped:
            self._laws.wished.add((self.seat, self.match, session.match.game_number))
            self.do(lambda session: session.resign(now))

    def claim(self) -> None:
        """The person has waited long enough."""
        self.do(lambda session: session.claim())

    def talk(self) -> None:
        """The person says something."""
        is_heard = self.session is not None and len(self.session.match.players) == 2
        if is_heard and self.person.said < self.person.words:
            text = self.person.line(NAMES[self.seat])
            self.do(lambda session: session.say(text))

    @property
    def time_ms(self) -> int:
        """The clock of this machine, which is of no importance."""
        return int(self._world.now * 1000) + self._dice.randrange(1000)

    def do(self, work: Callable[[Session], Iterable[Effect]]) -> None:
        """One call of the session and what it asks for; KilledError if the process does not live through it.

        Either one effect after the other, or, as a program does whose link and screen are slow, first all that is to be
        stored.
        """
        if self.session is None:
            return
        behind: list[Effect] = []
        try:
            for effect in work(self.session):
                if self.is_stores_first and isinstance(effect, Send | Tell):
                    behind.append(effect)
                else:
                    self._survive(effect)
        except IllegalMove:
            self._world.depth["not now"] += 1
        for effect in behind:
            self._survive(effect)

    def _survive(self, effect: Effect) -> None:
        """One effect; KilledError if the process dies before it, within it, or after it."""
        doom = self._world.doom(effect)
        if doom is Doom.BEFORE:
            raise KilledError
        if doom is Doom.WITHIN:
            self.disk.tear = self._dice.randrange
        try:
            self.carry_out(effect)
        except PowerFailureError as failure:
            self._world.depth["torn"] += 1
            raise KilledError from failure
        if doom is Doom.AFTER:
            raise KilledError

    def carry_out(self, effect: Effect) -> None:
        """One effect, and whether it may be."""
        desk, laws = self._desk, self._laws
        if desk is None:
            return
        if not isinstance(effect, Send | Tell):
            desk.carry_out(effect)
        match effect:
            case Store(raw):
                laws.stored(self.seat, raw)
            case Mark():
                laws.marked(self.seat, effect)
            case Keep():
                laws.kept(self.seat, desk.match, effect)
            case Send(frame):
                laws.sent(self.seat, self.match, frame)
                self._world.post(self.seat, frame)
            case Tell(what):
                laws.told(self.seat, self.match, what)
                self._world.saw(self.seat, what)
                self._world.depth[type(what).__name__] += 1
