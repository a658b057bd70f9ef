"""The signed words beside the chain: petitions, which the speaker adopts, notes, which never enter it, claims, which stay.

Law: each is `[body, signature]` under a label of its own; nothing unsigned, and nothing of another match, counts.
"""

from dataclasses import dataclass
from typing import Final

from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value, decode, encode
from sm_p2p.log.signature import Signer, sign_labelled, verify_labelled
from sm_p2p.session.text import NOTE_LENGTH, check_text

RESIGN: Final = 1  # the kind of a petition
CHAT: Final = 1  # the kind of a note
ABANDONED, WITHDRAWN = 1, 2  # the kinds of a claim
MAX_SEALED: Final = 4_096  # bytes; 400 code points of four bytes each and what belongs to them


@dataclass(frozen=True, slots=True)
class Resignation:
    """What a petition says: its author resigns in this game, having seen the chain up to `at_seq`, whose id is `head`.

    `number` counts the petitions of one author in one match from 1.
    """

    match: bytes
    game: int
    author: int
    number: int
    at_seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Chat:
    """What a note says; `number` counts the notes of one author in one match from 1, `at_seq` is where it was said."""

    match: bytes
    author: int
    number: int
    at_seq: int
    text: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """What a claim says: its author has waited so many minutes for the other side, the chain ending at `at_seq`.

    `number` counts the claims of one author in one match from 1; one that `is_withdrawn` takes back the one before.
    """

    match: bytes
    author: int
    number: int
    is_withdrawn: bool
    at_seq: int
    head: bytes
    minutes: int


def seal_resignation(said: Resignation, signer: Signer) -> bytes:
    """The sealed petition `[body, signature]`, label SM1/petition."""
    body = encode((said.match, said.game, said.author, said.number, RESIGN, said.at_seq, said.head))
    return encode((body, sign_labelled(signer, "SM1/petition", body)))


def unseal_resignation(raw: bytes, identity: bytes) -> Resignation:
    """What a petition by `identity` says; Fault(BAD_PETITION) where it is malformed, Fault(BAD_SIGNATURE) where forged."""
    match _unseal("SM1/petition", raw, identity, Code.BAD_PETITION):
        case (bytes(match_id), int(game), int(author), int(number), 1, int(at_seq), bytes(head)) if len(
            match_id
        ) == len(head) == 32 and author in {0, 1}:
            return Resignation(match_id, game, author, number, at_seq, head)
    raise Fault(Code.BAD_PETITION, "the petition is malformed")


def seal_chat(said: Chat, signer: Signer) -> bytes:
    """The sealed note `[body, signature]`, label SM1/note."""
    body = encode((said.match, said.author, said.number, CHAT, said.at_seq, said.text))
    return encode((body, sign_labelled(signer, "SM1/note", body)))


def unseal_chat(raw: bytes, identity: bytes) -> Chat:
    """What a note by `identity` says; Fault(BAD_FRAME) where it is malformed, Fault(BAD_SIGNATURE) where forged."""
    match _unseal("SM1/note", raw, identity, Code.BAD_FRAME):
        case (bytes(match_id), int(author), int(number), 1, int(at_seq), str(text)) if len(match_id) == 32:
            check_text(text, NOTE_LENGTH, Code.BAD_FRAME)
            return Chat(match_id, author, number, at_seq, text)
    raise Fault(Code.BAD_FRAME, "the note is malformed")


def number_of(note: bytes) -> int:
    """The number of a note that was sealed here; Fault(BAD_FRAME) for anything else."""
    match decode(note, MAX_SEALED):
        case (bytes(body), bytes()):
            items = decode(body, MAX_SEALED)
            if isinstance(items, tuple) and len(items) > 2 and isinstance(items[2], int):
                return items[2]
        case _:
            pass
    raise Fault(Code.BAD_FRAME, "only what was sealed as a note has a number")


def seal_claim(said: Abandoned, signer: Signer) -> bytes:
    """The sealed claim `[body, signature]`, label SM1/claim."""
    kind = WITHDRAWN if said.is_withdrawn else ABANDONED
    body = encode((said.match, said.author, said.number, kind, said.at_seq, said.head, said.minutes))
    return encode((body, sign_labelled(signer, "SM1/claim", body)))


def unseal_claim(raw: bytes, identity: bytes) -> Abandoned:
    """What a claim by `identity` says; Fault(BAD_CLAIM) where it is malformed, Fault(BAD_SIGNATURE) where forged."""
    match _unseal("SM1/claim", raw, identity, Code.BAD_CLAIM):
        case (bytes(match_id), int(author), int(number), 1 | 2 as kind, int(at_seq), bytes(head), int(minutes)) if len(
            match_id
        ) == len(head) == 32 and author in {0, 1}:
            return Abandoned(match_id, author, number, kind == WITHDRAWN, at_seq, head, minutes)
    raise Fault(Code.BAD_CLAIM, "the claim is malformed")


def _unseal(label: str, raw: bytes, identity: bytes, code: Code) -> tuple[Value, ...]:
    """The items of a signed body, truth values refused: to the letter they would pass for numbers."""
    match decode(raw, MAX_SEALED):
        case (bytes(body), bytes(signature)) if len(signature) == 64:
            verify_labelled(identity, label, body, signature)
            match decode(body, MAX_SEALED):
                case tuple(items) if not any(isinstance(item, bool) for item in items):
                    return items
                case _:
                    pass
    raise Fault(code, "a sealed text is [body, signature of 64 bytes]")
