"""A reel on its way through the screen: at which place it stands, how it is looked at, and how it runs.

Law: however one came to a place, what is seen there in the end is the picture of that place. What is said to be checked
is what somebody has told to be checked.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sm_p2p.ui.app.choices import Speed
from sm_p2p.ui.app.picture import Picture
from sm_p2p.ui.app.projector import Projector
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.app.timers import Timers
from sm_p2p.ui.reel import Reel, pause
from sm_p2p.ui.screen.model import Checked, Model, Replay

CATCH_UP: Final = 4  # more entries than these are not shown one by one to whoever follows


class Playback:
    """Shows one reel; `speed` is asked how fast cards travel. It begins where the first game lies dealt."""

    def __init__(self, reel: Reel, stills: Stills, picture: Picture, speed: Callable[[], Speed]) -> None:
        self.how = Replay(speed="1")
        self.place = reel.first
        self._reel = reel
        self._stills = stills
        self._picture = picture
        self._speed = speed
        self._timers = Timers()
        self._projector = Projector(picture, self._timers, self._settled, speed(), self._seen)
        self._known = len(reel)
        self._is_at_end = False  # wherever that will be, once everything is read

    def close(self) -> None:
        """Nothing waits any more."""
        self._timers.cancel_all()

    def grown(self, entries: int, *, is_live: bool) -> None:
        """The reel has grown; so many entries are to come in all, as far as that is known."""
        waited, self._known = self.place == self._known and self._projector.is_over, len(self._reel)
        self._stills.prepare()
        self.look(replace(self.how, entries=entries, is_live=is_live))
        if not waited or self.place == self._known:
            return
        if self._is_at_end:
            self.go_to_end()
        elif self.how.is_playing:
            self._next()
        elif self.how.follows:
            self._catch_up()

    def cut(self, *, is_cut: bool) -> None:
        """Whoever it comes from cannot be reached just now, or can again."""
        self.look(replace(self.how, is_cut=is_cut))

    def know(self, checked: Checked) -> None:
        """So much of the log is known to be right."""
        self.look(replace(self.how, checked=checked))

    def look(self, how: Replay) -> None:
        """Look at it like this from now on."""
        self.how = how
        self._picture.show(self._settled(self._picture.model))

    def look_anew(self, how: Replay) -> None:
        """The same where the cards on their way would look otherwise: they are there at once."""
        self.how = how
        self._projector.skip()
        self.look(how)

    def go(self, place: int) -> None:
        """Be there at once."""
        self._timers.cancel("play")
        self.place, self._is_at_end = place, False
        self.look_anew(replace(self.how, follows=False))
        self._seen()

    def go_to_end(self) -> None:
        """Be at the end; while the log is still being read, at what is its end then."""
        self.go(len(self._reel))
        self._is_at_end = self.is_reading

    @property
    def is_reading(self) -> bool:
        """Whether more entries are there than were read so far."""
        return len(self._reel) < self.how.entries

    def step_on(self) -> bool:
        """One entry on, and the way there is seen; False at the end."""
        if self.place == len(self._reel):
            return False
        self._projector.skip()
        self._timers.cancel("play")
        self.place, self._is_at_end = self.place + 1, False
        speed, rate = self._speed(), float(self.how.speed)
        self._projector.run_at(speed, rate)
        self._projector.add(self._stills.scene(self.place, self.how, speed, rate))
        self._projector.roll()
        return True

    def play(self) -> bool:
        """Entry by entry from here on; False at the end."""
        if self.place == len(self._reel) and not self._awaits_more:
            return False
        self.look(replace(self.how, is_playing=True))
        self._next()
        return True

    def pause(self) -> None:
        """Stand still, once the cards are there that are on their way."""
        self._timers.cancel("play")
        self.look(replace(self.how, is_playing=False))

    def run_at(self, rate: str) -> None:
        """Play so many times as fast."""
        self._projector.run_at(self._speed(), float(rate))
        self.look(replace(self.how, speed=rate))

    def follow(self) -> bool:
        """Go to the end, and on with it; False where nothing more will come."""
        if not self.how.is_live:
            return False
        self.go(len(self._reel))
        self.look(replace(self.how, follows=True, is_playing=False))
        return True

    @property
    def _awaits_more(self) -> bool:
        return self.how.is_live or self.is_reading

    def _next(self) -> None:
        """The next entry; at the end of what is there, it stands still or waits for more."""
        if not self.step_on() and not self._awaits_more:
            self.pause()

    def _seen(self) -> None:
        """The way to this place was seen."""
        if self.how.is_playing:
            self._timers.later("play", pause(self._reel.match(self.place)) / float(self.how.speed), self._next)
        elif self.how.follows and self.place < len(self._reel):
            self._timers.later("play", 0, self._next)

    def _catch_up(self) -> None:
        """Show what has come meanwhile; where that is much, only its end."""
        if len(self._reel) - self.place > CATCH_UP:
            self.follow()
        else:
            self.step_on()

    def _settled(self, model: Model) -> Model:
        """The picture of this place, once the way to it was seen."""
        if not self._projector.is_over:
            return replace(model, replay=self._stills.replay(self.place, self.how))
        still = self._stills.model(self.place, self.how)
        return replace(
            still,
            overlay=model.overlay,
            message=model.message,
            log_scroll=model.log_scroll,
            chat_scroll=model.chat_scroll,
        )
