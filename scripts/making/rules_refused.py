"""The vectors of what is refused and of what is legal."""

from scripts.making.rules_forms import Vector, dealt, do, given_up, moved, shown, up, vector
from sm_p2p.errors import Code
from sm_p2p.rules.sketch import Sketch


def refused_vectors() -> list[Vector]:
    """Steps that are refused: the last one of each vector."""
    jack = Sketch(centre=(10, 3, 0), hand="5S", top="AS", sides="10H/-/-/-").game().table
    due = Sketch(centre=(4, 11, 0), hand="QS 9S", top="5S").game().table
    refilled = Sketch(centre=(3, 0, 0), hand="4S").game().table
    waits = Sketch("refill=next-turn", hand="9S", top="AS").game().table
    empty = Sketch("refill=next-turn", hand="x", top="AS").game().table
    four = Sketch("centres=4", centre=(0, 0, 0, 0), hand="AS 9S").game().table
    over = do(Sketch(centre=(4, 0, 0), pay_off=1, top="5S").game().table, moved("p-c1"))
    fresh = do(None, dealt("standard", 1))
    half = do(fresh, up(0, "9S"))
    kings = do(do(Sketch(hand="KS KH 2S 3S").game().table, moved("h1-c1", "KS")), moved("h2-c1", "KH"))
    found: list[Vector] = []
    for table, step, flags, comment in (
        (Sketch(hand="2S").game().table, moved("h1-c1", "2S"), "case", "case 3: a 2 onto an empty stack"),
        (
            Sketch(centre=(10, 0, 0), hand="QS 9S").game().table,
            moved("h1-c1", "QS"),
            "case",
            "case 5: a queen onto a ten",
        ),
        (
            do(Sketch(hand="KS AS").game().table, moved("h1-c1", "KS")),
            moved("h2-c1", "AS"),
            "case king",
            "case 4: an ace onto a king that is an ace",
        ),
        (kings, moved("h3-c1", "2S"), "king", "a 2 onto a king that is a 2"),
        (jack, moved("h1-c1", "5S"), "refused", "a 5 where a jack is needed"),
        (jack, moved("h1-c2", "5S"), "refused", "a 5 where a 4 is needed"),
        (jack, moved("h1-c3", "5S"), "refused", "a 5 onto an empty stack"),
        (jack, moved("a-c2"), "refused", "a side stack's 10 onto a 3"),
        (jack, moved("p-c1"), "refused", "an ace onto a ten"),
        (jack, moved("p-c2"), "refused", "an ace onto a 3"),
        (jack, moved("h1-c4", "5S"), "range", "a fourth centre stack where there are three"),
        (jack, moved("a-a"), "case", "case 16: side onto the same side stack"),
        (jack, moved("a-b"), "case", "case 16: side onto another side stack"),
        (jack, moved("b-a"), "case", "case 16: an empty side stack onto another"),
        (jack, moved("p-a"), "case", "case 17: pay-off onto a side stack"),
        (jack, moved("p-d"), "case", "case 17: pay-off onto an empty side stack"),
        (jack, moved("c1-c2"), "case", "case 18: centre onto centre"),
        (jack, moved("c1-a"), "case", "case 18: centre onto a side stack"),
        (jack, moved("end"), "case", "case 42: no end without a discard"),
        (jack, moved("h2-a", "5S"), "refused", "nothing at h2"),
        (jack, moved("b-c1"), "refused", "nothing on b"),
        (jack, moved("h1-a"), "refused", "a hand card without its face"),
        (jack, moved("h1-a", "5S.2"), "range", "a face of a pack that is not in the game"),
        (jack, moved("p-c3", "AD"), "refused", "another face than lies open on the pay-off pile"),
        (jack, moved("a-c1", "10D"), "refused", "another face than lies open on the side stack"),
        (jack, shown(None), "refused", "nothing is owed"),
        (jack, shown("9S"), "refused", "no card is owed"),
        (
            do(jack, moved("h1-b", "5S")),
            moved("b-c3"),
            "case",
            "case 41: the seat that discarded has no turn; its side stacks are not the mover's",
        ),
        (do(due, moved("p-c1")), moved("h2-a", "9S"), "order", "a move before the next top was shown"),
        (do(due, moved("p-c1")), moved("end"), "order", "end before the next top was shown"),
        (do(due, moved("p-c1")), shown(None), "order", "the next top is owed and does not come"),
        (do(due, moved("p-c1")), shown("9S.3"), "range", "the next top is of a pack that is not in the game"),
        (do(due, moved("h1-c2", "QS")), shown("9S"), "order", "a shuffle is owed and a card comes"),
        (do(due, moved("h1-c2", "QS")), moved("h2-a", "9S"), "order", "a move before the new deck is there"),
        (do(refilled, moved("h1-c1", "4S")), moved("h1-a", "9S"), "order", "a move before the refill has come"),
        (waits, moved("end"), "variant", "end with a card in hand"),
        (empty, moved("end", "9S"), "variant", "end with a card"),
        (empty, moved("h1-a", "9S"), "case variant", "case 59: a discard from an empty hand"),
        (four, moved("h2-c4", "9S"), "variant", "a 9 onto an empty fourth stack"),
        (over, moved("h1-a", "JS"), "end", "a discard after the end"),
        (over, moved("end"), "end", "end after the end"),
        (over, moved("p-c1"), "end", "a pay-off play after the end"),
        (over, given_up(1), "end", "resigning after the end"),
        (over, shown(None), "end", "nothing is owed after the end"),
        (over, up(0, "9S"), "end", "no top to turn up after the end"),
        (fresh, moved("h1-a", "9S"), "deal", "a move before the tops lie open"),
        (half, moved("p-c1"), "deal", "a move before both tops lie open"),
        (half, up(0, "8S"), "deal", "a top that lies open already"),
        (half, up(1, "8S.2"), "deal range", "a top of a pack that is not in the game"),
    ):
        words = " ".join(sorted({*flags.split(), "refused"}))
        inputs = {"op": "play", "table": str(table), "steps": [step]}
        found.append(vector(f"refused-{len(found)}", comment, words, Code.ILLEGAL_MOVE, **inputs))
    return found


