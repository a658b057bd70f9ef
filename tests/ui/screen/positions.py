"""Random positions of all variants, as each mover sees them."""

import random
from collections.abc import Iterator
from functools import cache

from strategies import game_of

from sm_p2p.rules.variant import Refill, StockOut, Variant
from sm_p2p.rules.view import View

GAMES = 50
EACH = 20


@cache
def positions() -> tuple[View, ...]:
    """A thousand positions: some of a game of each of many variants."""
    return tuple(view for seed in range(GAMES) for view in _of_a_game(seed))


def variant_of(seed: int) -> Variant:
    """A variant for each seed; all packs, numbers of centre stacks and ways of refilling come up."""
    dice = random.Random(seed)
    packs = 2 + seed % 3
    return Variant(
        packs=packs,
        pay_off=dice.randint(5, min(40, (packs * 52 - 30) // 2)),
        centres=3 + seed // 3 % 2,
        stock_out=dice.choice([*StockOut]),
        refill=dice.choice([*Refill]),
    )


def _of_a_game(seed: int) -> Iterator[View]:
    """So many positions of one game, spread over it; a short game repeats some."""
    games = [before for _, before, _ in game_of(variant_of(seed), seed)]
    for at in range(EACH):
        game = games[at * len(games) // EACH]
        yield game.view(game.table.to_move or 0)
