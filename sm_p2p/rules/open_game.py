"""Games whose dealer sees every card: for simulations, tests, perft and benchmarks; never for a match.

Law: the whole game is a function of variant, seed, tie-break and moves. Deck 0 is the initial pack permuted by
Stream("SM1/open-game", seed, 0); deck d > 0 is the enlarged stock (hidden cards in order, then the completed stack)
permuted by Stream("SM1/open-game", seed, d). A permutation p puts the card at p[i] to place i.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.moves import HAND, SIDE, Move
from sm_p2p.rules.parts import Seat, Slot
from sm_p2p.rules.play import deal, play, settle, turn_up
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import Variant
from sm_p2p.rules.view import View
from sm_p2p.stream import Stream

Chooser: TypeAlias = Callable[[View], Move]
Deck: TypeAlias = tuple[Card, ...]


class OpenGame(NamedTuple):
    """A table, and every deck of the game face up."""

    table: Table
    decks: tuple[Deck, ...]
    seed: int

    def face(self, slot: Slot) -> Card:
        """The card that lies there."""
        return self.decks[slot >> 8][slot & 255]

    def view(self, seat: Seat) -> View:
        """What the player at this seat sees: his hand, and nothing else that is hidden."""
        decks = self.decks
        hand = self.table.places[seat].hand
        return View(self.table, seat, {slot: decks[slot >> 8][slot & 255] for slot in hand if slot is not None})

    def card(self, move: Move) -> Card | None:
        """The hand card that this move of the player to move announces; None if it announces none."""
        source, mover = move >> 3, self.table.to_move
        if mover is None or not HAND <= source < SIDE:
            return None
        slot = self.table.places[mover].hand[source - HAND]
        return None if slot is None else self.decks[slot >> 8][slot & 255]

    def play(self, move: Move) -> "OpenGame":
        """The game after this move and all that it makes due; raises Refused and changes nothing."""
        return self.after(play(self.table, move, self.card(move)))

    def after(self, table: Table) -> "OpenGame":
        """The game at this next table, with what the table owes dealt and shown."""
        decks, owed, seat = self.decks, table.owed, table.to_move
        if owed is None or seat is None:
            return OpenGame(table, decks, self.seed)
        if owed.shuffle:
            cards = (*map(self.face, owed.hidden), *owed.shuffle)
            decks = (*decks, _shuffled(cards, self.seed, len(decks)))
        slot = table.top_slot(seat)
        top = decks[0][slot] if owed.top and slot is not None else None
        return OpenGame(settle(table, top), decks, self.seed)


def open_game(variant: Variant, seed: int, tie_break: Seat = 1) -> OpenGame:
    """A game that was dealt from the seed, both pay-off tops up, the beginner to move."""
    return from_deck(variant, _shuffled(pack(variant.packs), seed, 0), seed, tie_break)


def from_deck(variant: Variant, deck: Deck, seed: int = 0, tie_break: Seat = 1) -> OpenGame:
    """The same with a deck of one's own as deck 0; the seed still shuffles the later ones."""
    table = deal(variant, tie_break)
    for seat in (0, 1):
        table = turn_up(table, seat, deck[(seat + 1) * variant.pay_off - 1])
    return OpenGame(table, (deck,), seed)


def play_out(game: OpenGame, choosers: tuple[Chooser, Chooser]) -> Iterator[tuple[Move, OpenGame]]:
    """Each move that the two choosers make, with the game after it, until the game is over."""
    while (seat := game.table.to_move) is not None:
        move = choosers[seat](game.view(seat))
        game = game.play(move)
        yield move, game


def _shuffled(cards: Deck, seed: int, deck: int) -> Deck:
    """The cards as deck number `deck` of the game with this seed."""
    return tuple(cards[place] for place in Stream("SM1/open-game", seed, deck).permutation(len(cards)))
