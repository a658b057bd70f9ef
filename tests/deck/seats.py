"""Two seats at one table of the deck, for the tests: keys, contexts, small decks, all of them fixed."""

from typing import Final, NamedTuple

from sm_p2p.deck.generators import CARD_IDS
from sm_p2p.deck.group import Point, Scalar
from sm_p2p.deck.masking import Deck, joint_key, mask_public
from sm_p2p.deck.seed import GameSeed, derive_key, game_seed, public_key
from sm_p2p.deck.transcript import Context

MATCH: Final = b"m" * 32


class Seat(NamedTuple):
    """One player of one game."""

    seed: GameSeed
    ctx: Context
    x: Scalar
    h: Point


def sit(author: int, game: int = 1) -> Seat:
    """The seat as it is after its key entry."""
    ctx = Context(MATCH, game, 2 + author, bytes([author]) * 32, author, 2)
    seed = game_seed(bytes([author + 1]) * 32, MATCH, game, author)
    x = derive_key(seed, ctx)
    return Seat(seed, ctx, x, public_key(x))


HOST, GUEST = sit(0), sit(1)
JOINT: Final = joint_key(HOST.h, GUEST.h)
TWO_PACKS: Final = tuple(card for card in CARD_IDS if card >> 2 & 3 < 2)


def place(author: int, seq: int = 9) -> Context:
    """A place in the chain at which this author speaks."""
    return Context(MATCH, 1, seq, b"p" * 32, author, 5)


def public_deck(count: int) -> Deck:
    """The first cards of two packs, masked in the open."""
    return mask_public(TWO_PACKS[:count], JOINT)
