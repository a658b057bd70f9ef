"""Every measurement, or those whose names are given: rules, bots, deck, watch, net, audience, late, door, peer, screen."""

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from scripts.measuring import audience, bots, deck, door, late, net, peer, rules, screen, watch
from scripts.measuring.row import Row

BENCHES: Final[Mapping[str, Callable[[], Iterable[Row]]]] = {
    "rules": rules.rows,
    "bots": bots.rows,
    "deck": deck.rows,
    "watch": watch.rows,
    "net": net.rows,
    "audience": audience.rows,
    "late": late.rows,
    "door": door.rows,
    "peer": peer.rows,
    "screen": screen.rows,
}


def main() -> int:
    """Print the rows."""
    names = sys.argv[1:] or list(BENCHES)
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"There is no measurement {unknown[0]}; there are: {', '.join(BENCHES)}.", file=sys.stderr)
        return 2
    for name in names:
        for row in BENCHES[name]():
            print(f"{row.name:64} {round(row.value, 1):>14,} {row.unit:8} {row.note}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
