"""Games of a log, judged: what is told about each move, in lines and in JSON, and by another process."""

import json
from itertools import groupby
from pathlib import Path

import pytest

from sm_p2p.bot.analysis import OFF, judgement
from sm_p2p.errors import sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.session.events import MOVED
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.verdicts import LEAST, Analysis, Verdict, analysis_lines, analysis_objects, percent, verdict_lines
from sm_p2p.ui.words import Words
from sm_p2p.watch.judging import Judged, analyses, open_games
from sm_p2p.watch.loading import load
from sm_p2p.watch.replay import read_recording
from sm_p2p.watch.workers import Done, Said, judging

SHORT = Path(__file__).parents[2] / "protocol" / "vectors" / "games" / "short.smlog"
WORDS = Words(("Ana", "Bo"))


@pytest.fixture(scope="module")
def reel() -> Reel:
    """The match of four games, its hands open."""
    return load(read_recording(SHORT))[0]


@pytest.fixture(scope="module")
def judged(reel: Reel) -> list[Analysis]:
    """What is thought of its games."""
    return [*analyses(reel, open_games(reel))]


def test_every_move_is_judged_by_what_its_player_knew(reel: Reel, judged: list[Analysis]) -> None:
    moved = [place for place in range(1, len(reel) + 1) if reel.news(place).entry.kind == MOVED]
    verdicts = [verdict for analysis in judged for verdict in analysis.verdicts]
    assert [verdict.entry for verdict in verdicts] == moved
    for verdict in verdicts[::7]:
        table = sure(reel.match(verdict.entry - 1).game).table
        faces = sure(reel.faces(verdict.entry - 1))
        hand = {slot: faces[slot] for slot in table.places[verdict.seat].hand if slot is not None}
        again = judgement(View(table, verdict.seat, hand), verdict.move)
        assert (verdict.turn, verdict.chance, verdict.better) == (again.turn, again.made.chance, again.best.move)


def test_a_game_that_goes_on_is_not_judged(reel: Reel) -> None:
    assert open_games(reel) == (1, 2, 3, 4)
    part = Reel()
    for place in range(1, sure(reel.game(2)) + 5):
        part.add(reel.news(place))
    assert open_games(part) == ()
    part.open(1, sure(reel.faces(sure(reel.game(1)))))
    assert open_games(part) == (1,)


def test_each_turn_has_its_line_below_the_error_and_the_mistakes(judged: list[Analysis]) -> None:
    first = judged[0]
    lines = [*analysis_lines(WORDS, first)]
    turns = [verdicts for _, verdicts in groupby(first.verdicts, lambda verdict: verdict.turn)]
    assert f"off by {percent(Words(), OFF)} on average" in lines[1]
    assert sum(line.startswith("Turn ") for line in lines) == len(turns)
    for seat, name in enumerate(WORDS.names):
        assert len(first.mistakes(seat)) <= 3
        losses = [verdict.loss for verdict in first.verdicts if verdict.seat == seat and verdict.loss >= LEAST]
        assert [verdict.loss for verdict in first.mistakes(seat)] == sorted(losses, reverse=True)[:3]
        assert any(name in line and "mistake" in line for line in lines)
    assert [*analysis_lines(WORDS, Analysis(4, (), OFF, 1))] == ["Game 4: no move was made."]


def test_a_move_has_two_short_lines() -> None:
    same = Verdict(9, 2, 0, Move.parse("end"), None, Move.parse("end"), None, 0.5, 0.0)
    assert verdict_lines(WORDS, same) == ("as hard would", "50.0 % to win")
    other = same._replace(better=Move.parse("p-c1"), better_card=Card.parse("AS"), loss=0.1234)
    assert verdict_lines(WORDS, other) == ("hard: AS p-c1", "12.3 % more; so 50.0 % to win")


def test_an_object_for_each_move_says_the_same(judged: list[Analysis]) -> None:
    for verdict, line in zip(judged[0].verdicts, analysis_objects(judged[0]), strict=True):
        said = json.loads(line)
        assert (said["entry"], said["move"], said["hard"]) == (verdict.entry, str(verdict.move), str(verdict.better))
        assert said["loss"] == pytest.approx(verdict.loss, abs=0.0001)
        assert said["off"] == OFF


def test_another_process_says_game_by_game_what_it_thinks(tmp_path: Path, judged: list[Analysis]) -> None:
    told: list[Said] = []
    assert judging(SHORT, told.append) == Judged(None)
    assert [said.analysis for said in told if isinstance(said, Judged)] == judged
    counted = [said for said in told if isinstance(said, Done)]
    assert counted[-1].done == counted[-1].total == len(counted)
    reel = Reel()
    Judged(None).put(reel)
    assert judging(tmp_path / "none", told.append) == Judged(None)
