"""The rules as they are read say what the code does, in every language."""

import re

import pytest
from ui.catalogue import LANGUAGES

from sm_p2p.cli.menu import variants
from sm_p2p.rules.cards import RANKS
from sm_p2p.rules.moves import HAND_SIZE, SIDES
from sm_p2p.rules.parts import FULL
from sm_p2p.rules.table import LAST_TURN
from sm_p2p.rules.variant import PRESETS, STANDARD
from sm_p2p.ui.guide import rules_lines
from sm_p2p.ui.words import Words

NUMBERS = (
    (STANDARD.packs * 26, STANDARD.pay_off, HAND_SIZE, SIDES, STANDARD.centres),  # the table, each pack twice as many
    (1, HAND_SIZE),  # a turn: its three steps
    (2,),
    (3,),
    (HAND_SIZE,),
    (2, 3, 10, FULL),  # a centre stack
    (LAST_TURN,),
    (STANDARD.target,),
)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_numbers_of_the_rules_are_those_of_the_code(code: str) -> None:
    lines = rules_lines(Words(language=LANGUAGES[code]))
    found = [tuple(map(int, re.findall(r"\d+", line))) for line in lines]
    assert STANDARD.packs == 2  # the word that begins the second paragraph
    assert [numbers for numbers in found if numbers] == [*NUMBERS]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_rules_have_the_same_parts_in_every_language(code: str) -> None:
    lines, english = ([*rules_lines(Words(language=LANGUAGES[one]))] for one in (code, "en"))
    assert [bool(line) for line in lines] == [bool(line) for line in english]
    assert lines[0] == "Spite & Malice"
    assert not any("#" in line for line in lines)
    assert (code == "en") == (lines == english)
    text = " ".join(lines)
    assert ", ".join(RANKS[1:4]) in text
    assert ", ".join(RANKS[10:13]) in text


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_the_menu_says_of_a_variant_is_what_it_is(code: str) -> None:
    words = Words(language=LANGUAGES[code])
    packs = {"en": "three", "pt": "três", "id": "tiga", "es": "tres"}[code]
    for (name, about), preset in zip(variants(words), PRESETS.values(), strict=False):
        assert name
        numbers = (preset.pay_off,) if preset.target == 1 else (preset.target, preset.pay_off)
        assert tuple(map(int, re.findall(r"\d+", about))) == numbers
        assert (packs in about) is (preset.packs == 3)
