"""The full screen through the front door: the menu, a table, and whatever ends them."""

import shutil
import signal
from pathlib import Path

from cli.full_screen import CTRL_C, CTRL_U, ENTER, ESCAPE, at_screen, choose
from cli.terminal import NOBODY

from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite
from sm_p2p.store.keys import Identity
from sm_p2p.store.options import read_options
from sm_p2p.store.places import Places


def test_the_menu_opens_a_table_says_what_did_not_work_and_remembers_options(tmp_path: Path) -> None:
    identity = Identity.load_or_create(Places.below(tmp_path).identity).identity
    own = str(Invite((Address("10.0.0.1", 7227),) * 8, identity, bytes(16)))
    with at_screen(home=tmp_path) as ana:
        ana.until_seen("Play against the computer")
        choose(ana, "Sit down at a table")
        choose(ana, "Paste an invite")
        ana.until_seen("Paste the line")
        ana.press("sm-p2p://nonsense" + ENTER)
        ana.until_seen("incomplete or mistyped")
        ana.press(CTRL_U + f"Hello Bo,{ENTER}> <{own[:70]}={ENTER}> {own[70:]}>{ENTER}")  # as if it were typed
        ana.until_seen("THIS DID NOT WORK")
        ana.until_seen("your own table")
        ana.press(ENTER)
        ana.until_seen("Play against the computer")
        choose(ana, "Options")
        ana.until_seen("Cards travel")
        ana.press(ENTER)
        ana.until_seen("Cards travel +fast")
        ana.press(ESCAPE)
        ana.until_seen("Play against the computer")
        choose(ana, "Rules")
        ana.until_seen("RULES")
        ana.press(ESCAPE)
        ana.until_seen("Play against the computer")
        choose(ana, "Open a table")
        ana.until_seen("WHAT IS PLAYED")
        ana.press(ESCAPE)
        ana.until_seen("Play against the computer")
        choose(ana, "Open a table")
        ana.until_seen("WHAT IS PLAYED")
        choose(ana, "quick")
        ana.until_seen("sm-p2p://")
        ana.press(CTRL_C)  # leaves the table
        ana.until_seen("Play against the computer")
        ana.press(CTRL_C)
        assert ana.end() == 0
        assert ana.is_as_found
    assert read_options(Places.below(tmp_path).options).options.speed == "fast"
    with at_screen(home=tmp_path) as ana:
        choose(ana, "Options")
        ana.until_seen("Cards travel +fast")
        ana.press(CTRL_C)
        assert ana.end() == 0


def test_a_game_against_the_computer_is_left_and_the_menu_comes_back(tmp_path: Path) -> None:
    with at_screen(home=tmp_path) as ana:
        ana.until_seen("Play against the computer")
        choose(ana, "Play against the computer")
        ana.until_seen("WHAT IS PLAYED")
        choose(ana, "quick")
        ana.until_seen("Game 1 · turn 1")
        ana.press("q")
        ana.until_seen("kept")
        ana.press("y")
        ana.until_seen("Play against the computer")
        choose(ana, "Quit")
        assert ana.end() == 0
        assert ana.is_as_found
    assert len(list((tmp_path / "data").glob("*.smlog"))) == 1


def test_a_signal_leaves_the_screen_as_it_was_and_keeps_the_match(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    with at_screen("play", home=tmp_path) as ana:
        choose(ana, "Go on")
        ana.until_seen("YOUR TURN")
        ana.signal(signal.SIGTERM)
        assert ana.end() == 143
        assert ana.is_as_found
    log, before = (next((home / "data").glob("*.smlog")).read_bytes() for home in (tmp_path, practice))
    assert log == before


def test_a_signal_in_the_menu_ends_it_with_its_status(tmp_path: Path) -> None:
    with at_screen(home=tmp_path) as ana:
        ana.until_seen("Play against the computer")
        ana.signal(signal.SIGHUP)
        assert ana.end() == 129
        assert ana.is_as_found


def test_whoever_finds_nobody_reads_why_before_the_screen_goes(tmp_path: Path) -> None:
    with at_screen("join", NOBODY, "--wait", "0.5", home=tmp_path) as bo:
        bo.until_seen("did not come in time")
        bo.press(ENTER)
        assert bo.end() == 4
        assert bo.is_as_found
