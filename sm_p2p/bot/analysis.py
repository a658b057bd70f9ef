"""Analysis: what each legal move is worth as a chance to win, for one position and for every move of a game.

Law: a chance is judged from what the player to move knew, never from hidden cards. How far it is off is measured with
`python -m scripts.making.values --calibrate`: on 600 fresh games of `hard` against itself by 1 in 100 on average.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sm_p2p.bot.levels import move_of
from sm_p2p.bot.planner import FROM_HAND, PASS, Planner, Step
from sm_p2p.bot.position import Position, position_of
from sm_p2p.bot.values import Judge, chance
from sm_p2p.rules.moves import END, HAND, ONTO_SIDE, PAY_OFF, SIDE, Move
from sm_p2p.rules.open_game import OpenGame
from sm_p2p.rules.parts import Seat
from sm_p2p.rules.view import View

BOUND: Final = 60  # positions that are looked at behind each move


class Option(NamedTuple):
    """A legal move, and the chance to win of whoever makes it and goes on well."""

    move: Move
    chance: float


class Judgement(NamedTuple):
    """A move that was made, and the best one there."""

    turn: int
    seat: Seat
    made: Option
    best: Option

    @property
    def loss(self) -> float:
        """How much of the chance to win the move has cost."""
        return self.best.chance - self.made.chance


def options(view: View) -> tuple[Option, ...]:
    """Every legal move with its chance, the best first; none when it is not this player's turn.

    >>> from sm_p2p.rules.sketch import Sketch
    >>> first, *_ = options(Sketch(centre=(3, 0, 0), hand="4S 9S", top="5H", pay_off=1).game().view(0))
    >>> str(first.move), first.chance
    ('h1-c1', 1.0)
    """
    moves = view.legal_moves
    if not moves:
        return ()
    position = position_of(view)
    worth = dict(Planner(Judge(position), BOUND).first_steps())
    found = [Option(move, chance(worth[_step(view, position, move)])) for move in moves]
    preferred = move_of(view, max(worth, key=lambda step: worth[step]))
    return tuple(sorted(found, key=lambda option: (-option.chance, option.move != preferred, option.move)))


def judgements(start: OpenGame, moves: Iterable[tuple[Move, OpenGame]]) -> Iterator[Judgement]:
    """Each move of a game whose cards lie open, as `play_out` or a replay gives them, with the best one there."""
    before = start
    for move, after in moves:
        seat = before.table.to_move
        if seat is not None:
            found = options(before.view(seat))
            made = next(option for option in found if option.move == move)
            yield Judgement(before.table.turn, seat, made, found[0])
        before = after


def _step(view: View, position: Position, move: Move) -> Step:
    """The step that stands for a move: places that make no difference are one."""
    card = view.face(move)
    if move == END or card is None:
        return PASS
    source, target = move >> 3, move & 7
    if target < ONTO_SIDE:
        target = position.heights.index(position.heights[target])
    elif not position.sides[target - ONTO_SIDE]:
        target = ONTO_SIDE + position.sides.index(())
    return PAY_OFF if source == PAY_OFF else FROM_HAND if HAND <= source < SIDE else source, card.rank, target
