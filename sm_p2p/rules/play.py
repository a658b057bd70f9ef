"""How one table becomes the next: deal, turn up, play, settle, resign.

Law: a call that raises `Refused` has changed nothing, and nobody's seat is known here: the same rules bind both.
The order inside one play: the card moves, a last pay-off card wins, a completed stack joins the stock, the next pay-off
card is due, an emptied hand is refilled (or the game tied), and the player goes on (`protocol/rules.md`, One play).
"""

from typing import Final

from sm_p2p.rules.cards import KING, RANKS, Card
from sm_p2p.rules.moves import END, HAND, HAND_SIZE, ONTO_SIDE, PAY_OFF, SIDE, SOURCES, TARGETS, Move
from sm_p2p.rules.parts import FULL, NO_HAND, NO_SIDES, Hand, How, Outcome, Owed, Pile, Place, Seat, Slot, Stock
from sm_p2p.rules.reasons import Reason, Refused
from sm_p2p.rules.table import LAST_TURN, Table
from sm_p2p.rules.variant import Refill, StockOut, Variant

_AT_ONCE: Final = Refill.AT_ONCE  # read once: an enum's members are slow to look up
_END_SOURCE: Final = END >> 3


def deal(variant: Variant, tie_break: Seat) -> Table:
    """The table after the first deck was shuffled: all cards face down, nobody to move, turn 0.

    Places of deck 0: seat 0's pay-off pile (top last), seat 1's, seat 0's hand, seat 1's, the stock. `tie_break` begins
    when the two pay-off tops are equal: seat 1 in game 1, later who did not begin the game before.
    """
    hands = 2 * variant.pay_off
    end = hands + 2 * HAND_SIZE
    cards = Stock(0, hands, variant.cards)
    places = tuple(
        Place(variant.pay_off, None, cards.slots(start, start + HAND_SIZE), NO_SIDES)
        for start in (hands, hands + HAND_SIZE)
    )
    return Table(
        variant=variant,
        turn=0,
        to_move=None,
        stock=Stock(0, end, variant.cards),
        centre=((),) * variant.centres,
        places=(places[0], places[1]),
        owed=None,
        drawn=(),
        outcome=None,
        began=None,
        tie_break=tie_break,
    )


def turn_up(table: Table, seat: Seat, card: Card) -> Table:
    """The table with a player's first pay-off top face up; when both are, the higher begins turn 1.

    Raises Refused when the game is over or this top lies open already.
    """
    if table.outcome is not None:
        raise Refused(Reason.GAME_OVER)
    if table.places[seat].top is not None:
        raise Refused(Reason.NOTHING_DUE)
    _of_this_game(table.variant, card)
    places = _placed(table.places, seat, table.places[seat]._replace(top=card))
    tops = places[0].top, places[1].top
    if tops[0] is None or tops[1] is None:
        return table._replace(places=places)
    ranks = tops[0].rank, tops[1].rank
    began = table.tie_break if ranks[0] == ranks[1] else int(ranks[0] < ranks[1])
    return table._replace(places=places, turn=1, to_move=began, began=began)


