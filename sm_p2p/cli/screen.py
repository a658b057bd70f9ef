"""Sitting down on the full screen: for one match, or for a menu with many."""

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from functools import partial
from typing import Final

from sm_p2p.bot.advice import advise
from sm_p2p.cli.language import speak_as_chosen
from sm_p2p.cli.offers import settled_on_screen
from sm_p2p.cli.settings import remember
from sm_p2p.cli.sitting import Occasion, Sitter, run, seated, status_of, unsaid
from sm_p2p.cli.status import Status
from sm_p2p.errors import SpiteError, UsageError
from sm_p2p.rules.variant import Hints
from sm_p2p.store.options import Options
from sm_p2p.store.places import Places
from sm_p2p.ui.app.choices import KEYS, Choices
from sm_p2p.ui.app.opening import full_screen
from sm_p2p.ui.app.parting import Sequels
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.screen.model import Opponent
from sm_p2p.ui.words import Words

WORDS: Final = Words()


def sit(sitter: Sitter, occasion: Occasion) -> int:
    """Sit down once on the full screen; what the shell is to be told."""
    return run(partial(_on_screen, sitter, occasion))


def on_full_screen(sitter: Sitter) -> contextlib.AbstractAsyncContextManager[Terminal]:
    """The full screen of this player."""
    return opened(sitter.seat.places, sitter.options)


@contextlib.asynccontextmanager
async def opened(places: Places, options: Options) -> AsyncIterator[Terminal]:
    """The full screen with what was chosen, which is remembered when that changes; another language is spoken at once."""

    def save(key: str, value: str) -> None:
        if key == "lang":
            speak_as_chosen(value)
        try:
            remember(places, key, value)
        except SpiteError as error:
            terminal.notice(Words().why(error))

    choices = Choices.read({key: value for key, value in asdict(options).items() if key in KEYS})
    async with full_screen(choices, adviser=advise, save=save) as terminal:
        yield terminal


async def at_screen(sitter: Sitter, occasion: Occasion, terminal: Terminal) -> int:
    """One match on the full screen, until the player has seen how it ended."""
    settled = await settled_on_screen(sitter, occasion, terminal)
    if settled is None:
        return Status.OK if terminal.signal is None else 128 + terminal.signal
    occasion = settled
    opponent = Opponent.COMPUTER if occasion.hints is Hints.YES else Opponent.PERSON
    terminal.sit_down(opponent, occasion.hints, Sequels.ANY if occasion.is_ours else Sequels.SAME)
    chair, ending = await seated(sitter, occasion, terminal, terminal.inviting.show)
    sentence = unsaid(ending)
    await terminal.linger(*(() if sentence is None else (sentence, *chair.reasons)))
    if terminal.signal is not None:
        return 128 + terminal.signal
    return chair.status or status_of(ending)


async def _on_screen(sitter: Sitter, occasion: Occasion) -> int:
    async with on_full_screen(sitter) as terminal:
        return await at_screen(sitter, occasion, terminal)


def wrong_for(read: Callable[[str], object]) -> Callable[[str], str]:
    """What tells what is wrong with a typed text that `read` refuses; nothing at all leads back, and is not wrong."""

    def wrong(text: str) -> str:
        try:
            if text:
                read(text)
        except UsageError as refusal:
            return WORDS.why(refusal)
        return ""

    return wrong
