"""Order, heads, and the two ways in which one author contradicts himself."""

import pytest
from signers import ANNA, START
from signers import entry_after as entry

from scripts.making.forge_signatures import sign_with
from sm_p2p.errors import Code, Fault
from sm_p2p.log.chain import Chain, Conflict, conflict
from sm_p2p.log.codec import encode
from sm_p2p.log.entry import read_envelope, unseal
from sm_p2p.stream import frame

ONE = START.append(entry(START))
TWO = ONE.append(entry(ONE))


def test_the_match_is_named_by_its_first_entry() -> None:
    first = entry(START)
    assert START.append(first) == Chain(first.id, 1, first.id)


def test_a_chain_moves_its_head_to_the_entry_appended() -> None:
    second = entry(ONE)
    assert ONE.append(second) == Chain(ONE.match, 2, second.id)
    assert TWO.seq == 2


def test_a_chain_refuses_an_entry_that_does_not_follow_its_head() -> None:
    other = START.append(entry(START, kind=9))
    for wrong, code in (
        (entry(other), Code.OTHER_MATCH),
        (entry(START), Code.OTHER_MATCH),
        (entry(TWO), Code.GAP),
        (entry(ONE, prev=bytes(32)), Code.BAD_PREV),
    ):
        with pytest.raises(Fault) as caught:
            ONE.append(wrong)
        assert caught.value.code is code


def test_an_empty_chain_takes_entry_1_only() -> None:
    with pytest.raises(Fault, match="other-match"):
        START.append(entry(ONE))


def test_the_first_failure_names_the_reason() -> None:
    other = START.append(entry(START, kind=9))
    with pytest.raises(Fault, match="other-match"):
        ONE.append(entry(other, seq=7, prev=bytes(32)))
    with pytest.raises(Fault, match="gap"):
        ONE.append(entry(ONE, seq=7, prev=bytes(32)))


def test_two_entries_after_the_same_one_are_an_equivocation() -> None:
    assert conflict(entry(ONE), entry(ONE, kind=2)) is Conflict.EQUIVOCATION
    assert conflict(entry(ONE), entry(ONE, kind=2, seq=9)) is Conflict.EQUIVOCATION


def test_one_number_twice_behind_different_entries_is_a_divergence() -> None:
    assert conflict(entry(ONE), entry(ONE, prev=bytes(32))) is Conflict.DIVERGED


def test_no_contradiction_where_there_is_none() -> None:
    assert conflict(entry(ONE), entry(ONE)) is None
    assert conflict(entry(ONE), entry(TWO)) is None
    assert conflict(entry(ONE), entry(ONE, author=1, kind=2)) is None
    assert conflict(entry(ONE), entry(START.append(entry(START, kind=9)))) is None


def test_first_entries_never_contradict_each_other() -> None:
    assert conflict(entry(START), entry(START, kind=2)) is None


def test_one_entry_with_two_signatures_is_no_equivocation() -> None:
    mine = entry(ONE)
    other = encode((mine.body, sign_with(7, ANNA.seed, frame("SM1/entry") + mine.body)))
    again = unseal(read_envelope(other), ANNA.identity)
    assert again.signature != mine.signature
    assert conflict(mine, again) is None
    assert ONE.append(mine) == ONE.append(again)
