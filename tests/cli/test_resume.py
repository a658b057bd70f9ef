"""Unfinished matches come back, also after the worst; who cannot come back hears why, and where matches wait one is asked."""

import os
import shutil
import signal
import socket
from pathlib import Path

import pytest
from cli.conftest import SHORT
from cli.full_screen import ENTER, ESCAPE, at_screen, choose
from cli.shelves import game, home_of, id_of, put
from cli.terminal import at_terminal
from processes import Run, once, start

from scripts.making.recorder import SIGNERS, STRANGER
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite
from sm_p2p.store.journal import Journal
from sm_p2p.store.places import Places
from sm_p2p.store.ways import Role, Way, read_way, write_way
from sm_p2p.watch.replay import UNPROVED
from sm_p2p.watch.report import Standing
from sm_p2p.watch.verify import verify_file

TIE, SHORT_GAME = game("tie"), game("short")
HOST = ("host", "--variant", SHORT, "--bind", "127.0.0.1", "--name", "Ana")
AT_BRUNOS = str(Invite((Address("127.0.0.1", 1),), SIGNERS[1].identity, bytes(16)))
AT_A_STRANGERS = str(Invite((Address("127.0.0.1", 1),), STRANGER.identity, bytes(16)))


def free_port() -> str:
    """A port where nobody listens just now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def kill(*runs: Run) -> None:
    """End them without a word."""
    for run in runs:
        run.process.send_signal(signal.SIGKILL)
        assert run.process.wait(60) == -signal.SIGKILL


def log_of(home: Path) -> Path:
    """The only log of a home."""
    (log,) = Places.below(home).data.glob("*.smlog")
    return log


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The homes a and b of two players whose processes were killed in the middle of a match."""
    home = tmp_path_factory.mktemp("left")
    with start(*HOST, "--port", free_port(), home=home / "a") as ana:
        invite = ana.until("sm-p2p://")
        with start("join", invite, "--name", "Bo", "--yes", home=home / "b") as bo:
            for run in (ana, bo):
                run.until("Turn 1")
            kill(ana, bo)
    return home


@pytest.fixture
def homes(tmp_path: Path, left: Path) -> tuple[Path, Path]:
    """Copies of them."""
    shutil.copytree(left, tmp_path, dirs_exist_ok=True)
    return tmp_path / "a", tmp_path / "b"


def end_well(ana: Run, bo: Run) -> None:
    """Let Bo give the game up, and both see the end of it."""
    bo.until("The match goes on after")
    for _ in range(2):
        bo.type("resign")
    assert (bo.end(), ana.end()) == (0, 0), (bo.errors, ana.errors)


def assert_the_same_and_whole(homes: tuple[Path, Path]) -> None:
    """Both hold one match, which is over."""
    assert log_of(homes[0]).read_bytes() == log_of(homes[1]).read_bytes()
    assert verify_file(log_of(homes[0]), proofs=UNPROVED).standing is Standing.COMPLETE


def test_both_come_back_after_they_were_killed_where_they_were(homes: tuple[Path, Path]) -> None:
    before = log_of(homes[0]).read_bytes()
    with start("resume", home=homes[0]) as ana:
        invite = Invite.parse(ana.until("sm-p2p://"))
        way = read_way(log_of(homes[1]).with_suffix(".way"))
        assert way == Way(Role.GUEST, (str(invite.addresses[0]),))
        with start("resume", home=homes[1]) as bo:
            end_well(ana, bo)
        assert any("kept for the match with Bo" in line for line in ana.lines)
    assert log_of(homes[0]).read_bytes().startswith(before)
    assert_the_same_and_whole(homes)
    for home in homes:
        done = once("resume", home=home)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "There is no unfinished match here" in done.stderr


def test_a_host_who_was_killed_comes_back_at_another_port_and_his_guest_is_told_where(homes: tuple[Path, Path]) -> None:
    with start("resume", "--port", free_port(), home=homes[0]) as ana:
        invite = ana.until("sm-p2p://")
        with start("resume", "--wait", "1", home=homes[1]) as bo:
            bo.until("If Ana is at another address now, say so: sm-p2p resume --invite INVITE")
            assert bo.end() == 4
        with start("resume", log_of(homes[1]).stem[:6], "--invite", invite, home=homes[1]) as bo:
            bo.until("The match goes on after")
            kill(bo)
        with start("resume", home=homes[1]) as bo:  # the new address was remembered
            end_well(ana, bo)
    assert_the_same_and_whole(homes)


