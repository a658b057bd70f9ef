"""Watching on the full screen: what comes is written into a log that nobody keeps, and looked at as a replay that grows.

Law: only entries that were found right are written; whoever leaves the screen leaves the table.
"""

import asyncio
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from sm_p2p.cli import screen
from sm_p2p.cli.replaying import look
from sm_p2p.cli.sitting import run
from sm_p2p.cli.status import Status
from sm_p2p.cli.watching import Ticket, status_of
from sm_p2p.net.invite import Invite
from sm_p2p.session.effects import Advanced, PeerLeft, Rejected, Stopped
from sm_p2p.session.state import Match
from sm_p2p.store.lock import Lock
from sm_p2p.store.places import Places
from sm_p2p.store.records import ENTRY, LOG, pack_record
from sm_p2p.ui import notices
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.news import sentences, words_of
from sm_p2p.ui.words import Words
from sm_p2p.watch.spectate import Sight, Spectator, Watching, Why, spectate

WORDS: Final = Words()


class Scribe:
    """A viewer who writes down what is seen, one file for each match, in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        self.path: Path | None = None  # of the match that is played now
        self.said: tuple[str, ...] = ()  # what was told last about the table, not the game
        self.news = asyncio.Event()  # there is a file, or something was told
        self._directory = directory
        self._match = Match()
        self._lock: Lock | None = None
        self._left = asyncio.Event()

    async def left(self) -> None:
        """Back when he has seen enough."""
        await self._left.wait()

    def leave(self) -> None:
        """He has seen enough."""
        self._left.set()
        self.close()

    def see(self, sight: Sight) -> None:
        """Write it down."""
        match sight:
            case Advanced(_, entry, after):
                self._match = after
                if entry.seq == 1:
                    self._begin(after.chain.match)
                self._write(pack_record(ENTRY, entry.raw))
            case Stopped() | Rejected() | PeerLeft():
                self.said = sentences(words_of(self._match, None), sight)
                self.close()
            case _:
                return
        self.news.set()

    def close(self) -> None:
        """Nothing more is written."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _begin(self, match: bytes) -> None:
        self.close()
        self.path = self._directory / f"{match.hex()}.smlog"
        self._lock = Lock.take(self.path.with_name(f"{self.path.name}.lock"), str(self.path))
        self._write(LOG.head)

    def _write(self, piece: bytes) -> None:
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(piece)


def on_screen(ticket: Ticket) -> int:
    """Watch on the full screen until somebody has seen enough; what the shell is to be told."""
    return run(partial(_on_screen, ticket))


async def _on_screen(ticket: Ticket) -> int:
    async with screen.opened(ticket.places, ticket.options) as terminal:
        ended = await watch(ticket.places, ticket.who, ticket.invite, terminal)
        if terminal.signal is not None:
            return 128 + terminal.signal
        return Status.OK if ended is None else status_of(ended)


async def watch(places: Places, who: Spectator, invite: Invite, terminal: Terminal) -> Watching | None:
    """Watch the table of this invite until somebody has seen enough; how it ended, None if that was the viewer's wish."""
    with tempfile.TemporaryDirectory(prefix="sm-p2p-") as directory:
        scribe = Scribe(Path(directory))
        watching = asyncio.create_task(spectate(who, invite, scribe))
        try:
            seen: Path | None = None
            while not terminal.is_closing and await _there_is_more(scribe, watching, terminal, seen):
                seen = scribe.path
                if seen is not None:
                    await look(places, terminal, seen, follows=True)
            scribe.leave()
            ended = await watching
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            scribe.close()
    if ended.why is Why.LEFT:
        return None
    said = scribe.said
    if ended.why is Why.ALONE:
        troubles = ended.link.troubles.items()
        said = (
            *(notices.trouble(str(address), trouble.value) for address, trouble in troubles),
            notices.nobody_serves(),
        )
    if said:
        await terminal.read(WORDS.say("THERE IS NOTHING MORE TO SEE"), said)
    return ended


async def _there_is_more(
    scribe: Scribe, watching: "asyncio.Task[Watching]", terminal: Terminal, seen: Path | None
) -> bool:
    """Wait, with a way to leave, until there is a match that was not looked at; False if there will be none."""
    about = [WORDS.say("Waiting for the first card.")] if seen is None else [WORDS.say("Waiting for another match.")]
    leaving = asyncio.create_task(terminal.menu(WORDS.say("WATCHING"), [(WORDS.say("Leave"), "")], about))
    try:
        while not leaving.done() and not watching.done():
            if scribe.path not in {None, seen}:
                return True
            scribe.news.clear()
            waiting = asyncio.create_task(scribe.news.wait())
            await asyncio.wait({leaving, watching, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
        return not leaving.done() and scribe.path not in {None, seen}
    finally:
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
