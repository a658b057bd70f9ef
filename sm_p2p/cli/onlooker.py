"""Watching in line mode: what happens at somebody else's table, one sentence after the other, and a few words to type.

Law: as in line mode everywhere; what was played before the onlooker came is not told move by move, but shown as it stands.
"""

import asyncio
import os
import threading
from collections.abc import Iterable
from typing import Final

from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced, PeerLeft
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import News, Situation
from sm_p2p.ui import board, notices
from sm_p2p.ui.jsonl import JsonLines
from sm_p2p.ui.lexicon import english
from sm_p2p.ui.lines import Form
from sm_p2p.ui.news import score_line, score_sheet, sentences, words_of
from sm_p2p.ui.printer import Printer
from sm_p2p.ui.typed import Pipe
from sm_p2p.ui.words import HERE, Words, mark
from sm_p2p.watch.follow import Fetching, MovedOn
from sm_p2p.watch.prove import Proved
from sm_p2p.watch.spectate import Sight

CHUNK: Final = 4096
HELP: Final = mark("Type table, score, proofs or quit.")
LOOKS: Final = (mark("table"), mark("score"), mark("proofs"), mark("quit"))


class Onlooker:
    """Tells what is seen; `leave` and the word quit end it."""

    def __init__(self, form: Form, printer: Printer) -> None:
        self.match = Match()
        self._printer = printer
        self._json = JsonLines() if form is Form.JSON else None
        self._met = 0
        self._proved = Proved(0, 0, 0, 0)
        self._awaits_game = self._awaits_all = False  # until the proofs of what we met are checked
        self._left = asyncio.Event()
        self._thread: threading.Thread | None = None
        self._typing = Pipe()

    async def left(self) -> None:
        """Back when he has seen enough."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._listen, args=(loop,), name="onlooker", daemon=True)
            self._thread.start()
        await self._left.wait()

    def leave(self) -> None:
        """He has seen enough."""
        self._left.set()

    def notice(self, sentence: str) -> None:
        """Something outside of the match."""
        lines = sentence.splitlines()
        self._put(lines if self._json is None else self._json.notice(sentence))

    def see(self, sight: Sight) -> None:
        """Tell it."""
        match sight:
            case Fetching(0):
                self.notice(Words().say("Waiting for the first card."))
            case Fetching(upto):
                self._met = upto
                self.notice(Words().count("Fetching {n} entry.", "Fetching {n} entries.", upto - self.match.chain.seq))
            case Proved():
                self._prove(sight)
            case Advanced(_, entry, after):
                self.match = after
                if entry.seq > self._met or self._json is not None:
                    self._tell(sight)
                elif entry.seq == self._met:
                    self._put((*self._standing(), *self._table()))
                if entry.seq == self._met:
                    self.notice(self._how_far())
                    self._awaits_game = self._awaits_all = True
            case PeerLeft() if self._json is None:
                self.notice(notices.nobody_serves_more())
            case MovedOn():
                self.notice(notices.another_is_watched())
            case _:
                self._tell(sight)
        if self._printer.is_gone:
            self.leave()

    def _tell(self, news: News) -> None:
        if self._json is None:
            self._put(sentences(self._words, news))
        else:
            self._put(self._json.news(news, Situation(0, self.match, None, is_our_turn=False)))

    def _prove(self, proved: Proved) -> None:
        """A sentence when the game that was met, all that was fetched, or all of a match has turned out to be right."""
        self._proved = proved
        if self._awaits_game and proved.is_latest_proved and not proved.is_all_proved:
            self.notice(Words().say("The proofs of this game are right; those of the games before are being checked."))
        self._awaits_game &= not proved.is_latest_proved
        if proved.is_all_proved and (self._awaits_all or self.match.state is State.CLOSED):
            self.notice(self._how_far())
        self._awaits_all &= not proved.is_all_proved

    def _how_far(self) -> str:
        words, proved = Words(), self._proved
        if proved.is_all_proved and proved.total >= self.match.chain.seq:
            return words.count(
                "The proofs of {n} entry are right.", "The proofs of all {n} entries are right.", proved.total
            )
        return words.say(
            "Checking proofs: {latest} % of this game, {all} % of the match.",
            latest=100 * proved.latest // max(proved.of_latest, 1),
            all=100 * proved.done // max(proved.total, 1),
        )

    @property
    def _words(self) -> Words:
        return words_of(self.match, None)

    def _standing(self) -> Iterable[str]:
        words, match = self._words, self.match
        if len(match.players) > 1:
            yield words.say("{first} plays {second}.", first=words.name(0), second=words.name(1))
        if match.game is not None:
            yield words.say("Game {n} is on the table.", n=match.game.number)
        yield score_line(words, match.score, match.variant.target)

    def _table(self) -> tuple[str, ...]:
        game = self.match.game
        return () if game is None else board.table_lines(self._words, View(game.table, None, {}))

    def _put(self, lines: Iterable[str]) -> None:
        self._printer.put(lines)

    # what is typed

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(0, CHUNK)
                loop.call_soon_threadsafe(self._take, chunk)
            except (OSError, RuntimeError):  # no input, or the loop is closed
                return

    def _take(self, chunk: bytes) -> None:
        for line in self._typing.feed(chunk):
            match english(line.strip(), LOOKS, HERE):
                case "":
                    pass
                case "quit" | "q":
                    self.leave()
                case "table" | "score" | "proofs" if not self.match.players:
                    self.see(Fetching(0))
                case "table":
                    self._put(self._table())
                case "score":
                    self._put(score_sheet(self._words, self.match))
                case "proofs":
                    self.notice(self._how_far())
                case _:
                    self.notice(Words().say(HELP))
