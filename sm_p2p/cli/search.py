"""Somebody looks for a table that does not answer, and is told after a while what the matter is."""

from collections.abc import Callable
from typing import Final

from sm_p2p.net.dial import DialledLink
from sm_p2p.net.link import LinkState
from sm_p2p.ui import notices

SILENCE_S: Final = 20.0  # after so long without anybody, a firewall is the likely cause


class Search:
    """What is told goes to `tell`, each thing once; `later` does something after so many seconds."""

    def __init__(self, tell: Callable[[str], None], later: Callable[[float, Callable[[], object]], object]) -> None:
        self._tell = tell
        self._later = later
        self._link: DialledLink | None = None
        self._told: set[str] = set()

    def begins(self, link: DialledLink) -> None:
        """This link has begun to look."""
        self._link = link
        self._later(SILENCE_S, self._tell_so_far)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why each address does not work."""
        troubles = {} if self._link is None else self._link.troubles
        return tuple(notices.trouble(str(address), trouble.value) for address, trouble in troubles.items())

    def tell_reasons(self) -> None:
        """Tell those that were not told yet."""
        for reason in self.reasons:
            if reason not in self._told:
                self._told.add(reason)
                self._tell(reason)

    def ends(self) -> None:
        """Nobody looks any more."""
        self._link = None

    def _tell_so_far(self) -> None:
        if self._link is not None and self._link.state is LinkState.CONNECTING:
            self._tell(notices.still_looking())
            self.tell_reasons()
