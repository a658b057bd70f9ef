"""Opening the full screen, and closing it whatever happens.

Law: the terminal is restored before anything else is said: at the end, at a signal, when the window is closed, and when
any task has failed, whose exception then comes out of the block as it is.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Iterator
from typing import Final

from sm_p2p.ui.advice import Adviser
from sm_p2p.ui.app.choices import Choices
from sm_p2p.ui.app.console import Window
from sm_p2p.ui.app.preferences import Saver
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.words import HERE, Language

SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")


@contextlib.asynccontextmanager
async def full_screen(
    choices: Choices | None = None,
    *,
    adviser: Adviser | None = None,
    language: Language = HERE,
    save: Saver | None = None,
    window: Window | None = None,
) -> AsyncIterator[Terminal]:
    """The full screen on the terminal of this process, for the length of the block.

    `adviser` gives the hints, `save` remembers a choice.
    """
    terminal = Terminal(window or Window.here(), choices or Choices(), adviser=adviser, language=language, save=save)
    console = terminal.console
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
