"""A claim beside a log: told as a claim wherever the log is told, and never a part of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from watch.files import begun, reach, written

from scripts.making.recorder import SIGNERS, Recorder
from sm_p2p.cli.main import main
from sm_p2p.session.beside import Abandoned, seal_claim
from sm_p2p.session.state import Match, State
from sm_p2p.store.journal import Journal
from sm_p2p.store.notes import NOTES, Kind, Remark
from sm_p2p.watch.claims import Claim, claim_beside
from sm_p2p.watch.report import report_lines, to_json
from sm_p2p.watch.verify import verify_file


@pytest.fixture(scope="module")
def waiting() -> Recorder:
    """A match that waits for somebody's move."""
    return begun(reach(State.TURN))


def claim_of(match: Match, seat: int, number: int = 1) -> Abandoned:
    """What that seat may claim at this head."""
    return Abandoned(match.chain.match, seat, number, False, match.chain.seq, match.chain.head, 4)


def noted(log: Path, *claims: Abandoned | bytes) -> None:
    """Notes beside a log that hold these claims, each signed by the seat that it names."""
    path = log.with_suffix(".notes")
    path.unlink(missing_ok=True)
    with Journal.create(path, NOTES) as notes:
        notes.append(Remark(Kind.NOTE, 3, 1, b"chat").pack(), Kind.NOTE)
        for claim in claims:
            raw = claim if isinstance(claim, bytes) else seal_claim(claim, SIGNERS[claim.author])
            notes.append(Remark(Kind.CLAIM, 3, 1, raw).pack(), Kind.CLAIM)


@pytest.fixture
def log(tmp_path: Path, waiting: Recorder) -> Path:
    """That match as a file."""
    return written(tmp_path / "match.smlog", waiting.raws)


def test_a_claim_that_stands_is_found_and_any_other_is_nothing(log: Path, waiting: Recorder) -> None:
    match = waiting.match
    seat = 1 - (match.speaker or 0)
    good = claim_of(match, seat)
    assert claim_beside(log, match) is None
    noted(log)
    assert claim_beside(log, match) is None
    noted(log, good)
    assert claim_beside(log, match) == Claim(seat, 4)
    taken_back = replace(good, number=2, is_withdrawn=True, minutes=0)
    again = replace(good, number=3, minutes=5)
    for claims, found in (
        ((good, taken_back), None),
        ((good, taken_back, again), Claim(seat, 5)),
        ((again, taken_back, good), Claim(seat, 5)),
        ((replace(good, author=1 - seat),), None),
        ((replace(good, at_seq=1, head=match.chain.match),), None),
        ((replace(good, minutes=2),), None),
        ((b"nonsense", seal_claim(good, SIGNERS[1 - seat])), None),
        ((b"nonsense", good), Claim(seat, 4)),
    ):
        noted(log, *claims)
        assert claim_beside(log, match) == found
    log.with_suffix(".notes").write_bytes(b"something else")
    assert claim_beside(log, match) is None


def test_verify_names_it_as_a_claim_and_changes_nothing_else(log: Path, waiting: Recorder) -> None:
    match = waiting.match
    seat = 1 - (match.speaker or 0)
    plain = verify_file(log)
    noted(log, claim_of(match, seat))
    report = verify_file(log)
    assert replace(report, claim=None) == plain
    assert report.claim == Claim(seat, 4)
    by, other = (match.players[at].name for at in (seat, 1 - seat))
    assert f"  claimed by {by}, and no result: that {other} has abandoned the match, away for 4 min" in report_lines(
        report
    )
    told = json.loads(to_json(report))
    assert told.pop("claim") == {"by": seat, "minutes": 4}
    unclaimed = json.loads(to_json(plain))
    assert unclaimed.pop("claim") is None
    assert told == unclaimed
    assert told["winner"] is None


def test_a_wrong_log_has_no_claim(log: Path, waiting: Recorder) -> None:
    match = waiting.match
    noted(log, claim_of(match, 1 - (match.speaker or 0)))
    raw = bytearray(log.read_bytes())
    raw[200] ^= 1
    log.write_bytes(bytes(raw))
    assert verify_file(log).claim is None


def test_replay_tells_it_at_the_end_and_export_beside_its_lines(
    log: Path, waiting: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    match = waiting.match
    seat = 1 - (match.speaker or 0)
    said = {}
    for name in ("plain", "claimed"):
        for words in (["replay", "--text"], ["export"]):
            assert main([*words, str(log)]) == 0
            said[name, words[0]] = capsys.readouterr()
        noted(log, claim_of(match, seat))
    by, other = (match.players[at].name for at in (seat, 1 - seat))
    sentence = f"{by} claims that {other} has abandoned the match: away for 4 min. That is a claim and no result.\n"
    assert said["claimed", "replay"].out == said["plain", "replay"].out + sentence
    assert said["claimed", "export"].out == said["plain", "export"].out
    assert (said["plain", "export"].err, said["claimed", "export"].err) == ("", sentence)
