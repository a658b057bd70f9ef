"""The table of the README's pictures: a real screen in the middle of a match, with a card picked.

Law: the match is a stage of one seed, the screen is the one that players have; nothing here is painted by hand.
"""

import asyncio
from collections.abc import Iterable
from typing import Final

import pyte
from prompt_toolkit.input import create_pipe_input

from scripts.making.emulator import Emulator
from scripts.making.stage import Stage
from sm_p2p.bot.advice import advise
from sm_p2p.bot.greedy import choose
from sm_p2p.errors import sure
from sm_p2p.rules.variant import STANDARD, Hints
from sm_p2p.session.effects import Advanced, Latency, Said
from sm_p2p.session.talk import LinkChanged, News, Situation, Way
from sm_p2p.ui.app.choices import Choices
from sm_p2p.ui.app.console import Window
from sm_p2p.ui.app.lean import LeanOutput
from sm_p2p.ui.app.opening import full_screen
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.screen.looks import UNICODE
from sm_p2p.ui.screen.model import Opponent
from sm_p2p.ui.words import Language

SEED: Final = 53
ENTRIES: Final = 569  # in the third game, in a turn in which the pay-off card fits onto two stacks
HINT: Final = "h"
KEYS: Final = (HINT, "0")  # a hint, and that card is picked
HINT_S: Final = 60.0
CHAT: Final = ((1, "that king was mine!"), (0, "not any more"))


def screens(wanted: Iterable[tuple[tuple[int, int], Language]]) -> list[pyte.Screen]:
    """The screens of these columns and rows at that moment, each in a language."""
    news, now = _match()
    return [asyncio.run(_screen(size, language, news, now)) for size, language in wanted]


async def _hint(terminal: Terminal) -> None:
    """Wait for the hint, which is thought of beside the screen."""
    async with asyncio.timeout(HINT_S):
        while terminal._picture.model.hint is None:  # noqa: ASYNC110, SLF001 - what is waited for knows no events
            await asyncio.sleep(0.01)


def _match() -> tuple[list[News], Situation]:
    """The news of the game on the table, and where things stand."""
    stage, told = Stage(STANDARD, SEED), list[Advanced]()
    told += stage.begin()
    while stage.match.chain.seq < ENTRIES:
        told += stage.move(choose(stage.view(sure(stage.match.speaker))))
    here = [item for item in told if item.before.game_number == stage.match.game_number]
    chat = [Said(seat, text) for seat, text in CHAT]
    return [LinkChanged(Way.UP), *here, *chat, Latency(0.008)], stage.situation


async def _screen(size: tuple[int, int], language: Language, news: Iterable[News], now: Situation) -> pyte.Screen:
    emulator = Emulator(*size)
    with create_pipe_input() as feed:
        output = LeanOutput(emulator, lambda: emulator.size, term="xterm", enable_cpr=False)
        choices = Choices.read({"speed": "off", "bell": "off", "title": "off"})
        window = Window(feed, output, UNICODE, "xterm")
        async with full_screen(choices, adviser=advise, language=language, window=window) as terminal:
            terminal.sit_down(Opponent.PERSON, Hints.YES)
            for item in news:
                terminal.show(item, now)
            for key in KEYS:
                terminal.press(key)
                if key == HINT:
                    await _hint(terminal)
            app = terminal.console._app  # noqa: SLF001 - it is drawn at once
            app._redraw()  # noqa: SLF001
            return emulator.frozen()
