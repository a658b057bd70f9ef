"""Read the score sheets from `protocol/export.md` and play them again: nothing of the package is imported.

`python -m scripts.reading.watch` checks the sheets of the vectors and says how many held; those of the recorded games are
held against their exports, which tell the same moves in another form.
"""

import datetime as dt
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from scripts.reading.reader import table as rules
from scripts.reading.reader.envelope import check_text
from scripts.reading.reader.line import read_card
from scripts.reading.reference_curve import RefusedError

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Vector: TypeAlias = Mapping[str, Json]

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
TAGS: Final = ["Sheet", "Match", "Entries", "Head", "Date", "Variant", "Host", "Guest", "Score", "Ending"]
LONGEST: Final = 426
COUNT: Final = re.compile("0|[1-9][0-9]*")


@dataclass
class Sheet:
    """What a sheet says: its tags, the final table of each game, every move with its card, and its score."""

    tags: dict[str, str]
    tables: list[rules.Table] = field(default_factory=list)
    moves: list[tuple[str, str | None]] = field(default_factory=list)
    points: list[int] = field(default_factory=lambda: [0, 0])


class _Lines:
    """Lines that are taken from the front."""

    def __init__(self, text: str) -> None:
        if not text.endswith("\n"):
            raise RefusedError("bad-shape")
        self.left = text[:-1].split("\n")

    def take(self, pattern: str) -> "re.Match[str]":
        """The next line, which has this form."""
        found = re.fullmatch(pattern, self.left.pop(0)) if self.left else None
        if found is None:
            raise RefusedError("bad-shape")
        return found

    def next_is(self, start: str) -> bool:
        """Whether there is a next line, and it begins so."""
        return bool(self.left) and self.left[0].startswith(start)

    def pass_remarks(self) -> None:
        """Leave out what somebody said."""
        while self.next_is(";"):
            if not check(self.take("; (.*)")[1], LONGEST):
                raise RefusedError("bad-shape")


def check(text: str, longest: int) -> bool:
    """Whether a text is harmless and neither empty nor too long."""
    try:
        check_text(text, longest, "bad-shape")
    except RefusedError:
        return False
    return True


def read(text: str) -> Sheet:
    """What a sheet says; refused with the code of what is wrong."""
    lines = _Lines(text)
    sheet = Sheet(dict(_tags(lines)))
    variant = rules.read_variant(sheet.tags["Variant"])
    if variant.text != sheet.tags["Variant"]:
        raise RefusedError("bad-shape")
    lines.pass_remarks()
    began = None
    while lines.left:
        lines.take("")
        number = int(lines.take("Game ([1-9][0-9]*)")[1])
        if not sheet.tags["Guest"]:
            raise RefusedError("bad-shape")
        began = _game(lines, sheet, variant, number, began)
    over = max(sheet.points) >= variant.target
    if (f"{sheet.points[0]}:{sheet.points[1]}", over) != (sheet.tags["Score"], sheet.tags["Ending"] == "finished"):
        raise RefusedError("illegal-move")
    return sheet


def _tags(lines: _Lines) -> Iterator[tuple[str, str]]:
    tags = {}
    for name in TAGS:
        value = lines.take(rf'\[{name} "((?:[^"\\]|\\["\\])*)"\]')[1]
        tags[name] = re.sub(r"\\(.)", r"\1", value)
        if name == "Sheet" and value != "1":
            raise RefusedError("other-version")
    ids = all(re.fullmatch("[0-9a-f]{64}", tags[name]) for name in ("Match", "Head"))
    counts = [tags["Entries"], *tags["Score"].split(":")]
    names = [tags["Host"], *([tags["Guest"]] if tags["Guest"] else [])]
    sound = ids and len(counts) == 3 and all(map(COUNT.fullmatch, counts)) and all(check(name, 24) for name in names)
    if not sound or tags["Ending"] not in {"finished", "unfinished"} or not _is_day(tags["Date"]):
        raise RefusedError("bad-shape")
    yield from tags.items()


