"""The house itself: its rooms, its sizes, the words of its README."""

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sm_p2p.cli.main import main
from sm_p2p.cli.parser import make_parser

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted((ROOT / "sm_p2p").rglob("*.py"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line.removeprefix("$ "), comments=True)
    for block in re.findall(r"```(?:sh|console)\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.removeprefix("$ ").startswith(("sm-p2p ", "scripts/play"))
]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_has_one_purpose_that_it_names_and_fits_one_room(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "a module says what it is"
    assert len(text.splitlines()) <= 400
    if path.name == "__init__.py":
        assert len(ast.parse(text).body) == 1, "a room's own file holds its sentence and no code"


def test_only_the_ground_stands_outside_of_rooms() -> None:
    outside = {path.name for path in (ROOT / "sm_p2p").glob("*.py")}
    assert outside == {"__init__.py", "__main__.py", "errors.py", "pace.py", "stream.py", "version.py"}


def test_line_mode_does_without_what_the_full_screen_is_made_of(tmp_path: Path) -> None:
    words = ["host", "--player", "greedy", "--bind", "127.0.0.1", "--wait", "0", "--home", str(tmp_path)]
    look = f"import sys; from sm_p2p.cli.main import main; sys.exit(main({words!r}) != 4 or 'prompt_toolkit' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_of_the_readme_is_one(words: list[str]) -> None:
    parsed = make_parser().parse_args(words[1:] or ["play"])
    assert parsed.command == (words[1:] or ["play"])[0]


def test_the_readme_names_at_least_the_main_commands() -> None:
    assert {words[1] for words in COMMANDS if len(words) > 1} >= {
        "host",
        "join",
        "play",
        "simulate",
        "verify",
        "replay",
        "export",
    }


def test_the_readme_draws_every_room() -> None:
    (house,) = re.findall(r"```\n( +cli .*?)```", README, re.DOTALL)
    rooms = {path.parent.name for path in (ROOT / "sm_p2p").glob("*/__init__.py")}
    assert all(re.search(rf"\b{room}\b", house) for room in rooms | {"errors", "pace", "stream"})


def test_the_simulation_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "4", "--seed", "7"]) == 0
    assert "4 games" in capsys.readouterr().out


def test_nothing_in_the_protocol_speaks_of_one_programming_language() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "protocol").glob("*.md")}
    assert not [name for name, text in pages.items() if re.search(r"\bPython\b|\.py\b", text)]