def legal_vectors() -> list[Vector]:
    """Every legal move of the player to move, who sees these cards at h1, h2, …"""
    sketches = [
        ("case-4", "a king is an ace: 2 fits, ace does not", Sketch(centre=("KC", 0, 0), hand="2S AS")),
        (
            "case-5",
            "a king is a jack: Q fits, J does not",
            Sketch(centre=("AC,2C,3C,4C,5C,6C,7C,8C,9C,10C,KC", 0, 0), hand="QS JS"),
        ),
        ("case-8", "two kings are 6 and 7", Sketch(centre=("AC,2C,3C,4C,5C,KC,KD", 0, 0), hand="8S 7S 6S")),
        ("case-9", "three kings are 3", Sketch(centre=("KC,KD,KH", 0, 0), hand="4S 5S")),
        ("case-13", "one card, three stacks", Sketch(centre=(6, 6, 6), stock=20, hand="7S")),
        ("case-14", "only the top of a side stack", Sketch(centre=(3, 7, 0), sides="9S,8S,4S/-/-/-")),
        ("case-43", "equal faces are different moves", Sketch(hand="AS x AS.1", top="AD", sides="AH/-/-/AC")),
        ("king-anywhere", "a king on a side stack", Sketch(centre=(6, 0, 11), sides="-/-/KD/-")),
        ("four-stacks", "four centre stacks", Sketch("centres=4", centre=(1, 1, 0, 0), hand="2S AS KS")),
        (
            "case-59",
            "an emptied hand",
            Sketch("refill=next-turn", centre=(4, 0, 0), hand="x", top="5S", sides="5D/-/-/-"),
        ),
        ("no-end", "a hand that is not empty has no end", Sketch("refill=next-turn", hand="9S")),
    ]
    found = []
    for name, comment, sketch in sketches:
        game = sketch.game()
        view = game.view(sketch.seat)
        hand = [None if card is None else str(card) for card in view.hand]
        moves = list(map(str, view.legal_moves))
        flags = "case sketch" if name.startswith("case") else "sketch"
        found.append(vector(f"legal-{name}", comment, flags, op="legal", table=str(game.table), hand=hand, moves=moves))
    return found
