"""The exports of the recorded games: JSON Lines, score sheets, and sheets that are refused."""

from functools import cache
from typing import Final

from scripts.making.recorder import NAMES_OF_GAMES, recorded
from scripts.making.rules_forms import Vector, vector
from sm_p2p.errors import Code
from sm_p2p.session.effects import Said
from sm_p2p.watch.export import export_lines
from sm_p2p.watch.replay import UNPROVED, Recording, Step, steps
from sm_p2p.watch.sheet import Remark, Scribe, Sheet, write_sheet
from sm_p2p.watch.sheet_reading import final_tables

FLAGS: Final = {
    "valid": "a sheet",
    "form": "a line that is not written in the one way, or not there",
    "rules": "a move, a card or a result that the rules do not allow",
    "version": "of a later version of the page",
    "variant": "no variant, or not the one text of it",
}
CHAT: Final = ((1, Said(0, "hello?")), (4, Said(1, "here: I am")), (9, Said(0, 'a "good" one; really')))
FORM, RULES = Code.BAD_SHAPE, Code.ILLEGAL_MOVE


def build() -> dict[str, object]:
    """The files by name."""
    lines = {
        f"games/{name}{form}.jsonl": _export(name, is_open=form == "-open")
        for name in NAMES_OF_GAMES
        for form in ("", "-open")
    }
    sheets = {f"games/{name}.sheet": write_sheet(_sheet(name)) for name in NAMES_OF_GAMES}
    about = (
        "score sheets: `text` is one, or is refused; `tables` are the tables that its games end with, in their order"
    )
    return {
        **lines,
        **sheets,
        "sheets.json": {"protocol": 1, "about": about, "flags": FLAGS, "vectors": [*_good(), *_bad()]},
    }


def _export(name: str, *, is_open: bool) -> str:
    lines = export_lines(Recording(recorded(name).raws), UNPROVED, is_open=is_open)
    return "".join(f"{line}\n" for line in lines)


def _sheet(name: str, entries: int | None = None, chat: tuple[Remark, ...] = ()) -> Sheet:
    scribe = Scribe(chat)
    for step in _steps(name)[:entries]:
        scribe.take(step)
    return scribe.sheet


@cache
def _steps(name: str) -> tuple[Step, ...]:
    return tuple(steps(recorded(name).raws, UNPROVED))


def _good() -> list[Vector]:
    sheets = (
        ("opened", "nobody has joined yet", _sheet("short", 1)),
        ("joined", "two players and no game yet", _sheet("short", 2)),
        ("shuffled", "a game whose first cards are still face down", _sheet("short", 4)),
        ("dealt", "the first cards lie open, nobody has moved", _sheet("short", 5)),
        ("owed", "the answer to the last move has not come", _sheet("short", 11)),
        ("answered", "it has come", _sheet("short", 12)),
        ("remarks", "with remarks, in which anything may stand", _sheet("short", 12, CHAT)),
        ("house", "a whole match of house rules", _sheet("house")),
        ("resigned", "a win, a resignation in the middle of a game, two during the deal", _sheet("short")),
        ("tie", "a tie, and a game that has just begun", _sheet("tie")),
    )
    return [_valid(name, comment, sheet) for name, comment, sheet in sheets]


def _valid(name: str, comment: str, sheet: Sheet) -> Vector:
    tables = [str(table) for table in final_tables(sheet)]
    return vector(name, comment, "valid", text=write_sheet(sheet), tables=tables)


