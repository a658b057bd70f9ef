"""What is picked on the screen, and what a press on the table makes of it: two presses make a move.

Law: picking never sends anything; an illegal press says why and keeps the pick.
"""

from dataclasses import dataclass
from typing import Final

from sm_p2p.rules.moves import Move


@dataclass(frozen=True, slots=True)
class Picking:
    """The picked source (`p`, `h3`, `a`; empty: none), where the cursor of the arrows stands, and a discard that waits
    for a yes, because a pay-off play exists.
    """

    source: str = ""
    cursor: str = ""
    asks: Move | None = None


NOTHING: Final = Picking()
