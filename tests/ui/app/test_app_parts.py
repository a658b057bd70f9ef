"""The parts of the full screen alone: the film, the way, lines that are typed, house rules, hints, cells."""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from ui.app.pane import at_table, run
from ui.counsel import advise
from ui.stage import Stage
from ui.test_lines import until

from sm_p2p.bot.greedy import choose
from sm_p2p.errors import sure
from sm_p2p.rules.variant import PRESETS, QUICK, Hints, Variant
from sm_p2p.session.effects import Advanced
from sm_p2p.session.talk import LinkChanged, Say, Way
from sm_p2p.session.text import clean
from sm_p2p.ui.app.choices import KEYS, Choices, Speed, entries, values_of
from sm_p2p.ui.app.details import details
from sm_p2p.ui.app.editing import edited, typed
from sm_p2p.ui.app.film import Film, Scene
from sm_p2p.ui.app.glass import Glass
from sm_p2p.ui.app.grants import Grants
from sm_p2p.ui.app.layers import Layers
from sm_p2p.ui.app.orders import obey
from sm_p2p.ui.app.picture import Picture
from sm_p2p.ui.app.scenes import scene
from sm_p2p.ui.app.table import Table
from sm_p2p.ui.app.terms import ROWS, listing, turned
from sm_p2p.ui.app.timers import Timers
from sm_p2p.ui.app.way import STEADY_S, Wayside
from sm_p2p.ui.commands import read_command
from sm_p2p.ui.screen.frame import Frame, Size
from sm_p2p.ui.screen.looks import UNICODE, Charset, Look
from sm_p2p.ui.screen.model import Link, LogLine, Model, Opponent
from sm_p2p.ui.screen.overlays import AskResign, Help, Prompt, Sheet, Talking
from sm_p2p.ui.words import Words

WORDS = Words(("Ana", "Bo"), 0)
SEND_AWAY = "If this is not whom you wait for, :refuse sends him away, before a card is played."
STEADY = settings(deadline=None, derandomize=True, max_examples=60)


def film_of(stage: Stage, speed: Speed, plies: int) -> tuple[Film, list[Scene]]:
    """The film of so many plies."""
    film, scenes = Film(speed), []
    for news in [*stage.begin(), *(item for _ in range(plies) for item in ply(stage))]:
        scenes.append(scene(WORDS, news, 0, sure(stage.situation.view).faces, None, speed))
        film.add(scenes[-1])
    return film, scenes


def ply(stage: Stage) -> list[Advanced]:
    """The news of the next ply, until the game is over."""
    if stage.match.outcomes:
        return []
    return [*stage.move(choose(stage.view(sure(stage.match.speaker))))]


@STEADY
@given(st.sampled_from(Speed), st.lists(st.floats(0, 2), min_size=1, max_size=30), st.integers(0, 5))
def test_a_film_ends_with_the_table_whatever_the_steps_and_never_goes_back(
    speed: Speed, steps: list[float], plies: int
) -> None:
    stage = Stage(QUICK, 3)
    film, scenes = film_of(stage, speed, plies)
    model, seqs = Model(), [0]
    for step in steps:
        model, _ = film.advance(model, step)
        seqs.append(model.match.chain.seq)
    assert seqs == sorted(seqs)
    if not film.is_over:
        model, _ = film.skip(model)
    while not film.is_over:
        model, _ = film.skip(model)
    assert sure(model.view).table == stage.table
    assert not model.air
    assert model.log == tuple(line for part in scenes for line in part.log)


def test_a_film_asks_to_be_woken_only_while_it_runs() -> None:
    film, _ = film_of(Stage(QUICK, 3), Speed.FAST, 1)
    model, due = film.advance(Model(), 0)
    assert due is not None
    while due is not None:
        model, due = film.advance(model, due)
    assert film.is_over
    assert film.advance(model, 1) == (model, None)


