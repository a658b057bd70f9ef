"""The saved matches in the menu: there only if there are any; go on, look, delete."""

import shutil
from pathlib import Path

from cli.full_screen import CTRL_C, ENTER, ESCAPE, at_screen, choose
from cli.shelves import game, home_of, id_of, put

TIE, SHORT = game("tie"), game("short")


def test_saved_matches_are_listed_told_and_deleted_and_then_the_entry_goes(tmp_path: Path) -> None:
    places = home_of(tmp_path)
    put(places, SHORT[:-1])
    (places.data / "poem.smlog").write_bytes(b"roses")
    with at_screen(home=tmp_path) as ana:
        choose(ana, "Saved matches")
        ana.until_seen("poem.smlog +damaged")
        choose(ana, "Bruno  4 : 13")
        ana.until_seen(f"{id_of(SHORT).hex()[:8]}")
        ana.until_seen("unopened")
        choose(ana, "Look at it")
        ana.until_seen("Entry 5 of 105")
        ana.press("q")
        choose(ana, "Bruno  4 : 13")
        choose(ana, "Delete it")
        ana.until_seen("DELETE IT FOR EVER")
        ana.press("n")
        choose(ana, "Bruno  4 : 13")
        choose(ana, "Delete it")
        ana.until_seen("DELETE IT FOR EVER")
        ana.press("y")
        ana.until_seen("is deleted: 3 files")
        ana.press(ENTER)
        choose(ana, "poem.smlog")
        ana.until_seen("this is not a log of this game")
        choose(ana, "Delete it")
        ana.until_seen("DELETE IT FOR EVER")
        ana.press("y")
        ana.until_seen("is deleted: 1 file")
        ana.press(ENTER)
        ana.until_seen("Open a table")
        assert not ana.sees("Saved matches")
        ana.press(CTRL_C)
        assert ana.end() == 0
        assert ana.is_as_found
    assert not list(places.data.glob("*.smlog"))


def test_a_saved_match_goes_on_from_the_menu_and_one_that_is_broken_is_told_as_far_as_it_goes(
    tmp_path: Path, practice: Path
) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    (log,) = (tmp_path / "data").glob("*.smlog")
    raw = log.read_bytes()
    broken = tmp_path / "data" / "broken.smlog"
    broken.write_bytes(raw[:-20] + bytes([raw[-20] ^ 1]) + raw[-19:] + raw[-30:])
    with at_screen(home=tmp_path) as ana:
        choose(ana, "Saved matches")
        choose(ana, "Computer  0 : 0 +unfinished")
        choose(ana, "Go on")
        ana.until_seen("YOUR TURN")
        ana.press("q")
        ana.until_seen("kept")
        ana.press("y")
        ana.until_seen("SAVED MATCHES")
        ana.press(ESCAPE)
        ana.until_seen("Open a table")
        ana.press(CTRL_C)
        assert ana.end() == 0
