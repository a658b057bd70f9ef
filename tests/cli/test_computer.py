"""The opponent's process: it comes, it goes when it is told to, and it is told when it goes by itself."""

import asyncio
import io
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sm_p2p.cli import computer as computers
from sm_p2p.cli.computer import Computer, last_line

INVITE = "sm-p2p://x"
WAITS = f"import sys; sys.exit(sys.stdin.read() != '{INVITE}\\n')"
STAYS = "import signal, sys\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: signal.pause()"
COMPLAINS = "import sys; sys.exit('first\\nthe last word' + 'd' * 1000)"
CONTENT = "pass"


def standing_in(monkeypatch: pytest.MonkeyPatch, script: str) -> list[list[str]]:
    """Let this script run in the place of the computer; the words that it was started with."""
    started: list[list[str]] = []
    popen = subprocess.Popen

    def start(words: list[str], **options: object) -> "subprocess.Popen[bytes]":
        started.append(words)
        return popen([sys.executable, "-c", script], **options)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(subprocess, "Popen", start)
    return started


def test_it_comes_as_a_guest_with_a_home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = standing_in(monkeypatch, WAITS)

    async def story() -> None:
        computer = Computer(tmp_path, "greedy")
        computer.start(INVITE, pytest.fail)
        await computer.stop()
        assert computer._process is not None
        assert computer._process.returncode == 0

    asyncio.run(story())
    (words,) = started
    assert words[1:6] == ["-P", "-m", "sm_p2p", "join", "-"]
    assert words[words.index("--home") + 1] == str(tmp_path)
    assert "--tied" in words


def test_one_that_does_not_go_is_ended_and_that_is_no_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "FAREWELL_S", 0.1)
    standing_in(monkeypatch, STAYS)

    async def story() -> None:
        computer = Computer(tmp_path, "greedy")
        computer.start(INVITE, pytest.fail)
        await computer.stop()
        assert computer._process is not None
        assert computer._process.returncode == -9

    asyncio.run(story())


def test_one_that_dies_is_told_with_its_last_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standing_in(monkeypatch, COMPLAINS)

    async def story() -> None:
        told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        computer = Computer(tmp_path, "greedy")
        computer.start(INVITE, told.set_result)
        async with asyncio.timeout(30):
            last = await told
        assert last.startswith("the last word")
        assert len(last) == computers.LAST_WORDS
        await computer.stop()

    asyncio.run(story())


def test_of_one_that_talks_without_end_nothing_is_kept_but_the_beginning_of_the_last_line() -> None:
    assert last_line(io.BytesIO(b"x" * 100_000 + b"\n\n  why \xff\n" + b" " * 2_000)) == "why \ufffd"
    assert last_line(io.BytesIO(b"one\n" + b"two" * 1_000)) == ("two" * 1_000)[: computers.LAST_WORDS]
    assert last_line(io.BytesIO()) == ""


def test_one_that_goes_content_is_no_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standing_in(monkeypatch, CONTENT)

    async def story() -> None:
        computer = Computer(tmp_path, "greedy")
        computer.start(INVITE, pytest.fail)
        assert computer._process is not None
        await asyncio.to_thread(computer._process.wait, 30)
        await computer.stop()

    asyncio.run(story())


def test_one_that_never_came_need_not_go(tmp_path: Path) -> None:
    asyncio.run(Computer(tmp_path, "greedy").stop())


def test_one_that_outlives_the_loop_disturbs_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standing_in(monkeypatch, "import sys; sys.stdin.read(); sys.exit(1)")
    computer = Computer(tmp_path, "greedy")

    async def story() -> None:
        computer.start(INVITE, pytest.fail)

    asyncio.run(story())
    (watcher,) = (thread for thread in threading.enumerate() if thread.name == "computer")
    assert computer._process is not None
    assert computer._process.stdin is not None
    computer._process.stdin.close()
    watcher.join(30)
    assert not watcher.is_alive()
