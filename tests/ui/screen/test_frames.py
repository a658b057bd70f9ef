"""Every frame fits its terminal exactly, and says by characters all that it says by colour."""

import random
import re
import unicodedata
from dataclasses import replace
from typing import Final

import pytest
from ui.catalogue import Marked, messages
from ui.screen.positions import positions
from ui.screen.states import LOG, RARE, STATES, WORDS
from wcwidth import wcswidth, wcwidth

from sm_p2p.errors import sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import Happening, Played, TurnedUp
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import How, Outcome
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Said
from sm_p2p.session.state import State
from sm_p2p.session.talk import Way
from sm_p2p.ui.keys import Mode
from sm_p2p.ui.picking import Picking, Picks, Plays, Question, press, targets
from sm_p2p.ui.screen.frame import Frame, Size
from sm_p2p.ui.screen.looks import ASCII, CLASSES, GLYPHS, UNICODE, Charset, Colours, Look, can_show, style_rules
from sm_p2p.ui.screen.model import Hint, Link, LogLine, Model, Opponent, Replay, latency_step
from sm_p2p.ui.screen.over import page, scroll_limit
from sm_p2p.ui.screen.overlays import FullLog, Help, Listing, Prompt, Rules, ScoreSheet, Sheet, Talking
from sm_p2p.ui.screen.render import render
from sm_p2p.ui.words import Words

SIZES: Final = (Size(80, 24), Size(48, 16), Size(80, 24), Size(120, 40), Size(48, 16), Size(100, 30), Size(60, 20))
EDGES: Final = tuple(
    Size(columns, rows)
    for columns in (1, 2, 3, 7, 47, 48, 79, 80, 119, 120, 300)
    for rows in (1, 2, 3, 15, 16, 23, 24, 39, 40, 100)
)
JOKES: Final = (
    "\x1b[31mred\x1b[0m",
    "a & <b>{name}</b>",
    "\u202egnirts",
    "line\nbreak\ttab",
    "日本語の名前です日本語の名前です",
    "👍🏽👨‍👩‍👧🇩🇪❤️☕",
    "e\u0301clair Ünïcödé",
    "\u1100\u1161\u11a8한국",
    "".join(map(chr, range(0x300, 0x318))),
    "x" * 400,
    "{0} %s {",
)


def fits(frame: Frame, size: Size) -> bool:
    """Whether each line is exactly as wide as the terminal, cell by cell, and all zones lie in it."""
    return len(frame.lines) == size.rows and all(_cells(line) == size.columns for line in frame.text)


def _cells(line: str) -> int:
    return sum(map(wcwidth, line))


def test_a_thousand_positions_fit_and_show_no_wide_or_pictorial_character() -> None:
    allowed = {*map(chr, range(0x20, 0x7F)), *GLYPHS}
    for at, view in enumerate(positions()):
        size = SIZES[at % len(SIZES)]
        source = view.legal_moves[at % len(view.legal_moves)].source
        model = Model(WORDS, view=view, is_our_turn=True, picking=Picking(source))
        frame = render(model, size)
        assert all(wcswidth(line) == len(line) == size.columns for line in frame.text), view.table
        assert len(frame.text) == size.rows
        assert {*"".join(frame.text)} <= allowed


@pytest.mark.parametrize(("turn", "state"), [*enumerate(STATES)])
def test_every_state_fits_sizes_on_both_sides_of_every_edge(turn: int, state: str) -> None:
    for at, size in enumerate(EDGES[turn % 3 :: 3]):
        look = (UNICODE, ASCII)[at % 2]
        frame = render(STATES[state], size, look)
        assert fits(frame, size), size
        assert all(zone.rect.left >= 0 and zone.rect.top >= 0 for zone in frame.zones)
        assert frame.cursor is None or (0 <= frame.cursor[0] < size.columns and 0 <= frame.cursor[1] < size.rows)


def test_any_size_fits() -> None:
    dice = random.Random(7)
    models = [*STATES.values(), *RARE]
    for turn in range(110):
        size = Size(dice.randint(1, 300), dice.randint(1, 100))
        assert fits(render(models[turn % len(models)], size), size), size
    for size in (Size(0, 0), Size(0, 5), Size(5, 0)):
        assert fits(render(models[0], size), size)


