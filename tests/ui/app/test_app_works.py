"""A deal, a reshuffle and the keys of a game on a real screen: how far they are, and that the screen goes on meanwhile."""

import asyncio
import threading
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from peer.rig import Pair, Person
from ui.app.pane import Pane, pane, run
from ui.stage import DEADLINE_S, NAMES, Stage

from sm_p2p.bot.greedy import choose
from sm_p2p.deck.shuffle import Shuffled, shuffle
from sm_p2p.errors import IllegalMove, sure
from sm_p2p.rules.happenings import Reshuffled
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import QUICK, Variant
from sm_p2p.rules.view import View
from sm_p2p.session import author
from sm_p2p.session.effects import Advanced, Latency, PeerLeft
from sm_p2p.session.state import State
from sm_p2p.session.talk import LinkChanged, News, Refused, Resign, Situation, Way
from sm_p2p.ui.app import way
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.screen.status import DONE, SPINNER, TO_DO
from sm_p2p.ui.words import Words
from sm_p2p.ui.works import Work, under_way

SIZES: Final = ((120, 40), (80, 24), (48, 16))
Picture: TypeAlias = tuple[int, int, str]
"""How many steps are done, how many come behind the one under way, and what that is."""
DEALS: Final[dict[State, Picture]] = {
    State.DEAL: (1, 2, "{who} shuffle{s} the cards."),
    State.REVEAL: (0, 3, "The keys of this game are being opened."),
    State.FOLLOW: (1, 2, "{who} shuffle{s} the cards."),
    State.SHUFFLE: (2, 1, "{who} shuffle{s} the cards once more."),
    State.SHOW: (3, 0, "The first cards are being opened."),
}
LAST_KEYS: Final[dict[State, Picture]] = {
    State.REVEAL: (0, 1, "The keys of this game are being opened."),
    State.FOLLOW: (1, 0, "The keys of this game are being opened."),
}


