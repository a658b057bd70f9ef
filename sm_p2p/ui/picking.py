"""What is picked on the screen, and what a press on the table makes of it: two presses make a move.

Law: picking never sends anything; an illegal press says why and keeps the pick; whatever is pressed, nothing raises.
"""

from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from sm_p2p.rules.moves import END, HAND, ONTO_SIDE, PAY_OFF, SIDE, SOURCES, TARGETS, Move
from sm_p2p.rules.parts import Seat
from sm_p2p.rules.play import play
from sm_p2p.rules.reasons import Refused
from sm_p2p.rules.view import View
from sm_p2p.ui.board import SIDE_NAMES, Stack
from sm_p2p.ui.cursor import step
from sm_p2p.ui.keys import KEY_OF, PLACES, Action, Mode, binding_of
from sm_p2p.ui.reasons import explain
from sm_p2p.ui.words import Words, mark


@dataclass(frozen=True, slots=True)
class Picking:
    """The picked source (`p`, `h3`, `a`; empty: none), and where the cursor of the arrows stands.

    `asks` is an end of the turn that waits for a yes, because a pay-off play exists.
    """

    source: str = ""
    cursor: str = ""
    asks: Move | None = None


NOTHING: Final = Picking()
HAND_PLACES: Final = SOURCES[HAND:SIDE]


class Why(StrEnum):
    """Why a press does nothing, where it is not the rules that say so."""

    NOT_YOUR_TURN = mark("It is not your turn.")
    NO_TABLE = mark("No cards lie on the table yet.")
    EMPTY = mark("There is no card at {place}.")
    PICK_FIRST = mark("Pick a card first.")
    FITS_NOWHERE = mark("{card} fits no centre stack now.")
    FITS_SEVERAL = mark("{card} fits several centre stacks: press {keys}.")
    NO_STACK = mark("There is no {place} in this game.")


class Question(Enum):
    """Whether a turn's end is asked about while a pay-off play exists."""

    ASK = "ask"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Picks:
    """Only what is picked has changed, or the question is put."""

    picking: Picking


@dataclass(frozen=True, slots=True)
class Plays:
    """A legal move; nothing is picked any more."""

    move: Move


@dataclass(frozen=True, slots=True)
class Refuses:
    """Nothing can be done with this press; the pick stays."""

    picking: Picking
    why: Why | Refused
    values: tuple[tuple[str, str], ...] = ()

    def say(self, words: Words) -> str:
        """Why, as a sentence."""
        if isinstance(self.why, Refused):
            clause = explain(words, _by_keys(self.why))
            return f"{clause[:1].upper()}{clause[1:]}."
        return words.say(self.why.value, **{name: labelled(value) for name, value in self.values})


@dataclass(frozen=True, slots=True)
class Does:
    """A press that is the application's: what for, and by which key."""

    action: Action
    key: str


@dataclass(frozen=True, slots=True)
class Ignores:
    """The key means nothing here."""


Pressed: TypeAlias = Picks | Plays | Refuses | Does | Ignores


def press(
    picking: Picking, key: str, view: View | None, mode: Mode = Mode.TABLE, question: Question = Question.ASK
) -> Pressed:
    """What this key does, by the names of the key table."""
    if mode is Mode.TABLE and picking.asks is not None:
        return _answer(picking, picking.asks, key)
    binding = binding_of(mode, key)
    if binding is None:
        return Ignores()
    if mode is not Mode.TABLE or binding.action.value > Action.RIGHT.value:
        return Does(binding.action, key)
    if view is None:
        return Refuses(picking, Why.NO_TABLE)
    if view.seat is None or view.table.to_move != view.seat:
        return Refuses(NOTHING, Why.NOT_YOUR_TURN)
    hand = _Hand(_kept(picking, view), view, question)
    return hand.press(binding.action, key)


def labelled(place: str) -> str:
    """A place by the key that it is labelled with; any other text as it is.

    >>> labelled("h3"), labelled("c1"), labelled("8C")
    ('[3]', '[6]', '8C')
    """
    return f"[{KEY_OF[place]}]" if place in KEY_OF else place


def _by_keys(why: Refused) -> Refused:
    """The same reason with its places by their keys."""
    return Refused(
        why.reason, **{name: labelled(str(value)) if name == "place" else value for name, value in why.values.items()}
    )


def kept(picking: Picking, view: View | None) -> Picking:
    """What stays picked when the table has changed: a card that lies there still, in a turn of ours."""
    if view is None or view.seat is None or view.table.to_move != view.seat:
        return NOTHING
    return _kept(picking, view)


def stack_of(key: str, view: View | None, bottom: Seat = 0) -> Stack | None:
    """The stack that this key names after `v`; a to d are those at the bottom. None: there is none."""
    if view is None:
        return None
    place = PLACES.get(key.lower(), "")
    if place in TARGETS[: len(view.table.centre)]:
        return Stack(None, TARGETS.index(place))
    bottom = bottom if view.seat is None else view.seat
    return Stack(bottom if key.islower() else 1 - bottom, SIDE_NAMES.index(place)) if place in [*SIDE_NAMES] else None


