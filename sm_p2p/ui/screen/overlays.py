"""What can lie over the table: sheets to read, lines to type, questions, lists to choose from."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from sm_p2p.rules.variant import Variant
from sm_p2p.ui.board import Stack
from sm_p2p.ui.keys import Mode


@dataclass(frozen=True, slots=True)
class Help:
    """The keys of a mode, and the rules below them."""

    mode: Mode = Mode.TABLE
    scroll: int = 0


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of the game."""

    scroll: int = 0


@dataclass(frozen=True, slots=True)
class Looking:
    """A stack is to be named."""


@dataclass(frozen=True, slots=True)
class StackView:
    """All cards of a stack."""

    stack: Stack
    scroll: int = 0


@dataclass(frozen=True, slots=True)
class FullLog:
    """What happened in sentences; `scroll` counts lines up from the newest."""

    scroll: int = 0


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The games so far and the score."""

    scroll: int = 0


@dataclass(frozen=True, slots=True)
class Details:
    """Connection and verification: finished sentences, and whether there is an invite that `y` copies."""

    lines: tuple[str, ...]
    invite: str = ""
    scroll: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """Any other text to read."""

    title: str
    lines: tuple[str, ...]
    scroll: int = 0


@dataclass(frozen=True, slots=True)
class Talking:
    """A line of chat that is being typed; `cursor` is a place in the text."""

    text: str = ""
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Command:
    """A command that is being typed."""

    text: str = ""
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """Any other line that is being typed: a name, an invite. `why` says why it was not taken as it is."""

    title: str
    lines: tuple[str, ...] = ()
    text: str = ""
    cursor: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """Entries to choose from, with a value each or none: a menu, saved matches, options, whose values can be turned."""

    title: str
    entries: tuple[tuple[str, str], ...]
    at: int = 0
    lines: tuple[str, ...] = ()
    is_turned: bool = False


@dataclass(frozen=True, slots=True)
class AskQuit:
    """Whether to leave; the match is kept."""


@dataclass(frozen=True, slots=True)
class AskResign:
    """Whether to give the game up."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Whether to play what is offered."""

    name: str
    variant: Variant


@dataclass(frozen=True, slots=True)
class Ask:
    """Any other question."""

    title: str
    lines: tuple[str, ...] = ()


Reading: TypeAlias = Help | Rules | StackView | FullLog | ScoreSheet | Details | Sheet
Typing: TypeAlias = Talking | Command | Prompt
Asking: TypeAlias = AskQuit | AskResign | Offer | Ask
Overlay: TypeAlias = Reading | Typing | Asking | Looking | Listing


def mode_of(overlay: Overlay | None, below: Mode) -> Mode:
    """Which keys are awake with this over the table; `below` (TABLE or WATCH) is what lies under it."""
    match overlay:
        case None:
            return below
        case Looking():
            return Mode.LOOK
        case Listing():
            return Mode.LIST
        case Talking() | Command() | Prompt():
            return Mode.TYPE
        case AskQuit() | AskResign() | Offer() | Ask():
            return Mode.ASK
        case Help() | Rules() | StackView() | FullLog() | ScoreSheet() | Details() | Sheet():
            return Mode.READ
        case _:
            assert_never(overlay)
