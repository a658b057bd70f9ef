"""What reaches the terminal: sizes, colours, the mouse, bytes; and nothing while nothing happens."""

import asyncio
import io
from typing import Final

import pytest
from ui.app.pane import Pane, at_table, keys_of, next_wish, pane, run

from sm_p2p.bot.greedy import choose
from sm_p2p.errors import Code, IllegalMove, sure
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import QUICK
from sm_p2p.session.effects import Latency, Said, Stopped
from sm_p2p.session.talk import LinkChanged, Offered, Refused, Way
from sm_p2p.ui.app.usable import look_of, usable
from sm_p2p.ui.screen.frame import Pane as Scrolled
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.looks import ASCII, Charset, Colours, Look
from sm_p2p.ui.screen.model import Opponent

FEW: Final = [(1, 1), (48, 16), (120, 40), (79, 15)]
SIZES: Final = [(1, 1), (300, 100), (2, 50), (80, 24), (79, 23), (48, 16), (47, 15), (120, 40), (200, 3)]
STATES: Final = {
    "table": (),
    "picked": ("1",),
    "help": ("?",),
    "chat": ("t", "h", "i"),
    "command": (":", "x"),
    "stack": ("v", "A"),
    "looking": ("v",),
    "options": ("o",),
    "question": ("q",),
    "details": ("i",),
    "log": ("l",),
    "score": ("s",),
}
LEAST: Final = 1024  # bytes of an ordinary event


def filled(found: Pane) -> bool:
    """Whether what is on the screen is what the model looks like now."""
    size = found.emulator.size
    frame = found.terminal.frame(Size(size.columns, size.rows))
    return found.lines == tuple(line.rstrip() for line in frame.text)


@pytest.mark.parametrize("state", STATES)
def test_every_size_in_every_state_shows_its_frame_and_keeps_the_pick(state: str) -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.pressed(*STATES[state])
            before = found.model
            for columns, rows in SIZES if state == "picked" else FEW:
                found.resize(columns, rows)
                await found.until(lambda: filled(found))
                assert found.model == before
            await found.pressed("c-l")
            await found.until(lambda: filled(found))

    run(story)


def test_every_size_in_a_menu_an_offer_and_a_broken_match() -> None:
    async def story() -> None:
        async with pane() as found:
            menu = asyncio.ensure_future(found.terminal.menu("MENU", [("a", "b")] * 30))
            for columns, rows in SIZES:
                found.resize(columns, rows)
                await found.until(lambda: filled(found))
            menu.cancel()
        async with at_table() as (found, stage):
            found.terminal.show(Offered("Ana", QUICK), stage.situation)
            found.terminal.show(LinkChanged(Way.RECONNECTING), stage.situation)
            for columns, rows in FEW:
                found.resize(columns, rows)
                await found.until(lambda: filled(found))
            found.terminal.show(Stopped(Code.GAP, 3, None, ""), stage.situation)
            for columns, rows in FEW:
                found.resize(columns, rows)
                await found.until(lambda: filled(found))

    run(story)


@pytest.mark.parametrize("columns", [80, 120, 48])
def test_cards_travel_in_every_size_and_arrive(columns: int) -> None:
    async def story() -> None:
        async with at_table(columns, {80: 24, 120: 40, 48: 16}[columns], speed="fast", seed=2) as (found, stage):
            for _ in range(3):
                found.tell(stage.move(choose(stage.view(sure(stage.match.speaker)))), stage)
            await found.until(lambda: found.terminal._table._projector.is_over)
            await found.until(lambda: filled(found))
            assert sure(found.model.view).table == stage.table

    run(story)


def test_red_suits_are_red_and_blanks_have_no_colour() -> None:
    async def story() -> None:
        async with at_table(seed=1) as (found, _):
            await found.until(lambda: filled(found))
            buffer = found.emulator.screen.buffer
            red = {cell.data for row in buffer.values() for cell in row.values() if cell.fg == "red"}
            assert {"♦", "♥"} & red
            cells = [cell for row in buffer.values() for cell in row.values()]
            assert not any(cell.fg != "default" and not cell.reverse for cell in cells if cell.data == " ")
            assert {cell.bg for row in buffer.values() for cell in row.values()} == {"default"}

    run(story)


def colours(found: Pane) -> set[str]:
    """Every colour on the screen."""
    return {cell.fg for row in found.emulator.screen.buffer.values() for cell in row.values()} - {"default"}


