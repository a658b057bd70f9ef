"""What the vectors of a match share: a place in a recorded match, one more entry, and what comes of it."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from scripts.making.recorder import AUTHORS, SECRETS, SEEDS, recorded, sealed
from sm_p2p.deck.group import Scalar, scalar
from sm_p2p.deck.proofs import prove_key, prove_shares
from sm_p2p.deck.seed import game_seed, public_key
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import Code, Fault, sure
from sm_p2p.log.codec import Value
from sm_p2p.log.entry import read_envelope
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import Slot
from sm_p2p.session.events import ANSWERED, Answered, Event, Key, Moved, Shares, event_of
from sm_p2p.session.match import admit, advance, context
from sm_p2p.session.state import Match, SeatNumber, State

Vector: TypeAlias = dict[str, object]


class Head(NamedTuple):
    """A head of a recorded match: its name, how many entries, the match there."""

    game: str
    entries: int
    match: Match

    @property
    def next(self) -> Event:
        """What the recorded match says next."""
        envelope = read_envelope(self.raw)
        return event_of(envelope.kind, envelope.data)

    @property
    def raw(self) -> bytes:
        """The recorded entry that says it."""
        return recorded(self.game).raws[self.entries]


def at(game: str, entries: int) -> Head:
    """The head after so many entries."""
    return Head(game, entries, recorded(game).matches[entries])


def find(game: str, wanted: Callable[[Head], bool]) -> Head:
    """The first head of a recorded match, short of its end, that is as wanted."""
    return next(head for entries in range(len(recorded(game).raws)) if wanted(head := at(game, entries)))


def before_move(wanted: Callable[[Match, Moved, Match], bool], game: str = "short") -> Head:
    """The first head whose next entry is a move as wanted, by the match before, the move and the match after."""

    def is_wanted(head: Head) -> bool:
        event = head.next
        return isinstance(event, Moved) and wanted(head.match, event, recorded(game).matches[head.entries + 1])

    return find(game, is_wanted)


def before_answer(wanted: Callable[[Match], bool], game: str = "short") -> Head:
    """The first head in state 7 that is as wanted."""
    return find(
        game,
        lambda head: head.match.state is State.ANSWER and isinstance(head.next, Answered) and wanted(head.match),
    )


def in_state(state: State, number: int = 1) -> Head:
    """The first head of `short` in this state in game `number`."""
    return find("short", lambda head: head.match.state is state and head.match.game_number == number)


def vector(name: str, comment: str, flag: str, head: Head, raw: bytes, expect: Code | None = None) -> Vector:
    """One vector, once the package comes to what it expects."""
    found = verdict(head.match, raw)
    if found != str(expect or "ok"):
        raise AssertionError(f"{name}: expected {expect}, found {found}")
    place = {"game": head.game, "entries": head.entries}
    return {"id": name, "comment": comment, "flags": [flag], **place, "entry": raw.hex(), "expect": found}


def verdict(match: Match, raw: bytes) -> str:
    """What the package makes of an entry."""
    try:
        advance(match, admit(match, raw))
    except Fault as fault:
        return str(fault.code)
    return "ok"


def said(head: Head, event: Event, **changes: object) -> bytes:
    """An entry at this head that says this."""
    return sealed(head.match, event, **changes)  # type: ignore[arg-type] # parts of a draft


def secret_of(match: Match, seat: SeatNumber) -> Scalar:
    """The secret of a seat's key in the game that is played."""
    return AUTHORS[seat]._key(sure(match.game).keys[seat])[1]  # noqa: SLF001 - what the author keeps to himself


def identity_secret(seat: SeatNumber) -> Scalar:
    """The logarithm of a seat's identity (RFC 8032, 5.1.5)."""
    raw = bytearray(hashlib.sha512(SEEDS[seat]).digest()[:32])
    raw[0] &= 248
    raw[31] = raw[31] & 127 | 64
    return scalar(int.from_bytes(raw, "little"))


def key(place: Context, secret: Scalar) -> Key:
    """The key of a secret of one's own choice, proved in a place of one's own choice."""
    seed = game_seed(SECRETS[place.author], place.match, place.game, place.author)
    return Key(public_key(secret), prove_key(seed, place, secret))


def place_of(match: Match, kind: int, game: int | None = None) -> Context:
    """The context of proofs in the next entry."""
    return context(match, kind, match.game_number if game is None else game)


def shares_of(head: Head, slots: Iterable[Slot], kind: int = ANSWERED) -> Shares:
    """Shares of the speaker for these slots, due or not, with a true proof."""
    match, author = head.match, sure(head.match.speaker)
    game, place = sure(match.game), place_of(match, kind)
    placed = game.keys[author].place
    seed = game_seed(SECRETS[author], placed.match, placed.game, author)
    return Shares(*prove_shares(seed, place, secret_of(match, author), tuple(map(game.masked, slots))))


def move(head: Head, text: str) -> Moved:
    """A move with all that is due for it, by the player whose turn it is."""
    return AUTHORS[sure(head.match.speaker)].moved(head.match, Move.parse(text))


def file(about: str, flags: Mapping[str, str], vectors: Iterable[Vector]) -> dict[str, object]:
    """The content of a vector file."""
    found = list(vectors)
    used = {flag for one in found for flag in _flags(one)}
    if used != set(flags):
        raise AssertionError(f"flags without a vector, or the other way round: {used ^ set(flags)}")
    return {"protocol": 1, "about": about, "flags": dict(flags), "vectors": found}


def _flags(one: Vector) -> Iterable[str]:
    flags = one["flags"]
    if not isinstance(flags, list):
        raise TypeError("flags are a list")
    return map(str, flags)


def tagged(value: Value) -> object:
    """A value in JSON: numbers, text and bytes carry a tag, a list is a list."""
    match value:
        case None | bool():
            return value
        case int():
            return {"int": str(value)}
        case str():
            return {"text": value}
        case bytes():
            return {"bytes": value.hex()}
        case tuple():
            return [tagged(item) for item in value]
