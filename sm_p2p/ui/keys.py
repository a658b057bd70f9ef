"""The one key table of the screen: what each key does, where, and how footer, help and manual name it.

Law: a key that works is listed here and a key that is listed here works; in one mode no key does two things. Yes and no
have their letters in the player's language too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Final

from sm_p2p.ui.commands import KEYS as PLACE_KEYS
from sm_p2p.ui.lexicon import NO, YES, own
from sm_p2p.ui.words import Language, mark


class Mode(Enum):
    """What the screen is doing, which decides what a key means."""

    TABLE = auto()  # playing
    WATCH = auto()  # a replay, or a match of others
    LOOK = auto()  # `v` was pressed, a stack is to be named
    READ = auto()  # a sheet with text
    LIST = auto()  # a menu, options
    TYPE = auto()  # a line is typed; every other key is text
    ASK = auto()  # a question that is answered with yes or no


class Action(Enum):
    """What a key is for. The first group is answered by `press` alone, the rest is the application's."""

    PLACE = auto()
    PAY_OFF = auto()
    END = auto()
    CONFIRM = auto()
    BACK = auto()
    NEXT = auto()
    PREVIOUS = auto()
    UP = auto()
    DOWN = auto()
    LEFT = auto()
    RIGHT = auto()

    HINT = auto()
    TALK = auto()
    LOG = auto()
    VIEW = auto()
    STACK = auto()
    AGAIN = auto()
    SCORE = auto()
    DETAILS = auto()
    OPTIONS = auto()
    MOUSE = auto()
    COLOURS = auto()
    HELP = auto()
    COMMAND = auto()
    LEAVE = auto()
    SUSPEND = auto()
    REPAINT = auto()

    PAUSE = auto()
    ENTRY_BACK = auto()
    ENTRY_ON = auto()
    TURN_BACK = auto()
    TURN_ON = auto()
    GAME_BACK = auto()
    GAME_ON = auto()
    FIRST = auto()
    LAST = auto()
    SLOWER = auto()
    FASTER = auto()
    OPEN_HANDS = auto()
    SEAT = auto()
    EXPORT = auto()
    ANALYSIS = auto()
    FOLLOW = auto()

    PAGE_UP = auto()
    PAGE_DOWN = auto()
    TOP = auto()
    BOTTOM = auto()
    CLOSE = auto()
    COPY = auto()
    YES = auto()
    NO = auto()
    EDIT = auto()


@dataclass(frozen=True, slots=True)
class Binding:
    """Keys by their names, what they do, a word for the footer, and a clause for help and manual.

    `footer` is the rank in the footer, 0 where it is not shown there: of a short line the highest ranks fall off first.
    """

    keys: tuple[str, ...]
    action: Action
    label: str
    help: str
    modes: frozenset[Mode]
    footer: int = 0

    @property
    def shown(self) -> tuple[str, ...]:
        """The keys as they are printed, neighbours as one; the footer has room for the first.

        >>> [binding.shown for binding in KEYMAP[:3]]
        [('0-5', 'p'), ('6-9',), ('a-d',)]
        """
        run = 1
        while run < len(self.keys) and "".join(self.keys[: run + 1]) in _RUNS:
            run += 1
        names = tuple(_PRINTED.get(key, key) for key in self.keys)
        return (f"{names[0]}-{names[run - 1]}", *names[run:]) if run > 2 else names


_RUNS: Final = "0123456789 abcd ABCD"
_PRINTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "space": mark("Space"),
        "enter": "Enter",
        "escape": "Esc",
        "tab": "Tab",
        "s-tab": "Shift-Tab",
        "left": "←",
        "right": "→",
        "up": "↑",
        "down": "↓",
        "pageup": mark("PgUp"),
        "pagedown": mark("PgDn"),
        "home": mark("Home"),
        "end": mark("End"),
        "backspace": mark("Backspace"),
        "delete": mark("Del"),
        **{f"c-{letter}": f"Ctrl-{letter.upper()}" for letter in "acdehklquwz"},
    }
)

_WRITTEN: Final = frozenset(
    _PRINTED[key] for key in ("space", "pageup", "pagedown", "home", "end", "backspace", "delete")
)
"""Names that keyboards have in the language of the country."""