def test_a_film_that_has_fallen_behind_hurries() -> None:
    film, _ = film_of(Stage(QUICK, 3), Speed.SLOW, 20)
    model, due, seconds = Model(), 0.0, 0.0
    while not film.is_over:
        step, (model, due) = due or 0.01, film.advance(model, due or 0.01)  # type: ignore[assignment]
        seconds += step
    assert seconds < 40


def test_a_great_moment_is_held_until_a_key_or_its_time_and_then_the_rest_is_seen() -> None:
    stage = Stage(Variant.parse("quick,pay_off=5,target=50"), 3)
    film, _ = film_of(stage, Speed.OFF, 0)
    model, _ = film.advance(Model(), 0)
    for news in stage.resign(1):
        film.add(scene(WORDS, news, 0, {}, None, Speed.OFF))
    model, due = film.advance(model, 0)
    assert film.is_at_a_great_moment
    assert due is not None
    assert sure(model.banner).lines
    assert film.advance(model, 1)[1] == pytest.approx(due - 1)
    after, has_more = film.skip(model)
    assert not has_more
    assert after.banner is None
    film.add(Scene(stage.match, None, banner=model.banner, held_s=math.inf))
    model, has_more = film.skip(after)
    assert not has_more
    assert film.advance(model, 1e6) == (model, None)
    model, _ = film.skip(model)
    assert film.is_over


@pytest.mark.parametrize(
    ("key", "text", "cursor"),
    [
        ("left", "ab cd", 1),
        ("right", "ab cd", 3),
        ("home", "ab cd", 0),
        ("end", "ab cd", 5),
        ("up", "ab cd", 0),
        ("down", "ab cd", 5),
        ("backspace", "a cd", 1),
        ("delete", "abcd", 2),
        ("c-w", " cd", 0),
        ("c-u", " cd", 0),
        ("c-k", "ab", 2),
    ],
)
def test_a_key_edits_the_line(key: str, text: str, cursor: int) -> None:
    assert edited(Talking("ab cd", 2), key) == Talking(text, cursor)
    assert edited(Talking("", 0), key) == Talking("", 0)


def test_the_word_before_the_cursor_goes_and_other_keys_do_nothing() -> None:
    assert edited(Talking("one two  ", 9), "c-w") == Talking("one ", 4)
    assert edited(Talking("x", 1), "f1") is None


@STEADY
@given(st.text(), st.text(), st.integers(0, 10))
def test_typed_text_is_harmless_and_never_too_long(before: str, text: str, cursor: int) -> None:
    start = typed(Prompt("t"), before)
    line = typed(replace(start, cursor=min(cursor, len(start.text))), text)
    assert len(line.text) <= 400
    assert clean(line.text, 400) == " ".join(line.text.split())
    assert 0 <= line.cursor <= len(line.text)


@STEADY
@given(
    st.sampled_from([*PRESETS.values()]), st.lists(st.tuples(st.integers(0, len(ROWS) - 1), st.sampled_from([1, -1])))
)
def test_house_rules_that_are_turned_can_always_be_played(start: Variant, turns: list[tuple[int, int]]) -> None:
    variant = start
    for row, by in turns:
        variant = turned(variant, row, by)
        assert Variant.parse(str(variant)) == variant
        assert len(listing(WORDS, variant, "T", "done").entries) == len(ROWS) + 1


def test_every_house_rule_can_be_turned() -> None:
    for row, key in enumerate(ROWS):
        assert turned(QUICK, row, 1) != QUICK, key
        assert turned(turned(QUICK, row, 1), row, -1) == QUICK, key


def test_choices_are_read_from_what_was_remembered_and_bad_ones_are_left_out() -> None:
    for key in KEYS:
        for text in values_of(key):
            assert str(Choices.read({key: text}).value(key)) == text
    assert Choices.read({"speed": "warp", "mouse": None, "other": "x"}) == Choices()
    assert len(entries(WORDS, Choices())) == len(KEYS)


class Silent:
    """Nobody who could be called."""

    def ring(self) -> None:
        """Not heard."""

    def entitle(self, title: str) -> None:
        """Not seen."""


