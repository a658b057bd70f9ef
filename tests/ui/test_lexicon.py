"""What is typed may be in the player's own language, beside English, and never means two things."""

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui.catalogue import LANGUAGES
from ui.test_languages import KNOWN

from sm_p2p.cli.offers import WAYS
from sm_p2p.cli.onlooker import LOOKS
from sm_p2p.rules.moves import MOVES
from sm_p2p.session.talk import Say
from sm_p2p.ui.catalogue import CODES
from sm_p2p.ui.commands import KEYS, SHORT, VOCABULARY, Show, Unclear, Word, read_command
from sm_p2p.ui.guide import HELP, help_lines
from sm_p2p.ui.lexicon import answer, english, own, own_form, plain
from sm_p2p.ui.reel_words import HELP as REEL_HELP
from sm_p2p.ui.reel_words import SHORT as REEL_SHORT
from sm_p2p.ui.reel_words import VOCABULARY as REEL_VOCABULARY
from sm_p2p.ui.reel_words import Deed, read_order
from sm_p2p.ui.words import ENGLISH, Words

VOCABULARIES: Final = (VOCABULARY, REEL_VOCABULARY, WAYS, LOOKS)
ENGLISH_ONLY: Final = (
    "quit",
    "help",
    "resign",
    "yes",
    "back",
    "next",
    "hint",
    "rules",
    "show",
    "say",
    "claim",
    "refuse",
)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_an_own_word_is_one_word_and_means_one_thing(code: str, vocabulary: tuple[str, ...]) -> None:
    language = LANGUAGES[code]
    known = [plain(own(word, language)) for word in vocabulary]
    assert len({*known}) == len(known)
    for word, ours in zip(vocabulary, known, strict=True):
        assert len(ours.split()) == 1
        assert english(ours, vocabulary, language) == english(word, vocabulary, language) == word
        assert ours == word or ours not in {*vocabulary, *SHORT, *REEL_SHORT, *KEYS, "t", "v", "s"}
        assert not ours.isdecimal()
        assert ours not in {place for move in MOVES for place in (str(move), move.source, move.target)}


@pytest.mark.parametrize("code", LANGUAGES)
def test_yes_and_no_have_a_word_and_a_letter_in_every_language_and_english_ones_beside_them(code: str) -> None:
    language = LANGUAGES[code]
    letters = {"en": "yn", "pt": "sn", "es": "sn", "id": "yt"}[code]
    for text in ("y", "yes", "YES", letters[0], letters[0].upper(), own("yes", language)):
        assert answer(text, language) is True
        assert read_command(text, language) is Word.YES
    for text in ("n", "no", letters[1], own("no", language)):
        assert answer(text, language) is False
        assert read_command(text, language) is Word.NO
    for text in ("", "maybe", "yes no"):
        assert answer(text, language) is None


def test_accents_and_capitals_need_not_be_typed() -> None:
    for text in ("não", "NÃO", "nao", "na\u0303o"):
        assert read_command(text, LANGUAGES["pt"]) is Word.NO
    assert read_command("si", LANGUAGES["es"]) is read_command("SÍ", LANGUAGES["es"]) is Word.YES
    assert read_command("nao") == Unclear("nao")  # in English it is none


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_form_of_the_help_can_be_typed_in_english_and_in_the_own_words(code: str) -> None:
    language = LANGUAGES[code]
    for form, _ in HELP:
        ours = own_form(form, VOCABULARY, language)
        if form == "say hello":
            assert read_command(ours, language) == Say(ours.partition(" ")[2])
        else:
            assert read_command(ours, language) == read_command(form, language) == read_command(form)
    for form, _ in REEL_HELP:
        ours = own_form(form, REEL_VOCABULARY, language)
        if not form.startswith("export"):
            assert read_order(ours, language) == read_order(form, language) == read_order(form)
        assert not isinstance(read_order(ours, language), Unclear)


def test_own_words_take_what_stands_behind_them() -> None:
    spanish, indonesian = LANGUAGES["es"], LANGUAGES["id"]
    assert read_command("mostrar C1", spanish) == Unclear("show C1")
    assert read_command("mostrar c1", spanish) == Show("c1")
    assert read_command("mostrar mano", spanish) is Word.HAND
    assert read_command("decir Hola, ¿qué tal?", spanish) == Say("Hola, ¿qué tal?")
    assert read_command("t halo", indonesian) == Say("halo")
    assert read_command("t", indonesian) is Word.NO
    assert read_command("t") == Unclear("t")
    assert read_order("giliran kembali", indonesian) == read_order("turn back")
    assert read_order("salir", spanish) is Deed.QUIT


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_help_names_the_own_word_and_the_english_one(code: str) -> None:
    language = LANGUAGES[code]
    lines = help_lines(Words(language=language))
    for (form, _), line in zip(HELP, lines, strict=True):
        ours = own_form(form, VOCABULARY, language)
        assert line.startswith(f"{ours}, {form}: " if ours != form else f"{form}: ")


@pytest.mark.parametrize("code", CODES)
def test_no_sentence_names_only_the_english_word_for_what_can_be_typed(code: str) -> None:
    left = {
        (word, form)
        for one in KNOWN[code][1:]
        for form in one.forms
        for word in ENGLISH_ONLY
        if word in [part.strip(".,;:?") for part in form.split()]
    }
    assert not left


def test_english_is_what_it_is() -> None:
    assert english("Quit", VOCABULARY, ENGLISH) == "quit"
    assert english("Salir", VOCABULARY, ENGLISH) == "salir"
    assert own_form("show a", VOCABULARY, ENGLISH) == "show a"


@pytest.mark.parametrize("code", LANGUAGES)
@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.text() | st.sampled_from([*VOCABULARY, *REEL_VOCABULARY]).flatmap(lambda word: st.just(f"{word} \u0301 x")))
def test_whatever_is_typed_in_a_language_is_read(code: str, line: str) -> None:
    language = LANGUAGES[code]
    read_command(line, language)
    read_order(line, language)
    answer(line, language)
