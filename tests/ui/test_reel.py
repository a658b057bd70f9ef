"""A match as a reel: what is at a place, and the ways between the places."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st
from ui.stage import Stage, steps_of

from sm_p2p.errors import sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.table import Slot
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Advanced, Said
from sm_p2p.session.state import State
from sm_p2p.ui.app.choices import Speed
from sm_p2p.ui.app.film import Film
from sm_p2p.ui.app.scenes import lines_of
from sm_p2p.ui.app.stills import Remark, Stills
from sm_p2p.ui.news import sentences
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.screen.model import Model, Replay
from sm_p2p.ui.words import tell

MATCH: Final = Variant.parse("quick,pay_off=5,target=9")
STEADY: Final = settings(deadline=None, derandomize=True, max_examples=20)


@cache
def told() -> tuple[Advanced, ...]:
    """A match of several games."""
    return tuple(Advanced(*step) for step in steps_of(Stage(MATCH)))


def reel_of(count: int | None = None) -> Reel:
    """The reel of so many entries of it."""
    reel = Reel()
    for news in told()[:count]:
        reel.add(news)
    return reel


def open_hands(reel: Reel) -> None:
    """All faces of every game are known; which ones does not matter here."""
    for game in range(1, 10):
        reel.open(game, {Slot(slot): Card.parse("7H") for slot in range(1024)})


REEL: Final = reel_of()
HOW: Final = Replay(entries=len(REEL))
PLACES: Final = st.integers(0, len(REEL))


def seen(reel: Reel, place: int, how: Replay = HOW) -> Model:
    """The picture of a place, whatever the names of the players."""
    return replace(Stills(reel).model(place, how), words=REEL.words())


def stops() -> Iterator[int]:
    """Where a turn begins or a game ends, found by looking at each place."""
    for place, (one, other) in enumerate(pairwise(map(REEL.match, range(len(REEL) + 1))), 1):
        if other.game is not None and other.game.table.turn:
            was = None if one.game is None else one.game.table
            now = other.game.table
            if was is None or (was.turn, was.outcome) != (now.turn, now.outcome):
                yield place


def test_the_match_has_several_games_and_ends() -> None:
    last = REEL.match(len(REEL))
    assert len(last.outcomes) > 2
    assert last.state is State.CLOSED
    assert [REEL.match(news.after.chain.seq).score for news in told()] == [news.after.score for news in told()]


@STEADY
@given(PLACES, st.lists(st.sampled_from([-1, 1, -1, 5]), max_size=30))
def test_wherever_one_comes_from_a_place_looks_as_if_it_was_built_from_the_start(place: int, steps: list[int]) -> None:
    stills = Stills(REEL)
    for step in steps:
        stills.model(place, HOW)
        place = REEL.within(place + step)
    model = replace(stills.model(place, HOW), words=REEL.words())
    assert model == seen(reel_of(place), place)
    table = None if place == 0 or told()[place - 1].after.game is None else sure(told()[place - 1].after.game).table
    if table is not None and table.turn:
        assert sure(model.view).table == table


@STEADY
@given(PLACES, st.integers(1, len(REEL)))
def test_stepping_back_so_many_times_gives_the_table_from_the_start(place: int, count: int) -> None:
    stills, at = Stills(REEL), place
    walked = [stills.model(at := REEL.within(at - 1), HOW) for _ in range(count)]
    assert at == max(place - count, 0)
    assert replace(walked[-1], words=REEL.words()) == seen(reel_of(at), at)


@STEADY
@given(st.integers(1, len(REEL)), st.sampled_from(Speed), st.sampled_from([0.25, 1.0, 8.0]), st.booleans())
def test_the_last_picture_of_the_way_to_a_place_is_the_place(
    place: int,
    speed: Speed,
    rate: float,
    is_open: bool,  # noqa: FBT001
) -> None:
    reel = reel_of()
    open_hands(reel)
    stills, how = Stills(reel), replace(HOW, is_open=is_open)
    film = Film(speed, rate)
    film.add(stills.scene(place, how, speed, rate))
    model, due = film.advance(stills.model(place - 1, how), 0)
    seconds = 0.0
    while due is not None:
        seconds += due
        model, due = film.advance(model, due)
    end = stills.model(place, how)
    assert replace(model, replay=end.replay, hint=None) == end
    assert seconds <= (0 if speed is Speed.OFF else 20 / rate)


def test_cards_travel_so_many_times_as_fast() -> None:
    place = next(news.after.chain.seq for news in told() if news.after.happened and news.before.state is State.TURN)

    def length(rate: float) -> float:
        film, stills = Film(Speed.NORMAL, rate), Stills(REEL)
        film.add(stills.scene(place, HOW, Speed.NORMAL, rate))
        (model, due), seconds = film.advance(stills.model(place - 1, HOW), 0), 0.0
        while due is not None:
            seconds += due
            model, due = film.advance(model, due)
        return seconds

    assert length(1) > 0
    assert abs(length(0.25) - 4 * length(1)) < 1e-6
    assert abs(length(8) - length(1) / 8) < 1e-6


def test_turns_are_walked_from_stop_to_stop_and_back() -> None:
    found, place = [], 0
    while place < len(REEL):
        place = REEL.turn_on(place)
        found.append(place)
    assert found == [*stops(), len(REEL)]
    for place in (len(REEL), len(REEL) - 1, found[3] + 1, found[3]):
        assert REEL.turn_back(place) == max((stop for stop in stops() if stop < place), default=0)
    assert REEL.turn_back(found[0]) == REEL.turn_back(0) == 0


def test_games_are_walked_and_found_by_their_number() -> None:
    starts = [sure(REEL.game(number)) for number in range(1, len(REEL.match(len(REEL)).outcomes) + 1)]
    found, place = [], 0
    while place < len(REEL):
        place = REEL.game_on(place)
        found.append(place)
    assert found == [*starts, len(REEL)]
    assert REEL.first == starts[0]
    for start in starts:
        table = sure(REEL.match(start).game).table
        assert (table.turn, table.outcome) == (1, None)
        assert REEL.turn(start, 1) == start
    assert REEL.game_back(starts[2]) == starts[1]
    assert REEL.game_back(starts[2] + 1) == starts[2]
    assert REEL.game_back(starts[0]) == 0
    assert REEL.game(99) is None


def test_a_turn_is_found_in_the_game_that_lies_there() -> None:
    for number in (1, 2):
        start = sure(REEL.game(number))
        place = sure(REEL.turn(start, 3))
        game = sure(REEL.match(place).game)
        assert (game.number, game.table.turn) == (number, 3)
        assert sure(REEL.match(place - 1).game).table.turn == 2
    assert REEL.turn(0, 1) == REEL.first
    assert REEL.turn(0, 400) is None


def test_a_reel_without_a_table_has_no_stops() -> None:
    for count in (0, 1, 4):
        reel = reel_of(count)
        assert (reel.first, reel.turn_on(0), reel.game_on(0), reel.turn_back(count)) == (count, count, count, 0)
        assert seen(reel, count).view is None or not sure(seen(reel, count).view).table.turn


def test_it_grows_and_what_was_there_stays() -> None:
    reel = reel_of(100)
    before = [Stills(reel).model(place, HOW) for place in range(101)]
    for news in told()[100:]:
        reel.add(news)
    assert [Stills(reel).model(place, HOW) for place in range(101)] == before
    assert len(reel) == len(REEL)


def test_hands_are_open_only_in_games_whose_cards_are_known() -> None:
    reel = reel_of()
    second = sure(reel.game(2))
    how = replace(HOW, is_open=True)
    assert reel.faces(second) is None
    assert reel.faces(0) is None
    reel.open(2, {Slot(slot): Card.parse("7H") for slot in range(300)})
    for place in (0, 1, sure(reel.game(1)), second, sure(reel.game(3))):
        model = Stills(reel).model(place, how)
        is_open = place == second
        assert sure(model.replay).is_open is is_open
        assert model.view is None or bool(model.view.faces) is is_open
        assert not sure(Stills(reel).model(place, HOW).replay).is_open


def test_either_seat_can_be_at_the_bottom() -> None:
    place = sure(REEL.game(1))
    for seat in (0, 1):
        model = Stills(REEL).model(place, replace(HOW, seat=seat))
        assert model.bottom == seat
        assert sure(model.view).seat is None


def test_the_last_move_and_what_followed_it_are_marked() -> None:
    turned = next(news.after.chain.seq for news in told() if news.before.state is State.ANSWER and news.after.happened)
    assert set(REEL.marks(turned)) > set(REEL.marks(turned - 1)) > set()
    began = next(news.after.chain.seq for news in told() if news.after.game_number == 2)
    assert REEL.marks(began) == ()


def test_chat_is_read_where_it_was_said() -> None:
    stills = Stills(REEL, chat=[Remark(3, Said(0, "hello")), Remark(9, Said(1, "well"))])
    assert [len(stills.model(place, HOW).chat) for place in (0, 2, 3, 8, 9, 50)] == [0, 0, 1, 1, 2, 2]


def test_the_log_tells_of_every_entry_all_that_its_sentences_say() -> None:
    words = REEL.words()
    for news in told():
        happened = [tell(words, happening) for happening in news.after.happened]
        said = [sentence for sentence in sentences(words, news) if sentence not in happened]
        lines = [line.what for line in lines_of(words, news)]
        assert lines == [*news.after.happened, *said[: None if news.before.players else 1]]
