"""Frozen machines, pulled cables, dead connections, damaged bytes, and leaving in the middle of all that.

Each is seen from the outside: two people at a table, each a process with files. `scripts/soak outages` measures them all.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest
from apart import SHORT
from cables import why_not
from outages import damaged, frozen, left_by_one, moved, pulled, returned, wired
from proxy import Way
from reconnects import cut_again_and_again
from seated import Measured, lay, leaves, seated, told

BUSY_S = 2.0
"""What takes less than a second on a machine that does nothing else may take so long on one that tests."""


def assert_in_time(seen: Iterable[Measured]) -> None:
    for what, seconds, limit in seen:
        assert seconds <= max(limit, BUSY_S), (what, seconds)


def test_a_frozen_peer_is_noticed_and_play_goes_on_when_he_wakes_and_nobody_has_to_wait_for_him_to_leave(
    tmp_path: Path,
) -> None:
    async def story() -> list[Measured]:
        async with seated(tmp_path) as party:
            return [*await frozen(party, 0), *await frozen(party, 1), *await left_by_one(party)]

    assert_in_time(told(story()))


def test_a_pulled_cable_and_a_new_address_are_noticed_and_the_match_goes_on_by_itself(tmp_path: Path) -> None:
    if reason := why_not():
        pytest.skip(reason)

    async def story() -> list[Measured]:
        async with wired(tmp_path) as (party, cable):
            seen = [*await pulled(party, cable, 0), *await moved(party, cable, 1)]
            cable.pull()
            return [*seen, *[await leaves(run, "without a cable") for run in party.seats]]

    assert_in_time(told(story()))


def test_a_damaged_byte_costs_seconds_at_most_and_a_returning_player_replaces_his_dead_connection_at_once(
    tmp_path: Path,
) -> None:
    async def story() -> list[Measured]:
        async with seated(tmp_path, proxied=True) as party:
            return [*await damaged(party, Way.UP, 1), *await damaged(party, Way.DOWN, 40), *await returned(party)]

    assert_in_time(told(story()))


def test_a_match_that_is_cut_again_and_again_tells_each_entry_and_each_line_of_chat_once(tmp_path: Path) -> None:
    outcome = told(cut_again_and_again(lay(tmp_path), cuts=5, every=4, variant=SHORT, gives_up=True))
    assert outcome.cuts == 5
    assert outcome.notes > 2
