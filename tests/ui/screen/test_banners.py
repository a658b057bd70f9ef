"""Moments of a match, and what the log says of an entry."""

from dataclasses import replace
from itertools import pairwise

from ui.screen.states import WORDS, match_of
from ui.stage import Stage

from sm_p2p.bot.greedy import choose
from sm_p2p.errors import sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import (
    Completed,
    Drew,
    Finished,
    Happening,
    Played,
    Reshuffled,
    StockRanOut,
    TurnBegan,
    TurnsRanOut,
)
from sm_p2p.rules.moves import Move
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import How, Outcome
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Advanced
from sm_p2p.session.state import State
from sm_p2p.ui.banners import banner, log_lines
from sm_p2p.ui.screen.model import Banner, Moment
from sm_p2p.ui.words import Words


def played(variant: str, seed: int = 1) -> list[Advanced]:
    """A whole match between two greedy players."""
    stage = Stage(Variant.parse(variant), seed)
    news = stage.begin()
    while stage.match.state is not State.CLOSED:
        news += stage.move(choose(stage.view(sure(stage.match.speaker))))
    return news


def banners(news: list[Advanced], words: Words = WORDS) -> list[Banner]:
    """All moments."""
    return [found for step in news if (found := banner(words, step.before, step.after)) is not None]


def moment(*happened: Happening, you: int = 0) -> Banner | None:
    """The moment of an entry that did this, in a match where Ana, at seat 1, leads with 23 to 18."""
    before = replace(match_of(), score=Score((18, 23), 4, 0))
    outcome = next((one.outcome for one in happened if isinstance(one, Finished)), None)
    score = before.score if outcome is None else before.score.after(outcome, 0)
    return banner(Words(WORDS.names, you), before, replace(before, score=score, happened=happened))


def title(*happened: Happening, you: int = 0) -> str:
    """Its title."""
    found = moment(*happened, you=you)
    return "" if found is None else found.title


def test_each_stack_refill_game_and_match_gets_its_moment_once() -> None:
    news = played("quick,target=12")
    found = banners(news)
    happened = [happening for step in news for happening in step.after.happened]
    kinds = [one.moment for one in found]
    games = len(news[-1].after.outcomes)
    assert games > 2
    assert kinds.count(Moment.GAME) + kinds.count(Moment.TIE) == games - 1
    assert kinds.count(Moment.MATCH) == 1
    assert kinds[-1] is Moment.MATCH
    assert kinds.count(Moment.STACK) == sum(isinstance(happening, Completed) for happening in happened)
    assert all(one.lines for one in found if one.moment in {Moment.GAME, Moment.TIE, Moment.MATCH})


def test_moments_in_words() -> None:
    play = Played(1, Move.parse("h3-c1"), Card.parse("KD"), 12)
    completed = (Completed(0, ()), Reshuffled(52))
    assert title(play, *completed) == "c1 is complete"
    assert title(play, *completed, Drew(1, 5)) == "c1 is complete · Ana's hand is refilled"
    assert title(play, Drew(1, 5)) == "Ana's hand is refilled"
    assert title(play, Drew(1, 5), you=1) == "your hand is refilled"
    assert title(TurnBegan(1, 3), Drew(1, 5)) == title(play) == ""
    assert title(play, Finished(Outcome(How.WIN, 1, 1))) == "Ana WINS THE GAME: 1 POINT"
    assert title(play, Finished(Outcome(How.WIN, 1, 9)), you=1) == "YOU WIN THE GAME: 9 POINTS"
    assert title(play, Finished(Outcome(How.WIN, 1, 40))) == "Ana WINS THE MATCH, 63 : 18"
    assert title(play, Finished(Outcome(How.WIN, 1, 40)), you=1) == "YOU WIN THE MATCH, 63 : 18"


def test_a_tie_says_why() -> None:
    tie = moment(StockRanOut(0, 5, 3), Finished(Outcome(How.TIE, None, 0)))
    assert tie is not None
    assert tie.title == "A TIE: NOBODY SCORES"
    assert tie.lines[0].endswith("has run out, and nothing is drawn.")
    late = moment(TurnsRanOut(500), Finished(Outcome(How.TIE, None, 0)))
    assert late is not None
    assert late.lines[0].startswith("Turn 500 was the last one")


def test_giving_up_is_a_moment_too() -> None:
    stage = Stage(Variant.parse("standard"))
    stage.begin()
    first = banners(stage.resign(0))
    assert [one.title for one in first] == ["YOU GAVE THE GAME UP"]
    assert [one.title for one in banners(stage.resign(1))] == ["Ana GAVE THE GAME UP"]
    assert first[0].moment is Moment.GAME


def test_the_log_counts_a_discard_to_the_turn_that_it_ends() -> None:
    news = played("quick")
    lines = [line for step in news for line in log_lines(step.before, step.after)]
    began = [line for line in lines if isinstance(line.what, TurnBegan)]
    assert [line.turn for line in began] == [line.what.turn for line in began if isinstance(line.what, TurnBegan)]
    assert [line.turn for line in lines] == sorted(line.turn for line in lines)
    for before, line in pairwise(lines):
        if isinstance(line.what, TurnBegan) and line.turn > 1:
            assert before.turn == line.turn - 1
    assert any(isinstance(line.what, Drew) for line in lines)