def play(table: Table, move: Move, card: Card | None = None) -> Table:
    """The table after the player to move has made this move.

    `card` is the face of a hand card, announced with the move; for a card that lies open it may be None and must else be
    that card. If the table that comes back owes something, the mover goes on after `settle`; if the turn ended, the next
    player has drawn `drawn` already. Raises Refused and changes nothing.
    """
    seat = table.to_move
    if seat is None or table.owed is not None:
        raise Refused(_why_not_now(table))
    source = move >> 3
    pay_off, top, hand, sides = table.places[seat]
    if source == PAY_OFF:
        moved = top
    elif source < SIDE:
        at = source - HAND
        if hand[at] is None:
            raise Refused(Reason.EMPTY_PLACE, place=SOURCES[source])
        if card is None:
            raise Refused(Reason.FACE_MISSING)
        if card >> 2 & 3 >= table.variant.packs:
            raise Refused(Reason.FOREIGN_CARD, card=str(card))
        moved = card
        hand = (*hand[:at], None, *hand[at + 1 :])
    elif source < _END_SOURCE:
        at = source - SIDE
        side = sides[at]
        moved = side[-1] if side else None
        sides = (*sides[:at], side[:-1], *sides[at + 1 :])
    else:
        return _end(table, seat, card)
    if moved is None:
        raise Refused(Reason.EMPTY_PLACE, place=SOURCES[source])
    if card is not None and card != moved:
        raise Refused(Reason.WRONG_CARD, place=SOURCES[source], card=card.face)
    at = move & 7
    if at < ONTO_SIDE:
        return _to_centre(table, seat, source, at, moved, Place(pay_off, top, hand, sides))
    if not HAND <= source < SIDE:
        raise Refused(Reason.ONLY_TO_CENTRE, place=SOURCES[source])
    at -= ONTO_SIDE
    sides = (*sides[:at], (*sides[at], moved), *sides[at + 1 :])
    return _next_turn(table, seat, Place(pay_off, top, hand, sides))


def settle(table: Table, top: Card | None = None) -> Table:
    """The table after what was owed has come: the next pay-off card is `top`, if one was due, and the mover goes on.

    Raises Refused when nothing is owed, or `top` is missing or not due.
    """
    variant, turn, seat, stock, centre, places, owed, drawn, outcome, began, tie_break = table
    if owed is None or seat is None or (top is not None and not owed.top):
        raise Refused(Reason.NOTHING_DUE)
    if owed.top:
        if top is None:
            raise Refused(Reason.TOP_DUE)
        _of_this_game(variant, top)
        pay_off, _, hand, sides = places[seat]
        places = _placed(places, seat, Place(pay_off, top, hand, sides))
    return Table(variant, turn, seat, stock, centre, places, None, drawn, outcome, began, tie_break)


def resign(table: Table, seat: Seat) -> Table:
    """The table after this player gave the game up, in whoever's turn: the other scores his pay-off pile.

    Raises Refused when the game is over.
    """
    if table.outcome is not None:
        raise Refused(Reason.GAME_OVER)
    outcome = Outcome(How.RESIGN, 1 - seat, table.places[seat].pay_off)
    return table._replace(outcome=outcome, to_move=None, owed=None, drawn=())


def _why_not_now(table: Table) -> Reason:
    """Why nobody may move."""
    if table.outcome is not None:
        return Reason.GAME_OVER
    return Reason.NOT_BEGUN if table.to_move is None else Reason.NOT_SETTLED


def _of_this_game(variant: Variant, card: Card) -> None:
    """Raises Refused when no pack of the game holds the card."""
    if card >> 2 & 3 >= variant.packs:
        raise Refused(Reason.FOREIGN_CARD, card=str(card))


def _placed(places: tuple[Place, Place], seat: Seat, place: Place) -> tuple[Place, Place]:
    """The two places with one of them changed."""
    return (places[0], place) if seat else (place, places[1])


