"""What dealing costs is seen once: the other matches have the mathematics that costs nothing, and one is recorded."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from peer.rig import Pair, both, run
from simulator.group import free

from sm_p2p.session.talk import Leave


@pytest.fixture
def free_mathematics() -> Iterator[None]:
    """The other group of the simulator, in which the same code makes and checks the same proofs for a tenth."""
    with free():
        yield


@pytest.fixture
def real_mathematics() -> None:
    """Whoever asks for this is dealt with in the group of the specification."""


@pytest.fixture(autouse=True)
def mathematics(request: pytest.FixtureRequest) -> None:
    """Free, unless the test wants the real one."""
    if "real_mathematics" not in request.fixturenames:
        request.getfixturevalue("free_mathematics")


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The homes of two players who have left at the first move of their match; in the other group."""
    home = tmp_path_factory.mktemp("recorded")

    async def story() -> None:
        pair = Pair(home).begin()
        tasks = pair.play_both()
        for person in pair.people:
            person.moves = 0
            await person.until_game()
            person.want(Leave())
        await both(tasks)

    with free():
        run(story())
    return home
