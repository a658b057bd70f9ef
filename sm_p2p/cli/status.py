"""Exit statuses, the same for every command."""

from enum import IntEnum
from typing import Final

SIGNAL: Final = 128  # a larger status is that of an ending by a signal


class Status(IntEnum):
    """What the shell is told; 128 + n stands for an ending by signal n."""

    OK = 0  # also a game that was lost or resigned, and a match that was left on purpose
    FAILED = 1
    USAGE = 2
    UNVERIFIED = 3  # a log that was read and is wrong
    ALONE = 4  # nobody came, or came back
    OTHER_TERMS = 5  # another version or variant
    BROKEN = 6  # the other side broke the protocol
    INTERRUPTED = 130
    HUNG_UP = 129
    TERMINATED = 143
