"""Places that may not be read, or take nothing more: one sentence, its status, and nothing changed."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import DEADLINE_S, ENVIRONMENT, once

from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places

NOBODY = 65_534
AS_NOBODY = f"""
import os, sys
from sm_p2p.cli import exporting, menu, replaying, screen, sitting, tables, verifying
from sm_p2p.cli.main import main
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
sys.exit(main(sys.argv[1:]))
"""


WATCHED = """
import json, os, sys
from pathlib import Path
from sm_p2p.cli.main import main

MOMENTS = {"open", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename"}
home, looks, wide, is_looking = Path(sys.argv[1]), 0, set(), False

def look(event, _arguments):
    global looks, is_looking
    if is_looking or event not in MOMENTS:
        return
    is_looking, looks = True, looks + 1
    for path in (home, *home.rglob("*")):
        try:
            mode = path.lstat().st_mode & 0o777
        except FileNotFoundError:
            continue
        if mode & 0o077:
            wide.add(path.name)
    is_looking = False

def mends_it_later(path):
    Path(path).parent.mkdir()
    Path(path).touch()
    os.chmod(path, 0o600)
    os.chmod(Path(path).parent, 0o700)
    return 0

os.umask(0)
sys.addaudithook(look)
did = [mends_it_later(*words[1:]) if words[0] == "mends-it-later" else main(words) for words in json.loads(sys.argv[2])]
look("open", ())
print(json.dumps([did, looks, sorted(wide)]), file=sys.stderr)
"""
"""Under umask 0 it looks at every file before each thing that is done to any: what was open to others and is not any more
would have been seen, because to change that is one of these things."""


def watched(home: Path, *words: list[str]) -> tuple[list[int], int, list[str]]:
    """The statuses of these commands, how often was looked, and what others could have read or changed at some moment."""
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED, str(home), json.dumps(words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=DEADLINE_S,
        check=True,
    )
    statuses, looks, wide = json.loads(ran.stderr)
    return statuses, looks, wide


def test_nothing_of_a_player_is_open_to_others_at_any_moment_also_under_umask_0(tmp_path: Path) -> None:
    home, copy, third, key, saved = (str(tmp_path / "all" / name) for name in ("home", "copy", "third", "key", "saved"))
    match = ["play", "--player", "greedy", "--opponent", "greedy", "--variant", "quick,pay_off=5", "--to", "1"]
    statuses, looks, wide = watched(
        tmp_path / "all",
        [*match, "--home", home],
        ["key", "export", key, "--home", home],
        ["key", "import", key, "--home", copy],
        ["config", "name", "Ana", "--home", home],
        ["backup", saved, "--home", home],
        ["restore", saved, "--home", third],
    )
    assert (statuses, wide) == ([0] * 6, [])
    assert looks > 100
    kinds = {path.suffix for path in (tmp_path / "all").rglob("*") if path.is_file()}
    assert {".key", ".secret", ".signed", ".smlog", ".way", ".toml"} <= kinds


def test_what_is_made_open_and_mended_later_is_seen(tmp_path: Path) -> None:
    """The control."""
    _, _, wide = watched(tmp_path / "all", ["mends-it-later", str(tmp_path / "all" / "identity.key")])
    assert wide == ["all", "identity.key"]


def as_nobody(*words: str) -> "subprocess.CompletedProcess[str]":
    """`sm-p2p WORDS` by somebody who is not the superuser; everything is imported before."""
    return subprocess.run(
        [sys.executable, "-c", AS_NOBODY, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={name: value for name, value in ENVIRONMENT.items() if not name.startswith("COV")},  # nobody can write that
        timeout=DEADLINE_S,
        check=False,
    )


@pytest.fixture
def home() -> Iterator[Path]:
    """A home that belongs to whoever `as_nobody` is, in a directory that he may pass."""
    with tempfile.TemporaryDirectory() as above:
        Path(above).chmod(0o755)
        places = Places.below(Path(above) / "home").make()
        Identity.load_or_create(places.identity)
        give_away(Path(above) / "home", *(Path(above) / "home").rglob("*"))
        yield Path(above) / "home"


def give_away(*paths: Path) -> None:
    """Let these belong to whoever `as_nobody` is."""
    for path in paths if os.geteuid() == 0 else ():
        os.chown(path, NOBODY, NOBODY)


@pytest.mark.parametrize("place", ["data", "keys/identity.key", "config"])
def test_a_place_that_may_not_be_read_is_one_sentence(home: Path, place: str) -> None:
    (home / place).chmod(0o000)
    done = as_nobody("host", "--bind", "127.0.0.1", "--player", "greedy", "--wait", "5", "--home", str(home))
    (home / place).chmod(0o700)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("sm-p2p: ")
    assert str(home / place) in done.stderr


def test_a_home_that_cannot_be_made_is_one_sentence(home: Path) -> None:
    home.chmod(0o500)
    done = as_nobody("host", "--home", str(home / "below" / "deep"))
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr == f"sm-p2p: no permission for {home / 'below'}; change it, or choose another place with --home\n"
    )


def test_a_log_that_may_not_be_read_is_as_good_as_none(home: Path) -> None:
    log = home / "data" / "x.smlog"
    log.touch()
    log.chmod(0o000)
    give_away(log)
    done = as_nobody("verify", str(log))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_a_disk_that_is_full_in_the_middle_of_a_match_is_one_sentence_and_the_match_is_kept(
    tmp_path: Path, practice: Path
) -> None:
    shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
    (log,) = (tmp_path / "data").glob("*.smlog")
    before = log.read_bytes()

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, len(before) + 100))

    done = once("play", home=tmp_path, said="h1-a\n", before=fill)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"sm-p2p: {log}: ")
    assert "You discard" not in done.stdout
    assert log.read_bytes() == before
    done = once("play", home=tmp_path, said="h1-a\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "You discard" in done.stdout
    assert log.read_bytes().startswith(before)
