"""What lies over the table on a real screen: sheets, lists, lines that are typed, questions; and the menus of a session."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable
from functools import partial
from typing import TypeVar

import pytest
from ui.app.pane import Pane, at_table, next_wish, pane, run
from ui.stage import DEADLINE_S, Stage

from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import STANDARD, Variant
from sm_p2p.session.effects import PeerLeft
from sm_p2p.session.state import Match
from sm_p2p.session.talk import Afresh, Again, Agree, AskedAgain, Leave, Offered, Resign, Say, Situation, Wish
from sm_p2p.ui.app.choices import KEYS
from sm_p2p.ui.app.parting import Sequels
from sm_p2p.ui.catalogue import catalogue
from sm_p2p.ui.keys import Action, Mode, binding_of, bindings
from sm_p2p.ui.screen.overlays import AskQuit, Details, FullLog, Help, Listing, Looking, Rules, ScoreSheet, StackView
from sm_p2p.ui.tongue import HERE

T = TypeVar("T")
ENTRIES = [("Play", ""), ("Host", ""), ("Join", "2")]
OPENING = ["t", "l", "v", "s", "i", "o", ":", "?", "q"]  # keys that lay something over the table


async def asked(found: Pane, question: Awaitable[T], *keys: str) -> T:
    """The answer of a player who presses these keys."""
    waiting = asyncio.ensure_future(question)
    await found.until(lambda: found.model.overlay is not None)
    await found.pressed(*keys)
    return await waiting


def test_every_layer_opens_by_its_key_and_is_closed_by_esc() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            for key in OPENING:
                await found.pressed(key)
                assert found.model.overlay is not None, key
                await found.pressed("escape")
                assert found.model.overlay is None, key

    run(story)


def test_every_key_of_the_table_does_something_and_no_other_key_does() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            table, lies = found.terminal._table, found.terminal._layers
            quiet = {Action.SUSPEND, Action.REPAINT, Action.BACK, Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT}
            for binding in bindings(Mode.TABLE):
                for key in binding.keys:
                    if binding.action in quiet or key == "c-c":
                        continue
                    before = (found.model, found.terminal.preferences.choices)
                    await found.pressed(key)
                    assert (found.model, found.terminal.preferences.choices) != before, key
                    lies.close_all()
                    table._picture.say("")
                    await found.pressed("escape")
                    await found.pressed("n", "escape")
            for key in ("w", "x", "z", "T", "!", "Z"):
                assert binding_of(Mode.TABLE, key) is None
                table._picture.say("")
                before = (found.model, found.terminal.preferences.choices)
                await found.pressed(key)
                assert (found.model, found.terminal.preferences.choices) == before

    run(story)


def test_looking_through_a_stack_does_not_disturb_a_pick() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.pressed("1", "v")
            assert found.model.overlay == Looking()
            await found.until_seen(f"6 to {5 + found.model.match.variant.centres} in the centre")
            await found.pressed("A")
            assert isinstance(found.model.overlay, StackView)
            await found.pressed("escape")
            assert found.model.picking.source == "h1"
            await found.pressed("v", "x", "escape")
            assert found.model.overlay is None
            assert found.model.picking.source == "h1"

    run(story)


@pytest.mark.parametrize(("key", "kind"), [("?", Help), ("s", ScoreSheet), ("i", Details)])
def test_sheets_are_scrolled_by_keys_and_stop_at_their_ends(key: str, kind: type) -> None:
    async def story() -> None:
        async with at_table(48, 16) as (found, _):
            await found.pressed(key, "end", "pagedown", "down")
            assert isinstance(found.model.overlay, kind)
            end = found.model.overlay.scroll  # type: ignore[union-attr]  # sheets scroll
            await found.pressed("up")
            assert found.model.overlay.scroll == max(end - 1, 0)  # type: ignore[union-attr]
            await found.pressed("home", "up")
            assert found.model.overlay.scroll == 0  # type: ignore[union-attr]

    run(story)


def test_the_log_is_read_from_its_newest_line() -> None:
    async def story() -> None:
        async with at_table(48, 16) as (found, _):
            await found.pressed("l", "up", "up", "down")
            assert found.model.overlay in (FullLog(1), FullLog(0))
            await found.pressed("end")
            assert found.model.overlay == FullLog(0)
            await found.pressed("home", "pageup")
            top = found.model.overlay
            await found.pressed("pagedown")
            assert isinstance(top, FullLog)
            assert isinstance(found.model.overlay, FullLog)
            assert found.model.overlay.scroll <= top.scroll

    run(story)


def test_a_line_is_edited_and_pasted_text_is_cleaned() -> None:
    async def story() -> None:
        async with pane() as found:
            waiting = asyncio.ensure_future(found.terminal.ask("NAME", ["Who?"], "Bo"))
            await found.until(lambda: found.model.overlay is not None)
            await found.pressed("home", "A", "end", "backspace", "b", " ")
            found.send("\x1b[200~x\x1b[31m\ny\u202ez  \x1b[201~")
            await found.until_seen("> ABb x[31m yz")
            await found.pressed("enter")
            assert await waiting == "ABb x[31m yz"

    run(story)


def test_a_question_takes_the_longest_invite_and_what_is_said_stays_short() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.pressed("t")
            found.send(f"\x1b[200~{'x' * 500}\x1b[201~")
            await found.pressed("enter")
            assert await next_wish(found) == Say("x" * 400)
        async with pane() as found:
            waiting = asyncio.ensure_future(found.terminal.ask("INVITE"))
            await found.until(lambda: found.model.overlay is not None)
            found.send(f"\x1b[200~  {'x' * 4090}\r\n  yz\x1b[201~")
            await found.pressed("enter")
            assert await waiting == "x" * 4090 + " yz"

    run(story)


def test_a_line_that_is_not_taken_stays_with_the_reason_until_it_is_changed() -> None:
    async def story() -> None:
        async with pane() as found:
            asking = found.terminal.ask("NAME", ["Who?"], checker=lambda text: "Too short." if len(text) < 3 else "")
            waiting = asyncio.ensure_future(asking)
            await found.until(lambda: found.model.overlay is not None)
            await found.pressed("a", "enter")
            await found.until_seen("Too short.", "> a")
            await found.pressed("b")
            await found.until_gone("Too short.")
            await found.pressed("enter")
            await found.until_seen("Too short.")
            await found.pressed("c", "enter")
            assert await waiting == "abc"

    run(story)


def test_pasted_text_never_plays() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            found.send("\x1b[200~1ayq\x1b[201~")
            await found.pressed("2")
            assert found.model.overlay is None
            assert found.model.picking.source == "h2"

    run(story)


def test_a_menu_gives_the_number_of_an_entry_or_nothing() -> None:
    async def story() -> None:
        async with pane() as found:
            terminal = found.terminal
            assert await asked(found, terminal.menu("MENU", ENTRIES), "down", "down", "down", "enter") == 2
            assert await asked(found, terminal.menu("MENU", ENTRIES, at=1), "enter") == 1
            assert await asked(found, terminal.menu("MENU", ENTRIES), "end", "home", "space", "escape") is None
            assert await asked(found, terminal.menu("MENU", []), "enter") is None
            assert not terminal.is_closing

    run(story)


def test_a_menu_takes_new_entries_while_it_is_open() -> None:
    async def story() -> None:
        async with pane() as found:
            answer = asyncio.ensure_future(asked(found, found.terminal.menu("TABLES", []), "down"))
            await found.until_seen("TABLES")
            found.terminal.relist([("Ana", ""), ("Bo", "")], ["two tables"])
            await found.until_seen("Bo", "two tables")
            await found.pressed("down", "enter")
            assert await answer == 1
            found.terminal.relist([("late", "")])
            assert found.model.overlay is None

    run(story)


def test_questions_and_sheets_of_the_surroundings_are_answered() -> None:
    async def story() -> None:
        async with pane() as found:
            terminal = found.terminal
            assert await asked(found, terminal.confirm("SURE?"), "y") is True
            assert await asked(found, terminal.confirm("SURE?", ["really"]), "escape") is False
            assert await asked(found, terminal.ask("NAME"), "a", "escape") is None
            await asked(found, terminal.read("NEWS", ["one", "two"]), "enter")
            await asked(found, terminal.rules(), "escape")

    run(story)


def test_house_rules_are_put_together_in_a_list() -> None:
    async def story() -> None:
        async with pane() as found:
            terms = found.terminal.terms("TERMS", "Play")
            assert await asked(found, terms, "right", "down", "down", "right", "end", "enter") == Variant.parse(
                "quick,pay_off=13"
            )
            assert await asked(found, found.terminal.terms("TERMS", "Play", STANDARD), "end", "enter") == STANDARD
            assert await asked(found, found.terminal.terms("TERMS", "Play"), "right", "escape") is None

    run(story)


def test_options_count_at_once_and_are_remembered() -> None:
    async def story() -> None:
        saved: list[tuple[str, str]] = []
        async with at_table(save=lambda key, value: saved.append((key, value))) as (found, _):
            await found.pressed("o")
            await found.until_seen("OPTIONS")
            for key in KEYS:
                await found.pressed("right")
                assert saved[-1][0] == key
                assert str(found.terminal.preferences.choices.value(key)) == saved[-1][1]
                await found.pressed("left", "down")
            await found.pressed("escape", "f")
            assert saved[-1] == ("colours", "four")
            await found.pressed("m")
            assert saved[-1] == ("mouse", "off")
            await found.until_seen("The mouse belongs to the terminal")

    run(story)


def test_the_question_about_a_lost_pay_off_play_can_be_switched_off() -> None:
    async def story() -> None:
        for choice, questions in (("on", 1), ("off", 0)):
            async with at_table(seed=22, ask_discard=choice) as (found, stage):
                moves = stage.view(0).legal_moves
                if not any(move >> 3 == 0 for move in moves):
                    pytest.fail("this seed has no pay-off play")
                await found.pressed("1", "a")
                assert (found.model.picking.asks is not None) == bool(questions)

    run(story)


@pytest.mark.parametrize(
    ("code", "yes", "no", "title"),
    [("pt", "s", "n", "SAIR?"), ("es", "s", "n", "¿SALIR?"), ("id", "y", "t", "KELUAR?")],
)
def test_a_question_is_answered_with_the_letters_of_the_language_and_with_the_english_ones(
    code: str, yes: str, no: str, title: str
) -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            for answer in (no, "n"):
                await found.pressed("q")
                await found.until_seen(title, f"[{yes}] ", f"[{no}] ", f"{yes} {HERE.gettext('yes')}")
                await found.pressed(answer)
                await found.until_gone(title)
            for answer in (yes, "y"):
                await found.pressed(":", *"resign", "enter")
                await found.until_seen(f"[{yes}] ")
                await found.pressed(answer)
                assert await next_wish(found) == Resign()

    with HERE.spoken(catalogue(code)):
        run(story)


def test_a_discard_that_is_asked_about_is_answered_in_the_language() -> None:
    async def story() -> None:
        async with at_table(seed=22) as (found, _):
            for answer in ("t", "y"):
                await found.pressed("1", "a")
                await found.until_seen("Kartu poinmu masih bisa dimainkan", "y ya  t tidak")
                await found.pressed(answer)
            assert isinstance(await next_wish(found), Move)

    with HERE.spoken(catalogue("id")):
        run(story)


def test_a_word_of_the_language_is_a_command() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.pressed(":", *"placar", "enter")
            await found.until_seen("PLACAR", "Placar: você 0")

    with HERE.spoken(catalogue("pt")):
        run(story)


def test_the_invite_stands_on_the_normal_screen_and_among_the_details_and_is_copied() -> None:
    async def story() -> None:
        async with pane() as found:
            terminal = found.terminal
            terminal.sit_down()
            shown = asyncio.ensure_future(terminal.inviting.show("sm-p2p://x/Y", "Send this:\nsm-p2p://x/Y"))
            await found.until_seen("Send this:", "Ctrl-C leaves it.")
            terminal.notice("Nobody has come so far.")
            await found.until_seen("Nobody has come so far.")
            assert "\x1b[?1049l" in "".join(found.emulator.written)
            found.send("\n")
            await shown
            await found.until_seen("y: copy the invite", "sm-p2p://x/Y")
            await found.pressed("y")
            assert "\x1b]52;c;c20tcDJwOi8veC9Z\x07" in "".join(found.emulator.written)
            await found.pressed("escape")
            terminal.notice("Waiting on port 7.")
            await found.until_seen("Waiting on port 7.")
            shown = asyncio.ensure_future(terminal.inviting.show("sm-p2p://x/Z", "Send this:\nsm-p2p://x/Z"))
            await found.until_seen("There is a new invite", "sm-p2p://x/Z")
            await terminal.inviting.show("sm-p2p://x/A", "Send this:\nsm-p2p://x/A", "We are elsewhere.")
            await found.until_seen("We are elsewhere.", "sm-p2p://x/A")
            found.send("\n")
            await shown
            await found.until_seen("y: copy the invite", "sm-p2p://x/A")
            await terminal.inviting.show("sm-p2p://x/Z", "Send this:\nsm-p2p://x/Z", "We are back.")
            await found.until_seen("We are back.")
            await found.until_seen("y: copy the invite", "sm-p2p://x/Z")
            await found.pressed("escape")
            await found.pressed("q")
            assert await next_wish(found) == Leave()

    run(story)


@pytest.mark.parametrize("key", ["t", "l", "v", "s", "i", "o", ":", "?", "q", "1", "h", "x"])
def test_ctrl_c_leads_out_of_everything(key: str) -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.pressed(key, "c-c")
            if key != "q":
                assert found.model.overlay == AskQuit()
                await found.pressed("c-c")
            assert await next_wish(found) == Leave()
            assert await next_wish(found) == Leave()

    run(story)


def test_whoever_does_not_leave_after_all_types_on() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.pressed("t", "h", "i", "c-c", "n", "!", "enter")
            assert str(await next_wish(found)) == "Say(text='hi!')"

    run(story)


def test_ctrl_c_never_says_yes_to_giving_a_game_up() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.pressed(":", *"resign", "enter", "c-c")
            assert found.model.overlay == AskQuit()
            await found.pressed("n", "n")
            assert found.terminal._table.wishes.empty()

    run(story)


def test_ctrl_c_in_a_menu_ends_the_session_and_every_later_menu_is_closed() -> None:
    async def story() -> None:
        async with pane() as found:
            terminal = found.terminal
            assert await asked(found, terminal.menu("MENU", ENTRIES), "c-c") is None
            assert terminal.is_closing
            assert await terminal.menu("MENU", ENTRIES) is None
            assert await terminal.confirm("SURE?") is False
            terminal.sit_down()
            assert await next_wish(found) == Leave()

    run(story)


def test_whoever_waits_alone_leaves_without_a_question() -> None:
    async def story() -> None:
        async with pane() as found:
            found.terminal.sit_down()
            await found.pressed("c-c")
            assert await next_wish(found) == Leave()
            assert not found.terminal.is_closing

    run(story)


@pytest.mark.parametrize(
    ("keys", "wish"),
    [
        (("enter",), Again()),
        (("down", "enter", "end", "enter"), Again(Variant.parse("quick,pay_off=5"))),
        (("down", "enter", "down", "down", "right", "end", "enter"), Again(Variant.parse("quick,pay_off=7"))),
        (("down", "enter", "escape", "enter"), Again()),
        (("down", "down", "enter"), Leave()),
        (("end", "enter", "x", "escape", "enter"), Again()),
        (("escape", "enter", "enter"), Again()),
        (("q",), None),
    ],
)
def test_after_a_match_the_player_says_what_comes_next(keys: tuple[str, ...], wish: Wish | None) -> None:
    async def story() -> None:
        async with pane() as found:
            found.terminal.sit_down(sequels=Sequels.ANY)
            stage = Stage(Variant.parse("quick,pay_off=5"))
            for news in (stage.begin, partial(stage.resign, 1)):
                found.tell(news(), stage)
            await found.until_seen("YOU WIN THE MATCH")
            assert found.model.overlay is None
            await found.pressed("space")
            await found.until_seen("THE MATCH IS OVER")
            await found.pressed(*keys)
            if wish is not None:
                assert await next_wish(found) == wish
            else:
                assert found.model.overlay is None

    run(story)


@contextlib.asynccontextmanager
async def after_a_match(sequels: Sequels) -> AsyncIterator[tuple[Pane, Stage]]:
    """A player who has seen the end of his match and is asked what comes next."""
    async with pane() as found:
        found.terminal.sit_down(sequels=sequels)
        stage = Stage(Variant.parse("quick,pay_off=5"))
        for news in (stage.begin, partial(stage.resign, 1)):
            found.tell(news(), stage)
        await found.until_seen("YOU WIN THE MATCH")
        await found.pressed("space")
        await found.until_seen("THE MATCH IS OVER")
        yield found, stage


def offered(found: Pane) -> list[str]:
    """What the list on top offers."""
    assert isinstance(found.model.overlay, Listing)
    return [label for label, _ in found.model.overlay.entries]


@pytest.mark.parametrize(
    ("sequels", "ways"),
    [
        (Sequels.NONE, []),
        (Sequels.SAME, ["Once more on the same terms"]),
        (Sequels.ANY, ["Once more on the same terms", "Once more on other terms"]),
    ],
)
def test_after_a_match_only_what_can_be_had_is_offered(sequels: Sequels, ways: list[str]) -> None:
    async def story() -> None:
        async with after_a_match(sequels) as (found, _):
            assert offered(found) == [*ways, "Leave", "Look at the table once more"]

    run(story)


def test_whoever_is_asked_for_another_match_is_told_so_and_still_decides() -> None:
    async def story() -> None:
        async with after_a_match(Sequels.SAME) as (found, stage):
            found.terminal.show(AskedAgain(), stage.situation)
            await found.until_seen("Bo would like another match")
            assert offered(found)[0] == "Once more on the same terms"
            await found.pressed("enter")
            assert await next_wish(found) == Again()

    run(story)


def test_whoever_has_asked_for_another_match_can_still_leave_and_asks_once() -> None:
    async def story() -> None:
        async with after_a_match(Sequels.ANY) as (found, _):
            await found.pressed("enter")
            assert await next_wish(found) == Again()
            await found.until_seen("Bo was asked for another match")
            await found.pressed("escape")
            assert offered(found) == ["Leave", "Look at the table once more"]
            await found.pressed("enter")
            assert await next_wish(found) == Leave()

    run(story)


@pytest.mark.parametrize("keys", [(), ("enter", "escape"), ("end", "enter")])
def test_no_other_match_is_offered_once_the_other_side_has_left(keys: tuple[str, ...]) -> None:
    async def story() -> None:
        async with after_a_match(Sequels.ANY) as (found, stage):
            await found.pressed(*keys)
            found.terminal.show(PeerLeft(), stage.situation)
            await found.until_seen("Bo has left")
            assert offered(found) == ["Leave", "Look at the table once more"]

    run(story)


def test_another_match_begins_on_an_empty_table() -> None:
    async def story() -> None:
        async with after_a_match(Sequels.ANY) as (found, _):
            found.terminal.show(Afresh(), Situation(0, Match(), None, is_our_turn=False))
            await found.until_seen("Another match begins")
            assert found.model.view is None
            assert found.model.overlay is None
            second = Stage(Variant.parse("quick,pay_off=5"), seed=3)
            found.tell(second.begin(), second)
            await found.until(lambda: found.model.view is not None and found.model.view.table == second.table)
            found.tell(second.resign(1), second)
            await found.until_seen("YOU WIN THE MATCH")
            await found.pressed("space")
            await found.until_seen("THE MATCH IS OVER")
            assert offered(found)[0] == "Once more on the same terms"

    run(story)


def test_whoever_waits_for_a_wish_gets_those_of_the_next_match() -> None:
    async def story() -> None:
        async with after_a_match(Sequels.SAME) as (found, _):
            waiting = asyncio.ensure_future(found.terminal.wish())
            await asyncio.sleep(0)
            nowhere = Situation(1, Match(), None, is_our_turn=False)
            found.terminal.show(Afresh(), nowhere)
            found.terminal.show(Offered("Ana", STANDARD), nowhere)
            await found.pressed("y")
            assert await asyncio.wait_for(waiting, DEADLINE_S) == Agree()

    run(story)


def test_a_guest_whose_host_leaves_before_the_next_match_reads_so() -> None:
    async def story() -> None:
        async with pane() as found:
            found.terminal.sit_down(sequels=Sequels.SAME)
            nowhere = Situation(1, Match(), None, is_our_turn=False)
            for news in (Afresh(), PeerLeft()):
                found.terminal.show(news, nowhere)
            lingering = asyncio.ensure_future(found.terminal.linger())
            await found.until_seen("The other side has left")
            assert not lingering.done()
            await found.pressed("escape")
            await lingering

    run(story)


def test_the_rules_can_be_asked_for() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            for word, overlay in (("rules", Rules()), ("score", ScoreSheet()), ("quit", AskQuit())):
                await found.pressed(":", *word, "enter")
                assert found.model.overlay == overlay
                await found.pressed("escape")

    run(story)


def test_an_open_list_that_nobody_waits_for_any_more_is_gone() -> None:
    async def story() -> None:
        async with pane() as found:
            waiting = asyncio.ensure_future(found.terminal.menu("MENU", ENTRIES))
            await found.until(lambda: isinstance(found.model.overlay, Listing))
            waiting.cancel()
            await found.until(lambda: found.model.overlay is None)
            assert found.terminal.console is not None

    run(story)
