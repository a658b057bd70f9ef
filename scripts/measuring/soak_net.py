"""Every byte of a handshake damaged once in both directions, and long seeded weather over one link.

`python -m scripts.measuring.soak_net [SEED]` prints the slowest returns and fails if one took longer than `BACK_S`.
"""

import asyncio
import random
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from proxy import Proxy, Way
from wires import a_guest, an_echo, talk

BACK_S: Final = 5.0
PATIENCE_S: Final = 20.0
AT_ONCE: Final = 16
HANDSHAKE: Final = {Way.UP: 620, Way.DOWN: 345}
STORMS: Final = 200


class Return(NamedTuple):
    """How long it took until a frame had passed whole again, after what."""

    seconds: float
    what: str


async def damaged_handshake(turn: asyncio.Semaphore, way: Way, place: int, bit: int) -> Return:
    """One bit of the first connection."""
    async with turn, an_echo() as door, Proxy(door.port) as proxy:
        proxy.flip(way, place, 1 << bit)
        began = time.monotonic()
        async with a_guest(proxy.address) as guest:
            await talk(guest, b"after", PATIENCE_S)
        return Return(time.monotonic() - began, f"handshake {way.value} {place} bit {bit}")


async def handshakes(dice: random.Random) -> list[Return]:
    """Every byte once, in both directions."""
    turn = asyncio.Semaphore(AT_ONCE)
    places = [(way, place) for way, count in HANDSHAKE.items() for place in range(count)]
    return await asyncio.gather(*(damaged_handshake(turn, way, place, dice.randrange(8)) for way, place in places))


async def weather(dice: random.Random) -> list[Return]:
    """One link, one calamity after another."""
    returns = []
    async with an_echo() as door, Proxy(door.port, seed=dice.randrange(1000)) as proxy, a_guest(proxy.address) as guest:
        for storm in range(STORMS):
            way, place, length = dice.choice(list(Way)), dice.randrange(4000), dice.randrange(10, 4000)
            await talk(guest, b"calm %d" % storm, PATIENCE_S)
            kind = dice.choice(["flip", "cut", "cut after", "slices", "delay"])
            match kind:
                case "flip":
                    proxy.flip(way, place % (length + 40))
                case "cut":
                    proxy.cut()
                case "cut after":
                    proxy.cut_after(way, place)
                case "slices":
                    proxy.slices = dice.choice([7, 65_536])
                case _:
                    proxy.delay = dice.choice([0.0, 0.02])
            began = time.monotonic()
            await talk(guest, b"%d" % storm + bytes(length), PATIENCE_S)
            returns.append(Return(time.monotonic() - began, f"storm {storm}: {kind} {way.value} {place} of {length}"))
    return returns


async def everything(seed: int) -> list[Return]:
    """All returns, the slowest first."""
    dice = random.Random(seed)  # noqa: S311 - the same weather for the same seed
    return sorted([*await weather(dice), *await handshakes(dice)], reverse=True)


def run(seed: int = 1) -> None:
    """Print the slowest ones; SystemExit when one took too long."""
    returns = asyncio.run(everything(seed))
    for one in returns[:8]:
        print(f"{one.seconds:6.2f} s  {one.what}")
    print(f"seed {seed}: {len(returns)} returns, the slowest after {returns[0].seconds:.2f} s")
    if returns[0].seconds > BACK_S:
        raise SystemExit(f"soak: longer than {BACK_S:.0f} s")


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
