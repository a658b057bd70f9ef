"""What a player must have seen, read off a real screen: every moment, in its order, and what every key does there."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

import pytest
from ui.app.pane import Pane, at_table, next_wish, run
from ui.screen.positions import positions
from ui.screen.states import WORDS
from ui.stage import Stage

from sm_p2p.bot.greedy import choose
from sm_p2p.errors import IllegalMove, sure
from sm_p2p.rules.happenings import Completed, Drew, Finished, Happening, Played
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced
from sm_p2p.session.state import State
from sm_p2p.session.talk import Refused
from sm_p2p.ui.keys import Mode, bindings
from sm_p2p.ui.picking import NOTHING, Picking, Picks, Plays, Question, press
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.looks import ASCII, UNICODE
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.render import render

SIZES: Final = ((80, 24), (48, 16), (120, 40))
ARROWS: Final = ("up", "down", "left", "right", "enter")
NEEDS: Final = 10  # the row, at 80×24, that says what each centre stack needs
AHEAD: Final = 4  # as many moves as it takes until cards travel


def paths(view: View) -> dict[Move, tuple[str, ...]]:
    """Arrows and Enter that make each move, the fewest."""
    found: dict[Move, tuple[str, ...]] = {}
    waiting: list[tuple[Picking, tuple[str, ...]]] = [(NOTHING, ())]
    seen = {NOTHING}
    for picking, keys in waiting:
        for key in ARROWS:
            match press(picking, key, view, question=Question.SKIP):
                case Plays(move):
                    found.setdefault(move, (*keys, key))
                case Picks(after) if after not in seen:
                    seen.add(after)
                    waiting.append((after, (*keys, key)))
                case _:
                    pass
    return found


def test_arrows_and_enter_alone_make_every_legal_move() -> None:
    async def story() -> None:
        async with at_table(seed=22, ask_discard="off") as (found, stage):
            view = stage.view(0)
            ways = paths(view)
            assert {*ways} == {*view.legal_moves}
            for move, keys in ways.items():
                await found.pressed(*keys)
                assert await next_wish(found) == move
                found.terminal.show(Refused(IllegalMove("once more")), stage.situation)
                await found.pressed("escape")

    run(story)


def test_random_positions_are_on_the_screen_what_they_are_in_their_frame() -> None:
    async def story(size: tuple[int, int], views: tuple[View, ...]) -> None:
        look = (UNICODE, ASCII)[size[0] % 5 > 0]
        async with at_table(*size, look=look) as (found, _):
            for view in views:
                source = view.legal_moves[-1].source
                model = Model(WORDS, view=view, is_our_turn=True, picking=Picking(source))
                found.terminal._picture.show(model)
                found.draw()
                lines = render(model, Size(*size), look).text
                assert found.emulator.screen.display == [*lines]

    for at, size in enumerate(SIZES):
        run(lambda size=size, at=at: story(size, positions()[at * 7 :: 160]))  # type: ignore[misc]


def heads(news: list[Advanced]) -> Iterator[tuple[str, int]]:
    """What the bar says of the log after each entry, and the number of the entry."""
    for item in news:
        yield f"✓ {item.after.chain.head.hex()[:4]}", item.after.chain.seq


def test_no_screen_is_older_than_the_one_before_and_the_last_one_is_the_table() -> None:
    async def story() -> None:
        async with at_table(seed=4, speed="fast") as (found, stage):
            frames = found.film()
            seqs: dict[str, int] = {}
            for _ in range(AHEAD):
                news = stage.move(choose(stage.view(sure(stage.match.speaker))))
                seqs |= heads(news)
                found.tell(news, stage)
            await found.until(lambda: found.terminal._table._projector.is_over)
            await found.still()
            shown = [seqs[head] for frame in frames if (head := mark(frame[0])) in seqs]
            assert shown == sorted(shown)
            assert len({*shown}) > 2
            assert shown[-1] == stage.match.chain.seq

    run(story)


def mark(bar: str) -> str:
    """The mark of the log in the bar."""
    found = re.search(r"✓ \w{4}", bar)
    return "" if found is None else found.group()


def completing(stage: Stage) -> Move:
    """The next move that completes a stack; everything before it is made."""
    while not stage.match.outcomes:
        view = stage.view(sure(stage.match.speaker))
        for move in view.legal_moves:
            if not move.ends_turn and len(view.table.centre[move & 7]) == 11:
                return move
        stage.move(choose(view))
    pytest.fail("no stack was completed")


def test_the_completing_card_is_on_the_screen_before_its_stack_is_cleared() -> None:
    async def story() -> None:
        async with at_table(seed=4, speed="fast") as (found, stage):
            move = completing(stage)
            frames = found.film()
            found.tell(stage.move(move), stage)
            await found.until(lambda: found.terminal._table._projector.is_over)
            await found.still()
            left = 8 * (1 + (move & 7))
            needs = [said[1] for frame in frames if (said := re.match(r" needs ?(\w+|–)", frame[NEEDS][left:]))]
            assert [need for need, _ in groupby(needs)][-2:] == ["–", "A"]
            full = next(frame for frame in frames if frame[NEEDS][left:].startswith(" needs –"))
            assert re.search("Q[♠♥♦♣]|K=Q", full[NEEDS - 2][left : left + 8])

    run(story)


def stock(found: Pane) -> int:
    """How many cards the stock on the screen says that it holds."""
    return int(found.lines[NEEDS - 2][1:7].strip("│▒ "))


def moment_of(happened: tuple[Happening, ...]) -> str:
    """What has to stand on the screen when an entry did this."""
    for kind, words in (
        (Finished, "THE MATCH, |THE GAME: |A TIE: NOBODY SCORES"),
        (Completed, r"c\d is complete"),
        (Drew, "hand is refilled"),
    ):
        if any(isinstance(item, kind) for item in happened):
            return words if kind is not Drew or any(isinstance(item, Played) for item in happened) else ""
    return ""


def test_every_moment_has_its_words_and_the_end_of_a_game_its_sheet() -> None:
    async def story() -> set[str]:
        seen = set()
        async with at_table(seed=5, variant=Variant.parse("quick,pay_off=5,target=4")) as (found, stage):
            while stage.match.state is not State.CLOSED:
                news = stage.move(choose(stage.view(sure(stage.match.speaker))))
                found.tell(news, stage)
                words = "".join(moment_of(item.after.happened) for item in news)
                if not words and stage.match.chain.seq % 5:
                    continue
                found.draw()
                assert not words or re.search(words, found.text), words
                if words.startswith("THE MATCH"):
                    assert re.search(r"Game \d+: \d+ points? for (you|Bo)\.", found.text)
                    assert re.search(r"Score: you \d+, Bo \d+; 4 points win\.", found.text)
                    seen |= {*re.findall("THE GAME|THE MATCH", found.text)}
                    await found.pressed("space")
                elif stage.match.state is State.TURN:
                    assert stock(found) == stage.table.stock_count
                seen.add(words)
        return seen

    seen = run(story)
    assert {"THE GAME", "THE MATCH", r"c\d is complete", "hand is refilled"} <= seen


def test_a_stock_that_is_low_is_said_and_the_tie_when_it_is_out_has_its_sheet() -> None:
    async def story() -> None:
        async with at_table(seed=5) as (found, stage):
            while not stage.match.outcomes:
                view = stage.view(sure(stage.match.speaker))
                news = stage.move(next(move for move in view.legal_moves if move.ends_turn))
                count = stage.table.stock_count
                if count > 12 and not stage.match.outcomes:
                    continue
                found.tell(news, stage)
                found.draw()
                if stage.match.outcomes:
                    break
                assert stock(found) == count
                assert ("low!" in found.text) == (count < 10)
                if stage.match.speaker == 0:
                    assert (f"the stock is low: {count} card" in found.text) == (count < 10)
            assert "A TIE: NOBODY SCORES" in found.text
            assert "Game 1: a tie." in found.text
            assert "the stock holds 0" in found.text.replace("\n", " ")

    run(story)


@pytest.mark.parametrize("is_seen_to_its_end", [False, True])
def test_what_the_other_player_has_touched_is_marked_until_the_first_own_key(
    is_seen_to_its_end: bool,  # noqa: FBT001
) -> None:
    async def story() -> None:
        async with at_table(seed=5) as (found, stage):
            found.tell(stage.move(next(move for move in stage.view(0).legal_moves if move.ends_turn)), stage)
            while stage.match.speaker != 0:
                found.tell(stage.move(choose(stage.view(1))), stage)
            await found.until_seen("YOUR TURN", "•")
            await found.pressed("r")
            await found.until_seen("1 of ")
            while is_seen_to_its_end and found.model.message:
                await found.pressed("r")
            await found.still()
            assert "•" in found.text
            await found.pressed("1")
            await found.until_gone("•")

    run(story)


OPENERS: Final = {  # keys that lay something of this mode over the table, in a state in which every key has something to do
    Mode.READ: ("?", "pagedown"),
    Mode.LIST: ("o", "down", "down"),
    Mode.TYPE: (":", *"one two", "left", "left"),
    Mode.ASK: ("q",),
    Mode.LOOK: ("v",),
}
QUIET: Final = {
    "c-c",
    "c-z",
    "c-l",
    "y",
}  # leave, suspend and repaint have tests of their own; there is no invite to copy
UNLISTED: Final = {"w", "x", "Z", "!", "tab", "s-tab", "delete"}


@pytest.mark.parametrize("mode", OPENERS)
def test_over_the_table_every_key_that_is_listed_works_and_no_other(mode: Mode) -> None:
    async def story() -> None:
        async with at_table(48, 16) as (found, _):
            before = await opened(found, mode)
            listed = {key for binding in bindings(mode) for key in binding.keys}
            for key in UNLISTED - listed if mode is not Mode.TYPE else {"tab", "s-tab"}:
                await found.pressed(key)
                assert found.model == before, key
            for key in listed - (QUIET if mode is not Mode.ASK else QUIET - {"y"}):
                await found.pressed(key)
                assert (found.model, found.terminal._table.has_left) != (before, False), key
                before = await opened(found, mode)

    run(story)


async def opened(found: Pane, mode: Mode) -> Model:
    """What is shown when something of this mode has been opened anew."""
    found.terminal._table.has_left = False
    found.terminal._layers.close_all()
    found.terminal._picture.say("")
    await found.pressed(*OPENERS[mode])
    assert found.model.mode is mode
    return found.model
