"""The rules as they are read aloud say what the code does."""

from sm_p2p.rules.moves import HAND_SIZE, SIDES
from sm_p2p.rules.parts import FULL
from sm_p2p.rules.table import LAST_TURN
from sm_p2p.rules.variant import STANDARD
from sm_p2p.ui.guide import rules_lines


def test_the_numbers_of_the_rules_are_those_of_the_code() -> None:
    text = " ".join(rules_lines())
    for sentence in (
        f"a pay-off pile of {STANDARD.pay_off} cards",
        f"a hand of {HAND_SIZE} cards",
        f"and {SIDES} side stacks",
        f"{STANDARD.centres} centre stacks",
        f"its {FULL} cards are shuffled into the stock",
        f"not over after {LAST_TURN} turns is a tie",
        f"first player with {STANDARD.target} points wins the match",
    ):
        assert sentence in text


def test_no_mark_of_a_heading_is_read_aloud() -> None:
    lines = [*rules_lines()]
    assert lines[0] == "Spite & Malice"
    assert not any("#" in line for line in lines)
