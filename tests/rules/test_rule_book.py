"""The rule book and the code say the same."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from sm_p2p.rules.cards import RANKS, SUITS, Card
from sm_p2p.rules.moves import MOVES
from sm_p2p.rules.parts import How
from sm_p2p.rules.play import play
from sm_p2p.rules.reasons import Reason
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.table import LAST_TURN
from sm_p2p.rules.variant import LEAST_STOCK, PRESETS, RANGES, STANDARD, WORDS, Variant

BOOK = (Path(__file__).resolve().parents[2] / "protocol" / "rules.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in BOOK.splitlines() if line.startswith("|")]
OPTIONS = {row[0].strip("`"): row[1:] for row in ROWS if row[0].startswith("`") and len(row) == 5}


def test_the_example_of_the_first_screen_is_true() -> None:
    before, after = re.findall(r"^standard 9 .*$", BOOK, re.MULTILINE)
    game = Sketch(centre=(11, 0, 0), stock=3, hand="QS").game()
    table = play(game.table, MOVES[8], Card.parse("QS"))
    assert (str(game.table), str(table)) == (before, after)
    assert f"`turn` = {', '.join(map(str, table.sections()[5]))}." in BOOK


def test_the_table_of_variants_is_that_of_the_code() -> None:
    assert list(OPTIONS) == list(asdict(STANDARD))
    for key, (values, *presets) in OPTIONS.items():
        assert [text.strip("`") for text in presets] == [str(asdict(preset)[key]) for preset in PRESETS.values()]
        numbers = re.findall(r"\d+", values)
        if key in RANGES:
            assert (int(numbers[0]), int(numbers[-1])) == RANGES[key]
        else:
            assert re.findall(r"`([^`]+)`", values) == list(WORDS[key])


def test_limits_and_alphabets_of_the_book_are_those_of_the_code() -> None:
    assert f"If this was turn {LAST_TURN}, the game is a tie" in BOOK
    assert f"A variant that leaves fewer than {LEAST_STOCK} MUST be refused" in BOOK
    assert f"rank `{' '.join(RANKS[1:])}` and suit `{' '.join(SUITS)}`" in BOOK
    assert "(0 not yet, 1 win, 2 tie, 3 resigned)" in BOOK
    assert [str(how) for how in How] == ["win", "tie", "resign"]


@pytest.mark.parametrize("text", re.findall(r"`([a-z_]+(?:,[a-z_]+=[\w-]+)+)`", BOOK))
def test_each_variant_that_the_book_writes_can_be_played(text: str) -> None:
    assert (str(Variant.parse(text)) == text) == (text != "standard,pay_off=10,target=3")


def test_no_language_of_programs_is_named_in_the_book() -> None:
    assert not re.search(r"python|tuple|dict", BOOK, re.IGNORECASE)


def test_every_reason_is_a_sentence_that_its_values_complete() -> None:
    for reason in Reason:
        names = re.findall(r"\{(\w+)\}", reason)
        assert "{" not in reason.format(**dict.fromkeys(names, 3))
        assert not reason.endswith(".")


def test_the_vectors_are_the_files_that_the_book_names() -> None:
    named = re.findall(r"`(\w+\.json)`", BOOK.split("## Vectors")[1])
    for name in named:
        path = Path(__file__).resolve().parents[2] / "protocol" / "vectors" / name
        assert json.loads(path.read_text("utf-8"))["protocol"] == 1
    assert len(named) == 6
