"""A match as JSON Lines: one object an entry, what it says and the public table after it (`protocol/export.md`).

Law: what a line says follows from the log alone, so two exports of one log are the same bytes. Hands are shown only for
games whose two keys lie open further on in the same log.
"""

import json
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.errors import SpiteError, sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import Outcome, Pile, Place, Slot, Table
from sm_p2p.session.events import Event, Moved
from sm_p2p.session.proofs import CHECKED, Proofs
from sm_p2p.session.state import Match, State
from sm_p2p.watch.audit import Faces, Halves, audit, halves_after
from sm_p2p.watch.replay import Recording, Step

Json: TypeAlias = "int | str | list[Json] | dict[str, Json] | None"

NEVER_DEALT: Final = "?"  # a card of a deck that the end of the game left half shuffled


class _Row(NamedTuple):
    """One line in the making: what the entry says, the table after it as JSON, and as it is (None: no table yet)."""

    said: dict[str, Json]
    shown: dict[str, Json] | None
    table: Table | None


def export_lines(recording: Recording, proofs: Proofs = CHECKED, *, is_open: bool = False) -> Iterator[str]:
    """The lines of all entries, each without its end; `is_open` shows the hands where the log has opened them.

    Raises what `Recording.steps` raises, behind the lines of what is good; with `is_open` also Fault `bad-audit`.
    """
    rows = _open_rows(recording, proofs) if is_open else map(_row, recording.steps(proofs))
    for row in rows:
        yield json.dumps({**row.said, "table": row.shown}, separators=(",", ":"))


def _open_rows(recording: Recording, proofs: Proofs) -> Iterator[_Row]:
    """The rows, those of one game held back until its keys lie open or it is known that they never will."""
    held: list[_Row] = []
    halves: Halves = ()
    faces: Faces | None = None
    try:
        for step in recording.steps(proofs):
            if step.after.finished is not step.before.finished:
                faces = audit(sure(step.after.finished), halves)
            if _number(step.after) != _number(step.before):
                yield from _with_hands(held, faces)
                held, faces = [], None
            halves = halves_after(halves, step.after)
            held.append(_row(step))
    except SpiteError:
        yield from _with_hands(held, faces)
        raise
    yield from _with_hands(held, faces)


def _with_hands(held: list[_Row], faces: Faces | None) -> Iterator[_Row]:
    """These rows of one game; with the hands in their tables, if the faces are known."""
    for said, shown, table in held:
        if faces is None or shown is None or table is None:
            yield _Row(said, shown, table)
        else:
            hands: list[Json] = [[_face(slot, faces) for slot in place.hand] for place in table.places]
            yield _Row(said, {**shown, "hands": hands}, table)


def _row(step: Step) -> _Row:
    """What one entry says, and the table after it."""
    entry, event = step.entry, step.event
    said: dict[str, Json] = {
        "seq": entry.seq,
        "id": entry.id.hex(),
        "author": entry.author,
        "event": event_name(event),
        "game": _number(step.after),
        "turn": _turn(step.before),
    }
    if isinstance(event, Moved):
        said |= {"move": event.move, "card": _moved_card(event, sure(step.before.game).table)}
    game = step.after.game
    if game is None:
        return _Row(said, None, None)
    return _Row(said, _shown(game.table, step.after.score), game.table)


def event_name(event: Event) -> str:
    """The word for an event in exports."""
    return type(event).__name__.lower()


def _number(match: Match) -> int | None:
    return None if match.game is None else match.game.number


def _turn(before: Match) -> int | None:
    """The turn in which an entry is written, None outside of turns."""
    return sure(before.game).table.turn if before.state in {State.TURN, State.ANSWER} else None


def _moved_card(event: Moved, before: Table) -> str | None:
    move = Move.parse(event.move)
    if move == END:
        return None
    return Card(event.card).face if event.card is not None else sure(before.open_card(move)).face


def _shown(table: Table, score: Score) -> dict[str, Json]:
    """The public table, its keys in the order of the specification."""
    return {
        "stock": table.stock_count,
        "centre": _piles(table.centre),
        "sides": [_piles(place.sides) for place in table.places],
        "pay_off": [_pay_off(place) for place in table.places],
        "hand": [sum(slot is not None for slot in place.hand) for place in table.places],
        "to_move": table.to_move,
        "score": list(score.points),
        "outcome": _outcome(table.outcome),
    }


def _pay_off(place: Place) -> dict[str, Json]:
    return {"count": place.pay_off, "top": None if place.top is None else place.top.face}


def _piles(piles: tuple[Pile, ...]) -> list[Json]:
    return [[card.face for card in pile] for pile in piles]


def _outcome(outcome: Outcome | None) -> dict[str, Json] | None:
    if outcome is None:
        return None
    return {"how": outcome.how.value, "winner": outcome.winner, "points": outcome.points}


def _face(slot: Slot | None, faces: Faces) -> str | None:
    if slot is None:
        return None
    return faces[slot].face if slot in faces else NEVER_DEALT