def test_a_match_can_be_hosted_by_the_one_who_had_joined(homes: tuple[Path, Path]) -> None:
    with start("host", "--bind", "127.0.0.1", home=homes[1]) as bo:
        invite = bo.until("sm-p2p://")
        with start("resume", "--invite", invite, home=homes[0]) as ana:
            ana.until("The match goes on after")
            bo.until("The match goes on after")
            kill(ana, bo)
    way = read_way(log_of(homes[1]).with_suffix(".way"))
    assert way is not None
    assert way._replace(watching=b"") == Way(Role.HOST, ("127.0.0.1",), Invite.parse(invite).addresses[0].port)
    with start("resume", home=homes[1]) as bo:
        bo.until("sm-p2p://")
        with start("resume", home=homes[0]) as ana:
            end_well(bo, ana)
    assert_the_same_and_whole(homes)


def test_whoever_watches_goes_on_when_the_match_is_brought_back(homes: tuple[Path, Path], tmp_path: Path) -> None:
    with start("host", "--bind", "127.0.0.1", home=homes[0]) as ana:
        seat, watch = ana.until("sm-p2p://"), ana.until("/watch.")
        with start("watch", watch, "--json", home=tmp_path / "watching") as eve:
            with start("resume", "--invite", seat, home=homes[1]) as bo:
                eve.until('"event":"entry"')
                kill(ana)
                eve.until('"way":"reconnecting"')
                with start("resume", home=homes[0]) as again:
                    assert again.until("/watch.") == watch
                    end_well(again, bo)
            assert eve.end() == 0, eve.errors
    assert_the_same_and_whole(homes)


