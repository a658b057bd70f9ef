"""A disk that is full at any write: one sentence, nothing lost, and with room again the match goes on."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from peer.rig import Pair, entries_of, resign_at_once, run, seqs
from small_disk import disk_of

from sm_p2p.errors import DiskTrouble, SpiteError
from sm_p2p.peer.ending import Ending, How

MARK = 87
"""Bytes of a mark's file."""
ROOMS = (0, 7, MARK - 1, MARK)
"""Sizes that no log has: nothing can be written, not even the head of a file, a mark, or nothing but a mark."""
MORE = (1, 8, 9, 100, 300, 600, 1500)
"""By so much the logs can grow."""


async def until_full(pair: Pair, size: int) -> DiskTrouble:
    """Both play on such a disk until it is full for one of them, who ends with this; the other one is stopped."""
    with disk_of(size):
        tasks = pair.play_both()
        done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
    (trouble,) = (task.exception() for task in done if task.exception() is not None)
    assert isinstance(trouble, DiskTrouble)
    return trouble


async def to_the_end(pair: Pair) -> Sequence[Ending]:
    """Both play on, until the mover has had enough."""
    tasks = pair.play_both()
    await resign_at_once(pair.people[pair.mover])
    return await asyncio.gather(*tasks)


@pytest.mark.parametrize("size", [*ROOMS, *(-more for more in MORE)])
def test_a_disk_that_is_full_at_any_write_costs_nothing_but_the_time_to_make_room(
    tmp_path: Path, recorded: Path, size: int
) -> None:
    pair = Pair.begun(tmp_path, recorded)
    trouble = run(until_full(pair, size if size >= 0 else len(pair.log(0)) - size))
    assert str(tmp_path) in str(trouble)
    assert "\n" not in str(trouble)
    before = [pair.log(number) for number in (0, 1)]
    for number, person in enumerate(pair.people):
        assert max(seqs(person), default=0) <= len(entries_of(pair.log_path(number)))
    pair.resume(pair.match)
    assert set(run(to_the_end(pair))) == {Ending(How.FINISHED)}
    assert pair.log(0) == pair.log(1)
    assert all(pair.log(0).startswith(log) for log in before)


@pytest.mark.parametrize("size", [0, 7, 80, 86, 100, 200])
def test_a_match_that_cannot_even_begin_leaves_nothing_in_the_way_of_the_next_one(tmp_path: Path, size: int) -> None:
    pair = Pair(tmp_path)
    with disk_of(size), pytest.raises(SpiteError, match=str(tmp_path)):
        pair.begin()
    Pair(tmp_path).begin()
