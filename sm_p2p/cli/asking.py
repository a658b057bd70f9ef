"""A question at the terminal that this process was started from, before any screen is opened.

Law: only somebody who sits at a terminal is asked; everybody else is told what to write instead, by the caller.
"""

import sys

LONGEST = 1000  # bytes of an answer


def is_a_terminal() -> bool:
    """Whether somebody sits there who can be asked."""
    try:
        return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
    except ValueError:  # it was closed here
        return False


def answer_at_terminal(question: str) -> str | None:
    """What is answered to this, without what surrounds it; None where nobody can be asked."""
    if not is_a_terminal():
        return None
    sys.stderr.write(f"{question} ")
    sys.stderr.flush()
    return sys.stdin.buffer.readline(LONGEST).decode("utf-8", "replace").strip()
