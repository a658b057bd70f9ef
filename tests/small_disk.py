"""A disk that is full soon."""

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAGE: Final = 4096


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """Within it no file can grow beyond this size: the write that would is cut short, the next one fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@dataclass(frozen=True)
class SmallDisk:
    """A disk of its own at a place, as long as it is mounted."""

    place: Path

    def fill(self, pages: int) -> None:
        """Leave room for so many pages; a file takes whole ones."""
        with self._ballast.open("ab") as ballast:
            while room := self._pages() - pages:
                ballast.write(bytes(room * PAGE))
                ballast.flush()

    def clear(self) -> None:
        """Make room."""
        self._ballast.unlink()

    @property
    def _ballast(self) -> Path:
        return self.place / "ballast"

    def _pages(self) -> int:
        about = os.statvfs(self.place)
        return about.f_bavail * about.f_frsize // PAGE


@contextmanager
def small_disk(place: Path, size: str = "1m") -> Iterator[SmallDisk]:
    """A disk of this size, mounted at this place; needs the superuser."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], check=True)  # noqa: S607
    try:
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)  # noqa: S607
