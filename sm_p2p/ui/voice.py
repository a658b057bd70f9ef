"""What line mode answers with: the two forms of output are two voices that say the same things.

Law: a voice makes lines and has no effect; it never says anything about a hidden card of somebody else.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol

from sm_p2p.session.talk import News, Situation
from sm_p2p.ui.advice import Advice
from sm_p2p.ui.commands import Show, Unclear, Word
from sm_p2p.ui.tongue import Language


class Remark(StrEnum):
    """A short answer to what was typed; the value is its English sentence, `name` the word of it in JSON."""

    WAITS = "{move} waits for your turn; back takes it back."
    TAKEN_BACK = "No move waits now."
    FITS_NOWHERE = "The card at {place} fits no centre stack."
    FITS_SEVERAL = "The card at {place} fits {stacks}: say which, as in {place}-{stack}."
    NOT_YOUR_TURN = "It is not your turn."
    NO_TABLE = "No cards lie on the table yet."
    NO_STACK = "There is no {stack} in this game."
    NO_HINTS = "Hints are not allowed in this match."
    NO_GAME = "There is no game to resign now."
    NOBODY = "Nobody is there yet who could hear it."
    SURE = "To give this game up, say resign once more; anything else goes on with it."
    AWAY = "To send this player away, say refuse once more; anything else goes on with him."
    NO_QUESTION = "There is nothing to say yes or no to."
    ANSWER = "Enter or yes plays this variant, no declines it."
    WITH_HIM = "Say yes to play with this player, or no."
    STRANGER = "If this is not whom you wait for, refuse sends him away, before a card is played."
    OVER = "The match is over; quit leaves."
    LEAVING = "You leave; a match that has begun is kept."


class Voice(Protocol):
    """Everything as lines of text without their ends."""

    @property
    def language(self) -> Language:
        """What may be typed beside English."""
        ...

    def news(self, news: News, now: Situation) -> Iterable[str]:
        """What happened."""
        ...

    def turn(self, now: Situation) -> Iterable[str]:
        """A turn of ours has begun: the whole table."""
        ...

    def again(self, now: Situation) -> Iterable[str]:
        """Our turn goes on."""
        ...

    def look(self, what: Word | Show, now: Situation) -> Iterable[str]:
        """The answer to a question about the table, the match or the program."""
        ...

    def hint(self, advice: Advice, now: Situation) -> Iterable[str]:
        """A move that could be made, and why."""
        ...

    def unclear(self, what: Unclear) -> Iterable[str]:
        """A line that asks for nothing that there is."""
        ...

    def remark(self, remark: Remark, **values: str) -> Iterable[str]:
        """A short answer."""
        ...

    def notice(self, sentence: str) -> Iterable[str]:
        """A sentence that was made elsewhere."""
        ...
