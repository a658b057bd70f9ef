"""What a match is at one head of its chain: who sits there, the game on the table, and whose turn it is to append.

Law: a `Match` holds only what is public, so both players, every spectator and every replay hold the same one. At every
head exactly one seat may append, until the match is closed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, TypeAlias, assert_never

from sm_p2p.deck.group import Point, Scalar
from sm_p2p.deck.masking import Deck, MaskedCard
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import sure
from sm_p2p.log.chain import Chain
from sm_p2p.rules.happenings import Happening
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import Outcome, Slot, Table
from sm_p2p.rules.variant import STANDARD, Variant

SeatNumber: TypeAlias = int  # 0 who opened the match, 1 who joined it
Given: TypeAlias = Mapping[tuple[Slot, SeatNumber], Point]
"""Who has given which share of which card."""


class State(IntEnum):
    """Where the match stands; the numbers are those of the table in `protocol/session.md`."""

    OPEN = 1
    JOIN = 2
    DEAL = 3
    SHUFFLE = 4
    SHOW = 5
    TURN = 6
    ANSWER = 7
    REVEAL = 8
    FOLLOW = 9
    CLOSED = 10


IN_GAME: Final = (State.SHUFFLE, State.SHOW, State.TURN, State.ANSWER)


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a seat."""

    name: str
    identity: bytes
    nonce: bytes


@dataclass(frozen=True, slots=True)
class PlacedKey:
    """A public key of one game, and the place of the chain that it was derived for."""

    point: Point
    place: Context


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the table, the decks under it, and every decryption share that was given.

    `decks[n]` is deck number n after its second shuffle and `inputs[n]` what went into the first one; `half` lies
    between the two while the second is owed. `shares[n][slot, seat]` is the share of that seat, the slot one of deck n.
    `secrets` fill when the game is over.
    """

    number: int
    dealer: SeatNumber
    keys: tuple[PlacedKey, PlacedKey]
    joint: Point
    table: Table
    inputs: tuple[Deck, ...]
    decks: tuple[Deck, ...] = ()
    half: Deck | None = None
    shares: tuple[Given, ...] = ()
    secrets: tuple[Scalar | None, Scalar | None] = (None, None)
    ender: SeatNumber | None = None

    def masked(self, slot: Slot) -> MaskedCard:
        """The masked card at a place of a deck."""
        return self.decks[slot >> 8][slot & 0xFF]

    def share(self, slot: Slot, seat: SeatNumber) -> Point | None:
        """The share that this seat has given of the card at a place of a deck; None if it has not."""
        deck = slot >> 8
        return self.shares[deck].get((slot, seat)) if deck < len(self.shares) else None

    @property
    def given(self) -> Given:
        """Every decryption share, of whichever deck."""
        return {of: share for given in self.shares for of, share in given.items()}


@dataclass(frozen=True, slots=True)
class Match:
    """Everything public about a match after the entry at the head of its chain."""

    chain: Chain = field(default_factory=Chain.empty)
    state: State = State.OPEN
    variant: Variant = STANDARD
    players: tuple[Player, ...] = ()
    game: Game | None = None
    finished: Game | None = None
    next_keys: tuple[PlacedKey | None, PlacedKey | None] = (None, None)
    spent_keys: frozenset[Point] = frozenset()
    score: Score = field(default_factory=Score)
    outcomes: tuple[Outcome, ...] = ()
    recent: tuple[tuple[int, int, bytes], ...] = ()
    petitions: tuple[int, int] = (0, 0)
    ancillaries: int = 0
    happened: tuple[Happening, ...] = ()

    @property
    def speaker(self) -> SeatNumber | None:
        """The one seat that may append the next entry; None once the match is closed."""
        match self.state:
            case State.OPEN | State.DEAL:
                return 0
            case State.JOIN:
                return 1
            case State.CLOSED:
                return None
            case State.SHUFFLE:
                return 1 - sure(self.game).dealer
            case State.SHOW:
                return sure(self.game).dealer
            case State.TURN:
                return sure(sure(self.game).table.to_move)
            case State.ANSWER:
                return 1 - sure(sure(self.game).table.to_move)
            case State.REVEAL:
                return sure(sure(self.game).ender)
            case State.FOLLOW:
                return 1 - sure(sure(self.game).ender)
            case _:
                assert_never(self.state)

    @property
    def is_over(self) -> bool:
        """Whether a player has reached the target of the variant."""
        return self.score.winner(self.variant) is not None

    @property
    def game_number(self) -> int:
        """The number of the game that proofs of the next entry are about, from 1."""
        return self.game.number if self.game is not None else 1
