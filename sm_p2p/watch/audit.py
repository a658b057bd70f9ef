"""The audit of a finished game: both keys lie open, so every deck is opened and no proof has to be believed.

Law: it is asked after a game only, and it does not rest on the proofs. A difference is a `Fault` bad-audit.
"""

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from sm_p2p.deck.audit import audit_share, open_deck
from sm_p2p.deck.group import Scalar
from sm_p2p.deck.masking import Deck, MaskedCard, mask_public
from sm_p2p.errors import Code, Fault, sure
from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.table import Slot
from sm_p2p.session.state import Game, Match

Halves: TypeAlias = tuple[Deck, ...]
"""The decks of the game on the table after their first shuffle, by number."""

Faces: TypeAlias = Mapping[Slot, Card]
"""Which card lay where, for every place of every deck of a game."""


def halves_after(halves: Halves, after: Match) -> Halves:
    """The halves up to this match, from those before its last entry; a `Game` keeps one only while it is needed."""
    game = after.game
    if game is None or game.half is None:
        return halves
    return (*halves[: len(game.inputs) - 1], game.half)


def audit(game: Game, halves: Halves) -> Faces:
    """All cards of a game whose two keys lie open, once every shuffle and every share has been right.

    A shuffle is right if its deck opens to the cards that went in, a share if it is x·a. Source: `protocol/deck.md`.
    """
    keys = sure(game.secrets[0]), sure(game.secrets[1])
    cards = pack(game.table.variant.packs)
    known: dict[MaskedCard, int] = dict(zip(mask_public(cards, game.joint), cards, strict=True))
    faces: dict[Slot, Card] = {}
    for number, (before, half) in enumerate(zip(game.inputs, halves, strict=True)):
        expected = Counter(known[masked] for masked in before)
        _opened(half, keys, expected, number)
        for deck in game.decks[number : number + 1]:  # none if the game ended before the second shuffle
            ids = _opened(deck, keys, expected, number)
            known.update(zip(deck, ids, strict=True))
            faces.update((Slot(number << 8 | place), Card(id_)) for place, id_ in enumerate(ids))
    for (slot, seat), share in game.given.items():
        audit_share(keys[seat], game.masked(slot), share)
    return faces


def _opened(deck: Deck, keys: tuple[Scalar, Scalar], expected: Mapping[int, int], number: int) -> tuple[int, ...]:
    try:
        ids = open_deck(deck, *keys)
    except Fault as fault:
        raise Fault(Code.BAD_AUDIT, "deck {number} holds something that is not a card", number=number) from fault
    if Counter(ids) != expected:
        raise Fault(Code.BAD_AUDIT, "a shuffle changed the cards of deck {number}", number=number)
    return ids
