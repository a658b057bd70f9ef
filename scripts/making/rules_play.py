"""The vectors of play: every row of the case table."""

from scripts.making.rules_forms import (
    Step,
    Vector,
    dealt,
    do,
    given_up,
    moved,
    steps_of,
    up,
    vector,
)
from sm_p2p.bot.greedy import choose
from sm_p2p.rules.open_game import open_game, play_out
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import QUICK


def _game(name: str, comment: str, flags: str, start: Table | None, steps: list[Step]) -> Vector:
    """Steps from a table, or from nothing, and the table after them."""
    table = start
    for step in steps:
        table = do(table, step)
    if table is None:
        raise AssertionError(name)
    text = None if start is None else str(start)
    sections = list(map(list, table.sections()))
    return vector(name, comment, flags, op="play", table=text, steps=steps, after=str(table), sections=sections)


def _played(name: str, comment: str, flags: str, sketch: Sketch, moves: str) -> Vector:
    """Moves from a sketch, with all that they make due."""
    game = sketch.game()
    return _game(name, comment, f"sketch {flags}", game.table, steps_of(game, moves))


def _owing(name: str, comment: str, flags: str, sketch: Sketch, move: str) -> Vector:
    """One move from a sketch, before what it makes due has come."""
    game = sketch.game()
    return _game(name, comment, f"sketch {flags}", game.table, steps_of(game, move)[:1])


