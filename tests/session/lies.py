"""Where a cheat can lie, and with what: pieces for entries that are wrong in one thing and right in everything else."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from pair import AUTHORS
from session.cheat import best_proof, shares_of, shuffle_of
from session.recorded import Step

from sm_p2p.deck.generators import card_point
from sm_p2p.deck.group import G, Point, minus, plus
from sm_p2p.deck.masking import Deck
from sm_p2p.errors import Code, sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import How, Slot
from sm_p2p.session import events
from sm_p2p.session.due import due_of_answer, due_of_move
from sm_p2p.session.events import Answered, Event, Key, Moved, Revealed, Shares, Shuffle, kind_of
from sm_p2p.session.match import context
from sm_p2p.session.state import Game, State

Where: TypeAlias = Callable[[Step], bool]
Forge: TypeAlias = Callable[[Step], Event]


@dataclass(frozen=True)
class Attack:
    """What the cheat says instead of the right thing, where, in which recording, and the fault that it is."""

    name: str
    where: Where
    forge: Forge
    code: Code
    recording: str = "rich"


# Where


def during(state: State) -> Where:
    """The first step out of this state."""
    return lambda at: at.before.state is state


def game(at: Step) -> Game:
    """The game on the table before the step."""
    return sure(at.before.game)


def is_move(at: Step) -> bool:
    """A move."""
    return isinstance(at.event, Moved)


def is_discard(at: Step) -> bool:
    """A discard after which the other side draws."""
    return isinstance(at.event, Moved) and at.event.card is not None and len(at.event.shares.points) > 32


def is_hand_play(at: Step) -> bool:
    """A hand card onto a centre stack, with nothing else due."""
    return isinstance(at.event, Moved) and at.event.card is not None and "-c" in at.event.move and not is_discard(at)


def completes(at: Step) -> bool:
    """A play that completes a centre stack."""
    return isinstance(at.event, Moved) and bool(at.event.shuffle.deck)


def completes_otherwise(at: Step) -> bool:
    """A play that completes a stack by a card that is no pay-off card."""
    return completes(at) and moved(at).move[0] != "p"


def turns_up(at: Step) -> bool:
    """A pay-off play that completes nothing."""
    return (
        isinstance(at.event, Moved) and at.event.move[0] == "p" and bool(at.event.shares.points) and not completes(at)
    )


def wins(at: Step) -> bool:
    """The play that wins."""
    return is_move(at) and at.after.state is State.REVEAL and at.after.outcomes[-1].how is How.WIN


def ties(at: Step) -> bool:
    """The discard that ends a game in a tie."""
    return is_move(at) and at.after.state is State.REVEAL and at.after.outcomes[-1].how is How.TIE


def answers(what: str) -> Where:
    """An answer that owes shuffle 2 (S), the next pay-off card (T) or a refill (D), and nothing else."""

    def holds(at: Step) -> bool:
        if at.before.state is not State.ANSWER:
            return False
        owed = sure(game(at).table.owed)
        return (bool(owed.shuffle), owed.top, bool(owed.draws)) == tuple(letter in what for letter in "STD")

    return holds


def last(state: State) -> Where:
    """The step out of this state in the last game of a match."""
    return lambda at: at.before.state is state and at.before.is_over


# With what


def moved(at: Step) -> Moved:
    """The move of the step."""
    assert isinstance(at.event, Moved)
    return at.event


def answered(at: Step) -> Answered:
    """The answer of the step."""
    assert isinstance(at.event, Answered)
    return at.event


def revealed(at: Step) -> Revealed:
    """The key entry of the step."""
    assert isinstance(at.event, Revealed)
    return at.event


def due(at: Step) -> tuple[Slot, ...]:
    """The cards that the step has to give shares of; in SHUFFLE they belong to a deck that is not there yet."""
    if isinstance(at.event, Answered):
        return due_of_answer(game(at), at.before.state).slots
    return due_of_move(game(at), Move.parse(moved(at).move), sure(at.after.game).table).slots


def with_shares(at: Step, shares: Shares) -> Event:
    """The right event with other shares."""
    assert isinstance(at.event, Answered | Moved)
    return replace(at.event, shares=shares)


def with_points(at: Step, change: Callable[[list[bytes]], list[bytes]]) -> Event:
    """The right event with other points as shares, and the best proof that can be written for them."""
    assert isinstance(at.event, Answered | Moved)
    raw = at.event.shares.points
    points = b"".join(change([raw[n : n + 32] for n in range(0, len(raw), 32)]))
    return with_shares(at, best_proof(at.before, kind_of(at.event), due(at), points))


def with_old_proof(at: Step, change: Callable[[list[bytes]], list[bytes]]) -> Event:
    """The right event with other points as shares, and the proof of the right ones."""
    assert isinstance(at.event, Answered | Moved)
    raw = at.event.shares.points
    points = b"".join(change([raw[n : n + 32] for n in range(0, len(raw), 32)]))
    return with_shares(at, Shares(points, at.event.shares.proof))


def swapped(points: list[bytes]) -> list[bytes]:
    """The first two changed places."""
    return [points[1], points[0], *points[2:]]


def doubled(points: list[bytes]) -> list[bytes]:
    """The first one twice."""
    return [points[0], points[0], *points[2:]]


def cancelling(points: list[bytes]) -> list[bytes]:
    """Two errors that cancel each other."""
    return [plus(Point(points[0]), G), minus(Point(points[1]), G), *points[2:]]


def off(points: list[bytes]) -> list[bytes]:
    """The first one is wrong."""
    return [plus(Point(points[0]), G), *points[1:]]


def card_of_choice(at: Step) -> Event:
    """The own hand card becomes the king of spades, and the share that this takes is claimed to be right."""
    slot, king = due(at)[0], Card.parse("KS")
    theirs = sure(game(at).share(slot, 1 - sure(at.before.speaker)))
    share = minus(minus(game(at).masked(slot).b, theirs), card_point(king))
    points = [share, *(moved(at).shares.points[n : n + 32] for n in range(32, len(moved(at).shares.points), 32))]
    shares = best_proof(at.before, events.MOVED, due(at), b"".join(points))
    return replace(moved(at), card=int(king), shares=shares)


def other_hand_card(at: Step) -> Event:
    """Another card of the own hand, with its true share, is said to have lain at this place."""
    hand = game(at).table.places[sure(at.before.speaker)].hand
    other = next(slot for slot in hand if slot is not None and slot != due(at)[0])
    face = sure(AUTHORS[sure(at.before.speaker)].face(game(at), other))
    shares = shares_of(at.before, (other, *due(at)[1:]), events.MOVED)
    return replace(moved(at), card=int(face), shares=shares)


def announced(at: Step, card: Card) -> Event:
    """Another card is announced than the one whose share is given."""
    assert card != moved(at).card
    return replace(moved(at), card=int(card))


def played_before(at: Step) -> Card:
    """A card that lies in the centre already."""
    return next(card for stack in game(at).table.centre for card in stack)


def theirs_instead(at: Step) -> Event:
    """The other player's share and proof of the same card, from the entry in which he gave it."""
    slot = due(at)[0]
    share = sure(game(at).share(slot, 1 - sure(at.before.speaker)))
    return with_old_proof(at, lambda points: [share, *points[1:]])


