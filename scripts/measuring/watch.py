"""What verifying a whole standard game costs beside the curve operations that it cannot do without, and what looking costs.

Law: as in `bench_deck`: two times of one run are compared. `python -m scripts.measuring.watch` prints the rows.
"""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from scripts.making.recorder import Recorder, as_log
from scripts.making.stage import Stage, steps_of
from scripts.measuring.deck import measured
from scripts.measuring.row import Row
from sm_p2p.rules.variant import STANDARD
from sm_p2p.session.effects import Advanced
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.model import Replay
from sm_p2p.ui.screen.render import render
from sm_p2p.watch.replay import UNPROVED
from sm_p2p.watch.verify import verify_file

GAMES: Final = 13
AIM_MS: Final = 50


def rows() -> list[Row]:
    """All numbers of watching."""
    record = Recorder("standard,target=1", "bench")
    record.go_on()
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "match.smlog"
        path.write_bytes(as_log(record.raws))
        name = f"verify a standard game ({len(record.raws)} entries)"
        found = measured(name, lambda: verify_file(path))
        found += measured(f"{name}, its proofs left out", lambda: verify_file(path, proofs=UNPROVED))[:1]
    return found + replay_rows()


def replay_rows() -> list[Row]:
    """A match of 13 games or more: a jump to each place of it in turn, from one end to the other."""
    reel, seed = Reel(), 1
    while not reel.match(len(reel)).outcomes[GAMES - 1 :]:
        reel, seed = Reel(), seed + 1
        for step in steps_of(Stage(STANDARD, seed)):
            reel.add(Advanced(*step))
    stills, how, size = Stills(reel), Replay(entries=len(reel)), Size(80, 24)
    stills.prepare()  # as the screen does, piece by piece while it reads
    began = time.perf_counter()
    render(stills.model(len(reel), how), size)
    first = time.perf_counter() - began
    seconds = []
    for at in range(len(reel) + 1):
        place = at // 2 if at % 2 else len(reel) - at // 2
        began = time.perf_counter()
        render(stills.model(place, how), size)
        seconds.append(time.perf_counter() - began)
    games = len(reel.match(len(reel)).outcomes)
    name, aim = f"replay of {games} games ({len(reel)} entries)", f"aim at most {AIM_MS} ms"
    return [
        Row(f"{name}: the first jump to its end", round(1000 * first, 2), "ms", aim),
        Row(f"{name}: any other jump, half of them", round(1000 * statistics.median(seconds), 2), "ms", aim),
        Row(f"{name}: the longest", round(1000 * max(seconds), 2), "ms", aim),
    ]


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:68} {row.value:9} {row.unit:3} {row.note}")


if __name__ == "__main__":
    main()
