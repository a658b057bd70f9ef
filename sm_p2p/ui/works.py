"""What both sides compute between two turns: a deal, a reshuffle, the keys of a finished game; and how far they are.

Law: every step is one entry of the log, so what counts as done is what both can prove; nothing is guessed from time.
"""

from typing import Final, NamedTuple

from sm_p2p.errors import sure
from sm_p2p.rules.moves import Move
from sm_p2p.rules.play import play
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import Resign, Situation
from sm_p2p.ui.words import Words

DEAL_STEPS: Final = (
    4  # a key and a shuffle of each player, and the first cards opened: four entries, whoever writes them
)
TWO_STEPS: Final = 2  # one entry of each player


class Work(NamedTuple):
    """What is being done, and how many of its steps are done."""

    what: str
    done: int
    steps: int


def under_way(words: Words, now: Situation, awaited: Move | Resign | None) -> Work | None:
    """What our own move waits for, as long as it is not in the log; else what both sides are doing."""
    view = now.view
    if isinstance(awaited, Move) and view is not None and awaited in view.legal_moves:
        owed = play(view.table, awaited, view.face(awaited)).owed
        is_long = owed is not None and bool(owed.shuffle)
        return Work(_shuffles(words, now.seat), 0, TWO_STEPS) if is_long else None
    return work_of(words, now.match)


def work_of(words: Words, match: Match) -> Work | None:
    """What is under way in this match; None while a player is to move, or nobody sits there yet."""
    match match.state:
        case State.DEAL:
            return Work(_shuffles(words, sure(match.speaker)), 1, DEAL_STEPS)
        case State.SHUFFLE:
            return Work(_shuffles_again(words, sure(match.speaker)), 2, DEAL_STEPS)
        case State.SHOW:
            return Work(words.say("The first cards are being opened."), 3, DEAL_STEPS)
        case State.ANSWER if sure(match.game).half is not None:
            return Work(_shuffles_again(words, sure(match.speaker)), 1, TWO_STEPS)
        case State.ANSWER:
            return Work(words.say("The next cards are being opened."), 1, TWO_STEPS)
        case State.REVEAL | State.FOLLOW if match.is_over:
            return Work(_open_keys(words), int(match.state is State.FOLLOW), TWO_STEPS)
        case State.REVEAL:
            return Work(_open_keys(words), 0, DEAL_STEPS)
        case State.FOLLOW:
            return Work(_shuffles(words, sure(match.speaker)), 1, DEAL_STEPS)
        case _:
            return None


def _shuffles(words: Words, seat: int) -> str:
    return words.of(seat, "You shuffle the cards.", "{name} shuffles the cards.")


def _shuffles_again(words: Words, seat: int) -> str:
    return words.of(seat, "You shuffle the cards once more.", "{name} shuffles the cards once more.")


def _open_keys(words: Words) -> str:
    return words.say("The keys of this game are being opened.")
