"""A process with the full screen at a stage: for tests of signals, of job control and of what is left behind."""

import asyncio
import sys

from ui.stage import Stage, play_with

from sm_p2p.rules.variant import Variant
from sm_p2p.ui.app.choices import Choices
from sm_p2p.ui.app.opening import full_screen


async def main() -> str:
    """Play a short match; the word after the program's name says what goes wrong in it."""
    fault = sys.argv[1] if sys.argv[1:] else ""
    async with full_screen(Choices.read({"speed": "off"})) as terminal:
        terminal.sit_down()
        if fault == "task":
            asyncio.get_running_loop().call_later(0.2, lambda: 1 // 0)
        await play_with(Stage(Variant.parse("quick,pay_off=5,target=7")), terminal)
    return f"left by signal {terminal.signal}" if terminal.signal else "left"


if __name__ == "__main__":
    print(asyncio.run(main()))  # noqa: T201 - it tells the test
