"""Long runs of the real thing; each prints what it saw and raises when that is not what should be.

match       two computers, two processes, two homes, over TCP to 50 points: same bytes, a good log, the result said once
net         every byte of a handshake damaged once, and two hundred storms over one link
proxy       twenty matches through cuts, stalls, slices and flipped bits: same bytes, each entry told once
kill        a hundred times kill -9 in the middle of matches: nothing lost, nothing twice
reconnects  a hundred cuts in four hundred entries: each entry and each line of chat once
outages     frozen machines, pulled cables, new addresses, firewalls, damaged bytes, leaving meanwhile: how long each takes
disk        a disk that has room for so many pages, and then is full
screens     two people at two full screens, who see what stands there and press keys: quick matches to their end
simulator   worlds of two sides in any weather and with any lie (`tests/simulator`); a number behind it is the first seed
ladder      every level against those below it, five hundred games a pair (`scripts/ladder.py`)
cheating    everything that a cheat can say, told to a real process (`tests/cheating`), not one lie of a kind but all
fuzz        ten minutes of almost right bytes for every decoder; `fuzz MINUTES SEED` for other ones
files       every byte of a log changed, with and without a good checksum, every end, and a whole match at 10,000 places
"""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Final

from scripts import ladder
from scripts.measuring import soak_apart, soak_cheating, soak_files, soak_fuzz, soak_net, soak_screens, soak_simulator
from sm_p2p.store.places import Places
from sm_p2p.watch.report import Standing, report_lines
from sm_p2p.watch.verify import verify_file

PROGRAM: Final = [sys.executable, "-m", "sm_p2p"]
LADDER_GAMES: Final = 500
MATCH_S: Final = 3600.0


def climb() -> None:
    """Each level beats the ones below it, beyond doubt."""
    wrong = ladder.gate(LADDER_GAMES)
    _expect(not wrong, "; ".join(wrong))


def match() -> None:
    """The main job, without people."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        homes = [Path(directory) / name for name in ("ana", "bo")]
        host = _begin(homes[0], "host", "--name", "Ana", "--bind", "127.0.0.1")
        heard, invite = _until_invited(host)
        drain = threading.Thread(target=lambda: heard.extend(host.stdout or ()))  # a full pipe would stop the host
        drain.start()
        guest = _begin(homes[1], "join", invite, "--name", "Bo", "--yes")
        said, guest_errors = guest.communicate(timeout=MATCH_S)
        host.wait(MATCH_S)
        drain.join()
        statuses = (host.returncode, guest.returncode)
        _expect(statuses == (0, 0), f"statuses {statuses} {guest_errors}")
        for text in ("".join(heard), said):
            results = [line for line in text.splitlines() if "the match, " in line]
            _expect(len(results) == 1, f"the result was said {len(results)} times")
            print(results[0])
        logs = [next(Places.below(home).data.glob("*.smlog")) for home in homes]
        _expect(logs[0].read_bytes() == logs[1].read_bytes(), "the two logs differ")
        report = verify_file(logs[0])
        print("\n".join(report_lines(report)))
        _expect(report.standing is Standing.COMPLETE and max(report.score) >= 50, "the log is not whole and good")
    print(f"match: good, {time.monotonic() - began:.0f} s")


SOAKS: Final[Mapping[str, Callable[[], None]]] = {
    "match": match,
    "net": soak_net.run,
    "proxy": soak_apart.proxy,
    "kill": soak_apart.kill,
    "reconnects": soak_apart.reconnects,
    "outages": soak_apart.outages,
    "disk": soak_apart.disk,
    "screens": soak_screens.run,
    "simulator": soak_simulator.run,
    "ladder": climb,
    "cheating": soak_cheating.run,
    "fuzz": soak_fuzz.run,
    "files": soak_files.run,
}


def main() -> int:
    """Run all, or those that are named."""
    words = sys.argv[1:] or list(SOAKS)
    if unknown := [word for word in words if word not in SOAKS and not word.isdecimal()]:
        print(__doc__)
        if unknown[0] in ("-h", "--help"):
            return 0
        print(f"soak: there is no {unknown[0]}", file=sys.stderr)
        return 2
    for at, name in enumerate(words, 1):
        numbers = [int(word) for word in takewhile(str.isdecimal, words[at:])]
        if name == "simulator" and numbers:
            soak_simulator.run(numbers[0])
        elif name == "fuzz":
            soak_fuzz.run(*numbers[:2])
        elif not name.isdecimal():
            SOAKS[name]()
    return 0


def _until_invited(host: "subprocess.Popen[str]") -> tuple[list[str], str]:
    """What the host has said so far, and its invite."""
    heard = []
    for line in host.stdout or ():
        heard.append(line)
        if line.startswith("sm-p2p://"):
            return heard, line.strip()
    raise SystemExit(f"soak: no invite: {heard}")


def _begin(home: Path, *words: str) -> "subprocess.Popen[str]":
    command = [*PROGRAM, *words, "--player", "greedy", "--home", str(home)]
    return subprocess.Popen(  # noqa: S603 - our own words
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _expect(holds: bool, sentence: str) -> None:  # noqa: FBT001 - a condition is what it takes
    if not holds:
        raise SystemExit(f"soak: {sentence}")


if __name__ == "__main__":
    raise SystemExit(main())
