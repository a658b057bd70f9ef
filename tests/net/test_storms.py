"""Two computers whose bytes pass a proxy in bad weather: nothing is lost, nothing comes twice, nobody presses a key."""

import asyncio
from pathlib import Path

from seated import lay, told
from storms import Voyage, voyage

from sm_p2p.watch.replay import UNPROVED

SEEDS = (4, 8, 28)
"""Each kind of storm is early in one of them; `scripts/soak proxy` has more, and matches that have not begun."""


def test_a_match_through_cuts_stalls_slices_and_flipped_bits_ends_with_the_same_bytes_on_both_sides(
    tmp_path: Path,
) -> None:
    async def story() -> list[Voyage]:
        return await asyncio.gather(*(voyage(lay(tmp_path / f"{seed}"), seed, proofs=UNPROVED) for seed in SEEDS))

    voyages = told(story())
    assert all(made.storms for made in voyages)
    assert sum(made.connections for made in voyages) > len(voyages)
