"""The score sheet: a match written down, read, and played again to the same tables."""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui.stage import Stage, steps_of
from vector_files import VECTORS, Vector, vectors

from sm_p2p.errors import Code, Fault, sure
from sm_p2p.log.entry import Entry
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Said
from sm_p2p.session.events import Moved, event_of
from sm_p2p.session.state import State
from sm_p2p.watch.replay import UNPROVED, Step, read_recording, steps
from sm_p2p.watch.sheet import Ply, Remark, Scribe, Sheet, write_sheet
from sm_p2p.watch.sheet_reading import final_tables, read_sheet

STEADY: Final = settings(deadline=None, derandomize=True, max_examples=20)
VARIANTS: Final = (
    "quick,pay_off=5,target=6",
    "quick,pay_off=10,refill=next-turn,centres=4,target=3",
    "quick,pay_off=37,stock_out=fewest",
    "quick,pay_off=37,centres=4,stock_out=empty",
)
CODES: Final = {Code.BAD_SHAPE, Code.BAD_VARIANT, Code.ILLEGAL_MOVE, Code.OTHER_VERSION}


@cache
def told(variant: str, seed: int = 1, names: tuple[str, str] = ("Ana", "Bo")) -> tuple[Step, ...]:
    """A match of two greedy players."""
    return tuple(Step(*step) for step in steps_of(Stage(Variant.parse(variant), seed, names=names)))


def sheet_of(found: Sequence[Step], chat: Sequence[Remark] = ()) -> Sheet:
    """The sheet of these entries."""
    scribe = Scribe(chat)
    for step in found:
        scribe.take(step)
    return scribe.sheet


def moves_of(found: Sequence[Step]) -> list[Move]:
    """The moves in these entries."""
    events = (event_of(entry.kind, entry.data) for _, entry, _ in found)
    return [Move.parse(event.move) for event in events if isinstance(event, Moved)]


def check(found: Sequence[Step]) -> None:
    """The sheet of these entries is read back, has their moves and leads to their table."""
    sheet = sheet_of(found)
    assert read_sheet(write_sheet(sheet)) == sheet
    assert [ply.move for game in sheet.games for turn in game.turns for ply in turn.plies] == moves_of(found)
    last = found[-1].after
    tables = final_tables(sheet)
    assert (last.game is None) == (tables == ())
    if last.game is not None:
        assert tables[-1] == last.game.table
    assert (sheet.score, sheet.is_finished) == (last.score.points, last.is_over)


@pytest.mark.parametrize("path", sorted((VECTORS / "games").glob("*.smlog")), ids=lambda path: path.stem)
def test_a_recorded_match_is_played_again_from_its_sheet_which_is_the_recorded_one(path: Path) -> None:
    found = tuple(steps(read_recording(path).raws, UNPROVED))
    check(found)
    assert write_sheet(sheet_of(found)) == path.with_suffix(".sheet").read_text("utf-8")


def test_the_examples_of_the_specification_are_from_recorded_games() -> None:
    page = (VECTORS.parent / "export.md").read_text("utf-8").partition("## The score sheet")[2]
    whole, line = re.findall(r"```\n(.*?)```", page, re.DOTALL)
    raws = read_recording(VECTORS / "games" / "tie.smlog").raws
    assert whole == write_sheet(sheet_of(tuple(steps(raws[:19], UNPROVED))))
    assert line in (VECTORS / "games" / "short.sheet").read_text("utf-8")


@pytest.mark.parametrize("vector", vectors("sheets.json"), ids=repr)
def test_a_vector_holds(vector: Vector) -> None:
    if vector.expect == "ok":
        sheet = read_sheet(vector.text("text"))
        assert [str(table) for table in final_tables(sheet)] == vector.items("tables")
    else:
        with pytest.raises(Fault) as caught:
            read_sheet(vector.text("text"))
        assert caught.value.code == vector.expect


@STEADY
@given(st.sampled_from(VARIANTS), st.integers(1, 3), st.integers(1, 400))
def test_however_far_a_match_has_come_its_sheet_leads_to_its_table(variant: str, seed: int, count: int) -> None:
    check(told(variant, seed)[:count])


@settings(STEADY, max_examples=8)
@given(st.integers(0, 1), st.integers(0, 60))
def test_a_game_that_is_given_up_anywhere_leads_to_its_table(seat: int, moves: int) -> None:
    stage = Stage(Variant.parse("quick,pay_off=7,target=50"), 2)
    found = [Step(news.before, news.entry, news.after) for news in stage.begin()]
    for move in moves_of(told("quick,pay_off=7,target=50", 2))[:moves]:
        if stage.match.outcomes:
            break
        found += [Step(news.before, news.entry, news.after) for news in stage.move(move)]
    found += [Step(news.before, news.entry, news.after) for news in stage.resign(seat)]
    check(found)


@cache
def text_of(variant: str) -> str:
    """A sheet with everything in it."""
    chat = ((1, Said(0, "hello?")), (4, Said(1, "here")), (9, Said(0, 'a "b" ; c')), (10**6, Said(1, "bye")))
    return write_sheet(sheet_of(told(variant, names=('A"na\\', "Bo: x, y"))[:60], chat))


