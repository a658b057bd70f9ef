"""What lies over the table, one on top of the other, and what each key does to the topmost: scroll, choose, type, answer.

Law: the topmost layer gets the keys; whatever happens, it can be closed, and then its opener hears of it exactly once.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from sm_p2p.session.text import clean
from sm_p2p.ui.app.editing import edited, room, typed
from sm_p2p.ui.keys import Action, Mode, binding_of
from sm_p2p.ui.screen.overlays import (
    Ask,
    AskQuit,
    AskResign,
    Command,
    Details,
    FullLog,
    Help,
    Listing,
    Looking,
    Offer,
    Overlay,
    Prompt,
    Reading,
    Rules,
    ScoreSheet,
    Sheet,
    StackView,
    Talking,
    mode_of,
)

Answer: TypeAlias = str | int | bool | None
"""What a layer was closed with: text, the number of an entry, yes or no; None: with nothing."""

Opener: TypeAlias = Callable[[Answer], None]
Turner: TypeAlias = Callable[[int, int], Listing | None]
"""An entry of a list is to be turned by so many values: the list then; None: the entry has none and can be chosen."""
Checker: TypeAlias = Callable[[str], str]
"""Why a typed line cannot be taken, in a sentence; nothing: it can."""


def nobody(_answer: Answer) -> None:
    """An opener that does not care."""


def anything(_text: str) -> str:
    """A checker that takes every line."""
    return ""


@dataclass(frozen=True, slots=True)
class Layer:
    """An overlay, who hears of its end, who turns the values of its entries, and who checks what was typed."""

    overlay: Overlay
    opener: Opener = nobody
    turner: Turner | None = None
    checker: Checker = anything


STEPS: Final = {Action.UP: -1, Action.DOWN: 1}


class Layers:
    """The stack; `changed` is told what is on top, `limit` and `page` measure sheets, `copy` takes an invite."""

    def __init__(
        self,
        changed: Callable[[Overlay | None], None],
        limit: Callable[[Reading], int],
        page: Callable[[], int],
        copy: Callable[[str], None],
    ) -> None:
        self._changed = changed
        self._copy = copy
        self._limit = limit
        self._page = page
        self._stack: list[Layer] = []
        self._empty = asyncio.Event()
        self._empty.set()

    @property
    def top(self) -> Overlay | None:
        """What lies on top."""
        return self._stack[-1].overlay if self._stack else None

    def open(
        self,
        overlay: Overlay,
        opener: Opener = nobody,
        turner: Turner | None = None,
        checker: Checker = anything,
    ) -> None:
        """Lay this over everything else."""
        self._stack.append(Layer(overlay, opener, turner, checker))
        self._note()
        self._changed(overlay)

    def open_below(self, overlay: Overlay, opener: Opener = nobody) -> None:
        """Lay this under what is being read or typed; it is seen when that is closed."""
        self._stack.insert(0, Layer(overlay, opener))
        self._note()
        self._changed(self.top)

    def close(self, answer: Answer = None) -> None:
        """Take the topmost away."""
        if self._stack:
            layer = self._stack.pop()
            self._changed(self.top)
            layer.opener(answer)
            self._note()

    async def answered(self, overlay: Overlay, turner: Turner | None = None, checker: Checker = anything) -> Answer:
        """What this was closed with, once it was laid over everything else."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def heard(said: Answer) -> None:
            if not answer.done():
                answer.set_result(said)

        self.open(overlay, heard, turner, checker)
        try:
            return await answer
        finally:
            self.drop(heard)

    def drop(self, opener: Opener) -> None:
        """Whoever has opened a layer does not wait for it any more."""
        kept = [layer for layer in self._stack if layer.opener != opener]
        if len(kept) < len(self._stack):
            self._stack = kept
            self._note()
            self._changed(self.top)

    def close_all(self) -> None:
        """Take everything away; nobody gets an answer."""
        while self._stack:
            self.close()

    async def emptied(self) -> None:
        """Back when nothing lies over the table."""
        await self._empty.wait()

    def replace(self, overlay: Overlay) -> None:
        """Another state of the topmost."""
        self._stack[-1] = replace(self._stack[-1], overlay=overlay)
        self._changed(overlay)

    def press(self, key: str) -> None:
        """A key for the topmost."""
        overlay = self.top
        if overlay is None:
            return
        binding = binding_of(mode_of(overlay, Mode.TABLE), key)
        action = None if binding is None else binding.action
        match overlay:
            case Talking() | Command() | Prompt():
                self._type(overlay, key, action)
            case Listing():
                self._choose(overlay, action)
            case AskQuit() | AskResign() | Offer() | Ask():
                if action is Action.YES:
                    self.close(answer=True)
                elif action is Action.NO:
                    self.close(answer=False)
            case Looking():
                if action is not None:
                    self.close(key if action is Action.STACK else None)
            case Help() | Rules() | StackView() | FullLog() | ScoreSheet() | Details() | Sheet():
                if action is Action.CLOSE:
                    self.close()
                elif action is Action.COPY:
                    self._copy(overlay.invite if isinstance(overlay, Details) else "")
                elif action is not None:
                    self.replace(replace(overlay, scroll=self._scrolled(overlay, action)))

    def paste(self, text: str) -> None:
        """Text for the line that is being typed; anything else has no use for it."""
        if isinstance(self.top, Talking | Command | Prompt):
            self._write(typed(self.top, text))

    def wheel(self, lines: int) -> None:
        """Scroll the topmost; up is positive."""
        overlay = self.top
        if isinstance(overlay, Listing):
            self.replace(replace(overlay, at=_within(overlay.at - (lines > 0) + (lines < 0), len(overlay.entries))))
        elif overlay is not None and mode_of(overlay, Mode.TABLE) is Mode.READ:
            sheet = _reading(overlay)
            self.replace(replace(sheet, scroll=self._clamped(sheet, sheet.scroll + _sense(sheet) * -lines)))

    def _note(self) -> None:
        if self._stack:
            self._empty.clear()
        else:
            self._empty.set()

    def _type(self, line: Talking | Command | Prompt, key: str, action: Action | None) -> None:
        if action is Action.CONFIRM:
            self._confirm(line)
        elif action is Action.CLOSE:
            self.close()
        elif (now := edited(line, key)) is not None:
            self._write(now)
        elif len(key) == 1 or key == "space":
            self._write(typed(line, " " if key == "space" else key))

    def _confirm(self, line: Talking | Command | Prompt) -> None:
        """Take the line, or say why not and let it be; so a line break in what was pasted key by key ends nothing."""
        text = clean(line.text, room(line))
        if isinstance(line, Prompt) and (why := self._stack[-1].checker(text)):
            self.replace(replace(line, why=why))
        else:
            self.close(text)

    def _write(self, line: Talking | Command | Prompt) -> None:
        """Another text; nothing is wrong with it so far."""
        self.replace(replace(line, why="") if isinstance(line, Prompt) else line)

    def _choose(self, listing: Listing, action: Action | None) -> None:
        at, count, turner = listing.at, len(listing.entries), self._stack[-1].turner
        page = self._page()
        moves = {
            Action.UP: at - 1,
            Action.DOWN: at + 1,
            Action.PAGE_UP: at - page,
            Action.PAGE_DOWN: at + page,
            Action.TOP: 0,
            Action.BOTTOM: count - 1,
        }
        if action in moves:
            self.replace(replace(listing, at=_within(moves[action], count)))
        elif action is Action.CLOSE or (action is Action.CONFIRM and not count):
            self.close()
        elif action in (Action.LEFT, Action.RIGHT, Action.CONFIRM):
            after = None if turner is None else turner(at, -1 if action is Action.LEFT else 1)
            if after is not None:
                self.replace(after)
            elif action is Action.CONFIRM:
                self.close(at)

    def _scrolled(self, sheet: Reading, action: Action) -> int:
        at, page, limit = sheet.scroll, self._page(), self._limit(sheet)
        first, last = (limit, 0) if _sense(sheet) < 0 else (0, limit)
        sense = _sense(sheet)
        found = {
            Action.UP: at - sense,
            Action.DOWN: at + sense,
            Action.PAGE_UP: at - sense * page,
            Action.PAGE_DOWN: at + sense * page,
            Action.TOP: first,
            Action.BOTTOM: last,
        }
        return self._clamped(sheet, found.get(action, at))

    def _clamped(self, sheet: Reading, scroll: int) -> int:
        return min(max(scroll, 0), self._limit(sheet))


def _sense(sheet: Reading) -> int:
    """Whether a larger scroll leads down (1) or up (-1)."""
    return -1 if isinstance(sheet, FullLog) else 1


def _within(at: int, count: int) -> int:
    return min(max(at, 0), max(count - 1, 0))


def _reading(overlay: Overlay) -> Reading:
    if not isinstance(overlay, Help | Rules | StackView | FullLog | ScoreSheet | Details | Sheet):
        raise TypeError("only sheets can be read")
    return overlay
