"""The full screen as a player, and as the menus around a match.

Law: one application lives as long as the session; matches come and go inside it. Whatever is on the screen, Ctrl-C
leads out of it.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial

from sm_p2p.rules.variant import STANDARD, Hints, Variant
from sm_p2p.session.effects import Advanced
from sm_p2p.session.events import JOINED
from sm_p2p.session.talk import Afresh, Leave, News, Seated, Situation, Vacant, Way, Wish
from sm_p2p.ui.advice import Adviser
from sm_p2p.ui.app.choices import Choices, Switch
from sm_p2p.ui.app.console import Console, Window
from sm_p2p.ui.app.details import details
from sm_p2p.ui.app.grants import Grants
from sm_p2p.ui.app.inviting import Around, Inviting
from sm_p2p.ui.app.layers import Answer, Checker, Layers, Turner, anything
from sm_p2p.ui.app.lens import Lens
from sm_p2p.ui.app.orders import lay_over
from sm_p2p.ui.app.parting import Sequels
from sm_p2p.ui.app.picture import Picture
from sm_p2p.ui.app.preferences import Preferences, Saver
from sm_p2p.ui.app.replaying import About, Replaying
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.app.table import Table
from sm_p2p.ui.app.terms import Bargain
from sm_p2p.ui.keys import Action, binding_of, meant_key
from sm_p2p.ui.persons import known_as
from sm_p2p.ui.picking import Does
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.screen.footer import footer_mode
from sm_p2p.ui.screen.frame import Frame, Size
from sm_p2p.ui.screen.model import Link, Model, Opponent
from sm_p2p.ui.screen.overlays import (
    Ask,
    AskQuit,
    Details,
    Listing,
    Overlay,
    Prompt,
    Rules,
    Sheet,
)
from sm_p2p.ui.words import HERE, Language, Words


class Terminal:
    """A player at the full screen; `full_screen` makes one."""

    def __init__(
        self,
        window: Window,
        choices: Choices,
        *,
        adviser: Adviser | None = None,
        language: Language = HERE,
        save: Saver | None = None,
    ) -> None:
        self.preferences = Preferences(choices, window.found, Words(language=language), self._chosen, save)
        self.console = Console(self, window, self.preferences.look, is_mouse_on=choices.mouse is Switch.ON)
        self.is_closing = False  # the session is to end, not only the match
        self.signal: int | None = None  # that ended it
        self._adviser = adviser
        self._language = language
        self._picture = Picture(self.console.changed)
        self._lens = Lens()
        self._layers = Layers(
            self._layered, lambda sheet: self._lens.limit(self._picture.model, sheet), self._lens.page, self._copy
        )
        self._grants = Grants(adviser)
        self._table = self._fresh(self._grants)
        self._is_seated = False
        self._replaying: Replaying | None = None
        self._opposite = ""  # who sits there
        around = Around(partial(self._open, Action.DETAILS), self._renew_details, self.notice, lambda: self.is_closing)
        self.inviting = Inviting(self.console, around, language)

    # the player that the peer knows

    async def wish(self) -> Wish:
        """The next thing that this player wants."""
        return await self._table.wish()

    def show(self, news: News, now: Situation) -> None:
        """Something has happened."""
        self.console.back()
        if isinstance(news, Afresh):
            self._lay(self._picture.model.link, self._table)
        if isinstance(news, Vacant):
            self._opposite = ""
            self._lay(Link(Way.CONNECTING, self._picture.model.link.opponent), self._table)
        if isinstance(self._layers.top, Details) and isinstance(news, Advanced) and news.entry.kind == JOINED:
            self._layers.close()  # the invite has done its work
        if isinstance(news, Seated):
            self._opposite = known_as(Words(language=self._language), news)
        self._table.show(news, now)

    # what else its surroundings may ask

    def sit_down(
        self, opponent: Opponent = Opponent.PERSON, hints: Hints = Hints.NO, sequels: Sequels = Sequels.NONE
    ) -> None:
        """A match begins: nothing of an old one is on the table any more. `sequels`: what may follow it."""
        self._grants = Grants(self._adviser, hints, sequels)
        self._is_seated = True
        self.inviting.text = self._opposite = ""
        self._lay(Link(Way.CONNECTING, opponent))

    def notice(self, sentence: str) -> None:
        """Say something that happened outside the match."""
        self.console.add(sentence)
        self._table.notice(sentence)

    def leave(self) -> None:
        """Leave the match, as `q` does after its question; again, and outside of a match, it is harmless."""
        if not self._is_seated or self._table.has_left:
            return
        self._table.leave()
        self._layers.close_all()
        self.console.back()

    def gone(self) -> None:
        """The terminal was closed, or a signal asks for the end: leave everything."""
        self.is_closing = True
        if self._replaying is not None:
            self._replaying.leave()
        self.leave()
        self._layers.close_all()

    def signalled(self, number: int) -> None:
        """A signal asks for the end."""
        if number == signal.SIGINT and self.console.is_aside:
            self.leave()  # Ctrl-C, on the normal screen
            return
        self.signal = self.signal or number
        self.gone()

    def _renew_details(self) -> None:
        if isinstance(self._layers.top, Details):
            self._layers.close()
            self._open(Action.DETAILS)

    # menus

    async def menu(
        self, title: str, entries: Sequence[tuple[str, str]], lines: Sequence[str] = (), at: int = 0
    ) -> int | None:
        """Which of the entries (label, value) was chosen; None: back."""
        self._rise()
        answer = await self._answered(Listing(title, tuple(entries), at, tuple(lines)))
        return answer if isinstance(answer, int) else None

    def relist(self, entries: Sequence[tuple[str, str]], lines: Sequence[str] = ()) -> None:
        """Other entries for the menu that is open, such as tables that were found meanwhile."""
        if isinstance(self._layers.top, Listing):
            at = max(min(self._layers.top.at, len(entries) - 1), 0)
            self._layers.replace(replace(self._layers.top, entries=tuple(entries), at=at, lines=tuple(lines)))

    async def ask(
        self, title: str, lines: Sequence[str] = (), text: str = "", checker: Checker = anything
    ) -> str | None:
        """What was typed, harmless, perhaps empty, and such that the checker takes it; None: back."""
        self._rise()
        answer = await self._answered(Prompt(title, tuple(lines), text, len(text)), checker=checker)
        return answer if isinstance(answer, str) else None

    async def confirm(self, title: str, lines: Sequence[str] = ()) -> bool:
        """Yes or no."""
        return await self._answered(Ask(title, tuple(lines))) is True

    async def read(self, title: str, lines: Sequence[str]) -> None:
        """Show a text until it is closed."""
        await self._answered(Sheet(title, tuple(lines)))

    async def rules(self) -> None:
        """Show the rules until they are closed."""
        self._rise()
        await self._answered(Rules())

    async def options(self) -> None:
        """Let the player choose; every change counts and is remembered at once."""
        self._rise()
        await self._answered(self.preferences.listing(), self.preferences.turn)

    async def terms(self, title: str, done: str, start: Variant = STANDARD) -> Variant | None:
        """House rules that were put together in a list, whose last entry says `done`; None: back."""
        self._rise()
        bargain = Bargain(Words(language=self._language), start, title, done)
        answer = await self._answered(bargain.listing(), bargain.turn)
        return None if answer is None else bargain.chosen

    @contextlib.asynccontextmanager
    async def replaying(self, reel: Reel, stills: Stills, about: About) -> AsyncIterator[Replaying]:
        """Show a reel for the length of the block, which waits until it is `left`."""
        self._rise()
        self._replaying = Replaying(reel, stills, self._picture, self._layers, self.preferences, about)
        if self.preferences.choices.title is Switch.ON:
            self.console.entitle(self._replaying.title)
        try:
            if self.is_closing:
                self._replaying.leave()
            yield self._replaying
        finally:
            self._replaying.leave()
            self._replaying = None
            self.console.entitle(Words(language=self._language).say("Spite & Malice"))
            self._rise()

    async def linger(self, *sentences: str) -> None:
        """After a match has ended, whatever ended it: back when the player has seen enough.

        `sentences` say why it ended, if he has not heard it yet.
        """
        if not self._table.has_left and sentences:
            words, has_begun = self._table.words, self._table.now.match.game is not None
            await self.read(
                words.say("THE MATCH HAS ENDED") if has_begun else words.say("NO MATCH CAME OF IT"), sentences
            )
        if not self._table.has_left and not self._table.is_over:
            await self._layers.emptied()
            self._table.leave()
        while not isinstance(await self._table.wish(), Leave):
            pass  # what he wished when nobody listened any more

    # behind the glass

    def frame(self, size: Size) -> Frame:
        """What is to be seen now."""
        return self._lens.frame(self._picture.model, size, self.preferences.look)

    def press(self, key: str) -> None:
        """A key, by its name."""
        key = meant_key(footer_mode(self._picture.model), key, self._language)
        binding = binding_of(self._picture.model.mode, key)
        action = None if binding is None else binding.action
        if key == "c-c":
            self._leave_at_once()
        elif action is Action.SUSPEND:
            self.console.suspend()
        elif action is Action.REPAINT:
            self.console.repaint()
        elif self._layers.top is not None:
            self._layers.press(key)
        elif self._replaying is not None:
            self._replaying.press(key)
        elif (does := self._table.press(key)) is not None:
            self._do(does)

    def paste(self, text: str) -> None:
        """Text that came at once."""
        self._layers.paste(text)

    def click(self, column: int, row: int) -> None:
        """A click is as good as the keys of its place."""
        picked = "" if self._layers.top is not None else self._picture.model.picking.source
        for key in self._lens.keys_at(column, row, picked, asyncio.get_running_loop().time()):
            self.press(key)

    def wheel(self, column: int, row: int, lines: int) -> None:
        """The wheel scrolls what lies under it."""
        if self._layers.top is not None:
            self._layers.wheel(lines)
        else:
            self._picture.show(self._lens.scrolled(self._picture.model, column, row, lines))

    # doing

    def _do(self, does: Does) -> None:
        match does.action:
            case Action.HINT:
                self._table.give_hint()
            case Action.AGAIN:
                self._table.step_again()
            case Action.MOUSE:
                self._picture.say(self.preferences.switch_mouse())
            case Action.COLOURS:
                self.preferences.next_colours()
            case Action.LEAVE:
                self._ask_to_leave()
            case _:
                self._open(does.action)

    def _open(self, action: Action) -> None:
        """Lay over the table what this key asks for."""
        table = self._table
        match action:
            case Action.OPTIONS:
                self._layers.open(self.preferences.listing(), turner=self.preferences.turn)
            case Action.DETAILS:
                lines = details(table.words, table.now, self._picture.model, self._opposite)
                self._layers.open(Details(lines, self.inviting.text))
            case _:
                lay_over(action, table, self._layers, self._ask_to_leave)

    def _leave_at_once(self) -> None:
        """Ctrl-C: ask once, wherever it is pressed; where there is nothing to lose, leave."""
        if isinstance(self._layers.top, AskQuit):
            self._layers.close(answer=True)
        elif self._replaying is not None:
            self._replaying.leave()
        elif not self._is_seated:
            self.gone()
        else:
            self._ask_to_leave()

    def _ask_to_leave(self) -> None:
        if self._table.is_under_way:
            self._layers.open(AskQuit(), lambda answer: self.leave() if answer is True else None)
        else:
            self.leave()

    # the glass

    def _chosen(self, choices: Choices) -> None:
        self._table.choose(choices)
        self.console.wear(self.preferences.look)
        self.console.switch_mouse(on=choices.mouse is Switch.ON)

    def _fresh(self, grants: Grants, before: Table | None = None) -> Table:
        return Table(
            self._picture, self._layers, self.console, self.preferences.choices, grants, self._language, before
        )

    def _lay(self, link: Link, before: Table | None = None) -> None:
        """An empty table, with what is granted here; it goes on from the one before if the same peer does."""
        self._table.close()
        self._layers.close_all()
        self._table = self._fresh(self._grants, before)
        self._picture.show(Model(words=Words(language=self._language), link=link))
        if self.is_closing:
            self._table.leave()

    def _rise(self) -> None:
        """No match is on the table."""
        if self._is_seated:
            self._table.close()
            self._table = self._fresh(Grants(self._adviser))
            self._is_seated = False
        self._layers.close_all()
        self._picture.show(Model(words=Words(language=self._language)))

    async def _answered(self, overlay: Overlay, turner: Turner | None = None, checker: Checker = anything) -> Answer:
        """What the overlay was closed with."""
        return None if self.is_closing else await self._layers.answered(overlay, turner, checker)

    def _layered(self, overlay: Overlay | None) -> None:
        self._picture.show(replace(self._picture.model, overlay=overlay))

    def _copy(self, invite: str) -> None:
        if invite:
            self.console.copy(invite)
            self._picture.say(
                self._table.words.say("The invite went to the clipboard, if the terminal lets programs write there.")
            )

    def close(self) -> None:
        """The screen goes away: nothing of ours waits any more."""
        self._table.close()
