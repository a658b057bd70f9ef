"""Two real processes over TCP."""

from pathlib import Path

from cli.terminal import NOBODY
from processes import Run, start

from sm_p2p.store.places import Places
from sm_p2p.watch.report import Standing
from sm_p2p.watch.verify import verify_file

VARIANT = "quick,pay_off=5"
HOST = ("host", "--variant", VARIANT, "--bind", "127.0.0.1", "--name", "Ana")


def log_of(home: Path) -> Path:
    (log,) = Places.below(home).data.glob("*.smlog")
    return log


def invite(run: Run) -> str:
    return run.until("sm-p2p://")


def test_two_computers_play_a_quick_match_to_its_end_and_hold_the_same_bytes(tmp_path: Path) -> None:
    with start(*HOST, "--player", "greedy", home=tmp_path / "a") as ana:
        words = ("join", invite(ana), "--player", "greedy", "--name", "Bo", "--variant", VARIANT)
        with start(*words, home=tmp_path / "b") as bo:
            assert (bo.end(), ana.end()) == (0, 0), (ana.errors, bo.errors)
    assert not ana.errors
    assert not bo.errors
    for run in (ana, bo):
        assert sum("the match, 1 to 0" in line or "the match, " in line for line in run.lines) == 1
    assert log_of(tmp_path / "a").read_bytes() == log_of(tmp_path / "b").read_bytes()
    report = verify_file(log_of(tmp_path / "a"))
    assert report.standing is Standing.COMPLETE
    assert report.counts.audits == 1


def test_a_match_goes_on_after_both_have_left_in_the_middle_of_it(tmp_path: Path) -> None:
    with start(*HOST, home=tmp_path / "a") as ana:
        with start("join", invite(ana), "--name", "Bo", "--yes", home=tmp_path / "b") as bo:
            bo.until("Turn 1")
            ana.until("Turn 1")
            bo.type("quit")
            assert bo.end() == 0
        ana.type("quit")
        assert ana.end() == 0
    before = log_of(tmp_path / "a").read_bytes()
    assert before.startswith(log_of(tmp_path / "b").read_bytes())
    with start(*HOST, home=tmp_path / "a") as ana, start("join", invite(ana), home=tmp_path / "b") as bo:
        bo.until("The match goes on after")
        for line in ("resign", "resign"):
            ana.type(line)
        assert (bo.end(), ana.end()) == (0, 0), (ana.errors, bo.errors)
    after = log_of(tmp_path / "a").read_bytes()
    assert after == log_of(tmp_path / "b").read_bytes()
    assert after.startswith(before)
    assert len(after) > len(before)


def test_a_third_player_hears_that_the_table_is_taken_and_ones_own_table_is_named(tmp_path: Path) -> None:
    with start(*HOST, home=tmp_path / "a") as ana:
        line = invite(ana)
        with start("join", line, "--name", "Bo", home=tmp_path / "b") as bo:
            bo.until("Enter or yes")
            with start("join", line, "--name", "Eve", "--yes", home=tmp_path / "c") as third:
                assert third.end() == 1
                assert any("somebody else sits at this table" in said for said in third.lines)
            with start("join", line, "--name", "Ana", home=tmp_path / "a") as own:
                assert own.end() == 2
                assert own.errors == ["sm-p2p: This is your own table; start one side with --home DIR."]
            bo.type("no")
            assert bo.end() == 0
        ana.until("The other side says no")


def test_another_variant_than_the_one_that_was_asked_for_is_not_played(tmp_path: Path) -> None:
    with start(*HOST, home=tmp_path / "a") as ana:
        line = invite(ana)
        with start("join", line, "--variant", "long", "--name", "Bo", home=tmp_path / "b") as bo:
            assert bo.end() == 5
        with start("join", line, "--name", "Bo", home=tmp_path / "b") as bo:
            bo.until("Enter or yes")
    assert not list((tmp_path / "b" / "data").glob("*.torn*"))


def test_nobody_at_the_address_is_said_with_status_4(tmp_path: Path) -> None:
    with start("join", NOBODY, "--name", "Bo", "--wait", "1", home=tmp_path) as bo:
        assert bo.end() == 4
    assert any("127.0.0.1" in said for said in bo.lines)
