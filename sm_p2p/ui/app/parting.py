"""What comes after a match: once more, other terms, a last look at the table, or the way out.

Law: it is asked once the end was seen, and again whenever the player has looked enough; nothing is decided for him.
"""

from collections.abc import Callable
from enum import Enum

from sm_p2p.rules.variant import Variant
from sm_p2p.session.talk import Again, Leave
from sm_p2p.ui.app.layers import Answer, Layers
from sm_p2p.ui.app.terms import Bargain
from sm_p2p.ui.screen.overlays import Listing
from sm_p2p.ui.words import Words


class Sequels(Enum):
    """Which other match a player can ask for when one is over."""

    NONE = "none"
    SAME = "one by the host's terms"
    ANY = "one by terms of his own"


class Parting:
    """The question; `decide` is told the wish that answers it."""

    def __init__(
        self, layers: Layers, decide: Callable[[Again | Leave], None], sequels: Sequels = Sequels.NONE
    ) -> None:
        self.is_asked = False
        self._layers = layers
        self._decide = decide
        self._sequels = sequels
        self._has_wished = False  # for another match
        self._is_wanted = False  # by the other side, who would like another match
        self._is_alone = False  # the other side has left

    def ask(self, words: Words, variant: Variant) -> None:
        """Ask, below whatever is being read or typed."""
        if self.is_asked:
            return
        self.is_asked = True
        ways: list[tuple[str, Callable[[], None]]] = []
        if not self._has_wished and not self._is_alone:
            if self._sequels is not Sequels.NONE:
                ways.append((words.say("Once more on the same terms"), lambda: self._wish(Again())))
            if self._sequels is Sequels.ANY:
                ways.append((words.say("Once more on other terms"), lambda: self._ask_terms(words, variant)))
        ways.append((words.say("Leave"), lambda: self._decide(Leave())))
        ways.append((words.say("Look at the table once more"), lambda: None))
        self._ways = ways
        entries = tuple((label, "") for label, _ in ways)
        self._layers.open_below(
            Listing(words.say("THE MATCH IS OVER"), entries, lines=self._lines(words)), self._answer
        )

    def ask_again(self, words: Words, variant: Variant) -> None:
        """Ask once more somebody who has looked at the table."""
        self.is_asked = False
        self.ask(words, variant)

    def wanted(self, words: Words, variant: Variant) -> None:
        """The other side would like another match."""
        self._is_wanted = True
        self._renew(words, variant)

    def left(self, words: Words, variant: Variant) -> None:
        """The other side has left: there is no other match here."""
        self._is_alone = True
        self._renew(words, variant)

    def _renew(self, words: Words, variant: Variant) -> None:
        """Ask anew if it was asked, since something has changed; also somebody who waits."""
        if self.is_asked:
            self._layers.drop(self._answer)
            self.ask_again(words, variant)

    def _lines(self, words: Words) -> tuple[str, ...]:
        name = words.name(1 if words.you is None else 1 - words.you)
        if self._is_alone:
            return (words.say("{name} has left.", name=name),)
        if self._has_wished:
            return (words.say("{name} was asked for another match.", name=name),)
        return (words.say("{name} would like another match.", name=name),) if self._is_wanted else ()

    def _answer(self, answer: Answer) -> None:
        if isinstance(answer, int):
            self._ways[answer][1]()

    def _wish(self, wish: Again) -> None:
        self._has_wished = True
        self._decide(wish)

    def _ask_terms(self, words: Words, variant: Variant) -> None:
        bargain = Bargain(words, variant, words.say("OTHER TERMS"), words.say("Play by these"))

        def answered(answer: Answer) -> None:
            if answer is None:
                self.ask_again(words, variant)
            else:
                self._wish(Again(bargain.chosen))

        self._layers.open(bargain.listing(), answered, bargain.turn)
