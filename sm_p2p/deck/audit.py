"""The audit after a game: with both keys open, every deck opens, and no proof has to be believed.

Law: nothing here is asked before the game is over. A difference is a `Fault` bad-audit with the place that differs.
"""

from collections import Counter

from sm_p2p.deck.group import Point, Scalar, base, decode_scalar
from sm_p2p.deck.masking import Deck, MaskedCard, open_with_keys, share_of
from sm_p2p.errors import Code, Fault


def open_key(raw: bytes, public: Point) -> Scalar:
    """The opened key x, once x·G is the key that was used; `Fault` bad-length, bad-scalar or wrong-key."""
    key = decode_scalar(raw)
    if base(key) != public:
        raise Fault(Code.WRONG_KEY, "the opened key does not belong to the key of this game")
    return key


def open_deck(deck: Deck, x0: Scalar, x1: Scalar) -> tuple[int, ...]:
    """The ids of all cards of a deck, by place; `Fault` unknown-card."""
    return tuple(open_with_keys(masked, x0, x1) for masked in deck)


def audit_shuffle(deck_in: Deck, deck_out: Deck, x0: Scalar, x1: Scalar) -> tuple[int, ...]:
    """The ids of the output, by place, once they are those of the input in some order; `Fault` bad-audit."""
    try:
        before, after = open_deck(deck_in, x0, x1), open_deck(deck_out, x0, x1)
    except Fault as fault:
        raise Fault(Code.BAD_AUDIT, "a deck holds something that is not a card") from fault
    if Counter(before) != Counter(after):
        raise Fault(Code.BAD_AUDIT, "a shuffle changed the cards of the deck")
    return after


def audit_share(key: Scalar, masked: MaskedCard, share: Point) -> None:
    """`Fault` bad-audit if the share is not x·a."""
    if share_of(key, masked) != share:
        raise Fault(Code.BAD_AUDIT, "a decryption share was wrong")
