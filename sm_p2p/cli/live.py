"""A match that is watched, on the full screen: what comes lies on a reel as it comes, and is looked at as a replay that grows.

Law: only entries that were found right lie there; the label says what was checked of them so far, and no more.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.cli.exporting import refusal
from sm_p2p.cli.study import export_as
from sm_p2p.errors import Code
from sm_p2p.session.effects import Advanced, PeerLeft, Rejected, Stopped
from sm_p2p.session.talk import Afresh, LinkChanged, Way
from sm_p2p.ui import notices
from sm_p2p.ui.app.replaying import About, Replaying
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.checks import checks
from sm_p2p.ui.news import sentences, words_of
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.screen.model import Checked, Replay
from sm_p2p.ui.words import Words
from sm_p2p.watch.follow import Fetching, MovedOn
from sm_p2p.watch.loading import Openings
from sm_p2p.watch.prove import Proved
from sm_p2p.watch.spectate import Sight

WORDS: Final = Words()
STRANGE: Final = frozenset(
    {Code.BAD_IDENTITY, Code.OTHER_MATCH}
)  # another match than the one that was wanted, and no damage


class Live:
    """One match, as far as it was seen; `news` is set whenever there is more to show."""

    def __init__(self) -> None:
        self.reel: Final = Reel()
        self.openings: Final = Openings()
        self.news: Final = asyncio.Event()
        self.revealed: Final = asyncio.Event()  # the keys of a game lie open, and nobody has looked what they open
        self.is_over = False  # nothing more will come
        self.is_cut = False  # whoever serves it cannot be reached just now
        self.said: tuple[str, ...] = ()  # about the table, not the game
        self._upto = 0
        self._proved = Proved(0, 0, 0, 0)
        self._broken_at = 0

    def see(self, sight: Sight) -> None:
        """Take it in."""
        match sight:
            case Advanced(before, _, after):
                self.reel.add(sight)
                self.openings.take(before, after)
                if self.openings.waiting:
                    self.revealed.set()
            case Fetching(upto):
                self._upto = upto
            case Proved():
                self._proved = sight
            case Stopped() | Rejected() | PeerLeft() | MovedOn() | Afresh():
                self.is_over = True
                words = words_of(self.reel.match(len(self.reel)), None)
                self.said = (
                    (_goodbye(sight),) if isinstance(sight, PeerLeft | MovedOn | Afresh) else sentences(words, sight)
                )
                if isinstance(sight, Stopped) and sight.code not in STRANGE:
                    self._broken_at = sight.seq
            case LinkChanged(way):
                self.is_cut = way is not Way.UP
            case _:
                pass
        self.news.set()

    @property
    def missing(self) -> int:
        """How many entries were played before we came and are still on their way."""
        return max(self._upto - len(self.reel), 0)

    @property
    def is_here(self) -> bool:
        """Whether there is a table to be shown, and it is that of now."""
        return self.reel.is_dealt and not self.missing

    @property
    def checked(self) -> Checked:
        """What the label may say: the latest game is checked first, the ones before it behind."""
        proved, entries = self._proved, len(self.reel)
        since = proved.total - proved.of_latest + 1
        last = since + proved.latest - 1
        if self._broken_at:
            return Checked(0, None, self._broken_at)
        if proved.is_all_proved and proved.total == entries:
            return Checked(entries)
        fresh = entries - proved.total  # too new to have been counted
        done, of = proved.latest, proved.of_latest + fresh
        if done == of:
            done, of = proved.done, proved.total
        return Checked(last, 100 * done // max(of, 1), 0, max(since, 1))

    def lines(self) -> tuple[str, ...]:
        """Everything that is known about it."""
        checked = self.checked
        found = checks(WORDS, len(self.reel), Checked(checked.proofs, checked.percent, 0, checked.since))
        cut = sentences(WORDS, LinkChanged(Way.RECONNECTING)) if self.is_cut and not self.is_over else ()
        return (*self.said, *cut, *found)


def _goodbye(sight: PeerLeft | MovedOn | Afresh) -> str:
    """Why nothing more comes of a match that nobody has broken."""
    if isinstance(sight, PeerLeft):
        return notices.nobody_serves_more()
    if isinstance(sight, MovedOn):
        return notices.another_is_watched()
    return WORDS.say("Another match begins; q leaves this one and goes on to it.")


class Others(NamedTuple):
    """Those who watch through us: how many they are, and with which invite they come (nothing: none can)."""

    number: Callable[[], int]
    invite: Callable[[], str]

    def lines(self) -> tuple[str, ...]:
        """A sentence about them."""
        count = self.number()
        if not self.invite():
            return ()
        if not count:
            return (WORDS.say("Others can watch through you; nobody does now."),)
        return (WORDS.count("{n} person is watching through you.", "{n} people are watching through you.", count),)


async def show(live: Live, path: Path, terminal: Terminal, others: Others) -> None:
    """Show this match, whose log is written into this file, until its reader has seen enough."""

    async def export(file: str, how: Replay) -> str:
        return await asyncio.to_thread(export_as, path, file, how)

    file = f"{live.reel.match(1).chain.match.hex()[:8]}.sheet"
    about = About(lambda: (*others.lines(), *live.lines()), file, refusal, export, invite=others.invite)
    async with terminal.replaying(live.reel, Stills(live.reel), about) as shown:
        works = [asyncio.create_task(work) for work in (_grow(live, shown, others), _open(live, shown))]
        try:
            await shown.left.wait()
        finally:
            for task in works:
                task.cancel()
            await asyncio.gather(*works, return_exceptions=True)
            await shown.written()


async def _grow(live: Live, shown: Replaying, others: Others) -> None:
    """Let it be seen as it comes, from its end on."""
    shown.grown(len(live.reel), is_live=True)
    shown.cut(is_cut=live.is_cut)
    shown.know(live.checked)
    shown.press(".")
    if others.invite():
        shown.tell(WORDS.say("Others can watch through you: i shows the line for it."))
    is_live = True
    while await live.news.wait():
        live.news.clear()
        shown.grown(len(live.reel), is_live=not live.is_over)
        shown.cut(is_cut=live.is_cut)
        shown.know(live.checked)
        if is_live and live.is_over:
            is_live = False
            shown.press("end")
            shown.tell(" ".join(live.said))


async def _open(live: Live, shown: Replaying) -> None:
    """Look at what the keys of each finished game open, as soon as they are revealed."""
    while await live.revealed.wait():
        live.revealed.clear()
        for number in sorted(live.openings.waiting, reverse=True):
            opened = await asyncio.to_thread(live.openings.one, number)
            if opened is not None:
                opened.put(live.reel)
                shown.know(live.checked)
