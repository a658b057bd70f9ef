"""A glance at a log: who plays what, and whether it is over."""

import pytest
from deck.refusals import refused
from pair import KEYS, NAMES
from session.cheat import forged
from session.recorded import Recording

from sm_p2p.errors import Code
from sm_p2p.session.glance import Glance, glance
from sm_p2p.session.state import State

IDENTITIES = tuple(key.identity for key in KEYS)


def test_a_log_tells_who_plays_what(rich: Recording) -> None:
    for count in (2, 3, 5, len(rich.raws) - 1):
        assert glance(rich.raws[:count]) == Glance(NAMES, IDENTITIES, "quick,pay_off=5", is_over=False)
    assert glance(rich.raws[:1]) == Glance(NAMES[:1], IDENTITIES[:1], "quick,pay_off=5", is_over=False)


def test_a_log_is_over_when_both_keys_lie_open_without_a_next_one(rich: Recording, series: Recording) -> None:
    for recording in (rich, series):
        for at in recording:
            assert glance(recording.raws[: at.seq]).is_over is (at.after.state is State.CLOSED)


def test_what_is_no_log_of_a_match_is_not_glanced_at(rich: Recording) -> None:
    start, seated = rich.steps[0], rich.steps[1]
    for raws in (rich.raws[1:], [rich.raws[0], rich.raws[0]], [rich.raws[0], rich.raws[2]]):
        with refused(Code.BAD_SHAPE):
            glance(raws)
    with refused(Code.BAD_SHAPE):
        glance([forged(start.before, start.event, data=())])
    with refused(Code.UNKNOWN_KIND):
        glance([*rich.raws[:2], forged(seated.after, rich.steps[2].event, kind=99)])
    with pytest.raises(IndexError):
        glance([])
