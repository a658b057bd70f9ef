"""Who sits before a simulated machine: what he does next, by dice."""

import random
from dataclasses import dataclass

from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View


@dataclass(slots=True)
class Person:
    """A temper: how long he thinks, how he plays, how often he talks and gives up (each for one moment)."""

    dice: random.Random
    slowest: float  # seconds
    talks: float
    quits: float
    words: int  # how much he has to say
    said: int = 0

    @property
    def thought(self) -> float:
        """How long he thinks this time."""
        return self.dice.random() * self.slowest

    def choose(self, view: View) -> Move:
        """A play where there is one, mostly; else any discard."""
        moves = view.legal_moves
        plays = [move for move in moves if not move.ends_turn]
        return plays[0] if plays and self.dice.random() < 0.9 else self.dice.choice(moves)

    def line(self, name: str) -> str:
        """The next thing to say; no two are alike."""
        self.said += 1
        return f"{name} says {self.said}"
