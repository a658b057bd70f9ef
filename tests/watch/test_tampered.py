"""Logs in which one byte is another one, or that end too early: every door gives an answer with a name.

`scripts/soak files` does this to every byte.
"""

from pathlib import Path
from random import Random

import pytest
from tampering import Honest

from sm_p2p.errors import Code, SpiteError
from sm_p2p.session.glance import glance
from sm_p2p.session.match import resume
from sm_p2p.session.proofs import Proofs
from sm_p2p.store.matches import saved_matches
from sm_p2p.watch.export import export_lines
from sm_p2p.watch.replay import read_recording

OPENING = 5
TRIES = 40


@pytest.fixture(scope="session")
def honest(small: list[bytes]) -> Honest:
    """An opening and ten entries."""
    return Honest(small[: OPENING + 10])


@pytest.fixture(scope="session")
def whole(small: list[bytes]) -> Honest:
    """A whole match."""
    return Honest(small)


def some_byte(honest: Honest, dice: Random) -> int:
    """Each entry, and the head of the file, as likely as any other; shuffles are much longer than the rest."""
    ends = (0, *honest.ends)
    at = dice.randrange(len(ends) - 1)
    return dice.randrange(ends[at], ends[at + 1])


def test_a_flipped_bit_is_noticed_where_it_is_and_nothing_else_is_shown(tmp_path: Path, honest: Honest) -> None:
    dice = Random(1)
    for _ in range(TRIES):
        place = some_byte(honest, dice)
        honest.look(tmp_path / "log", honest.flipped(place, 1 << dice.randrange(8)), place)
        honest.look_at_table(tmp_path / "log", honest.entries_before(place))


def test_a_flipped_bit_under_a_good_checksum_is_noticed_before_any_proof_of_what_was_changed(
    tmp_path: Path, honest: Honest, whole: Honest
) -> None:
    dice = Random(2)
    for log, tries in ((honest, TRIES), (whole, TRIES // 2)):
        for _ in range(tries):
            place = some_byte(log, dice)
            raw = log.mended(place, 1 << dice.randrange(8))
            if raw is not None:
                log.look(tmp_path / "log", raw, place)
                log.look_at_table(tmp_path / "log", log.entries_before(place))


def test_a_file_that_ends_anywhere_shows_what_is_complete(tmp_path: Path, honest: Honest) -> None:
    dice = Random(3)
    for cut in (*range(9), *honest.ends, *(some_byte(honest, dice) for _ in range(TRIES))):
        honest.look(tmp_path / "log", honest.raw[:cut], cut)


def answer_of_export(path: Path, proofs: Proofs) -> str:
    """What an export of this file ends with."""
    try:
        recording = read_recording(path)
        assert all(line.startswith('{"seq":') for line in export_lines(recording, proofs))
    except SpiteError as error:
        return str(error)
    return recording.sentence if recording.is_torn else ""


def test_every_other_door_gives_an_answer_with_a_name_too(tmp_path: Path, honest: Honest) -> None:
    dice = Random(4)
    for number in range(20):
        place = some_byte(honest, dice)
        raw = honest.mended(place, 1 << dice.randrange(8)) or honest.flipped(place, 1 << dice.randrange(8))
        path = tmp_path / f"{number}.smlog"
        path.write_bytes(raw)
        assert answer_of_export(path, honest.memory)
    listed = saved_matches(tmp_path, glance)
    assert len(listed) == 20
    assert all(saved.about is not None or saved.problem for saved in listed)


def test_ones_own_log_is_not_gone_on_with_when_it_was_tampered_with(honest: Honest) -> None:
    dice = Random(5)
    raws = [record.payload for record in honest.records]
    head = honest.matches[-1].chain.head
    for _ in range(20):
        at = dice.randrange(len(raws) - 1)
        changed = bytearray(raws[at])
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
        with pytest.raises(SpiteError) as caught:
            resume([*raws[:at], bytes(changed), *raws[at + 1 :]], len(raws), head)
        assert Code(str(caught.value).partition(":")[0])
