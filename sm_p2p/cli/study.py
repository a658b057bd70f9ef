"""One log as it is looked at: what was read of it, what was found about it, and how it is written in another form.

Law: what is said to be checked was checked, of the very entries that are shown. The log is only read.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sm_p2p.cli import exporting
from sm_p2p.cli.exporting import Wanted, form_of, refusal
from sm_p2p.cli.logs import remember_checked
from sm_p2p.errors import SpiteError, UsageError
from sm_p2p.session.effects import Advanced
from sm_p2p.session.proofs import CHECKED, Proofs
from sm_p2p.store.files import disk
from sm_p2p.store.places import Places
from sm_p2p.ui.checks import checks
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.screen.model import Checked, Replay
from sm_p2p.ui.words import Words
from sm_p2p.watch.judging import Judged, analyses
from sm_p2p.watch.loading import Loading, Opened
from sm_p2p.watch.replay import UNPROVED, read_recording
from sm_p2p.watch.report import Report, Standing, report_lines
from sm_p2p.watch.workers import Done, Said

WORDS: Final = Words()
GOOD: Final = frozenset({Standing.COMPLETE, Standing.UNOPENED, Standing.INCOMPLETE, Standing.TORN})


class Study:
    """A log that is looked at. Raises what is the matter with it if not even its first entry can be shown.

    Whoever has all of it checked behind what is seen may read it with `GLANCED`, which takes a fraction of the time.
    """

    def __init__(self, places: Places, path: Path, proofs: Proofs = UNPROVED) -> None:
        self._size = _size(path)  # before it is read: what comes in between is seen the next time
        self.path: Final = path
        self.reel: Final = Reel()
        self.loading: Final = Loading(read_recording(path))
        self.percent: int | None = None  # how far a check is that runs
        self._places = places
        self._news = self.loading.news(proofs)
        self._report: Report | None = None
        self._whole_from: int | None = None  # entries behind this one were checked whole as they came
        while not self.reel.is_dealt and self.more():
            pass
        if not len(self.reel):
            raise self.loading.trouble or UsageError("{path}: there is no entry in this log yet.", path=path)

    # reading

    @property
    def entries(self) -> int:
        """How many entries there are in the file, whether they are good or not."""
        return len(self.loading.recording.raws) if self.loading.trouble is None else len(self.reel)

    def more(self) -> bool:
        """Read one more entry; False where there is none."""
        news = next(self._news, None)
        if news is not None:
            self.reel.add(news)
        return news is not None

    def piece(self, seconds: float) -> list[Advanced]:
        """What can be read in this time, not on the reel yet; so it can be done in another thread."""
        began, piece = time.monotonic(), list[Advanced]()
        for news in self._news:
            piece.append(news)
            if time.monotonic() - began > seconds:
                break
        return piece

    def grow(self) -> bool:
        """Look at the file once more; whether there is something new, which is checked whole as it is read. DiskTrouble."""
        if self._whole_from is None:
            self._whole_from = len(self.reel)
        size = _size(self.path)
        if size == self._size or not self.loading.take(read_recording(self.path)):
            return False
        self._size = size
        self._news = self.loading.news(CHECKED)
        return True

    def open_hands(self, place: int) -> None:
        """Look at what the keys of the game there open, if they are revealed."""
        if (opened := self.loading.open(self.reel.match(place).game_number)) is not None:
            opened.put(self.reel)

    def judge(self, place: int) -> None:
        """Look at each move of the game there, whose hands are known; it takes a moment."""
        if self.reel.analysis(place) is None:
            for analysis in analyses(self.reel, [self.reel.match(place).game_number]):
                self.reel.judge(analysis)

    # checking

    def hear(self, said: Said | None) -> None:
        """What somebody who checks it says; None: he will say no more."""
        match said:
            case Done(done, total):
                self.percent = 100 * done // max(total, 1)
            case Opened() | Judged():
                said.put(self.reel)
            case Report():
                self._report, self.percent = said, None
                remember_checked(self._places, said)
            case None:
                self.percent = None

    @property
    def checked(self) -> Checked:
        """What the label may say."""
        trouble, report = self.loading.trouble, self._report
        broken = len(self.reel) + 1 if trouble is not None else 0
        if report is None:
            return Checked(0, self.percent, broken)
        proofs = report.counts.entries
        if proofs > len(self.reel) or self.reel.match(proofs).chain.head != report.head:
            proofs = 0  # not read so far yet, or the file has changed meanwhile
        elif self._whole_from is not None and proofs >= self._whole_from:
            proofs = len(self.reel)
        if report.standing not in GOOD:
            broken = min(one for one in (broken, report.counts.entries + 1) if one)
        return Checked(proofs, None, broken)

    def lines(self) -> tuple[str, ...]:
        """Everything that is known about it."""
        trouble, recording = self.loading.trouble, self.loading.recording
        problem = WORDS.again(recording.sentence if trouble is None else trouble.told)
        found = (str(self.path), *checks(WORDS, len(self.reel), self.checked, problem))
        return found if self._report is None else (*found, *(line.strip() for line in report_lines(self._report)[1:]))

    # writing

    @property
    def file(self) -> str:
        """What a file with this match is called if nobody says otherwise."""
        return f"{self.path.stem[:8]}.sheet"

    def export(self, file: str, how: Replay, stop: Callable[[], bool] = lambda: False) -> str:
        """Write it into a new file as it is looked at; a sentence about that."""
        return export_as(self.path, file, how, stop)


def export_as(path: Path, file: str, how: Replay, stop: Callable[[], bool] = lambda: False) -> str:
    """Write the log in `path` into a new file in the form that its ending says; a sentence about that."""
    if why := refusal(file):
        return why
    output, form = Path(file).expanduser(), form_of(file)
    try:
        if form is None:
            trouble = exporting.keep_file(path, output, stop=stop)
        else:
            wanted = Wanted(form, how.is_open, proofs=UNPROVED, rate=float(how.speed), seat=how.seat)
            trouble = exporting.write_file(path, wanted, output, stop=stop, tell=lambda _sentence: None)
    except SpiteError as error:
        return WORDS.why(error)
    if trouble is not None:
        return WORDS.say("Written as far as it is good ({trouble}): {file}", trouble=WORDS.why(trouble), file=file)
    return WORDS.say("Written: {file}", file=file)


def _size(path: Path) -> int:
    with disk(path):
        return path.stat().st_size
