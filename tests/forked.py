"""The program as a process that need not be loaded: a fork of one that has loaded it, and does nothing else.

Law: what runs is the whole program, as `python -m sm_p2p WORDS` does it, in a process of its own with its own streams,
surroundings, signals and end. Only what the interpreter reads when it starts is that of the first one; whoever wants
that otherwise, or has no pidfd, starts a process as usual.
"""

import atexit
import contextlib
import fcntl
import io
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Final, NoReturn, TextIO

PROGRAM: Final = (sys.executable, "-m", "sm_p2p")
_FOR_THE_INTERPRETER: Final = ("PYTHON", "LC_", "LANG")
_MOST_WORDS: Final = 1 << 20
_LOCK: Final = threading.Lock()


class Forked:
    """Such a process, with what the tests use of `subprocess.Popen`; each stream is None unless it is a pipe."""

    def __init__(self, pid: int, end: int, streams: tuple[TextIO | None, TextIO | None, TextIO | None]) -> None:
        self.pid = pid
        self.stdin, self.stdout, self.stderr = streams
        self.returncode: int | None = None
        self._end = os.fdopen(end, "rb", 0)  # says the status, once it has ended

    def poll(self) -> int | None:
        """Its exit status, if it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, if it ends within so many seconds."""
        if self.returncode is None:
            if not select.select([self._end], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired([*PROGRAM], timeout or 0.0)
            self.returncode = os.waitstatus_to_exitcode(int(self._end.readline()))
            self._end.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it has not ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it, if it has not ended."""
        self.send_signal(signal.SIGKILL)


def may_fork(words: list[str], environment: Mapping[str, str], usual: Mapping[str, str]) -> bool:
    """Whether these words are ours, and nothing is otherwise that an interpreter reads when it starts."""
    here, there = (
        {key: value for key, value in each.items() if key.startswith(_FOR_THE_INTERPRETER)}
        for each in (environment, usual)
    )
    return hasattr(os, "pidfd_open") and tuple(words[:3]) == PROGRAM and here == there


def fork(words: list[str], environment: Mapping[str, str], usual: Mapping[str, str], terminal: int = -1) -> Forked:
    """The program with these words, at three pipes, or at a terminal that becomes its own."""
    ends = [os.pipe() for _ in range(3)] if terminal < 0 else []
    theirs = [ends[0][0], ends[1][1], ends[2][1]] if ends else [terminal] * 3
    heard, told = os.pipe()
    order = {"words": words[3:], "environment": dict(environment), "place": str(Path.cwd()), "owns": terminal >= 0}
    with _LOCK:
        socket.send_fds(_nursery(tuple(usual.items())), [json.dumps(order).encode()], [*theirs, told])
    for number in (told, *(theirs if ends else ())):
        os.close(number)
    pid = int(_line(heard))
    if not ends:
        return Forked(pid, heard, (None, None, None))
    stdin = os.fdopen(ends[0][1], "w", encoding="utf-8")
    stdout, stderr = (os.fdopen(ends[number][0], encoding="utf-8") for number in (1, 2))
    return Forked(pid, heard, (stdin, stdout, stderr))


def _line(number: int) -> bytes:
    """What is said until a line ends, and nothing behind it."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(number, 1)
        assert byte, "whoever forks has ended"
        line += byte
    return line


@cache
def _nursery(usual: tuple[tuple[str, str], ...]) -> socket.socket:
    """The line to the one process of which these are forks; it ends when this process does."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, __file__, str(its.fileno())],
        pass_fds=[its.fileno()],
        stdin=subprocess.DEVNULL,
        env=dict(usual),
        start_new_session=True,
    )
    its.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _serve(line: socket.socket) -> None:
    """Fork for every order, and say to whom it was for which process that is, and at its end the status."""
    children: dict[int, tuple[int, int]] = {}
    while True:
        for ready in select.select([line.fileno(), *children], [], [])[0]:
            if ready != line.fileno():
                pid, told = children.pop(ready)
                _tell(told, os.waitpid(pid, 0)[1])
                os.close(told)
                os.close(ready)
                continue
            said, numbers, _, _ = socket.recv_fds(line, _MOST_WORDS, 4)
            if not said:
                return
            pid = os.fork()
            if not pid:
                line.detach()
                _become(json.loads(said), numbers[:3])
            for number in numbers[:3]:
                os.close(number)
            _tell(numbers[3], pid)
            children[os.pidfd_open(pid)] = pid, numbers[3]


def _tell(number: int, what: int) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(number, f"{what}\n".encode())


def _become(order: dict[str, object], streams: list[int]) -> NoReturn:
    """Be the process that was ordered."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, min(_MOST_WORDS, os.sysconf("SC_OPEN_MAX")))
    words, environment, place = order["words"], order["environment"], order["place"]
    assert isinstance(words, list)
    assert isinstance(environment, dict)
    assert isinstance(place, str)
    if order["owns"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(place)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.stdin = sys.__stdin__ = _stream(0, sys.stdin)  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _stream(1, sys.stdout)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, sys.stderr)  # type: ignore[misc]
    sys.argv = ["sm_p2p", *words]
    runpy.run_module("sm_p2p", run_name="__main__", alter_sys=True)
    raise SystemExit


def _stream(number: int, usual: TextIO) -> io.TextIOWrapper:
    """A standard stream, as the interpreter makes it."""
    is_direct = bool(number and os.environ.get("PYTHONUNBUFFERED"))
    raw = os.fdopen(number, "wb" if number else "rb", 0 if is_direct else -1, closefd=False)
    return io.TextIOWrapper(
        raw,
        encoding=usual.encoding,
        errors=usual.errors,
        newline="\n",
        line_buffering=number == 2 or raw.isatty(),
        write_through=is_direct,
    )


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())  # as with -m
    package = import_module("sm_p2p")
    for module in walk_packages(package.__path__, "sm_p2p."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    with socket.socket(fileno=int(sys.argv[1])) as orders:
        _serve(orders)
