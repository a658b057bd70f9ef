"""Sentences of the rooms below, which can be said again."""

import pickle

import pytest
from ui.catalogue import Marked

from sm_p2p.errors import Code, DiskTrouble, Fault, JournalBusy, Sentence, UsageError
from sm_p2p.rules.reasons import Misread, Reason
from sm_p2p.ui.words import Words

MARKED = Words(language=Marked())


def test_a_sentence_reads_as_english_and_remembers_what_it_was_made_of() -> None:
    told = Sentence("{path} is left out: {why}", path="x{0}", why=Sentence("there is no {path}", path="y"))
    assert told == "x{0} is left out: there is no y"
    assert MARKED.again(told) == "<x{0} is left out: <there is no y>>"
    assert MARKED.again("said {plainly}") == "<said {plainly}>"
    assert MARKED.again("") == MARKED.again(Sentence("")) == ""


@pytest.mark.parametrize(
    "told", [Sentence("no values, but {braces}"), Sentence("{n} of {all}", n=1, all=Sentence("{m}", m=2))]
)
def test_a_sentence_comes_whole_out_of_another_process(told: Sentence) -> None:
    again = pickle.loads(pickle.dumps(told))  # noqa: S301 - our own bytes
    assert (again, again.message, dict(again.values)) == (told, told.message, dict(told.values))


def test_an_error_is_said_again_with_the_errors_within_it() -> None:
    inner = DiskTrouble("no permission for {path}", path="/x")
    assert MARKED.why(UsageError("{file} is left out: {why}", file="a", why=inner)) == (
        "<a is left out: <no permission for /x>>"
    )
    assert MARKED.why(Fault(Code.GAP, "entry {n}", n=3)) == "<gap: <entry 3>>"
    assert str(Fault(Code.GAP)) == "gap"
    assert MARKED.why(Misread(Reason.NOT_A_CARD, text="1X")).startswith("<1X is not a card")
    busy = JournalBusy("{who} is writing", 7, who=Sentence("process {pid}", pid=7))
    assert (str(busy), busy.pid, MARKED.why(busy)) == ("process 7 is writing", 7, "<<process 7> is writing>")