def from_place(at: Step, **changes: object) -> Event:
    """True shares of the right cards, proved for another place of the chain."""
    assert isinstance(at.event, Answered | Moved)
    place = context(at.before, kind_of(at.event), game(at).number)._replace(**changes)  # type: ignore[arg-type]
    return with_shares(at, AUTHORS[place.author]._shares(game(at), place, due(at)))


def input_of(at: Step) -> Deck:
    """What goes into the shuffle of this step."""
    if isinstance(at.event, Answered):
        return sure(due_of_answer(game(at), at.before.state).shuffle)
    return sure(due_of_move(game(at), Move.parse(moved(at).move), sure(at.after.game).table).shuffle)


def reshuffled(at: Step, change: Callable[[Deck], Deck], **elsewhere: object) -> Event:
    """A true shuffle of another input deck, or for another place, or under another key; the shares follow it."""
    assert isinstance(at.event, Answered | Moved)
    joint = elsewhere.pop("joint", game(at).joint)
    place = context(at.before, kind_of(at.event), game(at).number)._replace(**elsewhere)  # type: ignore[arg-type]
    shuffle = shuffle_of(at.before, place, joint, change(input_of(at)))  # type: ignore[arg-type]
    return replace(at.event, shuffle=shuffle)


def same(deck: Deck) -> Deck:
    """The right input."""
    return deck


def early_key(at: Step) -> Event:
    """The own key of the running game, opened before it is over."""
    author = AUTHORS[sure(at.before.speaker)]
    secret = author._key(game(at).keys[author.seat])[1]
    return Revealed(secret.to_bytes(32, "little"), Key(), Shuffle())


def extra(at: Step, slot: Slot) -> Event:
    """A true share of one more card behind the ones that are due."""
    assert isinstance(at.event, Answered | Moved)
    return with_shares(at, shares_of(at.before, (*due(at), slot), kind_of(at.event)))


def stock_card(at: Step) -> Slot:
    """The next card of the stock."""
    stock = game(at).table.stock
    return stock.slots(stock.next, stock.end)[0]


def buried_card(at: Step) -> Slot:
    """The lowest card of the other's pay-off pile."""
    return Slot((1 - sure(at.before.speaker)) * game(at).table.variant.pay_off)