def seated(stage: Stage) -> tuple[Table, Layers, Picture]:
    """A table without a terminal."""
    picture = Picture(lambda: None)
    layers = Layers(
        lambda overlay: picture.show(replace(picture.model, overlay=overlay)), lambda _: 5, lambda: 10, lambda _: None
    )
    table = Table(picture, layers, Silent(), Choices.read({"speed": "off"}), Grants(advise, Hints.YES))
    begun = stage.begin()
    table.show(LinkChanged(Way.UP), stage.situation)
    for news in begun:
        table.show(news, stage.situation)
    return table, layers, picture


def test_orders_are_obeyed_or_answered() -> None:
    async def story() -> None:
        stage = Stage(QUICK, 3)
        table, layers, picture = seated(stage)
        while stage.match.speaker != 0:
            for news in stage.move(choose(stage.view(1))):
                table.show(news, stage.situation)
        left = []

        def order(text: str) -> str:
            picture.say("")
            obey(read_command(text), table, layers, lambda: left.append(text))
            return picture.model.message

        assert order("") == order("table") == ""
        assert "nothing to say yes" in order("yes")
        assert "No move waits" in order("back")
        assert "c4" in order("show c4")
        assert "no king" in order("k") or "no move" in order("k")
        assert order("h1-c1") == "" or "Not possible" in picture.model.message
        order("hint")
        await until(lambda: picture.model.hint is not None)
        order("help")
        assert isinstance(layers.top, Help)
        order("moves")
        assert isinstance(layers.top, Sheet)
        order("resign")
        assert layers.top == AskResign()
        layers.close_all()
        order("quit")
        assert left == ["quit"]
        order("say hi")
        wishes = [await table.wish() for _ in range(table.wishes.qsize())]
        assert Say("hi") in wishes

    run(story)


def test_orders_before_the_first_card_are_answered() -> None:
    async def story() -> None:
        picture = Picture(lambda: None)
        layers = Layers(lambda _: None, lambda _: 0, lambda: 1, lambda _: None)
        table = Table(picture, layers, Silent(), Choices(), Grants())

        def order(text: str) -> str:
            obey(read_command(text), table, layers, lambda: None)
            return picture.model.message

        assert order("hand") == order("show a") == order("moves") == "No cards lie on the table yet."
        assert order("h1-c1") == order("3") == "It is not your turn."
        assert order("resign") == "There is no game to resign now."
        assert order("say x") == "Nobody is there yet who could hear it."
        assert order("hint") == "Hints are not allowed in this match."
        assert order("p-p") != ""

    run(story)


def test_a_place_alone_is_played_where_it_fits() -> None:
    async def story() -> None:
        stage = Stage(QUICK, 3)
        table, layers, picture = seated(stage)
        while stage.match.speaker != 0:
            for news in stage.move(choose(stage.view(1))):
                table.show(news, stage.situation)
        view = stage.view(0)
        for source in ("p", "h1", "h2", "h3", "h4", "h5", "a"):
            picture.say("")
            fitting = [move for move in view.legal_moves if move.source == source and not move.ends_turn]
            obey(read_command(source), table, layers, lambda: None)
            if len(fitting) == 1:
                assert await table.wish() == fitting[0]
                table._standing.awaited = None
            else:
                assert "fits" in picture.model.message

    run(story)


def test_a_time_of_answer_is_shown_when_it_has_lasted() -> None:
    async def story() -> None:
        picture, loop = Picture(lambda: None), asyncio.get_running_loop()
        way, now = Wayside(picture, Timers()), loop.time()
        way.answered_in(0.0)
        assert way.link.step_ms == 0
        way.answered_in(0.009)
        way.answered_in(0.04)
        assert way.link.step_ms == 10
        way._step = (50, now - STEADY_S)
        way.answered_in(0.04)
        assert way.link.step_ms == 50
        way.answered_in(0.2)
        way.answered_in(0.05)
        assert way._step is None

    run(story)


