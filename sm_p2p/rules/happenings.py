"""What happened between one table and the next, as values in the order in which it happened.

Law: sentences, sounds and animation are made from these, never from comparing two tables elsewhere.
"""

from dataclasses import dataclass
from typing import TypeAlias

from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import END, HAND_SIZE, ONTO_SIDE, Move
from sm_p2p.rules.parts import FULL, Outcome, Pile, Seat
from sm_p2p.rules.table import Table


@dataclass(frozen=True, slots=True)
class Played:
    """A card went onto a centre stack, where it stands for this rank (a king for 1…12)."""

    seat: Seat
    move: Move
    card: Card
    stands_for: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A hand card went onto an own side stack and ended the turn."""

    seat: Seat
    move: Move
    card: Card


@dataclass(frozen=True, slots=True)
class Passed:
    """The turn was ended with an empty hand and no discard."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Completed:
    """A centre stack (0…3) reached its twelfth card; bottom first."""

    stack: int
    cards: Pile


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The completed stack was shuffled into the stock, which then held so many cards."""

    stock: int


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A pay-off card was turned up; so many lie in the pile with it."""

    seat: Seat
    card: Card
    left: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A player's turn began."""

    seat: Seat
    turn: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A player drew from the stock, at the start of his turn or because a play had emptied his hand."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class StockRanOut:
    """A player needed more cards than the stock could give, and nothing was drawn."""

    seat: Seat
    needed: int
    stock: int


@dataclass(frozen=True, slots=True)
class TurnsRanOut:
    """The last turn that a game can have is over."""

    turn: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player gave the game up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over."""

    outcome: Outcome


Happening: TypeAlias = (
    Played
    | Discarded
    | Passed
    | Completed
    | Reshuffled
    | TurnedUp
    | TurnBegan
    | Drew
    | StockRanOut
    | TurnsRanOut
    | Resigned
    | Finished
)


def happened(before: Table, move: Move, card: Card | None, after: Table) -> tuple[Happening, ...]:
    """What `after = play(before, move, card)` did."""
    seat = before.to_move
    moved = before.open_card(move) if card is None else card
    if seat is None:
        raise TypeError("nobody could move")
    if move == END:
        return (Passed(seat), *_turn_over(before, after))
    if moved is None:
        raise TypeError("a hand card is moved with its face")
    if move & ONTO_SIDE:
        return (Discarded(seat, move, moved), *_turn_over(before, after))
    stack = move & 7
    played = Played(seat, move, moved, len(before.centre[stack]) + 1)
    if after.outcome is not None:
        won = after.places[seat].pay_off == 0
        ended = Finished(after.outcome)
        return (played, ended) if won else (played, StockRanOut(seat, HAND_SIZE, after.stock_count), ended)
    if after.owed is None:
        return (played,)
    _, hidden, _, draws = after.owed
    completed: tuple[Happening, ...] = ()
    if after.owed.shuffle:
        completed = Completed(stack, after.owed.shuffle), Reshuffled(len(hidden) + FULL)
    return (played, *completed, *((Drew(seat, len(draws)),) if draws else ()))


def shown(before: Table, after: Table) -> tuple[Happening, ...]:
    """What `after = turn_up(before, …)` or `settle(before, …)` did: at most one card turned up, perhaps turn 1 begun."""
    found: list[Happening] = [
        TurnedUp(seat, place.top, place.pay_off)
        for seat, place in enumerate(after.places)
        if place.top is not None and before.places[seat].top is None
    ]
    if before.to_move is None and after.to_move is not None:
        found.append(TurnBegan(after.to_move, after.turn))
    return tuple(found)


def given_up(seat: Seat, after: Table) -> tuple[Happening, ...]:
    """What `after = resign(…, seat)` did."""
    return (Resigned(seat), Finished(after.outcome)) if after.outcome is not None else ()


def _turn_over(before: Table, after: Table) -> tuple[Happening, ...]:
    """What followed the end of a turn: the next one with its draw, or the end of the game."""
    if after.to_move is not None:
        began = TurnBegan(after.to_move, after.turn)
        return (began, Drew(after.to_move, len(after.drawn))) if after.drawn else (began,)
    ended = () if after.outcome is None else (Finished(after.outcome),)
    if after.turn == before.turn:
        return TurnsRanOut(after.turn), *ended
    seat = 1 - (before.to_move or 0)
    return (
        TurnBegan(seat, after.turn),
        StockRanOut(seat, after.places[seat].hand.count(None), after.stock_count),
        *ended,
    )
