"""Cards: small numbers that know their rank, suit and pack.

Law: the number of a card is rank << 4 | pack << 2 | suit, so that `card >> 4` is its rank; 0 is never a card.
"""

from functools import cache
from typing import Self

from sm_p2p.rules.reasons import Misread, Reason

ACE, KING = 1, 13
RANKS = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
PACK_SIZE = 52


class Card(int):
    """One physical card; all cards of a game are distinct, also two of the same face.

    Its text is the face, with the number of its pack behind it unless that is 0.

    >>> card = Card.parse("10H.1")
    >>> card, int(card), card.face, card.rank, card.pack
    (Card.parse('10H.1'), 166, '10H', 10, 1)
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
        """The card of this number; raises Misread when no card has it."""
        card = super().__new__(cls, number)
        if not (ACE <= number >> 4 <= KING):
            raise Misread(Reason.NOT_A_CARD, text=number)
        return card

    @classmethod
    def parse(cls, text: str) -> Self:
        """The card that is written so; raises Misread."""
        face, dot, number = text.partition(".")
        pack = "123".find(number) + 1 if dot and len(number) == 1 else 0
        if face[:-1] not in RANKS[1:] or face[-1] not in SUITS or (dot and not pack):
            raise Misread(Reason.NOT_A_CARD, text=text)
        return cls(RANKS.index(face[:-1]) << 4 | pack << 2 | SUITS.index(face[-1]))

    @property
    def rank(self) -> int:
        """1 is an ace, 11 a jack, 12 a queen, 13 a king."""
        return self >> 4

    @property
    def pack(self) -> int:
        """Which pack it comes from, 0…3."""
        return self >> 2 & 3

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
        return self & 3

    @property
    def face(self) -> str:
        """What is printed on it: rank and suit, as people name it."""
        return RANKS[self >> 4] + SUITS[self & 3]

    def __str__(self) -> str:
        pack = self.pack
        return f"{self.face}.{pack}" if pack else self.face

    def __repr__(self) -> str:
        return f"Card.parse('{self}')"


@cache
def pack(packs: int) -> tuple[Card, ...]:
    """All cards of a game with so many packs (1…4) in the initial order of a deck: ascending numbers.

    >>> len(pack(2)), " ".join(map(str, pack(2)[:9]))
    (104, 'AC AD AH AS AC.1 AD.1 AH.1 AS.1 2C')
    """
    return tuple(
        Card(rank << 4 | copy << 2 | suit)
        for rank in range(ACE, KING + 1)
        for copy in range(packs)
        for suit in range(4)
    )