def test_details_tell_how_the_other_side_is_reached() -> None:
    stage = Stage()
    now = stage.situation
    model = Model(link=Link(Way.CONNECTING))
    assert details(WORDS, now, model, "more") == ("Nobody is connected yet.", "more", SEND_AWAY)
    assert details(WORDS, replace(now, seat=1), model, "more") == ("Nobody is connected yet.", "more")
    for link, said in (
        (Link(Way.UP, Opponent.COMPUTER), "computer"),
        (Link(Way.UP, is_away=True), "has left"),
        (Link(Way.RECONNECTING), "cannot be reached"),
        (Link(Way.UP, step_ms=20), "20 ms"),
        (Link(Way.UP), "is connected"),
    ):
        assert said in details(WORDS, now, replace(model, link=link))[0]


class Behind:
    """Somebody behind the glass who only shows a frame."""

    def __init__(self, *lines: tuple[tuple[str, str], ...]) -> None:
        self.shown = Frame(lines)

    def frame(self, _size: Size) -> Frame:
        """The frame."""
        return self.shown


def test_wide_letters_take_two_cells_and_accents_none() -> None:
    glass = Glass(Behind(), UNICODE)  # type: ignore[arg-type]  # it only draws
    cells = glass._cells_of(("class:sm.suit-d", "a\u0301漢\u0301 b"))
    assert [cell.char for cell in cells] == ["a\u0301", "漢", "", " ", "b"]
    assert [cell.style for cell in cells] == ["class:sm.suit-d"] * 3 + ["", "class:sm.suit-d"]
    assert [cell.char for cell in glass._cells_of(("", "\u0301x"))] == ["x"]


def test_only_lines_that_have_changed_are_compared() -> None:
    behind, terminal = Behind((("", "one"),), (("", "two"),)), list[Screen]()
    glass = Glass(behind, UNICODE, lambda: terminal[-1] if terminal else None)  # type: ignore[arg-type]  # as above

    def drawn() -> dict[int, str]:
        screen = Screen()
        glass.write_to_screen(screen, MouseHandlers(), WritePosition(0, 0, 3, 2), "", False, None)
        before = {at: text(row) for at, row in terminal[-1].data_buffer.items()} if terminal else {}
        terminal.append(screen)
        shown = {at: text(row) for at, row in screen.data_buffer.items()}
        assert not before or before.keys() == shown.keys()
        return {at: f"{before.get(at, '')}>{said}" for at, said in shown.items()}

    def text(row: Mapping[int, Char]) -> str:
        return "".join(row[column].char for column in range(3))

    assert drawn() == {0: ">one", 1: ">two"}
    assert drawn() == {}
    behind.shown = Frame(((("", "one"),), (("", "TWO"),)))
    assert drawn() == {1: "two>TWO"}
    behind.shown = Frame(((("", "1ne"),), (("", "TWO"),)))
    assert drawn() == {0: "one>1ne"}
    glass.wear(Look(Charset.ASCII))
    assert drawn() == {0: "1ne>1ne", 1: "TWO>TWO"}
    terminal.clear()  # somebody has written over it
    assert drawn() == {0: ">1ne", 1: ">TWO"}


def test_pieces_of_text_are_not_remembered_for_ever() -> None:
    glass = Glass(Behind(), Look())  # type: ignore[arg-type]  # it only draws
    for number in range(5002):
        glass._cells_of(("", str(number)))
    assert len(glass._cells) < 5002


def test_the_log_of_a_match_has_a_limit() -> None:
    film, line = Film(Speed.OFF), LogLine(1, "x")
    film.add(Scene(Model().match, None, log=(line,) * 6000))
    model, _ = film.advance(Model(), 0)
    assert len(model.log) == 5000


def test_options_of_the_screen_can_be_looked_at_in_a_menu() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            found.terminal.leave()
            waiting = asyncio.ensure_future(found.terminal.options())
            await found.until_seen("OPTIONS")
            await found.pressed("escape")
            await waiting

    run(story)
