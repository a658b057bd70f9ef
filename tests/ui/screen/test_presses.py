"""Two presses make a move: over a thousand random positions of all variants, and one by one."""

from typing import Final

import pytest
from ui.screen.positions import positions
from ui.screen.states import FACES, TABLE

from sm_p2p.rules.moves import END, PAY_OFF, SOURCES, Move
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.table import Owed, Slot
from sm_p2p.rules.view import View
from sm_p2p.ui.board import Stack
from sm_p2p.ui.keys import KEY_OF, Action, Mode
from sm_p2p.ui.picking import (
    NOTHING,
    Does,
    Ignores,
    Picking,
    Picks,
    Plays,
    Pressed,
    Question,
    Refuses,
    Why,
    kept,
    press,
    stack_of,
    targets,
)
from sm_p2p.ui.words import Words

SKIP: Final = Question.SKIP
PLACE_KEYS: Final = tuple("0123456789abcd")
TARGET_KEYS: Final = tuple("6789abcd")
FIRST_KEYS: Final = (*PLACE_KEYS, "p", "e", "space")
ARROWS: Final = ("up", "down", "left", "right", "enter")
VIEW: Final = View(TABLE, 0, FACES)
WORDS: Final = Words(("Bo", "Ana"), 0)


def pressed(*keys: str, view: View = VIEW, question: Question = Question.ASK, picking: Picking = NOTHING) -> Pressed:
    """What the last of these keys does."""
    last: Pressed = Ignores()
    for key in keys:
        last = press(picking, key, view, question=question)
        if isinstance(last, Picks | Refuses):
            picking = last.picking
    return last


def made(view: View, question: Question) -> tuple[set[Move], set[Move]]:
    """The moves that one or two presses make, and those that are asked about after them."""
    first = [press(NOTHING, key, view, question=question) for key in FIRST_KEYS]
    picked = {answer.picking for answer in first if isinstance(answer, Picks | Refuses) and not answer.picking.asks}
    second = [
        press(picking, key, view, question=question)
        for picking in picked
        for key in (
            *TARGET_KEYS,
            *(KEY_OF[source] for source in (picking.source,) if source and source not in TARGET_KEYS),
        )
    ]
    answers = [*first, *second]
    asked = {answer.picking.asks for answer in answers if isinstance(answer, Picks)}
    return {answer.move for answer in answers if isinstance(answer, Plays)}, {move for move in asked if move}


def by_arrows(view: View) -> set[Move]:
    """The moves that arrows and Enter make."""
    found: set[Move] = set()
    waiting, seen = [NOTHING], {NOTHING}
    while waiting:
        picking = waiting.pop()
        for key in ARROWS:
            match press(picking, key, view, question=SKIP):
                case Plays(move):
                    found.add(move)
                case Picks(after) if after not in seen:
                    seen.add(after)
                    waiting.append(after)
                case _:
                    pass
    return found


def test_there_are_a_thousand_positions_and_moves_of_every_kind() -> None:
    moves = {move for view in positions() for move in view.legal_moves}
    assert len(positions()) == 1000
    assert {move.source for move in moves} == {*SOURCES, ""}
    assert {move.target for move in moves} == {"", "c1", "c2", "c3", "c4", "a", "b", "c", "d"}


def test_two_presses_make_every_legal_move_and_no_other() -> None:
    for view in positions()[::8]:
        assert made(view, SKIP) == ({*view.legal_moves}, set()), view.table


def test_two_presses_make_it_or_ask_about_an_end_of_the_turn_beside_a_pay_off_play() -> None:
    for view in positions():
        legal = {*view.legal_moves}
        pays = any(move >> 3 == PAY_OFF for move in legal)
        asked = {move for move in legal if pays and move.ends_turn}
        assert made(view, Question.ASK) == (legal - asked, asked), view.table


def test_arrows_and_enter_alone_make_every_legal_move() -> None:
    for view in positions()[::20]:
        assert by_arrows(view) == {*view.legal_moves}, view.table


