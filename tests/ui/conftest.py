"""Playthroughs: whole games and dialogues as text files, compared by default, written anew when asked for.

pytest tests/ui --write-playthroughs
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import pytest

FOLDER: Final = Path(__file__).with_name("playthroughs")
OPTION: Final = "--write-playthroughs"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that writes the files."""
    parser.addoption(OPTION, action="store_true", help="write the playthroughs of tests/ui anew")


@pytest.fixture
def playthrough(request: pytest.FixtureRequest) -> Callable[[str, Iterable[str]], None]:
    """Compare these lines with the playthrough of that name."""

    def compare(name: str, lines: Iterable[str]) -> None:
        path, text = FOLDER / f"{name}.txt", "".join(f"{line}\n" for line in lines)
        if request.config.getoption(OPTION, default=False):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{path.name} differs; {OPTION} writes it anew"

    return compare
