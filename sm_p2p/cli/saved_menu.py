"""The saved matches on the full screen: a list, and for each of them what can be done with it."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from sm_p2p.cli import replaying, screen
from sm_p2p.cli.matches import deleted, label, summary
from sm_p2p.cli.resume import brought_back
from sm_p2p.cli.shelf import Shelved, State, names, shelf
from sm_p2p.cli.sitting import Sitter
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.words import Words

WORDS: Final = Words()


def is_any(sitter: Sitter) -> bool:
    """Whether anything is saved."""
    return any(sitter.seat.places.data.glob("*.smlog"))


async def choose(sitter: Sitter, terminal: Terminal) -> None:
    """The list, until somebody has enough of it."""
    at: int | None = 0
    while at is not None:
        found = await asyncio.to_thread(shelf, sitter.seat.places)
        if not found:
            return
        at = await terminal.menu(WORDS.say("SAVED MATCHES"), list(map(label, found)), at=min(at, len(found) - 1))
        if at is not None:
            await _one(sitter, terminal, found[at], names(found)[at])


async def _one(sitter: Sitter, terminal: Terminal, one: Shelved, name: str) -> None:
    """What is done with one of them."""
    ways: list[tuple[str, str, Callable[[], Awaitable[object]]]] = []
    if one.is_waiting or one.state is State.UNOPENED:
        ways.append((WORDS.say("Go on"), "", partial(_go_on, sitter, terminal, one)))
    if one.entries:
        look = partial(replaying.look, sitter.seat.places, terminal, one.path)
        ways.append((WORDS.say("Look at it"), WORDS.say("move by move"), look))
    ways.append((WORDS.say("Delete it"), WORDS.say("for ever"), partial(_delete, sitter, terminal, one, name)))
    about = [summary(one), *([] if one.problem is None else [WORDS.again(one.problem)])]
    at = await terminal.menu(name, [(said, value) for said, value, _ in ways], about)
    if at is not None:
        await ways[at][2]()


async def _go_on(sitter: Sitter, terminal: Terminal, one: Shelved) -> None:
    terms = {"variant": None, "to": None, "new": False, "bind": sitter.arguments.bind, "port": sitter.arguments.port}
    words = argparse.Namespace(**{**vars(sitter.arguments), **terms})
    await screen.at_screen(sitter, brought_back(words, sitter.seat.places, one), terminal)


async def _delete(sitter: Sitter, terminal: Terminal, one: Shelved, name: str) -> None:
    if await terminal.confirm(WORDS.say("DELETE IT FOR EVER?"), [summary(one)]):
        said = await asyncio.to_thread(deleted, sitter.seat.places, one, name)
        await terminal.read(WORDS.say("DONE"), [said])
