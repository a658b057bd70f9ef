"""Being asked about somebody, in line mode and on the full screen: a yes is a yes, and nothing else is an answer."""

import asyncio

import pytest
from ui.app.pane import pane
from ui.app.pane import run as run_pane
from ui.stage import DEADLINE_S, Stage
from ui.test_lines import Person, run

from sm_p2p.session.state import Match
from sm_p2p.session.talk import Agree, Asked, Doubt, Leave, Refuse, Seated, Situation, Unasked, Wish
from sm_p2p.ui.jsonl import JsonLines
from sm_p2p.ui.screen.overlays import Ask, Details
from sm_p2p.ui.voice import Remark

EVE = Asked(Doubt.OTHER_KEY, "Eve", "adult amulet", ("zulu yucatan",), at_door=False)
NOWHERE = Situation(0, Match(), None, is_our_turn=False)


@pytest.mark.parametrize("kind", ["pipe", "keyboard"])
@pytest.mark.parametrize(("typed", "wish"), [(b"YES\n", Agree()), (b"n\n", Refuse()), (b"quit\n", Leave())])
def test_a_typed_answer_is_one_and_an_empty_line_or_a_move_is_none(kind: str, typed: bytes, wish: Wish) -> None:
    async def story() -> None:
        person = Person(kind)
        person.show(Stage(), EVE)
        person.type(b"\n", b"h1-c1\n", typed)
        assert await person.wish() == wish
        assert person.seen.count(Remark.WITH_HIM) == 3  # with the question, and for each line that is no answer

    run(story())


def test_once_nobody_waits_for_the_answer_a_yes_answers_nothing() -> None:
    async def story() -> None:
        person = Person("keyboard")
        person.show(Stage(), EVE, Unasked())
        person.type(b"yes\n")
        await person.sees(Remark.NO_QUESTION)

    run(story())


def test_help_is_there_while_it_is_asked() -> None:
    async def story() -> None:
        person = Person()
        person.show(Stage(), EVE)
        person.type(b"help\n", b"no\n")
        assert await person.wish() == Refuse()
        assert "resign" in person.seen

    run(story())


def test_who_somebody_is_is_an_object_for_programs() -> None:
    said = [
        line
        for news in (Seated("Eve", "adult amulet", ("Bo",)), EVE, Unasked())
        for line in JsonLines().news(news, NOWHERE)
    ]
    assert said == [
        '{"event":"seated","name":"Eve","key":"adult amulet","before":["Bo"]}',
        '{"event":"asked","doubt":"other-key","name":"Eve","key":"adult amulet","known":["zulu yucatan"],"at-door":false}',
        '{"event":"unasked"}',
    ]


def test_on_the_screen_the_question_lies_over_the_invite_and_goes_with_its_answer_or_by_itself() -> None:
    async def story() -> None:
        async with pane() as found:
            terminal = found.terminal
            terminal.sit_down()
            await found.pressed("i")
            for key, wish in (("y", Agree()), ("n", Refuse())):
                terminal.show(EVE, NOWHERE)
                await found.pressed(key)
                assert await asyncio.wait_for(terminal.wish(), DEADLINE_S) == wish
            terminal.show(EVE, NOWHERE)
            await found.until(lambda: "PLAY WITH THIS PLAYER?" in found.text)
            assert isinstance(terminal._layers.top, Ask)
            terminal.show(Unasked(), NOWHERE)
            assert isinstance(terminal._layers.top, Details)
            terminal.show(EVE, NOWHERE)
            terminal.leave()
            assert await asyncio.wait_for(terminal.wish(), DEADLINE_S) == Leave()

    run_pane(story)


def test_the_words_of_whoever_sits_opposite_stand_among_the_details() -> None:
    async def story() -> None:
        async with pane() as found:
            found.terminal.sit_down()
            found.terminal.show(Seated("Eve", "adult amulet"), NOWHERE)
            await found.pressed("i")
            await found.until(lambda: "The key of Eve reads: adult amulet." in found.text)

    run_pane(story)