def test_a_match_against_the_computer_comes_back_after_a_kill(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with start("resume", home=tmp_path) as ana:
        ana.until("Your move.")
        kill(ana)
    with start("resume", log_of(tmp_path).name[:8], home=tmp_path) as ana:
        ana.until("The match goes on after")
        ana.until("Your move.")
        for _ in range(2):
            ana.type("resign")
        assert ana.end() == 0
    done = once("resume", str(log_of(tmp_path)), home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"This match is over; look at it with: sm-p2p replay {log_of(tmp_path)}" in done.stderr


def refused(home: Path, *words: str) -> str:
    """The one sentence with which `resume` refuses, with status 2."""
    done = once("resume", *words, home=home)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr


def test_which_match_has_to_be_said_where_nobody_can_be_asked(tmp_path: Path) -> None:
    ana = home_of(tmp_path)
    put(ana, TIE, 1)
    put(ana, SHORT_GAME[:50])
    names = [id_of(raws).hex()[:8] for raws in (TIE, SHORT_GAME)]
    assert refused(tmp_path) == f"sm-p2p: 2 matches wait; say which one: {names[0]} (Bruno), {names[1]} (Bruno).\n"
    with at_terminal("resume", home=tmp_path) as session:
        session.until(f"1  {names[0]}  Bruno, 0 : 0, ")
        session.until(f"2  {names[1]}  Bruno, ")
        session.type("")
        session.until("say which one")
        assert session.end() == 2
    with at_terminal("resume", "--bind", "127.0.0.1", "--name", "Ana", home=tmp_path) as session:
        session.until("Which one")
        session.type("2")
        session.until("sm-p2p://")
        session.type("quit")
        assert session.end() == 0


def test_what_cannot_be_brought_back_is_one_sentence(tmp_path: Path) -> None:
    bruno = home_of(tmp_path, seat=1)
    put(bruno, TIE)
    assert "It is not known where Ana's table is" in refused(tmp_path)
    write_way(bruno.way(id_of(TIE)), Way(Role.GUEST, ("not an address",)))
    assert "It is not known where Ana's table is" in refused(tmp_path)
    assert "This invite is not one by Ana" in refused(tmp_path, "--invite", AT_A_STRANGERS)
    assert "An invite begins with" in refused(tmp_path, "--invite", "nonsense")
    assert "No saved match is called" in refused(tmp_path, "zz")
    write_way(bruno.way(id_of(TIE)), Way(Role.HOST, ("192.0.2.1", "nonsense"), 7227))
    assert "is no address of this machine any more; say where with --bind" in refused(tmp_path)
    bruno.secret(id_of(TIE)).unlink()
    assert "The secret of this match is lost" in refused(tmp_path, id_of(TIE).hex())


def test_the_way_back_may_lead_over_an_interface_that_is_not_there_now_or_to_a_name_that_nobody_knows_now(
    tmp_path: Path,
) -> None:
    bruno = home_of(tmp_path, seat=1)
    put(bruno, TIE)
    write_way(bruno.way(id_of(TIE)), Way(Role.GUEST, ("[fe80::1%nowhere0]:7227", "no..name", "ana.invalid:1")))
    with start("resume", "--wait", "1", "--name", "Bruno", home=tmp_path) as run:
        assert run.end() == 4, run.errors
    said = "\n".join(run.lines)
    assert "[fe80::1%nowhere0]:7227: this machine has no network interface of that name just now." in said
    assert "ana.invalid:1: no machine of this name was found." in said
    assert "You have no invite" not in said


def test_a_match_that_a_process_has_is_not_brought_back_twice(tmp_path: Path) -> None:
    log = put(home_of(tmp_path), TIE)
    with Journal.open(log):
        done = once("resume", home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"sm-p2p: process {os.getpid()} is writing {log}; close it there, or only look on, with: sm-p2p replay {log}\n"
    )


# what is asked where a match waits


def test_somebody_at_a_terminal_is_asked_and_can_begin_another_match(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with at_terminal("play", "--name", "Ana", home=tmp_path) as ana:
        ana.until("A match waits: Computer, 0 : 0, quick,pay_off=5, unfinished, ")
        ana.type("perhaps")
        ana.until("A match waits")
        ana.type("quit")
        assert ana.end() == 0
    with at_terminal("play", "--variant", SHORT, "--name", "Ana", home=tmp_path) as ana:
        ana.until("A match waits")
        ana.type("new")
        ana.until(r"Turn 1 ")
        ana.signal(signal.SIGTERM)
        assert ana.end() == 143
    assert len(list((tmp_path / "data").glob("*.smlog"))) == 2


def test_a_match_that_waits_can_be_given_up(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with at_terminal("play", "--name", "Ana", home=tmp_path) as ana:
        ana.until("resign gives up its game")
        ana.type("resign")
        ana.until("You resign.")
        ana.until(r"The log of the match is complete\.")
        assert ana.end() == 0
    assert verify_file(log_of(tmp_path), proofs=UNPROVED).standing is Standing.COMPLETE


def test_a_host_is_asked_about_all_who_may_come_and_a_guest_about_his_host(tmp_path: Path) -> None:
    places = home_of(tmp_path)
    put(places, TIE, 1)
    put(places, SHORT_GAME[:50])
    with at_terminal("host", "--bind", "127.0.0.1", "--name", "Ana", home=tmp_path) as ana:
        ana.until("1  Bruno, 0 : 0, ")
        ana.until("2  Bruno, ")
        ana.until("Enter goes on with whoever of them comes")
        for wrong in ("resign", "resign 3", "resign 0", "2"):
            ana.type(wrong)
            ana.until("These matches wait")
        ana.type("resign 2")
        ana.until("This table is kept for the match with Bruno")
        ana.until("sm-p2p://")
        ana.type("quit")
        assert ana.end() == 0
    with at_terminal("host", "--variant", "quick", "--bind", "127.0.0.1", "--name", "Ana", home=tmp_path) as ana:
        ana.until("sm-p2p://")  # none of those matches is played by these rules
        ana.type("quit")
        assert ana.end() == 0
    with at_terminal("join", AT_BRUNOS, "--name", "Ana", home=tmp_path) as ana:
        ana.until("These matches wait")
        for _ in range(5):
            ana.type("hm")
        assert ana.end() == 0
    with at_terminal("join", AT_A_STRANGERS, "--name", "Ana", "--wait", "0.1", home=tmp_path) as ana:
        ana.until("Looking for the table")
        assert ana.end() == 4


@pytest.mark.parametrize("words", [["--json"], ["--yes"], ["--new"], ["--player", "greedy"]])
def test_whoever_has_said_enough_is_not_asked(tmp_path: Path, words: list[str]) -> None:
    put(home_of(tmp_path), TIE)
    with at_terminal("join", AT_BRUNOS, "--name", "Ana", "--wait", "0.1", *words, home=tmp_path) as ana:
        assert ana.first_of("connecting|Looking for the table", "waits") == 0


def test_on_the_full_screen_the_question_is_a_menu(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with at_screen("play", home=tmp_path) as ana:
        ana.until_seen("A MATCH WAITS")
        ana.press(ESCAPE)
        assert ana.end() == 0
    with at_screen("play", home=tmp_path) as ana:
        choose(ana, "Resign to Computer")
        ana.until_seen("WINS THE MATCH")
        ana.press(ENTER)
        choose(ana, "Leave")
        assert ana.end() == 0
    assert verify_file(log_of(tmp_path), proofs=UNPROVED).standing is Standing.COMPLETE
