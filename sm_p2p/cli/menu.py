"""`sm-p2p` alone, where there is a full screen: the menu.

Law: an entry is shown only if what it promises exists.
"""

import argparse
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.cli import replaying, saved_menu, screen, seeking, sitting, spectating, tables, watching
from sm_p2p.cli.sitting import Sitter
from sm_p2p.cli.status import Status
from sm_p2p.errors import SpiteError
from sm_p2p.rules.variant import PRESETS, Variant
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.news import variant_name
from sm_p2p.ui.words import Words, mark
from sm_p2p.watch.spectate import Spectator

WORDS: Final = Words()
VARIANTS: Final = {
    "standard": mark("to 50 points, pay-off piles of 20"),
    "quick": mark("one game, pay-off piles of 10"),
    "long": mark("to 50 points, three packs, piles of 30"),
}
PASTE: Final = mark("Paste the line for watching, which begins with sm-p2p:// as well.")


Work: TypeAlias = Callable[[Sitter, Terminal], Awaitable[object]]


class Line(NamedTuple):
    """One line of the menu, and what it does."""

    label: str
    value: str
    work: Work
    is_about_saved: bool = False


def run(sitter: Sitter, first: Work | None = None) -> int:
    """The menu, until somebody has enough of it, behind what is to be done `first`; what the shell is to be told."""
    return sitting.run(partial(_menu, sitter, first))


async def _menu(sitter: Sitter, first: Work | None) -> int:
    at: int | None = 0
    async with screen.on_full_screen(sitter) as terminal:
        if first is not None:
            await _do(sitter, terminal, first)
        while not terminal.is_closing:
            lines = _lines(sitter)
            shown = [(WORDS.say(line.label), line.value and WORDS.say(line.value)) for line in lines]
            at = await terminal.menu("SPITE & MALICE", shown, at=min(at or 0, len(lines) - 1))
            if at is None or lines[at].work is _quit:
                break
            await _do(sitter, terminal, lines[at].work)
        return Status.OK if terminal.signal is None else 128 + terminal.signal


async def _do(sitter: Sitter, terminal: Terminal, work: Work) -> None:
    """Do it, and say what was in the way."""
    try:
        await work(sitter, terminal)
    except SpiteError as error:
        await terminal.read(WORDS.say("THIS DID NOT WORK"), [WORDS.why(error)])


def _lines(sitter: Sitter) -> tuple[Line, ...]:
    """What can be chosen now."""
    is_any = saved_menu.is_any(sitter)
    return tuple(line for line in LINES if is_any or not line.is_about_saved)


async def _watch(sitter: Sitter, terminal: Terminal) -> None:
    about = [WORDS.say(PASTE)]
    text = await terminal.ask(WORDS.say("THE INVITE"), about, checker=screen.wrong_for(watching.invite_of))
    if text:
        seat = sitter.seat
        who = Spectator(seat.identity, seat.name, watching.WAIT_S)
        await spectating.watch(who, watching.invite_of(text, seat.identity.identity), terminal)


async def _replays(sitter: Sitter, terminal: Terminal) -> None:
    await replaying.choose(sitter.seat.places, terminal)


async def _play(sitter: Sitter, terminal: Terminal) -> None:
    variant = await _variant(terminal)
    if variant is not None:
        await _sit_down(sitter, terminal, tables.play(_with(sitter, variant)))


async def _host(sitter: Sitter, terminal: Terminal) -> None:
    variant = await _variant(terminal)
    if variant is not None:
        await _sit_down(sitter, terminal, tables.host(_with(sitter, variant)))


async def _quit(_sitter: Sitter, _terminal: Terminal) -> None:
    """Nothing; the loop ends."""


async def _sit_down(sitter: Sitter, terminal: Terminal, occasion: sitting.Occasion) -> None:
    await screen.at_screen(sitter, occasion, terminal)


async def _variant(terminal: Terminal) -> Variant | None:
    """What is to be played; None: back."""
    names = list(PRESETS)
    at = await terminal.menu(WORDS.say("WHAT IS PLAYED"), variants(WORDS))
    if at is None:
        return None
    if at < len(names):
        return PRESETS[names[at]]
    return await terminal.terms(WORDS.say("HOUSE RULES"), WORDS.say("play by these"))


def variants(words: Words) -> tuple[tuple[str, str], ...]:
    """What can be played, as entries of a menu."""
    named = tuple((variant_name(words, name), words.say(VARIANTS[name])) for name in PRESETS)
    return (*named, (words.say("other house rules"), words.say("packs, pay-off, points and more")))


def _with(sitter: Sitter, variant: Variant) -> argparse.Namespace:
    return argparse.Namespace(**{**vars(sitter.arguments), "variant": str(variant), "to": None})


LINES: Final = (
    Line(mark("Play against the computer"), mark("at once, also without a network"), _play),
    Line(mark("Open a table"), mark("for a friend, who gets an invite"), _host),
    Line(mark("Sit down at a table"), mark("by invite, on this network, of a friend"), seeking.page),
    Line(mark("Watch"), mark("a match of others, with an invite for it"), _watch),
    Line(mark("Saved matches"), mark("go on, look, delete"), saved_menu.choose, is_about_saved=True),
    Line(mark("Replays"), mark("matches of before, move by move"), _replays, is_about_saved=True),
    Line(mark("Rules"), "", lambda _sitter, terminal: terminal.rules()),
    Line(mark("Options"), "", lambda _sitter, terminal: terminal.options()),
    Line(mark("Quit"), "", _quit),
)
"""In the order in which they stand."""