def _to_centre(table: Table, seat: Seat, source: int, at: int, card: Card, left: Place) -> Table:
    """The card goes onto centre stack `at`; `left` is the mover's place without it (a pay-off card still counted)."""
    variant, turn, _, stock, centre, places, _, _, _, began, tie_break = table
    if at >= len(centre):
        raise Refused(Reason.NO_SUCH_STACK, centres=len(centre), place=TARGETS[at])
    stack = centre[at]
    rank = card >> 4
    if rank not in (len(stack) + 1, KING):
        raise _misfit(rank, len(stack) + 1, TARGETS[at])
    stack = (*stack, card)
    pay_off, top, hand, sides = left
    shown = source == PAY_OFF
    if shown:
        pay_off, top = pay_off - 1, None
        if not pay_off:
            centre = (*centre[:at], stack, *centre[at + 1 :])
            won = Outcome(How.WIN, seat, places[1 - seat].pay_off)
            places = _placed(places, seat, Place(0, None, hand, sides))
            return Table(variant, turn, None, stock, centre, places, None, (), won, began, tie_break)
    completed: Pile = ()
    hidden: tuple[Slot, ...] = ()
    if len(stack) == FULL:
        completed, stack = stack, ()
        hidden = stock.slots(stock.next, stock.end)
        stock = Stock(stock.deck + 1, 0, len(hidden) + FULL)
    centre = (*centre[:at], stack, *centre[at + 1 :])
    draws: tuple[Slot, ...] = ()
    if hand == NO_HAND and variant.refill is _AT_ONCE:  # only a hand card can have emptied it
        if not _can_draw(variant, stock, HAND_SIZE):
            places = _placed(places, seat, left)
            over = _run_out(variant, places)
            return Table(variant, turn, None, stock, centre, places, None, (), over, began, tie_break)
        deck, first, end = stock
        hand = draws = stock.slots(first, first + HAND_SIZE)
        stock = Stock(deck, first + HAND_SIZE, end)
    owed = Owed(completed, hidden, shown, draws) if shown or completed or draws else None
    places = _placed(places, seat, Place(pay_off, top, hand, sides))
    return Table(variant, turn, seat, stock, centre, places, owed, (), None, began, tie_break)


def _misfit(rank: int, needed: int, stack: str) -> Refused:
    """Why a card of this rank cannot go onto a stack that waits for another."""
    if rank == 1:
        return Refused(Reason.ACE_NEEDS_EMPTY, place=stack, needed=RANKS[needed])
    return Refused(Reason.DOES_NOT_FIT, rank=RANKS[rank], below=RANKS[rank - 1], place=stack, needed=RANKS[needed])


def _end(table: Table, seat: Seat, card: Card | None) -> Table:
    """The turn ends without a discard: only with an empty hand, and only where it is refilled at the next turn."""
    if table.variant.refill is _AT_ONCE:
        raise Refused(Reason.NO_END)
    if table.places[seat].hand != NO_HAND:
        raise Refused(Reason.HAND_NOT_EMPTY)
    if card is not None:
        raise Refused(Reason.WRONG_CARD, place="end", card=card.face)
    return _next_turn(table, seat, table.places[seat])


def _next_turn(table: Table, seat: Seat, place: Place) -> Table:
    """The other player's turn begins: he draws until he holds five, or the game is a tie."""
    variant, turn, _, stock, centre, places, _, _, _, began, tie_break = table
    mover = 1 - seat
    waiting = places[mover]
    pay_off, top, hand, sides = waiting
    drawn: tuple[Slot, ...] = ()
    over = None
    if turn == LAST_TURN:
        over = Outcome(How.TIE, None, 0)
    else:
        turn += 1
        count = hand.count(None)
        if count and not _can_draw(variant, stock, count):
            over = _run_out(variant, _placed(places, seat, place))
        elif count:
            deck, first, end = stock
            drawn = stock.slots(first, first + count)
            stock = Stock(deck, first + count, end)
            waiting = Place(pay_off, top, _filled(hand, drawn), sides)
    places = (waiting, place) if seat else (place, waiting)
    return Table(variant, turn, None if over else mover, stock, centre, places, None, drawn, over, began, tie_break)


def _filled(hand: Hand, slots: tuple[Slot, ...]) -> Hand:
    """The hand with so many of its empty places filled from the lowest."""
    places = list(hand)
    for slot in slots:
        places[places.index(None)] = slot
    return tuple(places)


def _can_draw(variant: Variant, stock: Stock, count: int) -> bool:
    """Whether a draw of so many cards (at least one) leaves the game going on."""
    left = stock.end - stock.next - count
    return left > 0 or (left == 0 and variant.stock_out is not StockOut.EMPTY)


def _run_out(variant: Variant, places: tuple[Place, Place]) -> Outcome:
    """How the game ends when a draw cannot be made; nothing is drawn then."""
    first, second = places[0].pay_off, places[1].pay_off
    if variant.stock_out is StockOut.FEWEST and first != second:
        return Outcome(How.WIN, int(second < first), abs(first - second))
    return Outcome(How.TIE, None, 0)
