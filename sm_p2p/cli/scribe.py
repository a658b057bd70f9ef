"""What is watched, written down: a log for each match, as its players have it.

Law: only entries that were found right are written, in their order; nothing that lies there already is written over.
"""

import os
from io import FileIO
from pathlib import Path

from sm_p2p.errors import UsageError
from sm_p2p.session.effects import Advanced, PeerLeft, Rejected, Stopped
from sm_p2p.store.files import disk, open_new
from sm_p2p.store.lock import Lock
from sm_p2p.store.records import ENTRY, LOG, pack_record
from sm_p2p.watch.spectate import Sight


class Scribe:
    """Writes the first match into `first`, and another one at the same table beside it, with a number in its name."""

    def __init__(self, first: Path) -> None:
        self.path: Path | None = None  # of the match that is played now
        self._first = first
        self._count = 0
        self._file: FileIO | None = None
        self._lock: Lock | None = None

    def see(self, sight: Sight) -> None:
        """Write it down; DiskTrouble."""
        match sight:
            case Advanced(_, entry):
                if entry.seq == 1:
                    self._begin()
                if self._file is not None and self.path is not None:
                    with disk(self.path):
                        self._file.write(pack_record(ENTRY, entry.raw))
            case Stopped() | Rejected() | PeerLeft():
                self.close()
            case _:
                pass

    def close(self) -> None:
        """Nothing more is written."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _begin(self) -> None:
        self.close()
        self._count += 1
        first = self._first
        path = first if self._count == 1 else first.with_name(f"{first.stem}-{self._count}{first.suffix}")
        self._lock = Lock.take(path.with_name(f"{path.name}.lock"), str(path))
        with disk(path):
            self._file = open_new(path)
            self._file.write(LOG.head)
        self.path = path


def new_log(text: str) -> Path:
    """The file of this name, which nobody has yet; UsageError if a log cannot be kept there."""
    path = Path(text).expanduser()
    if os.path.lexists(path):
        raise UsageError("{file} exists already; choose another name.", file=text)
    if not path.parent.is_dir():
        raise UsageError("There is no directory {directory}.", directory=path.parent)
    return path
