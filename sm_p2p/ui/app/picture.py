"""The model that is on the screen, and who has to know when it changes."""

from collections.abc import Callable
from dataclasses import replace

from sm_p2p.ui.screen.model import Model


class Picture:
    """The model; every change of it goes through here, and only a change is drawn."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.model = Model()
        self._changed = changed

    def show(self, model: Model) -> None:
        """This is to be seen from now on."""
        if model is not self.model and model != self.model:
            self.model = model
            self._changed()

    def say(self, sentence: str) -> None:
        """One sentence in the status line, until a key is pressed."""
        self.show(replace(self.model, message=sentence))
