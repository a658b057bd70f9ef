"""Every exception of the program and every fault code, and who meets them.

    SpiteError
    ├── IllegalMove        you pressed the wrong key; nothing was signed
    ├── Fault(code)        what arrived breaks the protocol; nothing of it was taken over
    ├── LinkDown           the other side cannot be reached just now
    ├── JournalDamaged     a file is not the log that it should be
    ├── JournalBusy        another process writes to this log just now
    ├── DiskTrouble        the disk, or a permission on it, says no
    └── UsageError         a word on the command line, in a file or in a prompt cannot be understood

Law: a call that raises one of these has changed nothing. Anything else that is raised is a bug of ours.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self, TypeVar

T = TypeVar("T")


class Code(StrEnum):
    """The fault codes, word for word those of `protocol/faults.md` and of the vectors."""

    # unseal, in this order
    TOO_LARGE = "too-large"
    NOT_CANONICAL = "not-canonical"
    BAD_SHAPE = "bad-shape"
    BAD_SIGNATURE = "bad-signature"
    # the chain
    OTHER_MATCH = "other-match"
    GAP = "gap"
    BAD_PREV = "bad-prev"
    WRONG_AUTHOR = "wrong-author"
    EQUIVOCATION = "equivocation"
    # the state and the rules
    UNKNOWN_KIND = "unknown-kind"
    WRONG_EVENT = "wrong-event"
    ILLEGAL_MOVE = "illegal-move"
    NOT_DUE = "not-due"
    BAD_PETITION = "bad-petition"
    BAD_CLAIM = "bad-claim"
    BAD_TIME = "bad-time"
    # the opening
    BAD_VARIANT = "bad-variant"
    BAD_NAME = "bad-name"
    OTHER_VERSION = "other-version"
    OTHER_VARIANT = "other-variant"
    OTHER_CONSTANTS = "other-constants"
    BAD_IDENTITY = "bad-identity"
    SAME_IDENTITY = "same-identity"
    # the deck
    BAD_LENGTH = "bad-length"
    BAD_POINT = "bad-point"
    BAD_SCALAR = "bad-scalar"
    BAD_KEY_PROOF = "bad-key-proof"
    REUSED_KEY = "reused-key"
    IDENTITY_KEY = "identity-key"
    BAD_SHARE_PROOF = "bad-share-proof"
    BAD_SHUFFLE_PROOF = "bad-shuffle-proof"
    WRONG_CARD = "wrong-card"
    UNKNOWN_CARD = "unknown-card"
    WRONG_KEY = "wrong-key"
    BAD_AUDIT = "bad-audit"
    # agreement
    DIGEST_DIFFERS = "digest-differs"
    # the file
    TORN_TAIL = "torn-tail"
    DAMAGED_FILE = "damaged-file"
    NO_JOURNAL = "no-journal"
    # frames and the door
    BAD_FRAME = "bad-frame"
    TABLE_TAKEN = "table-taken"
    OWN_TABLE = "own-table"
    BAD_TOKEN = "bad-token"  # noqa: S105 - a fault code, not a password
    DECLINED = "declined"
    NO_SPECTATORS = "no-spectators"
    NO_SUCH_MATCH = "no-such-match"
    BAD_INVITE = "bad-invite"


class Sentence(str):
    """English that can be said again in another language: it remembers its message, and what stands in its places.

    >>> told = Sentence("{path} exists.", path="a.sheet")
    >>> told, told.message
    ('a.sheet exists.', '{path} exists.')
    """

    __slots__ = ("message", "values")
    message: str
    values: Mapping[str, object]

    def __new__(cls, message: str, /, **values: object) -> Self:
        """Its places filled; without values the message itself."""
        told = super().__new__(cls, message.format(**values) if values else message)
        told.message, told.values = message, values
        return told


class SpiteError(Exception):
    """Something that a person, here or at the other end, has to know about; `told` is its sentence."""

    def __init__(self, message: str = "", /, **values: object) -> None:
        self.told = message if isinstance(message, Sentence) else Sentence(message, **values)
        super().__init__(str(self.told))

    def __str__(self) -> str:
        """The sentence in English."""
        return str.__str__(self.told)


class IllegalMove(SpiteError):  # noqa: N818 - the word that players use
    """This move cannot be made now; the message says why."""


class Fault(SpiteError):  # noqa: N818 - the word of the protocol
    """What arrived breaks the protocol at one named point.

    >>> raise Fault(Code.BAD_POINT, "the key is not in the subgroup")
    Traceback (most recent call last):
    sm_p2p.errors.Fault: bad-point: the key is not in the subgroup
    """

    def __init__(self, code: Code, sentence: str = "", /, **values: object) -> None:
        self.sentence = sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        super().__init__("{code}: {sentence}" if sentence else "{code}", code=code, sentence=self.sentence)
        self.code = code


class LinkDown(SpiteError):  # noqa: N818 - a state, not a mistake
    """The link to the other side is down."""


class JournalDamaged(SpiteError):  # noqa: N818 - a state, not a mistake
    """The file cannot be written on as a log; the message says where it breaks, and nothing in it was touched.

    `code` is `no-journal`, `other-version` or `damaged-file`.
    """

    def __init__(self, code: Code, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.code = code


class JournalBusy(SpiteError):  # noqa: N818 - a state, not a mistake
    """Another process writes to this log; `pid` is its number, or 0 if it does not tell."""

    def __init__(self, sentence: str, pid: int, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.pid = pid


class DiskTrouble(SpiteError):  # noqa: N818 - a state, not a mistake
    """The disk, or a permission on it, says no; the message names the file and what can be done."""


class UsageError(SpiteError):
    """The sentence tells what to write instead."""


def sure(value: T | None) -> T:
    """The value that cannot be None here; if it is, that is a bug of ours and crashes as one.

    >>> sure(0)
    0
    """
    if value is None:
        raise AssertionError("nothing where the program's own logic promises a value")
    return value
