"""The export: JSON Lines of what was said and of the table after it."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from watch.files import begun, ended, reach, resealed

from scripts.making.recorder import NAMES_OF_GAMES, recorded
from sm_p2p.errors import Code, Fault, JournalDamaged, SpiteError
from sm_p2p.log.entry import read_envelope
from sm_p2p.rules.cards import pack
from sm_p2p.session.events import Resigned
from sm_p2p.session.state import State
from sm_p2p.watch.export import export_lines
from sm_p2p.watch.replay import UNPROVED, Recording

SPECIFICATION = Path(__file__).parents[2] / "protocol" / "export.md"


class Seen:
    """A line, read with the types that it must have."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.row = json.loads(line)
        self.table = self.row["table"]

    @property
    def open_cards(self) -> list[str]:
        """All faces that lie open."""
        table = self.table
        piles = [*table["centre"], *table["sides"][0], *table["sides"][1]]
        tops = [pile["top"] for pile in table["pay_off"] if pile["top"] is not None]
        return [card for pile in piles for card in pile] + tops

    @property
    def card_count(self) -> int:
        """How many cards the table has."""
        table = self.table
        piles = [*table["centre"], *table["sides"][0], *table["sides"][1]]
        return (
            int(table["stock"])
            + sum(map(len, piles))
            + sum(int(pile["count"]) for pile in table["pay_off"])
            + sum(map(int, table["hand"]))
        )


@cache
def lines_of(raws: tuple[bytes, ...], *, is_open: bool) -> tuple[str, ...]:
    """The lines of these entries; several tests look at the same ones."""
    return tuple(export_lines(Recording(raws), UNPROVED, is_open=is_open))


def seen(raws: Sequence[bytes], *, is_open: bool = False) -> list[Seen]:
    """The lines of these entries."""
    return list(map(Seen, lines_of(tuple(raws), is_open=is_open)))


def test_the_example_of_the_specification_is_from_a_recorded_game(four: list[bytes]) -> None:
    blocks = re.findall(r"```json\n(.*?)```", SPECIFICATION.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) >= 4
    assert set(lines) <= {line.line for line in seen(four)}


def without_hands(line: Seen) -> object:
    """The row as a closed export shows it."""
    if line.table is not None:
        line.table.pop("hands", None)
    return line.row


def test_a_closed_export_differs_in_the_hands_only(four: list[bytes]) -> None:
    opened = [json.dumps(without_hands(line), separators=(",", ":")) for line in seen(four, is_open=True)]
    assert [line.line for line in seen(four)] == opened


def test_lines_are_ascii_without_spaces_and_their_keys_have_one_order(four: list[bytes]) -> None:
    for at, line in enumerate(seen(four, is_open=True), 1):
        assert line.line.isascii()
        assert " " not in line.line
        said = ["move", "card"] if line.row["event"] == "moved" else []
        assert list(line.row) == ["seq", "id", "author", "event", "game", "turn", *said, "table"]
        assert line.row["seq"] == at
        if line.table is not None:
            keys = ["stock", "centre", "sides", "pay_off", "hand", "to_move", "score", "outcome", "hands"]
            assert list(line.table) == keys


def test_no_table_before_the_first_deal_and_no_card_is_ever_lost(four: list[bytes]) -> None:
    lines = seen(four, is_open=True)
    assert [line.table for line in lines[:2]] == [None, None]
    assert [line.row["game"] for line in lines[:3]] == [None, None, 1]
    deck = Counter(card.face for card in pack(2))
    for line in lines[2:]:
        assert line.card_count == 104
        hands = [face for hand in line.table["hands"] for face in hand if face is not None]
        assert Counter(line.open_cards + hands) <= deck


def test_the_hands_hold_what_is_played_from_them(four: list[bytes]) -> None:
    lines = seen(four, is_open=True)
    played = 0
    for before, line in pairwise(lines):
        if line.table is None:
            continue
        for seat, hand in enumerate(line.table["hands"]):
            assert (len(hand), sum(face is not None for face in hand)) == (5, line.table["hand"][seat])
        move, author = line.row.get("move", ""), line.row["author"]
        if move.startswith("h"):
            played += 1
            assert before.table["hands"][author][int(move[1]) - 1] == line.row["card"]
        if move.startswith("p"):
            assert before.table["pay_off"][author]["top"] == line.row["card"]
        if move[:2] in {"a-", "b-", "c-", "d-"}:
            assert before.table["sides"][author]["abcd".index(move[0])][-1] == line.row["card"]
        target = move.partition("-")[2]
        if target in {"a", "b", "c", "d"}:
            assert line.table["sides"][author]["abcd".index(target)][-1] == line.row["card"]
    assert played > 20


