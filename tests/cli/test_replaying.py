"""Saved matches through the front door: played again, checked, written in other forms."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from cli.full_screen import CTRL_C, ENTER, ESCAPE, choose
from cli.shelves import game, home_of, id_of, put
from cli.terminal import at_terminal

from scripts.making.recorder import SIGNERS, as_log
from sm_p2p.cli import exporting, progress, reading, replaying
from sm_p2p.cli.exporting import refusal
from sm_p2p.cli.main import main
from sm_p2p.cli.progress import Progress
from sm_p2p.cli.shelf import shelf
from sm_p2p.cli.study import Study, export_as
from sm_p2p.cli.verifying import cores
from sm_p2p.errors import UsageError
from sm_p2p.session.beside import Chat, seal_chat
from sm_p2p.store.journal import Journal
from sm_p2p.store.lock import Lock, writer_of
from sm_p2p.store.notes import NOTES, Kind, Remark
from sm_p2p.store.places import Places
from sm_p2p.ui.screen.model import Checked, Replay
from sm_p2p.watch.replay import read_recording
from sm_p2p.watch.report import Report
from sm_p2p.watch.sheet_reading import read_sheet
from sm_p2p.watch.verify import verify_file
from sm_p2p.watch.workers import Done

SHORT, TIE, HOUSE = game("short"), game("tie"), game("house")
KEYS = (  # of a replay, and what is seen then
    ("\x1b[H", "Entry 0 of 33"),
    ("}", "Entry 5 of 33"),
    ("\x1b[C", "Entry 6 of 33"),
    ("\x1b[D", "Entry 5 of 33"),
    ("]", "Entry 10 of 33"),
    ("\x1b[6~", "Entry 11 of 33"),
    ("\x1b[5~", "Entry 10 of 33"),
    ("[", "Entry 5 of 33"),
    (f":3{ENTER}", "Entry 11 of 33"),
    ("{", "Entry 5 of 33"),
    ("+", "It plays ×2"),
    ("+", "It plays ×4"),
    ("-", "It plays ×2"),
    (".", "This match is not being played now"),
    (" ", "plays ×2"),
    (" ", "stands still"),
    ("g", "Entry 0 of 33"),
    ("G", "Entry 33 of 33"),
)
GAMES = Path(__file__).parents[2] / "protocol" / "vectors" / "games"


class Said(Protocol):
    """Runs a command."""

    def __call__(self, *words: str) -> tuple[int, str, str]:
        """Its status, and what it says."""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Ana's home, empty."""
    return home_of(tmp_path / "home")


@pytest.fixture
def said(places: Places, capsys: pytest.CaptureFixture[str]) -> Said:
    """What a command says in that home, and its status before it."""

    def run(*words: str) -> tuple[int, str, str]:
        status = main([*words, "--home", str(places.data.parent)])
        return (status, *capsys.readouterr())

    return run


def log_at(path: Path, raws: tuple[bytes, ...]) -> Path:
    """A log of these entries."""
    path.write_bytes(as_log(raws))
    return path


# verify


def test_directories_files_and_names_are_checked_each_once_and_the_worst_status_counts(
    places: Places, said: Said, tmp_path: Path
) -> None:
    below = tmp_path / "logs" / "old"
    below.mkdir(parents=True)
    one, two = log_at(below / "a.smlog", TIE[:6]), log_at(tmp_path / "logs" / "b.smlog", TIE[:9])
    (below / "c.txt").write_text("no log")
    put(places, TIE[:8])
    name = id_of(TIE).hex()[:8]
    status, out, err = said("verify", "--jobs", "2", str(tmp_path / "logs"), str(one), name)
    assert (status, err) == (0, "")
    assert [line.partition(":")[0] for line in out.splitlines() if not line.startswith(" ")] == [
        str(two),
        str(one),
        str(places.log(id_of(TIE))),
    ]
    (below / "d.smlog").write_bytes(b"roses")
    status, out, err = said("verify", "--json", str(tmp_path / "logs"), str(tmp_path / "none.smlog"))
    reports = [json.loads(line) for line in out.splitlines()]
    assert [(report["standing"], report["exit"]) for report in reports] == [
        ("incomplete", 0),
        ("incomplete", 0),
        ("no-log", 3),
        ("missing", 2),
    ]
    assert (status, err) == (3, "")


