"""What is typed at a replay, and where on the reel it leads.

Law: reading a line has no effect and never fails. The English words are understood in every language, and the player's own
beside them; each of them has its line in the help.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.ui.commands import Nothing, Show, Unclear, Word, read_command
from sm_p2p.ui.lexicon import both_forms, english
from sm_p2p.ui.reel import Hands, Reel
from sm_p2p.ui.words import ENGLISH, Language, Words, mark

SPEEDS: Final = ("0.25", "0.5", "1", "2", "4", "8")
MOST_DIGITS: Final = 6


class Unit(Enum):
    """What a reel is walked in, by the word."""

    ENTRY = mark("entry")
    TURN = mark("turn")
    GAME = mark("game")


class Deed(Enum):
    """Orders that are one word, by the word."""

    START = mark("start")
    END = mark("end")
    PLAY = mark("play")
    PAUSE = mark("pause")
    FASTER = mark("faster")
    SLOWER = mark("slower")
    FOLLOW = mark("follow")
    OPEN = mark("open")
    CLOSE = mark("close")
    SEAT = mark("seat")
    TABLE = mark("table")
    SCORE = mark("score")
    ANALYSIS = mark("analysis")
    CHECK = mark("check")
    RULES = mark("rules")
    HELP = mark("help")
    QUIT = mark("quit")


@dataclass(frozen=True, slots=True)
class Step:
    """So many entries, turns or games on, or (below 0) back."""

    unit: Unit
    by: int


@dataclass(frozen=True, slots=True)
class Jump:
    """To the entry or game of this number, or to this turn of the game on the table."""

    unit: Unit
    number: int


@dataclass(frozen=True, slots=True)
class Rate:
    """Play so many times as fast: one of `SPEEDS`."""

    speed: str


@dataclass(frozen=True, slots=True)
class Export:
    """Write the match into this file."""

    file: str


Walk: TypeAlias = Step | Jump
Order: TypeAlias = Walk | Rate | Export | Deed | Show | Nothing | Unclear

VOCABULARY: Final = (
    *(unit.value for unit in Unit),
    *(deed.value for deed in Deed),
    *(mark("next"), mark("back"), mark("speed"), mark("show"), mark("export")),
)
SHORT: Final = {"?": "help", "q": "quit", "n": "next", "b": "back", "t": "turn", "g": "game", "e": "entry", "v": "show"}

HELP: Final = (  # what to type, what it does
    ("next", mark("{form}: one entry on, and what it says; next 5 is five entries.")),
    ("back", mark("{form}: one entry back, and the table there; back 5 is five entries.")),
    ("turn", mark("{form}: on to the next turn; turn back leads back, turn 14 or 14 alone to turn 14 of this game.")),
    ("game", mark("{form}: on to the next game; game back leads back, game 2 to game 2.")),
    ("entry 30", mark("{form}: to entry 30.")),
    ("start", mark("{form}: to the start of the log.")),
    ("end", mark("{form}: to the end of the log.")),
    ("play", mark("{form}: entry by entry, until a key is pressed or pause is typed.")),
    ("pause", mark("{form}: stop playing.")),
    ("speed 2", mark("{form}: play twice as fast; 0.25, 0.5, 1, 2, 4 and 8 are speeds.")),
    ("faster", mark("{form}: the next speed.")),
    ("slower", mark("{form}: the speed before.")),
    ("follow", mark("{form}: go to the end and on with it, where a match is being played.")),
    ("table", mark("{form}: both players and the centre.")),
    (
        "show a",
        mark("{form}: list side stack a of the first player; show A lists the other's, show c1 a centre stack."),
    ),
    ("open", mark("{form}: show both hands, in games whose keys were revealed.")),
    ("close", mark("{form}: hide them again.")),
    ("seat", mark("{form}: see the table from the other seat.")),
    ("score", mark("{form}: the games so far and the score.")),
    ("analysis", mark("{form}: each move of this game beside the move of hard, once its keys were revealed.")),
    ("check", mark("{form}: how much of the log was checked.")),
    ("export FILE", mark("{form}: write the match into a file; its ending says in which form.")),
    ("rules", mark("{form}: the rules of the game.")),
    ("help", mark("{form}: this list; short ?.")),
    ("quit", mark("{form}: leave; short q.")),
)


def help_lines(words: Words) -> tuple[str, ...]:
    """Everything that can be typed, a line each."""
    return tuple(words.say(text, form=both_forms(form, VOCABULARY, words.language)) for form, text in HELP)


def read_order(line: str, language: Language = ENGLISH) -> Order:
    """What a line asks for.

    >>> read_order("14"), read_order("turn back"), read_order("next 5"), read_order("game 2")
    (Jump(unit=<Unit.TURN: 'turn'>, number=14), Step(unit=<Unit.TURN: 'turn'>, by=-1), Step(unit=<Unit.ENTRY: 'entry'>, by=5), Jump(unit=<Unit.GAME: 'game'>, number=2))
    >>> read_order("export A.sheet"), read_order("Quit"), read_order("h3-b")
    (Export(file='A.sheet'), <Deed.QUIT: 'quit'>, Unclear(text='h3-b', why=None))
    """
    text = clean(line, NOTE_LENGTH)
    first, _, rest = text.partition(" ")
    word = english(first, VOCABULARY, language)
    word = SHORT.get(word, word)
    if not text:
        return Nothing()
    if not rest and (number := _number(word)) is not None:
        return Jump(Unit.TURN, number)
    if word in {"next", "back"}:
        count = _number(rest or "1")
        return Unclear(text) if count is None else Step(Unit.ENTRY, count if word == "next" else -count)
    if word in {unit.value for unit in Unit}:
        return _walk(Unit(word), english(rest, ("back",), language)) or Unclear(text)
    if word == "speed":
        return Rate(rest) if rest in SPEEDS else Unclear(text)
    if word == "export":
        return Export(rest) if rest else Unclear(text)
    if word == "show":
        return _show(rest, language) or Unclear(text)
    known = next((deed for deed in Deed if deed.value == word), None)
    return known if known is not None and not rest else Unclear(text)


def destination(reel: Reel, place: int, walk: Walk) -> int | None:
    """Where this leads from there; None where the reel has no such turn, game or entry."""
    if isinstance(walk, Step):
        if walk.unit is Unit.ENTRY:
            return reel.within(place + walk.by)
        on, back = (reel.turn_on, reel.turn_back) if walk.unit is Unit.TURN else (reel.game_on, reel.game_back)
        return on(place) if walk.by > 0 else back(place)
    if walk.unit is Unit.ENTRY:
        return walk.number if walk.number <= len(reel) else None
    return reel.turn(place, walk.number) if walk.unit is Unit.TURN else reel.game(walk.number)


def absent(words: Words, reel: Reel, place: int, jump: Jump) -> str:
    """Why there is no way there."""
    if jump.unit is Unit.TURN:
        return words.say(
            "Game {game} has no turn {number} in this log.", game=reel.match(place).game_number, number=jump.number
        )
    if jump.unit is Unit.GAME:
        return words.say("This log has no game {number}.", number=jump.number)
    return words.count(
        "This log has no entry {number}; it has {n} entry.",
        "This log has no entry {number}; it has {n} entries.",
        len(reel),
        number=jump.number,
    )


def faster(speed: str, by: int) -> str:
    """The speed so many steps above this one, as far as there is one.

    >>> faster("1", 1), faster("8", 1), faster("0.5", -1)
    ('2', '8', '0.25')
    """
    return SPEEDS[min(max(SPEEDS.index(speed) + by, 0), len(SPEEDS) - 1)]


def closed(words: Words, reel: Reel, place: int) -> str:
    """Why the hands cannot be opened there."""
    if reel.match(place).game is None:
        return words.say("No cards lie on the table yet.")
    number = reel.match(place).game_number
    match reel.hands(place):
        case Hands.UNCHECKED:
            return words.say(
                "The keys of game {number} are being checked; its hands stay closed so long.", number=number
            )
        case Hands.WRONG:
            return words.say(
                "The keys of game {number} do not open what was played; its hands stay closed.", number=number
            )
        case _:
            return words.say(
                "The keys of game {number} are not revealed in this log; its hands stay closed.", number=number
            )


def _walk(unit: Unit, rest: str) -> Walk | None:
    if not rest:
        return Step(unit, 1)
    if rest in {"back", "b"}:
        return Step(unit, -1)
    number = _number(rest)
    return None if number is None else Jump(unit, number)


def _show(rest: str, language: Language) -> Order | None:
    match read_command(f"show {rest}", language):
        case Show() as show:
            return show
        case Word.TABLE:
            return Deed.TABLE
        case _:
            return None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None