def test_games_and_scores(four: list[bytes]) -> None:
    lines = seen(four)
    second = next(at for at, line in enumerate(lines) if line.row["game"] == 2)
    assert lines[second].row["event"] == lines[second - 1].row["event"] == "revealed"
    assert lines[second - 1].table["outcome"] == {"how": "win", "winner": 0, "points": 4}
    assert lines[second].table["outcome"] is None
    assert (lines[second - 1].table["score"], lines[-1].table["score"]) == ([4, 0], [4, 13])
    assert [pile["top"] for pile in lines[second].table["pay_off"]] == [None, None]
    assert lines[-1].table["outcome"] == {"how": "resign", "winner": 1, "points": 5}
    games = [line.row["game"] for line in lines[2:]]
    assert games == sorted(games)
    assert {*games} == {1, 2, 3, 4}


@pytest.mark.parametrize("name", NAMES_OF_GAMES)
def test_a_turn_is_the_one_in_which_an_entry_was_written(name: str) -> None:
    lines = [line for line in seen(recorded(name).raws) if line.row["game"] in {None, 1}]
    for before, line in pairwise(lines):
        if line.row["event"] == "moved":
            assert before.table["to_move"] == line.row["author"]
        if line.row["event"] in {"opened", "joined", "dealt", "revealed"}:
            assert line.row["turn"] is None
    assert [line.row["turn"] for line in lines[3:5]] == [None, None]
    turns = [line.row["turn"] for line in lines if line.row["turn"] is not None]
    assert turns == sorted(turns)
    assert {*turns} == {*range(1, turns[-1] + 1)}
    movers = {line.row["turn"]: line.row["author"] for line in lines if line.row["event"] == "moved"}
    assert all(movers[turn] != movers[turn + 1] for turn in range(1, turns[-1]))


def test_a_turn_can_be_ended_without_a_card() -> None:
    ends = [line for line in seen(recorded("house").raws) if line.row.get("move") == "end"]
    assert ends
    assert all(line.row["card"] is None for line in ends)


def test_every_event_has_its_word(four: list[bytes]) -> None:
    words = {line.row["event"] for line in [*seen(four), *seen(recorded("tie").raws)]}
    assert words == {"opened", "joined", "dealt", "answered", "moved", "resigned", "revealed", "ancillary"}


def test_hands_stay_closed_until_both_keys_are_there(four: list[bytes]) -> None:
    lines = seen(four[:-1], is_open=True)
    assert {line.row["game"]: "hands" in line.table for line in lines[2:]} == {1: True, 2: True, 3: True, 4: False}


@pytest.mark.parametrize("state", [State.SHUFFLE, State.SHOW])
def test_cards_of_a_deck_that_was_never_shuffled_to_its_end_have_no_face(state: State) -> None:
    record = begun(reach(state))
    record.say(Resigned())
    lines = seen(ended(record), is_open=True)
    faces = {face for line in lines[2:] for hand in line.table["hands"] for face in hand}
    assert ("?" in faces) == (state is State.SHUFFLE)
    assert None not in faces


@pytest.mark.parametrize("is_open", [False, True])
def test_what_is_good_comes_out_before_what_is_wrong_is_raised(four: list[bytes], is_open: bool) -> None:  # noqa: FBT001
    lines, error = exported(Recording((*four[:50], *four[51:])), is_open=is_open)
    assert isinstance(error, Fault)
    assert error.sentence.startswith("entry 51: ")
    assert len(lines) == 50
    lines, error = exported(Recording(tuple(four), Code.DAMAGED_FILE, "bad"), is_open=is_open)
    assert isinstance(error, JournalDamaged)
    assert len(lines) == len(four)
    assert ("hands" in lines[-1]) == is_open


def exported(recording: Recording, *, is_open: bool) -> tuple[list[str], SpiteError | None]:
    """The lines, up to what is raised."""
    lines: list[str] = []
    try:
        for line in export_lines(recording, UNPROVED, is_open=is_open):
            lines.append(line)  # noqa: PERF402 - those before the error are wanted
    except SpiteError as error:
        return lines, error
    return lines, None


def test_proofs_are_checked_unless_the_caller_says_otherwise(small: list[bytes]) -> None:
    data = read_envelope(small[4]).data
    proof = data[3]
    assert isinstance(proof, bytes)
    bad = resealed(small[4], lambda said: replace(said, data=(*data[:3], proof[:32] + bytes(32))))
    recording = Recording((*small[:4], bad))
    assert len(list(export_lines(recording, UNPROVED))) == 5
    with pytest.raises(Fault, match=r"bad-share-proof: entry 5: "):
        list(export_lines(recording))
