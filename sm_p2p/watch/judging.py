"""Games whose keys were revealed, looked at by the hardest level: each move beside its own, from what the player knew.

Law: a player is judged by his hand and by what lay open, though all cards are known here. An analysis follows from the
log alone.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sm_p2p.bot.analysis import GAMES, OFF, judgement
from sm_p2p.errors import sure
from sm_p2p.log.entry import Entry
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.session.events import MOVED, Moved, event_of
from sm_p2p.ui.reel import HIDDEN, Hands, Reel
from sm_p2p.ui.verdicts import Analysis, Verdict

Overall: TypeAlias = Callable[[int, int], None]
"""Called with how many moves are judged, and how many there are."""


class Judged(NamedTuple):
    """What is thought of a game; None: that was all."""

    analysis: Analysis | None

    def put(self, reel: Reel) -> None:
        """Let the reel have it."""
        if self.analysis is not None:
            reel.judge(self.analysis)


def analyses(reel: Reel, games: Sequence[int], tell: Overall = lambda _done, _all: None) -> Iterator[Analysis]:
    """What is thought of these games, whose hands have to be known."""
    moves = [(game, _moves(reel, game)) for game in games]
    done, every = 0, sum(len(made) for _, made in moves)
    for game, made in moves:
        verdicts = []
        for place, move in made:
            verdicts.append(_verdict(reel, place, move))
            done += 1
            tell(done, every)
        yield Analysis(game, tuple(verdicts), OFF, GAMES)


def open_games(reel: Reel) -> tuple[int, ...]:
    """The games whose hands are known, in order."""
    places = range(len(reel) + 1)
    return tuple(sorted({reel.match(place).game_number for place in places if reel.hands(place) is Hands.KNOWN}))


def _moves(reel: Reel, game: int) -> list[tuple[int, Move]]:
    """The moves of a game, each with the place behind it."""
    found = []
    for place in range(1, len(reel) + 1):
        entry = reel.news(place).entry
        if entry.kind == MOVED and reel.match(place - 1).game_number == game:
            found.append((place, Move.parse(_moved(entry))))
    return found


def _verdict(reel: Reel, place: int, move: Move) -> Verdict:
    table, faces = sure(reel.match(place - 1).game).table, reel.faces(place - 1) or HIDDEN
    seat = sure(table.to_move)
    view = View(table, seat, {slot: faces[slot] for slot in table.places[seat].hand if slot is not None})
    turn, _, made, best = judged = judgement(view, move)
    cards = view.face(made.move), view.face(best.move)
    return Verdict(place, turn, seat, made.move, cards[0], best.move, cards[1], made.chance, judged.loss)


def _moved(entry: Entry) -> str:
    match event_of(entry.kind, entry.data):
        case Moved(move):
            return move
        case event:
            raise TypeError(f"{event!r} is no move")
