"""Being asked about somebody, in line mode and on the full screen: a yes is a yes, and nothing else is an answer."""

import asyncio

import pytest
from ui.app.pane import pane
from ui.app.pane import run as run_pane
from ui.stage import DEADLINE_S, Stage
from ui.test_lines import Person, run

from sm_p2p.session.state import Match
from sm_p2p.session.talk import (
    Agree,
    Asked,
    Doubt,
    Leave,
    LinkChanged,
    News,
    Refuse,
    Seated,
    Situation,
    Unasked,
    Vacant,
    Way,
    Wish,
)
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
        for news in (Seated("Eve", "adult amulet", ("Bo",)), EVE, Unasked(), Vacant(is_new_invite=True))
        for line in JsonLines().news(news, NOWHERE)
    ]
    assert said == [
        '{"event":"seated","name":"Eve","key":"adult amulet","before":["Bo"]}',
        '{"event":"asked","doubt":"other-key","name":"Eve","key":"adult amulet","known":["zulu yucatan"],"at-door":false}',
        '{"event":"unasked"}',
        '{"event":"vacant","new-invite":true}',
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


@pytest.mark.parametrize("kind", ["pipe", "keyboard"])
def test_sending_a_guest_away_asks_once_and_anything_else_goes_on_with_him(kind: str) -> None:
    async def story() -> None:
        stage, person = Stage(), Person(kind)
        person.show(stage, Seated("Eve", "adult amulet", is_guest=True), *stage.begin())
        assert person.seen.count(Remark.STRANGER) == 1
        person.type(b"refuse\n", b"score\n", b"resign\n", b"refuse\n", b"refuse\n")
        assert await person.wish() == Refuse()
        assert person.seen.count(Remark.AWAY) == 2

    run(story())


@pytest.mark.parametrize(
    "news", [Seated("Eve", "adult amulet"), Seated("Eve", "adult amulet", ("Eve",), is_guest=True)]
)
def test_only_of_a_guest_who_was_not_met_it_is_said_how_to_send_him_away(news: Seated) -> None:
    async def story() -> None:
        person = Person()
        person.show(Stage(), news)
        assert Remark.STRANGER not in person.seen
        person.type(b"quit\n")
        assert await person.wish() == Leave()

    run(story())


def test_on_the_screen_a_guest_is_sent_away_by_a_question_and_the_next_one_finds_an_empty_table() -> None:
    async def story() -> None:
        stage = Stage()
        async with pane() as found:
            terminal = found.terminal
            terminal.sit_down()
            seated: list[News] = [LinkChanged(Way.UP), Seated("Eve", "adult amulet", is_guest=True)]
            for news in [*seated, *stage.begin()]:
                terminal.show(news, stage.situation)
            assert any(":refuse" in str(line.what) for line in found.model.log)
            await found.pressed("i")
            await found.until(lambda: ":refuse sends him away" in " ".join(found.text.split()))
            await found.pressed("escape")
            for key in ("n", "y"):
                await found.pressed(":", *"refuse", "enter")
                await found.until(lambda: "SEND THIS PLAYER AWAY?" in found.text)
                await found.pressed(key)
            assert await asyncio.wait_for(terminal.wish(), DEADLINE_S) == Refuse()
            terminal.show(Vacant(is_new_invite=True), NOWHERE)
            await found.until(lambda: "The seat opposite is free again" in found.text)
            assert found.model.match.chain.seq == 0
            assert found.model.link.way is Way.CONNECTING
            await found.pressed("i")
            await found.until(lambda: "Nobody is connected yet." in found.text)
            assert "adult amulet" not in found.text

    run_pane(story)