PLACES: Final[Mapping[str, str]] = MappingProxyType({**PLACE_KEYS, "p": "p", **{side: side for side in "abcd"}})
"""A key → the place in the notation of moves."""

KEY_OF: Final[Mapping[str, str]] = MappingProxyType({place: key for key, place in PLACES.items() if key != "p"})
"""A place → its key."""

_TABLE: Final = frozenset({Mode.TABLE})
_WATCH: Final = frozenset({Mode.WATCH})
_GAME: Final = _TABLE | _WATCH
_LOOK: Final = frozenset({Mode.LOOK})
_READ: Final = frozenset({Mode.READ})
_LIST: Final = frozenset({Mode.LIST})
_TYPE: Final = frozenset({Mode.TYPE})
_ASK: Final = frozenset({Mode.ASK})
_ALL: Final = frozenset(Mode)

KEYMAP: Final = (
    # playing
    Binding(
        ("0", "1", "2", "3", "4", "5", "p"),
        Action.PLACE,
        mark("card"),
        mark("pick the pay-off card (0 or p) or a hand card (1 to 5); the same key again plays it"),
        _TABLE,
        1,
    ),
    Binding(
        ("6", "7", "8", "9"),
        Action.PLACE,
        mark("centre"),
        mark("play the picked card onto a centre stack"),
        _TABLE,
        2,
    ),
    Binding(
        ("a", "b", "c", "d"),
        Action.PLACE,
        mark("side"),
        mark("pick the top of a side stack, or discard the picked hand card there, which ends the turn"),
        _TABLE,
        3,
    ),
    Binding(
        ("space",),
        Action.PAY_OFF,
        mark("pay-off"),
        mark("play the pay-off card to the only stack that it fits"),
        _TABLE,
        11,
    ),
    Binding(
        ("enter",),
        Action.CONFIRM,
        mark("play card"),
        mark("play the picked card to the marked or the only stack; pick where the cursor stands"),
        _TABLE,
        12,
    ),
    Binding(("escape",), Action.BACK, mark("put back"), mark("put the picked card back"), _TABLE, 13),
    Binding(("tab",), Action.NEXT, mark("targets"), mark("walk the places where the card can go"), _TABLE, 14),
    Binding(("s-tab",), Action.PREVIOUS, "", mark("walk them backwards"), _TABLE),
    Binding(("left",), Action.LEFT, "", mark("move the cursor to the left"), _TABLE),
    Binding(("right",), Action.RIGHT, "", mark("move the cursor to the right"), _TABLE),
    Binding(("up",), Action.UP, "", mark("move the cursor up"), _TABLE),
    Binding(("down",), Action.DOWN, "", mark("move the cursor down"), _TABLE),
    Binding(
        ("e",),
        Action.END,
        mark("end turn"),
        mark("end a turn with an empty hand, where the variant knows this"),
        _TABLE,
        4,
    ),
    Binding(("h",), Action.HINT, mark("hint"), mark("a hint, where hints are allowed"), _TABLE, 4),
    Binding(("t",), Action.TALK, mark("chat"), mark("talk to the other player"), _TABLE, 5),
    Binding(("r",), Action.AGAIN, mark("again"), mark("step through the other player's last turn again"), _TABLE, 15),
    # a match that is watched
    Binding(("space",), Action.PAUSE, mark("play"), mark("play and pause"), _WATCH, 1),
    Binding(("left",), Action.ENTRY_BACK, mark("back"), mark("one entry back"), _WATCH, 2),
    Binding(("right",), Action.ENTRY_ON, mark("forward"), mark("one entry on"), _WATCH, 3),
    Binding(("[", "pageup"), Action.TURN_BACK, "", mark("one turn back"), _WATCH),
    Binding(("]", "pagedown"), Action.TURN_ON, mark("turn"), mark("one turn on"), _WATCH, 4),
    Binding(("{", "up"), Action.GAME_BACK, "", mark("one game back"), _WATCH),
    Binding(("}", "down"), Action.GAME_ON, mark("game"), mark("one game on"), _WATCH, 5),
    Binding(("g", "home"), Action.FIRST, mark("start"), mark("to the start"), _WATCH, 11),
    Binding(("G", "end"), Action.LAST, mark("end"), mark("to the end"), _WATCH, 12),
    Binding(("-",), Action.SLOWER, mark("slower"), mark("slower"), _WATCH, 13),
    Binding(("+", "="), Action.FASTER, mark("faster"), mark("faster"), _WATCH, 14),
    Binding(
        ("o",),
        Action.OPEN_HANDS,
        mark("hands"),
        mark("open or close the hands, in games whose keys were revealed"),
        _WATCH,
        6,
    ),
    Binding(("tab",), Action.SEAT, mark("seat"), mark("see the table from the other seat"), _WATCH, 22),
    Binding(("e",), Action.EXPORT, mark("export"), mark("write the match into a file"), _WATCH, 15),
    Binding(
        ("a",),
        Action.ANALYSIS,
        mark("analysis"),
        mark("each move beside the move of hard, in games whose keys were revealed"),
        _WATCH,
        23,
    ),
    Binding((".",), Action.FOLLOW, mark("follow"), mark("follow what happens now"), _WATCH, 16),
    # both
    Binding(("l",), Action.LOG, mark("log"), mark("the full log of the game in sentences"), _GAME, 7),
    Binding(
        ("v",),
        Action.VIEW,
        mark("view"),
        mark("look through a stack: a to d the own side stacks, A to D the other's, 6 to 9 the centre"),
        _GAME,
        8,
    ),
    Binding(("s",), Action.SCORE, mark("score"), mark("the games so far and the score"), _GAME, 17),
    Binding(("i",), Action.DETAILS, mark("connection"), mark("connection and verification in detail"), _GAME, 18),
    Binding(("m",), Action.MOUSE, mark("mouse"), mark("mouse on or off"), _GAME, 20),
    Binding(("4", "f"), Action.COLOURS, mark("colours"), mark("four colours of suits, two, or none"), _WATCH, 21),
    Binding(("f",), Action.COLOURS, mark("colours"), mark("four colours of suits, two, or none"), _TABLE, 21),
    Binding(("o",), Action.OPTIONS, mark("options"), mark("options, which are remembered"), _TABLE, 16),
    Binding((":",), Action.COMMAND, mark("command"), mark("type a command, as in line mode"), _GAME, 19),
    Binding(("?",), Action.HELP, mark("help"), mark("these keys and the rules of the game"), _GAME, 9),
    Binding(("q",), Action.LEAVE, mark("quit"), mark("leave; asks once, and the match is kept"), _TABLE, 10),
    Binding(("q",), Action.LEAVE, mark("quit"), mark("leave; nothing is changed by looking"), _WATCH, 10),
    # naming a stack
    Binding(("a", "b", "c", "d"), Action.STACK, mark("own side stack"), mark("an own side stack"), _LOOK, 1),
    Binding(("A", "B", "C", "D"), Action.STACK, mark("the other's"), mark("one of the other player"), _LOOK, 2),
    Binding(("6", "7", "8", "9"), Action.STACK, mark("centre"), mark("a centre stack"), _LOOK, 3),
    Binding(("escape", "q", "v"), Action.CLOSE, mark("back"), mark("back to the table"), _LOOK, 4),
    # reading
    Binding(("up", "k"), Action.UP, mark("up"), mark("a line up"), _READ | _LIST, 1),
    Binding(("down", "j"), Action.DOWN, mark("down"), mark("a line down"), _READ | _LIST, 2),
    Binding(("pageup",), Action.PAGE_UP, mark("page up"), mark("a page up"), _READ | _LIST, 4),
    Binding(("pagedown", "space"), Action.PAGE_DOWN, mark("page down"), mark("a page down"), _READ, 5),
    Binding(("pagedown",), Action.PAGE_DOWN, mark("page down"), mark("a page down"), _LIST),
    Binding(("home",), Action.TOP, mark("top"), mark("to the top"), _READ | _LIST),
    Binding(("end",), Action.BOTTOM, mark("bottom"), mark("to the bottom"), _READ | _LIST),
    Binding(("y",), Action.COPY, mark("copy the invite"), mark("copy the invite"), _READ, 3),
    Binding(("escape", "q", "enter"), Action.CLOSE, mark("back"), mark("back to the table"), _READ, 6),
    # choosing
    Binding(("enter",), Action.CONFIRM, mark("choose"), mark("take the marked entry, or its next value"), _LIST, 3),
    Binding(("left", "-"), Action.LEFT, mark("less"), mark("the value before"), _LIST, 5),
    Binding(("right", "+", "space"), Action.RIGHT, mark("more"), mark("the next value"), _LIST, 6),
    Binding(("escape", "q"), Action.CLOSE, mark("back"), mark("back"), _LIST, 7),
    # typing
    Binding(("enter",), Action.CONFIRM, mark("send"), mark("send the line"), _TYPE, 1),
    Binding(("escape",), Action.CLOSE, mark("back"), mark("back to the table, nothing is sent"), _TYPE, 2),
    Binding(("left",), Action.EDIT, "", mark("a character to the left"), _TYPE),
    Binding(("right",), Action.EDIT, "", mark("a character to the right"), _TYPE),
    Binding(("home", "up", "c-a"), Action.EDIT, "", mark("to the start of the line"), _TYPE),
    Binding(("end", "down", "c-e"), Action.EDIT, "", mark("to the end of the line"), _TYPE),
    Binding(("backspace", "c-h"), Action.EDIT, "", mark("delete the character before the cursor"), _TYPE),
    Binding(("delete", "c-d"), Action.EDIT, "", mark("delete the character at the cursor"), _TYPE),
    Binding(("c-w",), Action.EDIT, "", mark("delete the word before the cursor"), _TYPE),
    Binding(("c-u",), Action.EDIT, "", mark("delete everything before the cursor"), _TYPE),
    Binding(("c-k",), Action.EDIT, "", mark("delete everything behind the cursor"), _TYPE),
    # answering
    Binding(("y", "enter"), Action.YES, mark("yes"), mark("yes; in another language also its letter for it"), _ASK, 1),
    Binding(
        ("n", "escape", "q"), Action.NO, mark("no"), mark("no; in another language also its letter for it"), _ASK, 2
    ),
    # everywhere
    Binding(("c-c",), Action.LEAVE, "", mark("leave, at any moment; a second time at once; the match is kept"), _ALL),
    Binding(("c-z",), Action.SUSPEND, "", mark("back to the shell for a while"), _ALL),
    Binding(("c-l",), Action.REPAINT, "", mark("paint the screen anew"), _ALL),
)

