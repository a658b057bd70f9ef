"""An honest match that is being played while others cheat: its host is a real process, its guest is honest here.

Law: nothing of the package is imported here.
"""

import contextlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from cheating.client import ENTRIES, SEEDS, STRANGER, Frame, Line, Log, id_of, identity_of, line
from cheating.running import Seat

from scripts.reading.log import raw
from scripts.reading.reference_log import read_file

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
HOST: Final = identity_of(SEEDS[0])
GUEST: Final = SEEDS[1]
COUNT: Final = 5
"""Entries of `short` that lie on the table; it is the guest's turn."""
ALL: Final = "SM_P2P_ALL_LIES"
"""Set in the environment, all of the vectors are lied by and not one of a kind."""
SOON_S: Final = 10.0
MEMORY: Final = 512 * 1024**2
"""Bytes that the house may ever have: the program itself has a sixth of it."""


@dataclass
class Evening:
    """A match that is being played: the host, his port and token, and the honest guest."""

    seat: Seat
    port: int
    token: bytes
    guest: Line
    log: Log

    def has(self, frame: Frame) -> bool:
        """Whether these are entries that the guest holds: they are said again until the host has heard that he does."""
        return (
            frame[0] == ENTRIES
            and isinstance(frame[1], list)
            and {id_of(raw) for raw in frame[1] if isinstance(raw, bytes)} <= {*self.log.ids}
        )

    def stranger(self, seed: bytes = STRANGER) -> contextlib.AbstractContextManager[Line]:
        """Somebody else who connects."""
        return line(self.port, seed, HOST)


def entry(name: str) -> bytes:
    """The entry of a vector."""
    vectors = json.loads((VECTORS / "session.json").read_text("utf-8"))["vectors"]
    return raw(next(one["entry"] for one in vectors if one["id"] == name))


@cache
def recorded(game: str) -> list[bytes]:
    """The entries of a recorded match."""
    return [payload for _, _, payload in read_file((VECTORS / "games" / f"{game}.smlog").read_bytes(), "log").records]
