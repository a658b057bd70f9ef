"""Signers made from one number, and chains made of entries that say little."""

from typing import Final

import nacl.signing

from sm_p2p.log.chain import Chain
from sm_p2p.log.codec import Value
from sm_p2p.log.entry import Draft, Entry, seal


class Key:
    """A signer; the same number is the same key."""

    def __init__(self, number: int) -> None:
        self.seed: Final = bytes([number]) * 32
        self._key = nacl.signing.SigningKey(self.seed)
        self.identity: Final = bytes(self._key.verify_key)

    def sign(self, message: bytes) -> bytes:
        """The signature of this key."""
        return self._key.sign(message).signature


ANNA: Final = Key(1)
BERT: Final = Key(2)
START: Final = Chain.empty()


def draft_after(
    chain: Chain,
    *,
    author: int = 0,
    kind: int = 1,
    data: tuple[Value, ...] = (),
    seq: int | None = None,
    prev: bytes | None = None,
) -> Draft:
    """What the next entry of this chain could say."""
    return Draft(
        match=chain.match,
        seq=chain.seq + 1 if seq is None else seq,
        prev=chain.head if prev is None else prev,
        author=author,
        kind=kind,
        time_ms=0,
        data=data,
        digest=bytes(8),
    )


def entry_after(
    chain: Chain, *, author: int = 0, kind: int = 1, seq: int | None = None, prev: bytes | None = None
) -> Entry:
    """The next entry of this chain, by the author's key."""
    return seal(draft_after(chain, author=author, kind=kind, seq=seq, prev=prev), (ANNA, BERT)[author])


def raw_chain(count: int, size: int = 0) -> tuple[bytes, ...]:
    """The bytes of the first entries of a match, by both in turn, each with some bytes to carry."""
    chain, raws = START, []
    for number in range(count):
        draft = draft_after(chain, author=number % 2, data=(bytes(size),))
        entry = seal(draft, (ANNA, BERT)[number % 2])
        chain = chain.append(entry)
        raws.append(entry.raw)
    return tuple(raws)