def test_the_same_key_again_or_enter_or_space_plays_to_the_only_stack() -> None:
    only = Plays(Move.parse("p-c1"))
    assert pressed("0", "0") == pressed("p", "0") == pressed("0", "enter") == pressed("space") == only
    assert pressed("1", "1") == Plays(Move.parse("h1-c1"))


def test_a_card_that_fits_several_stacks_waits_for_the_stack() -> None:
    answer = pressed("3", "3")
    assert answer == Refuses(Picking("h3"), Why.FITS_SEVERAL, (("card", "KD"), ("keys", "6 7 8")))
    assert isinstance(answer, Refuses)
    assert answer.say(WORDS) == "KD fits several centre stacks: press 6 7 8."
    assert targets(answer.picking, VIEW) == ("c1", "c2", "c3", "a", "b", "c", "d")


@pytest.mark.parametrize(
    ("keys", "picking", "why"),
    [
        ("26", "h2", "2 needs A beneath it, and [6] waits for 8."),
        ("56", "h5", "An ace needs an empty stack, and [6] waits for 8."),
        ("22", "h2", "2H fits no centre stack now."),
        ("0b", "p", "The card at [0] can only go to a centre stack."),
        ("ab", "a", "The card at [a] can only go to a centre stack."),
        ("6", "", "Pick a card first."),
        ("d", "", "There is no card at [d]."),
        ("19", "h1", "There is no [9] in this game."),
        ("e", "", "A turn ends with a card from the hand onto a side stack."),
    ],
)
def test_an_illegal_press_says_why_and_keeps_the_pick(keys: str, picking: str, why: str) -> None:
    answer = pressed(*keys)
    assert isinstance(answer, Refuses)
    assert (answer.picking.source, answer.say(WORDS)) == (picking, why)


def test_another_card_is_picked_in_place_of_the_first() -> None:
    assert pressed("1", "2") == Picks(Picking("h2"))
    assert pressed("a", "1") == Picks(Picking("h1"))
    assert pressed("1", "0") == Picks(Picking("p"))
    assert pressed("3", "tab", "2") == Picks(Picking("h2"))


def test_escape_puts_back_and_sends_nothing() -> None:
    assert pressed("1", "escape") == pressed("1", "right", "escape") == Picks(NOTHING)


def test_a_discard_beside_a_pay_off_play_asks_once() -> None:
    discard = Move.parse("h1-b")
    asked = Picking("h1", asks=discard)
    assert pressed("1", "b") == Picks(asked)
    assert pressed("1", "b", "b") == pressed("1", "b", "y") == pressed("1", "b", "enter") == Plays(discard)
    assert pressed("1", "b", "escape") == pressed("1", "b", "n") == pressed("1", "b", "c") == Picks(Picking("h1"))
    assert pressed("1", "b", question=SKIP) == Plays(discard)
    assert pressed("1", "b", "c-c") == Does(Action.LEAVE, "c-c")
    assert pressed("1", "b", "c-l") == Does(Action.REPAINT, "c-l")


def test_an_emptied_hand_ends_the_turn_with_its_own_key() -> None:
    game = Sketch("refill=next-turn", hand="", top="2C", centre=(1, 0, 0)).game()
    view = game.view(0)
    assert pressed("e", view=view) == Picks(Picking(asks=END))
    assert pressed("e", "e", view=view) == pressed("e", "y", view=view) == Plays(END)
    assert pressed("down", "enter", view=view, question=SKIP) == Plays(END)
    assert pressed("1", view=view) == Refuses(NOTHING, Why.EMPTY, (("place", "h1"),))


def test_tab_walks_the_targets_and_without_a_pick_the_cards_that_can_be_played() -> None:
    assert [_cursor("3", *["tab"] * count) for count in (1, 3, 4, 8)] == ["c1", "c3", "a", "c1"]
    assert _cursor("3", "s-tab") == "d"
    assert _cursor("tab") == "p"
    assert pressed("3", "tab", "tab", "enter") == Plays(Move.parse("h3-c2"))
    assert pressed("tab", "enter", "enter") == Plays(Move.parse("p-c1"))
    assert pressed("b", "tab") == Picks(Picking("b"))


