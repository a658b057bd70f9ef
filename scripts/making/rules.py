"""The vectors of the rules: texts, cases, refusals, scores and perft.

`build()` gives the content of each file; `python -m scripts.making.rules` writes the files of this room alone.
"""

import json
from pathlib import Path
from typing import Final

from scripts.making.rules_forms import Vector, vector, vector_file
from scripts.making.rules_play import case_vectors
from scripts.making.rules_refused import legal_vectors, refused_vectors
from scripts.making.rules_texts import move_vectors, score_vectors, table_vectors, variant_vectors
from scripts.perft import after, perft
from sm_p2p.bot.greedy import choose
from sm_p2p.rules.open_game import open_game, play_out
from sm_p2p.rules.variant import Variant

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"


def build() -> dict[str, object]:
    """File names and contents of this room."""
    return {
        "moves.json": vector_file(
            "moves, cards and packs: `number` and `text` are two ways to write one thing; `moves` lists all by number",
            move_vectors(),
        ),
        "variants.json": vector_file(
            "read: any text that names a variant, its one text and fields; signed: only the one text", variant_vectors()
        ),
        "tables.json": vector_file("table: the one line of a position, and the position in numbers", table_vectors()),
        "rules.json": vector_file(
            "play: from `table` (null: from nothing) the steps lead to `after`, in numbers `sections`; where a fault is expected, "
            "the last step is refused. legal: all moves of the player to move, who holds `hand`",
            [*case_vectors(), *legal_vectors(), *refused_vectors()],
        ),
        "scores.json": vector_file("score: the score of a match after one more game", score_vectors()),
        "perft.json": vector_file(
            "perft: `ways[d - 1]` is the number of ways of d legal moves from `table`; `decks` are those dealt so far, as ids; "
            "later ones come from `seed`, as `rules.md` says under Open games",
            _perft_vectors(),
        ),
    }


def _perft_vectors() -> list[Vector]:
    """Fixed deals, and positions in the middle and near the end of games between greedy players."""
    found = []
    for variant, seed, moves, depth in (
        ("standard", 1, 0, 4),
        ("standard", 2, 0, 4),
        ("quick", 3, 0, 4),
        ("long,centres=4", 4, 0, 4),
        ("standard,packs=4,pay_off=40", 5, 0, 3),
        ("standard", 1, 40, 4),
        ("standard", 2, 100, 3),
        ("quick", 3, -3, 4),
        ("quick,refill=next-turn", 6, -4, 4),
        ("quick,stock_out=empty,centres=4", 7, -2, 4),
    ):
        game = open_game(Variant.parse(variant), seed)
        made = [str(move) for move, _ in play_out(game, (choose, choose))][: moves or None]
        made = made if moves else []
        later = after(game, " ".join(made))
        found.append(
            vector(
                f"{variant}-{seed}-{len(made)}".replace(",", "-").replace("=", "-"),
                f"after {len(made)} moves" if made else "a fresh deal",
                "whole" if variant in ("standard", "quick", "long") else "whole variant",
                op="perft",
                variant=variant,
                seed=seed,
                tie_break=1,
                moves=made,
                decks=[list(map(int, deck)) for deck in later.decks],
                table=str(later.table),
                ways=[perft(later, at) for at in range(1, depth + 1)],
            )
        )
    return found


def main() -> None:
    """Write the files."""
    for name, content in build().items():
        (VECTORS / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(name)


if __name__ == "__main__":
    main()