def test_colours_are_chosen_by_a_key_and_none_is_none() -> None:
    async def story() -> None:
        async with at_table(colours="none") as (found, _):
            await found.until(lambda: filled(found))
            assert not colours(found)
            await found.pressed("f")
            await found.until(lambda: "red" in colours(found))
            await found.pressed("f")
            await found.until(lambda: "green" in colours(found))

    run(story)


def test_no_color_is_honoured_and_the_text_stays_the_same() -> None:
    async def story(look: Look) -> tuple[str, ...]:
        async with at_table(look=look) as (found, _):
            await found.until(lambda: filled(found))
            if look.colours is Colours.NONE:
                assert not colours(found)
            return found.lines

    plain = run(lambda: story(look_of({"NO_COLOR": "1", "TERM": "xterm"}, Encoded("utf-8"))))
    assert plain == run(lambda: story(look_of({"TERM": "xterm"}, Encoded("utf-8"))))


def test_a_screen_in_ascii_is_ascii() -> None:
    async def story() -> None:
        async with at_table(look=ASCII) as (found, _):
            await found.until(lambda: filled(found))
            assert found.text.isascii()
            assert "?" not in found.text.replace("? help", "")

    run(story)


class Encoded(io.StringIO):
    """A terminal with this encoding."""

    def __init__(self, encoding: str, *, is_terminal: bool = True) -> None:
        super().__init__()
        self._encoding = encoding
        self._is_terminal = is_terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]  # of a real stream
        """Its encoding."""
        return self._encoding

    def isatty(self) -> bool:
        """Whether it is one."""
        return self._is_terminal


@pytest.mark.parametrize(
    ("environ", "encoding", "charset"),
    [
        ({"TERM": "xterm"}, "utf-8", Charset.UNICODE),
        ({"TERM": "xterm", "LANG": "de_DE.UTF-8"}, "utf-8", Charset.UNICODE),
        ({"TERM": "xterm"}, "iso-8859-1", Charset.ASCII),
        ({"TERM": "xterm", "LC_ALL": "C"}, "utf-8", Charset.ASCII),
        ({"TERM": "xterm", "LC_ALL": "C.UTF-8"}, "utf-8", Charset.UNICODE),
        ({"TERM": "linux", "LANG": "de_DE.UTF-8"}, "utf-8", Charset.ASCII),
        ({"TERM": "screen"}, "utf-8", Charset.UNICODE),
    ],
)
def test_characters_are_those_that_the_terminal_can_show(
    environ: dict[str, str], encoding: str, charset: Charset
) -> None:
    assert look_of(environ, Encoded(encoding)).charset is charset


def test_there_is_a_screen_only_at_a_terminal_that_can_show_one() -> None:
    terminal, pipe, closed = Encoded("utf-8"), Encoded("utf-8", is_terminal=False), io.StringIO()
    closed.close()
    assert look_of({}, None).charset is Charset.ASCII
    for term in ("xterm", "xterm-256color", "screen", "tmux", "linux", "alacritty", "foot"):
        assert usable({"TERM": term}, terminal, terminal)
    for term in ("dumb", "unknown", ""):
        assert not usable({"TERM": term}, terminal, terminal)
    assert not usable({}, terminal, terminal)
    for stream in (pipe, closed, None):
        assert not usable({"TERM": "xterm"}, stream, terminal)
        assert not usable({"TERM": "xterm"}, terminal, stream)


def mouse(kind: int, column: int, row: int, end: str = "M") -> str:
    """What a terminal sends for the mouse."""
    return f"\x1b[<{kind};{column + 1};{row + 1}{end}"


def place_of(found: Pane, keys: tuple[str, ...]) -> tuple[int, int]:
    """A cell that stands for these keys."""
    zone = next(zone for zone in reversed(found.terminal._lens._frame.zones) if zone.keys == keys)
    return zone.rect.left, zone.rect.top


def test_a_move_is_made_by_two_clicks_and_the_right_button_puts_back() -> None:
    async def story() -> None:
        async with at_table() as (found, stage):
            await found.still()
            found.send(mouse(0, *place_of(found, ("1",))) + mouse(0, *place_of(found, ("1",)), "m"))
            await found.until(lambda: found.model.picking.source == "h1")
            found.send(mouse(2, 5, 5))
            await found.until(lambda: found.model.picking.source == "")
            found.send(mouse(0, *place_of(found, ("1",))))
            await found.until(lambda: found.model.picking.source == "h1")
            await found.still()
            found.send(mouse(0, *place_of(found, ("b",))))
            move = await next_wish(found)
            assert move == Move.parse("h1-b")
            assert stage.situation.is_our_turn

    run(story)


