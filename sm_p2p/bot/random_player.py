"""Random players: legal moves by dice that are handed in; the least that an opponent can do."""

from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import Chooser
from sm_p2p.rules.view import View
from sm_p2p.stream import Stream


def uniform(dice: Stream) -> Chooser:
    """A player who makes any legal move with the same chance; it discards soon."""

    def choose(view: View) -> Move:
        moves = view.legal_moves
        return moves[dice.below(len(moves))]

    return choose


def play_first(dice: Stream) -> Chooser:
    """A player who makes any play to the centre while there is one, and any discard after that."""

    def choose(view: View) -> Move:
        moves = view.legal_moves
        plays = [move for move in moves if not move.ends_turn] or moves
        return plays[dice.below(len(plays))]

    return choose
