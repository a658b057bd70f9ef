"""Do what a vector of the rules says with the reader, and compare: nothing of the package is imported.

`python -m scripts.reading.rules` checks all files of the rules and says how many vectors held.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final, TypeAlias

from scripts.reading.reader import table as rules
from scripts.reading.reader.line import count_cards, read_card, read_table
from scripts.reading.reference_curve import RefusedError, Xof

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Vector: TypeAlias = Mapping[str, Json]

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
MOST_WAYS: Final = 700
"""Deeper counts of perft are left to faster programs: this one copies a table for every move."""

ALL_MOVES: Final = [*(f"{source}-{target}" for source in rules.SOURCES for target in rules.TARGETS), "end"]


def _moves(vector: Vector) -> None:
    match vector["op"]:
        case "moves":
            assert vector["texts"] == ALL_MOVES
        case "pack":
            assert isinstance(vector["packs"], int)
            assert vector["cards"] == rules.pack(vector["packs"])
        case "card":
            card = read_card(str(vector["text"]))
            assert (card, rules.card_text(card)) == (vector["number"], vector["text"])
        case "id":
            if vector["number"] not in rules.pack(4):
                raise RefusedError("illegal-move")
        case _:
            rules.read_move(str(vector["text"]))


def _variants(vector: Vector) -> None:
    variant = rules.read_variant(str(vector["text"]))
    if vector["op"] == "signed":
        if variant.text != vector["text"]:
            raise RefusedError("bad-variant")
        return
    assert (variant.text, asdict(variant)) == (vector["variant"], vector["fields"])
    assert variant.cards - 2 * variant.pay_off - 10 == vector["stock"]


def _tables(vector: Vector) -> None:
    table = read_table(str(vector["text"]))
    assert list(table.sections().values()) == vector["sections"]


def _card(value: Json) -> int | None:
    return None if value is None else read_card(str(value))


def _step(table: rules.Table | None, step: Json) -> rules.Table:
    """The table after one step, with the checks that a chain of entries makes unnecessary."""
    match step:
        case {"deal": str(variant), "tie_break": int(seat)}:
            return rules.deal(rules.read_variant(variant), seat)
        case _ if table is None or not isinstance(step, dict):
            raise AssertionError(step)
        case {"move": str(move)}:
            return rules.play(table, move, _card(step["card"]))
        case {"turn_up": int(seat), "card": card}:
            top = _card(card)
            if table.outcome is not None or table.seats[seat].top is not None:
                raise RefusedError("illegal-move")
            return rules.turn_up(table, seat, _of_game(table, top) or 0)
        case {"settle": card}:
            top = _card(card)
            if table.owed is None or table.owed.top != (top is not None):
                raise RefusedError("illegal-move")
            return rules.settle(table, _of_game(table, top))
        case {"resign": int(seat)}:
            if table.outcome is not None:
                raise RefusedError("illegal-move")
            return rules.resign(table, seat)
        case _:
            raise AssertionError(step)


def _of_game(table: rules.Table, card: int | None) -> int | None:
    """The card, if the game has it."""
    if card is not None and card >> 2 & 3 >= table.variant.packs:
        raise RefusedError("illegal-move")
    return card


def _rules(vector: Vector) -> None:
    table = None if vector["table"] is None else read_table(str(vector["table"]))
    if vector["op"] == "legal":
        assert table is not None
        assert isinstance(vector["hand"], list)
        assert legal(table, [_card(face) for face in vector["hand"]]) == vector["moves"]
        return
    assert isinstance(vector["steps"], list)
    assert isinstance(vector["flags"], list)
    for step in vector["steps"]:
        table = _step(table, step)
        assert "whole" not in vector["flags"] or count_cards(table) == table.variant.cards
    assert table is not None
    assert (table.text, list(table.sections().values())) == (vector["after"], vector["sections"])


def legal(table: rules.Table, hand: list[int | None]) -> list[str]:
    """Every move that the mover can make, who holds these cards."""
    found = []
    for move in ALL_MOVES:
        try:
            rules.play(table, move, hand[int(move[1]) - 1] if move[0] == "h" else None)
        except RefusedError:
            continue
        found.append(move)
    return found


def _scores(vector: Vector) -> None:
    match vector:
        case {
            "before": {"points": [int() as first, int() as second], "games": int() as games, "began": before},
            "outcome": str() as outcome,
            "began": began,
            "variant": str() as variant,
        }:
            points = [first, second]
            how, _, rest = outcome.partition(":")
            if how != "tie":
                winner, _, gain = rest.partition(":")
                points[int(winner)] += int(gain)
            last = before if began is None else began
            assert vector["after"] == {"points": points, "games": games + 1, "began": last}
            over = [seat for seat in (0, 1) if points[seat] >= rules.read_variant(variant).target]
            assert vector["winner"] == (over[0] if over else None)
            assert vector["tie_break"] == (1 - last if isinstance(last, int) else 1)
        case _:
            raise AssertionError(vector)


def _shuffled(cards: list[int], seed: int, deck: int) -> list[int]:
    """A deck of an open game."""
    order = Xof("SM1/open-game", seed, deck).permutation(len(cards))
    return [cards[place] for place in order]


def _ways(table: rules.Table, decks: list[list[int]], seed: int, depth: int) -> int:
    if table.to_move is None:
        return 0
    hand = [None if slot is None else decks[slot >> 8][slot & 255] for slot in table.seats[table.to_move].hand]
    moves = legal(table, hand)
    if depth == 1:
        return len(moves)
    ways = 0
    for move in moves:
        after, dealt = rules.play(table, move, hand[int(move[1]) - 1] if move[0] == "h" else None), decks
        if after.owed is not None:
            owed, mover = after.owed, table.to_move
            if owed.shuffle:
                stock = [decks[slot >> 8][slot & 255] for slot in owed.hidden]
                dealt = [*decks, _shuffled(stock + owed.shuffle, seed, len(decks))]
            after = rules.settle(after, decks[0][after.top_slot(mover)] if owed.top else None)
        ways += _ways(after, dealt, seed, depth - 1)
    return ways


def _perft(vector: Vector) -> None:
    match vector:
        case {"seed": int() as seed, "variant": str() as text, "decks": [list() as first, *_], "ways": list() as ways}:
            variant = rules.read_variant(text)
            assert _shuffled(rules.pack(variant.packs), seed, 0) == first
            table = read_table(str(vector["table"]))
            decks = json.loads(json.dumps(vector["decks"]))
            for depth, expected in enumerate(ways, 1):
                assert isinstance(expected, int)
                assert expected > MOST_WAYS or _ways(table, decks, seed, depth) == expected
        case _:
            raise AssertionError(vector)


CHECKS: Final[Mapping[str, Callable[[Vector], None]]] = {
    "moves": _moves,
    "variants": _variants,
    "tables": _tables,
    "rules": _rules,
    "scores": _scores,
    "perft": _perft,
}


def main() -> None:
    """Check every file of the rules."""
    for name, check in CHECKS.items():
        vectors = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))["vectors"]
        for vector in vectors:
            outcome = "ok"
            try:
                check(vector)
            except RefusedError as refusal:
                outcome = str(refusal)
            assert outcome == vector["expect"], (vector["id"], outcome)
        print(f"{name}: {len(vectors)} vectors hold")


if __name__ == "__main__":
    main()
