"""Every language says everything, in the right forms, within its cells."""

import ast
import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from ui.catalogue import LANGUAGES, Marked
from ui.screen.states import STATES, states_in
from ui.screen.test_golden import picture
from ui.stage import Stage, steps_of

from scripts.catalogues import TEMPLATE
from scripts.making.messages import PACKAGE, messages, problems
from sm_p2p.errors import sure
from sm_p2p.rules.cards import RANKS
from sm_p2p.rules.reasons import Reason
from sm_p2p.rules.variant import Variant
from sm_p2p.session.reasons import Unable
from sm_p2p.ui.app.choices import KEYS, Choices, entries, values_of
from sm_p2p.ui.catalogue import CATALOGUES, CODES, BrokenCatalogue, Message, catalogue, compiled, read_catalogue
from sm_p2p.ui.commands import Word
from sm_p2p.ui.jsonl import JsonLines
from sm_p2p.ui.keys import KEYMAP, Action
from sm_p2p.ui.picking import Why
from sm_p2p.ui.retell import retell_match
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.screen.faces import with_glyphs
from sm_p2p.ui.screen.footer import footer_entries
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.looks import Charset
from sm_p2p.ui.screen.model import Checked, Model, Replay
from sm_p2p.ui.screen.overlays import Listing
from sm_p2p.ui.screen.render import render
from sm_p2p.ui.tongue import HERE
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import ENGLISH, Words

SIZES: Final = (Size(48, 16), Size(60, 20), Size(80, 24), Size(100, 30), Size(120, 40))
SHOWN: Final = ("own turn", "discard asked", "other's turn", "quit asked", "options", "help", "open hands")
STATES_IN: Final = {code: states_in(language) for code, language in LANGUAGES.items()}
SAYING: Final = {  # who says something in passing
    f"sm_p2p/ui/{name}.py"
    for name in ("app/table", "app/orders", "app/replaying", "app/preferences", "app/why", "reel_words")
}
REASONS: Final = {*map(str, Reason), *map(str, Unable)}
PASSING: Final = sorted(
    {one.text for one in messages() if SAYING & {*one.files} and not one.text.startswith("{form}") and " " in one.text}
    | {str(one) for one in (*Remark, *Why)}
    | REASONS
)
SAMPLES: Final = {
    "text": "abracadabra",
    "name": "Maria da Silva",
    "file": "34528e20.sheet",
    "card": "10♥",
    "keys": "[6] [7] [8]",
    "stacks": "c1, c2, c3",
    "why": "x",
}
CELLS: Final[
    Mapping[str, int]
] = {  # of what stands beside a pile or in a list, and is not cut but left out or cut short
    "hand": 6,
    "stock": 6,
    "low!": 6,
    "pay-off": 7,
    "needs {rank}": 8,
    "side {stack}": 7,
}
NOUNS: Final = (  # what is counted
    *("entries", "cards", "points", "games", "moves", "plays", "shares", "bytes", "minutes", "matches", "files"),
    *("players", "people", "steps", "turns", "stacks", "packs", "keys", "columns", "rows", "addresses", "characters"),
)
MANY: Final = {  # places that are never 1, or of which nobody could say 1 in another way
    *(("packs", "packs"), ("pay_off", "cards"), ("centres", "stacks"), ("stock", "cards")),  # of a variant: two or more
    *(("n", "matches"), ("theirs", "entries")),  # said of two or more
    *(("steps", "steps"), ("columns", "columns"), ("rows", "rows")),
    *(("points", "points"), ("turns", "turns"), ("plays", "plays"), ("completed", "stacks")),  # means, like 1.0
    *(("games", "games"), ("moves", "moves")),  # of a test with hundreds
    *(("max_addresses", "addresses"), ("max_text", "characters")),  # limits
    *((name, "bytes") for name in ("n", "size", "length", "most", "max_ancillary", "token_bytes", "rest")),
    *(("name", "plays"), ("first", "plays")),  # the verb
    ("count", "points"),  # those of a batch, of the curve
}
FOOTER: Final = 20  # cells of a word in the row of keys
KNOWN: Final = {code: read_catalogue((CATALOGUES / f"{code}.po").read_text("utf-8")) for code in CODES}


