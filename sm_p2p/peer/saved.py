"""The matches on this disk that can be gone on with."""

import contextlib
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sm_p2p.errors import JournalBusy, JournalDamaged
from sm_p2p.rules.variant import Variant
from sm_p2p.session.glance import glance
from sm_p2p.store.files import disk
from sm_p2p.store.journal import read_journal
from sm_p2p.store.marks import read_mark
from sm_p2p.store.matches import saved_matches
from sm_p2p.store.places import Places
from sm_p2p.store.removal import remove_match

MATCH: Final = re.compile("[0-9a-f]{64}")  # the id of a match, as its files are called


class Saved(NamedTuple):
    """A match of ours: its id, the identity of the opponent, and its variant."""

    match: bytes
    opponent: bytes
    variant: str


def lost(places: Places) -> frozenset[bytes]:
    """Every match of which our secret is here and the log is not: the other side may still have it."""
    with disk(places.keys):
        secrets = [path.stem for path in places.keys.glob("*.secret")] if places.keys.is_dir() else []
    found = (bytes.fromhex(stem) for stem in secrets if MATCH.fullmatch(stem))
    return frozenset(match for match in found if not places.log(match).exists())


def unfinished(places: Places, identity: bytes, variant: Variant | None = None) -> tuple[Saved, ...]:
    """Every match of this identity that two have begun and nobody has ended, the latest first.

    Only those of one variant where one is wanted, and only those that bear their own name and whose secret is still here.
    """
    return tuple(
        saved
        for saved, is_over in _ours(places, identity)
        if not is_over and (variant is None or saved.variant == str(variant))
    )


def offered(places: Places, identity: bytes, variant: Variant | None = None) -> tuple[bytes, ...]:
    """Every match that this identity has opened and nobody has joined, as far as we know; of one variant if that is wanted."""
    return tuple(
        saved.match
        for saved in saved_matches(places.data, glance)
        if saved.about is not None
        and saved.about.identities == (identity,)
        and saved.path == places.log(saved.match)
        and (variant is None or saved.about.variant == str(variant))
    )


def withdraw(places: Places, match: bytes) -> None:
    """Take a match away that this player has opened and nobody has joined; one in which more was signed stays."""
    log = places.log(match)
    with contextlib.suppress(JournalBusy, JournalDamaged):  # what cannot be told is kept
        mark = read_mark(places.signed(match))
        if log.exists() and len(read_journal(log).records) == 1 and mark is not None and mark.seq == 1:
            remove_match(places, log, match)


def over(places: Places, identity: bytes) -> tuple[Saved, ...]:
    """Every match of this identity that we have whole; the other side may not, and come for its end."""
    return tuple(saved for saved, is_over in _ours(places, identity) if is_over)


def _ours(places: Places, identity: bytes) -> Iterator[tuple[Saved, bool]]:
    """Every match of this identity, and whether it is over."""
    for saved in saved_matches(places.data, glance):
        about = saved.about
        if about is None or identity not in about.identities or len(about.identities) < 2:
            continue
        if saved.path != places.log(saved.match) or not places.secret(saved.match).exists():
            continue
        opponent = about.identities[1 - about.identities.index(identity)]
        yield Saved(saved.match, opponent, about.variant), about.is_over