class Refused(Exception):  # noqa: N818
    """A text was refused as it should be."""


def read(text: str) -> Sheet:
    """The sheet of this text, or Refused."""
    try:
        return read_sheet(text)
    except Fault as fault:
        if fault.code in CODES and fault.sentence:
            raise Refused from fault
        raise


@STEADY
@given(st.sampled_from(VARIANTS), st.data())
def test_any_other_text_is_refused_or_is_the_text_of_another_sheet(variant: str, data: st.DataObject) -> None:
    lines = text_of(variant).split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    how = data.draw(st.sampled_from(["drop", "twice", "swap", "letter", "cut", "space"]))
    if how == "drop":
        del lines[at]
    elif how == "twice":
        lines.insert(at, lines[at])
    elif how == "swap":
        other = data.draw(st.integers(0, len(lines) - 1))
        lines[at], lines[other] = lines[other], lines[at]
    elif how == "cut":
        del lines[at:]
    else:
        place = data.draw(st.integers(0, len(lines[at])))
        letter = " " if how == "space" else data.draw(st.sampled_from('0123 abcdhp-.,:()[]"\\;=*JQKACDHS\u00b2\x1b'))
        lines[at] = lines[at][:place] + letter + lines[at][place + (how == "letter") :]
    text = "\n".join(lines)
    with contextlib.suppress(Refused):
        assert write_sheet(read(text)) == text


@STEADY
@given(st.text())
def test_whatever_it_is_it_is_read_or_refused(text: str) -> None:
    with pytest.raises(Fault):
        read_sheet(text)


def test_chat_stands_behind_the_turn_in_which_it_was_said() -> None:
    lines = text_of(VARIANTS[0]).split("\n")
    assert lines[10] == '; A"na\\: hello?'
    assert lines[13:15] == ["deal" + lines[13][4:], "; Bo: x, y: here"]
    assert lines[-2].startswith("= ")
    assert lines[-3] == "; Bo: x, y: bye"
    assert read_sheet("\n".join(lines)).remarks == ('A"na\\: hello?',)
    alone = sheet_of(told(VARIANTS[0])[:1], [(1, Said(0, "hello?")), (7, Said(1, "x"))])
    assert alone.remarks == ("Ana: hello?", ": x")


def test_two_of_one_name_are_told_apart_by_who_begins() -> None:
    found = told("quick,pay_off=5,target=20", 3, ("Bo", "Bo"))
    check(found)
    assert {game.turns[0].seat for game in sheet_of(found).games} == {0, 1}


def test_a_sheet_without_a_guest_has_no_games() -> None:
    check(told(VARIANTS[0])[:1])
    check(told(VARIANTS[0])[:2])
    text = write_sheet(sheet_of(told(VARIANTS[0])[:10])).replace('[Guest "Bo"]', '[Guest ""]')
    with pytest.raises(Fault, match="two players"):
        read_sheet(text)


def test_what_does_not_follow_from_the_moves_is_refused() -> None:
    text = write_sheet(sheet_of(told(VARIANTS[0])))
    for old, new, sentence in (
        ('[Score "', '[Score "1', "score"),
        ('[Ending "finished"]', '[Ending "unfinished"]', "score"),
        ("= win:", "= resign:", "game"),
        ("\n2. ", "\n4. ", "turn"),
        ("Game 2", "Game 3", "follow"),
    ):
        with pytest.raises(Fault) as caught:
            read_sheet(text.replace(old, new, 1))
        assert caught.value.code in {Code.ILLEGAL_MOVE, Code.BAD_SHAPE}
        assert sentence in caught.value.sentence
    with pytest.raises(Fault, match="after the match had ended"):
        read_sheet(f"{text}\nGame 9\n= *\n".replace("Game 9", f"Game {text.count('Game ') + 1}"))


def test_another_version_of_the_sheet_is_named() -> None:
    with pytest.raises(Fault) as caught:
        read_sheet(text_of(VARIANTS[0]).replace('[Sheet "1"]', '[Sheet "2"]'))
    assert (caught.value.code, "version 2" in caught.value.sentence) == (Code.OTHER_VERSION, True)
    with pytest.raises(Fault) as caught:
        read_sheet("x" * (16 * 1024 * 1024 + 1))
    assert caught.value.code is Code.TOO_LARGE


def test_a_clock_that_is_wrong_gives_no_date() -> None:
    first = told(VARIANTS[0])[0]
    assert sheet_of([first]).date == "1970-01-01"
    late = first._replace(entry=Entry(replace(first.entry, time_ms=2**53 - 1)))
    assert sheet_of([late]).date == "?"
    assert read_sheet(write_sheet(sheet_of([late]))).date == "?"


def test_plies_are_written_with_their_answers() -> None:
    found = sheet_of(told(VARIANTS[1]))
    texts = {str(ply) for game in found.games for turn in game.turns for ply in turn.plies}
    assert "end" in texts
    assert any(text.endswith("(-)") for text in texts)
    assert str(Ply(Move.parse("end"), None)) == "end"
    assert sure(found.games[0].outcome)
    assert told(VARIANTS[1])[-1].after.state is State.CLOSED
