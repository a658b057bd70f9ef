"""The question whether to play with somebody, over whatever is on the screen.

Law: an answer is a key of its own and never one that was meant for something else; a question that nobody waits for any
more goes by itself.
"""

from collections.abc import Callable

from sm_p2p.session.talk import Agree, Asked, Person, Refuse
from sm_p2p.ui.app.layers import Answer, Layers
from sm_p2p.ui.persons import asked, tell_person
from sm_p2p.ui.screen.overlays import Ask
from sm_p2p.ui.words import Words


class Question:
    """At most one at a time; `decide` is told the wish that answers it."""

    def __init__(self, layers: Layers, decide: Callable[[Agree | Refuse], None]) -> None:
        self._layers = layers
        self._decide = decide

    def told(self, words: Words, news: Person) -> str:
        """Ask, or ask no more; what there is to say besides."""
        self._layers.drop(self._answer)
        if isinstance(news, Asked):
            self._layers.open(Ask(words.say("PLAY WITH THIS PLAYER?"), asked(words, news)), self._answer)
            return ""
        return "\n".join(tell_person(words, news))

    def _answer(self, answer: Answer) -> None:
        if answer is not None:  # which would mean that everything was put away
            self._decide(Agree() if answer is True else Refuse())