def test_a_match_that_is_being_played_is_checked_as_far_as_it_is(places: Places, said: Said) -> None:
    log = put(places, TIE[:8])
    with Journal.open(log) as pen:
        for count in (8, 9, 10):
            status, out, err = said("verify", "--json", str(log))
            report = json.loads(out)
            assert (status, err, report["standing"], report["counts"]["entries"]) == (0, "", "incomplete", count)
            pen.append(TIE[count])


def test_a_directory_without_logs_is_said(said: Said, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    status, _, err = said("verify", str(tmp_path / "empty"))
    assert (status, err) == (2, f"sm-p2p: There is no log (.smlog) in {tmp_path / 'empty'}.\n")


def test_a_name_that_several_matches_begin_with_has_to_be_longer(places: Places, said: Said) -> None:
    for letter in "ab":
        (places.data / f"abcd{letter * 60}.smlog").write_bytes(b"")
    status, _, err = said("verify", "ABCD")
    assert (status, err) == (2, "sm-p2p: ABCD begins the names of 2 saved matches; write more of it.\n")


def test_what_was_checked_is_remembered_for_the_list(places: Places, said: Said) -> None:
    log = put(places, TIE[:6], is_signed=False)
    assert [one.checked for one in shelf(places)] == [0]
    assert said("verify", str(log))[0] == 0
    assert [one.checked for one in shelf(places)] == [6]
    _, out, _ = said("matches")
    assert re.search(r" 6  all +incomplete|unfinished", out)
    with Journal.open(log) as journal:
        journal.append(TIE[6])
    assert [one.checked for one in shelf(places)] == [6]
    assert "to 6" in said("matches")[1]


def test_at_a_terminal_a_bar_shows_how_far_it_is_and_leaves_nothing_behind(places: Places) -> None:
    log = put(places, TIE[:12])
    with at_terminal("verify", str(log), home=places.data.parent) as ana:
        ana.until(r"checking \[#*\.*\] +[0-9]+ %")
        ana.until(r"\r +\r\S+: good as far as it goes")
        assert ana.end() == 0


class Terminal(io.StringIO):
    """A stream that is one."""

    def isatty(self) -> bool:
        """It is."""
        return True


def test_a_bar_is_drawn_now_and_then_and_only_where_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream, clock = Terminal(), iter([0.0, 0.05, 0.2, 0.4])
    with Progress("w", stream, lambda: next(clock)) as bar:
        for done, total in ((0, 4), (1, 4), (2, 4), (0, 0)):
            bar(done, total)
    drawn = stream.getvalue().split("\r")
    assert [line[-5:] for line in drawn[1:4]] == ["  0 %", " 50 %", "100 %"]
    assert drawn[4].strip() == drawn[5] == ""
    for term, seen in (("dumb", Terminal()), ("xterm", io.StringIO())):
        monkeypatch.setenv("TERM", term)
        Progress("w", seen)(1, 2)
        assert seen.getvalue() == ""
    stream = Terminal()
    stream.close()
    Progress("w", stream)(1, 2)
    assert not progress._is_seen(None)
    assert cores() >= 1


# export


def test_every_form_is_written_to_the_output_or_into_a_file_whose_ending_says_it(
    places: Places, said: Said, tmp_path: Path
) -> None:
    words = ("export", str(put(places, TIE)), "--unproved")
    sheet = (GAMES / "tie.sheet").read_text("utf-8")
    lines = (GAMES / "tie.jsonl").read_text("utf-8")
    assert said(*words) == (0, lines, "")
    assert said(*words, "--format", "sheet") == (0, sheet, "")
    for file, first in (("a.sheet", sheet), ("a.jsonl", lines), ("a.txt", "Ana opens a match.\n"), ("a.cast", "{")):
        assert said(*words, "--game", "2", "-o", str(tmp_path / file)) == (0, "", "")
        assert (tmp_path / file).read_text("utf-8").startswith(first)
    status, _, err = said(*words, "-o", str(tmp_path / "a.sheet"))
    assert (status, "--force writes over it" in err) == (2, True)
    assert said(*words, "-o", str(tmp_path / "a.sheet"), "--force", "--format", "txt")[0] == 0
    assert (tmp_path / "a.sheet").read_text("utf-8").startswith("Ana opens")
    assert said(*words, "-o", str(tmp_path / "none" / "a.sheet"))[0] == 2
    assert sorted(path.name for path in tmp_path.glob("a.*")) == ["a.cast", "a.jsonl", "a.sheet", "a.txt"]


def test_the_log_itself_is_written_where_the_ending_says_so(places: Places, said: Said, tmp_path: Path) -> None:
    log, file = put(places, TIE), tmp_path / "a.smlog"
    assert said("export", str(log), "-o", str(file)) == (0, "", "")
    assert file.read_bytes() == log.read_bytes()
    file.write_bytes(b"mine")
    assert said("export", str(log), "-o", str(file))[0] == 2
    assert file.read_bytes() == b"mine"
    assert said("export", str(log), "-o", str(file), "--force") == (0, "", "")
    assert file.read_bytes() == log.read_bytes()


def test_a_dash_is_the_output(places: Places, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = (GAMES / "tie.jsonl").read_text("utf-8")
    assert said("export", str(put(places, TIE)), "--unproved", "-o", "-") == (0, lines, "")
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_where_no_file_can_be_written_is_said_of_the_place_and_not_of_the_log(
    places: Places, said: Said, tmp_path: Path, force: tuple[str, ...]
) -> None:
    words = ("export", str(put(places, TIE)), "--unproved", *force, "-o")
    gone = tmp_path / "none"
    assert said(*words, str(gone / "a.sheet")) == (2, "", f"sm-p2p: There is no directory {gone}.\n")
    for special in (str(tmp_path), os.devnull):
        assert said(*words, special) == (2, "", f"sm-p2p: {special} is no ordinary file; choose another name.\n")


def test_a_film_has_the_size_speed_game_seat_and_hands_that_are_asked_for(places: Places, said: Said) -> None:
    log = str(put(places, TIE))
    words = ("export", log, "--unproved", "--format", "cast", "--size", "48x16", "--speed", "8", "--game")
    _, out, _ = said(*words, "2")
    header, *events = map(json.loads, out.splitlines())
    assert (header["width"], header["height"]) == (48, 16)
    assert events[-1][0] < 10
    _, closed, _ = said(*words, "1")
    _, opened, _ = said(*words, "1", "--open", "--seat", "1")
    assert closed != opened
    status, out, err = said(*words, "9")
    assert (status, out, err) == (2, "", "sm-p2p: This log has no game 9.\n")
    for size in ("80", "0x24", "80x1000"):
        assert said("export", log, "--size", size)[0] == 2
    for size in ("47x16", "48x15"):
        assert said("export", log, "--format", "cast", "--size", size) == (
            2,
            "",
            "sm-p2p: A film has at least 48 columns and 16 rows.\n",
        )


def noted(places: Places) -> None:
    """Chat beside the log of TIE, some of it by nobody who plays there."""
    match = id_of(TIE)
    with Journal.create(places.notes(match), NOTES) as notes:
        for at, author, text in ((1, 0, "hello?"), (12, 1, "here")):
            sealed = seal_chat(Chat(match, author, at, at, text), SIGNERS[author])
            notes.append(Remark(Kind.NOTE, at, 0, sealed).pack(), Kind.NOTE)
        other = seal_chat(Chat(bytes(32), 0, 1, 1, "elsewhere"), SIGNERS[0])
        for kind, content in ((Kind.NOTE, other), (Kind.NOTE, b"noise"), (Kind.ANNOTATION, b"noise")):
            notes.append(Remark(kind, 13, 0, content).pack(), kind)
        notes.append(b"noise", Kind.NOTE)


def test_chat_is_written_only_if_it_is_asked_for_and_only_from_our_own_notes(places: Places, said: Said) -> None:
    log = str(put(places, TIE))
    words = ("export", log, "--unproved", "--format", "sheet")
    status, out, err = said(*words, "--chat")
    assert status == 0
    assert out == said(*words)[1]
    assert "no chat of this match is kept" in err
    noted(places)
    plain, told = said(*words)[1], said(*words, "--chat")[1]
    assert set(told.splitlines()) - set(plain.splitlines()) == {"; Ana: hello?", "; Bruno: here"}
    assert read_sheet(told).remarks == ("Ana: hello?",)
    assert "hello?" in said("export", log, "--unproved", "--format", "cast", "--chat", "--game", "1", "--speed", "8")[1]


@pytest.mark.parametrize("form", ["jsonl", "sheet", "txt", "cast"])
def test_what_is_good_of_a_wrong_log_is_written_before_what_is_wrong(said: Said, tmp_path: Path, form: str) -> None:
    log = log_at(tmp_path / "a.smlog", (*TIE[:9], *TIE[10:]))
    status, out, err = said("export", str(log), "--unproved", "--format", form, "--speed", "8")
    assert status == 3
    assert out
    assert err.endswith("gap: entry 10: entry 11 does not follow entry 9\n")
    (tmp_path / "b.smlog").write_bytes(b"roses")
    status, out, err = said("export", str(tmp_path / "b.smlog"), "--format", form)
    assert (status, out) == (3, "")
    assert "not a log" in err
    assert said("export", str(log_at(tmp_path / "c.smlog", TIE[1:])), "--format", form)[:2] == (3, "")


def test_names_that_cannot_be_written_are_refused_before(tmp_path: Path) -> None:
    (tmp_path / "a.sheet").write_text("mine")
    assert "has to end in one of .jsonl, .sheet" in refusal("a.pgn")
    assert "exists already" in refusal(str(tmp_path / "a.sheet"))
    assert "no directory" in refusal(str(tmp_path / "none" / "a.sheet"))
    assert refusal(str(tmp_path / "b.CAST")) == ""
    assert refusal(str(tmp_path / "b.smlog")) == ""


def test_of_a_wrong_log_a_new_one_holds_what_is_good(tmp_path: Path) -> None:
    log = log_at(tmp_path / "a.smlog", (*TIE[:9], *TIE[10:]))
    said = export_as(log, str(tmp_path / "b.smlog"), Replay())
    assert said.startswith("Written as far as it is good (")
    assert read_recording(tmp_path / "b.smlog").raws == tuple(TIE[:9])


def test_a_film_that_nobody_waits_for_any_more_leaves_nothing_behind(places: Places, tmp_path: Path) -> None:
    log = put(places, TIE)
    study = Study(places, log)
    said = study.export(str(tmp_path / "a.cast"), Replay(speed="8"), lambda: True)
    assert "was not written" in said
    assert not (tmp_path / "a.cast").exists()
    assert study.export(str(tmp_path / "a.sheet"), Replay(speed="1")).startswith("Written: ")
    assert "exists already" in study.export(str(tmp_path / "a.sheet"), Replay(speed="1"))
    log.write_bytes(as_log((*TIE[:9], *TIE[10:])))
    assert "a gap" not in study.export(str(tmp_path / "b.sheet"), Replay(speed="1"))
    assert "gap: entry 10" in study.export(str(tmp_path / "c.sheet"), Replay(speed="1"))
    assert exporting.wrong("x", UsageError("x is not")) == 2


# replay: as text, and which one


def test_where_not_both_ends_are_a_terminal_it_is_told_as_sentences(places: Places, said: Said) -> None:
    put(places, TIE)
    status, out, err = said("replay", id_of(TIE).hex()[:6])
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "Ana opens a match."
    status, out, _ = said("replay", "--json", id_of(TIE).hex()[:6])
    assert out == (GAMES / "tie.jsonl").read_text("utf-8")
    status, _, err = said("replay", "--json")
    assert (status, "matches --json" in err) == (2, True)
    status, _, err = said("replay", "none.smlog")
    assert (status, err) == (2, "sm-p2p: there is no none.smlog\n")


def test_an_analysis_is_written_in_lines_or_as_objects(places: Places, said: Said) -> None:
    put(places, TIE)
    name = id_of(TIE).hex()[:6]
    status, out, err = said("replay", "--analysis", name)
    assert (status, err) == (0, "")
    assert out.startswith("Game 1: each move, the move of hard, and the chance to win")
    assert out.count("\nTurn ") > 3
    status, objects, _ = said("replay", "--analysis", "--json", name)
    assert {json.loads(line)["game"] for line in objects.splitlines()} == {1}
    status, out, err = said("replay", "--analysis", str(put(places, SHORT[:20])))
    assert (status, out) == (0, "")
    assert "nothing to judge" in err


def test_without_a_file_the_saved_matches_are_listed(places: Places, said: Said) -> None:
    assert said("replay") == (0, "", "sm-p2p: No match is saved here.\n")
    put(places, SHORT)
    put(places, TIE, 1)
    status, out, err = said("replay")
    assert (status, err) == (0, "")
    head, tie, short = out.splitlines()
    assert head.split()[:5] == ["DATE", "WITH", "VARIANT", "SCORE", "ENTRIES"]
    assert "CHECKED" in head
    assert (tie[:4], short[:4]) == ("1  2", "2  2")


def test_at_a_terminal_one_of_the_list_is_asked_for_and_read_in_line_mode(places: Places) -> None:
    put(places, SHORT)
    put(places, TIE, 1)
    with at_terminal("replay", home=places.data.parent) as ana:
        ana.until("Which one")
        ana.type("2")
        ana.until("help lists what can be typed")
        ana.until("Entry 5 of 106: game 1, turn 1")
        ana.type("game 2")
        ana.until("game 2, turn 1")
        ana.type("score")
        ana.until("4 points for Ana")
        ana.type("quit")
        assert ana.end() == 0
        assert ana.is_as_found


def test_of_the_list_a_number_or_a_name_is_taken_and_nothing_else(
    places: Places, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(places, TIE[:6])
    for answer, status, sentence in (
        ("", 0, ""),
        ("1", 0, "Ana opens a match."),
        (id_of(TIE).hex()[:5], 0, "Ana opens a match."),
        ("9", 2, ""),
    ):
        monkeypatch.setattr(replaying, "answer_at_terminal", lambda _question, answer=answer: answer)
        found, out, _ = said("replay")
        assert (found, sentence in out) == (status, True)


# replay: line mode


def test_in_a_pipe_a_replay_reads_what_is_typed_to_its_end(
    places: Places, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = put(places, TIE)
    chunks = iter([b"open\ngame 3\nga", b"me 2\nopen\nend\ncheck\nplay\nexport x.pgn\nquit\nnext\n", b""])
    monkeypatch.setattr(reading, "read_input", lambda: next(chunks))
    status, out, err = said("replay", "--ui", "line", str(log))
    assert (status, err) == (0, "")
    assert "\x1b" not in out
    for sentence in (
        "Bruno's hand: h1 ",
        "This log has no game 3.",
        "This log has no game 2.",
        "Of 33 entries",
        "The proofs in them were not checked",
        "This is the end of the log.",
        "The name has to end in one of .jsonl, .sheet, .txt, .cast, .smlog.",
    ):
        assert sentence in out
    assert out.splitlines()[-1].startswith("The name has to end")


def test_at_a_terminal_it_plays_until_a_key_is_pressed_and_says_what_was_checked(places: Places) -> None:
    log = put(places, TIE[:9])
    with at_terminal("replay", str(log), home=places.data.parent) as ana:
        ana.until("Entry 5 of 9")
        ana.type("speed 8")
        ana.until("It plays")
        ana.type("play")
        ana.until("This is the end of the log")
        ana.type("start")
        ana.until("Entry 0 of 9")
        ana.type("speed 0.25")
        ana.type("play")
        ana.until("Ana opens a match")
        ana.type("check")  # the first of these keys stops it
        ana.until("Of 9 entries|Of [0-9] entries")
        while ana.first_of("were checked as well", "are being checked", "were not checked"):
            ana.type("check")
        ana.press("\x04")
        assert ana.end() == 0
        assert ana.is_as_found


# replay: the full screen


def test_on_the_full_screen_it_is_read_checked_and_left(places: Places, tmp_path: Path) -> None:
    log = put(places, TIE)
    noted(places)
    with at_terminal("replay", str(log), home=places.data.parent, SM_P2P_UI="screen") as ana:
        ana.until_seen("Entry 5 of 33 · Ana's turn · stands still")
        ana.until_seen("hello?")
        ana.press("G")
        ana.until_seen("Entry 33 of 33")  # it was read to its end
        for keys, seen in KEYS:
            ana.press(keys)
            ana.until_seen(seen)
        ana.press("e")
        ana.until_seen("WRITE THE MATCH INTO")
        ana.press(f"\x15{tmp_path / 'a.sheet'}{ENTER}")
        ana.until_seen("Written:")
        ana.press("i")
        ana.until_seen("The proofs in them")
        ana.press(ESCAPE)
        ana.until_seen("log verified ✓ c723")
        ana.press("q")
        assert ana.end() == 0
        assert ana.is_as_found
    assert (tmp_path / "a.sheet").read_text("utf-8") == (GAMES / "tie.sheet").read_text("utf-8")
    assert [one.checked for one in shelf(places)] == [33]


def test_the_menu_shows_the_saved_matches(places: Places) -> None:
    put(places, TIE[:12])
    (places.data / "poem.smlog").write_bytes(b"roses")
    with at_terminal("--name", "Ana", home=places.data.parent, SM_P2P_UI="screen") as ana:
        choose(ana, "Replays")
        choose(ana, "poem.smlog")
        ana.until_seen("THIS CANNOT BE SHOWN")
        ana.press(ESCAPE)
        choose(ana, "Bruno")
        ana.until_seen("Entry 5 of 12")
        ana.press("q")
        ana.until_seen("REPLAYS")
        ana.press(ESCAPE)
        ana.until_seen("Open a table")
        ana.press(CTRL_C)
        assert ana.end() == 0


@pytest.mark.parametrize(
    ("raw", "status", "sentence"),
    [
        (b"SMLOG\r\n\x02", 5, "version 2 of the file format, this program reads version 1"),
        (b"roses", 3, "this is not a log of this game"),
        (as_log(SHORT[1:3]), 3, "entry 1"),
        (as_log(()), 2, "no entry in this log yet"),
    ],
)
def test_what_cannot_be_shown_is_said_before_anything_is_shown(
    places: Places, said: Said, raw: bytes, status: int, sentence: str
) -> None:
    (places.data / "a.smlog").write_bytes(raw)
    found, out, err = said("replay", "--ui", "line", str(places.data / "a.smlog"))
    assert (found, out) == (status, "")
    assert sentence in err


def test_a_damaged_log_is_shown_as_far_as_it_is_good(places: Places) -> None:
    log = put(places, TIE)
    raw = bytearray(log.read_bytes())
    raw[len(as_log(TIE[:9])) + 20] ^= 1
    log.write_bytes(raw)
    study = Study(places, log)
    assert [checked.broken_at for checked in steps(study)][-1] == 0
    assert study.checked == Checked(0, None, 10)
    study.hear(verify_file(log))
    assert study.checked == Checked(9, None, 10)
    assert any("record 10 at byte" in line for line in study.lines())


# what is known of a log that is looked at


def steps(study: Study) -> Iterator[Checked]:
    """What may be said after each entry that is read."""
    yield study.checked
    while study.more():
        yield study.checked


def test_the_label_never_claims_more_than_was_checked(places: Places) -> None:
    log = put(places, TIE[:12])
    study = Study(places, log)
    study.percent = 0
    assert {checked.proofs for checked in steps(study)} == {0}
    study.hear(Done(3, 4))
    assert study.checked == Checked(0, 75, 0)
    study.hear(None)
    assert study.checked == Checked(0, None, 0)
    early = Study(places, log)
    early.hear(verify_file(log))
    assert [checked.proofs for checked in steps(early)][:-1] == [0] * (12 - len(early.reel) + 7)
    assert early.checked == Checked(12)
    with Journal.open(log) as pen:
        pen.append(TIE[12])
    assert early.grow()
    assert early.more()
    assert early.checked == Checked(13)
    assert not early.grow()
    assert not early.more()


def test_a_report_about_other_entries_proves_nothing(places: Places, tmp_path: Path) -> None:
    log = put(places, TIE[:12])
    study = Study(places, log)
    assert len([*steps(study)]) == 8
    other = verify_file(log_at(tmp_path / "other.smlog", HOUSE[:12]))
    assert isinstance(other, Report)
    study.hear(other)
    assert study.checked == Checked(0)
    study.hear(verify_file(log_at(tmp_path / "less.smlog", TIE[:6])))
    assert study.checked == Checked(6)
    assert not study.grow()
    assert study.checked == Checked(6)
    log.write_bytes(as_log((*TIE[:8], *TIE[9:12])))
    wrong = Study(places, log)
    assert [checked.broken_at for checked in steps(wrong)][-1] == 0
    assert wrong.checked.broken_at == 9
    wrong.hear(verify_file(log))
    assert wrong.checked == Checked(8, None, 9)
    assert any("Entry 9 is wrong" in line for line in wrong.lines())
    assert wrong.entries == 8


def test_who_writes_a_log_is_seen_without_taking_anything(places: Places) -> None:
    log = put(places, TIE[:3])
    assert writer_of(log) == 0
    lock = Lock.take(log.with_name(f"{log.name}.lock"), str(log))
    assert writer_of(log) == os.getpid()
    lock.release()
    assert writer_of(log) == 0
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    log.with_name(f"{log.name}.lock").write_text(f"{process.pid}\n")  # a crash has left it
    assert writer_of(log) == 0
    log.with_name(f"{log.name}.lock").write_text("1\n")
    assert writer_of(log) == 1
