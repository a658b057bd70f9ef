"""One writer for one file: a lock that dies with its process, and says who holds it.

Law: the kernel's lock decides, never the existence of the file or the number in it; so a crash leaves nothing behind
that must be cleaned up. The number of the process is written into the lock file for people only.
"""

import contextlib
import os
import shlex
import sys
from pathlib import Path
from typing import Final

from sm_p2p.errors import JournalBusy, Sentence
from sm_p2p.store.files import BINARY, PRIVATE_FILE, disk, read_small, write_all

if sys.platform == "win32":  # pragma: no cover - the other half runs elsewhere
    import msvcrt
else:
    import fcntl

_LOCKED_BYTE: Final = 1_000  # Windows locks bytes; one behind the number, so that others can read the number
_DIGITS: Final = 20  # bytes that are looked at of what stands in a lock file
_LARGEST: Final = 2**31 - 1  # number of a process; the system takes no larger one


class Lock:
    """The right to write, held from `take` to `release` or to the end of the process."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def take(cls, path: Path, what: str) -> "Lock":
        """The lock, or JournalBusy with a sentence in which `what` names the file that is in use."""
        with disk(path):
            while True:
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, PRIVATE_FILE)
                if not _try_lock(descriptor):
                    pid = _number(os.read(descriptor, _DIGITS))
                    os.close(descriptor)
                    who = Sentence("process {pid}", pid=pid) if pid else Sentence("another process")
                    look = f"sm-p2p replay {shlex.quote(what)}"
                    raise JournalBusy(
                        "{who} is writing {what}; close it there, or only look on, with: {look}",
                        pid,
                        who=who,
                        what=what,
                        look=look,
                    )
                if _still_named(path, descriptor):
                    break
                os.close(descriptor)  # its last holder took the name away between our two steps
            with contextlib.suppress(OSError):  # a full disk hides the number, not the lock
                os.ftruncate(descriptor, 0)
                write_all(descriptor, b"%d\n" % os.getpid())
        return cls(path, descriptor)

    def release(self) -> None:
        """Others may write from now on."""
        with contextlib.suppress(OSError):  # Windows keeps names of open files; an old lock file hurts nobody
            if _still_named(self._path, self._descriptor):
                self._path.unlink()
        os.close(self._descriptor)


def writer_of(path: Path) -> int:
    """The number of the process that seems to write this file now, 0 if none does; nothing is taken and nothing changed."""
    try:
        pid = _number(read_small(path.with_name(f"{path.name}.lock"), _DIGITS))
    except OSError:
        return 0
    if pid and sys.platform != "win32":  # where asking would end it
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return 0
        except PermissionError:  # it is there, and somebody else's
            pass
    return pid


def _try_lock(descriptor: int) -> bool:
    if sys.platform == "win32":  # pragma: no cover
        try:
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _still_named(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _number(text: bytes) -> int:
    number = int(text) if text.strip().isdigit() else 0
    return number if number <= _LARGEST else 0
