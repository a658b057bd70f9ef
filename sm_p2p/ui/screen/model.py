"""Everything that the screen shows, as one value.

Law: a model is made of what is public and of what its reader was shown; `render` adds nothing. Times are numbers that
somebody else has counted.
"""

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final

from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import Happening
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import Seat
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Said, Stopped
from sm_p2p.session.state import Match
from sm_p2p.session.talk import Way
from sm_p2p.ui.keys import Mode
from sm_p2p.ui.picking import NOTHING, Picking
from sm_p2p.ui.screen.overlays import Overlay, mode_of
from sm_p2p.ui.screen.spots import Spot
from sm_p2p.ui.words import Words

STEPS_MS: Final = (5, 10, 20, 50, 100, 200, 500)


def latency_step(seconds: float) -> int:
    """The step, in milliseconds, that a time of answer is shown as.

    >>> latency_step(0.003), latency_step(0.012), latency_step(7)
    (5, 20, 500)
    """
    return next((step for step in STEPS_MS if seconds * 1000 <= step), STEPS_MS[-1])


class Opponent(StrEnum):
    """Who is at the other end."""

    PERSON = "person"
    COMPUTER = "computer"
    NOBODY = "nobody"  # we watch, live or from a file


@dataclass(frozen=True, slots=True)
class Link:
    """The way to the other side; `step_ms` is a `latency_step` (0: not known yet), `waited_s` how long it is gone."""

    way: Way = Way.UP
    opponent: Opponent = Opponent.PERSON
    step_ms: int = 0
    waited_s: int = 0
    is_away: bool = False  # said goodbye
    watchers: int = 0
    overdue_min: int = 0  # away for so many minutes that it may be claimed to be for good; 0: not so long
    is_claimed: bool = False  # and it was claimed


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that happened, in which turn (0: before the first), or a sentence about something else."""

    turn: int
    what: Happening | str


@dataclass(frozen=True, slots=True)
class Hint:
    """A move that could be made, and one line of why."""

    move: Move
    card: Card | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """Work that takes a while, how many of its steps are done, and how far a spinner has turned (None: not at all)."""

    what: str
    done: int
    steps: int
    turned: int | None = None


class Moment(Enum):
    """Something that gets its moment."""

    STACK = "stack"
    REFILL = "refill"
    TIE = "tie"
    GAME = "game"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class Banner:
    """A moment in words: a line over the table, or with the score sheet below it where `lines` are given."""

    moment: Moment
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InAir:
    """A card on its way: `part` of it, in thousandths, is behind it. None is a card face down."""

    card: Card | None
    start: Spot
    end: Spot
    part: int


@dataclass(frozen=True, slots=True)
class Checked:
    """How far a log that is looked at is known to be right.

    Up to entry `proofs` the proofs were checked, beside everything else, from entry `since` on; `percent` is how far a
    check that runs has come (None: none runs). `broken_at` is the first entry that is wrong or cannot be read; 0: none
    was found so far.
    """

    proofs: int = 0
    percent: int | None = None
    broken_at: int = 0
    since: int = 1


@dataclass(frozen=True, slots=True)
class Replay:
    """Where a watched match stands, and how it is looked at."""

    entry: int = 0
    entries: int = 0
    is_playing: bool = False
    speed: str = "1"
    is_open: bool = False
    is_live: bool = False  # more entries may come
    follows: bool = False
    is_cut: bool = False  # whoever it comes from cannot be reached just now
    seat: Seat = 0  # at the bottom
    checked: Checked = Checked()


@dataclass(frozen=True, slots=True)
class Model:
    """What is shown. `view` is what lies on the table at this instant, which an animation lets lag behind the match."""

    words: Words = field(default_factory=Words)
    match: Match = field(default_factory=Match)
    view: View | None = None
    is_our_turn: bool = False
    picking: Picking = NOTHING
    link: Link = Link()
    log: tuple[LogLine, ...] = ()
    chat: tuple[Said, ...] = ()
    hint: Hint | None = None
    overlay: Overlay | None = None
    air: tuple[InAir, ...] = ()
    marks: tuple[Spot, ...] = ()
    message: str = ""
    progress: Progress | None = None
    banner: Banner | None = None
    stopped: Stopped | None = None
    replay: Replay | None = None
    verdict: tuple[str, ...] = ()  # what is thought of the move that was seen last, in a replay
    log_scroll: int = 0  # lines up from the newest
    chat_scroll: int = 0

    @property
    def below(self) -> Mode:
        """The mode without what lies over the table."""
        return Mode.WATCH if self.replay is not None else Mode.TABLE

    @property
    def mode(self) -> Mode:
        """Which keys are awake."""
        return mode_of(self.overlay, self.below)

    @property
    def bottom(self) -> Seat:
        """The seat that is drawn at the bottom: ours; for an onlooker the host's, or the one that he has chosen."""
        if self.replay is not None:
            return self.replay.seat
        return (self.words.you if self.view is None else self.view.seat) or 0
