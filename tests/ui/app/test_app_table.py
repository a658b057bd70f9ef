"""Playing on a real screen: keys become wishes, news become pictures."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest
from ui.app.pane import Pane, at_table, keys_of, next_wish, pane, run
from ui.stage import Stage, play_with

from sm_p2p.bot.greedy import choose
from sm_p2p.errors import Code, IllegalMove, sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import PAY_OFF, Move
from sm_p2p.rules.table import Owed, Slot
from sm_p2p.rules.variant import QUICK, Hints, Variant
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced, Claimed, Latency, Overdue, PeerLeft, Recovered, Said, Stopped, Withdrawn
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import (
    Agree,
    Claim,
    Leave,
    LinkChanged,
    Mended,
    Offered,
    Refused,
    Repair,
    Resign,
    Resumed,
    Say,
    Seated,
    Situation,
    Vacant,
    Way,
)
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.looks import UNICODE
from sm_p2p.ui.screen.model import Moment, Opponent
from sm_p2p.ui.screen.render import render

SHORT = Variant.parse("quick,pay_off=5")


def drawn(found: Pane) -> tuple[str, ...]:
    """What the model looks like in this size."""
    size = found.emulator.size
    return tuple(line.rstrip() for line in render(found.model, Size(size.columns, size.rows), UNICODE).text)


def a_play(stage: Stage) -> Move:
    """A move onto a centre stack."""
    return next(move for move in stage.view(0).legal_moves if not move.ends_turn)


def a_discard(stage: Stage) -> Move:
    """A move that ends the turn."""
    return next(move for move in stage.view(0).legal_moves if move.ends_turn)


def test_the_screen_shows_the_frame_of_the_model() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            await found.until(lambda: found.lines == drawn(found))
            assert sure(found.model.view).table == stage.table
            assert "YOUR TURN" in found.text

    run(story)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (48, 16), (30, 5)])
def test_two_presses_make_a_move_in_every_size(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with at_table(*size) as (found, stage):
            move = a_discard(stage)
            found.press(*keys_of(move))
            assert await next_wish(found) == move

    run(story)


def test_a_pick_is_put_back_by_esc_at_once() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.pressed("1")
            assert found.model.picking.source == "h1"
            await found.pressed("escape")
            assert found.model.picking.source == ""
            assert found.escape_s <= 0.1

    run(story)


def test_an_illegal_press_says_why_and_keeps_the_pick() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            legal = stage.view(0).legal_moves
            move = next(
                move for source in ("h1", "h2", "h3", "h4", "h5") if (move := Move.parse(f"{source}-c1")) not in legal
            )
            await found.pressed(*keys_of(move))
            assert found.model.message
            assert found.model.picking.source == move.source
            await found.until_seen(found.model.message[:20])
            await found.pressed("?")
            assert found.model.message == ""

    run(story)


def test_no_second_move_is_handed_out_before_the_first_was_answered_and_its_keys_wait() -> None:
    async def story() -> None:
        async with at_table(seed=3) as (found, stage):
            first = a_play(stage)
            await found.pressed(*keys_of(first))
            assert await next_wish(found) == first
            after = Stage(QUICK, 3)
            after.begin()
            while after.match.speaker != 0:
                after.move(choose(after.view(1)))
            after.move(first)
            second = a_discard(after)
            await found.pressed(*keys_of(second))
            assert found.terminal._table.wishes.empty()
            found.tell(stage.move(first), stage)
            assert await next_wish(found) == second

    run(story)


def between(news: Advanced, faces: Mapping[Slot, Card]) -> Situation:
    """How things stood after this entry of a turn of ours, when the other side had not shown its part yet."""
    assert news.after.state is State.ANSWER
    return Situation(0, news.after, View(sure(news.after.game).table, 0, faces), is_our_turn=False)


@pytest.mark.parametrize(("ahead", "is_put_back"), [(1, False), (2, False), (2, True)])
def test_keys_typed_ahead_wait_for_the_cards_that_follow_a_move_unless_esc_is_pressed(
    ahead: int,
    is_put_back: bool,  # noqa: FBT001
) -> None:
    async def story() -> None:
        async with at_table(seed=22, ask_discard="off") as (found, stage):
            pays = next(move for move in stage.view(0).legal_moves if move >> 3 == PAY_OFF)
            discard = a_discard(stage)
            keys = keys_of(discard)
            await found.pressed(*keys_of(pays), *keys[:ahead])
            assert await next_wish(found) == pays
            faces = stage.view(0).faces
            moved, answered = stage.move(pays)
            found.terminal.show(moved, between(moved, faces))
            await found.until_seen("the next cards are on their way")
            await found.pressed(*keys[ahead:], *(("escape",) if is_put_back else ()))
            found.terminal.show(answered, stage.situation)
            if is_put_back:
                assert found.terminal._table.wishes.empty()
            else:
                assert await next_wish(found) == discard

    run(story)


def test_keys_typed_ahead_are_forgotten_with_the_turn() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            first = a_discard(stage)
            await found.pressed(*keys_of(first), *keys_of(first))
            assert await next_wish(found) == first
            news = stage.move(first)
            while stage.match.speaker != 0:
                news += stage.move(choose(stage.view(1)))
            found.tell(news[:1], stage)
            found.tell(news[1:], stage)
            await found.until(lambda: found.model.is_our_turn)
            assert found.terminal._table.wishes.empty()

    run(story)


def test_keys_that_wait_are_forgotten_when_the_move_was_refused() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            move = a_discard(stage)
            await found.pressed(*keys_of(move), "1", "a")
            await next_wish(found)
            found.terminal.show(Refused(IllegalMove("it rains")), stage.situation)
            await found.until_seen("it rains")
            assert found.terminal._table.wishes.empty()
            assert found.model.picking.source == ""

    run(story)


@pytest.mark.parametrize("speed", ["off", "fast"])
def test_a_whole_match_is_played_by_keys_alone_and_ends_with_its_table(speed: str) -> None:
    async def story() -> None:
        async with pane(speed=speed) as found:
            found.terminal.sit_down(Opponent.COMPUTER, Hints.YES)
            stage = Stage(SHORT, 2)

            def is_over() -> bool:
                return stage.match.state is State.CLOSED

            async def type_moves() -> None:
                done = 0
                while not is_over():
                    await found.until(lambda: is_over() or (found.model.is_our_turn and stage.match.chain.seq > done))  # noqa: B023 - it is awaited at once
                    if is_over():
                        return
                    done, move = stage.match.chain.seq, choose(stage.view(0))
                    found.press(*keys_of(move))
                    if move.ends_turn and any(other >> 3 == 0 for other in stage.view(0).legal_moves):
                        found.press("y")
                    await found.until(lambda: stage.match.chain.seq > done)  # noqa: B023 - it is awaited at once

            playing = asyncio.create_task(play_with(stage, found.terminal))
            await type_moves()
            await playing
            await found.until(lambda: found.model.banner is not None and found.model.banner.moment is Moment.MATCH)
            assert sure(found.model.view).table == stage.table
            assert found.model.match is stage.match or found.model.match.outcomes == stage.match.outcomes
            await found.pressed("space")
            await found.until_seen("THE MATCH IS OVER")
            await found.pressed("enter")
            await found.terminal.linger()

    run(story)


def test_the_final_frame_is_the_same_at_any_speed() -> None:
    async def story(speed: str) -> tuple[str, ...]:
        async with at_table(seed=5, speed=speed) as (found, stage):
            await found.pressed("escape")
            news = stage.move(a_discard(stage))
            while stage.match.speaker != 0:
                news += stage.move(choose(stage.view(1)))
            found.tell(news, stage)
            await found.pressed("x", "x")
            await found.until(lambda: found.lines == drawn(found))
            assert sure(found.model.view).table == stage.table
            return found.lines

    assert len({run(partial(story, speed)) for speed in ("slow", "normal", "fast", "off")}) == 1


def test_what_is_shown_never_goes_back() -> None:
    async def story() -> None:
        async with at_table(seed=4, speed="fast", variant=SHORT) as (found, stage):
            shown: list[int] = []
            picture = found.terminal._picture
            show = picture.show

            def noted(model: object) -> None:
                show(model)  # type: ignore[arg-type]  # it is a model
                shown.append(picture.model.match.chain.seq)

            picture.show = noted  # type: ignore[method-assign]  # positive control: every picture is looked at
            for _ in range(6):
                if stage.match.outcomes:
                    break
                found.tell(stage.move(choose(stage.view(sure(stage.match.speaker)))), stage)
            await found.until(lambda: found.terminal._table._projector.is_over)
            assert shown == sorted(shown)
            assert shown[-1] == stage.match.chain.seq
            assert sure(found.model.view).table == stage.table

    run(story)


def test_the_completing_card_lies_on_its_stack_before_the_stack_is_cleared() -> None:
    async def story() -> None:
        async with at_table(seed=4, speed="fast") as (found, stage):
            heights = []
            picture = found.terminal._picture
            show = picture.show

            def noted(model: object) -> None:
                show(model)  # type: ignore[arg-type]  # it is a model
                if picture.model.view is not None:
                    heights.append(max(picture.model.view.table.heights))

            picture.show = noted  # type: ignore[method-assign]  # positive control: every picture is looked at
            while max(stage.table.heights) < 11 or not any(
                len(stage.table.centre[move & 7]) == 11
                for move in stage.view(sure(stage.match.speaker)).legal_moves
                if not move.ends_turn
            ):
                if stage.match.outcomes:
                    pytest.fail("no stack was completed")
                stage.move(choose(stage.view(sure(stage.match.speaker))))
            mover = sure(stage.match.speaker)
            move = next(
                move
                for move in stage.view(mover).legal_moves
                if not move.ends_turn and len(stage.table.centre[move & 7]) == 11
            )
            found.tell(stage.move(move), stage)
            await found.until(lambda: found.model.banner is not None)
            assert 12 in heights
            await found.until(lambda: found.terminal._table._projector.is_over)
            assert max(sure(found.model.view).table.heights) < 12

    run(story)


def test_a_key_shows_the_end_at_once_and_still_means_what_it_means() -> None:
    async def story() -> None:
        async with at_table(seed=5, speed="slow") as (found, stage):
            assert not found.terminal._table._projector.is_over
            await found.pressed("2")
            assert found.terminal._table._projector.is_over
            assert found.model.picking.source == "h2"
            assert sure(found.model.view).table == stage.table
            assert not found.model.air

    run(story)


def test_the_other_players_turn_stays_marked_until_the_first_own_key_and_can_be_seen_again() -> None:
    async def story() -> None:
        async with at_table(seed=5) as (found, stage):
            found.tell(stage.move(a_discard(stage)), stage)
            while stage.match.speaker != 0:
                found.tell(stage.move(choose(stage.view(1))), stage)
            await found.until(lambda: found.model.is_our_turn)
            live = found.model
            assert live.marks
            await found.pressed("r")
            assert found.model.message.startswith("1 of ")
            steps = int(found.model.message.split()[2].rstrip(":"))
            for at in range(2, steps + 1):
                await found.pressed("r")
                assert found.model.message.startswith(f"{at} of {steps}")
            await found.pressed("r")
            assert found.model.message == ""
            assert sure(found.model.view).table == stage.table
            assert found.model.log == live.log
            await found.pressed("1")
            assert found.model.marks == ()
            await found.pressed("r", "escape")
            assert found.model.message == ""
            assert sure(found.model.view).table == stage.table

    run(story)


def test_the_bell_rings_and_the_title_changes_once_in_each_turn_of_ours() -> None:
    async def story() -> None:
        async with at_table(seed=3) as (found, stage):
            written = found.emulator.written
            assert "".join(written).count("\a") - "".join(written).count("\x1b]2;") == 1
            assert found.emulator.screen.title == "YOUR TURN - Spite & Malice"
            found.tell(stage.move(a_play(stage)), stage)
            found.terminal.show(Latency(0.01), stage.situation)
            assert "".join(written).count("\a") - "".join(written).count("\x1b]2;") == 1
            found.tell(stage.move(a_discard(stage)), stage)
            assert found.emulator.screen.title == "Bo's turn - Spite & Malice"
            while stage.match.speaker != 0:
                found.tell(stage.move(choose(stage.view(1))), stage)
            assert "".join(written).count("\a") - "".join(written).count("\x1b]2;") == 2

    run(story)


def test_bell_and_title_can_be_switched_off() -> None:
    async def story() -> None:
        async with at_table(bell="off", title="off") as (found, _):
            assert "\a" not in "".join(found.emulator.written)

    run(story)


def test_a_terminal_that_would_print_a_title_gets_none() -> None:
    async def story() -> None:
        for term, titles in (("linux", 0), ("xterm", 1)):
            async with pane(term=term) as found:
                found.terminal.sit_down(Opponent.PERSON)
                stage = Stage()
                found.tell([LinkChanged(Way.UP), *stage.begin()], stage)
                await found.until_seen("turn 1")
                assert min("".join(found.emulator.written).count("\x1b]2;"), 1) == titles

    run(story)


def test_a_hint_is_shown_where_it_is_allowed() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            await found.pressed("h")
            await found.until_seen("HINT")
            assert sure(found.model.hint).move == choose(stage.view(0))
            assert sure(found.model.hint).why == "makes room in the hand"
        async with pane() as found:
            found.terminal.sit_down(Opponent.PERSON, Hints.NO)
            stage = Stage()
            found.tell([LinkChanged(Way.UP), *stage.begin()], stage)
            await found.pressed("h")
            await found.until_seen("Hints are not allowed")

    run(story)


def test_why_no_hint_comes_is_true_of_the_moment() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            now = stage.situation
            table = sure(now.view).table._replace(owed=Owed((), (), top=False, draws=()))
            owing = replace(now, view=sure(now.view)._replace(table=table), is_our_turn=False)
            apart = replace(now, is_our_turn=False)
            theirs = replace(apart, seat=1)
            for moment, said in (
                (owing, "Your last move has not been answered yet."),
                (apart, "This has to wait until both sides hold the same log."),
                (theirs, "It is not your turn."),
            ):
                found.terminal.show(Latency(0.0), moment)
                await found.pressed("h")
                assert found.model.message == said
                assert found.model.hint is None
            found.terminal.show(Latency(0.0), now)
            found.terminal._table.play(choose(sure(now.view)))
            await found.pressed("h")
            assert found.model.message == "Your last move has not been answered yet."

    run(story)


def test_chat_is_sent_and_hostile_chat_is_harmless() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            await found.pressed("t", *"hi ", "left", "left", "x", "enter")
            assert await next_wish(found) == Say("hxi")
            before = found.emulator.bytes_written
            found.terminal.show(Said(1, "a & <b> \x1b[31m\x1b]2;owned\x07\u202eevil\nline\r{x}"), stage.situation)
            await found.until_seen("a & <b>")
            sent = "".join(found.emulator.written)[before:]
            assert found.emulator.screen.title != "owned"
            assert "\u202e" not in found.text
            assert "\x1b]2;owned" not in sent
            assert "{x}" in found.text.replace("\n", "")

    run(story)


def test_whoever_sits_there_is_called_by_his_name_before_the_match_says_it() -> None:
    async def story() -> None:
        async with pane() as found:
            found.terminal.sit_down()
            nowhere = Situation(0, Match(), None, is_our_turn=False)
            for news in (Seated("Bo", "words", is_guest=True), LinkChanged(Way.UP), Latency(0.005)):
                found.terminal.show(news, nowhere)
            assert found.model.words.name(1) == "Bo"
            for later in (Vacant(), Latency(0.005)):
                found.terminal.show(later, nowhere)
            assert found.model.words.names == ("", "")

    run(story)


def test_the_link_is_seen_and_waiting_is_counted_only_while_it_lasts() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            found.terminal.show(Latency(0.009), stage.situation)
            await found.until_seen("10 ms")
            found.terminal.show(Latency(0.3), stage.situation)
            assert found.model.link.step_ms == 10
            found.terminal.show(LinkChanged(Way.RECONNECTING), stage.situation)
            await found.until_seen("reconnecting")
            assert found.terminal._table._timers.waits("waited")
            await found.until_seen("reconnecting 1 s")
            found.terminal.show(LinkChanged(Way.UP), stage.situation)
            assert not found.terminal._table._timers.waits("waited")
            found.terminal.show(PeerLeft(), stage.situation)
            await found.until_seen("away")

    run(story)


def test_our_turn_goes_on_while_the_other_side_is_away() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            found.terminal.show(LinkChanged(Way.RECONNECTING), stage.situation)
            await found.until_seen("YOUR TURN — Bo is away. Go on: what you play reaches Bo later.")
            move = next(move for move in stage.view(0).legal_moves if not move.ends_turn or move.hand_place)
            await found.pressed(*keys_of(move)[:1])
            await found.until_seen("picked")
            await found.pressed(*keys_of(move)[1:])
            assert await next_wish(found) == move

    run(story)


def test_whoever_waits_too_long_is_offered_to_claim_it_and_it_is_withdrawn_when_the_other_is_back() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            turn = stage.match
            while stage.match.speaker == stage.you:
                found.tell(stage.move(choose(stage.view(stage.you))), stage)
            assert stage.match is not turn
            found.terminal.show(LinkChanged(Way.RECONNECTING), stage.situation)
            await found.until_seen("cannot be reached")
            found.terminal.show(Overdue(10), stage.situation)
            await found.until_seen("Bo has been away for 10 min. :claim notes that the match was abandoned.")
            row = next(row for row, line in enumerate(found.lines) if ":claim" in line)
            found.terminal.click(found.lines[row].index(":claim"), row)
            assert await next_wish(found) == Claim()
            found.terminal.show(Refused(NotNow(Unable.TOO_SOON, patience=3, waited=1)), stage.situation)
            await found.until_seen("Not possible: a claim takes 3 min")
            await found.pressed(":", *"claim", "enter")
            assert await next_wish(found) == Claim()
            found.terminal.show(Claimed(11), stage.situation)
            await found.until_seen("You claim that Bo has abandoned the match.")
            for key in ("l", "i"):
                await found.pressed(key)
                await found.until_seen("That is a claim and no result")
                await found.pressed("escape")
            found.terminal.show(LinkChanged(Way.UP), stage.situation)
            assert found.model.link.is_claimed
            found.terminal.show(Withdrawn(), stage.situation)
            await found.until_seen("Bo is back; your claim is withdrawn.")
            assert not found.model.link.is_claimed
            assert not found.model.link.overdue_min

    run(story)


def test_an_absence_that_ends_before_it_was_claimed_is_forgotten() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            found.terminal.show(LinkChanged(Way.RECONNECTING), stage.situation)
            found.terminal.show(Overdue(3), stage.situation)
            found.terminal.show(LinkChanged(Way.UP), stage.situation)
            assert not found.model.link.overdue_min
            found.terminal.show(Recovered(12), stage.situation)
            await found.until_seen("12 entries that were missing here came back from Bo.")
            found.terminal.show(Mended(Repair.TORN_LOG, "a file"), stage.situation)
            await found.until_seen("The last entry of the log was not written")

    run(story)


def test_a_broken_log_is_said_and_explained() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            found.terminal.show(Stopped(Code.BAD_SIGNATURE, 7, 1, "the signature is wrong"), stage.situation)
            await found.until_seen("LOG BROKEN at entry 7", "THE MATCH HAS STOPPED")
            await found.pressed("enter")
            await found.terminal.linger()

    run(story)


@pytest.mark.parametrize(("key", "wish"), [("y", Agree()), ("n", Leave()), ("escape", Leave())])
def test_an_offer_is_answered(key: str, wish: object) -> None:
    async def story() -> None:
        async with pane() as found:
            found.terminal.sit_down()
            stage = Stage(you=1)
            found.tell([LinkChanged(Way.UP), *stage.open(), Offered("Ana", QUICK)], stage)
            await found.until_seen("PLAY THIS?")
            await found.pressed(key)
            assert await next_wish(found) == wish

    run(story)


def test_an_offer_waits_until_the_line_that_is_typed_is_done() -> None:
    async def story() -> None:
        async with pane() as found:
            found.terminal.sit_down()
            await found.pressed(":", "x")
            found.terminal.show(Offered("Ana", QUICK), Stage(you=1).situation)
            await found.pressed("y")
            assert found.terminal._table.wishes.empty()
            await found.pressed("escape", "y")
            assert await next_wish(found) == Agree()

    run(story)


def test_commands_are_the_words_of_line_mode() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            move = a_discard(stage)

            async def order(text: str) -> None:
                await found.pressed(":", *text, "enter")

            await order("frobnicate")
            await found.until_seen("frobnicate is no move")
            await order("show A")
            await found.until_seen("SIDE STACK")
            await found.pressed("escape")
            await order("show c4")
            await found.until_seen("There is no c4")
            await order("moves")
            await found.until_seen("Discards:")
            await found.pressed("escape")
            await order("hand")
            await found.until_seen("Hand: h1")
            await order("resign")
            await found.until_seen("GIVE THIS GAME UP?")
            await found.pressed("n")
            await order("say hello")
            assert await next_wish(found) == Say("hello")
            await order(str(move))
            assert await next_wish(found) == move

    run(story)


def test_a_game_is_given_up_after_a_question() -> None:
    async def story() -> None:
        async with at_table(variant=Variant.parse("quick,pay_off=5,target=20")) as (found, stage):
            await found.pressed(":", *"resign", "enter", "y")
            assert await next_wish(found) == Resign()
            found.tell(stage.resign(0), stage)
            await found.until(lambda: found.model.banner is not None)
            await found.until_seen("GAVE THE GAME UP")
            assert found.model.match.game_number == 1
            await found.pressed("space")
            await found.until(lambda: found.model.match.game_number == 2)

    run(story)


def test_a_match_that_goes_on_is_shown_as_it_is() -> None:
    async def story() -> None:
        async with pane() as found:
            found.terminal.sit_down()
            stage = Stage(SHORT, 6)
            stage.begin()
            while stage.match.speaker != 0:
                stage.move(choose(stage.view(1)))
            found.terminal.show(Resumed(stage.match.chain.seq), stage.situation)
            await found.until_seen("The match goes on", "YOUR TURN")
            assert sure(found.model.view).table == stage.table

    run(story)
