"""Eight words for a key: short enough to read aloud, the same in every language.

Source: `protocol/log.md`, Fingerprints.
"""

import hashlib
from typing import Final

from sm_p2p.store.pgp_words import EVEN, ODD
from sm_p2p.stream import frame

WORDS: Final = 8
LABEL: Final = "SM1/fingerprint"


def fingerprint(identity: bytes) -> tuple[str, ...]:
    """The eight words of this identity, from the first eight bytes of its labelled SHA-256.

    >>> " ".join(fingerprint(bytes(32)))
    'algol direction frighten adviser sentence equation wayside dakota'
    """
    digest = hashlib.sha256(frame(LABEL) + identity).digest()[:WORDS]
    lists = (EVEN.split(), ODD.split())
    return tuple(lists[place % 2][byte] for place, byte in enumerate(digest))