@pytest.mark.parametrize("joke", JOKES, ids=range(len(JOKES)))
def test_a_joke_in_a_name_or_in_the_chat_moves_nothing(joke: str) -> None:
    own = STATES["own turn"]
    words = Words((joke, joke[::-1]), 0)
    said = (Said(0, joke), Said(1, joke * 3))
    typed = len(joke) // 2
    overlays = (
        None,
        Talking(joke, typed),
        Prompt(joke, (joke,), joke, typed),
        Sheet(joke, (joke,)),
        Listing(joke, ((joke, joke),)),
    )
    for overlay in overlays:
        for size in (Size(48, 16), Size(80, 24), Size(120, 40)):
            for look in (UNICODE, ASCII):
                frame = render(replace(own, words=words, chat=said, overlay=overlay, message=joke), size, look)
                assert fits(frame, size)
                text = "".join(frame.text)
                assert not any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Cn"} for character in text)
                assert look is UNICODE or text.isascii()


def test_ascii_moves_nothing() -> None:
    for state, model in STATES.items():
        fancy, plain = (
            render(model, Size(80, 24), Look(charset)).lines for charset in (Charset.UNICODE, Charset.ASCII)
        )
        assert [[(style, len(text)) for style, text in line] for line in fancy] == [
            [(style, len(text)) for style, text in line] for line in plain
        ], state


def test_every_style_of_a_frame_has_a_rule() -> None:
    known = {f"class:{name}" for name in CLASSES}
    for model in STATES.values():
        styles = {name for line in render(model, Size(80, 24)).lines for style, _ in line for name in style.split()}
        assert styles <= known


def test_only_the_terminals_own_colours_are_used_and_no_background() -> None:
    for colours in Colours:
        rules = style_rules(Look(colours=colours))
        words = {word for _, rule in rules for word in rule.split()}
        assert words <= {"reverse", "bold", "underline", "ansired", "ansigreen", "ansiblue", "ansicyan", "ansimagenta"}
        assert colours is not Colours.NONE or not any(word.startswith("ansi") for word in words)
        assert {name for name, _ in rules} == {*CLASSES}
    four = dict(style_rules(Look(colours=Colours.FOUR)))
    assert len({four[f"sm.suit-{suit}"] for suit in "cdhs"}) == 4


def test_only_an_encoding_with_all_glyphs_can_show_them() -> None:
    assert can_show("utf-8")
    assert not any(map(can_show, ("ascii", "latin-1", "cp437", "nonsense", None)))
    assert {wcwidth(glyph) for glyph in GLYPHS} == {1}
    as_pictures = {glyph for glyph in GLYPHS if wcswidth(f"{glyph}\ufe0f") > 1}
    assert as_pictures == {*"♣♦♥♠"}  # which no terminal draws as pictures unless it is asked to


def test_a_legal_target_is_reversed_and_marked_and_so_is_the_pick() -> None:
    model = replace(STATES["own turn"], picking=Picking("h3", "c2"))
    for size in (Size(120, 40), Size(80, 24), Size(48, 16)):
        frame = render(model, size)
        text = "\n".join(frame.text)
        marked = {place for place in ("[6]", "[7]", "[8]", "[a]", "[b]", "[c]", "[d]") if f">{place}" in text}
        assert len(marked) == len(targets(model.picking, model.view)) == 7
        assert "*[3]" in text
        assert "[7]<" in text or "[7]K=4<" in text
        for face, style in (("7♦", "sm.target"), ("Q♣", "sm.target"), ("K♦", "sm.pick")):
            found = [classes for line in frame.lines[1:-2] for classes, text in line if face in text]
            assert any(f"class:{style}" in classes.split() for classes in found), (face, size)


def test_a_sentence_in_the_list_of_moves_is_seen_whole() -> None:
    sentence = "this is a sentence of medium size that needs three of its short lines"
    model = replace(STATES["own turn"], log=(*LOG * 4, LogLine(0, sentence)))
    frame = render(model, Size(80, 24))
    right = " ".join(" ".join(line[49:].split()) for line in frame.text)
    assert sentence in right
    scrolled = ["\n".join(render(replace(model, log_scroll=by), Size(80, 24)).text) for by in (2, 3, 999)]
    assert [("three" in text, "this is" in text) for text in scrolled] == [
        (False, True),
        (False, False),
        (False, False),
    ]
    assert "12 You K♠" in scrolled[2]


