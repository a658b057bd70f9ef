"""Two computers whose bytes pass a proxy in bad weather: nothing is lost, nothing comes twice, nobody presses a key."""

import asyncio
from pathlib import Path

from seated import told
from storms import Kind, Voyage, voyage

SEEDS = (1, 2, 3)
"""Every kind of storm is among theirs; `scripts/soak proxy` sails with more."""


def test_a_match_through_cuts_stalls_slices_and_flipped_bits_ends_with_the_same_bytes_on_both_sides(
    tmp_path: Path,
) -> None:
    async def story() -> list[Voyage]:
        homes = [(tmp_path / f"{seed}" / "a", tmp_path / f"{seed}" / "b") for seed in SEEDS]
        return await asyncio.gather(*(voyage(pair, seed) for pair, seed in zip(homes, SEEDS, strict=True)))

    voyages = told(story())
    assert {storm.kind for made in voyages for storm in made.storms} == set(Kind)
    assert all(made.connections > 1 for made in voyages)
