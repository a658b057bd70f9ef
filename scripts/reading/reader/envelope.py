"""Entries, signatures and sealed texts, read from `protocol/log.md` and `protocol/session.md`.

Law: PyNaCl checks the Ed25519 equation; the stricter rules around it are here.
"""

import hashlib
from dataclasses import dataclass

from nacl.bindings import crypto_core_ed25519_is_valid_point, crypto_sign_open
from nacl.exceptions import BadSignatureError

from scripts.reading.reference_curve import RefusedError, frame
from scripts.reading.reference_log import Value, decode

MAX_ENTRY = 60_000
MAX_SEALED = 4_096


@dataclass(frozen=True)
class Envelope:
    """An entry as it was read."""

    match: bytes
    seq: int
    prev: bytes
    author: int
    kind: int
    time_ms: int
    data: list[Value]
    digest: bytes
    body: bytes
    signature: bytes
    size: int

    @property
    def id(self) -> bytes:
        """SHA-256 of the body."""
        return hashlib.sha256(self.body).digest()


def is_number(value: Value) -> bool:
    """A number, which a truth value is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_envelope(raw: bytes) -> Envelope:
    """`too-large`, `not-canonical`, `bad-shape`, `other-version`."""
    outer = decode(raw, MAX_ENTRY)
    if not (isinstance(outer, list) and len(outer) == 2):
        raise RefusedError("bad-shape")
    body, signature = outer
    if not (isinstance(body, bytes) and isinstance(signature, bytes) and len(signature) == 64):
        raise RefusedError("bad-shape")
    parts = decode(body, MAX_ENTRY)
    if not (isinstance(parts, list) and parts and is_number(parts[0])):
        raise RefusedError("bad-shape")
    if parts[0] != 1:
        raise RefusedError("other-version")
    if len(parts) != 9:
        raise RefusedError("bad-shape")
    _, match, seq, prev, author, kind, time_ms, data, digest = parts
    linked = 0 if seq == 1 else 32
    right = (
        _is_bytes(match, linked)
        and _is_below(seq, 2**53)
        and seq != 0
        and _is_bytes(prev, linked)
        and _is_below(author, 2)
        and _is_below(kind, 256)
        and _is_below(time_ms, 2**53)
        and isinstance(data, list)
        and _is_bytes(digest, 8)
    )
    if not (right and isinstance(match, bytes) and isinstance(prev, bytes) and isinstance(digest, bytes)):
        raise RefusedError("bad-shape")
    assert isinstance(seq, int)
    assert isinstance(author, int)
    assert isinstance(kind, int)
    assert isinstance(time_ms, int)
    assert isinstance(data, list)
    return Envelope(match, seq, prev, author, kind, time_ms, data, digest, body, signature, len(raw))


def _is_bytes(value: Value, length: int) -> bool:
    return isinstance(value, bytes) and len(value) == length


def _is_below(value: Value, end: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value < end


def check_signature(identity: bytes, label: str, body: bytes, signature: bytes) -> None:
    """`bad-identity`, `bad-signature`."""
    if len(identity) != 32 or not crypto_core_ed25519_is_valid_point(identity):
        raise RefusedError("bad-identity")
    if len(signature) != 64 or not crypto_core_ed25519_is_valid_point(signature[:32]):
        raise RefusedError("bad-signature")
    try:
        crypto_sign_open(signature + frame(label) + body, identity)
    except BadSignatureError:
        raise RefusedError("bad-signature") from None


def open_sealed(raw: bytes, identity: bytes, label: str, code: str) -> list[Value]:
    """The items of a sealed text's body."""
    outer = decode(raw, MAX_SEALED)
    if not (isinstance(outer, list) and len(outer) == 2):
        raise RefusedError(code)
    body, signature = outer
    if not (isinstance(body, bytes) and isinstance(signature, bytes) and len(signature) == 64):
        raise RefusedError(code)
    check_signature(identity, label, body, signature)
    items = decode(body, MAX_SEALED)
    if not isinstance(items, list):
        raise RefusedError(code)
    return items


