"""The table in plain lines, always in the same order and form, for ears as much as for eyes.

Law: what is written here follows from a view alone; looking changes nothing.
"""

from typing import Final, NamedTuple

from sm_p2p.rules.cards import KING, RANKS, Card
from sm_p2p.rules.moves import END, TARGETS, Move
from sm_p2p.rules.table import Pile, Seat, Table
from sm_p2p.rules.view import View
from sm_p2p.ui.words import Words

SIDE_NAMES: Final = "abcd"


class Stack(NamedTuple):
    """A side stack of a seat, or (None) a centre stack, by its number from 0."""

    seat: Seat | None
    number: int


def table_lines(words: Words, view: View) -> tuple[str, ...]:
    """The other player, the middle, and what lies before the reader; both players for an onlooker."""
    first = 0 if view.seat is None else 1 - view.seat
    return (_place(words, view, first), middle(words, view.table), _place(words, view, 1 - first))


def middle(words: Words, table: Table) -> str:
    """The centre stacks with what each needs, and the stock."""
    stacks = ", ".join(_centre(words, table, stack) for stack in range(len(table.centre)))
    return words.say("Centre: {stacks}; stock {count}.", stacks=stacks, count=table.stock_count)


def hand_line(words: Words, view: View) -> str:
    """The own hand; a place is left out where there is no card."""
    cards = ", ".join(f"h{place} {_face(words, card)}" for place, card in _hand(view))
    return words.say("Hand: {cards}.", cards=cards) if cards else words.say("Hand: empty.")


def hand_cards(view: View) -> tuple[str | None, ...]:
    """The faces at h1…h5 as a program reads them; `?` for a card that has not been shown yet."""
    shown = dict(_hand(view))
    return tuple(
        None if place not in shown else "?" if (card := shown[place]) is None else card.face for place in range(1, 6)
    )


def moves_lines(words: Words, view: View) -> tuple[str, ...]:
    """Every move that the reader can make now."""
    moves = view.legal_moves
    if not moves:
        return (words.say("You cannot move now."),)
    plays = ", ".join(_with_card(words, view, move) for move in moves if not move.ends_turn)
    cards = ", ".join(dict.fromkeys(move.source for move in moves if move.ends_turn and move != END))
    found = [words.say("Plays: {moves}.", moves=plays) if plays else words.say("Plays: none.")]
    if cards:
        found.append(words.say("Discards: {cards}, each onto a, b, c or d.", cards=cards))
    if END in moves:
        found.append(words.say("The move end ends the turn."))
    return tuple(found)


def find_stack(view: View, name: str) -> Stack | None:
    """The stack that has this name for the reader: a…d are his, A…D the other's; None if this game has no such stack."""
    if name in TARGETS[: len(view.table.centre)]:
        return Stack(None, TARGETS.index(name))
    if view.seat is None or len(name) != 1 or name.lower() not in SIDE_NAMES:
        return None
    return Stack(view.seat if name in SIDE_NAMES else 1 - view.seat, SIDE_NAMES.index(name.lower()))


def pile_at(table: Table, at: Stack) -> Pile:
    """The cards of a stack, bottom first."""
    return table.centre[at.number] if at.seat is None else table.places[at.seat].sides[at.number]


def stack_line(words: Words, table: Table, at: Stack) -> str:
    """All cards of a stack; in the centre with what kings stand for, and what it needs."""
    pile = pile_at(table, at)
    if at.seat is None:
        return _centre_line(words, TARGETS[at.number], pile)
    name = SIDE_NAMES[at.number]
    if not pile:
        return words.of(
            at.seat, "Your side stack {stack} is empty.", "{name}'s side stack {stack} is empty.", stack=name
        )
    cards = ", ".join(card.face for card in reversed(pile))
    return words.of(
        at.seat,
        "Your side stack {stack}, the top first: {cards}.",
        "{name}'s side stack {stack}, the top first: {cards}.",
        stack=name,
        cards=cards,
    )


def _centre_line(words: Words, name: str, pile: Pile) -> str:
    if not pile:
        return words.say("{stack} is empty and needs {rank}.", stack=name, rank=RANKS[1])
    cards = ", ".join(_stacked(words, card, height) for height, card in reversed([*enumerate(pile, 1)]))
    return words.say("{stack}, the top first: {cards}; it needs {rank}.", stack=name, cards=cards, rank=_needed(pile))


def _place(words: Words, view: View, seat: Seat) -> str:
    place = view.table.places[seat]
    top = words.say("none") if not place.pay_off else _face(words, place.top)
    sides = ", ".join(_side(words, name, pile) for name, pile in zip(SIDE_NAMES, place.sides, strict=True))
    return words.of(
        seat,
        "You: pay-off {card}, {left} left; hand {hand}; side {sides}.",
        "{name}: pay-off {card}, {left} left; hand {hand}; side {sides}.",
        card=top,
        left=place.pay_off,
        hand=sum(slot is not None for slot in place.hand),
        sides=sides,
    )


def _side(words: Words, name: str, pile: Pile) -> str:
    if not pile:
        return words.say("{stack} empty", stack=name)
    return words.say("{stack} {card} of {count}", stack=name, card=pile[-1].face, count=len(pile))


def _centre(words: Words, table: Table, stack: int) -> str:
    pile, name = table.centre[stack], TARGETS[stack]
    if not pile:
        return words.say("{stack} empty needs {rank}", stack=name, rank=RANKS[1])
    return words.say(
        "{stack} {card} needs {rank}", stack=name, card=_stacked(words, pile[-1], len(pile)), rank=_needed(pile)
    )


def _needed(pile: Pile) -> str:
    """The rank that goes onto it next; a full stack, as a won game leaves it, needs none."""
    return RANKS[len(pile) + 1] if len(pile) + 1 < KING else "-"


def _stacked(words: Words, card: Card, height: int) -> str:
    if card.rank != KING:
        return card.face
    return words.say("{card} as {rank}", card=card.face, rank=RANKS[height])


def _face(words: Words, card: Card | None) -> str:
    return words.say("face down") if card is None else card.face


def _hand(view: View) -> tuple[tuple[int, Card | None], ...]:
    """The places 1…5 of the hand that hold a card, with its face if it is known."""
    if view.seat is None:
        return ()
    slots = view.table.places[view.seat].hand
    return tuple(
        (place, card) for place, (slot, card) in enumerate(zip(slots, view.hand, strict=True), 1) if slot is not None
    )


def _with_card(words: Words, view: View, move: Move) -> str:
    return words.say("{move} with {card}", move=str(move), card=_face(words, view.face(move)))
