"""Hints: every reason has its line, and whoever thinks about one holds nobody up."""

import asyncio
import string
import threading

import pytest
from ui.counsel import advise
from ui.stage import DEADLINE_S, Stage
from ui.test_lines import Person, run, until

from sm_p2p.bot.advice import Advice, Reason
from sm_p2p.bot.greedy import choose
from sm_p2p.rules.moves import Move
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.variant import Hints, Variant
from sm_p2p.rules.view import View
from sm_p2p.session.talk import Leave, LinkChanged, Way
from sm_p2p.ui.advice import COUNTED, SENTENCES, Counsel, why
from sm_p2p.ui.words import Words

MOVE = Move.parse("h1-c1")


def test_the_words_of_the_adviser_are_those_that_have_a_sentence() -> None:
    assert {str(reason) for reason in Reason} == {*SENTENCES, *COUNTED}


@pytest.mark.parametrize("reason", Reason)
def test_a_reason_is_one_short_line(reason: Reason) -> None:
    messages = [SENTENCES[reason]] if reason in SENTENCES else [*COUNTED[reason]]
    names = {name for message in messages for _, name, _, _ in string.Formatter().parse(message) if name}
    values = dict.fromkeys(names - {"n"}, "10H")
    for plays in (1, 12):
        said = why(Words(), Advice(MOVE, reason, {**values, "plays": plays}))
        assert 0 < len(said) < 60
        assert "{" not in said


def test_a_count_of_plays_has_its_plural() -> None:
    assert why(Words(), Advice(MOVE, Reason.WINS, {"plays": 1})) == "wins the game"
    assert why(Words(), Advice(MOVE, Reason.WINS, {"plays": 3})) == "wins the game in 3 plays"


class Slow:
    """An adviser who goes on thinking until he is told to stop."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def __call__(self, view: View) -> Advice:
        """Greedy's advice, in the end."""
        assert self.may_answer.wait(DEADLINE_S)
        return advise(view)


def person(slow: Slow, kind: str) -> tuple[Person, Stage]:
    """Somebody who has sat down with this adviser, and is to move."""
    stage, one = Stage(Variant.parse("quick,hints=yes")), Person(kind, hints=Hints.YES)
    one.lines._counsel = Counsel(slow)
    one.show(stage, LinkChanged(Way.UP), *stage.begin())
    assert stage.situation.is_our_turn
    return one, stage


def test_the_loop_goes_on_while_a_hint_is_thought_of_and_a_pipe_waits_for_it() -> None:
    async def story() -> None:
        slow = Slow()
        one, _stage = person(slow, "pipe")
        one.type(b"hint\nscore\n", b"")
        wish = asyncio.ensure_future(one.lines.wish())
        await until(lambda: one.lines._counsel.is_thinking)
        one.lines.notice("Meanwhile.")
        assert "Score" not in one.seen
        slow.may_answer.set()
        assert await asyncio.wait_for(wish, DEADLINE_S) == Leave()
        assert one.seen.index("Meanwhile.") < one.seen.index("Hint: ") < one.seen.index("Score")

    run(story())


def test_a_hint_about_a_table_that_has_changed_is_not_told() -> None:
    async def story() -> None:
        slow = Slow()
        one, stage = person(slow, "keyboard")
        one.type(b"hint\n")
        coming = asyncio.ensure_future(one.lines.wish())
        await until(lambda: one.lines._counsel.is_thinking)
        one.show(stage, *stage.move(choose(stage.view(0))))
        slow.may_answer.set()
        await until(lambda: not one.lines._counsel.is_thinking)
        assert "Hint: " not in one.seen
        coming.cancel()

    run(story())


def test_who_leaves_hears_no_hint_any_more() -> None:
    async def story() -> None:
        slow = Slow()
        one, _stage = person(slow, "keyboard")
        one.type(b"hint\n")
        coming = asyncio.ensure_future(one.lines.wish())
        await until(lambda: one.lines._counsel.is_thinking)
        one.lines.leave()
        slow.may_answer.set()
        assert await asyncio.wait_for(coming, DEADLINE_S) == Leave()
        await until(lambda: not one.lines._counsel.is_thinking)
        assert "Hint: " not in one.seen

    run(story())


def test_what_was_forgotten_is_not_told() -> None:
    async def story() -> None:
        slow, told = Slow(), list[Move]()
        counsel = Counsel(slow)
        counsel.ask(Sketch().game().view(0), lambda _, advice: told.append(advice.move))
        counsel.forget()
        assert not counsel.is_thinking
        slow.may_answer.set()
        await asyncio.get_running_loop().run_in_executor(None, slow.may_answer.wait)
        assert told == []

    run(story())
