"""The program as processes: each with a home of its own, a deadline, and an end that is certain.

Law: tests wait for a line or for an end, never for a time; whatever is still running when a test ends is ended by its id.
"""

import atexit
import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from forked import Forked, fork, may_fork

DEADLINE_S = 90.0
_COMPILED = tempfile.TemporaryDirectory(prefix="sm-p2p-compiled-")  # whoever need not compile starts much faster
atexit.register(_COMPILED.cleanup)
ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONPYCACHEPREFIX": _COMPILED.name,
    "PYTHONWARNINGS": "error",
    "LC_ALL": "C.UTF-8",
    "SM_P2P_LAN": "no",
}


@dataclass
class Run:
    """A process that is running, its output line by line as it comes."""

    process: "subprocess.Popen[str] | Forked"
    lines: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _queue: "queue.Queue[str | None]" = field(default_factory=queue.Queue)
    _threads: list[threading.Thread] = field(default_factory=list)

    def listen(self) -> "Run":
        """Read both outputs until they end."""

        def out() -> None:
            for line in self.process.stdout or ():
                self._queue.put(line.rstrip("\n"))
            self._queue.put(None)

        def err() -> None:
            self.errors.extend(line.rstrip("\n") for line in self.process.stderr or ())

        self._threads = [threading.Thread(target=work, daemon=True) for work in (out, err)]
        for thread in self._threads:
            thread.start()
        return self

    def until(self, word: str, within: float = DEADLINE_S) -> str:
        """The next line of output that holds this word, if it comes within so many seconds."""
        deadline = time.monotonic() + within
        while True:
            try:
                line = self._queue.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no line with {word!r} in time; so far: {self.lines[-5:]}") from None
            if line is None:
                raise AssertionError(f"it ended before a line with {word!r}: {self.lines[-5:]} {self.errors}")
            self.lines.append(line)
            if word in line:
                return line

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def each(self) -> Iterator[str]:
        """Every line that still comes, until its output ends."""
        while (line := self._queue.get(timeout=DEADLINE_S)) is not None:
            self.lines.append(line)
            yield line
        self._queue.put(None)

    def end(self, within: float = DEADLINE_S) -> int:
        """Wait for its end, so many seconds; its exit status."""
        status = self.process.wait(within)
        for thread in self._threads:
            thread.join(DEADLINE_S)
        while (line := self._queue.get(timeout=DEADLINE_S)) is not None:
            self.lines.append(line)
        return status


def piped(words: list[str], environment: Mapping[str, str]) -> "subprocess.Popen[str] | Forked":
    """A process at three pipes: a fork if it is this program and nothing else."""
    if may_fork(words, environment, ENVIRONMENT):
        return fork(words, environment, ENVIRONMENT)
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)


@contextlib.contextmanager
def start(*words: str, home: Path, inside: Sequence[str] = (), **environment: str) -> Iterator[Run]:
    """`sm-p2p WORDS --home HOME`, ended with the block; `inside` are the words of a command that runs it elsewhere."""
    process = piped(
        [*inside, sys.executable, "-m", "sm_p2p", *words, "--home", str(home)], {**ENVIRONMENT, **environment}
    )
    try:
        yield Run(process).listen()
    finally:
        process.kill()
        process.wait(DEADLINE_S)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def once(
    *words: str,
    home: Path | None = None,
    before: Callable[[], None] | None = None,
    out: int = subprocess.PIPE,
    err: int = subprocess.PIPE,
    said: str = "",
) -> "subprocess.CompletedProcess[str]":
    """`sm-p2p WORDS`, run to its end; `before` happens in it first, `said` is what it can read."""
    return subprocess.run(
        [sys.executable, "-m", "sm_p2p", *words, *(("--home", str(home)) if home else ())],
        input=said,
        stdout=out,
        stderr=err,
        text=True,
        env=ENVIRONMENT,
        timeout=DEADLINE_S,
        check=False,
        preexec_fn=before,
    )
