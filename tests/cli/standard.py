"""Another standard input for this very process."""

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def standing_for_input() -> Iterator[int]:
    """Within it, descriptor 0 reads what is written to the descriptor that is given; a test may close that one."""
    kept = os.dup(0)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    try:
        yield writing
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        with contextlib.suppress(OSError):
            os.close(writing)
