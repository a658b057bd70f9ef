"""Signed entries: what the two of a match say, each in its turn, and nobody can unsay.

Law: bytes are signed, hashed and kept as they were sent. `unseal` and `seal` are the only ways to an `Entry`, so an
`Entry` in hand is a verified one. The id names what was said, not the signature (`protocol/log.md`, The entry).
"""

import hashlib
from dataclasses import dataclass
from typing import Final, NewType

from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value, decode, encode
from sm_p2p.log.signature import SIGNATURE_BYTES, Signer, sign_labelled, verify_labelled
from sm_p2p.version import PROTOCOL

MAX_ENTRY: Final = 60_000  # bytes; the largest entry, a shuffle of four packs, has about 41,000, and a frame 61,440
NUMBER_END: Final = 2**53  # seq and time_ms lie below it: the floating-point numbers of any language hold them
KIND_END: Final = 256
HASH_BYTES: Final = 32
DIGEST_BYTES: Final = 8
LABEL: Final = "SM1/entry"

EntryId = NewType("EntryId", bytes)


@dataclass(frozen=True, slots=True)
class Draft:
    """What an entry says, before anybody signed it: the nine parts of its body, in their order.

    match and prev are empty in entry 1 and 32 bytes in every other.
    """

    match: bytes
    seq: int
    prev: bytes
    author: int
    kind: int
    time_ms: int
    data: tuple[Value, ...]
    digest: bytes
    version: int = PROTOCOL

    @property
    def body(self) -> bytes:
        """The canonical bytes: what is hashed and signed."""
        said = (self.match, self.seq, self.prev, self.author, self.kind, self.time_ms, self.data, self.digest)
        return encode((self.version, *said))

    @property
    def id(self) -> EntryId:
        """The id of the entry that will say this."""
        return entry_id(self.body)


@dataclass(frozen=True, slots=True)
class Envelope:
    """An entry as it was read: well formed, its signature not yet checked."""

    version: int
    match: bytes
    seq: int
    prev: bytes
    author: int
    kind: int
    time_ms: int
    data: tuple[Value, ...]
    digest: bytes
    body: bytes
    signature: bytes
    raw: bytes
    id: EntryId


Entry = NewType("Entry", Envelope)


def entry_id(body: bytes) -> EntryId:
    """SHA-256 of the body: the signature has no part in it, so one body signed twice is one entry."""
    return EntryId(hashlib.sha256(body).digest())


def read_envelope(raw: bytes) -> Envelope:
    """The envelope in these bytes; Fault `too-large`, `not-canonical`, `bad-shape` or `other-version`, in this order."""
    match decode(raw, MAX_ENTRY):
        case (bytes() as body, bytes() as signature) if len(signature) == SIGNATURE_BYTES:
            return _open(raw, body, signature)
    raise Fault(Code.BAD_SHAPE, "an entry is [body, signature of 64 bytes]")


def unseal(envelope: Envelope, identity: bytes) -> Entry:
    """The entry, if `identity` signed this body; else Fault `bad-identity` or `bad-signature`."""
    verify_labelled(identity, LABEL, envelope.body, envelope.signature)
    return Entry(envelope)


def seal(draft: Draft, signer: Signer) -> Entry:
    """The entry that says this, signed; it passes the gate of `read_envelope` before it is signed, and `unseal` after."""
    body = draft.body
    read_envelope(encode((body, bytes(SIGNATURE_BYTES))))
    signature = sign_labelled(signer, LABEL, body)
    return unseal(read_envelope(encode((body, signature))), signer.identity)


def _open(raw: bytes, body: bytes, signature: bytes) -> Envelope:
    """The envelope around this body. The version is looked at first: another one may have another shape."""
    match decode(body, MAX_ENTRY):
        case (version, *rest) if type(version) is int:
            if version != PROTOCOL:
                raise Fault(
                    Code.OTHER_VERSION,
                    "written for protocol {version}, this is protocol {protocol}",
                    version=version,
                    protocol=PROTOCOL,
                )
            if len(rest) != 8:
                raise Fault(Code.BAD_SHAPE, "a body has nine parts, this one has {n}", n=1 + len(rest))
        case _:
            raise Fault(Code.BAD_SHAPE, "a body is a list that begins with its version")
    match_id, seq, prev, author, kind, time_ms, data, digest = rest
    place = _number(seq, "seq", 1, NUMBER_END)
    linked = 0 if place == 1 else HASH_BYTES
    return Envelope(
        version=version,
        match=_bytes(match_id, "match", linked),
        seq=place,
        prev=_bytes(prev, "prev", linked),
        author=_number(author, "author", 0, 2),
        kind=_number(kind, "kind", 0, KIND_END),
        time_ms=_number(time_ms, "time", 0, NUMBER_END),
        data=_list(data, "data"),
        digest=_bytes(digest, "digest", DIGEST_BYTES),
        body=body,
        signature=signature,
        raw=raw,
        id=entry_id(body),
    )


def _number(value: Value, name: str, low: int, end: int) -> int:
    if type(value) is int and low <= value < end:
        return value
    raise Fault(Code.BAD_SHAPE, "{name} is a whole number from {low} to {high}", name=name, low=low, high=end - 1)


def _bytes(value: Value, name: str, length: int) -> bytes:
    if isinstance(value, bytes) and len(value) == length:
        return value
    raise Fault(Code.BAD_SHAPE, "{name} has {length} bytes here", name=name, length=length)


def _list(value: Value, name: str) -> tuple[Value, ...]:
    if isinstance(value, tuple):
        return value
    raise Fault(Code.BAD_SHAPE, "{name} is a list", name=name)
