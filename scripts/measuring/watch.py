"""What verifying a whole standard game costs beside the curve operations that it cannot do without.

Law: as in `bench_deck`: two times of one run are compared. `python -m scripts.measuring.watch` prints the rows.
"""

import tempfile
from pathlib import Path

from scripts.making.recorder import Recorder, as_log
from scripts.measuring.deck import Row, measured
from sm_p2p.watch.replay import UNPROVED
from sm_p2p.watch.verify import verify_file


def rows() -> list[Row]:
    """All numbers of watching."""
    record = Recorder("standard,target=1", "bench")
    record.go_on()
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "match.smlog"
        path.write_bytes(as_log(record.raws))
        name = f"verify a standard game ({len(record.raws)} entries)"
        found = measured(name, lambda: verify_file(path))
        return found + measured(f"{name}, its proofs left out", lambda: verify_file(path, proofs=UNPROVED))[:1]


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:68} {row.value:9} {row.unit:3} {row.note}")


if __name__ == "__main__":
    main()
