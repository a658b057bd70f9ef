"""What is to be done a little later, by name.

Law: of each name at most one waits; nothing waits that nobody needs.
"""

import asyncio
from collections.abc import Callable


class Timers:
    """The works that wait, in the running loop."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.TimerHandle] = {}

    def later(self, name: str, seconds: float, work: Callable[[], None]) -> None:
        """Do this after so many seconds, in place of what waits under that name."""
        self.cancel(name)

        def do() -> None:
            del self._waiting[name]
            work()

        self._waiting[name] = asyncio.get_running_loop().call_later(seconds, do)

    def waits(self, name: str) -> bool:
        """Whether something waits under that name."""
        return name in self._waiting

    def cancel(self, name: str) -> None:
        """Do not do it."""
        handle = self._waiting.pop(name, None)
        if handle is not None:
            handle.cancel()

    def cancel_all(self) -> None:
        """Do nothing of it."""
        for name in [*self._waiting]:
            self.cancel(name)
