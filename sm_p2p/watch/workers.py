"""Files looked at in other processes: several at once on several cores, or one behind a screen that goes on working.

Law: a report from another process is the report that `verify_file` gives here. A worker writes nothing anywhere, hears no
Ctrl-C, and ends with whoever has started it.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.errors import Sentence, SpiteError
from sm_p2p.session.proofs import CHECKED, Proofs
from sm_p2p.watch.judging import Judged, analyses, open_games
from sm_p2p.watch.loading import Loading, Opened, load
from sm_p2p.watch.replay import read_recording
from sm_p2p.watch.report import Flaw, Report, Standing
from sm_p2p.watch.verify import Part, owners, verify_file

LONG: Final = 500_000  # bytes of a log that is worth more than one process; a standard game has 300,000
FAREWELL_S: Final = 5.0  # until a worker that was asked to end is killed
_SPAWN: Final = get_context("spawn")  # a fork would copy threads and loops in the middle of their work

Pipe: TypeAlias = "Connection[object, object]"
Overall: TypeAlias = Callable[[int, int], None]
"""Called with how many bytes of all files are done, and how many there are."""


class Done(NamedTuple):
    """How many bytes of a file are done, and how many there are."""

    done: int
    total: int


Said: TypeAlias = Done | Opened | Judged | Report
Work: TypeAlias = Callable[[Path, Callable[[Said], None]], Report | Judged]
"""Looks at a file, says things meanwhile, and gives what it ends with: the report about it, or that all is judged."""


def verifying(path: Path, say: Callable[[Said], None]) -> Report:
    """Everything in this file is checked."""
    return verify_file(path, lambda done, total: say(Done(done, total)))


def verifying_part(part: Part, path: Path, say: Callable[[Said], None]) -> Report:
    """Everything in this file, but the proofs of this part only."""
    return verify_file(path, lambda done, total: say(Done(done, total)), part=part)


def studying(path: Path, say: Callable[[Said], None]) -> Report:
    """The same, and before it what the keys of its games open, so that nobody waits long to see their hands."""
    try:
        loading = Loading(read_recording(path))
    except SpiteError:
        return verify_file(path)
    for _ in loading.news():
        pass
    for opened in loading.opened():
        say(opened)
    return verifying(path, say)


def judging(path: Path, say: Callable[[Said], None]) -> Judged:
    """Each game whose keys open what was played is judged; `Done` counts moves."""
    with suppress(SpiteError):
        reel, _ = load(read_recording(path))
        for analysis in analyses(reel, open_games(reel), lambda done, total: say(Done(done, total))):
            say(Judged(analysis))
    return Judged(None)


class Worker:
    """Another process, which looks at one file after the other."""

    def __init__(self, work: Work = verifying) -> None:
        self._ours, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve, args=(theirs, work), name="verify", daemon=True)
        self._process.start()
        theirs.close()

    @property
    def pipe(self) -> Pipe:
        """What can be waited for."""
        return self._ours

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid or 0

    def ask(self, path: Path) -> None:
        """Look at this file now."""
        with suppress(OSError):  # `hear` notices that it has died
            self._ours.send(path)

    def hear(self) -> Said | None:
        """What it says next, what it ends with at last; None once it has died.

        What a bug of ours has raised there is raised here.
        """
        try:
            said: object = self._ours.recv()
        except (EOFError, OSError):
            return None
        if isinstance(said, BaseException):
            raise said
        return said if isinstance(said, Done | Opened | Judged | Report) else None

    def close(self) -> None:
        """End it; again is harmless."""
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(FAREWELL_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._ours.close()


def verify_files(paths: Sequence[Path], jobs: int, overall: Overall, proofs: Proofs = CHECKED) -> Iterator[Report]:
    """The reports of these files in their order; with `jobs` above 1 so many processes share the work."""
    sizes = [_size(path) for path in paths]
    if jobs > 1 and len(paths) == 1 and sizes[0] >= LONG:
        yield _in_parts(paths[0], sizes[0], jobs, overall)
    elif min(jobs, len(paths)) <= 1:
        yield from _one_by_one(paths, sizes, overall, proofs)
    else:
        yield from _together(paths, sizes, jobs, overall)


def _one_by_one(paths: Sequence[Path], sizes: Sequence[int], overall: Overall, proofs: Proofs) -> Iterator[Report]:
    before, total = 0, sum(sizes)
    for path, size in zip(paths, sizes, strict=True):

        def progress(done: int, of: int, before: int = before, size: int = size) -> None:
            overall(before + _part(done, of, size), total)

        yield verify_file(path, progress, proofs)
        before += size
        overall(before, total)


def _together(paths: Sequence[Path], sizes: Sequence[int], jobs: int, overall: Overall) -> Iterator[Report]:
    """The largest files first, so that no core has one left in the end while the others rest."""
    todo = deque(sorted(range(len(paths)), key=lambda at: -sizes[at]))
    done, reports = [0] * len(paths), dict[int, Report]()
    told = 0
    workers = [Worker() for _ in range(min(jobs, len(paths)))]
    works: dict[Worker, int] = {}
    try:
        for worker in workers:
            _give(worker, todo, paths, works)
        while works:
            ready = wait([worker.pipe for worker in works])
            for worker in [worker for worker in works if worker.pipe in ready]:
                at, said = works[worker], worker.hear()
                if isinstance(said, Done):
                    done[at] = _part(*said, sizes[at])
                if isinstance(said, Done | Opened | Judged):
                    continue
                del works[worker]
                done[at], reports[at] = sizes[at], said or _died(paths[at])
                if said is None:
                    worker.close()
                    workers.append(Worker())
                _give(worker if said else workers[-1], todo, paths, works)
            overall(sum(done), sum(sizes))
            while told in reports:
                yield reports[told]
                told += 1
    finally:
        for worker in workers:
            worker.close()


def _in_parts(path: Path, size: int, jobs: int, overall: Overall) -> Report:
    """The report of one long log, whose proofs several processes share."""
    workers = [Worker(partial(verifying_part, Part(number, jobs))) for number in range(jobs)]
    done, reports = dict.fromkeys(workers, 0), dict[Worker, Report]()
    try:
        for worker in workers:
            worker.ask(path)
        while len(reports) < jobs:
            ready = wait([worker.pipe for worker in workers if worker not in reports])
            for worker in [worker for worker in workers if worker.pipe in ready]:
                said = worker.hear()
                if said is None:
                    return _died(path)
                if isinstance(said, Report):
                    reports[worker], done[worker] = said, size
                elif isinstance(said, Done):
                    done[worker] = _part(*said, size)
            overall(sum(done.values()) // jobs, size)
    finally:
        for worker in workers:
            worker.close()
    return joined(path, [reports[worker] for worker in workers])


def joined(path: Path, reports: Sequence[Report]) -> Report:
    """The report of the whole, out of those of its parts: nothing is right behind what any of them has found wrong.

    What is wrong with an entry is said by the one whose it is, who looks at it most closely.
    """
    least = min(report.counts.entries for report in reports)
    numbers = [number for number, report in enumerate(reports) if report.counts.entries == least]
    with suppress(SpiteError):
        raws = read_recording(path).raws[: least + 1]
        owner = [*owners(raws, len(reports))][-1:]
        numbers = [number for number in numbers if number in owner] or numbers
    return reports[numbers[0]]


def _give(worker: Worker, todo: deque[int], paths: Sequence[Path], works: dict[Worker, int]) -> None:
    """The next file for this worker, if there is one."""
    if todo:
        works[worker] = todo.popleft()
        worker.ask(paths[works[worker]])


def _died(path: Path) -> Report:
    """What is said of a file whose worker has ended in the middle of it."""
    sentence = Sentence("the process that checked this file was ended from outside; check it again")
    return Report(path, Standing.UNREADABLE, Flaw(None, None, sentence))


def _size(path: Path) -> int:
    try:
        return max(path.stat().st_size, 1)
    except (OSError, ValueError):
        return 1


def _part(done: int, total: int, size: int) -> int:
    """How many bytes of a file of this size are done; its entries are nearly all of it."""
    return size * done // total if total else size


def _serve(pipe: Pipe, work: Work) -> None:
    """The other process."""
    with suppress(ValueError, AttributeError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever has started us hears it, and ends us
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (1, 2):
        os.dup2(nowhere, number)
    with suppress(EOFError, OSError):  # nobody is there any more
        while isinstance(path := pipe.recv(), Path):
            said: object
            try:
                said = work(path, pipe.send)
            except Exception as error:  # noqa: BLE001 - a bug of ours; it is raised where it can be seen
                said = error
            pipe.send(said)
