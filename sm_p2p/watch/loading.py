"""A recording that becomes a reel: entry by entry, and behind the last one the hands of its finished games.

Law: what comes out was checked like every step, the proofs excepted where nobody asks for them. A hand is shown only
once the audit of its game has found that the keys open what was played.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sm_p2p.errors import Fault, JournalDamaged, SpiteError
from sm_p2p.session.effects import Advanced
from sm_p2p.session.proofs import Proofs
from sm_p2p.session.state import Game, Match, State
from sm_p2p.ui.reel import Faces, Reel
from sm_p2p.watch.audit import Halves, audit, halves_after
from sm_p2p.watch.replay import UNPROVED, Recording, steps


class Opened(NamedTuple):
    """What the two keys of a game open: every face of it, or (None) something else than what was played."""

    game: int
    faces: Faces | None

    def put(self, reel: Reel) -> None:
        """Let the reel have it."""
        if self.faces is None:
            reel.distrust(self.game)
        else:
            reel.open(self.game, self.faces)


class Openings:
    """The games whose two keys lie open, out of what is shown to it entry by entry; what they open, when somebody asks."""

    def __init__(self) -> None:
        self._halves: Halves = ()
        self._finished: dict[int, tuple[Game, Halves]] = {}

    def take(self, before: Match, after: Match) -> None:
        """One more entry has led from this match to that one."""
        if after.finished is not None and after.finished is not before.finished:
            self._finished[after.finished.number] = (after.finished, self._halves)
        self._halves = halves_after(self._halves, after)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The games that nobody has asked about."""
        return tuple(self._finished)

    def all(self) -> Iterator[Opened]:
        """What the keys open, game by game; it takes a while for each."""
        while self._finished:
            yield _opened(*self._finished.pop(min(self._finished)))

    def one(self, number: int) -> Opened | None:
        """The same for one game; None if its keys were not revealed so far, or it has come out already."""
        finished = self._finished.pop(number, None)
        return None if finished is None else _opened(*finished)


class Loading:
    """The work; it can be done in another thread, one call at a time. `trouble` is why it has stopped before the end."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.trouble: SpiteError | None = None
        self._match = Match()
        self._openings = Openings()

    @property
    def is_over(self) -> bool:
        """Whether nothing more can come: the match is closed, or something is wrong."""
        return self.trouble is not None or self._match.state is State.CLOSED

    def take(self, recording: Recording) -> bool:
        """The same file, read once more; whether there is anything new in it."""
        had, has = self.recording.raws, recording.raws
        if self.trouble is not None or has[: len(had)] != had:
            return False
        self.recording = recording
        return len(has) > len(had) or recording.ending is not None

    def news(self, proofs: Proofs = UNPROVED) -> Iterator[Advanced]:
        """Each entry that has not come out yet with the match before and after it, as far as they are good."""
        if self.trouble is not None:
            return
        raws, recording = self.recording.raws[self._match.chain.seq :], self.recording
        try:
            for before, entry, after in steps(raws, proofs, self._match):
                self._openings.take(before, after)
                self._match = after
                yield Advanced(before, entry, after)
        except Fault as fault:
            at = self._match.chain.seq + 1
            self.trouble = Fault(fault.code, "entry {seq}: {why}", seq=at, why=fault.sentence or fault.code)
        else:
            if recording.ending is not None and not recording.is_torn:
                self.trouble = JournalDamaged(recording.ending, recording.sentence)

    def opened(self) -> Iterator[Opened]:
        """What the keys open, game by game; it takes a while for each."""
        return self._openings.all()

    def open(self, number: int) -> Opened | None:
        """The same for one game; None if its keys were not revealed so far, or it has come out already."""
        return self._openings.one(number)


def _opened(game: Game, halves: Halves) -> Opened:
    try:
        return Opened(game.number, audit(game, halves))
    except Fault:
        return Opened(game.number, None)


def load(recording: Recording, proofs: Proofs = UNPROVED) -> tuple[Reel, SpiteError | None]:
    """The whole reel at once, hands and all, and why it has stopped before the end of the file."""
    reel, loading = Reel(), Loading(recording)
    for news in loading.news(proofs):
        reel.add(news)
    for opened in loading.opened():
        opened.put(reel)
    return reel, loading.trouble
