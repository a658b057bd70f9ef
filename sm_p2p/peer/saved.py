"""The matches on this disk that can be gone on with."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sm_p2p.rules.variant import Variant
from sm_p2p.session.glance import glance
from sm_p2p.store.files import disk
from sm_p2p.store.matches import saved_matches
from sm_p2p.store.places import Places

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
