"""The manual's page of keys is the key table."""

from pathlib import Path
from typing import Final

import pytest

from sm_p2p.ui.keys import KEYMAP, Mode
from sm_p2p.ui.manual import TITLES, manual

PAGE: Final = Path(__file__).parents[3] / "docs" / "keys.md"


def test_the_page_of_keys_is_the_key_table(request: pytest.FixtureRequest) -> None:
    text = "".join(f"{line}\n" for line in manual())
    if request.config.getoption("--write-playthroughs", default=False):
        PAGE.write_text(text, encoding="utf-8")
    assert text == PAGE.read_text(encoding="utf-8"), "docs/keys.md differs; --write-playthroughs writes it anew"


def test_every_mode_has_a_part_and_every_key_a_line() -> None:
    assert {mode for mode, _ in TITLES} == {*Mode}
    text = "\n".join(manual())
    assert all(f"| {binding.help} |" in text for binding in KEYMAP)