def places(text: str) -> list[str]:
    """The places of a message, those of argparse too."""
    if "%(" in text or "%s" in text or "%r" in text:
        return sorted(word.strip(".,:()") for word in text.split() if "%" in word)
    return sorted(str(name) for _, name, _, _ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("code", CODES)
def test_nothing_is_missing_or_fuzzy(code: str) -> None:
    head, *known = KNOWN[code]
    assert f"Language: {code}\n" in head.forms[0]
    assert [one.text for one in known if not one.is_said] == []
    template = read_catalogue(TEMPLATE.read_text("utf-8"))[1:]
    assert [(one.text, one.plural) for one in known] == [(one.text, one.plural) for one in template]


@pytest.mark.parametrize("code", CODES)
def test_every_place_of_a_message_stands_in_its_translation(code: str) -> None:
    for one in KNOWN[code][1:]:
        for form in one.forms:
            assert places(form) == places(one.plural or one.text) or (
                one.plural and form == one.forms[0] and places(form) == places(one.text)
            ), one.text


@pytest.mark.parametrize(
    ("code", "strange"),
    [
        ("pt", r"\b(tu|baralhar|ecrã|ficheiro|reino|talão|joker)\b"),
        ("es", r"\b(ordenador|usted|vosotros|tienda|sota|naipe comodín)\b"),
        ("id", r"\b(Anda|anda|pembayaran|dek tengah|joker)\b"),
    ],
)
def test_words_that_the_glossary_has_others_for_are_not_used(code: str, strange: str) -> None:
    rules = (CATALOGUES.parent / f"rules.{code}.md").read_text("utf-8").replace("tanpa joker", "")
    assert re.findall(strange, rules) == []
    assert [form for one in KNOWN[code][1:] for form in one.forms if re.search(strange, form)] == []


@pytest.mark.parametrize(("code", "one", "million"), [("pt", {0, 1}, True), ("es", {1}, True), ("id", set(), False)])
def test_every_number_has_its_form(code: str, one: set[int], million: bool) -> None:  # noqa: FBT001 - a column of a table
    language = catalogue(code)
    counted = [message for message in KNOWN[code][1:] if message.plural]
    assert len(counted) > 40
    for message in counted:
        singular, many, plural = (*message.forms, message.forms[-1], message.forms[-1])[:3]
        if not million:
            singular = many = plural = message.forms[0]
        for n in (*range(130), 999_999, 1_000_000, 1_000_001, 2_000_000):
            is_million = million and n > 0 and n % 1_000_000 == 0
            wanted = singular if n in one else many if is_million else plural
            assert language.ngettext(message.text, message.plural, n) == wanted, (message.text, n)


def test_what_may_be_one_has_a_form_for_one() -> None:
    found = {
        (place, noun)
        for one in messages()
        if not one.plural
        for place, noun in re.findall(r"\{(\w+)\} (?:[a-z-]+ )?(" + "|".join(NOUNS) + r")\b", one.text)
    }
    assert found == MANY


@pytest.mark.parametrize("code", CODES)
def test_every_label_fits_its_cells(code: str) -> None:
    words = Words(language=LANGUAGES[code])
    for label, cells in CELLS.items():
        for rank in RANKS[1:13]:
            said = words.say(label, rank=rank, stack="a")
            assert text_width(said) <= cells, said
    for left in (1, 5, 40):
        assert text_width(words.count("{n} left", "{n} left", left)) <= 7
    for key in KEYS:
        found = [entries(words, Choices().having(key, value)) for value in values_of(key)]
        assert (
            max(text_width(label) for label, _ in found[0]) + max(text_width(said[1]) for row in found for said in row)
            <= 68
        )
    for binding in KEYMAP:
        assert not binding.label or text_width(words.say(binding.label)) <= FOOTER, binding.label


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_label_of_every_screen_is_seen_whole(code: str, size: Size) -> None:
    for state, model in STATES_IN[code].items():
        if isinstance(model.overlay, Listing):
            for at, (label, value) in enumerate(model.overlay.entries):
                text = _read(replace(model, overlay=replace(model.overlay, at=at)), size)
                assert label in text, (state, label)
                assert value in text, (state, value)
        else:
            assert _cut(model, size) == [], state


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_terminal_that_is_too_small_is_told_so_in_whole_sentences(code: str) -> None:
    for state, model in STATES_IN[code].items():
        assert _cut(model, Size(40, 12)) == [], state
        assert "48×16" in render(model, Size(40, 12)).text[0]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("code", LANGUAGES)
def test_whatever_is_said_in_passing_is_seen_to_its_end(code: str, size: Size) -> None:
    words = Words(("Bo", "Ana"), 0, LANGUAGES[code])
    assert len(PASSING) > 60
    for message in PASSING:
        said = _filled(words, message)
        said = words.say("Not possible: {why}.", why=said) if message in REASONS else said
        text = " ".join(render(replace(STATES["own turn"], words=words, message=said), size).text[-3:])
        assert " ".join(text.split()).endswith(with_glyphs(said).split()[-1]) or with_glyphs(said) in text, said


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_row_of_keys_always_names_the_way_out_and_most_of_the_others(code: str) -> None:
    for state, model in STATES_IN[code].items():
        every = [binding.action for _, binding in footer_entries(model, 1000)]
        for width, least in ((46, 3), (78, 5)):
            shown = [binding.action for _, binding in footer_entries(model, width)]
            assert len(shown) >= min(least, len(every)), (state, shown)
            assert {Action.HELP, Action.LEAVE, Action.CLOSE, Action.YES, Action.NO} & {*every} <= {*shown}, state


@pytest.mark.parametrize("size", [Size(80, 24), Size(48, 16)], ids=str)
@pytest.mark.parametrize("code", CODES)
def test_the_screen_looks_like_this_in_other_languages(
    code: str, size: Size, playthrough: Callable[[str, Iterable[str]], None]
) -> None:
    pictures = (picture(state, model, size, Charset.UNICODE) for state, model in STATES_IN[code].items())
    playthrough(f"screen/{code}-{size.columns}x{size.rows}", (line for lines in pictures for line in lines))


@pytest.mark.parametrize("code", CODES)
def test_large_and_too_small_screens_look_like_this_in_other_languages(
    code: str, playthrough: Callable[[str, Iterable[str]], None]
) -> None:
    pictures = (
        picture(f"{state} in {size.columns}x{size.rows}", STATES_IN[code][state], size, Charset.UNICODE)
        for size in (Size(120, 40), Size(40, 12))
        for state in SHOWN
    )
    playthrough(f"screen/{code}-sizes", (line for lines in pictures for line in lines))


def test_two_players_read_the_same_match_in_two_languages() -> None:
    steps = [*steps_of(Stage(Variant.parse("quick,pay_off=5,target=6")))]
    told = {code: [*retell_match(Words(language=language), steps)] for code, language in LANGUAGES.items()}
    assert {len(lines) for lines in told.values()} == {len(told["en"])}
    for code in CODES:
        assert not set(told[code]) & set(told["en"])


def test_json_is_never_translated() -> None:
    stage, voice = Stage(), JsonLines()
    english = [*voice.look(Word.RULES, stage.situation), *voice.look(Word.HELP, stage.situation)]
    with HERE.spoken(catalogue("pt")):
        assert [*voice.look(Word.RULES, stage.situation), *voice.look(Word.HELP, stage.situation)] == english


def test_whoever_speaks_stops_speaking() -> None:
    assert Words().say("Your move.") == "Your move."
    marked = Marked()
    with HERE.spoken(marked):
        assert Words().say("Your move.") == "<Your move.>"
        assert Words(language=ENGLISH).say("Your move.") == "Your move."
    assert Words().say("Your move.") == "Your move."


def test_a_catalogue_can_be_read_back_and_refuses_what_is_none() -> None:
    text = '# about\nmsgid ""\nmsgstr "Plural-Forms: nplurals=1; plural=0;\\n"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n'
    head, fuzzy = read_catalogue(text)
    assert head.comments == ("# about",)
    assert fuzzy == Message("a", "", ("b",), ("#, fuzzy",))
    assert not fuzzy.is_said
    assert b"b" not in compiled([head, fuzzy]).split(b"\0")
    for broken in ("msgid a", 'msgid "a', '"a"', "nonsense", 'msgstr "without"\n'):
        with pytest.raises(BrokenCatalogue):
            read_catalogue(broken)


def test_the_messages_of_the_source_can_all_be_found() -> None:
    assert problems() == ()
    found = {(one.text, one.plural) for one in messages()}
    assert ("You draw {n} card.", "You draw {n} cards.") in found
    assert {
        ("it is not your turn", ""),
        ("Your match is open.", ""),
        ("{path} exists; --force writes over it.", ""),
    } <= found
    assert all(Path(name).suffix == ".py" for one in messages() for name in one.files)


def test_whoever_speaks_from_now_on_speaks_to_the_end_of_what_is_spoken() -> None:
    with HERE.spoken(ENGLISH):
        HERE.speak(catalogue("pt"))
        assert Words().say("yes") == "sim"
    assert Words().say("yes") == "yes"


@pytest.mark.parametrize("is_cut", [True, False])
@pytest.mark.parametrize("follows", [True, False])
@pytest.mark.parametrize("code", ["en", *CODES])
def test_what_is_live_and_how_much_is_checked_is_said_whatever_else_there_is_to_say(
    code: str, *, follows: bool, is_cut: bool
) -> None:
    """The end of a game, told with long names, is left out before that."""
    words = Words(("Bartholomew the Younger", "Maximiliana of Norwich"), None, LANGUAGES[code])
    replay = Replay(
        1300, 1300, is_open=True, is_live=True, follows=follows, is_cut=is_cut, checked=Checked(1200, 37, 0, 1180)
    )
    won = sure(STATES["win"].view)
    model = replace(STATES["watching"], words=words, replay=replay, view=won._replace(seat=None))
    live = words.say("live, follows") if follows else words.say("live, press . to follow")
    live = words.say("cut off, trying again") if is_cut else live
    checked = words.say("checking proofs {n} %", n=37), words.say("{n} % checked", n=37)
    for size in (Size(120, 40), Size(80, 24), Size(60, 20), Size(48, 16)):
        drawn = render(model, size).text
        assert any(text in drawn[0] for text in checked), size
        assert live in drawn[-2], size
    for size in (Size(40, 16), Size(40, 3), Size(40, 2)):
        drawn = render(model, size).text
        assert live in " ".join(" ".join(drawn).split()), size


def test_a_whole_sentence_in_the_source_is_a_message() -> None:
    known = {text for one in messages() for text in (one.text, one.plural)}
    strange = []
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
                is_sentence = re.fullmatch(r"[A-Z][^\n]* [^\n]* [^\n]*[.?!]", node.value)
                strange += [node.value] if is_sentence and node.value not in known else []
    assert strange == []


def _cut(model: Model, size: Size) -> list[str]:
    return [line for line in render(model, size).text if "…" in line]


def _read(model: Model, size: Size) -> str:
    """What is to be read, without what surrounds it."""
    return " ".join(" ".join(render(model, size).text).replace("│", " ").split())


def _filled(words: Words, message: str) -> str:
    names = [str(name) for _, name, _, _ in string.Formatter().parse(message) if name is not None]
    return words.say(message, **{name: SAMPLES.get(name, 3) for name in names})


@pytest.mark.parametrize(("code", "said"), [("en", "1.50"), ("pt", "1,50"), ("es", "1,50"), ("id", "1,50")])
def test_a_number_has_the_mark_of_the_language_before_its_last_digits(code: str, said: str) -> None:
    words = Words(language=LANGUAGES[code])
    assert words.decimal(1.5, 2) == said
    assert words.decimal(1499.6, 0) == "1500"
