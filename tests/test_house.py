"""The house itself: its rooms, its sizes, the words of its README."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted((ROOT / "sm_p2p").rglob("*.py"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


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


def test_the_readme_draws_every_room() -> None:
    (house,) = re.findall(r"```\n( +cli .*?)```", README, re.DOTALL)
    rooms = {path.parent.name for path in (ROOT / "sm_p2p").glob("*/__init__.py")}
    assert all(re.search(rf"\b{room}\b", house) for room in rooms | {"errors", "pace", "stream"})


def test_nothing_in_the_protocol_speaks_of_one_programming_language() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "protocol").glob("*.md")}
    assert not [name for name, text in pages.items() if re.search(r"\bPython\b|\.py\b", text)]
