"""A match that has begun, recorded once: dealing costs more than all the rest of a test."""

from pathlib import Path

import pytest
from peer.rig import Pair, both, run

from sm_p2p.session.talk import Leave


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The homes of two players who have left at the first move of their match."""
    home = tmp_path_factory.mktemp("recorded")
    pair = Pair(home).begin()

    async def story() -> None:
        tasks = pair.play_both()
        for person in pair.people:
            person.moves = 0
            await person.until_game()
            person.want(Leave())
        await both(tasks)

    run(story())
    return home
