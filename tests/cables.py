"""Two network namespaces with one cable between them, which can be pulled and plugged, and addresses that change.

Law: whatever was made is taken away again; `why_not` says, if that is so, why it cannot be made here.
"""

import contextlib
import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

HOST: Final = "10.77.0.1"
GUEST: Final = "10.77.0.2"
DEVICE: Final = "cable"
NUMBERS: Final = itertools.count()


def ip(*words: str) -> None:
    """Tells the kernel."""
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S607 - words of this file


def why_not() -> str:
    """Why there can be no namespaces here; empty if there can."""
    if shutil.which("ip") is None:
        return "needs iproute2"
    if os.geteuid() != 0:
        return "needs root"
    name = f"sm-t-{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("netns", "del", name)
    except subprocess.CalledProcessError as refusal:
        return f"needs network namespaces: {refusal.stderr.decode(errors='replace').strip()}"
    return ""


@dataclass(frozen=True)
class Cable:
    """The namespaces of the host and of the guest."""

    host: str
    guest: str

    @property
    def inside(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words that run a command in either."""
        return ("ip", "netns", "exec", self.host), ("ip", "netns", "exec", self.guest)

    def pull(self) -> None:
        """Nothing passes any more."""
        ip("-n", self.host, "link", "set", DEVICE, "down")

    def plug(self) -> None:
        """Everything passes again."""
        ip("-n", self.host, "link", "set", DEVICE, "up")

    def move(self, namespace: str, old: str, new: str) -> None:
        """One end gets another address in the place of the one that it had."""
        ip("-n", namespace, "address", "del", f"{old}/24", "dev", DEVICE)
        ip("-n", namespace, "address", "add", f"{new}/24", "dev", DEVICE)


@contextlib.contextmanager
def a_cable() -> Iterator[Cable]:
    """A new one, plugged in at both ends."""
    number = f"{os.getpid()}-{next(NUMBERS)}"
    cable = Cable(f"sm-l-{number}", f"sm-r-{number}")
    try:
        for namespace in (cable.host, cable.guest):
            ip("netns", "add", namespace)
        peer = ("type", "veth", "peer", "name", DEVICE, "netns", cable.guest)
        ip("-n", cable.host, "link", "add", DEVICE, *peer)
        for namespace, address in ((cable.host, HOST), (cable.guest, GUEST)):
            ip("-n", namespace, "address", "add", f"{address}/24", "dev", DEVICE)
            ip("-n", namespace, "link", "set", DEVICE, "up")
        yield cable
    finally:
        for namespace in (cable.host, cable.guest):
            subprocess.run(["ip", "netns", "del", namespace], check=False, capture_output=True)  # noqa: S607 - as above
