"""A terminal that hands over each key as it is pressed, and gets its own manners back whatever happens.

Law: only line editing and echo are switched off; Ctrl-C and Ctrl-Z stay signals. No escape byte is written.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

CAN_LISTEN: Final = find_spec("termios") is not None
"""Whether this system has terminals of this kind; on Windows they edit their lines themselves."""

if CAN_LISTEN:
    import termios

_LOCAL_FLAGS: Final = 3  # where tcgetattr keeps them
_CHARACTERS: Final = 6


class Terminal:
    """The terminal at a file descriptor, as it was found."""

    def __init__(self, fd: int) -> None:
        """Raises termios.error when there is no terminal."""
        self._fd = fd
        self._found = termios.tcgetattr(fd)

    def listen(self) -> None:
        """Hand over keys, without an echo."""
        attributes = termios.tcgetattr(self._fd)
        attributes[_LOCAL_FLAGS] &= ~(termios.ICANON | termios.ECHO)
        characters = list(attributes[_CHARACTERS])
        characters[termios.VMIN], characters[termios.VTIME] = 1, 0
        attributes[_CHARACTERS] = characters
        termios.tcsetattr(self._fd, termios.TCSADRAIN, attributes)

    def restore(self) -> None:
        """Be as it was found; a terminal that is gone needs nothing."""
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._found)

    def suspend(self) -> None:
        """Stop this process, as Ctrl-Z asks, and listen again when it goes on."""
        self.restore()
        os.kill(os.getpid(), signal.SIGSTOP)
        with contextlib.suppress(termios.error):
            self.listen()

    def attend(self, loop: asyncio.AbstractEventLoop) -> None:
        """Answer Ctrl-Z by `suspend` while this loop runs, if it runs where signals arrive."""
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):
            loop.add_signal_handler(signal.SIGTSTP, self.suspend)


@contextlib.contextmanager
def listening(fd: int) -> Iterator[Terminal]:
    """The terminal, handing over keys until the end of the block."""
    terminal = Terminal(fd)
    terminal.listen()
    try:
        yield terminal
    finally:
        terminal.restore()
