"""The digest in every entry: eight bytes over all that a spectator knows, so that a disagreement shows where it arises.

Law: computed from the public `Match` alone; a digest over anything that one side knows better would leak it.
"""

import hashlib
from functools import lru_cache
from typing import Final

from sm_p2p.session.state import Match
from sm_p2p.stream import Item, frame, list_head

LABEL: Final = "SM1/digest"
SECTIONS: Final = ("stock", "centre", "sides", "pay-off", "hands", "turn", "score")
NOBODY: Final = 2  # stands where there is no seat
_HEAD: Final = list_head(2) + frame(LABEL)  # of [label, section hashes]
_HEADS: Final = tuple(list_head(3) + frame(LABEL) + frame(name) for name in SECTIONS)  # of [label, name, content]


def section_hashes(match: Match) -> tuple[bytes, ...]:
    """SHA-256 of each section, in the order of `SECTIONS`."""
    return tuple(map(_section_hash, _HEADS, contents(match)))


def digest(match: Match) -> bytes:
    """The first 8 bytes of SHA-256 over the section hashes."""
    return hashlib.sha256(_HEAD + frame(section_hashes(match))).digest()[:8]


def differing(match: Match, theirs: tuple[bytes, ...]) -> tuple[str, ...]:
    """The names of the sections that somebody with these hashes sees differently; none if they are not as many as ours."""
    ours = section_hashes(match)
    if len(theirs) != len(ours):
        return ()
    return tuple(name for name, a, b in zip(SECTIONS, ours, theirs, strict=True) if a != b)


def contents(match: Match) -> tuple[tuple[Item, ...], ...]:
    """What each section is made of, in the order of `SECTIONS`."""
    table: tuple[tuple[Item, ...], ...] = ((),) * 6 if match.game is None else match.game.table.sections()
    speaker = NOBODY if match.speaker is None else match.speaker
    began = NOBODY if match.score.began is None else match.score.began
    turn = (match.state, match.game_number, speaker, table[5])
    return (*table[:5], turn, (*match.score.points, match.score.games, began))


@lru_cache(maxsize=64)  # an entry changes two or three of the seven sections
def _section_hash(head: bytes, content: tuple[Item, ...]) -> bytes:
    return hashlib.sha256(head + frame(content)).digest()
