"""What the world does to two machines and the link between them."""

import random
from dataclasses import dataclass
from typing import Final

CALM_LATENCY: Final = 0.1  # seconds, at most


@dataclass(frozen=True, slots=True)
class Weather:
    """Chances.

    Per frame: lost, doubled, damaged in one bit (if what it says is signed), late; per step: the link is cut, a machine
    killed, its files copied, old ones put back; per effect: the process dies with it.

    `latest`: how late, in seconds; `torn`: whoever is killed with an effect that writes is killed in the middle of it;
    `ghosts`: a frame of an earlier connection arrives; `blind`: how long a side may not notice that the link is gone;
    `away`: how long a link or a process is gone, both in seconds.
    """

    drop: float = 0.0
    repeat: float = 0.0
    flip: float = 0.0
    late: float = 0.0
    latest: float = CALM_LATENCY
    cut: float = 0.0
    kill: float = 0.0
    doom: float = 0.0
    torn: float = 0.0
    ghosts: float = 0.0
    backups: float = 0.0
    restores: float = 0.0
    blind: float = 0.0
    away: float = 1.0


CALM: Final = Weather()
YESTERDAY: Final = Weather(drop=0.4, late=0.4, latest=3.0, backups=0.3, restores=0.03, away=0.2)

OUTAGES: Final = Weather(drop=0.3, doom=0.04, torn=0.6, away=0.2)


def storm(dice: random.Random) -> Weather:
    """Some of the faults that there are, and more or less of each."""
    most = {
        "drop": 0.6,
        "repeat": 0.5,
        "flip": 0.5,
        "late": 0.6,
        "cut": 0.04,
        "kill": 0.02,
        "doom": 0.06,
        "restores": 0.03,
    }
    some = dice.sample(sorted(most), dice.randint(1, 5))
    return Weather(
        **{fault: most[fault] * dice.random() for fault in some},
        latest=dice.choice([0.2, 1.0, 6.0]),
        torn=dice.random(),
        ghosts=dice.choice([0.0, 0.3]),
        backups=0.1 if "restores" in some else 0.0,
        blind=dice.choice([0.0, 3.0]),
        away=dice.choice([0.2, 2.0, 30.0]),
    )
