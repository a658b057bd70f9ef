"""Files looked at in other processes."""

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path

import pytest
from watch.files import resealed, written

from sm_p2p.log.entry import Draft
from sm_p2p.store.records import LOG
from sm_p2p.watch import workers
from sm_p2p.watch.loading import Opened
from sm_p2p.watch.replay import UNPROVED
from sm_p2p.watch.report import Report, Standing
from sm_p2p.watch.verify import Part, owners, verify_file
from sm_p2p.watch.workers import Done, Said, Worker, _serve, joined, studying, verify_files


@pytest.fixture
def files(tmp_path: Path, small: list[bytes]) -> list[Path]:
    """A good log, a piece of one, one that is wrong, and one that is not there."""
    pieces = {"a": small[:4], "b": small[:2], "c": small[1:3]}
    return [*(written(tmp_path / f"{name}.smlog", raws) for name, raws in pieces.items()), tmp_path / "none"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_reports_are_those_of_one_process_in_the_order_of_the_files(files: list[Path], jobs: int) -> None:
    told: list[tuple[int, int]] = []
    reports = [*verify_files(files, jobs, lambda done, total: told.append((done, total)))]
    assert reports == [verify_file(path) for path in files]
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]


def test_without_proofs_it_stays_in_this_process(files: list[Path]) -> None:
    assert [*verify_files(files[:2], 1, lambda _done, _total: None, UNPROVED)] == [
        verify_file(path, proofs=UNPROVED) for path in files[:2]
    ]
    assert [*verify_files([], 4, lambda _done, _total: None)] == []


def test_a_worker_that_is_ended_from_outside_costs_its_file_and_no_other(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask: Callable[[Worker, Path], None] = Worker.ask

    def ask_and_end(worker: Worker, path: Path) -> None:
        ask(worker, path)
        if path == files[0]:
            os.kill(worker.pid, signal.SIGKILL)

    monkeypatch.setattr(workers.Worker, "ask", ask_and_end)
    reports = [*verify_files(files[:3], 2, lambda _done, _total: None)]
    assert [report.standing for report in reports[1:]] == [Standing.INCOMPLETE, Standing.WRONG]
    assert reports[0].standing is Standing.UNREADABLE
    assert "ended from outside" in str(reports[0].flaw)


def test_a_worker_closes_twice_and_is_asked_in_vain_afterwards() -> None:
    worker = Worker()
    worker.close()
    worker.close()
    worker.ask(Path("none"))
    assert worker.hear() is None


def served(work: Callable[[Path, Callable[[Said], None]], Report], path: Path) -> list[object]:
    """What such a process says about a file, without another process."""
    ours, theirs = Pipe()
    keep = [os.dup(number) for number in (1, 2)]
    handler = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=_serve, args=(theirs, work))
    try:
        thread.start()
        ours.send(path)
        said: list[object] = []
        while not said or isinstance(said[-1], Done | Opened):
            said.append(ours.recv())
        ours.send(None)
        thread.join()
    finally:
        signal.signal(signal.SIGINT, handler)
        for number, kept in enumerate(keep, 1):
            os.dup2(kept, number)
            os.close(kept)
    return said


def test_what_the_keys_open_comes_before_the_report(tmp_path: Path, small: list[bytes]) -> None:
    path = written(tmp_path / "a.smlog", small)
    told: list[Said] = []
    report = studying(path, told.append)
    opened, *rest = told
    assert isinstance(opened, Opened)
    assert opened.faces
    assert len(rest) == len(small)
    assert all(isinstance(said, Done) for said in rest)
    assert report.standing is Standing.COMPLETE
    assert studying(tmp_path / "none", told.append).standing is Standing.MISSING


def test_a_bug_there_is_raised_here(tmp_path: Path) -> None:
    def fail(_path: Path, _say: Callable[[Said], None]) -> Report:
        raise ZeroDivisionError

    assert isinstance(served(fail, tmp_path)[-1], ZeroDivisionError)
    ours, theirs = Pipe()
    worker = Worker.__new__(Worker)
    worker._ours = ours
    theirs.send(ZeroDivisionError("a bug"))
    with pytest.raises(ZeroDivisionError):
        worker.hear()


def test_it_ends_with_whoever_has_started_it(tmp_path: Path) -> None:
    assert isinstance(served(lambda path, _say: verify_file(path), tmp_path / "none")[-1], Report)


def in_parts(path: Path, of: int) -> Report:
    """The report about a log that so many share, made in this process."""
    return joined(path, [verify_file(path, part=Part(number, of)) for number in range(of)])


def test_whose_an_entry_is_does_not_depend_on_what_comes_behind_it(small: list[bytes]) -> None:
    whole = [*owners(small, 3)]
    assert set(whole) == {0, 1, 2}
    assert all([*owners(small[:count], 3)] == whole[:count] for count in range(len(small)))
    assert [*owners(small, 1)] == [0] * len(small)


def test_a_log_in_parts_has_the_report_that_it_has_as_a_whole(tmp_path: Path, small: list[bytes]) -> None:
    path = written(tmp_path / "a.smlog", small)
    assert in_parts(path, 2) == verify_file(path)
    path = written(tmp_path / "b.smlog", small[:4])
    path.write_bytes(path.read_bytes()[:-5])
    assert in_parts(path, 3) == verify_file(path)
    path.write_bytes(LOG.head + b"junk" * 9)
    assert in_parts(path, 3) == verify_file(path)


def test_in_parts_the_owner_of_a_wrong_entry_says_what_is_wrong_with_it(tmp_path: Path, small: list[bytes]) -> None:
    for at in (2, 4):

        def change(draft: Draft) -> Draft:
            *others, proof = draft.data
            assert isinstance(proof, bytes)
            return replace(draft, data=(*others, bytes([proof[0] ^ 1]) + proof[1:]), digest=bytes(8))

        path = written(tmp_path / f"{at}.smlog", [*small[:at], resealed(small[at], change), *small[at + 1 :]])
        whole = verify_file(path)
        assert whole.standing is Standing.WRONG
        assert verify_file(path, proofs=UNPROVED).flaw != whole.flaw  # who does not own it sees something else
        assert in_parts(path, 2) == in_parts(path, 3) == whole


def test_one_long_log_is_shared_by_processes(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LONG", 1)
    told: list[tuple[int, int]] = []
    assert [*verify_files(files[:1], 2, lambda done, total: told.append((done, total)))] == [verify_file(files[0])]
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]

    ask: Callable[[Worker, Path], None] = Worker.ask

    def ask_and_end(worker: Worker, path: Path) -> None:
        ask(worker, path)
        os.kill(worker.pid, signal.SIGKILL)

    monkeypatch.setattr(workers.Worker, "ask", ask_and_end)
    (report,) = verify_files(files[:1], 2, lambda _done, _total: None)
    assert "ended from outside" in str(report.flaw)
