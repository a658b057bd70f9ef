"""Homes with a key and matches in them, and everything that lies below a directory."""

import stat
from collections.abc import Sequence
from pathlib import Path

from signers import raw_chain

from sm_p2p.log.entry import read_envelope
from sm_p2p.store.journal import Journal
from sm_p2p.store.keys import Identity, load_or_create_secret
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.notes import NOTES, Kind, Remark
from sm_p2p.store.peers import Peer, Peers
from sm_p2p.store.places import Places
from sm_p2p.store.ways import Role, Way, write_way

ENTRIES = raw_chain(6)
MATCH = bytes(read_envelope(ENTRIES[0]).id)
OTHER = raw_chain(6, size=3)
OTHER_MATCH = bytes(read_envelope(OTHER[0]).id)


def a_home(home: Path, number: int = 1) -> Places:
    """The home of somebody who has a key; the same number is the same key."""
    places = Places.below(home).make()
    Identity.load_or_create(places.identity, lambda size: bytes([number]) * size)
    return places


def keep(places: Places, raws: Sequence[bytes], *, mark: int | None = None, said: Sequence[str] = ()) -> bytes:
    """Let a home hold this match, signed up to `mark`, with these notes; its id."""
    match = bytes(read_envelope(raws[0]).id)
    load_or_create_secret(places.secret(match), lambda size: match[:size])
    places.log(match).unlink(missing_ok=True)
    with Journal.create(places.log(match)) as journal:
        for raw in raws:
            journal.append(raw)
    at = len(raws) if mark is None else mark
    write_mark(
        places.signed(match), Mark(match, at, bytes(read_envelope(raws[at - 1]).id) if at <= len(raws) else b"?")
    )
    if said:
        places.notes(match).unlink(missing_ok=True)
        with Journal.create(places.notes(match), NOTES) as notes:
            for text in said:  # the longer, the later
                notes.append(Remark(Kind.ANNOTATION, 1, len(text), text.encode()).pack(), Kind.ANNOTATION)
    return match


def a_full_home(home: Path) -> Places:
    """A home with one of each file, and a computer that plays there."""
    places = a_home(home)
    keep(places, ENTRIES, said=("hello",))
    write_way(places.way(MATCH), Way(Role.GUEST, ("192.168.1.20:7227",)))
    write_mark(places.checked(MATCH), Mark(MATCH, 1, b"h"))
    Peers().remember(Peer("Bo", bytes(32))).save(places.peers)
    places.options.write_text('name = "Ana"\n')
    keep(a_home(places.computer.keys.parent, 9), OTHER)
    return places


def below(home: Path) -> dict[str, bytes]:
    """Every file below a directory, by its name from there; the directories too, as if they held a slash."""
    return {
        str(path.relative_to(home)): b"/" if path.is_dir() else path.read_bytes() for path in sorted(home.rglob("*"))
    }


def modes(home: Path) -> set[int]:
    """The rights of all files below a directory."""
    return {stat.S_IMODE(path.stat().st_mode) for path in home.rglob("*") if path.is_file()}
