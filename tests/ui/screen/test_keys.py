"""One key table: handlers, footer, help and manual cannot disagree."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import pytest
from ui.screen.states import STATES, TABLE, WORDS

from sm_p2p.rules.view import View
from sm_p2p.session.talk import Way
from sm_p2p.ui.keys import KEY_OF, KEYMAP, PLACES, Action, Mode, binding_of, bindings, key_name
from sm_p2p.ui.picking import NOTHING, Does, Ignores, Picking, press
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.screen.footer import footer_entries, footer_mode
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.model import Link, Model, Opponent
from sm_p2p.ui.screen.overlays import Details, Help, Listing, Looking, Offer, Overlay, Sheet, Talking
from sm_p2p.ui.screen.render import render
from sm_p2p.ui.screen.sheet import help_lines
from sm_p2p.ui.words import Words

VIEW = View(TABLE, 0, {})
OVERLAYS: Final[Mapping[Mode, Overlay]] = {
    Mode.LOOK: Looking(),
    Mode.READ: Sheet("A", ()),
    Mode.LIST: Listing("A", (("one", ""), ("two", "off")), is_turned=True),
    Mode.TYPE: Talking(),
    Mode.ASK: Offer("Ana", TABLE.variant),
}
ANY_KEY = [*map(chr, range(0x20, 0x7F)), *(key for binding in KEYMAP for key in binding.keys), "c-x", "f1"]


def model_in(mode: Mode) -> Model:
    """A model in which these keys are awake."""
    if mode is Mode.WATCH:
        return STATES["watching"]
    return replace(STATES["own turn"], overlay=OVERLAYS.get(mode))


def test_in_one_mode_no_key_does_two_things() -> None:
    for mode in Mode:
        keys = [key for binding in bindings(mode) for key in binding.keys]
        assert len(keys) == len({*keys}), mode


@pytest.mark.parametrize("mode", Mode)
def test_a_listed_key_works_and_no_other(mode: Mode) -> None:
    assert model_in(mode).mode is mode
    listed = {key for binding in bindings(mode) for key in binding.keys}
    working = {key for key in ANY_KEY if not isinstance(press(NOTHING, key, VIEW, mode), Ignores)}
    assert working == listed


def test_what_is_the_applications_comes_back_as_its_action() -> None:
    for mode in Mode:
        for binding in bindings(mode):
            for key in binding.keys:
                answer = press(NOTHING, key, VIEW, mode)
                is_own = mode is Mode.TABLE and binding.action.value <= Action.RIGHT.value
                assert is_own != (answer == Does(binding.action, key)), (mode, key)


@pytest.mark.parametrize("mode", Mode)
def test_help_names_every_key_of_a_mode_and_what_it_does(mode: Mode) -> None:
    lines = help_lines(WORDS, mode, 72)
    assert tuple(dict.fromkeys(binding for _, binding in lines)) == bindings(mode)
    text = "\n".join(line for line, _ in lines)
    for binding in bindings(mode):
        assert all(name in text for name in binding.shown)
        assert binding.help.split()[0] in text
    assert all(text_width(line) <= 72 for line, _ in lines)


@pytest.mark.parametrize("mode", Mode)
def test_the_footer_is_read_off_the_table_and_keeps_the_way_out(mode: Mode) -> None:
    model = model_in(mode)
    assert footer_mode(model) is mode
    every = footer_entries(model, 1000)
    assert {binding.keys for _, binding in every} <= {binding.keys for binding in bindings(mode)}
    for width in (300, 78, 46, 20, 5, 1):
        shown = footer_entries(model, width)
        assert set(shown) <= set(every)
        assert len(shown) == 1 or sum(text_width(text) + 2 for text, _ in shown) - 2 <= width
        ways_out = {Action.LEAVE, Action.CLOSE, Action.YES, Action.HELP}
        assert {binding.action for _, binding in shown} & ways_out
    for text, binding in every:
        assert text.startswith(binding.shown[0][:2])
        assert binding.label
        assert text.endswith(binding.label)


def test_the_footer_shows_only_what_would_do_something() -> None:
    own = STATES["own turn"]

    def actions(model: Model) -> set[Action]:
        return {binding.action for _, binding in footer_entries(model, 1000)}

    assert Action.TALK in actions(own)
    assert Action.TALK not in actions(replace(own, link=Link(Way.UP, Opponent.COMPUTER)))
    assert Action.BACK not in actions(own)
    assert Action.BACK in actions(replace(own, picking=Picking("p")))
    assert Action.END not in actions(own)
    assert Action.COPY in actions(replace(own, overlay=Details((), "sm-p2p://x")))
    assert Action.COPY not in actions(replace(own, overlay=Details(())))
    menu = Listing("A", (("one", "1"),))
    assert not {Action.LEFT, Action.RIGHT, Action.PAGE_UP} & actions(replace(own, overlay=menu))
    assert {Action.LEFT, Action.RIGHT} <= actions(replace(own, overlay=replace(menu, is_turned=True)))
    assert Action.PAGE_UP in actions(replace(own, overlay=replace(menu, entries=menu.entries * 20)))
    assert {Action.YES, Action.NO} == actions(STATES["discard asked"])


def test_with_four_centre_stacks_the_footer_names_the_fourth() -> None:
    for state, shown in (("own turn", "6-8"), ("four packs", "6-9")):
        assert any(text == f"{shown} centre" for text, _ in footer_entries(STATES[state], 78))


def test_a_click_on_a_line_of_the_help_presses_its_key() -> None:
    frame = render(replace(STATES["own turn"], overlay=Help()), Size(120, 40))
    zones = {zone.keys for zone in frame.zones}
    assert {("escape", binding.keys[0]) for binding in bindings(Mode.TABLE)[:20]} <= zones
    scrolled = render(replace(STATES["own turn"], overlay=Help(Mode.TABLE, 5000)), Size(80, 24))
    assert not any(len(zone.keys) > 1 for zone in scrolled.zones)


def test_each_place_has_a_key_and_back() -> None:
    assert {PLACES[key] for key in KEY_OF.values()} == {*KEY_OF} == {*PLACES.values()}
    assert [key_name(key) for key in ("c-m", "c-j", "c-i", " ", "c-c", "7")] == [
        "enter",
        "enter",
        "tab",
        "space",
        "c-c",
        "7",
    ]
    assert binding_of(Mode.TYPE, "a") is None


def test_labels_of_the_footer_are_translated() -> None:
    class Loud:
        def gettext(self, message: str, /) -> str:
            return message.upper()

        def ngettext(self, one: str, many: str, n: int, /) -> str:
            return (one if n == 1 else many).upper()

    loud = replace(STATES["own turn"], words=Words(("Bo", "Ana"), 0, Loud()))
    assert footer_entries(loud, 78)[0][0] == "0-5 CARD"
