"""Processes that are frozen, and hosts whose cable is pulled."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator

import pytest
from far import far, told
from wires import run

NOTICED_S = 8.0
BACK_S = 5.0
LEFT, RIGHT = f"sm-l-{os.getpid()}", f"sm-r-{os.getpid()}"


@contextlib.asynccontextmanager
async def a_pair(address: str, here: str = "", there: str = "") -> AsyncIterator[tuple[Process, Process]]:
    """A host and a guest who talk."""
    async with far("host", address, namespace=here) as host:
        port = (await told(host, "port")).split()[1]
        async with far("guest", address, port, namespace=there) as guest:
            await told(guest, "echo")
            await told(host, "came")
            yield host, guest


async def frozen_host() -> None:
    """A host is stopped and goes on."""
    async with a_pair("127.0.0.1") as (host, guest):
        host.send_signal(signal.SIGSTOP)
        await told(guest, "reconnecting", NOTICED_S)
        host.send_signal(signal.SIGCONT)
        await told(guest, "up", BACK_S)
        await told(guest, "echo", BACK_S)


async def frozen_guest() -> None:
    """A guest is stopped and goes on."""
    async with a_pair("127.0.0.1") as (host, guest):
        guest.send_signal(signal.SIGSTOP)
        await told(host, "went", NOTICED_S)
        guest.send_signal(signal.SIGCONT)
        await told(guest, "reconnecting", BACK_S)
        await told(guest, "echo", BACK_S)
        await told(host, "came", BACK_S)


async def killed_guest() -> None:
    """A guest is killed."""
    async with a_pair("127.0.0.1") as (host, guest):
        guest.kill()
        await told(host, "went", NOTICED_S)


def test_a_frozen_or_killed_process_is_noticed_and_a_frozen_one_goes_on_when_it_wakes() -> None:
    async def story() -> None:
        await asyncio.gather(frozen_host(), frozen_guest(), killed_guest())

    run(story())


def ip(*words: str) -> None:
    """Tells the kernel."""
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S607 - words of this file


@pytest.fixture
def cable() -> Iterator[None]:
    """Two network namespaces with one cable between them."""
    if shutil.which("ip") is None or os.geteuid() != 0:
        pytest.skip("needs root and iproute2")
    try:
        ip("netns", "add", LEFT)
    except subprocess.CalledProcessError:
        pytest.skip("needs network namespaces")
    try:
        ip("netns", "add", RIGHT)
        ip("-n", LEFT, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", RIGHT)
        for namespace, address in ((LEFT, "10.77.0.1/24"), (RIGHT, "10.77.0.2/24")):
            ip("-n", namespace, "address", "add", address, "dev", "cable")
            ip("-n", namespace, "link", "set", "cable", "up")
        yield
    finally:
        for namespace in (LEFT, RIGHT):
            subprocess.run(["ip", "netns", "del", namespace], check=False, capture_output=True)  # noqa: S607 - as above


@pytest.mark.usefixtures("cable")
def test_a_pulled_cable_is_noticed_on_both_sides_and_play_goes_on_when_it_is_plugged_in_again() -> None:
    async def story() -> None:
        async with a_pair("10.77.0.1", LEFT, RIGHT) as (host, guest):
            ip("-n", LEFT, "link", "set", "cable", "down")
            await asyncio.gather(told(guest, "reconnecting", NOTICED_S), told(host, "went", NOTICED_S))
            ip("-n", LEFT, "link", "set", "cable", "up")
            await told(guest, "echo", BACK_S)
            await told(host, "came", BACK_S)

    run(story())