def _bad() -> list[Vector]:
    """One change each of a small sheet, or of a larger one where it has to be."""
    small, long, house = map(write_sheet, (_sheet("short", 12, CHAT), _sheet("short"), _sheet("house")))
    changes: tuple[tuple[str, str, str, Code, str, str, str], ...] = (
        ("version", "a later version", "version", Code.OTHER_VERSION, small, '[Sheet "1"]', '[Sheet "2"]'),
        ("no-tag", "a tag is left out", "form", FORM, small, '[Host "Ana"]\n', ""),
        ("tag-order", "two tags in another order", "form", FORM, small, '[Host "Ana"]\n[Guest "Bruno"]', _GUEST_FIRST),
        ("other-tag", "a tag that there is not", "form", FORM, small, "[Host", "[White"),
        ("escape", "a backslash before a letter", "form", FORM, small, '"Ana"', '"A\\na"'),
        ("id", "an id that is too short", "form", FORM, small, '[Match "bfbb', '[Match "bfb'),
        ("id-case", "an id with capital letters", "form", FORM, small, '[Match "bfbb', '[Match "BFBB'),
        ("number", "a number with a zero before it", "form", FORM, small, '"12"', '"012"'),
        ("date", "a day that no calendar has", "form", FORM, small, '"2026-01-01"', '"2026-02-30"'),
        ("no-variant", "a variant that there is not", "variant", Code.BAD_VARIANT, small, "standard", "usual"),
        ("variant", "another text of the variant", "variant form", FORM, small, "pay_off=5", "pay-off=5"),
        ("ending", "a word that there is not", "form", FORM, small, '"unfinished"', '"adjourned"'),
        ("space", "a space at the end of a line", "form", FORM, small, "Game 1\n", "Game 1 \n"),
        ("line-end", "a carriage return", "form", FORM, small, "Game 1\n", "Game 1\r\n"),
        ("no-line-end", "the last line has no end", "form", FORM, small, "= *\n", "= *"),
        ("no-result", "a game without a result", "form", FORM, small, "= *\n", ""),
        ("no-blank", "no empty line before a game", "form", FORM, small, "\nGame 1", "Game 1"),
        ("two-blanks", "two empty lines before a game", "form", FORM, small, "\nGame 1", "\n\nGame 1"),
        ("one-top", "a deal of one card", "form", FORM, small, "deal AH.1 7D", "deal AH.1"),
        ("no-deal", "moves in a game that was not dealt", "form", FORM, small, "deal AH.1 7D\n", ""),
        ("name", "the name of the other player", "form", FORM, small, "1. Bruno: ", "1. Ana: "),
        ("no-moves", "a turn without a move", "form", FORM, small, "2. Ana: p-c3 AH.1 (6H)", "2. Ana: "),
        ("comma", "no space behind a comma", "form", FORM, small, ", h3-c2", ",h3-c2"),
        ("remark", "a control character in a remark", "form", FORM, small, "here: I am", "here: \x1b[31mI am"),
        ("empty-remark", "a remark without a text", "form", FORM, small, "; Bruno: here: I am", "; "),
        ("no-move", "a move that there is not", "rules", RULES, small, "h1-c1 KS.1", "h1-c5 KS.1"),
        ("no-card", "a card that there is not", "rules", RULES, small, "h1-c1 KS.1", "h1-c1 KT.1"),
        ("foreign-pack", "a card of a pack that this game does not have", "rules", RULES, small, "KS.1", "KS.2"),
        ("card-missing", "a move without its card", "rules", RULES, small, "h2-b 6H.1", "h2-b"),
        ("side-card-missing", "a move from a side stack without its card", "rules", RULES, long, "a-c2 5C.1", "a-c2"),
        ("end-card", "a card that ends the turn", "rules", RULES, house, ", end\n", ", end KC\n"),
        ("no-host", "nobody has opened the match", "form", FORM, small, '"Ana"', '""'),
        ("game-zero", "games are counted from 1", "form", FORM, small, "Game 1", "Game 0"),
        ("does-not-fit", "a card that does not fit", "rules", RULES, small, "h4-c1 2C.1", "h4-c1 3C.1"),
        ("wrong-top", "another card than the one that lies there", "rules", RULES, small, "p-c3 AH.1", "p-c3 AH"),
        ("no-answer", "on without the answer that is owed", "rules", RULES, long, "AH.1 (6H)", "AH.1"),
        ("answer-undue", "an answer that is not owed", "rules", RULES, small, "h2-b 6H.1", "h2-b 6H.1 (-)"),
        ("answer-empty", "an answer that does not turn up what is due", "rules", RULES, small, "(6H)", "(-)"),
        ("turn-number", "a turn is left out", "rules", RULES, long, "\n3. Bruno", "\n5. Bruno"),
        ("result", "a result that does not follow", "rules", RULES, long, "= win:0:4", "= win:0:5"),
        (
            "resigned-points",
            "points that are not those of the pile",
            "rules",
            RULES,
            long,
            "= resign:1:3",
            "= resign:1:4",
        ),
        ("score", "a score that does not follow", "rules", RULES, long, '"4:13"', '"4:14"'),
        ("finished", "said to be unfinished", "rules", RULES, long, '"finished"', '"unfinished"'),
        ("game-number", "a game is left out", "rules", RULES, long, "Game 3", "Game 4"),
        ("unended", "a game follows one that has not ended", "rules", RULES, long, "= win:0:4", "= *"),
    )
    found = []
    for name, comment, flags, code, text, old, new in changes:
        if old not in text:
            raise AssertionError(name)
        found.append(vector(name, comment, flags, code, text=text.replace(old, new, 1)))
    alone = write_sheet(_sheet("short", 1)) + "\nGame 1\n= *\n"
    found.append(vector("no-guest", "a game of one player", "form", FORM, text=alone))
    over = f"{long}\nGame 5\n= *\n"
    found.append(vector("after-the-end", "a game after the match has ended", "rules", RULES, text=over))
    found.append(vector("behind", "something behind the last game", "form", FORM, text=f"{long}; the end\nx\n"))
    found.append(vector("empty", "nothing at all", "form", FORM, text=""))
    return found


_GUEST_FIRST: Final = '[Guest "Bruno"]\n[Host "Ana"]'
