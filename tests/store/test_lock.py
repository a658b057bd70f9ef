"""The kernel's lock decides; what is written in the lock file is for people."""

import fcntl
import os
import threading
from pathlib import Path

import pytest

from sm_p2p.errors import DiskTrouble, JournalBusy
from sm_p2p.store.lock import Lock, _still_named, writer_of


def test_a_lock_file_of_the_dead_is_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "m.lock"
    path.write_text("4194303\n")
    lock = Lock.take(path, "it")
    assert path.read_text() == f"{os.getpid()}\n"
    lock.release()
    assert not path.exists()


def test_a_holder_that_does_not_tell_its_number_is_another_process(tmp_path: Path) -> None:
    path = tmp_path / "m.lock"
    lock = Lock.take(path, "it")
    path.write_text("nobody")
    with pytest.raises(JournalBusy, match="another process") as caught:
        Lock.take(path, "it")
    assert caught.value.pid == 0
    lock.release()


@pytest.mark.parametrize("text", ["9" * 20, "9" * 10, "9" * 30, "2147483648", "-1", "1.0", "²", ""])
def test_a_number_that_no_process_has_is_nobodys(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.lock"
    lock = Lock.take(path, "it")
    assert writer_of(tmp_path / "m") == os.getpid()
    path.write_text(text)
    assert writer_of(tmp_path / "m") == 0
    with pytest.raises(JournalBusy, match="another process"):
        Lock.take(path, "it")
    lock.release()


def test_a_holder_whose_lock_file_was_taken_away_does_not_take_that_of_the_next(tmp_path: Path) -> None:
    path = tmp_path / "m.lock"
    first = Lock.take(path, "it")
    path.unlink()
    second = Lock.take(path, "it")
    first.release()
    with pytest.raises(JournalBusy):
        Lock.take(path, "it")
    second.release()


def test_a_lock_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DiskTrouble, match="there is no"):
        Lock.take(tmp_path / "nowhere" / "m.lock", "it")


def test_a_lock_has_one_holder_at_a_time_however_it_is_fought_for(tmp_path: Path) -> None:
    path, inside, seen = tmp_path / "m.lock", [], []

    def fight() -> None:
        for _ in range(300):
            try:
                lock = Lock.take(path, "it")
            except JournalBusy:
                continue
            inside.append(lock)
            seen.append(len(inside))
            inside.remove(lock)
            lock.release()

    threads = [threading.Thread(target=fight) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) == {1}


def test_a_lock_on_a_file_that_lost_its_name_in_between_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, flock, third = tmp_path / "m.lock", fcntl.flock, []
    first = Lock.take(path, "it")

    def later(descriptor: int, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        first.release()
        third.append(Lock.take(path, "it"))
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", later)
    with pytest.raises(JournalBusy):
        Lock.take(path, "it")
    third[0].release()
    Lock.take(path, "it").release()


def test_a_lock_file_counts_while_its_name_leads_to_it(tmp_path: Path) -> None:
    path = tmp_path / "m.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    assert _still_named(path, descriptor)
    path.unlink()
    assert not _still_named(path, descriptor)
    path.touch()
    assert not _still_named(path, descriptor)
    os.close(descriptor)
