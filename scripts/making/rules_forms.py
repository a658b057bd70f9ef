"""The form of one vector of the rules, and of one step of a game."""

from typing import Final

from sm_p2p.errors import Code
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import OpenGame
from sm_p2p.rules.parts import Seat
from sm_p2p.rules.play import deal, play, resign, settle, turn_up
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import Variant

Vector = dict[str, object]
Step = dict[str, str | int | None]

FLAGS: Final = {
    "case": "a row of the case table",
    "range": "a number out of bounds",
    "order": "two things happen in one play, and their order matters",
    "king": "a king stands for another card",
    "variant": "not the standard rules",
    "end": "the game ends, or has ended",
    "deal": "before the first turn",
    "refused": "not allowed",
    "text": "another way to write it, or none at all",
    "sketch": "fewer cards than the game has, as in most vectors of single rules",
    "whole": "all cards of a game",
}


def vector(name: str, comment: str, flags: str, expect: Code | None = None, **inputs: object) -> Vector:
    """One vector: what goes in, and what is expected."""
    return {"id": name, "comment": comment, "flags": flags.split(), **inputs, "expect": str(expect or "ok")}


def vector_file(about: str, vectors: list[Vector]) -> dict[str, object]:
    """A file of vectors, with the flags that occur in it."""
    flags = {flag for one in vectors for flag in (one["flags"] if isinstance(one["flags"], list) else [])}
    used = {flag: FLAGS[flag] for flag in FLAGS if flag in flags}
    return {"protocol": 1, "about": about, "flags": used, "vectors": vectors}


def dealt(variant: str, tie_break: Seat) -> Step:
    """A fresh deal."""
    return {"deal": variant, "tie_break": tie_break}


def up(seat: Seat, card: str) -> Step:
    """A first pay-off top turned up."""
    return {"turn_up": seat, "card": card}


def moved(move: str, card: str | None = None) -> Step:
    """A move, with the face of a hand card."""
    return {"move": move, "card": card}


def shown(card: str | None) -> Step:
    """What was owed has come, with the next pay-off card if that was owed."""
    return {"settle": card}


def given_up(seat: Seat) -> Step:
    """A resignation."""
    return {"resign": seat}


def do(table: Table | None, step: Step) -> Table:
    """The table after this step; raises Refused or Misread."""
    card = None if step.get("card") is None else Card.parse(str(step["card"]))
    match step:
        case {"deal": str(variant), "tie_break": int(seat)}:
            return deal(Variant.parse(variant), seat)
        case {"turn_up": int(seat)} if table is not None and card is not None:
            return turn_up(table, seat, card)
        case {"move": str(move)} if table is not None:
            return play(table, Move.parse(move), card)
        case {"settle": top} if table is not None:
            return settle(table, None if top is None else Card.parse(str(top)))
        case {"resign": int(seat)} if table is not None:
            return resign(table, seat)
        case _:
            raise AssertionError(step)


def steps_of(game: OpenGame, moves: str) -> list[Step]:
    """These moves as steps, with the faces that the open dealer knows and what he shows where something is owed."""
    steps = []
    for text in moves.split():
        move = Move.parse(text)
        card, mover = game.card(move), game.table.to_move
        steps.append(moved(text, None if card is None else str(card)))
        owing = play(game.table, move, card).owed
        game = game.play(move)
        if owing is not None and mover is not None:
            top = game.table.places[mover].top
            steps.append(shown(str(top) if owing.top else None))
    return steps
