"""Why something is refused: a closed list of reasons, each with its sentence, carried by two exceptions.

Law: a `Reason` is what a program looks at and what a translation starts from; the English sentence is made here, once.
"""

from enum import StrEnum

from sm_p2p.errors import IllegalMove, UsageError


class Reason(StrEnum):
    """The sentence of each refusal; the words in braces are the `values` of the exception.

    Ranks are given as on a card (`A`, `10`, `K`), places as in a move (`p`, `h3`, `a`, `c1`).
    """

    # a move
    GAME_OVER = "the game is over"
    NOT_BEGUN = "the cards are still being dealt"
    NOT_SETTLED = "the next cards have not been shown yet"
    EMPTY_PLACE = "there is no card at {place}"
    NO_SUCH_STACK = "there are {centres} centre stacks, {place} is not one of them"
    DOES_NOT_FIT = "{rank} needs {below} beneath it, and {place} waits for {needed}"
    ACE_NEEDS_EMPTY = "an ace needs an empty stack, and {place} waits for {needed}"
    ONLY_TO_CENTRE = "the card at {place} can only go to a centre stack"
    NO_END = "a turn ends with a card from the hand onto a side stack"
    HAND_NOT_EMPTY = "only a player with an empty hand may end the turn without a discard"
    FACE_MISSING = "a card that leaves the hand has to be shown"
    WRONG_CARD = "the card at {place} is not {card}"
    FOREIGN_CARD = "there is no {card} in this game"
    # a card that is shown
    NOTHING_DUE = "no card is due to be turned up"
    TOP_DUE = "the next pay-off card has to be turned up"
    # texts
    NOT_A_CARD = "{text} is not a card; cards look like AS, 10H or KD.1"
    NOT_A_MOVE = "{text} is not a move; moves look like p-c1, h3-c2, a-c1, h3-b or end"
    CENTRE_STAYS = "a card on a centre stack stays there"
    NOT_A_TABLE = "{text} is not part of a table: {problem}"
    # variants
    NOT_A_PRESET = "there is no variant {text}; there are {names}"
    NOT_AN_OPTION = "a variant has no option {text}; there are {names}"
    NOT_A_VALUE = "{key}={text} is not possible; it can be {names}"
    OPTION_TWICE = "the option {key} is given twice"
    STOCK_TOO_SMALL = (
        "{packs} packs with a pay-off of {pay_off} leave a stock of {stock} cards; it must hold at least {least}"
    )


class Refused(IllegalMove):
    """A move that cannot be made now, with its reason.

    >>> raise Refused(Reason.EMPTY_PLACE, place="h2")
    Traceback (most recent call last):
    sm_p2p.rules.reasons.Refused: there is no card at h2
    """

    def __init__(self, reason: Reason, **values: str | int) -> None:
        super().__init__(reason.value, **values)
        self.reason = reason
        self.values = values


class Misread(UsageError):  # noqa: N818 - a word for a person
    """A text or a number that names no card, move, table or playable variant, with its reason.

    >>> raise Misread(Reason.NOT_A_CARD, text="1X")
    Traceback (most recent call last):
    sm_p2p.rules.reasons.Misread: 1X is not a card; cards look like AS, 10H or KD.1
    """

    def __init__(self, reason: Reason, **values: str | int) -> None:
        super().__init__(reason.value, **values)
        self.reason = reason
        self.values = values