def targets(picking: Picking, view: View | None) -> tuple[str, ...]:
    """Where the picked card can legally go, in the order of the notation."""
    if view is None or not picking.source:
        return ()
    return tuple(move.target for move in view.legal_moves if move.source == picking.source)


def _answer(picking: Picking, asks: Move, key: str) -> Pressed:
    """The answer to the question about a turn's end: the same key again, Enter or y is yes."""
    binding = binding_of(Mode.ASK, key)
    if key in ("y", "enter") or PLACES.get(key) == asks.target or (asks == END and key == "e"):
        return Plays(asks)
    if binding is not None and binding.action in (Action.SUSPEND, Action.REPAINT):
        return Does(binding.action, key)
    if key == "c-c":
        return Does(Action.LEAVE, key)
    return Picks(replace(picking, asks=None))


def _kept(picking: Picking, view: View) -> Picking:
    return picking if not picking.source or _holds(view, picking.source) else NOTHING


def _holds(view: View, source: str) -> bool:
    """Whether a card of ours lies there."""
    place = view.table.places[view.seat or 0]
    if source == "p":
        return bool(place.pay_off)
    if source[0] == "h":
        return place.hand[int(source[1]) - 1] is not None
    return bool(place.sides[SIDE_NAMES.index(source)])


@dataclass(frozen=True, slots=True)
class _Hand:
    """A hand over the table: what it holds, what it sees."""

    picking: Picking
    view: View
    question: Question

    def press(self, action: Action, key: str) -> Pressed:
        """What this press does."""
        picking = self.picking
        match action:
            case Action.PLACE:
                return self._place(PLACES[key])
            case Action.PAY_OFF:
                return self._only("p", picking)
            case Action.END:
                return self._move(END)
            case Action.CONFIRM:
                return self._confirm()
            case Action.BACK:
                return Picks(NOTHING)
            case Action.NEXT | Action.PREVIOUS:
                return self._walk(1 if action is Action.NEXT else -1)
            case _:
                here = picking.cursor or picking.source
                return Picks(replace(picking, cursor=step(here, action, len(self.view.table.centre))))

    def _place(self, place: str) -> Pressed:
        source = self.picking.source
        if place in TARGETS[:ONTO_SIDE]:
            if place not in TARGETS[: len(self.view.table.centre)]:
                return self._refuse(Why.NO_STACK, place=place)
            return self._move_to(place) if source else self._refuse(Why.PICK_FIRST)
        if source == place:
            return self._only(place, self.picking)
        if source and place in TARGETS:
            return self._move_to(place)
        if not _holds(self.view, place):
            return self._refuse(Why.EMPTY, place=place)
        return Picks(Picking(place))

    def _confirm(self) -> Pressed:
        source, cursor = self.picking.source, self.picking.cursor
        if source and cursor in TARGETS and cursor != source:
            return self._move_to(cursor)
        if source:
            return self._only(source, self.picking)
        if not cursor or cursor in TARGETS[:ONTO_SIDE]:
            return self._refuse(Why.PICK_FIRST)
        if cursor in HAND_PLACES and END in self.view.legal_moves:
            return self._move(END)
        if not _holds(self.view, cursor):
            return self._refuse(Why.EMPTY, place=cursor)
        return Picks(Picking(cursor, cursor))

    def _only(self, source: str, picking: Picking) -> Pressed:
        """Play the card to the only centre stack that it fits."""
        plays = [move for move in self.view.legal_moves if move.source == source and not move.ends_turn]
        if len(plays) == 1:
            return self._move(plays[0])
        probe = Move.parse(f"{source}-c1")
        if self.view.table.owed is not None:
            return self._move(probe)
        face = self.view.face(probe)
        card = source if face is None else face.face
        if not plays:
            return self._refuse(Why.FITS_NOWHERE, card=card)
        keys = " ".join(str(6 + (move & 7)) for move in plays)
        picked = replace(picking, source=source)
        return Refuses(picked, Why.FITS_SEVERAL, (("card", card), ("keys", keys)))

    def _move_to(self, target: str) -> Pressed:
        return self._move(Move.parse(f"{self.picking.source}-{target}"))

    def _move(self, move: Move) -> Pressed:
        try:
            play(self.view.table, move, self.view.face(move))
        except Refused as why:
            return Refuses(self.picking, why)
        pays = any(other >> 3 == PAY_OFF for other in self.view.legal_moves)
        if move.ends_turn and pays and self.question is Question.ASK:
            return Picks(replace(self.picking, asks=move))
        return Plays(move)

    def _walk(self, by: int) -> Pressed:
        """The cursor to the next place where the picked card can go; without one, to the next card that can be played."""
        picking = self.picking
        found = targets(picking, self.view)
        if not picking.source:
            moves = self.view.legal_moves
            found = tuple(dict.fromkeys(move.source for move in moves if not move.ends_turn)) or tuple(
                dict.fromkeys(move.source for move in moves if move != END)
            )
        if not found:
            return self._refuse(Why.PICK_FIRST) if not picking.source else Picks(picking)
        at = found.index(picking.cursor) + by if picking.cursor in found else (0 if by > 0 else -1)
        return Picks(replace(picking, cursor=found[at % len(found)]))

    def _refuse(self, why: Why, **values: str) -> Refuses:
        return Refuses(self.picking, why, tuple(values.items()))
