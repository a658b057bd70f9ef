"""Another standard input for this very process."""

import contextlib
import os
import threading
from collections.abc import Iterator

from processes import DEADLINE_S


@contextlib.contextmanager
def standing_for_input() -> Iterator[int]:
    """Within it, descriptor 0 reads what is written to the descriptor that is given; a test may close that one.

    Whoever has read from it has ended with it, and takes nothing of what the next one is told.
    """
    others = readers()
    kept = os.dup(0)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    try:
        yield writing
    finally:
        with contextlib.suppress(OSError):
            os.close(writing)
        for reader in readers() - others:
            reader.join(DEADLINE_S)
        os.dup2(kept, 0)
        os.close(kept)


def readers() -> set[threading.Thread]:
    """Those who read for a player in this process: standard input, or whatever a test gives them."""
    return {thread for thread in threading.enumerate() if thread.name in {"lines", "tie"}}
