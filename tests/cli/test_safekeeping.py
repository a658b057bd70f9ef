"""Backup and restore through the front door: what is said, what the shell is told, and a match that goes on elsewhere."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from cli.shelves import game, home_of, id_of, put
from processes import once, start

from sm_p2p.cli.main import main
from sm_p2p.store.journal import Journal
from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places

TIE, SHORT = game("tie"), game("short")
ONE_MACHINE = "A match goes on here or there, not on both"

Said = pytest.CaptureFixture[str]


def test_a_backup_is_written_and_taken_over_with_a_word_about_the_danger(tmp_path: Path, capsys: Said) -> None:
    places, file = home_of(tmp_path / "a"), tmp_path / "b"
    put(places, TIE)
    put(places, SHORT)
    words = ["--home", str(tmp_path / "a")]
    assert main(["backup", str(file), *words]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{file} holds your key and 2 matches; whoever has it can play as you."
    assert second.startswith(ONE_MACHINE)
    assert main(["backup", str(file), *words]) == 2
    assert capsys.readouterr().err == f"sm-p2p: {file} exists; --force writes over it.\n"
    assert main(["backup", "--force", "--json", str(file), *words]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(file), "matches": 2, "left_out": 0}
    there = ["--home", str(tmp_path / "there")]
    assert main(["restore", str(file), *there]) == 0
    said = capsys.readouterr().out.splitlines()
    key = " ".join(Identity(b"\x01" * 32).fingerprint)
    assert said[:2] == [f"The key is here: {key}.", "2 matches were taken over."]
    assert said[-1].startswith(ONE_MACHINE)
    assert main(["restore", str(file), *there]) == 0
    assert capsys.readouterr().out.splitlines()[1:3] == ["0 matches were taken over.", "2 matches were as far here."]
    assert main(["restore", str(file), "--json", *there]) == 0
    key = Identity(b"\x01" * 32).identity.hex()
    assert json.loads(capsys.readouterr().out) == {"key": key, "taken": 0, "left": 2, "kept": []}


def test_what_is_left_out_is_said_and_the_status_tells_it(tmp_path: Path, capsys: Said) -> None:
    places = home_of(tmp_path / "a")
    put(places, TIE)
    put(places, SHORT).write_bytes(b"roses")
    for words in ([], ["--json", "--force"]):
        assert main(["backup", str(tmp_path / "b"), "--home", str(tmp_path / "a"), *words]) == 1
        assert f"{id_of(SHORT).hex()}.smlog is left out: " in capsys.readouterr().err


def test_another_key_is_said_and_force_says_where_it_went(tmp_path: Path, capsys: Said) -> None:
    put(home_of(tmp_path / "a"), TIE)
    home_of(tmp_path / "there", seat=1)
    assert main(["backup", str(tmp_path / "b"), "--home", str(tmp_path / "a")]) == 0
    capsys.readouterr()
    there = ["restore", str(tmp_path / "b"), "--home", str(tmp_path / "there")]
    assert main(there) == 2
    assert "is another key than the one in the backup" in capsys.readouterr().err
    assert main([*there, "--force"]) == 0
    assert f"What was here before is kept in {tmp_path / 'there' / 'keys.old-1'}." in capsys.readouterr().out


def test_what_is_no_backup_or_cannot_be_had_is_one_sentence_and_leaves_nothing(tmp_path: Path, capsys: Said) -> None:
    with zipfile.ZipFile(tmp_path / "hostile", "w") as file:
        file.writestr("sm-p2p-backup", "sm-p2p backup 1\n")
        file.writestr("../\x1b[31mevil", "x")
    for name, status in (("hostile", 2), ("nowhere", 1)):
        assert main(["restore", str(tmp_path / name), "--home", str(tmp_path / "there")]) == status
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert "\x1b" not in err
    assert main(["backup", str(tmp_path / "b"), "--home", str(tmp_path / "there")]) == 2
    assert capsys.readouterr().err == "sm-p2p: There is no key here yet, so there is nothing to back up.\n"
    assert {path.name for path in tmp_path.iterdir()} == {"hostile"}


def test_a_match_that_a_process_has_is_backed_up_and_not_written_over(tmp_path: Path, capsys: Said) -> None:
    places = home_of(tmp_path / "a")
    log = put(places, TIE)
    with Journal.open(log):
        assert main(["backup", str(tmp_path / "b"), "--home", str(tmp_path / "a")]) == 0
        assert main(["restore", str(tmp_path / "b"), "--home", str(tmp_path / "a")]) == 1
    assert f"is writing {log}" in capsys.readouterr().err


def test_a_match_goes_on_with_its_computer_on_another_machine(tmp_path: Path, practice: Path) -> None:
    shutil.copytree(practice, tmp_path / "a")
    assert once("backup", str(tmp_path / "b"), home=tmp_path / "a").returncode == 0
    assert once("restore", str(tmp_path / "b"), home=tmp_path / "there").returncode == 0
    with start("resume", "--name", "Ana", home=tmp_path / "there") as ana:
        ana.until("The match goes on after")
        ana.until("Your move.")
        ana.type("quit")
        assert ana.end() == 0
    logs = [next(Places.below(tmp_path / name).data.glob("*.smlog")) for name in ("a", "there")]
    assert logs[0].read_bytes() == logs[1].read_bytes()