@pytest.fixture
def _spins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No work is too short to be shown, and the spinner is quick, and turns until it was seen on the busiest machine."""
    monkeypatch.setattr(way, "SPIN_AFTER_S", 0.0)
    monkeypatch.setattr(way, "SPIN_S", 0.017)
    monkeypatch.setattr(way, "MOST_SPINS", 10_000)


def at(stage: Stage, news: Advanced) -> Situation:
    """How things stand right behind this entry, whatever comes then."""
    game = news.after.game
    view = None if game is None else View(game.table, stage.you, {})
    return Situation(stage.you, news.after, view, is_our_turn=False)


def match_of(stage: Stage) -> Iterator[Advanced]:
    """The entries of a match that two greedy players play."""
    yield from stage.begin()
    while stage.match.state is not State.CLOSED:
        yield from stage.move(choose(stage.view(sure(stage.match.speaker))))


async def shows(found: Pane, picture: Picture, speaker: int) -> None:
    """See the steps with a spinner among them that turns."""
    done, to_do, said = picture
    is_ours = speaker == found.terminal._table.now.seat
    said = said.format(who="You" if is_ours else NAMES[speaker], s="" if is_ours else "s")
    turns: set[str] = set()

    def turns_on() -> bool:
        turns.update(one for one in SPINNER if f" {DONE * done}{one}{TO_DO * to_do} {said}" in found.text)
        return len(turns) > 1

    await found.until(turns_on, said)


async def seen(found: Pane, stage: Stage, story: Iterable[Advanced], pictures: dict[State, Picture]) -> list[State]:
    """Tell this, see the picture of each state that has one, and none in any other; the states that had one."""
    found.terminal.sit_down()
    found.terminal.show(LinkChanged(Way.UP), Situation(stage.you, stage.match, None, is_our_turn=False))
    states: list[State] = []
    for news in story:
        found.terminal.show(news, at(stage, news))
        if news.after.state in pictures:
            await found.pressed("x")  # whatever stood before it was seen
            await shows(found, pictures[news.after.state], sure(news.after.speaker))
            states.append(news.after.state)
        elif news.after.state is not State.ANSWER:
            assert found.model.progress is None
    return states


@pytest.mark.usefixtures("_spins_at_once")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("you", [0, 1])
def test_every_step_of_the_first_deal_is_shown_to_both_and_gone_at_once(you: int, size: tuple[int, int]) -> None:
    async def story() -> None:
        async with pane(*size) as found:
            stage = Stage(QUICK, you=you)
            assert await seen(found, stage, stage.begin(), DEALS) == [State.DEAL, State.SHUFFLE, State.SHOW]
            await found.until_gone("being opened")

    run(story)


@pytest.mark.usefixtures("_spins_at_once")
@pytest.mark.parametrize("you", [0, 1])
def test_every_step_between_two_games_is_shown_to_both(you: int) -> None:
    async def story() -> None:
        async with pane() as found:
            stage = Stage(Variant.parse("quick,pay_off=5,target=50"), seed=6, you=you)
            second = takewhile(
                lambda news: news.after.game_number == 1 or news.after.state is not State.ANSWER, match_of(stage)
            )
            states = await seen(found, stage, second, DEALS)
            assert states[3:] == [State.REVEAL, State.FOLLOW, State.SHUFFLE, State.SHOW]

    run(story)


@pytest.mark.usefixtures("_spins_at_once")
@pytest.mark.parametrize("you", [0, 1])
def test_the_keys_of_the_last_game_are_waited_for_in_sight(you: int) -> None:
    async def story() -> None:
        async with pane() as found:
            stage = Stage(Variant.parse("quick,pay_off=5"), seed=2, you=you)
            assert await seen(found, stage, match_of(stage), LAST_KEYS) == [*LAST_KEYS]

    run(story)


@pytest.mark.usefixtures("_spins_at_once")
@pytest.mark.parametrize("end", [LinkChanged(Way.RECONNECTING), PeerLeft()])
def test_nothing_turns_while_the_other_side_is_away(end: News) -> None:
    async def story() -> None:
        async with pane() as found:
            stage = Stage()
            await seen(found, stage, stage.begin()[:3], DEALS)
            dealt = found.terminal._table.now
            found.terminal.show(end, dealt)
            assert found.model.progress is None
            if isinstance(end, LinkChanged):
                found.terminal.show(LinkChanged(Way.UP), dealt)
                await shows(found, DEALS[dealt.match.state], sure(dealt.match.speaker))

    run(story)


@pytest.mark.usefixtures("_spins_at_once")
def test_our_own_shuffle_is_shown_before_the_move_is_in_the_log() -> None:
    async def story() -> None:
        async with pane() as found:
            now, move = before_a_reshuffle(Stage(QUICK, seed=9))
            assert under_way(Words(NAMES, 0), now, move) == Work("You shuffle the cards.", 0, 2)
            found.terminal.sit_down()
            found.terminal.show(LinkChanged(Way.UP), now)
            found.terminal._table.play(move)
            await shows(found, (0, 1, "You shuffle the cards."), 0)
            found.terminal.show(Latency(0.001), now)  # whatever else is told meanwhile
            await shows(found, (0, 1, "You shuffle the cards."), 0)
            found.terminal.show(Refused(IllegalMove("not now")), now)
            assert found.model.progress is None

    run(story)


def before_a_reshuffle(stage: Stage) -> tuple[Situation, Move]:
    """A turn of ours, and the move in it that shuffles a complete stack into the stock."""
    stage.begin()
    while True:
        now, move = stage.situation, choose(stage.view(sure(stage.match.speaker)))
        news = stage.move(move)
        if now.is_our_turn and any(isinstance(item, Reshuffled) for item in news[0].after.happened):
            return now, move


def test_other_wishes_and_moves_that_cannot_be_made_any_more_are_no_work() -> None:
    stage = Stage(QUICK, seed=9)
    now, move = before_a_reshuffle(stage)
    words = Words(NAMES, 0)
    assert under_way(words, now, None) is None
    assert under_way(words, now, Resign()) is None
    assert under_way(words, stage.situation, move) is None
    while not stage.situation.is_our_turn:
        stage.move(choose(stage.view(1)))
    others = [move for move in sure(stage.situation.view).legal_moves if move.ends_turn]
    assert under_way(words, stage.situation, others[0]) is None


class Seated(Person):
    """A player who sees and types nothing but what his terminal shows him and takes."""

    terminal: Terminal | None = None

    def show(self, news: News, now: Situation) -> None:
        """On the screen as well."""
        if self.terminal is not None:
            self.terminal.show(news, now)
        super().show(news, now)


@pytest.mark.parametrize("number", [0, 1])
def test_while_a_deck_is_shuffled_the_screen_says_whose_work_it_is_and_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """No shuffle goes on before the screen has done so: a loop that waited for it would wait for ever."""

    async def story() -> None:
        loop, began, may_go_on = asyncio.get_running_loop(), asyncio.Event(), threading.Semaphore(0)

        def waits(*deck: object) -> Shuffled:
            loop.call_soon_threadsafe(began.set)
            assert may_go_on.acquire(timeout=DEADLINE_S)
            return shuffle(*deck)  # type: ignore[arg-type]  # as it was called

        monkeypatch.setattr(author, "shuffle", waits)
        async with pane() as found:
            found.terminal.sit_down()
            pair = Pair(tmp_path, Variant.parse("quick,pay_off=5")).begin()
            people = (Seated(), Seated())
            people[number].terminal, pair.people = found.terminal, people
            tasks = pair.play_both()
            for shuffler, said in enumerate(("{who} the cards.", "{who} the cards once more.")):
                await began.wait()
                began.clear()
                await found.until_seen(
                    said.format(who="You shuffle" if shuffler == number else f"Player {shuffler + 1} shuffles")
                )
                await found.pressed("?")
                await found.until_seen("KEYS AND RULES")
                await found.pressed("escape")
                await found.until_gone("KEYS AND RULES")
                may_go_on.release()
            await people[number].until(lambda: people[number].now.match.state is State.TURN)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(story)