_NAMES: Final[Mapping[str, str]] = MappingProxyType({"c-m": "enter", "c-j": "enter", "c-i": "tab", " ": "space"})
_BY_KEY: Final[Mapping[tuple[Mode, str], Binding]] = MappingProxyType(
    {(mode, key): binding for binding in KEYMAP for mode in binding.modes for key in binding.keys}
)


def key_name(key: str) -> str:
    """The name that this table uses for a key of prompt_toolkit's.

    >>> key_name("c-m"), key_name(" "), key_name("a")
    ('enter', 'space', 'a')
    """
    return _NAMES.get(key, key)


def binding_of(mode: Mode, key: str) -> Binding | None:
    """What this key does there; None if nothing."""
    return _BY_KEY.get((mode, key))


def bindings(mode: Mode) -> tuple[Binding, ...]:
    """Everything that can be pressed there, in the order of the table."""
    return tuple(binding for binding in KEYMAP if mode in binding.modes)


def key_names(binding: Binding, language: Language) -> tuple[str, ...]:
    """Its keys as they are printed for somebody who reads this language; of an answer, the letter of its word there."""
    written = {YES[0], NO[0]} if binding.action in (Action.YES, Action.NO) else _WRITTEN
    return tuple(own(name, language) if name in written else name for name in binding.shown)


def meant_key(mode: Mode, key: str, language: Language) -> str:
    """The key of this table that is meant: a question can be answered with the letters of the language as well."""
    if mode is Mode.ASK:
        for letter, _ in (YES, NO):
            if key == own(letter, language):
                return letter
    return key
