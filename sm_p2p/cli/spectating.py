"""Watching on the full screen: what comes is written into a log, and looked at as a replay that grows.

Law: nobody keeps the log unless he has asked for it. Whoever leaves a match that goes on leaves the table.
"""

import asyncio
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from sm_p2p.audience.balcony import MOST
from sm_p2p.cli import screen
from sm_p2p.cli.live import Live, Others, show
from sm_p2p.cli.scribe import Scribe
from sm_p2p.cli.search import Search
from sm_p2p.cli.sitting import run
from sm_p2p.cli.status import Status
from sm_p2p.cli.watching import Relay, Ticket, served, status_of
from sm_p2p.net.invite import Invite, Purpose
from sm_p2p.session.effects import PeerLeft, Rejected, Stopped
from sm_p2p.session.greeting import Peer
from sm_p2p.session.talk import Afresh, LinkChanged, Way
from sm_p2p.ui import notices
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.news import sentences
from sm_p2p.ui.words import Words
from sm_p2p.watch.follow import MovedOn
from sm_p2p.watch.spectate import Sight, Spectator, Viewer, Watching, Why, spectate

WORDS: Final = Words()


class Spectacle:
    """A viewer for whom every match is a `Live` one; `news` is set when there may be another one to look at."""

    def __init__(self, scribe: Scribe) -> None:
        self.live = Live()  # the match that is played now
        self.said: tuple[str, ...] = ()  # what was told last about the table, not the game
        self.way = Way.CONNECTING  # to whoever serves us
        self.invite = ""  # for those who would like to watch through us
        self.news = asyncio.Event()
        self._scribe = scribe
        self._left = asyncio.Event()

    async def left(self) -> None:
        """Back when he has seen enough."""
        await self._left.wait()

    def leave(self) -> None:
        """He has seen enough."""
        self._left.set()

    def see(self, sight: Sight) -> None:
        """Write it down, and let it be seen."""
        self._scribe.see(sight)
        self.live.see(sight)
        if isinstance(sight, Stopped | Rejected | PeerLeft | MovedOn):
            self.said = self.live.said
        elif isinstance(sight, LinkChanged):
            self.way = sight.way
        elif isinstance(sight, Afresh):
            self.live = Live()
        self.news.set()

    def has_another_than(self, last: Live | None) -> bool:
        """Whether there is a table to be shown that was not looked at yet."""
        return self.live is not last and self.live.is_here

    def share(self, invite: Invite) -> None:
        """So others can watch through us."""
        self.invite = str(invite)


def on_screen(ticket: Ticket) -> int:
    """Watch on the full screen until somebody has seen enough; what the shell is to be told."""
    return run(partial(_on_screen, ticket))


async def _on_screen(ticket: Ticket) -> int:
    async with screen.opened(ticket.places, ticket.options) as terminal:
        ended = await watch(ticket.who, ticket.invite, terminal, ticket)
        if terminal.signal is not None:
            return 128 + terminal.signal
        return Status.OK if ended is None else status_of(ended)


async def watch(who: Spectator, invite: Invite, terminal: Terminal, ticket: Ticket | None = None) -> Watching | None:
    """Watch the table of this invite until somebody has seen enough; how it ended, None if that was the viewer's wish.

    With a ticket the log is kept, and others can watch through us, as it says.
    """
    waiting = [WORDS.say("Waiting for the first card.")]

    def tell(sentence: str) -> None:
        waiting.append(sentence)
        terminal.relist([(WORDS.say("Leave"), "")], waiting)

    search = Search(tell, asyncio.get_running_loop().call_later)
    kept, serve, most = (None, None, MOST) if ticket is None else (ticket.kept, ticket.serve, ticket.most)
    with tempfile.TemporaryDirectory(prefix="sm-p2p-") as directory:
        scribe = Scribe(kept or Path(directory) / "match.smlog")
        seen = Spectacle(scribe)
        async with served(who.identity, Peer(who.name, "relay"), serve, invite, most) as (balcony, addresses, token):
            viewer: Viewer = seen
            if balcony is not None:
                own = Invite(addresses, who.identity.identity, token, Purpose.WATCH)
                viewer = Relay(seen, seen.share, invite, own)
            watching = asyncio.create_task(spectate(who, invite, viewer, balcony, search.begins))
            try:
                others = Others(lambda: len(balcony or ()), lambda: seen.invite)
                await _look(seen, scribe, watching, terminal, others)
                seen.leave()
                ended = await watching
            finally:
                reasons = search.reasons
                search.ends()
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)
                scribe.close()
    if ended.why is Why.LEFT:
        return None
    said = seen.said
    if ended.why is Why.ALONE:
        said = (*reasons, notices.nobody_serves())
    if said:
        await terminal.read(WORDS.say("THERE IS NOTHING MORE TO SEE"), said)
    return ended


async def _look(
    seen: Spectacle, scribe: Scribe, watching: "asyncio.Task[Watching]", terminal: Terminal, others: Others
) -> None:
    """Look at one match after the other, until the viewer leaves one that goes on or nothing more can come."""
    last: Live | None = None
    while not terminal.is_closing and await _there_is_more(seen, last, watching, terminal):
        last = seen.live
        if scribe.path is not None:
            await show(last, scribe.path, terminal, others)
        if not last.is_over:
            return


async def _there_is_more(
    seen: Spectacle, last: Live | None, watching: "asyncio.Task[Watching]", terminal: Terminal
) -> bool:
    """Wait, with a way to leave, until there is a match that was not looked at; False if there will be none."""
    while not watching.done():
        if seen.has_another_than(last):
            return True
        if await _leaves(seen, last, watching, terminal):
            return False
    return seen.has_another_than(last)


async def _leaves(seen: Spectacle, last: Live | None, watching: "asyncio.Task[Watching]", terminal: Terminal) -> bool:
    """Wait until he leaves, which is True, or until it is something else that he waits for."""
    way, about = seen.way, _awaited(seen.way, is_first=last is None)
    leaving = asyncio.create_task(terminal.menu(WORDS.say("WATCHING"), [(WORDS.say("Leave"), "")], [about]))
    try:
        while not (leaving.done() or watching.done() or seen.has_another_than(last)) and seen.way is way:
            seen.news.clear()
            waiting = asyncio.create_task(seen.news.wait())
            await asyncio.wait({leaving, watching, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
        return leaving.done()
    finally:
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)


def _awaited(way: Way, *, is_first: bool) -> str:
    if way is not Way.UP:
        return notices.connecting() if way is Way.CONNECTING else " ".join(sentences(WORDS, LinkChanged(way)))
    return WORDS.say("Waiting for the first card.") if is_first else WORDS.say("Waiting for another match.")