@pytest.mark.parametrize("name", ["Bo", "Computer", "日本語の名前です日本"])
def test_what_a_king_stands_for_and_what_is_left_are_never_cut_off(name: str) -> None:
    king, card = Card.parse("KS"), Card.parse("10S")
    expected: dict[str, Happening] = {
        r"up, 10 left": TurnedUp(1, card, 10),
        **{rf"K♠ .*> {move[-2:]}(?: as |=)10": Played(1, Move.parse(move), king, 10) for move in ("p-c1", "d-c3")},
    }
    model = replace(STATES["own turn"], words=Words(("Ana", name), 0), chat=())
    for pattern, happening in expected.items():
        for size in (Size(80, 24), Size(48, 16), Size(120, 40)):
            text = "\n".join(render(replace(model, log=(LogLine(3, happening),)), size).text)
            assert re.search(pattern, text), text


def test_a_hint_names_the_keys_that_make_its_move() -> None:
    for move, keys in (("p-c1", "[0] [6]"), ("h3-b", "[3] [b]"), ("c-c3", "[c] [8]"), ("end", "[e]")):
        model = replace(STATES["own turn"], hint=Hint(Move.parse(move), None))
        for size in (Size(80, 24), Size(48, 16), Size(120, 40)):
            assert keys in "\n".join(render(model, size).text)


@pytest.mark.parametrize("size", [Size(80, 24), Size(48, 16)], ids=str)
def test_a_verdict_stands_beside_or_below_the_moves(size: Size) -> None:
    verdict = "hard: AS p-c1", "12.3 % more; so 50.0 % to win"
    text = "\n".join(render(replace(STATES["watching"], verdict=verdict), size).text)
    assert "ANALYSIS (a)" in text
    assert "hard: A♠ p-c1" in text
    assert "12.3 % more" in text


def test_before_the_first_card_the_status_row_says_what_is_waited_for() -> None:
    lobby = Model()
    seated = replace(lobby, link=Link(Way.CONNECTING))
    assert [render(model, Size(80, 24)).text[-2].strip() for model in (lobby, seated)] == [
        "",
        "The table is being set.",
    ]


def test_a_guest_reads_his_host_s_name_before_the_first_deal() -> None:
    offered = STATES["offer"]
    match = replace(offered.match, players=offered.match.players[:1], state=State.JOIN)
    guest = replace(offered, words=Words(("Ana", ""), 1), match=match, link=Link(step_ms=10))
    assert "● Ana 10 ms" in render(guest, Size(80, 24)).text[0]


def test_behind_the_last_game_the_status_row_names_the_key_that_goes_on() -> None:
    won = STATES["win"]
    closed = replace(won, match=replace(won.match, state=State.CLOSED), banner=None)
    for model, is_named in ((replace(won, banner=None), False), (closed, True)):
        frame = render(model, Size(80, 24))
        assert "You win the game and score 18 points." in frame.text[-2]
        assert ("Enter: what comes next" in frame.text[-2]) is is_named
        assert any(zone.keys == ("enter",) and zone.rect.top == 22 for zone in frame.zones) is is_named


def test_in_a_replay_it_is_said_who_resigned_and_not_that_somebody_scores_for_it() -> None:
    view = sure(STATES["win"].view)
    resigned = view._replace(seat=None, table=view.table._replace(outcome=Outcome(How.RESIGN, 0, 5)))
    model = replace(STATES["watching"], replay=Replay(9, 9), view=resigned)
    row = render(model, Size(80, 24)).text[-2]
    assert f"Entry 9 of 9 · {model.words.name(1)} resigns. · stands still" in row


def test_no_sliver_of_the_table_is_left_beside_a_wide_box() -> None:
    for width in range(60, 80):
        sheet = Sheet("A", ("x" * width,))
        row = render(replace(STATES["own turn"], overlay=sheet), Size(80, 24), ASCII).text[11]
        left, right = row.index(" | x"), 80 - row.rindex(" | ") - len(" | ")
        assert (left, right) == (0, 0) or min(left, right) > 1, row


