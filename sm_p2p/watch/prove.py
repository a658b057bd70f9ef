"""The proofs of a match that is followed, checked behind what is shown: those of the latest game first.

Law: what is said to be checked was checked, entry by entry, from a match that the same entries have led to. A game whose
proofs hold says nothing about an earlier one; the first wrong proof of any of them stops everything.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from sm_p2p.errors import Fault
from sm_p2p.log.entry import read_envelope
from sm_p2p.session.effects import Stopped
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import CHECKED
from sm_p2p.session.state import Match, State


class Proved(NamedTuple):
    """How many entries of the latest game were checked, and of how many; the same for all games."""

    latest: int
    of_latest: int
    done: int
    total: int

    @property
    def is_latest_proved(self) -> bool:
        """Whether every proof of the latest game holds."""
        return self.latest == self.of_latest

    @property
    def is_all_proved(self) -> bool:
        """Whether every proof of the match holds."""
        return self.done == self.total


@dataclass(slots=True)
class _Game:
    """The entries that one game's proofs stand in, and the match after those that were checked."""

    match: Match
    raws: list[bytes] = field(default_factory=list)
    done: int = 0


class Prover:
    """The work that is left; `work` may be done in another thread than `append`, one call at a time."""

    def __init__(self) -> None:
        self._games: list[_Game] = []

    @property
    def proved(self) -> Proved:
        """How far it is."""
        latest = self._games[-1] if self._games else _Game(Match())
        counts = [(game.done, len(game.raws)) for game in self._games]
        return Proved(latest.done, len(latest.raws), sum(done for done, _ in counts), sum(of for _, of in counts))

    @property
    def is_idle(self) -> bool:
        """Whether nothing is left to do."""
        return all(game.done == len(game.raws) for game in self._games)

    def append(self, before: Match, raw: bytes) -> None:
        """One more entry, and the match that it follows. The entries that open the next game's keys belong to that one."""
        number = before.game_number + (before.state in {State.REVEAL, State.FOLLOW})
        if number > len(self._games):
            self._games.append(_Game(before))
        self._games[-1].raws.append(raw)

    def work(self) -> Stopped | None:
        """Check the proofs of one more entry, if there is one; what is wrong with them."""
        for game in reversed(self._games):
            if game.done < len(game.raws):
                raw = game.raws[game.done]
                try:
                    game.match = advance(game.match, admit(game.match, raw), CHECKED)
                except Fault as fault:
                    wrong = read_envelope(raw)
                    return Stopped(fault.code, wrong.seq, wrong.author, fault.sentence)
                game.done += 1
                return None
        return None