@pytest.mark.parametrize("size", [(80, 24), (48, 16), (120, 40)])
def test_every_legal_move_can_be_made_by_the_mouse_alone(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with at_table(*size, seed=22, ask_discard="off") as (found, stage):
            for move in stage.view(0).legal_moves:
                for key in keys_of(move):
                    await found.still()
                    found.send(mouse(0, *place_of(found, (key,))))
                    await found.pressed("x")
                assert await next_wish(found) == move
                found.terminal.show(Refused(IllegalMove("once more")), stage.situation)

    run(story)


def test_a_mouse_that_moves_or_clicks_nowhere_costs_nothing() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.until(lambda: filled(found))
            before, model = found.emulator.bytes_written, found.model
            found.send("".join(mouse(35, column, 3) for column in range(40)) + mouse(0, 79, 23) + mouse(3, 2, 2))
            await found.pressed("x")
            assert found.model == model
            assert found.emulator.bytes_written == before

    run(story)


def test_the_wheel_scrolls_what_lies_under_it() -> None:
    async def story() -> None:
        async with at_table(seed=3) as (found, stage):
            for number in range(12):
                found.terminal.show(Said(1, f"line {number}"), stage.situation)
            await found.still()

            def over(pane: Scrolled) -> tuple[int, int]:
                zone = next(zone for zone in found.terminal._lens._frame.zones if zone.pane is pane)
                return zone.rect.left, zone.rect.top

            found.send(mouse(64, *over(Scrolled.CHAT)))
            await found.until(lambda: found.model.chat_scroll == 3)
            found.send(mouse(64, *over(Scrolled.LOG)))
            await found.until(lambda: found.model.log_scroll == 3)
            found.send(mouse(65, *over(Scrolled.LOG)))
            await found.until(lambda: found.model.log_scroll == 0)
            await found.pressed("?")
            found.send(mouse(65, 20, 10))
            await found.until(lambda: getattr(found.model.overlay, "scroll", 0) == 3)
            await found.pressed("escape", "o")
            found.send(mouse(65, 20, 10))
            await found.until(lambda: getattr(found.model.overlay, "at", 0) == 1)

    run(story)


def test_the_mouse_is_switched_off_at_once_by_one_key_and_stays_off() -> None:
    async def story() -> None:
        async with at_table() as (found, _):
            await found.until(lambda: "\x1b[?1000h" in "".join(found.emulator.written))
            await found.pressed("m")
            await found.until(lambda: "\x1b[?1000l" in "".join(found.emulator.written))
        async with at_table(mouse="off") as (found, _):
            await found.until(lambda: filled(found))
            assert "\x1b[?1000h" not in "".join(found.emulator.written)

    run(story)


def test_an_ordinary_event_costs_at_most_a_kilobyte() -> None:
    async def story() -> list[int]:
        costs = []
        async with at_table(seed=7, opponent=Opponent.COMPUTER) as (found, stage):
            await found.until(lambda: filled(found))
            for _ in range(40):
                move = choose(stage.view(sure(stage.match.speaker)))
                news = stage.move(move)
                before = found.emulator.bytes_written
                found.tell(news, stage)
                await found.until(lambda: filled(found))
                if len(news) == 1:
                    costs.append(found.emulator.bytes_written - before)
        return costs

    costs = sorted(run(story))
    assert costs[-1] <= LEAST, costs


def waits(loop: asyncio.AbstractEventLoop) -> list[object]:
    """Whatever would wake this loop by the clock; the deadline of the test is not counted."""
    handles = [handle for handle in loop._scheduled if not handle.cancelled()]  # type: ignore[attr-defined]
    return [handle for handle in handles if "timeout" not in repr(handle).lower() and "_release" not in repr(handle)]


def test_nothing_is_written_and_nothing_wakes_up_while_nothing_happens() -> None:
    async def story() -> None:
        async with at_table(speed="fast") as (found, stage):
            found.tell(stage.move(next(move for move in stage.view(0).legal_moves if move.ends_turn)), stage)
            await found.until(lambda: found.terminal._table._projector.is_over)
            await found.pressed("1", "escape")
            await found.until(lambda: filled(found))
            await found.until(lambda: not waits(asyncio.get_running_loop()))
            await found.still()  # what changed in style only is drawn as well
            before = found.emulator.bytes_written
            found.terminal.show(Latency(0.0), stage.situation)
            await found.still()
            assert found.emulator.bytes_written == before

    run(story)
