"""The voice for programs: every happening and every answer, exactly."""

from dataclasses import replace
from typing import Final, get_args

import pytest
from ui.stage import Stage

from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import (
    Completed,
    Discarded,
    Drew,
    Finished,
    Happening,
    Passed,
    Played,
    Reshuffled,
    Resigned,
    StockRanOut,
    TurnBegan,
    TurnedUp,
    TurnsRanOut,
)
from sm_p2p.rules.moves import Move
from sm_p2p.rules.reasons import Reason
from sm_p2p.rules.reasons import Refused as RefusedMove
from sm_p2p.rules.table import How, Outcome
from sm_p2p.session.effects import Advanced, Claimed, Latency, Overdue, Recovered, Withdrawn
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.talk import Mended, Refused, Repair, Return
from sm_p2p.ui.commands import Show, Word
from sm_p2p.ui.jsonl import JsonLines

KING: Final = Card.parse("KH.1")
SAID: Final[tuple[tuple[Happening, str], ...]] = (
    (
        Played(0, Move.parse("h3-c1"), KING, 12),
        '{"event":"played","seq":1,"seat":0,"move":"h3-c1","card":"KH","as":"Q"}',
    ),
    (Discarded(1, Move.parse("h1-a"), KING), '{"event":"discarded","seq":1,"seat":1,"move":"h1-a","card":"KH"}'),
    (Passed(1), '{"event":"passed","seq":1,"seat":1}'),
    (Completed(2, (KING, KING)), '{"event":"completed","seq":1,"stack":"c3","cards":["KH","KH"]}'),
    (Reshuffled(66), '{"event":"reshuffled","seq":1,"stock":66}'),
    (TurnedUp(0, KING, 17), '{"event":"turned-up","seq":1,"seat":0,"card":"KH","left":17}'),
    (TurnBegan(1, 4), '{"event":"turn-began","seq":1,"seat":1,"turn":4}'),
    (Drew(1, 4), '{"event":"drew","seq":1,"seat":1,"count":4}'),
    (StockRanOut(1, 4, 2), '{"event":"stock-ran-out","seq":1,"seat":1,"needed":4,"stock":2}'),
    (TurnsRanOut(500), '{"event":"turns-ran-out","seq":1,"turn":500}'),
    (Resigned(1), '{"event":"resigned","seq":1,"seat":1}'),
    (
        Finished(Outcome(How.TIE, None, 0)),
        '{"event":"finished","seq":1,"how":"tie","winner":null,"points":0}',
    ),
)


@pytest.mark.parametrize(("what", "line"), SAID, ids=lambda value: type(value).__name__)
def test_each_happening_is_one_object(what: Happening, line: str) -> None:
    stage = Stage()
    news = stage.open()[0]
    entry, told = JsonLines().news(replace(news, after=replace(news.after, happened=(what,))), stage.situation)
    assert entry.startswith('{"event":"entry","seq":1,"author":0,"kind":"opened","head":"')
    assert told == line


def test_no_happening_is_left_out() -> None:
    assert {type(what) for what, _ in SAID} == set(get_args(Happening))


def test_how_long_an_answer_took_is_not_told() -> None:
    assert [*JsonLines().news(Latency(0.1), Stage().situation)] == []


def test_a_refusal_carries_its_reason_as_a_word() -> None:
    why = Refused(RefusedMove(Reason.EMPTY_PLACE, place="h2"))
    (line,) = JsonLines().news(why, Stage().situation)
    assert line == '{"event":"refused","reason":"empty-place","text":"there is no card at h2"}'


def test_a_refusal_of_the_session_carries_its_reason_too() -> None:
    (line,) = JsonLines().news(Refused(NotNow(Unable.NO_GAME)), Stage().situation)
    assert line == '{"event":"refused","reason":"no-game","text":"there is no game to resign now"}'


RETURNS: Final[tuple[tuple[Return, str], ...]] = (
    (Recovered(12), '{"event":"recovered","entries":12,"strange":false}'),
    (Overdue(3), '{"event":"overdue","minutes":3}'),
    (Claimed(4), '{"event":"claimed-abandoned","minutes":4}'),
    (Withdrawn(), '{"event":"claim-withdrawn"}'),
    (Mended(Repair.TORN_LOG, "a file"), '{"event":"mended","what":"torn-log","file":"a file"}'),
)


@pytest.mark.parametrize(("news", "line"), RETURNS)
def test_who_is_away_or_back_is_an_object(news: Return, line: str) -> None:
    assert [*JsonLines().news(news, Stage().situation)] == [line]


def test_none_of_those_is_left_out() -> None:
    assert {type(news) for news, _ in RETURNS} == set(get_args(Return))


def test_before_the_deal_there_is_no_table_to_look_at() -> None:
    voice, now = JsonLines(), Stage().situation
    for what in (Word.TABLE, Word.HAND, Word.MOVES, Show("a")):
        assert [*voice.look(what, now)] == ['{"event":"remark","what":"no-table"}']
    assert [*voice.look(Word.SCORE, now)] == ['{"event":"score","seq":0,"points":[0,0],"games":0,"winner":null}']


def test_an_entry_that_ends_a_game_is_followed_by_the_score() -> None:
    stage = Stage()
    stage.begin()
    over: Advanced = stage.resign(0)[0]
    assert [*JsonLines().news(over, stage.situation)][-1] == (
        '{"event":"score","seq":6,"points":[0,10],"games":1,"winner":1}'
    )


def test_help_and_rules_are_objects_too() -> None:
    voice, now = JsonLines(), Stage().situation
    (help_line,), (rules_line,) = voice.look(Word.HELP, now), voice.look(Word.RULES, now)
    assert help_line.startswith('{"event":"help","words":["p-c1",')
    assert rules_line.startswith('{"event":"rules","text":"Spite & Malice\\n')
