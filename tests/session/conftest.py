"""Recorded matches, made once in a process, and a memory for the mathematics.

The same match is played many times over here. What a pure function of the deck has given once for the very same
arguments is remembered; what it refuses is refused anew each time.
"""

from collections.abc import Iterator
from functools import cache

import pair
import pytest
from session.recorded import Recording, handy, quitting, recorded, stingy

from sm_p2p.session import author, proofs


@pytest.fixture(scope="session", autouse=True)
def memory() -> Iterator[None]:
    """Proofs that were made or checked before are neither made nor checked again."""
    with pytest.MonkeyPatch.context() as patch:
        for room, name in (
            (proofs, "verify_key"),
            (proofs, "verify_shares"),
            (proofs, "verify_shuffle"),
            (author, "prove_key"),
            (author, "prove_shares"),
            (author, "shuffle"),
            (pair, "resume"),
        ):
            patch.setattr(room, name, cache(getattr(room, name)))
        yield


@pytest.fixture(scope="session")
def rich(memory: None) -> Recording:  # noqa: ARG001 - the memory has to be there first
    """A game with everything in it: stacks completed with and without a pay-off card, a refill, a win."""
    return recorded("quick,pay_off=5", handy)


@pytest.fixture(scope="session")
def ended(memory: None) -> Recording:  # noqa: ARG001
    """A game in which a turn is ended with an empty hand."""
    return recorded("quick,pay_off=5,refill=next-turn", handy, 5)


@pytest.fixture(scope="session")
def tied(memory: None) -> Recording:  # noqa: ARG001
    """A tie, and a second game that is given up at once."""
    return recorded("quick,pay_off=37", stingy)


@pytest.fixture(scope="session")
def series(memory: None) -> Recording:  # noqa: ARG001
    """Four games, each of them given up in another state."""
    return recorded("standard,pay_off=5,target=12", quitting)
