"""How an entry's proofs are looked at: checked, or trusted because this client has checked them before.

Law: only one's own log, up to the mark that this client has written itself, is ever trusted.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from sm_p2p.deck.group import Point, split
from sm_p2p.deck.masking import Deck, MaskedCard, paired, unmask
from sm_p2p.deck.proofs import verify_key, verify_shares
from sm_p2p.deck.shuffle import verify_shuffle
from sm_p2p.deck.transcript import Context
from sm_p2p.session.events import Key, Shares, Shuffle


class Proofs(Protocol):
    """Takes what is on the wire, gives points and decks."""

    def key(self, place: Context, key: Key) -> Point:
        """The public key."""

    def shares(self, place: Context, owner: Point, cards: Sequence[MaskedCard], shares: Shares) -> tuple[Point, ...]:
        """One decryption share for each card."""

    def shuffle(self, place: Context, joint: Point, before: Deck, shuffle: Shuffle) -> Deck:
        """The deck after the shuffle."""

    def opens(self, masked: MaskedCard, given: tuple[Point, Point], card: int) -> bool:
        """Whether both shares open the masked card as the one that was announced."""


class _Checked:
    """Everything is checked, lengths first, then points and scalars, then the proof."""

    def key(self, place: Context, key: Key) -> Point:
        return verify_key(place, key.point, key.proof)

    def shares(self, place: Context, owner: Point, cards: Sequence[MaskedCard], shares: Shares) -> tuple[Point, ...]:
        return verify_shares(place, owner, cards, shares.points, shares.proof)

    def shuffle(self, place: Context, joint: Point, before: Deck, shuffle: Shuffle) -> Deck:
        return verify_shuffle(place, joint, before, shuffle.deck, shuffle.proof)

    def opens(self, masked: MaskedCard, given: tuple[Point, Point], card: int) -> bool:
        return unmask(masked, *given) == card


class _Trusted:
    """Only lengths are looked at."""

    def key(self, _place: Context, key: Key) -> Point:
        return Point(split(key.point, 1)[0])

    def shares(self, _place: Context, _owner: Point, cards: Sequence[MaskedCard], shares: Shares) -> tuple[Point, ...]:
        return tuple(map(Point, split(shares.points, len(cards))))

    def shuffle(self, _place: Context, _joint: Point, before: Deck, shuffle: Shuffle) -> Deck:
        return paired(split(shuffle.deck, 2 * len(before)))

    def opens(self, masked: MaskedCard, given: tuple[Point, Point], card: int) -> bool:
        return unmask(masked, *given) == card


CHECKED: Final[Proofs] = _Checked()
TRUSTED: Final[Proofs] = _Trusted()
