"""What happened, shown one after the other: cards travel, a moment is held, and the last picture is the table.

Law: the film is a function of what was added and of the seconds that have passed; it has no clock of its own. Pictures
only ever go forward. Whoever presses a key has seen enough: `skip` shows the end at once.
"""

import math
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from sm_p2p.rules.view import View
from sm_p2p.session.state import Match
from sm_p2p.ui.app.choices import Speed
from sm_p2p.ui.flights import Shot
from sm_p2p.ui.screen.model import Banner, LogLine, Model
from sm_p2p.ui.screen.spots import Spots

UNIT_S: Final = {Speed.SLOW: 0.5, Speed.NORMAL: 0.22, Speed.FAST: 0.1, Speed.OFF: 0.0}
FRAME_S: Final = 0.05
ALMOST_S: Final = 1e-9  # a moment that has begun
LAG_S: Final = 4.0  # the most that pictures may lie behind the match
LOG_LINES: Final = 5000  # of one match


@dataclass(frozen=True, slots=True)
class Scene:
    """One entry of the match: its pictures, and what is told as it begins and as it is over.

    `held_s` is how long the banner stays before anything else is shown; a key ends that too. A scene that only `follows`
    the one before it leaves a banner that is still seen where it is.
    """

    match: Match
    view: View | None
    shots: tuple[Shot, ...] = ()
    log: tuple[LogLine, ...] = ()
    marks: Spots | None = None  # None: as they were
    banner: Banner | None = None
    held_s: float = 0.0
    follows: bool = False

    @property
    def is_great(self) -> bool:
        """Whether its moment has to be seen: one with a score sheet."""
        return self.banner is not None and bool(self.banner.lines)


class Film:
    """The scenes that have not been shown to their end."""

    def __init__(self, speed: Speed = Speed.NORMAL, rate: float = 1.0) -> None:
        self.speed = speed
        self.rate = rate  # so many times as fast
        self._scenes: deque[Scene] = deque()
        self._shot = -1  # of the first scene; -1: it has not begun
        self._into = 0.0  # seconds

    @property
    def is_over(self) -> bool:
        """Whether everything has been shown."""
        return not self._scenes

    @property
    def is_held(self) -> bool:
        """Whether a moment is on the screen, and nothing behind it is shown before it is over."""
        return bool(self._scenes) and self._shot >= len(self._scenes[0].shots)

    @property
    def is_at_a_great_moment(self) -> bool:
        """Whether that moment has to be seen."""
        return self.is_held and self._scenes[0].is_great

    def add(self, scene: Scene) -> None:
        """Show this after everything else."""
        self._scenes.append(scene)

    def advance(self, model: Model, seconds: float) -> tuple[Model, float | None]:
        """The picture so many seconds later, and in how many seconds the next one is due (None: there is none)."""
        rush = self._rush()
        while self._scenes:
            scene = self._scenes[0]
            if self._shot < 0:
                model = _begun(model, scene)
                self._shot, self._into = 0, 0.0
            while self._shot < len(scene.shots):
                shot = scene.shots[self._shot]
                length = shot.pace.value * UNIT_S[self.speed] * rush / self.rate
                if self._into + seconds < length:
                    self._into += seconds
                    air = shot.air(int(1000 * self._into / length))
                    return replace(model, view=shot.view, air=air), min(FRAME_S, length - self._into)
                seconds -= length - self._into
                self._shot, self._into = self._shot + 1, 0.0
            if not self._into:
                model = _over(model, scene)
            if self._into + seconds < scene.held_s:
                self._into += max(seconds, ALMOST_S)
                left = scene.held_s - self._into
                return model, None if math.isinf(left) else left
            if scene.held_s:
                seconds = max(0.0, seconds - scene.held_s + self._into)
                model = replace(model, banner=None)
            self._leave()
        return model, None

    def skip(self, model: Model) -> tuple[Model, bool]:
        """The end at once, or the next great moment before it; and whether the key that asked for it has more to say.

        A great moment that is seen is over, and what follows it is shown as usual.
        """
        if self.is_at_a_great_moment:
            self._leave()
            return replace(model, banner=None), False
        while self._scenes:
            scene = self._scenes[0]
            if self._shot < 0:
                model = _begun(model, scene)
            if not self.is_held:
                model = _over(model, scene)
            if scene.is_great:
                self._shot, self._into = len(scene.shots), ALMOST_S
                return model, False
            self._leave()
        return replace(model, banner=None), True

    def _leave(self) -> None:
        self._scenes.popleft()
        self._shot, self._into = -1, 0.0

    def _rush(self) -> float:
        """How much shorter shots have to be, so that the pictures do not fall behind; at a rate that is asked for, more."""
        left = sum(shot.pace.value * UNIT_S[self.speed] for scene in self._scenes for shot in scene.shots)
        return min(1.0, LAG_S / left) if left else 1.0


def _begun(model: Model, scene: Scene) -> Model:
    log = (*model.log, *scene.log)[-LOG_LINES:]
    return replace(
        model, match=scene.match, log=log, hint=None, verdict=(), banner=model.banner if scene.follows else None
    )


def _over(model: Model, scene: Scene) -> Model:
    marks = model.marks if scene.marks is None else scene.marks
    banner = model.banner if scene.follows else scene.banner
    return replace(model, match=scene.match, view=scene.view, air=(), marks=marks, banner=banner)
