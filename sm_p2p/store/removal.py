"""Taking a match off the disk: the log and everything that belongs to it.

Law: nothing goes while a process writes. The secret goes first, so that nobody can go on with what a crash left of it,
and the mark last; whatever is left then is listed again, or is a few bytes that hurt nobody.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from sm_p2p.store.files import disk, sync_directory
from sm_p2p.store.lock import Lock
from sm_p2p.store.places import Places


def belongings(places: Places, match: bytes) -> tuple[Path, ...]:
    """Every file of this match that exists, in the order in which they go; also what was kept beside, torn or old."""
    named = (places.log(match), places.notes(match), places.way(match))
    with disk(places.data):
        beside = sorted(path for path in places.data.glob(f"{match.hex()}.*") if path.is_file() and path not in named)
    rest = (path for path in beside if path.suffix != ".lock")
    found = (places.secret(match), *named, *rest, places.signed(match), places.checked(match))
    return tuple(path for path in found if path.exists() or path.is_symlink())


def size_of(paths: Iterator[Path] | tuple[Path, ...]) -> int:
    """The bytes that these files take; one that cannot be asked takes none."""
    total = 0
    for path in paths:
        with contextlib.suppress(OSError):
            total += path.stat().st_size
    return total


@contextlib.contextmanager
def held(*logs: Path) -> Iterator[None]:
    """Within it no other process can write these logs; JournalBusy if one does already."""
    with contextlib.ExitStack() as stack:
        for log in logs:
            stack.callback(Lock.take(log.with_name(f"{log.name}.lock"), str(log)).release)
        yield


def remove_match(places: Places, log: Path, match: bytes) -> tuple[Path, ...]:
    """Take this log away, and what belongs to it if it bears its own name; the files that are gone.

    JournalBusy if a process writes it, DiskTrouble where the disk refuses.
    """
    with held(log):
        gone = belongings(places, match) if log == places.log(match) else (log,)
        for path in gone:
            with disk(path):
                path.unlink()
        for directory in dict.fromkeys(path.parent for path in gone):
            with disk(directory):
                sync_directory(directory)
    return gone
