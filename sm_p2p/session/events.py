"""The closed set of what an entry can say, and its exact place in the envelope's `data`.

    1 opened     who opens the match, the variant, the hash of the deck's constants
    2 joined     who joins, and the guest's key for game 1
    3 dealt      the dealer's key for game 1 and shuffle 1 of its deck
    4 answered   the other side's due: shuffle 2 where one is owed, then decryption shares
    5 moved      a move, with the card and shares that it opens, and shuffle 1 where it completes a stack
    6 resigned   the end of a game by its author's own will, or by the other's petition
    7 revealed   the author's key of the finished game, and what begins the next one

Law: `event_of(kind, data_of(event)) == event`; anything else is Fault(BAD_SHAPE). What is absent is empty bytes.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value
from sm_p2p.version import PROTOCOL

OPENED: Final = 1
JOINED: Final = 2
DEALT: Final = 3
ANSWERED: Final = 4
MOVED: Final = 5
RESIGNED: Final = 6
REVEALED: Final = 7
ANCILLARY: Final = 128  # kinds from here on are kept and have no effect

KEY: Final = 32  # bytes of a key, a point or a scalar
NONCE: Final = 16


@dataclass(frozen=True, slots=True)
class Shuffle:
    """One shuffle on the wire: the output deck (64 bytes a card) and its proof; both empty where none is due."""

    deck: bytes = b""
    proof: bytes = b""


@dataclass(frozen=True, slots=True)
class Shares:
    """One batch of decryption shares (32 bytes each) and its proof (64 bytes); both empty where none is due."""

    points: bytes = b""
    proof: bytes = b""


@dataclass(frozen=True, slots=True)
class Key:
    """A public key for one game (32 bytes) and the proof that its author knows the secret (64 bytes)."""

    point: bytes = b""
    proof: bytes = b""


@dataclass(frozen=True, slots=True)
class Opened:
    """Seat 0 opens a match."""

    rules: int
    variant: str
    name: str
    identity: bytes
    nonce: bytes
    constants: bytes


@dataclass(frozen=True, slots=True)
class Joined:
    """Seat 1 agrees to the variant and takes part."""

    name: str
    identity: bytes
    nonce: bytes
    key: Key


@dataclass(frozen=True, slots=True)
class Dealt:
    """Seat 0 shuffles the deck of game 1 first."""

    key: Key
    shuffle: Shuffle


@dataclass(frozen=True, slots=True)
class Answered:
    """The author gives what the state says that he owes."""

    shuffle: Shuffle
    shares: Shares


@dataclass(frozen=True, slots=True)
class Moved:
    """A move in its notation; `card` is the id of a card that leaves the hand, None for cards that lie open."""

    move: str
    card: int | None
    shares: Shares
    shuffle: Shuffle


@dataclass(frozen=True, slots=True)
class Resigned:
    """The author resigns, or (with the other's sealed petition) writes down that the other does."""

    petition: bytes = b""


@dataclass(frozen=True, slots=True)
class Revealed:
    """The secret key of the finished game; unless the match is over the next key, and from the dealer shuffle 1."""

    secret: bytes
    key: Key
    shuffle: Shuffle


@dataclass(frozen=True, slots=True)
class Ancillary:
    """Something of a later version that has no effect on the match."""

    kind: int
    data: tuple[Value, ...]


Event: TypeAlias = Opened | Joined | Dealt | Answered | Moved | Resigned | Revealed | Ancillary


def kind_of(event: Event) -> int:
    """The envelope's `kind` of an event."""
    match event:
        case Opened():
            return OPENED
        case Joined():
            return JOINED
        case Dealt():
            return DEALT
        case Answered():
            return ANSWERED
        case Moved():
            return MOVED
        case Resigned():
            return RESIGNED
        case Revealed():
            return REVEALED
        case Ancillary(kind):
            return kind
        case _:
            assert_never(event)


def data_of(event: Event) -> tuple[Value, ...]:
    """The envelope's `data` of an event."""
    match event:
        case Opened(rules, variant, name, identity, nonce, constants):
            return (rules, variant, name, identity, nonce, constants)
        case Joined(name, identity, nonce, key):
            return (name, identity, nonce, key.point, key.proof)
        case Dealt(key, shuffle):
            return (key.point, key.proof, shuffle.deck, shuffle.proof)
        case Answered(shuffle, shares):
            return (shuffle.deck, shuffle.proof, shares.points, shares.proof)
        case Moved(move, card, shares, shuffle):
            return (move, card, shares.points, shares.proof, shuffle.deck, shuffle.proof)
        case Resigned(petition):
            return (petition,)
        case Revealed(secret, key, shuffle):
            return (secret, key.point, key.proof, shuffle.deck, shuffle.proof)
        case Ancillary(_, data):
            return data
        case _:
            assert_never(event)


def event_of(kind: int, data: tuple[Value, ...]) -> Event:
    """The event that an envelope carries.

    Raises Fault(UNKNOWN_KIND) for a critical kind that this version does not have, Fault(BAD_SHAPE) when number, types
    or fixed lengths of the items are wrong. Lengths that depend on the state of the match are looked at later.
    """
    if kind >= ANCILLARY:
        return Ancillary(kind, data)
    if bool in map(type, data):  # a truth value is not a number here
        raise Fault(Code.BAD_SHAPE, "the items of kind {kind} are wrong", kind=kind)
    match kind, data:
        case (1, (int(rules), str(variant), str(name), bytes(identity), bytes(nonce), bytes(constants))) if (
            len(identity) == KEY and len(nonce) == NONCE and len(constants) == KEY
        ):
            return Opened(rules, variant, name, identity, nonce, constants)
        case (2, (str(name), bytes(identity), bytes(nonce), bytes(point), bytes(proof))) if (
            len(identity) == KEY and len(nonce) == NONCE
        ):
            return Joined(name, identity, nonce, Key(point, proof))
        case (3, (bytes(point), bytes(proof), bytes(deck), bytes(deck_proof))):
            return Dealt(Key(point, proof), Shuffle(deck, deck_proof))
        case (4, (bytes(deck), bytes(deck_proof), bytes(points), bytes(proof))):
            return Answered(Shuffle(deck, deck_proof), Shares(points, proof))
        case (5, (str(move), int() | None as card, bytes(points), bytes(proof), bytes(deck), bytes(deck_proof))):
            return Moved(move, card, Shares(points, proof), Shuffle(deck, deck_proof))
        case (6, (bytes(petition),)):
            return Resigned(petition)
        case (7, (bytes(secret), bytes(point), bytes(proof), bytes(deck), bytes(deck_proof))):
            return Revealed(secret, Key(point, proof), Shuffle(deck, deck_proof))
        case (1 | 2 | 3 | 4 | 5 | 6 | 7, _):
            raise Fault(Code.BAD_SHAPE, "the items of kind {kind} are wrong", kind=kind)
        case _:
            raise Fault(
                Code.UNKNOWN_KIND,
                "kind {kind} belongs to a later protocol, this is protocol {protocol}",
                kind=kind,
                protocol=PROTOCOL,
            )
