"""The bot cannot peek: it knows the rules, and nothing that ever holds a hidden card."""

import re
from pathlib import Path

from sm_p2p.bot import greedy


def test_opponents_import_nothing_but_the_rules() -> None:
    room = Path(greedy.__file__).parent
    imports = [
        line for path in room.glob("*.py") for line in re.findall(r"from (sm_p2p\.\w+)", path.read_text("utf-8"))
    ]
    assert set(imports) <= {"sm_p2p.bot", "sm_p2p.errors", "sm_p2p.rules", "sm_p2p.stream"}
