"""One line of why: what the move of a hint is good for, from what its player can see; and why none can be made now.

Law: the line is true of the move, whoever chose it and whatever he had in mind.
"""

from sm_p2p.rules.cards import KING, RANKS
from sm_p2p.rules.moves import END, ONTO_SIDE, PAY_OFF, SIDE, Move
from sm_p2p.rules.parts import FULL
from sm_p2p.rules.variant import Refill
from sm_p2p.rules.view import View
from sm_p2p.session.talk import Situation, Wish
from sm_p2p.ui.words import Words


def not_now(words: Words, now: Situation, awaited: Wish | None) -> str:
    """Why our seat, whose move is not awaited, can make none; `awaited` is what it has wished and nobody has answered."""
    table = None if now.view is None else now.view.table
    if table is None or table.to_move != now.seat:
        return words.say("It is not your turn.")
    if awaited is not None or table.owed is not None:
        return words.say("Your last move has not been answered yet.")
    return words.say("This has to wait until both sides hold the same log.")


def why(words: Words, view: View, move: Move) -> str:
    """What speaks for this legal move.

    >>> from sm_p2p.rules.sketch import Sketch
    >>> view = Sketch(centre=(2, 0, 0), hand="3S KS 5S", top="4H").game().view(0)
    >>> why(Words(), view, Move.parse("h1-c1")), why(Words(), view, Move.parse("h3-b"))
    ('then the pay-off card 4H fits there', 'b is empty')
    """
    if move == END:
        return words.say("your hand is empty")
    if move & ONTO_SIDE:
        return _discard(words, view, move)
    if move >> 3 == PAY_OFF:
        return words.say("one pay-off card less")
    return _play(words, view, move)


def _play(words: Words, view: View, move: Move) -> str:
    place, table = view.table.places[view.seat or 0], view.table
    height, stack = len(table.centre[move & 7]) + 1, move.target
    card, top = view.face(move), place.top
    if top is not None and top.rank == height + 1:
        return words.say("then the pay-off card {card} fits there", card=top.face)
    if height == FULL:
        return words.say("completes {stack}", stack=stack)
    in_hand = sum(slot is not None for slot in place.hand)
    if move.hand_place is not None and in_hand == 1 and table.variant.refill is Refill.AT_ONCE:
        return words.say("empties the hand: new cards")
    if card is not None and card.rank == KING:
        return words.say("the king stands for {rank} there", rank=RANKS[height])
    if move >> 3 >= SIDE:
        side = place.sides[(move >> 3) - SIDE]
        if len(side) == 1:
            return words.say("frees side stack {stack}", stack=move.source)
        return words.say("uncovers {card} on side stack {stack}", card=side[-2].face, stack=move.source)
    if top is not None and top.rank > height:
        return words.say("leads {stack} towards the pay-off card {card}", stack=stack, card=top.face)
    return words.say("makes room in the hand")


def _discard(words: Words, view: View, move: Move) -> str:
    side = view.table.places[view.seat or 0].sides[(move & 7) - ONTO_SIDE]
    card, stack = view.face(move), move.target
    if not side:
        return words.say("{stack} is empty", stack=stack)
    top = side[-1]
    if card is not None and top.rank == card.rank + 1:
        return words.say("goes on downwards from {card}", card=top.face)
    if card is not None and top.rank == card.rank:
        return words.say("lies on a card of its rank")
    if card is not None and top.rank > card.rank:
        return words.say("lower than {card}, so it goes first", card=top.face)
    return words.say("nothing better can be discarded there")
