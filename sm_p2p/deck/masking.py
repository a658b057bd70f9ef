"""Masked cards: joint-key ElGamal over the two players' keys.

Law: a public card enters a deck as (G, M + pk), randomness 1, so that no honest deck holds the identity.

Source: Barnett and Smart, "Mental Poker Revisited" (2003).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from sm_p2p.deck.generators import card_of, card_point
from sm_p2p.deck.group import (
    IDENTITY,
    G,
    Point,
    decode_point,
    minus_received,
    plus,
    split,
    times,
    times_received,
)
from sm_p2p.errors import Code, Fault


class MaskedCard(NamedTuple):
    """A ciphertext (a, b) = (r·G, M + r·pk)."""

    a: Point
    b: Point


Deck: TypeAlias = tuple[MaskedCard, ...]


def joint_key(h0: Point, h1: Point) -> Point:
    """The joint key pk = h_0 + h_1; `Fault` identity-key if they cancel."""
    joint = plus(h0, h1)
    if joint == IDENTITY:
        raise Fault(Code.IDENTITY_KEY, "the two keys cancel each other")
    return joint


def mask_public(cards: Sequence[int], joint: Point) -> Deck:
    """Open cards, given by id, as the first masked cards that both sides compute alike."""
    return tuple(_public(card, joint) for card in cards)


@lru_cache(maxsize=1024)  # the cards of a completed stack were masked so before, in the first deck of the game
def _public(card: int, joint: Point) -> MaskedCard:
    return MaskedCard(G, plus(card_point(card), joint))


def encode_deck(deck: Deck) -> bytes:
    """a_1, b_1, a_2, b_2 …: 64 bytes a card."""
    return b"".join(part for card in deck for part in card)


def decode_deck(raw: bytes, count: int) -> Deck:
    """The deck of so many cards; `Fault` bad-length or bad-point. It proves nothing about what the cards are."""
    return paired([decode_point(piece) for piece in split(raw, 2 * count)])


def paired(pieces: Iterable[bytes]) -> Deck:
    """a_1, b_1, a_2, b_2 … as masked cards, for whoever has asked already whether they are points, or need not."""
    ahead = iter(pieces)
    return tuple(map(MaskedCard._make, zip(ahead, ahead, strict=True)))


def share_of(key: int, masked: MaskedCard) -> Point:
    """One player's decryption share of a card, d = x_P·a."""
    return times(key, masked.a)


def unmask(masked: MaskedCard, d0: Point, d1: Point) -> int:
    """The id of the card, from both shares; `Fault` unknown-card if it is none (valid proofs exclude that).

    Whoever looks before the points were decoded may also get `Fault` bad-point.
    """
    return _identify(minus_received(minus_received(masked.b, d0), d1))


def open_with_keys(masked: MaskedCard, x0: int, x1: int) -> int:
    """The id of the card, from both keys, once the game is over; else `Fault` unknown-card, or bad-point as `unmask`."""
    return _identify(minus_received(masked.b, times_received(x0 + x1, masked.a)))


def _identify(point: Point) -> int:
    card = card_of(point)
    if card is None:
        raise Fault(Code.UNKNOWN_CARD, "a masked card opens to something that is not a card")
    return card
