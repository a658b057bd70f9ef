"""What the next entry owes: the deck to shuffle, and the cards to give shares of, in the order of the batch.

Law: nothing here depends on a secret or on an entry; author and reader ask the same question and get the same answer.
"""

from dataclasses import dataclass

from sm_p2p.deck.masking import Deck, mask_public
from sm_p2p.errors import sure
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import Slot, Table
from sm_p2p.session.state import Game, SeatNumber, State


@dataclass(frozen=True, slots=True)
class Due:
    """The deck that has to be shuffled (None: none), and the slots whose cards want a share of the author."""

    shuffle: Deck | None
    slots: tuple[Slot, ...]


def due_of_answer(game: Game, state: State) -> Due:
    """What `answered` owes in the states SHUFFLE, SHOW and ANSWER."""
    table = game.table
    if state is State.ANSWER:
        owed = sure(table.owed)
        shown = (top_slot(table, sure(table.to_move)),) if owed.top else ()
        return Due(game.half, shown + owed.draws)
    tops = (top_slot(table, game.dealer), top_slot(table, 1 - game.dealer))
    if state is State.SHUFFLE:
        return Due(game.half, _hand(table, game.dealer) + tops)
    return Due(None, _hand(table, 1 - game.dealer) + tops)


def due_of_move(game: Game, move: Move, after: Table) -> Due:
    """What `moved` owes, given the table after the move: the card that leaves the hand, the next pay-off card, draws.

    An outcome comes first: an entry that ends the game opens its own card and gives nothing else.
    """
    before = game.table
    mover = sure(before.to_move)
    slot = before.hand_slot(move)
    opened = () if slot is None else (slot,)
    if after.outcome is not None:
        return Due(None, opened)
    owed = after.owed
    if owed is None:
        return Due(None, opened + (after.drawn if after.to_move != mover else ()))
    tops = (top_slot(after, mover),) if owed.top else ()
    shuffle = None
    if owed.shuffle:
        shuffle = tuple(map(game.masked, owed.hidden)) + mask_public(owed.shuffle, game.joint)
    return Due(shuffle, opened + tops)


def top_slot(table: Table, seat: SeatNumber) -> Slot:
    """Where the top of a pay-off pile lies that is not empty."""
    return sure(table.top_slot(seat))


def _hand(table: Table, seat: SeatNumber) -> tuple[Slot, ...]:
    return tuple(slot for slot in table.places[seat].hand if slot is not None)
