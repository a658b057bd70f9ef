"""The vector files of the rules, read through the package."""

from dataclasses import asdict

import pytest
from vector_files import Vector, vectors

from scripts.perft import after, perft
from sm_p2p.errors import Code, SpiteError
from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.moves import MOVES, Move
from sm_p2p.rules.open_game import open_game
from sm_p2p.rules.parts import Outcome
from sm_p2p.rules.play import deal, play, resign, settle, turn_up
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View


def refuses(vector: Vector, code: Code) -> pytest.RaisesExc[SpiteError]:
    assert vector.expect == code
    return pytest.raises(SpiteError)


@pytest.mark.parametrize("vector", vectors("moves.json"), ids=repr)
def test_moves_and_cards(vector: Vector) -> None:
    match vector.text("op"), vector.expect:
        case "moves", "ok":
            assert vector.items("texts") == [str(Move(number)) for number in range(len(MOVES))]
        case "pack", "ok":
            assert vector.items("cards") == list(map(int, pack(vector.number("packs"))))
        case "card", "ok":
            card = Card.parse(vector.text("text"))
            assert (int(card), str(card)) == (vector.number("number"), vector.text("text"))
        case "card", _:
            with refuses(vector, Code.ILLEGAL_MOVE):
                Card.parse(vector.text("text"))
        case "id", _:
            with refuses(vector, Code.ILLEGAL_MOVE):
                Card(vector.number("number"))
        case "move", _:
            with refuses(vector, Code.ILLEGAL_MOVE):
                Move.parse(vector.text("text"))
        case unknown:
            pytest.fail(str(unknown))


@pytest.mark.parametrize("vector", vectors("variants.json"), ids=repr)
def test_variants(vector: Vector) -> None:
    text = vector.text("text")
    match vector.text("op"), vector.expect:
        case "read", "ok":
            variant = Variant.parse(text)
            assert (str(variant), variant.stock) == (vector.text("variant"), vector.number("stock"))
            assert asdict(variant) == vector.json("fields")
        case "read", _:
            with refuses(vector, Code.BAD_VARIANT):
                Variant.parse(text)
        case "signed", expect:
            assert (str(Variant.parse(text)) == text) == (expect == "ok")
        case unknown:
            pytest.fail(str(unknown))


@pytest.mark.parametrize("vector", vectors("tables.json"), ids=repr)
def test_tables(vector: Vector) -> None:
    if vector.expect != "ok":
        with refuses(vector, Code.BAD_SHAPE):
            Table.parse(vector.text("text"))
        return
    table = Table.parse(vector.text("text"))
    assert str(table) == vector.text("text")
    assert list(map(list, table.sections())) == vector.items("sections")


def card_of(step: Vector, name: str) -> Card | None:
    return Card.parse(step.text(name)) if name in step and step.json(name) is not None else None


def done(table: Table | None, step: Vector) -> Table:
    """The table after one step of a vector."""
    card = card_of(step, "card")
    if table is None:
        return deal(Variant.parse(step.text("deal")), step.number("tie_break"))
    if "turn_up" in step and card is not None:
        return turn_up(table, step.number("turn_up"), card)
    if "settle" in step:
        return settle(table, card_of(step, "settle"))
    if "resign" in step:
        return resign(table, step.number("resign"))
    return play(table, Move.parse(step.text("move")), card)


@pytest.mark.parametrize("vector", vectors("rules.json", "play"), ids=repr)
def test_play(vector: Vector) -> None:
    table = None if vector.json("table") is None else Table.parse(vector.text("table"))
    steps = [
        Vector({"id": vector.id, "expect": "", **step}) for step in vector.items("steps") if isinstance(step, dict)
    ]
    if vector.expect != "ok":
        (step,) = steps
        with refuses(vector, Code.ILLEGAL_MOVE):
            done(table, step)
        return
    whole = "whole" in vector.items("flags")
    for step in steps:
        table = done(table, step)
        assert not whole or table.card_count() == table.variant.cards
    assert table is not None
    assert str(table) == vector.text("after")
    assert list(map(list, table.sections())) == vector.items("sections")


@pytest.mark.parametrize("vector", vectors("rules.json", "legal"), ids=repr)
def test_legal_moves(vector: Vector) -> None:
    table = Table.parse(vector.text("table"))
    assert table.to_move is not None
    hand = table.places[table.to_move].hand
    faces = {
        slot: Card.parse(str(text))
        for slot, text in zip(hand, vector.items("hand"), strict=True)
        if slot is not None and text is not None
    }
    assert list(map(str, View(table, table.to_move, faces).legal_moves)) == vector.items("moves")


@pytest.mark.parametrize("vector", vectors("scores.json"), ids=repr)
def test_scores(vector: Vector) -> None:
    variant = Variant.parse(vector.text("variant"))
    scores = []
    for name in ("before", "after"):
        part = vector.part(name)
        first, second = part.items("points")
        assert isinstance(first, int)
        assert isinstance(second, int)
        began = None if part.json("began") is None else part.number("began")
        scores.append(Score((first, second), part.number("games"), began))
    began = None if vector.json("began") is None else vector.number("began")
    score = scores[0].after(Outcome.parse(vector.text("outcome")), began)
    assert (score, score.winner(variant)) == (scores[1], vector.json("winner"))
    assert score.tie_break == vector.number("tie_break")


@pytest.mark.parametrize("vector", vectors("perft.json"), ids=repr)
def test_perft(vector: Vector) -> None:
    game = open_game(Variant.parse(vector.text("variant")), vector.number("seed"), vector.number("tie_break"))
    game = after(game, " ".join(map(str, vector.items("moves"))))
    assert str(game.table) == vector.text("table")
    assert [list(map(int, deck)) for deck in game.decks] == vector.items("decks")
    assert [perft(game, depth + 1) for depth in range(len(vector.items("ways")))] == vector.items("ways")


def test_more_is_refused_than_accepted() -> None:
    found = [vector for name in FILES for vector in vectors(name)]
    assert sum(vector.expect != "ok" for vector in found) > len(found) / 2


def test_every_row_of_the_case_table_has_a_vector() -> None:
    told = " ".join(f"{one.id} {one.text('comment')} " for name in FILES for one in vectors(name)).replace(
        "case ", "case-"
    )
    rows = [1, 2, 3, 4, 5, 6, 8, 9, 11, 13, 14, 16, 17, 18, 20, 21, 22, 23, 26, 29, 30, 31, 34, 35, 36, 38, 41, 42]
    for row in [*rows, 43, 44, 46, 47, 49, 52, 53, 57, 58, 59, 60, 61, 62, 63]:
        assert any(f"case-{row}{end}" in told for end in " :-"), row


FILES = ("moves.json", "variants.json", "tables.json", "rules.json", "scores.json")
