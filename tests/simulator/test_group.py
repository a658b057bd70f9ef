"""What the worlds are made of: the other group gives and refuses what the real one does, and nothing is remembered wrongly."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

import pytest
from deck.refusals import refused
from simulator.group import free
from simulator.stage import Stage

from sm_p2p.deck.group import IDENTITY, G, Point, Q, base, combine, decode_point, minus, plus, times, times_received
from sm_p2p.errors import Code
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import CHECKED
from sm_p2p.session.state import Match

GROUPS: Final[tuple[Callable[[], AbstractContextManager[None]], ...]] = (nullcontext, free)


@pytest.mark.parametrize("of_this_sort", GROUPS, ids=["real", "free"])
def test_both_groups_follow_the_same_laws(of_this_sort: Callable[[], AbstractContextManager[None]]) -> None:
    with of_this_sort():
        two, three = base(2), base(3)
        assert base(1) == G
        assert plus(two, three) == base(5) == plus(three, two)
        assert minus(two, two) == IDENTITY == base(0) == times(Q, two) == times(5, IDENTITY)
        assert plus(two, IDENTITY) == two
        assert times(3, two) == times(2, three) == base(6) == times_received(3, two)
        assert times(Q - 1, two) == minus(IDENTITY, two)
        assert combine([4, Q - 3], [two, three]) == minus(base(8), base(9))
        assert decode_point(two) == two
        for raw in (IDENTITY, b"\xff" * 32, bytes(32)):
            with refused(Code.BAD_POINT):
                decode_point(raw)
            with refused(Code.BAD_POINT):
                times_received(2, raw)
        with pytest.raises(AssertionError):
            times(2, Point(b"\xff" * 32))


def test_a_match_of_the_worlds_is_right_for_whoever_remembers_nothing(stage: Stage) -> None:
    """All keys, shares, shuffles and proofs of a whole match, looked at in the other group by the code that is in use."""
    world = stage.run(4, "outages")
    held = world.machines[0].disk.entries(world.match)
    after = world.machines[0].session
    assert after is not None
    with free():
        match = Match()
        for raw in held:
            match = advance(match, admit(match, raw), CHECKED)
    assert match == after.match
    assert len(held) > 20
