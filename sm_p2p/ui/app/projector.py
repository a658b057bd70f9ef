"""The film of a match on its way to the screen, and the other player's last turn, to be stepped through again.

Law: the projector runs only while there is something to show; then the picture is settled by whoever knows how things
stand, and `ended` is told.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from sm_p2p.ui.app.choices import Speed
from sm_p2p.ui.app.film import Film, Scene
from sm_p2p.ui.app.picture import Picture
from sm_p2p.ui.app.timers import Timers
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.words import Words, tell


def nothing() -> None:
    """Nobody waits for the end."""


class Projector:
    """Shows scenes one after the other; `settle` makes of a model what it is once everything was shown."""

    def __init__(
        self,
        picture: Picture,
        timers: Timers,
        settle: Callable[[Model], Model],
        speed: Speed,
        ended: Callable[[], None] = nothing,
    ) -> None:
        self._picture = picture
        self._timers = timers
        self._settle = settle
        self._ended = ended
        self._film = Film(speed)
        self._rolled_at: float | None = None
        self._last: list[Scene] = []  # of the other's last turn
        self._again: int | None = None  # which of them is looked at

    def run_at(self, speed: Speed, rate: float = 1.0) -> None:
        """Cards travel so fast from now on."""
        self._film.speed, self._film.rate = speed, rate

    @property
    def is_over(self) -> bool:
        """Whether the screen shows how things stand."""
        return self._film.is_over and self._again is None

    @property
    def is_known(self) -> bool:
        """Whether everything that the screen shows was seen before."""
        return self._film.is_over or self._again is not None

    def add(self, scene: Scene) -> None:
        """Show this behind everything else."""
        self._film.add(scene)

    def remember(self, scene: Scene) -> None:
        """This belongs to the other's last turn."""
        self._last.append(scene)

    def forget(self) -> None:
        """A turn of the other's begins."""
        self._last = []

    def roll(self) -> None:
        """Let the film run on."""
        now = asyncio.get_running_loop().time()
        passed = 0.0 if self._rolled_at is None else now - self._rolled_at
        model, due = self._film.advance(self._picture.model, passed)
        if self._film.is_at_a_great_moment and not model.message:
            model = replace(model, message=model.words.say("Any key goes on."))
        self._picture.show(self._settle(model))
        self._rolled_at = None if self._film.is_over else now
        if due is None:
            self._timers.cancel("film")
        else:
            self._timers.later("film", due, self.roll)
        if self._film.is_over:
            self._ended()

    def skip(self) -> bool:
        """Somebody presses a key: show the end at once; whether the key has more to say than that."""
        if self._film.is_over:
            return True
        model, has_more = self._film.skip(replace(self._picture.model, message=""))
        self._picture.show(self._settle(model))
        self._rolled_at = None
        self.roll()
        return has_more

    def step_again(self, words: Words) -> bool:
        """Show the next part of the other's last turn once more; behind the last one, how things stand.

        Whether there is such a turn.
        """
        at = 0 if self._again is None else self._again + 1
        if at >= len(self._last):
            self.end_again()
            return at > 0
        self._again = at
        part = self._last[at]
        said = " ".join(tell(words, line.what) for line in part.log if not isinstance(line.what, str))
        self._film.add(replace(part, log=(), banner=None, held_s=0.0, match=self._picture.model.match))
        self.roll()
        self._picture.say(words.say("{at} of {all}: {said}", at=at + 1, all=len(self._last), said=said))
        return True

    def end_again(self) -> bool:
        """Show how things stand; whether something else was shown."""
        if self._again is None:
            return False
        self._again = None
        self.skip()
        self._picture.show(self._settle(replace(self._picture.model, message="")))
        return True
