"""Homes with saved matches in them, made from the recorded games of the protocol: seat 0 is Ana, seat 1 Bruno."""

import os
from collections.abc import Sequence
from pathlib import Path

from sm_p2p.log.entry import read_envelope
from sm_p2p.store.journal import Journal, read_journal
from sm_p2p.store.keys import Identity, load_or_create_secret
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.places import Places

GAMES = Path(__file__).resolve().parent.parent.parent / "protocol" / "vectors" / "games"
SEEDS = (b"\x01" * 32, b"\x02" * 32)
DAY = 1_700_000_000  # when the first match of a shelf was played last; the others an hour later each


def game(name: str) -> tuple[bytes, ...]:
    """The entries of a recorded game: house and short are whole, tie is not over."""
    return tuple(record.payload for record in read_journal(GAMES / f"{name}.smlog").records)


def id_of(raws: Sequence[bytes]) -> bytes:
    """The match that these entries are of."""
    return bytes(read_envelope(raws[0]).id)


def home_of(home: Path, seat: int = 0) -> Places:
    """The home of one of the two, without a match."""
    places = Places.below(home).make()
    Identity.load_or_create(places.identity, lambda _size: SEEDS[seat])
    return places


def put(places: Places, raws: Sequence[bytes], hour: int = 0, *, is_signed: bool = True) -> Path:
    """Let a home hold this match; the log."""
    match = id_of(raws)
    load_or_create_secret(places.secret(match))
    with Journal.create(places.log(match)) as journal:
        for raw in raws:
            journal.append(raw)
    if is_signed:
        write_mark(places.signed(match), Mark(match, len(raws), bytes(read_envelope(raws[-1]).id)))
    os.utime(places.log(match), (DAY + 3600 * hour,) * 2)
    return places.log(match)
