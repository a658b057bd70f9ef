"""Recorded matches: both seats write into one log, with real proofs and without a wire between them.

Law: a recording is a function of its arguments.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pair import AUTHORS, KEYS, NAMES, habit, opened

from sm_p2p.errors import sure
from sm_p2p.log.entry import Entry, read_envelope, seal, unseal
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.session.author import draft
from sm_p2p.session.beside import Resignation, seal_resignation
from sm_p2p.session.events import Event, Joined, Moved, Resigned, event_of
from sm_p2p.session.match import advance, is_timeless
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import IN_GAME, Match, State

Wish: TypeAlias = Callable[[Match], Event | None]
"""What the speaker says instead of the sensible thing; None: the sensible thing."""


class Step(NamedTuple):
    """One entry of a recording, and the match around it."""

    before: Match
    event: Event
    raw: bytes
    after: Match

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        envelope = read_envelope(self.raw)
        return unseal(envelope, KEYS[envelope.author].identity)

    @property
    def move(self) -> Move:
        """The move that the entry makes."""
        assert isinstance(self.event, Moved)
        return Move.parse(self.event.move)

    @property
    def speaker(self) -> int:
        """The author of the entry."""
        return sure(self.before.speaker)

    @property
    def seq(self) -> int:
        """The number of the entry."""
        return self.after.chain.seq


@dataclass(frozen=True, slots=True)
class Recording:
    """A whole match, or the beginning of one; `steps[n]` is entry n + 1."""

    steps: tuple[Step, ...]

    @property
    def raws(self) -> tuple[bytes, ...]:
        """The sealed entries."""
        return tuple(step.raw for step in self.steps)

    @property
    def end(self) -> Match:
        """The match after all of it."""
        return self.steps[-1].after

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def first(self, holds: Callable[[Step], bool]) -> Step:
        """The first step of which this holds."""
        return next(step for step in self.steps if holds(step))

    def at(self, state: State) -> Step:
        """The first step out of this state."""
        return self.first(lambda step: step.before.state is state)


def own_turn(recording: Recording) -> Step:
    """A move with nothing due behind it, so that its author waits."""
    return recording.first(
        lambda at: at.before.state is at.after.state is State.TURN and at.before.speaker != at.after.speaker
    )


def view_of(match: Match) -> View:
    """The table as the mover sees it."""
    game = sure(match.game)
    seat = sure(game.table.to_move)
    hand = [slot for slot in game.table.places[seat].hand if slot is not None]
    faces = {slot: face for slot in hand if (face := AUTHORS[seat].face(game, slot)) is not None}
    return View(game.table, seat, faces)


def moved(match: Match, move: Move) -> Moved:
    """The move of the speaker."""
    return AUTHORS[sure(match.speaker)].moved(match, move)


def sensible_event(match: Match) -> Event:
    """What comes next by itself: what is due, or a move by habit."""
    author = AUTHORS[sure(match.speaker)]
    if match.state is State.JOIN:
        return Joined(NAMES[1], KEYS[1].identity, bytes(16), author.joining_key(match))
    if match.state is State.TURN:
        return moved(match, habit(view_of(match)))
    return author.next_event(match)


def said(match: Match, event: Event) -> Step:
    """The speaker says this, rightly; no proof is checked."""
    entry = seal(draft(match, event, 0 if is_timeless(event) else 1_000 + match.chain.seq), KEYS[sure(match.speaker)])
    return Step(match, event_of(entry.kind, entry.data), entry.raw, advance(match, entry, TRUSTED))


def recorded(variant: str, wish: Wish = lambda _match: None, nonce: int = 0) -> Recording:
    """A match from its first entry until it is closed."""
    steps = [said(Match(), opened(variant, nonce=nonce.to_bytes(16)))]
    while (match := steps[-1].after).speaker is not None:
        steps.append(said(match, wish(match) or sensible_event(match)))
    return Recording(tuple(steps))


def waiting(match: Match) -> int:
    """The seat that is not to speak."""
    return 1 - sure(match.speaker)


def in_turn_behind(recording: Recording, count: int) -> Step:
    """A step of a mover who has said so many entries already since the other side last spoke."""
    for at in recording.steps[count:]:
        others = [earlier.before.speaker for earlier in recording.steps[at.seq - 1 - count : at.seq - 1]]
        if at.before.state is State.TURN and others == [at.before.speaker] * count:
            return at
    raise AssertionError("nobody plays that often in a row")


def petition(match: Match, seat: int, number: int = 1, /, **changes: object) -> bytes:
    """The sealed petition of a seat at this head, with other words in it if wanted."""
    chain = match.chain
    words = {"match": chain.match, "game": match.game_number, "author": seat, "at_seq": chain.seq, "head": chain.head}
    return seal_resignation(Resignation(**{**words, "number": number, **changes}), KEYS[seat])  # type: ignore[arg-type]


def handy(match: Match) -> Event | None:
    """In a turn: hand cards to the centre first, then anything to the centre, then the first discard."""
    if match.state is not State.TURN:
        return None
    moves = view_of(match).legal_moves
    plays = [move for move in moves if not move.ends_turn]
    from_hand = [move for move in plays if move.hand_place is not None]
    return moved(match, (from_hand or plays or moves)[0])


def stingy(match: Match) -> Event | None:
    """Nothing but discards; from game 2 on the speaker resigns as soon as he can."""
    if match.game_number > 1:
        return Resigned() if match.state in IN_GAME else None
    if match.state is not State.TURN:
        return None
    return moved(match, next(move for move in view_of(match).legal_moves if move.ends_turn))


def quitting(match: Match) -> Event | None:
    """Five games in which somebody gives up: in the deal, out of turn, while something is owed."""
    if match.state not in IN_GAME:
        return None
    match match.game_number, match.state:
        case 1, State.SHUFFLE:
            return Resigned()
        case 2, State.TURN:
            return Resigned(petition(match, 1 - sure(match.speaker)))
        case 3, State.SHOW:
            return Resigned(petition(match, 1 - sure(match.speaker), 2))
        case 4, State.ANSWER:
            return Resigned()
        case 5, State.TURN:
            return Resigned()
        case _:
            return None
