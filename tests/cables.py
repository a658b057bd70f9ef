"""Network namespaces as machines, with cables between them, which can be pulled and plugged, and addresses that change.

Law: whatever was made is taken away again; `why_not` says, if that is so, why it cannot be made here.
"""

import asyncio
import contextlib
import ctypes
import itertools
import os
import shutil
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

T = TypeVar("T")

HOST: Final = "10.77.0.1"
GUEST: Final = "10.77.0.2"
DEVICE: Final = "cable"
NUMBERS: Final = itertools.count()
ETC: Final = Path("/etc/netns")
STORY_S: Final = 60.0
_OF_NETWORK: Final = 0x40000000  # CLONE_NEWNET of setns(2)


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
class Machine:
    """A namespace, with a loopback and whatever is wired to it."""

    name: str

    @property
    def inside(self) -> tuple[str, ...]:
        """The words that run a command in it."""
        return ("ip", "netns", "exec", self.name)

    def ip(self, *words: str) -> None:
        """Tells the kernel about it."""
        ip("-n", self.name, *words)

    def gets(self, device: str, *addresses: str) -> None:
        """This device gets these addresses, each with the length of its network, at once and without a doubt."""
        for address in addresses:
            self.ip("address", "add", address, "dev", device, *(["nodad"] if ":" in address else []))

    def reads(self, file: str, text: str) -> None:
        """A command that runs in there finds this in /etc/FILE; the file is there outside too."""
        (ETC / self.name).mkdir(parents=True, exist_ok=True)
        (ETC / self.name / file).write_text(text)

    def begin(self, story: Callable[[], Awaitable[T]]) -> "Future[T]":
        """What this story will give, which a thread in there tells on the loop that the program uses."""
        done: Future[T] = Future()

        async def main() -> T:
            async with asyncio.timeout(STORY_S):
                return await story()

        def tell() -> None:
            try:
                self._enter()
                with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
                    done.set_result(runner.run(main()))
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
                done.set_exception(error)

        threading.Thread(target=tell, name=self.name, daemon=True).start()
        return done

    def tells(self, story: Callable[[], Awaitable[T]]) -> T:
        """What this story gives, told in there."""
        return self.begin(story).result(STORY_S + 1)

    @contextlib.contextmanager
    def holds(self, thing: Callable[[], contextlib.AbstractAsyncContextManager[T]]) -> Iterator[T]:
        """What this gives in there, as long as the block lasts."""
        here: Future[T] = Future()
        ended: Future[Callable[[], object]] = Future()

        async def story() -> None:
            loop, over = asyncio.get_running_loop(), asyncio.Event()
            ended.set_result(lambda: loop.call_soon_threadsafe(over.set))
            try:
                async with thing() as given:
                    here.set_result(given)
                    await over.wait()
            except BaseException as error:
                if not here.done():
                    here.set_exception(error)
                raise

        done = self.begin(story)
        end = ended.result(STORY_S)
        try:
            yield here.result(STORY_S)
        finally:
            if not done.done():
                end()
            done.exception(STORY_S)
        done.result()

    def _enter(self) -> None:
        """Let this thread, and those that it begins, be in there."""
        libc = ctypes.CDLL(None, use_errno=True)
        with Path("/run/netns", self.name).open("rb") as place:
            if libc.setns(place.fileno(), _OF_NETWORK):
                raise OSError(ctypes.get_errno(), "setns")


@contextlib.contextmanager
def machines(count: int) -> Iterator[tuple[Machine, ...]]:
    """So many of them, without a cable."""
    made = tuple(Machine(f"sm-m-{os.getpid()}-{next(NUMBERS)}") for _ in range(count))
    try:
        for machine in made:
            ip("netns", "add", machine.name)
            machine.ip("link", "set", "lo", "up")
        yield made
    finally:
        for machine in made:
            subprocess.run(["ip", "netns", "del", machine.name], check=False, capture_output=True)  # noqa: S607 - as above
            shutil.rmtree(ETC / machine.name, ignore_errors=True)
        with contextlib.suppress(OSError):
            ETC.rmdir()  # if nobody else has anything there


def wire(one: Machine, other: Machine, device: str = DEVICE) -> None:
    """A cable between a device of this name in both, plugged in, without any address."""
    one.ip("link", "add", device, "type", "veth", "peer", "name", device, "netns", other.name)
    for machine in (one, other):
        machine.ip("link", "set", device, "addrgenmode", "none")
        machine.ip("link", "set", device, "up")


@dataclass(frozen=True)
class Cable:
    """The namespaces of the host and of the guest."""

    host: str
    guest: str

    @property
    def inside(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words that run a command in either."""
        return Machine(self.host).inside, Machine(self.guest).inside

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
    """A new one, plugged in at both ends, with an address of the old kind at each."""
    with machines(2) as (host, guest):
        wire(host, guest)
        host.gets(DEVICE, f"{HOST}/24")
        guest.gets(DEVICE, f"{GUEST}/24")
        yield Cable(host.name, guest.name)