@dataclass(frozen=True)
class Petition:
    """What a petition says."""

    match: bytes
    game: int
    author: int
    number: int
    at_seq: int
    head: bytes


def read_petition(raw: bytes, identity: bytes) -> Petition:
    """`too-large`, `not-canonical`, `bad-petition`, `bad-identity`, `bad-signature`."""
    items = open_sealed(raw, identity, "SM1/petition", "bad-petition")
    if len(items) != 7:
        raise RefusedError("bad-petition")
    match, game, author, number, kind, at_seq, head = items
    if not (isinstance(match, bytes) and isinstance(head, bytes) and len(match) == len(head) == 32) or not all(
        map(is_number, (game, author, number, kind, at_seq))
    ):
        raise RefusedError("bad-petition")
    if kind != 1 or author not in {0, 1}:
        raise RefusedError("bad-petition")
    assert isinstance(game, int)
    assert isinstance(author, int)
    assert isinstance(number, int)
    assert isinstance(at_seq, int)
    return Petition(match, game, author, number, at_seq, head)


def read_note(raw: bytes, identity: bytes) -> list[Value]:
    """`too-large`, `not-canonical`, `bad-frame`, `bad-identity`, `bad-signature`."""
    items = open_sealed(raw, identity, "SM1/note", "bad-frame")
    if len(items) != 6:
        raise RefusedError("bad-frame")
    match, author, number, kind, at_seq, text = items
    if not (isinstance(match, bytes) and len(match) == 32 and all(map(is_number, (author, number, kind, at_seq)))):
        raise RefusedError("bad-frame")
    if kind != 1 or not isinstance(text, str):
        raise RefusedError("bad-frame")
    check_text(text, 400, "bad-frame")
    return items


@dataclass(frozen=True)
class Claim:
    """What a claim says; kind 1: abandoned, 2: withdrawn."""

    match: bytes
    author: int
    number: int
    kind: int
    at_seq: int
    head: bytes
    minutes: int


def read_claim(raw: bytes, identity: bytes) -> Claim:
    """`too-large`, `not-canonical`, `bad-claim`, `bad-identity`, `bad-signature`."""
    items = open_sealed(raw, identity, "SM1/claim", "bad-claim")
    if len(items) != 7:
        raise RefusedError("bad-claim")
    match, author, number, kind, at_seq, head, minutes = items
    if not (isinstance(match, bytes) and isinstance(head, bytes) and len(match) == len(head) == 32) or not all(
        map(is_number, (author, number, kind, at_seq, minutes))
    ):
        raise RefusedError("bad-claim")
    if kind not in {1, 2} or author not in {0, 1}:
        raise RefusedError("bad-claim")
    assert isinstance(author, int)
    assert isinstance(number, int)
    assert isinstance(kind, int)
    assert isinstance(at_seq, int)
    assert isinstance(minutes, int)
    return Claim(match, author, number, kind, at_seq, head, minutes)


HIDDEN = """0-1F 7F-A0 AD-AD 34F-34F 61C-61C 115F-1160 1680-1680 17B4-17B5 180B-180F 2000-200F 2028-202F 205F-206F
2800-2800 3000-3000 3164-3164 D800-DFFF E000-F8FF FE00-FE0F FEFF-FEFF FFA0-FFA0 FFF0-FFFF E0000-10FFFF"""
RANGES = [tuple(int(end, 16) for end in word.split("-")) for word in HIDDEN.split()]


def check_text(text: str, length: int, code: str) -> None:
    """A name or a chat text, else the code."""
    hidden = any(low <= ord(character) <= high for character in text for low, high in RANGES)
    if not 1 <= len(text) <= length or hidden or text[0] == " " or text[-1] == " ":
        raise RefusedError(code)