def _is_day(text: str) -> bool:
    if not re.fullmatch(r"\?|[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    try:
        return text == "?" or bool(dt.date.fromisoformat(text))
    except ValueError:
        return False


def _game(lines: _Lines, sheet: Sheet, variant: rules.Variant, number: int, began: int | None) -> int | None:
    """Play one game; who began it, or the one before if it was not dealt to its end."""
    follows = all(table.outcome for table in sheet.tables) and max(sheet.points) < variant.target
    if number != len(sheet.tables) + 1 or not follows:
        raise RefusedError("illegal-move")
    table = rules.deal(variant, 1 if began is None else 1 - began)
    if lines.next_is("deal"):
        for seat, card in enumerate(lines.take("deal ([^ ]+) ([^ ]+)").groups()):
            table = rules.turn_up(table, seat, _card(variant, card))
    lines.pass_remarks()
    while not lines.next_is("="):
        table = _turn(lines, sheet, table)
        lines.pass_remarks()
    table = _result(lines.take(r"= (\*|tie|(?:win|resign):[01]:(?:0|[1-9][0-9]{0,3}))")[1], table)
    sheet.tables.append(table)
    if table.outcome is not None and table.outcome[1] is not None:
        sheet.points[table.outcome[1]] += table.outcome[2]
    return began if table.began is None else table.began


def _turn(lines: _Lines, sheet: Sheet, table: rules.Table) -> rules.Table:
    found = lines.take("([1-9][0-9]*)\\. (.*)")
    number, rest = int(found[1]), found[2]
    if table.began is None:
        raise RefusedError("bad-shape")
    seat = (table.began + number - 1) % 2
    name = f"{sheet.tags[('Host', 'Guest')[seat]]}: "
    if not rest.startswith(name):
        raise RefusedError("bad-shape")
    for text in rest[len(name) :].split(", "):
        ply = re.fullmatch(r"([^ ()]+)(?: ([^ ()]+)(?: \(([^ ()]+)\))?)?", text)
        if ply is None:
            raise RefusedError("bad-shape")
        if (table.turn, table.to_move) != (number, seat):
            raise RefusedError("illegal-move")
        move, card, top = ply.groups()
        table = _played(table, move, None if card is None else _card(table.variant, card))
        sheet.moves.append((move, card))
        if top is not None:
            turned = None if top == "-" else _card(table.variant, top)
            if table.owed is None or table.owed.top != (turned is not None):
                raise RefusedError("illegal-move")
            table = rules.settle(table, turned)
    return table


def _played(table: rules.Table, move: str, card: int | None) -> rules.Table:
    """The table after a move, which names its card wherever it comes from."""
    if (card is None) != (move == "end"):
        raise RefusedError("illegal-move")
    return rules.play(table, move, card)


def _card(variant: rules.Variant, text: str) -> int:
    card = read_card(text)
    if card not in rules.pack(variant.packs):
        raise RefusedError("illegal-move")
    return card


def _result(text: str, table: rules.Table) -> rules.Table:
    if text.startswith("resign"):
        if table.outcome is not None:
            raise RefusedError("illegal-move")
        table = rules.resign(table, 1 - int(text[7]))
    said = "*"
    if table.outcome is not None:
        how, winner, points = table.outcome
        said = how if winner is None else f"{how}:{winner}:{points}"
    if said != text:
        raise RefusedError("illegal-move")
    return table


def _sheets(vector: Vector) -> None:
    sheet = read(str(vector["text"]))
    assert [table.text for table in sheet.tables] == vector["tables"]


def check_game(name: str) -> int:
    """Hold a recorded sheet against the export of the same match; how many moves it tells."""
    sheet = read((VECTORS / "games" / f"{name}.sheet").read_text("utf-8"))
    rows = [json.loads(line) for line in (VECTORS / "games" / f"{name}.jsonl").read_text("ascii").splitlines()]
    moved = [(row["move"], row["card"]) for row in rows if row["event"] == "moved"]
    assert [(move, card and card.partition(".")[0]) for move, card in sheet.moves] == moved
    assert (int(sheet.tags["Entries"]), sheet.tags["Head"]) == (len(rows), rows[-1]["id"])
    assert sheet.points == rows[-1]["table"]["score"]
    last, table = rows[-1]["table"], sheet.tables[-1]
    assert [[_face(card) for card in pile] for pile in table.centre] == last["centre"]
    assert [[[_face(card) for card in pile] for pile in seat.sides] for seat in table.seats] == last["sides"]
    assert [seat.pay_off for seat in table.seats] == [pile["count"] for pile in last["pay_off"]]
    assert (table.end - table.next, table.to_move) == (last["stock"], last["to_move"])
    return len(moved)


def _face(card: int) -> str:
    return rules.card_text(card).partition(".")[0]


CHECKS: Final[Mapping[str, Callable[[Vector], None]]] = {"sheets": _sheets}


def main() -> None:
    """Check every file."""
    for name, checker in CHECKS.items():
        vectors = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))["vectors"]
        for vector in vectors:
            try:
                checker(vector)
                found = "ok"
            except RefusedError as refused:
                found = str(refused)
            assert found == vector["expect"], (name, vector["id"], found)
        print(f"{name}: {len(vectors)} vectors hold")
    for path in sorted((VECTORS / "games").glob("*.sheet")):
        print(f"sheet of {path.stem}: {check_game(path.stem)} moves, as in its export")


if __name__ == "__main__":
    main()
