"""A hint: who is asked for it, in a thread of its own, and the one line of why.

Law: a reason is a word of a closed list that the adviser owns; its sentence is made here. While the adviser thinks, the
loop goes on, and what he says about a table that has changed meanwhile is not told.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

from sm_p2p.errors import sure
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.ui.words import Words, mark, mark_plural


class Advice(Protocol):
    """A move and the reason for it."""

    @property
    def move(self) -> Move:
        """What is advised."""
        ...

    @property
    def reason(self) -> str:
        """A word of `SENTENCES` or `COUNTED`."""
        ...

    @property
    def values(self) -> Mapping[str, str | int]:
        """What the sentence names."""
        ...


Adviser: TypeAlias = Callable[[View], Advice]

SENTENCES: Final[Mapping[str, str]] = {
    "pay-off": mark("one pay-off card less"),
    "frees-pay-off": mark("then the pay-off card {card} fits {stack}"),
    "blocks": mark("{card} of the other then does not fit {stack}"),
    "withholds": mark("keeps back what {card} of the other waits for on {stack}"),
    "completes": mark("completes {stack}"),
    "uncovers": mark("uncovers {card} on side stack {stack}"),
    "frees-side": mark("frees side stack {stack}"),
    "towards": mark("leads {stack} towards the pay-off card {card}"),
    "makes-room": mark("makes room in the hand"),
    "keeps-king": mark("a king is better kept"),
    "run": mark("goes on downwards from {card}"),
    "same-rank": mark("lies on a card of its rank, {card}"),
    "empty-side": mark("{stack} is empty"),
    "below": mark("lower than {card}, so it goes first"),
    "least": mark("nothing better can be discarded there"),
    "no-hand": mark("your hand is empty"),
}
COUNTED: Final[Mapping[str, tuple[str, str]]] = {  # by {plays}
    "wins": mark_plural("wins the game", "wins the game in {n} plays"),
    "leads": mark_plural(
        "after {n} play the pay-off card {card} fits {stack}",
        "after {n} plays the pay-off card {card} fits {stack}",
    ),
    "new-hand": mark_plural("empties the hand: five new cards", "empties the hand in {n} plays: five new cards"),
}


def why(words: Words, advice: Advice) -> str:
    """What speaks for the move."""
    values = advice.values
    if advice.reason in COUNTED:
        one, many = COUNTED[advice.reason]
        rest = {key: value for key, value in values.items() if key != "plays"}
        return words.count(one, many, int(values["plays"]), **rest)
    return words.say(SENTENCES[advice.reason], **values)


class Counsel:
    """Whoever is asked for hints; one question at a time."""

    def __init__(self, adviser: Adviser | None) -> None:
        self._adviser = adviser
        self._answer: asyncio.Future[Advice] | None = None

    @property
    def is_there(self) -> bool:
        """Whether anybody can be asked."""
        return self._adviser is not None

    @property
    def is_thinking(self) -> bool:
        """Whether an answer is on its way."""
        return self._answer is not None

    def ask(self, view: View, told: Callable[[View, Advice], None]) -> None:
        """Ask for a hint; `told` is called in the loop with the view that it is about, unless it was forgotten."""
        answer = self._answer = asyncio.get_running_loop().run_in_executor(None, sure(self._adviser), view)

        def done(answered: "asyncio.Future[Advice]") -> None:
            if answered is self._answer:
                self._answer = None
                told(view, answered.result())

        answer.add_done_callback(done)

    def forget(self) -> None:
        """Whatever was asked is of no use any more."""
        self._answer = None
