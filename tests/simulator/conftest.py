"""One stage for the tests of a module."""

from collections.abc import Iterator

import pytest
from simulator.stage import Stage
from simulator.stage import stage as stages


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """Where worlds are played whose mathematics costs nothing."""
    with stages() as place:
        yield place
