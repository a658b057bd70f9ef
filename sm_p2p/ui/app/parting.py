"""What comes after a match: once more, other terms, a last look at the table, or the way out.

Law: it is asked once the end was seen, and again whenever the player has looked enough; nothing is decided for him.
"""

from collections.abc import Callable
from typing import TypeAlias

from sm_p2p.rules.variant import Variant
from sm_p2p.session.talk import Wish
from sm_p2p.ui.app.layers import Answer, Layers
from sm_p2p.ui.app.terms import ROWS, listing, turned
from sm_p2p.ui.screen.overlays import Listing
from sm_p2p.ui.words import Words

Again: TypeAlias = Callable[[Variant | None], Wish]
"""Makes the wish for another match at this table: by these terms, or (None) by the same."""


class Parting:
    """The question; `decide` is told the wish that answers it, None for leaving."""

    def __init__(self, layers: Layers, decide: Callable[[Wish | None], None], again: Again | None = None) -> None:
        self.is_asked = False
        self._layers = layers
        self._decide = decide
        self._again = again

    def ask(self, words: Words, variant: Variant) -> None:
        """Ask, below whatever is being read or typed."""
        if self.is_asked:
            return
        self.is_asked = True
        again = self._again
        ways: list[tuple[str, Callable[[], None]]] = []
        if again is not None:
            ways.append((words.say("Once more on the same terms"), lambda: self._decide(again(None))))
            ways.append((words.say("Once more on other terms"), lambda: self._ask_terms(words, variant, again)))
        ways.append((words.say("Leave"), lambda: self._decide(None)))
        ways.append((words.say("Look at the table once more"), lambda: None))

        def answered(answer: Answer) -> None:
            if isinstance(answer, int):
                ways[answer][1]()

        entries = tuple((label, "") for label, _ in ways)
        self._layers.open_below(Listing(words.say("THE MATCH IS OVER"), entries), answered)

    def ask_again(self, words: Words, variant: Variant) -> None:
        """Ask once more somebody who has looked at the table."""
        self.is_asked = False
        self.ask(words, variant)

    def _ask_terms(self, words: Words, variant: Variant, again: Again) -> None:
        chosen, title, done = variant, words.say("OTHER TERMS"), words.say("Play by these")

        def turn(at: int, by: int) -> Listing | None:
            nonlocal chosen
            if at == len(ROWS):
                return None
            chosen = turned(chosen, at, by)
            return listing(words, chosen, title, done, at)

        def answered(answer: Answer) -> None:
            if answer is None:
                self.ask_again(words, variant)
            else:
                self._decide(again(chosen))

        self._layers.open(listing(words, chosen, title, done), answered, turn)
