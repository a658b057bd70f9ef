"""Opening the full screen, and closing it whatever happens.

Law: the terminal is restored before anything else is said: at the end, at a signal, when the window is closed, and when
any task has failed, whose exception then comes out of the block as it is.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Final, NamedTuple, Self

from prompt_toolkit.input import Input, create_input
from prompt_toolkit.output import Output

from sm_p2p.rules.variant import Hints
from sm_p2p.ui.app.choices import Choices, Switch
from sm_p2p.ui.app.console import Console
from sm_p2p.ui.app.lean import LeanOutput
from sm_p2p.ui.app.preferences import Saver
from sm_p2p.ui.app.table import Chooser
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.app.usable import look_of
from sm_p2p.ui.screen.looks import Look
from sm_p2p.ui.words import ENGLISH, Language

SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Window(NamedTuple):
    """Where keys come from and frames go to, what the terminal can show, and its kind."""

    feed: Input
    output: Output
    found: Look
    term: str = ""

    @classmethod
    def here(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """The terminal of this process, which is `usable`."""
        term = environ.get("TERM", "")
        return cls(create_input(sys.stdin), LeanOutput.from_pty(sys.stdout, term), look_of(environ, sys.stdout), term)


@contextlib.asynccontextmanager
async def full_screen(
    choices: Choices | None = None,
    *,
    hint: Chooser | None = None,
    hints: Hints = Hints.NO,
    language: Language = ENGLISH,
    save: Saver | None = None,
    window: Window | None = None,
) -> AsyncIterator[Terminal]:
    """The full screen on the terminal of this process, for the length of the block.

    `hint` chooses the move of a hint, `hints` allows them beyond what the variant allows, `save` remembers a choice.
    """
    chosen = choices or Choices()
    feed, output, found, term = window or Window.here()
    terminal = Terminal(chosen, found, hint=hint, hints=hints, language=language, save=save)
    console = Console(terminal, feed, output, chosen.look(found), term)
    console.is_mouse_on = chosen.mouse is Switch.ON
    terminal.console = console
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(console.run())
            await console.is_up.wait()
            with _signals(terminal):
                try:
                    yield terminal
                finally:
                    terminal.close()
                    console.close()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None


@contextlib.contextmanager
def _signals(terminal: Terminal) -> Iterator[None]:
    """Leave at a signal, in a loop where signals arrive."""
    loop, attended = asyncio.get_running_loop(), []
    for name in SIGNALS:
        number = getattr(signal, name, None)
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):
            if number is not None:
                loop.add_signal_handler(number, terminal.signalled, number)
                attended.append(number)
    try:
        yield
    finally:
        for number in attended:
            loop.remove_signal_handler(number)
