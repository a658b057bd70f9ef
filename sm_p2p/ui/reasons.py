"""Why not: refused moves, unreadable texts and fault codes as sentences for the person who meets them.

Law: every reason and every code of the program has a sentence here or where it is declared; a code of a later version
is shown as it is.
"""

from collections.abc import Mapping
from typing import Final

from sm_p2p.errors import Code, Fault, SpiteError
from sm_p2p.rules.reasons import Misread, Refused
from sm_p2p.session.reasons import NotNow
from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.ui.words import Words, mark

CODE_LENGTH: Final = 40  # characters of a code that we do not know

FAULTS: Final[Mapping[Code, str]] = {
    Code.TOO_LARGE: mark("something is larger than it may be"),
    Code.NOT_CANONICAL: mark("something is not written in the one way that is allowed"),
    Code.BAD_SHAPE: mark("an entry does not have the parts that it must have"),
    Code.BAD_SIGNATURE: mark("a signature is wrong"),
    Code.OTHER_MATCH: mark("an entry belongs to another match"),
    Code.GAP: mark("an entry is missing in between"),
    Code.BAD_PREV: mark("an entry does not follow the one before it"),
    Code.WRONG_AUTHOR: mark("an entry was written by the player whose turn it was not"),
    Code.EQUIVOCATION: mark("two different entries were signed for the same place of the log"),
    Code.UNKNOWN_KIND: mark("an entry is of a kind that this version does not know; a newer version may"),
    Code.WRONG_EVENT: mark("an entry has no place at this point of the match"),
    Code.ILLEGAL_MOVE: mark("a move breaks the rules of the game"),
    Code.NOT_DUE: mark("an entry holds something that is not due, or lacks something that is"),
    Code.BAD_PETITION: mark("a resignation is not valid here"),
    Code.BAD_CLAIM: mark("a claim that a match was abandoned is not valid here"),
    Code.BAD_TIME: mark("an entry carries a time that it must not carry"),
    Code.BAD_VARIANT: mark("the variant cannot be played, or is not written in its one way"),
    Code.BAD_NAME: mark(
        "a name is empty, too long, has characters that a name must not have, or is another one than in the greeting"
    ),
    Code.OTHER_VERSION: mark("the two sides have different versions of the game"),
    Code.OTHER_VARIANT: mark("the two sides want to play different variants"),
    Code.OTHER_CONSTANTS: mark("the two sides have different card constants"),
    Code.BAD_IDENTITY: mark("an identity is not the one that it should be"),
    Code.SAME_IDENTITY: mark("both seats have the same identity: start the second player with another --home"),
    Code.BAD_LENGTH: mark("a part of an entry has the wrong length"),
    Code.BAD_POINT: mark("a number of the card cryptography is not a valid point"),
    Code.BAD_SCALAR: mark("a number of the card cryptography is out of range"),
    Code.BAD_KEY_PROOF: mark("the proof for a key is wrong"),
    Code.REUSED_KEY: mark("a key was used before"),
    Code.IDENTITY_KEY: mark("a key would leave the cards unprotected"),
    Code.BAD_SHARE_PROOF: mark("the proof for a card that was shown is wrong"),
    Code.BAD_SHUFFLE_PROOF: mark("the proof for a shuffle is wrong"),
    Code.WRONG_CARD: mark("the card that was announced is not the card that was played"),
    Code.UNKNOWN_CARD: mark("a card turned out to be none of this game"),
    Code.WRONG_KEY: mark("the key that was opened is not the key that was played with"),
    Code.BAD_AUDIT: mark("the opened keys show that a shuffle did not keep the cards"),
    Code.DIGEST_DIFFERS: mark("the two sides see different tables"),
    Code.TORN_TAIL: mark("the file ends in the middle of an entry"),
    Code.DAMAGED_FILE: mark("the file is damaged"),
    Code.NO_JOURNAL: mark("the file is not a log of this game"),
    Code.BAD_FRAME: mark("a message could not be read"),
    Code.TABLE_TAKEN: mark("somebody else sits at this table already"),
    Code.OWN_TABLE: mark("this is your own table: the second player needs another --home"),
    Code.BAD_TOKEN: mark("the invite is not valid for this table; ask for a new one"),
    Code.BAD_INVITE: mark("the invite cannot be read: copy the whole line again, from sm-p2p:// to its last character"),
    Code.DECLINED: mark("the other player does not want to play"),
    Code.NO_SPECTATORS: mark("this table takes no spectators, or no more of them"),
    Code.NO_SUCH_MATCH: mark("the other side does not go on with this match"),
}


def explain(words: Words, error: SpiteError) -> str:
    """Why something was refused, as a clause that begins in lower case where its first word allows.

    >>> from sm_p2p.rules.reasons import Reason
    >>> explain(Words(), Refused(Reason.DOES_NOT_FIT, rank="6", below="5", place="c1", needed="8"))
    '6 needs 5 beneath it, and c1 waits for 8'
    """
    if isinstance(error, Refused | Misread | NotNow):
        return clean(words.say(error.reason.value, **error.values), NOTE_LENGTH)
    if isinstance(error, Fault):
        return fault(words, error.code)
    return clean(words.why(error), NOTE_LENGTH)


def fault(words: Words, code: str) -> str:
    """What a fault code means, as a clause; a code that is not known here is shown as it is.

    >>> fault(Words(), "gap"), fault(Words(), "later")
    ('an entry is missing in between', 'later')
    """
    known = {str(known): sentence for known, sentence in FAULTS.items()}
    return words.say(known[code]) if code in known else clean(code, CODE_LENGTH)