def test_an_empty_place_a_back_and_a_face_differ_in_characters() -> None:
    text = "\n".join(render(STATES["own turn"], Size(80, 24), ASCII).text)
    assert "+....+" in text
    assert "|#40#|" in text
    assert "| 8C |" in text


def test_the_mouse_alone_makes_every_legal_move() -> None:
    for at, view in enumerate(positions()[::60]):
        size = SIZES[at % len(SIZES)]
        for move in view.legal_moves:
            assert move in _clicked(view, size, move.source or "h1", move.target), (move, view.table)


def _clicked(view: View, size: Size, source: str, target: str) -> set[object]:
    """The moves that a click on a source and one on a target make; or on what the footer offers."""
    found: set[object] = set()
    picking = Picking()
    for place in (source, target):
        frame = render(Model(WORDS, view=view, is_our_turn=True, picking=picking), size)
        for keys in {zone.keys for zone in frame.zones if len(zone.keys) == 1}:
            match press(picking, keys[0], view, question=Question.SKIP):
                case Plays(move):
                    found.add(move)
                case Picks(after) if after.source == place:
                    picking = after
                case _:
                    pass
    return found


def test_a_click_is_the_keys_of_the_topmost_zone() -> None:
    frame = render(STATES["own turn"], Size(80, 24))
    assert _keys(frame, 10, 8) == ("6",)
    assert _keys(frame, 3, 13) == ("0",)
    assert _keys(frame, 11, 3) == ("v", "A")
    assert _keys(frame, 3, 3) == _keys(frame, 3, 8) == ()
    assert _keys(frame, 50, 1) == ("l",)
    assert _keys(frame, 40, 0) == ("i",)
    watching = render(STATES["watching"], Size(80, 24))
    assert _keys(watching, 10, 8) == ("v", "6")
    assert _keys(watching, 10, 13) == ("v", "a")
    picked = render(STATES["picked"], Size(80, 24))
    assert _keys(picked, 30, 22) == ("escape",)
    question = render(STATES["quit asked"], Size(80, 24))
    assert ("y",) in {zone.keys for zone in question.zones}
    assert ("1",) not in {zone.keys for zone in question.zones}
    menu = render(STATES["menu"], Size(80, 24))
    assert {("enter",), ("down", "enter"), ("down", "down", "enter")} <= {zone.keys for zone in menu.zones}
    assert menu.pane_at(40, 11) is not None
    assert menu.pane_at(0, 0) is None


def test_every_mode_has_its_model() -> None:
    assert {model.mode for model in STATES.values()} == {*Mode} - {Mode.LOOK}


def _keys(frame: Frame, column: int, row: int) -> tuple[str, ...]:
    zone = frame.zone_at(column, row)
    return () if zone is None else zone.keys


def test_every_label_is_translated() -> None:
    language = Marked()
    for model in (*STATES.values(), *RARE):
        loud = replace(model, words=Words(model.words.names, model.words.you, language))
        for size in (Size(40, 9), Size(48, 16), Size(80, 24), Size(120, 40)):
            render(loud, size)
    assert language.asked <= messages()
    assert {"stock", "needs {rank}", "low!", "MOVES (l: full log)", "card", "quit"} <= language.asked


