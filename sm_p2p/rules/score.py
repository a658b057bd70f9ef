"""The score of a match: games in order, points that add up, who begins a tie-break, when it is over."""

from typing import NamedTuple

from sm_p2p.rules.parts import Outcome, Seat
from sm_p2p.rules.variant import Variant


class Score(NamedTuple):
    """The points of both players after so many games, and who began the last game that had a beginner.

    >>> from sm_p2p.rules.parts import How
    >>> Score((47, 38), 9, 0).after(Outcome(How.WIN, 1, 5), 1)
    Score(points=(47, 43), games=10, began=1)
    """

    points: tuple[int, int] = (0, 0)
    games: int = 0
    began: Seat | None = None

    def after(self, outcome: Outcome, began: Seat | None) -> "Score":
        """The score with one more game; `began` is the `Table.began` of that game, None if it ended in the deal."""
        points = list(self.points)
        if outcome.winner is not None:
            points[outcome.winner] += outcome.points
        return Score((points[0], points[1]), self.games + 1, self.began if began is None else began)

    @property
    def tie_break(self) -> Seat:
        """Who begins the next game if the pay-off tops are equal: who joined, later who did not begin before."""
        return 1 if self.began is None else 1 - self.began

    def winner(self, variant: Variant) -> Seat | None:
        """Who has won the match, or None while it goes on; the points are not capped."""
        return next((seat for seat in (0, 1) if self.points[seat] >= variant.target), None)