def test_tab_finds_the_discards_where_nothing_can_be_played_and_nothing_where_there_is_nothing() -> None:
    view = Sketch(hand="JS x QC").game().view(0)
    assert pressed("tab", view=view) == Picks(Picking(cursor="h1"))
    owed = view._replace(table=view.table._replace(variant=view.table.variant), faces={})
    assert pressed("tab", view=owed) == Refuses(NOTHING, Why.PICK_FIRST)


def test_arrows_start_at_the_hand_and_stay_on_the_table() -> None:
    assert _cursor("left") == "h1"
    assert _cursor("left", "left", "up", "up", "up", "left") == "c1"
    assert _cursor("2", "right", "right", "right", "right", "down") == "h5"
    assert pressed("left", "up", "up", "enter") == Refuses(Picking(cursor="c1"), Why.PICK_FIRST)
    assert pressed("left", "up", "right", "right", "right", "right", "enter") == Refuses(
        Picking(cursor="d"), Why.EMPTY, (("place", "d"),)
    )
    assert pressed("enter") == Refuses(NOTHING, Why.PICK_FIRST)


def test_nothing_is_picked_out_of_turn_but_everything_else_works() -> None:
    view = View(TABLE._replace(to_move=1), 0, FACES)
    assert pressed("1", view=view) == Refuses(NOTHING, Why.NOT_YOUR_TURN)
    assert pressed("1", view=View(TABLE, None, {})) == Refuses(NOTHING, Why.NOT_YOUR_TURN)
    assert pressed("h", view=view) == Does(Action.HINT, "h")
    assert press(NOTHING, "1", None) == Refuses(NOTHING, Why.NO_TABLE)
    assert press(NOTHING, "x", None) == Ignores()


def test_while_the_next_cards_are_on_their_way_a_card_can_be_picked_but_not_played() -> None:
    game = Sketch(hand="2C 3D 4H", top="AS", centre=(0, 1, 0)).game()
    table = game.table
    owing = game.play(Move.parse("h1-c2")).table
    view = View(owing._replace(owed=Owed((), (), top=False, draws=(Slot(60),))), 0, game.view(0).faces)
    assert table.to_move == 0
    for keys in (("2", "7"), ("2", "2"), ("2", "a")):
        answer = pressed(*keys, view=view)
        assert isinstance(answer, Refuses)
        assert answer.say(WORDS) == "The next cards have not been shown yet."
        assert answer.picking.source == "h2"


def test_a_pick_stays_as_long_as_its_card_lies_there_in_our_turn() -> None:
    empty = TABLE._replace(places=(TABLE.places[0]._replace(hand=(None,) * 5), TABLE.places[1]))
    assert kept(Picking("h1"), VIEW) == Picking("h1")
    assert kept(Picking("h1"), View(empty, 0, FACES)) == NOTHING
    assert kept(Picking("p"), View(TABLE._replace(to_move=1), 0, FACES)) == NOTHING
    assert kept(Picking("p"), None) == NOTHING


def test_a_stack_is_named_by_its_key_also_for_an_onlooker() -> None:
    onlooker = View(TABLE, None, {})
    for view in (VIEW, onlooker):
        assert stack_of("b", view) == Stack(0, 1)
        assert stack_of("B", view) == Stack(1, 1)
        assert stack_of("7", view) == Stack(None, 1)
        assert stack_of("9", view) is stack_of("1", view) is stack_of("x", view) is None
    assert stack_of("b", View(TABLE, 1, {})) == Stack(1, 1)
    assert stack_of("b", None) is None
    assert press(NOTHING, "B", VIEW, Mode.LOOK) == Does(Action.STACK, "B")


def _cursor(*keys: str) -> str:
    answer = pressed(*keys)
    assert isinstance(answer, Picks)
    return answer.picking.cursor
