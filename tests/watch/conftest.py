"""The match that most of these tests look at, recorded once."""

import pytest
from watch.files import begun, ended

from scripts.making.recorder import recorded


@pytest.fixture(scope="session")
def small() -> list[bytes]:
    """A whole match of one game: 49 entries, one completed stack."""
    return ended(begun())


@pytest.fixture(scope="session")
def four() -> list[bytes]:
    """A whole match of four games; those after the first are given up."""
    return list(recorded("short").raws)
