"""Refusals and faults as sentences."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sm_p2p.errors import Code, Fault, IllegalMove, SpiteError
from sm_p2p.rules.moves import Move
from sm_p2p.rules.reasons import Misread, Reason, Refused
from sm_p2p.session.text import clean
from sm_p2p.ui.reasons import FAULTS, explain, fault
from sm_p2p.ui.words import Words

WORDS = Words(("Ana", "Bo"), 0)


def test_every_fault_code_has_a_sentence_of_its_own() -> None:
    assert set(FAULTS) == set(Code)
    assert len(set(FAULTS.values())) == len(Code)
    assert all(fault(WORDS, code) == FAULTS[code] for code in Code)


def test_a_code_of_a_later_version_is_shown_harmless_and_short() -> None:
    assert fault(WORDS, "later\x1b[2J") == "later[2J"
    assert len(fault(WORDS, "x" * 300)) == 40


def test_every_reason_is_explained_with_its_values() -> None:
    for reason in Reason:
        names = [name for _, name, _, _ in string.Formatter().parse(reason) if name]
        values = {name: f"<{name}>" for name in names}
        for error in (Refused(reason, **values), Misread(reason, **values)):
            assert explain(WORDS, error) == reason.format(**values) == str(error)


def test_what_was_typed_comes_back_harmless() -> None:
    assert explain(WORDS, Misread(Reason.NOT_A_MOVE, text="\x1b]0;x\x07{card}")).startswith("]0;x{card} is not a move")


def test_other_errors_say_their_own_sentence_and_faults_their_code() -> None:
    assert explain(WORDS, IllegalMove("it is not your turn")) == "it is not your turn"
    assert explain(WORDS, SpiteError("{not a template}")) == "{not a template}"
    assert explain(WORDS, Fault(Code.GAP, "entry 9")) == FAULTS[Code.GAP]


def test_a_move_that_is_none_is_explained() -> None:
    with pytest.raises(Misread) as caught:
        Move.parse("c1-a")
    assert explain(WORDS, caught.value) == "a card on a centre stack stays there"


@settings(derandomize=True, deadline=None)
@given(st.text())
def test_no_foreign_code_breaks_a_line(code: str) -> None:
    assert fault(WORDS, code) == clean(fault(WORDS, code), 100)