class Wordy:
    """A language that needs three times as many words."""

    def gettext(self, message: str, /) -> str:
        """The message, at length."""
        return f"{message} {message} {message}"

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The fitting form, at length."""
        return self.gettext(one if n == 1 else many)


def test_in_a_language_of_long_words_every_rank_and_number_is_still_seen() -> None:
    for state, model in STATES.items():
        wordy = replace(model, words=Words(model.words.names, model.words.you, Wordy()))
        for size in (Size(48, 16), Size(80, 24), Size(120, 40)):
            assert fits(render(wordy, size), size), state
    boxes = render(replace(STATES["own turn"], words=Words(("Bo", "Ana"), 0, Wordy())), Size(80, 24)).text
    assert boxes[10].split("│")[0].split() == ["stock", "…", "8", "5", "A"]
    assert boxes[15].split("│")[0].split() == ["17", "[a]", "×2", "[b]", "×1", "[c]", "×1", "[d]", "–"]
    small = render(replace(STATES["own turn"], words=Words(("Bo", "Ana"), 0, Wordy())), Size(48, 16)).text
    assert small[6].split() == ["40", "8", "5", "A"]


def test_in_a_narrow_list_short_values_stay_and_what_has_no_room_is_said_of_the_marked_entry() -> None:
    entries = (("a label that is much too long for a narrow list", "on"), ("short", "off"))
    for at, below in ((0, "– a label that is much too long for a"), (1, f"│{' ' * 44}│")):
        text = render(Model(overlay=Listing("L", entries, at)), Size(48, 16)).text
        assert any(re.search(r"a label that is much too .*…  on ", line) for line in text)
        assert any(re.search(r"short +off ", line) for line in text)
        assert any(below in line for line in text)
    long = (("one", "what this one is good for, at length"), ("two", "something else"))
    widths = set()
    for at, (_, said) in enumerate(long):
        text = render(Model(overlay=Listing("L", long, at)), Size(48, 16)).text
        assert f"– {said}" in "\n".join(text)
        widths.add(next(line.index("┐") for line in text if "┐" in line))
    assert len(widths) == 1  # the box stands still
    many = tuple((str(number), "x" * 40) for number in range(30))
    assert "1-9/30" in "\n".join(render(Model(overlay=Listing("L", many, 0)), Size(48, 16)).text)


def test_what_is_said_in_passing_takes_the_rows_that_it_needs_and_no_more() -> None:
    own = STATES["own turn"]
    short, long, longest = ("word " * count + "end" for count in (3, 12, 24))
    for message, rows in ((short, 1), (long, 2), (longest, 3)):
        frame = render(replace(own, message=message), Size(48, 16))
        assert " ".join(" ".join(frame.text[-rows:] if rows > 1 else frame.text[-2:-1]).split()).endswith("end")
        assert ("q quit" in frame.text[-1]) is (rows == 1)
        assert frame.text[-3].startswith("─") is (rows < 3)
    far = render(replace(own, message="word " * 200), Size(48, 16))
    assert fits(far, Size(48, 16))


def test_a_sheet_scrolls_to_its_end_and_no_further() -> None:
    size = Size(80, 24)
    for sheet in (Help(), Rules(), FullLog(), ScoreSheet()):
        model = replace(STATES["own turn"], overlay=sheet)
        most = scroll_limit(model, sheet, size)
        pictures = [
            render(replace(model, overlay=replace(sheet, scroll=scroll)), size).text
            for scroll in (0, most, most + 9, -4)
        ]
        assert pictures[1] == pictures[2]
        assert pictures[0] == pictures[3]
        assert (pictures[0] != pictures[1]) == (most > 0)
    assert page(size) == 17


def test_a_latency_is_shown_in_steps() -> None:
    assert [latency_step(seconds) for seconds in (0, 0.005, 0.0051, 0.3, 9)] == [5, 5, 10, 500, 500]


@pytest.mark.parametrize(
    ("link", "text"),
    [
        (Link(), "● Ana"),
        (Link(step_ms=10), "● Ana 10 ms"),
        (Link(Way.CONNECTING), "○ connecting"),
        (Link(Way.RECONNECTING, waited_s=12), "○ reconnecting 12 s"),
        (Link(is_away=True), "○ Ana away"),
        (Link(opponent=Opponent.COMPUTER), "◆ computer"),
        (Link(opponent=Opponent.NOBODY), "◇ watching"),
        (Link(opponent=Opponent.NOBODY, watchers=2), "◇ watching 2"),
        (Link(step_ms=5, watchers=2), "● Ana 5 ms ◇ watching 2"),
    ],
)
def test_the_way_to_the_other_side_in_a_sign_and_a_word(link: Link, text: str) -> None:
    bar = render(replace(STATES["own turn"], link=link), Size(120, 40)).text[0]
    assert f"│ {text} │" in bar


def test_a_hint_names_cards_as_the_table_shows_them() -> None:
    hint = Hint(Move.parse("h1-b"), None, "goes on downwards from 8C")
    for charset, card in ((Charset.UNICODE, "8♣"), (Charset.ASCII, "8C")):
        shown = " ".join(render(replace(STATES["own turn"], hint=hint), Size(80, 24), Look(charset)).text)
        assert f"downwards from {card}" in " ".join(shown.split())