def case_vectors() -> list[Vector]:
    """The rows of the case table that are about play."""
    cases = [
        _game("case-1", "a new game", "case deal whole", None, [dealt("standard", 1)]),
        _played("case-2", "an ace onto an empty stack", "case", Sketch(hand="AS 9S"), "h1-c2"),
        _played(
            "case-4", "a king onto an empty stack, a 2 onto it", "case king", Sketch(hand="KS 2S 9S"), "h1-c1 h2-c1"
        ),
        _played(
            "case-5",
            "a king onto a ten, a queen onto it",
            "case king",
            Sketch(centre=(10, 0, 0), hand="KS QS JS"),
            "h1-c1",
        ),
        _played("case-6-king", "a king completes", "case king", Sketch(centre=(11, 0, 0), hand="KS 9S"), "h1-c1"),
        _played("case-6-queen", "a queen completes", "case", Sketch(centre=(11, 0, 0), hand="QS 9S"), "h1-c1"),
        _played(
            "case-8",
            "king on king, then an 8",
            "case king",
            Sketch(centre=(5, 0, 0), hand="KS KH 8S 9S"),
            "h1-c1 h2-c1 h3-c1",
        ),
        _played(
            "case-9", "three kings, then a 4", "case king", Sketch(hand="KS KH KD 4S 5S"), "h1-c1 h2-c1 h3-c1 h4-c1"
        ),
        _played(
            "case-11",
            "the place of a completed stack takes an ace",
            "case",
            Sketch(centre=(11, 0, 0), hand="QS AS 9S"),
            "h1-c1 h2-c1",
        ),
        *(
            _played(
                f"case-13-c{at}",
                "the target is part of the move",
                "case",
                Sketch(centre=(6, 6, 6), stock=20, hand="7S 9S"),
                f"h1-c{at}",
            )
            for at in (1, 2, 3)
        ),
        _played(
            "case-14",
            "the 4 first, then the 8 under it",
            "case",
            Sketch(centre=(3, 7, 0), sides="9S,8S,4S/-/-/-"),
            "a-c1 a-c2",
        ),
        _owing("case-20", "the next top is owed", "case order", Sketch(centre=(4, 0, 0), top="5S"), "p-c1"),
        _played("case-20-shown", "and shown", "case order", Sketch(centre=(4, 0, 0), top="5S"), "p-c1"),
        _owing(
            "case-21",
            "stack first, then the refill from the enlarged stock",
            "case order",
            Sketch(centre=(11, 0, 0), stock=3, hand="QS"),
            "h1-c1",
        ),
        _played(
            "case-22", "a draw of 5 from 3", "case end order", Sketch(centre=(3, 0, 0), stock=3, hand="4S"), "h1-c1"
        ),
        _played("case-23", "a draw of 5 from 5", "case order", Sketch(centre=(3, 0, 0), stock=5, hand="4S"), "h1-c1"),
        _played("case-26", "a draw of 3 from 2 as a turn begins", "case end", Sketch(stock=2, other_hand=2), "h1-a"),
        _played(
            "case-29",
            "the last pay-off card",
            "case end",
            Sketch(centre=(4, 0, 0), pay_off=1, top="5S", other_pay_off=13),
            "p-c1",
        ),
        _played(
            "case-30",
            "the last pay-off card is a king",
            "case end king",
            Sketch(centre=(4, 0, 0), pay_off=1, top="KS"),
            "p-c1",
        ),
        _played(
            "case-31",
            "it completes a stack: nothing returns",
            "case end order",
            Sketch(centre=(11, 0, 0), pay_off=1, top="QS"),
            "p-c1",
        ),
        _played(
            "case-31-no-stock",
            "an empty stock does not matter",
            "case end order",
            Sketch(centre=(4, 0, 0), stock=0, pay_off=1, top="KS"),
            "p-c1",
        ),
        _played("case-34", "a discard though plays exist", "case", Sketch(hand="AS 9S", top="AH"), "h1-a"),
        _played("case-35", "onto any stack", "case", Sketch(hand="AS QS", sides="2S/-/-/-"), "h2-a"),
        _played("case-36", "any rank", "case", Sketch(hand="KS QS", sides="KD/-/-/-"), "h1-a"),
        _played("case-38", "the only card discarded; drawn anew at the next own turn", "case", Sketch(), "h1-a h1-a"),
        _played("case-43", "two aces in hand: the second moves", "case", Sketch(hand="AS AS.1 9S", top="AD"), "h2-c1"),
        _played(
            "case-44",
            "an ace in hand and on the pay-off pile: the pay-off card moves",
            "case",
            Sketch(hand="AS 9S", top="AD"),
            "p-c1",
        ),
        _owing(
            "case-46",
            "kings return as kings",
            "case king",
            Sketch(centre=("KC,2C,KD,4C,5C,6C,7C,8C,9C,KH,JC", 0, 0), hand="QS 9S"),
            "h1-c1",
        ),
        _played(
            "case-49",
            "two stacks completed in one turn",
            "case",
            Sketch(centre=(11, 11, 0), hand="QS QS.1 9S"),
            "h1-c1 h2-c2",
        ),
        _played(
            "case-57",
            "a draw of 5 from 5",
            "case end variant",
            Sketch("stock_out=empty", centre=(3, 0, 0), stock=5, hand="4S"),
            "h1-c1",
        ),
        _played(
            "case-57-turn",
            "a draw of 3 from 3 as a turn begins",
            "case end variant",
            Sketch("stock_out=empty", stock=3, other_hand=2),
            "h1-a",
        ),
        _played(
            "case-57-goes-on",
            "a draw of 5 from 6",
            "case variant",
            Sketch("stock_out=empty", centre=(3, 0, 0), stock=6, hand="4S"),
            "h1-c1",
        ),
        _played(
            "case-57-win",
            "the last pay-off card, the stock empty",
            "case end variant",
            Sketch("stock_out=empty", centre=(3, 0, 0), stock=0, pay_off=1, top="4S"),
            "p-c1",
        ),
        _played(
            "case-58",
            "7 left against 12",
            "case end variant",
            Sketch("stock_out=fewest", centre=(3, 0, 0), stock=4, hand="4S", pay_off=7, other_pay_off=12),
            "h1-c1",
        ),
        _played(
            "case-58-other",
            "12 left against 7, as the other's turn begins",
            "case end variant",
            Sketch("stock_out=fewest", stock=2, other_hand=2, pay_off=12, other_pay_off=7),
            "h1-a",
        ),
        _played(
            "case-58-equal",
            "equal piles",
            "case end variant",
            Sketch("stock_out=fewest", centre=(3, 0, 0), stock=4, hand="4S", pay_off=9, other_pay_off=9),
            "h1-c1",
        ),
        _played(
            "case-59",
            "an emptied hand stays empty; the pay-off card still plays; end",
            "case variant",
            Sketch("refill=next-turn", centre=(3, 0, 0), hand="4S", top="5S"),
            "h1-c1 p-c1 end",
        ),
        *(
            _game(f"case-60-{name}", comment, "case deal", None, [dealt("standard", tie), up(0, first), up(1, second)])
            for name, comment, tie, first, second in (
                ("higher", "the king begins", 1, "KS", "QS"),
                ("ace-low", "an ace is low", 0, "AS", "2S"),
                ("equal-1", "equal in game 1: seat 1", 1, "7S", "7H"),
                ("equal-2", "equal later: who did not begin before", 0, "7S", "7H"),
            )
        ),
        _game(
            "case-61",
            "resigning in the other's turn",
            "case end sketch",
            Sketch(other_pay_off=13).game().table,
            [given_up(1)],
        ),
        _game("case-61-deal", "resigning during the deal", "case end deal", None, [dealt("standard", 1), given_up(0)]),
        _game(
            "case-61-owed",
            "resigning while a card is owed",
            "case end sketch",
            Sketch(centre=(4, 0, 0), top="5S").game().table,
            [moved("p-c1"), given_up(0)],
        ),
        _played("case-63", "the discard that ends turn 500", "case end", Sketch(turn=500), "h1-a"),
        _played("case-63-before", "the one before", "case", Sketch(turn=499), "h1-a"),
    ]
    moves = " ".join(str(move) for move, _ in play_out(open_game(QUICK, 47), (choose, choose)))
    game = open_game(QUICK, 47)
    start: list[Step] = [dealt("quick", 1), *(up(seat, str(place.top)) for seat, place in enumerate(game.table.places))]
    whole = _game(
        "case-47", "a whole game: 104 cards after every step", "case whole end", None, start + steps_of(game, moves)
    )
    return [*cases, whole]
