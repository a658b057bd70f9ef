"""A replay on a real screen: every key of its table, typed words, growing, and that looking changes nothing."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import cache
from typing import Final

import pytest
from ui.app.pane import Pane, pane, run
from ui.stage import Stage, steps_of

from sm_p2p.errors import sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import Slot
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Advanced, Said
from sm_p2p.session.events import MOVED
from sm_p2p.ui.app.choices import Switch
from sm_p2p.ui.app.replaying import About, Replaying
from sm_p2p.ui.app.stills import Remark, Stills
from sm_p2p.ui.keys import Action, Mode, bindings
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.screen.model import Checked, Model, Replay
from sm_p2p.ui.screen.overlays import Command, Details, FullLog, Help, Looking, Prompt, Rules, ScoreSheet, StackView
from sm_p2p.ui.verdicts import Analysis, Verdict

SHORT: Final = Variant.parse("quick,pay_off=5,target=6")


@cache
def told() -> tuple[Advanced, ...]:
    """A match of a few games."""
    return tuple(Advanced(*step) for step in steps_of(Stage(SHORT)))


def reel_of(count: int | None = None) -> Reel:
    """So many entries of it; the hands of game 1 can be opened."""
    reel = Reel()
    for news in told()[:count]:
        reel.add(news)
    reel.open(1, {Slot(slot): Card.parse("7H") for slot in range(1024)})
    return reel


REEL: Final = reel_of()
LAST: Final = len(REEL)
SECOND: Final = sure(REEL.game(2))


class Story:
    """A pane with a replay in it, and what its surroundings were asked."""

    def __init__(self, found: Pane, shown: Replaying, reel: Reel) -> None:
        self.pane = found
        self.shown = shown
        self.reel = reel
        self.asked: list[str] = []

    @property
    def place(self) -> int:
        """Where it stands."""
        return sure(self.pane.model.replay).entry

    @property
    def how(self) -> Replay:
        """How it is looked at."""
        return sure(self.pane.model.replay)

    async def press(self, *keys: str) -> int:
        """Press these keys; where it stands then."""
        await self.pane.pressed(*keys)
        return self.place

    async def type(self, line: str) -> int:
        """Type a command; where it stands then."""
        return await self.press(":", *("space" if one == " " else one for one in line), "enter")

    def still(self) -> Model:
        """What has to be seen at this place."""
        return Stills(self.reel).model(self.place, self.how)


@contextlib.asynccontextmanager
async def replayed(
    reel: Reel | None = None, written: Callable[[str], str] = str, speed: str = "off", **more: object
) -> AsyncIterator[Story]:
    """A replay on the screen; files are written by `written`, and those with a slash are refused."""
    asked: list[str] = []
    chat = (Remark(3, Said(0, "hello")),) if more else ()

    async def export(file: str, _how: Replay) -> str:
        return written(file)

    about = About(
        lambda: ("This is the log of a test.",),
        "a.sheet",
        lambda file: "No slash." if "/" in file else "",
        export,
        judge=lambda: asked.append("judge"),
    )
    async with pane(speed=speed) as found:
        reel = reel or REEL
        async with found.terminal.replaying(reel, Stills(reel, chat=chat), about) as shown:
            story = Story(found, shown, reel)
            story.asked = asked
            yield story


def test_it_opens_where_the_first_game_lies_dealt_and_says_so() -> None:
    async def story() -> None:
        async with replayed() as it:
            assert it.place == REEL.first
            await it.pane.until_seen(f"Entry {REEL.first} of {LAST}", "stands still", "replay", "proofs not checked")

    run(story)


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (["right"], REEL.first + 1),
        (["left"], REEL.first - 1),
        (["]"], REEL.turn_on(REEL.first)),
        (["pagedown", "pagedown", "["], REEL.turn_on(REEL.first)),
        (["]", "right", "pageup"], REEL.turn_on(REEL.first)),
        (["}"], SECOND),
        (["down", "right", "{"], SECOND),
        (["down", "up"], REEL.first),
        (["g"], 0),
        (["home"], 0),
        (["G"], LAST),
        (["end", "left"], LAST - 1),
        (["g", "left"], 0),
        (["G", "right"], LAST),
    ],
)
def test_keys_lead_from_place_to_place(keys: list[str], place: int) -> None:
    async def story() -> None:
        async with replayed() as it:
            assert await it.press(*keys) == place
            assert replace(it.pane.model, message="") == it.still()

    run(story)


def test_typed_words_lead_from_place_to_place_and_say_where_there_is_none() -> None:
    async def story() -> None:
        async with replayed() as it:
            assert await it.type("3") == REEL.turn(REEL.first, 3)
            assert await it.type("game 2") == SECOND
            assert await it.type("entry 7") == 7
            assert await it.type("next 4") == 11
            assert await it.type("back") == 10
            assert await it.type("turn back") == REEL.turn_back(10)
            await it.type("400")
            assert "Game 1 has no turn 400" in it.pane.model.message
            await it.type("game 9")
            assert "no game 9" in it.pane.model.message
            await it.type("entry 9999")
            assert f"it has {LAST} entries" in it.pane.model.message
            await it.type("h3-b")
            assert "no word" in it.pane.model.message
            before = it.place
            assert await it.type("table") == await it.type("") == before

    run(story)


def test_stepping_back_so_many_times_gives_the_same_pictures() -> None:
    async def story() -> None:
        async with replayed(reel_of(60)) as it:
            await it.press("G")
            for place in range(59, 20, -1):
                assert await it.press("left") == place
                assert it.pane.model == it.still()

    run(story)


@pytest.mark.parametrize("speed", ["fast", "normal"])
def test_a_step_on_is_seen_and_ends_with_the_picture_of_its_place(speed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with replayed(speed=speed) as it:
            await it.press("+", "+", "+")
            await it.type("entry 4")
            picture, shown = it.pane.terminal._picture, list[Model]()
            show = picture.show

            def noted(model: Model) -> None:
                shown.append(model)
                show(model)

            monkeypatch.setattr(picture, "show", noted)
            await it.press("right")  # the deal, which may be over in a moment
            assert any(model.air for model in shown)
            await it.pane.until(lambda: not it.pane.model.air and it.pane.model == it.still())
            await it.press("right", "right", "left")  # nobody has to wait for it
            assert it.pane.model == it.still()

    run(story)


def test_it_plays_to_the_end_of_what_is_there_and_stands_still() -> None:
    async def story() -> None:
        async with replayed(reel_of(14)) as it:
            await it.type("speed 8")
            assert "×8" in it.pane.model.message
            await it.press("space")
            assert it.how.is_playing
            await it.pane.until(lambda: it.place == 14 and not it.how.is_playing)
            assert it.pane.model == it.still()
            await it.press("space")
            assert "end of the log" in it.pane.model.message

    run(story)


def test_it_pauses_goes_on_from_anywhere_and_changes_its_speed() -> None:
    async def story() -> None:
        async with replayed() as it:
            await it.press("-")
            assert it.how.speed == "0.5"
            await it.press("space", "}")
            assert it.how.is_playing
            assert it.place >= SECOND
            await it.press("space")
            here = it.place
            assert not it.how.is_playing
            await asyncio.sleep(0)
            assert it.place == here
            await it.press(*["+"] * 9)
            assert it.how.speed == "8"
            await it.press(*["-"] * 9)
            assert it.how.speed == "0.25"

    run(story)


def test_hands_open_where_the_keys_were_revealed_and_elsewhere_it_is_said_why_not() -> None:
    async def story() -> None:
        async with replayed() as it:
            await it.press("o")
            assert it.how.is_open
            assert sure(it.pane.model.view).faces
            await it.press("}")
            assert not it.how.is_open
            assert not sure(it.pane.model.view).faces
            await it.press("o")
            assert "The keys of game 2 are being checked" in it.pane.model.message
            await it.press("{")
            assert it.how.is_open
            await it.press("o", "}")
            assert not it.how.is_open
            it.reel.distrust(2)
            await it.press("o")
            assert not it.how.is_open
            assert "do not open what was played" in it.pane.model.message
            await it.press("g", "o")
            assert "No cards lie on the table yet" in it.pane.model.message
        async with replayed(reel_of(SECOND + 3)) as it:
            await it.press("G", "o")
            assert "The keys of game 2 are not revealed" in it.pane.model.message
            assert not it.how.is_open

    run(story)


def test_the_analysis_is_asked_for_told_and_seen_beside_the_move() -> None:
    async def story() -> None:
        reel = reel_of()
        place = next(place for place in range(REEL.first, LAST) if REEL.news(place).entry.kind == MOVED)
        move = Move.parse("h2-a")
        verdict = Verdict(place, 1, 0, move, Card.parse("KS"), Move.parse("p-c1"), Card.parse("AS"), 0.4, 0.125)
        async with replayed(reel) as it:
            await it.type(f"entry {place}")
            await it.press("a")
            assert it.asked == ["judge"]
            await it.pane.until_seen("are being judged")
            reel.judge(Analysis(1, (verdict,), 0.01, 600))
            it.shown.judged(1)
            await it.pane.until_seen("The moves of game 1 are judged", "ANALYSIS (a)", "hard: A♠ p-c1", "12.5 % more")
            await it.press("a")
            await it.pane.until_seen("ANALYSIS OF GAME 1", "off by 1.0 % on average", "1. Turn 1: KS h2-a")
            await it.press("escape", "right")
            await it.pane.until_gone("ANALYSIS (a)")
            await it.type(f"entry {SECOND}")
            await it.type("analysis")
            await it.pane.until_seen("The keys of game 2 are")
            assert it.asked == ["judge"]

    run(story)


def test_the_table_turns_around_and_stacks_are_named_from_there() -> None:
    async def story() -> None:
        async with replayed() as it:
            await it.press("G", "{", "]", "]", "]", "tab")
            assert it.pane.model.bottom == 1
            await it.press("v", "a")
            overlay = it.pane.model.overlay
            assert isinstance(overlay, StackView)
            assert overlay.stack.seat == 1
            await it.press("escape", "tab", "v", "a")
            overlay = it.pane.model.overlay
            assert isinstance(overlay, StackView)
            assert overlay.stack.seat == 0
            await it.press("escape")
            await it.type("show c1")
            assert isinstance(it.pane.model.overlay, StackView)
            await it.press("escape")
            await it.type("show c4")
            assert "no c4" in it.pane.model.message
            await it.press("g")
            await it.type("show a")
            assert "No cards lie" in it.pane.model.message

    run(story)


def test_what_can_be_read_is_laid_over_the_table() -> None:
    async def story() -> None:
        async with replayed() as it:
            for key, kind in (("l", FullLog), ("s", ScoreSheet), ("i", Details), ("?", Help), (":", Command)):
                await it.press(key)
                assert isinstance(it.pane.model.overlay, kind)
                await it.press("escape")
                assert it.pane.model.overlay is None
            await it.press("v")
            assert isinstance(it.pane.model.overlay, Looking)
            await it.press("escape")
            for line, sheet in (("rules", Rules), ("check", Details), ("score", ScoreSheet), ("help", Help)):
                await it.type(line)
                assert isinstance(it.pane.model.overlay, sheet)
                await it.press("escape")
            await it.press("?")
            await it.pane.until_seen("play and pause")

    run(story)


def test_every_key_of_the_table_does_something_or_says_why_not() -> None:
    async def story() -> None:
        async with replayed() as it:
            for binding in bindings(Mode.WATCH):
                if binding.action in {Action.LEAVE, Action.SUSPEND, Action.REPAINT}:
                    continue
                for key in binding.keys:
                    it.shown._playback.go(SECOND + 9)
                    it.pane.terminal._layers.close_all()
                    before, look = it.pane.model, it.pane.terminal.preferences.choices
                    await it.press(key)
                    assert it.pane.model != before or it.pane.terminal.preferences.choices != look, key

    run(story)


def test_mouse_colours_and_clicks_work_as_at_the_table() -> None:
    async def story() -> None:
        async with replayed() as it:
            await it.press("m")
            assert it.pane.terminal.preferences.choices.mouse is Switch.OFF
            await it.press("f", "4")
            await it.pane.until_seen("Entry")
            row = next(number for number, line in enumerate(it.pane.lines) if "play" in line and "back" in line)
            it.pane.terminal.click(it.pane.lines[row].index("forward"), row)
            assert it.place == REEL.first + 1

    run(story)


def test_the_match_is_written_into_a_file_that_can_be_written() -> None:
    files: list[str] = []

    def written(file: str) -> str:
        files.append(file)
        return f"{file} is written."

    async def story() -> None:
        async with replayed(written=written) as it:
            await it.press("e")
            overlay = it.pane.model.overlay
            assert isinstance(overlay, Prompt)
            assert overlay.text == "a.sheet"
            await it.press("/", "enter")
            await it.pane.until_seen("No slash.")
            await it.press("backspace", "enter")
            await it.pane.until_seen("a.sheet is written.")
            await it.type("export b.cast")
            await it.shown.written()
            await it.type("export b/c")
            assert it.pane.model.message == "No slash."
            await it.press("e", "escape")
        assert files == ["a.sheet", "b.cast"]

    run(story)


def test_one_file_is_written_at_a_time() -> None:
    async def story() -> None:
        async with replayed() as it:
            it.shown._exporting = asyncio.ensure_future(asyncio.sleep(60))
            await it.type("export b.cast")
            assert "already" in it.pane.model.message
            it.shown._exporting.cancel()

    run(story)


@pytest.mark.parametrize("key", ["q", "c-c"])
def test_it_is_left_at_once(key: str) -> None:
    async def story() -> None:
        async with replayed() as it:
            await it.press("space")
            it.pane.press(key)
            await it.shown.left.wait()
            it.shown.press("right")
            assert not it.shown._playback._timers.waits("play")

    run(story)


def test_whoever_closes_the_window_has_left() -> None:
    async def story() -> None:
        async with replayed() as it:
            it.pane.terminal.gone()
            assert it.shown.left.is_set()
        async with pane() as found:
            found.terminal.gone()
            about = About(tuple, "", str, str)  # type: ignore[arg-type]  # nobody asks
            async with found.terminal.replaying(REEL, Stills(REEL), about) as shown:
                assert shown.left.is_set()

    run(story)


def test_the_label_says_no_more_than_was_checked() -> None:
    async def story() -> None:
        async with replayed() as it:
            head = REEL.match(REEL.first).chain.head.hex()[:4]
            for checked, label in (
                (Checked(percent=37), "checking proofs 37 %"),
                (Checked(REEL.first), f"log verified ✓ {head}"),
                (Checked(REEL.first - 1), f"proofs not checked {head}"),
                (Checked(REEL.first, 60, 0, 2), f"game verified ✓ {head}"),
                (Checked(REEL.first + 5, 61, 0, REEL.first + 1), "checking proofs 61 %"),
                (Checked(REEL.first - 1, 62, 0, 2), "checking proofs 62 %"),
                (Checked(REEL.first - 1, None, REEL.first), f"LOG BROKEN at entry {REEL.first}"),
            ):
                it.shown.know(checked)
                await it.pane.until_seen(label)

    run(story)


def test_it_can_be_looked_at_while_it_is_still_being_read() -> None:
    async def story() -> None:
        reel = reel_of(20)
        async with replayed(reel) as it:
            it.shown.grown(LAST)
            await it.pane.until_seen(f"Entry {REEL.first} of {LAST}")
            await it.type("speed 8")
            await it.press("G", "space")
            assert it.how.is_playing
            for news in told()[20:24]:
                reel.add(news)
            it.shown.grown(LAST)
            await it.pane.until(lambda: it.place == 24)
            assert it.how.is_playing
            await it.press("space")
            assert it.pane.model == it.still()

    run(story)


def test_whoever_goes_to_the_end_while_it_is_being_read_is_at_the_end_when_it_was_read() -> None:
    async def story() -> None:
        reel = reel_of(20)
        async with replayed(reel) as it:
            it.shown.grown(30)
            assert await it.press("G") == 20
            assert await it.press("right") == 20
            assert "still being read" in it.pane.model.message
            await it.type("game 2")
            assert "still being read" in it.pane.model.message
            for count in (24, 30):
                for news in told()[len(reel) : count]:
                    reel.add(news)
                it.shown.grown(30)
                assert it.place == count
            for news in told()[30:34]:  # it has grown after it was read
                reel.add(news)
            it.shown.grown(34)
            assert it.place == 30
            await it.press("left")
            assert it.place == 29

    run(story)


def test_whoever_follows_sees_what_comes_and_stops_following_when_he_goes_elsewhere() -> None:
    async def story() -> None:
        reel = reel_of(20)
        async with replayed(reel) as it:
            await it.press(".")
            assert "nothing to follow" in it.pane.model.message
            it.shown.grown(20, is_live=True)
            await it.press(".")
            assert (it.place, it.how.follows) == (20, True)
            await it.pane.until_seen("live, follows")
            for news in told()[20:22]:
                reel.add(news)
            it.shown.grown(22, is_live=True)
            await it.pane.until(lambda: it.place == 22)
            for news in told()[22:40]:
                reel.add(news)
            it.shown.grown(40, is_live=True)
            assert (it.place, it.how.follows) == (40, True)
            await it.press("left")
            assert not it.how.follows
            await it.pane.until_seen("press . to follow")
            for news in told()[40:42]:
                reel.add(news)
            it.shown.grown(42, is_live=True)
            assert it.place == 39

    run(story)


def test_whoever_follows_sees_the_cards_travel_unless_too_many_have_come() -> None:
    async def story() -> None:
        reel = reel_of(4)
        async with replayed(reel, speed="normal") as it:
            it.shown.grown(4, is_live=True)
            await it.press(".")
            reel.add(told()[4])
            it.shown.grown(5, is_live=True)
            assert it.pane.model.air
            await it.press(".")
            for news in told()[5:20]:
                reel.add(news)
            it.shown.grown(20, is_live=True)
            assert not it.pane.model.air
            assert it.pane.model == it.still()

    run(story)


def test_chat_stands_where_it_was_said() -> None:
    async def story() -> None:
        async with replayed(chat=True) as it:
            await it.pane.until_seen("hello")
            await it.press("g")
            await it.pane.until_gone("hello")

    run(story)
