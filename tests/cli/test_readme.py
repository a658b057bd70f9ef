"""Every command of the README is run: alone, so that a table finds nobody and says so."""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from cli.shelves import GAMES, SEEDS, game, home_of, id_of, put
from cli.standard import standing_for_input
from processes import start

from scripts.making.messages import messages
from sm_p2p.cli.main import main
from sm_p2p.cli.matches import HEADS
from sm_p2p.cli.status import Status
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite, Purpose
from sm_p2p.store.keys import Identity

README_OF: Final = Path(__file__).parents[2]
README: Final = (README_OF / "README.md").read_text(encoding="utf-8")
FOUND: Final = [
    tuple(shlex.split(line.removeprefix("$ "), comments=True)[1:])
    for block in re.findall(r"```(?:sh|console)\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if re.match(r"(\$ )?(sm-p2p|scripts/play)\b", line)
]
COMMANDS: Final = tuple(dict.fromkeys(FOUND))
BLOCKS: Final = re.findall(r"```(sh|console)\n(.*?)```", README, re.DOTALL)
ELSEWHERE: Final = {  # what else is run, and by whom
    "scripts/test": (".ci", "run"),
    "pipx install": ("scripts", "package.py"),
    "uv tool": ("scripts", "package.py"),
    "python3 -m": ("scripts", "package.py"),
}
TYPED: Final = {"yes", "h2-c1", "p-c1", "p-c2"}  # in the tour
WORDS_OF_PLACES: Final = re.compile(r"\\{\w+\\}")
BRUNO: Final = Identity(SEEDS[1]).identity
PLAYED: Final[tuple[tuple[str, ...], ...]] = tuple(each for each in COMMANDS if each[:1] in {(), ("play",)})
SHORTER: Final = {"1000": "6"}  # games: how many there are changes nothing but the time
ALONE: Final = {"host": ["--bind", "127.0.0.1"], "resume": ["--bind", "127.0.0.1"], "join": [], "watch": []}
SAID: Final = {
    "host": r"sm-p2p://127\.0\.0\.1:|sm-p2p://[\d.]+:\d+,127\.0\.0\.1:",
    "join": "Looking for the table",
    "watch": "Looking for",
    "resume": "goes on after|Looking for|kept for",
    "matches": "unfinished|is deleted|deleted",
    "backup": "sm-p2p.backup",
    "restore": "",
    "key": r"\w+",
    "simulate": r"\b(100|6) games|Turn 1",
    "replay": "Turn 1|entry|WITH",
    "verify": "good|proofs",
    "export": r'^$|"event":"opened"',
    "stats": "Bruno",
    "config": "speed = ",
    "completion": "complete",
    "doctor": "Python 3",
}


@pytest.fixture
def _desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A directory with what the README speaks of, and a home with two matches in it; nobody types anything."""
    places = home_of(tmp_path / "home")
    put(places, game("short"))
    put(places, game("tie"), hour=1)
    (tmp_path / "logs").mkdir()
    for name in ("MATCH.smlog", "logs/one.smlog"):
        shutil.copy(GAMES / "tie.smlog", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SM_P2P_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SM_P2P_LAN", "no")
    with standing_for_input():
        yield


def real(word: str, command: str) -> str:
    """What stands for a word of the README here."""
    if word == "INVITE" or word.startswith("sm-p2p://"):
        purpose = Purpose.WATCH if command == "watch" else Purpose.PLAY
        return str(Invite((Address("127.0.0.1", 9),), BRUNO, bytes(16), purpose))
    matches = {"ad53": id_of(game("tie")).hex()[:8], "3f9a": id_of(game("short")).hex()[:8], "7228": "0"}
    return {**matches, **SHORTER}.get(word, word)


def words_of(command: tuple[str, ...]) -> list[str]:
    """The words as they are run here: where somebody would have to come, nobody is waited for."""
    words = [real(word, command[0]) for word in command]
    alone = ["--wait", "0", *ALONE[command[0]]] if command[0] in ALONE else []
    return [*words, *alone, *(["--yes"] if "delete" in words else [])]


@pytest.mark.usefixtures("_desk")
@pytest.mark.parametrize("command", [each for each in COMMANDS if each not in PLAYED], ids=" ".join)
def test_it_runs(command: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    if command[0] == "restore":
        assert main(["backup", command[1]]) == 0
    status = main(words_of(command))
    said = "".join(capfd.readouterr())
    assert status == (Status.ALONE if command[0] in ALONE else Status.OK), said[-500:]
    assert re.search(SAID[command[0]], said), said[-500:]


@pytest.mark.parametrize("command", PLAYED, ids=" ".join)
def test_the_computer_is_there_at_once(command: tuple[str, ...], tmp_path: Path) -> None:
    with start(*command, home=tmp_path) as player:
        player.until("Your pay-off card")
        player.type("quit")
        assert player.end() == 0


def test_the_readme_names_every_command() -> None:
    assert {command[0] for command in COMMANDS if command} == {*SAID, "play"}


def test_every_other_command_of_the_readme_is_run_where_it_is_said() -> None:
    lines = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()]
    others = [line for line in lines if not re.match(r"(sm-p2p|scripts/play)\b", line)]
    assert {" ".join(line.split()[:2]) for line in others} == {*ELSEWHERE}
    for words, place in ELSEWHERE.items():
        assert words.split()[0] in README_OF.joinpath(*place).read_text("utf-8")


def test_whatever_the_tour_shows_is_said_by_the_program() -> None:
    said = [re.escape(text) for one in messages() for text in (one.text, one.plural) if text]
    patterns = [re.compile(WORDS_OF_PLACES.sub(".+?", text)) for text in said if re.search(r"[a-z]{3}", text)]
    heads = "|".join(HEADS)
    for kind, block in BLOCKS:
        for line in block.splitlines() if kind == "console" else ():
            is_told = any(pattern.fullmatch(line) for pattern in patterns)
            is_row = re.match(rf"({heads}) |\d{{4}}-\d\d-\d\d ", line)
            assert is_told or is_row or line in TYPED or line.startswith(("$ ", "sm-p2p://")), line
