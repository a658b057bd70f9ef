"""What is granted to a player at a table beyond the game itself."""

from typing import NamedTuple

from sm_p2p.rules.variant import Hints
from sm_p2p.ui.advice import Adviser
from sm_p2p.ui.app.parting import Sequels


class Grants(NamedTuple):
    """What this table grants: who gives hints, hints beyond the variant's, and another match."""

    adviser: Adviser | None = None
    hints: Hints = Hints.NO
    sequels: Sequels = Sequels.NONE
