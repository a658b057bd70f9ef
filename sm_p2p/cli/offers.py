"""Where matches wait, a person is asked what he wants: to go on, another match, or to give one up.

Law: it is asked before a table opens, since the host decides which match is played and does not know who will come; an
old match goes on only if both want that. Scripts and computers are never asked: for them a match that waits goes on.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

from sm_p2p.cli.asking import answer_at_terminal, is_a_terminal
from sm_p2p.cli.matches import summary
from sm_p2p.cli.shelf import Shelved
from sm_p2p.cli.sitting import Occasion, Offer, Sitter, Wanted
from sm_p2p.ui.lexicon import answer, english
from sm_p2p.ui.words import Words, mark

WORDS: Final = Words()
WAYS: Final = (mark("new"), mark("resign"), mark("quit"))
TRIES: Final = 5  # wrong answers, after which it is the same as leaving


class Screen(Protocol):
    """What asks in the full screen; named here, so that line mode does without all that it is made of."""

    async def menu(self, title: str, entries: Sequence[tuple[str, str]], lines: Sequence[str] = ()) -> int | None:
        """Which of the entries (label, value) was chosen; None: back."""


def settled_in_lines(sitter: Sitter, occasion: Occasion) -> Occasion | None:
    """The table as this player wants it; None: he leaves."""
    arguments = sitter.arguments
    is_person = not (sitter.is_computer or arguments.json or arguments.yes or arguments.tied)
    if occasion.offer is None or not is_person or not is_a_terminal():
        return occasion
    found = occasion.offer.waiting(sitter.seat)
    if not found:
        return occasion
    for _ in range(TRIES):
        said = answer_at_terminal(_question(found)) or ""
        if answer(said, WORDS.language) is True:
            return occasion
        match [english(word, WAYS, WORDS.language) for word in said.split()]:
            case []:
                return occasion
            case ["new"] | ["n"]:
                return occasion.offer.taken(Wanted(is_new=True))
            case ["resign"] if len(found) == 1:
                return _given_up(occasion.offer, found[0])
            case ["resign", number] if number in {str(at) for at in range(1, len(found) + 1)}:
                return _given_up(occasion.offer, found[int(number) - 1])
            case ["quit"] | ["q"]:
                return None
            case _:
                continue
    return None


async def settled_on_screen(sitter: Sitter, occasion: Occasion, terminal: Screen) -> Occasion | None:
    """The table as this player wants it; None: he goes back."""
    offer = occasion.offer
    if offer is None or sitter.arguments.yes:
        return occasion
    found = await asyncio.to_thread(partial(offer.waiting, sitter.seat))
    if not found:
        return occasion
    entries = [
        (WORDS.say("Go on"), WORDS.say("with whoever of them comes") if len(found) > 1 else summary(found[0])),
        (
            WORDS.say("Begin another match"),
            WORDS.say("this one is kept") if len(found) == 1 else WORDS.say("these are kept"),
        ),
        *((WORDS.say("Resign to {name}", name=one.opponent), summary(one)) for one in found),
    ]
    title = WORDS.count("A MATCH WAITS", "{n} MATCHES WAIT", len(found))
    at = await terminal.menu(title, entries, () if len(found) == 1 else [summary(one) for one in found])
    if at is None:
        return None
    if at < 2:
        return occasion if at == 0 else offer.taken(Wanted(is_new=True))
    return _given_up(offer, found[at - 2])


def _given_up(offer: Offer, one: Shelved) -> Occasion:
    return offer.taken(Wanted(only=one, resigns=True))


def _question(found: Sequence[Shelved]) -> str:
    if len(found) == 1:
        return "\n".join(
            (
                WORDS.say("A match waits: {match}.", match=summary(found[0])),
                WORDS.say("Enter goes on with it, new begins another one, resign gives up its game, quit leaves:"),
            )
        )
    return "\n".join(
        (
            WORDS.say("These matches wait:"),
            *(f"  {at}  {summary(one)}" for at, one in enumerate(found, 1)),
            WORDS.say(
                "Enter goes on with whoever of them comes, new begins another match, resign 1 gives up the game of "
                "the first one, quit leaves:"
            ),
        )
    )
