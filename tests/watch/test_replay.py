"""A file played back, step by step."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from watch.files import resealed, written

from scripts.making.recorder import as_log
from sm_p2p.errors import Code, DiskTrouble, Fault, JournalDamaged, SpiteError
from sm_p2p.log.codec import Value
from sm_p2p.log.entry import Draft, read_envelope
from sm_p2p.session.events import Opened
from sm_p2p.session.match import admit, advance, replay
from sm_p2p.session.state import Match, State
from sm_p2p.store.records import LOG, pack_record
from sm_p2p.watch.replay import GLANCED, UNPROVED, Recording, Step, read_recording


def played(recording: Recording) -> tuple[list[Step], SpiteError | None]:
    """The steps up to the end or to what is raised."""
    steps: list[Step] = []
    try:
        for step in recording.steps(UNPROVED):
            steps.append(step)  # noqa: PERF402 - those before the error are wanted
    except SpiteError as error:
        return steps, error
    return steps, None


def test_the_steps_follow_each_other_to_the_match_that_the_players_had(tmp_path: Path, small: list[bytes]) -> None:
    recording = read_recording(written(tmp_path / "a.smlog", small))
    steps = list(recording.steps(UNPROVED))
    assert (recording.ending, recording.is_torn, len(steps)) == (None, False, len(small))
    assert steps[0].before == Match()
    assert isinstance(steps[0].event, Opened)
    assert all(one.after is other.before for one, other in pairwise(steps))
    assert steps[-1].after == replay(small, UNPROVED)
    assert steps[-1].after.state is State.CLOSED


def test_a_first_look_comes_to_the_same_match(small: list[bytes]) -> None:
    assert replay(small, GLANCED) == replay(small, UNPROVED)


def test_what_is_no_point_is_a_fault_at_a_first_look_once_the_card_is_opened(small: list[bytes]) -> None:
    """Wherever there may be points, in every entry: nothing but faults comes of it."""
    codes, off = set(), (2).to_bytes(32, "little")  # on no curve
    match = Match()
    for raw in small:
        data = read_envelope(raw).data
        for item, content in enumerate(data):
            if isinstance(content, bytes) and len(content) % 32 == 0 < len(content):
                wrong: tuple[Value, ...] = (*data[:item], len(content) // 32 * off, *data[item + 1 :])

                def change(draft: Draft, wrong: tuple[Value, ...] = wrong) -> Draft:
                    return replace(draft, data=wrong)

                try:
                    advance(match, admit(match, resealed(raw, change)), GLANCED)
                except Fault as fault:
                    codes.add(fault.code)
        match = advance(match, admit(match, raw), GLANCED)
    assert Code.BAD_POINT in codes


def test_a_torn_end_is_told_and_left_out(tmp_path: Path, small: list[bytes]) -> None:
    path = tmp_path / "a.smlog"
    path.write_bytes(as_log(small)[:-1])
    recording = read_recording(path)
    assert (recording.ending, recording.is_torn) == (Code.TORN_TAIL, True)
    assert "not written to its end" in recording.sentence
    steps, error = played(recording)
    assert (len(steps), error) == (len(small) - 1, None)


def test_a_damaged_file_plays_up_to_the_damage(tmp_path: Path, small: list[bytes]) -> None:
    path = tmp_path / "a.smlog"
    whole = bytearray(as_log(small))
    whole[len(as_log(small[:7])) + 20] ^= 1
    path.write_bytes(whole)
    steps, error = played(read_recording(path))
    assert len(steps) == 7
    assert isinstance(error, JournalDamaged)
    assert error.code is Code.DAMAGED_FILE


def test_a_record_of_a_later_version_ends_the_play(tmp_path: Path, small: list[bytes]) -> None:
    path = tmp_path / "a.smlog"
    path.write_bytes(as_log(small[:4]) + pack_record(7, b"?"))
    steps, error = played(read_recording(path))
    assert len(steps) == 4
    assert isinstance(error, JournalDamaged)
    assert error.code is Code.OTHER_VERSION


def test_a_wrong_entry_is_named_behind_the_good_ones(tmp_path: Path, small: list[bytes]) -> None:
    steps, error = played(read_recording(written(tmp_path / "a.smlog", [*small[:6], *small[7:]])))
    assert len(steps) == 6
    assert isinstance(error, Fault)
    assert error.code is Code.GAP
    assert error.sentence.startswith("entry 7: ")


@pytest.mark.parametrize(
    ("raw", "code"), [(b"", Code.NO_JOURNAL), (b"no", Code.NO_JOURNAL), (b"SMLOG\r\n\x05", Code.OTHER_VERSION)]
)
def test_what_is_no_log_of_this_version_is_refused_at_once(tmp_path: Path, raw: bytes, code: Code) -> None:
    (tmp_path / "a.smlog").write_bytes(raw)
    with pytest.raises(JournalDamaged) as caught:
        read_recording(tmp_path / "a.smlog")
    assert caught.value.code is code


def test_a_file_that_is_not_there_is_trouble_with_the_disk(tmp_path: Path) -> None:
    with pytest.raises(DiskTrouble):
        read_recording(tmp_path / "a.smlog")


def test_a_log_without_entries_has_no_steps(tmp_path: Path) -> None:
    (tmp_path / "a.smlog").write_bytes(LOG.head)
    assert list(read_recording(tmp_path / "a.smlog").steps()) == []


@pytest.mark.parametrize(("seq", "item"), [(2, 3), (3, 0), (3, 2), (4, 0), (4, 2), (5, 2)])
def test_unproved_points_are_still_points(small: list[bytes], seq: int, item: int) -> None:
    def change(said: Draft) -> Draft:
        points = said.data[item]
        assert isinstance(points, bytes)
        return replace(said, data=(*said.data[:item], b"\x01" + bytes(31) + points[32:], *said.data[item + 1 :]))

    _, error = played(Recording((*small[: seq - 1], resealed(small[seq - 1], change))))
    assert isinstance(error, Fault)
    assert error.code is Code.BAD_POINT
