"""The honest side as a running process: `house.py`, and what it tells about each of its tables."""

import json
import queue
import re
import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path
from typing import Final

from processes import DEADLINE_S, ENVIRONMENT

ROOT: Final = Path(__file__).resolve().parents[2]
HOUSE: Final = Path(__file__).with_name("house.py")


class House:
    """The process of `house.py`, and what it tells about each table; any thread may ask."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._told: defaultdict[str, queue.Queue[dict[str, object]]] = defaultdict(queue.Queue)
        self._turn = threading.Lock()
        self._opened = 0
        self.process = subprocess.Popen(
            [sys.executable, str(HOUSE), str(directory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**ENVIRONMENT, "PYTHONPATH": str(ROOT)},
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def opens(self, game: str, entries: int, seat: int, **more: object) -> "Seat":
        """A table at which this seat goes on with a recorded match, or a guest who goes somewhere."""
        with self._turn:
            self._opened += 1
            name = f"t{self._opened}"
        self.type(table=name, game=game, entries=entries, seat=seat, **more)
        return Seat(self, name)

    def hears(self, name: str, word: str) -> str:
        """What is said next about this table under this word."""
        while True:
            told = self._told[name].get(timeout=DEADLINE_S)
            if word in told:
                return str(told[word])

    @property
    def most_memory(self) -> int:
        """Bytes of memory that it has had at one time, where the system tells."""
        status = Path(f"/proc/{self.process.pid}/status")
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text("ascii")) if status.exists() else None
        return 1024 * int(found[1]) if found else 0

    def type(self, **words: object) -> None:
        """One line."""
        with self._turn:
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps(words) + "\n")
            self.process.stdin.flush()

    def _listen(self) -> None:
        for line in self.process.stdout or ():
            told: dict[str, object] = json.loads(line)
            for word, value in told.items():
                self._told[str(told["table"])].put({word: value})


class Seat:
    """An honest seat in the house."""

    def __init__(self, house: House, name: str) -> None:
        self._house = house
        self.name = name
        self.home = house.directory / name

    def hears(self, word: str) -> str:
        """What is said next about it under this word."""
        return self._house.hears(self.name, word)

    def door(self) -> tuple[int, bytes]:
        """Its port, and the token of its invite."""
        return int(self.hears("port")), bytes.fromhex(self.hears("token"))

    def ending(self) -> tuple[str, str]:
        """How it has ended, and with which code."""
        return self.hears("how"), self.hears("code")

    def leave(self) -> None:
        """Let it end."""
        self._house.type(table=self.name, end=True)
