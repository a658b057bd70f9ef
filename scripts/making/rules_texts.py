"""The vectors of the texts: cards, moves, variants, tables, and scores."""

from dataclasses import asdict

from scripts.making.rules_forms import Vector, do, moved, steps_of, vector
from sm_p2p.errors import Code
from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.moves import MOVES
from sm_p2p.rules.open_game import open_game
from sm_p2p.rules.parts import Outcome
from sm_p2p.rules.play import deal, resign, turn_up
from sm_p2p.rules.score import Score
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import QUICK, RANGES, Variant

NO_MOVES = "|h3|h3-|-c1|h3 c1|h3–c1|H3-C1|h0-c1|h6-c1|p-c5|p-c0|p-p|a-h1|e-c1|end-a|End|a-b-c| p-c1|p-c1 |c1-c2|c1-a|c4-d|h1-h2|p1-c1"
NO_CARDS = "|A|S|1S|11S|0S|10|10X|as|AS.|AS.0|AS.4|AS.12|AS.1.1| AS|A S"


def move_vectors() -> list[Vector]:
    """Moves and cards, as numbers and as texts."""
    found = [
        vector("all-moves", "every move by its number", "text", op="moves", texts=list(map(str, MOVES))),
        *(
            vector(f"pack-{packs}", f"the initial order of {packs} packs", "text", op="pack", packs=packs, cards=ids)
            for packs in (2, 3, 4)
            for ids in [[int(card) for card in pack(packs)]]
        ),
        *(
            vector(f"card-{text}", comment, "text", op="card", text=text, number=int(Card.parse(text)))
            for text, comment in (
                ("AC", "the first card"),
                ("10H", "ten has two characters"),
                ("KS.3", "the last card"),
                ("QD.1", "a queen of the second pack"),
            )
        ),
    ]
    for at, text in enumerate(NO_MOVES.split("|")):
        inputs = {"op": "move", "text": text}
        found.append(vector(f"no-move-{at}", f"{text!r} is no move", "text refused", Code.ILLEGAL_MOVE, **inputs))
    for at, text in enumerate(NO_CARDS.split("|")):
        inputs = {"op": "card", "text": text}
        found.append(vector(f"no-card-{at}", f"{text!r} is no card", "text refused", Code.ILLEGAL_MOVE, **inputs))
    for number in (0, 1, 15, 224, 240, 255):
        one = vector(f"no-card-number-{number}", "rank 0 or above 13", "range refused", Code.ILLEGAL_MOVE, op="id")
        found.append({**one, "number": number})
    return found


def variant_vectors() -> list[Vector]:
    """Variants: `read` accepts any text that names one, `signed` only its one text."""
    found: list[Vector] = []
    for text, comment in (
        ("standard", "the game of the rule book"),
        ("quick", "a preset"),
        ("long", "a preset"),
        ("target=3", "without a name: standard"),
        ("pay-off=10,target=1", "keys that make a preset"),
        ("quick,pay_off=20", "one key away from standard and from quick: the earlier preset"),
        ("quick,target=3,stock-out=fewest", "nearer to quick"),
        ("long,packs=4,pay_off=40", "the most cards"),
        ("pay_off=37", "a stock of exactly 20"),
        ("refill=next-turn,patience=60,hints=yes,centres=4", "keys in another order"),
        ("standard,target=0050", "leading zeros, and the value of the preset"),
    ):
        variant = Variant.parse(text)
        fields = {key: _plain(value) for key, value in asdict(variant).items()}
        named = vector(
            f"read-{len(found)}",
            comment,
            "text",
            op="read",
            text=text,
            variant=str(variant),
            fields=fields,
            stock=variant.stock,
        )
        found.append(named)
        if str(variant) != text:
            one = vector(f"signed-{len(found)}", f"not the one text: {comment}", "text refused", Code.BAD_VARIANT)
            found.append({**one, "op": "signed", "text": text})
    found.append(vector("signed", "the one text", "text", op="signed", text="quick,target=3,stock_out=fewest"))
    refused = [
        ("", "no name"),
        ("slow", "no such preset"),
        ("Quick", "capitals"),
        (" quick", "a space"),
        ("quick,", "an empty option"),
        ("quick,standard", "two names"),
        ("quick,colour=red", "no such option"),
        ("quick,target", "no value"),
        ("quick,target=", "an empty value"),
        ("target=1,target=1", "an option twice"),
        ("pay_off=10,pay-off=10", "an option twice, spelled in two ways"),
        ("target=-1", "a sign"),
        ("target=+1", "a sign"),
        ("target=1.0", "no whole number"),
        ("target=00050", "more than four digits"),
        ("target=٣", "a digit, but not 0 to 9"),
        ("hints=maybe", "no such word"),
        ("hints=True", "no such word"),
        ("stock_out=cannot_draw", "an underscore where the word has a hyphen"),
        ("refill=at-once ", "a space"),
        ("pay_off=38", "case 62: a stock of 18"),
        ("long,packs=2,pay_off=38", "the same by way of another preset"),
        *((f"{key}={least - 1}", "one too few") for key, (least, _) in RANGES.items()),
        *((f"packs=4,{key}={most + 1}", "one too many") for key, (_, most) in RANGES.items() if key != "packs"),
        ("packs=5", "one too many"),
    ]
    for at, (text, comment) in enumerate(refused):
        flags = "range refused" if "one too" in comment or "stock of" in comment else "text refused"
        one = vector(f"refused-{at}", comment, flags, Code.BAD_VARIANT, op="read", text=text)
        found.append(one)
    return found


def _plain(value: object) -> object:
    """A field of a variant in JSON."""
    return value if isinstance(value, int) else str(value)


def table_vectors() -> list[Vector]:
    """Tables: their one text and their numbers; texts that are no table."""
    fresh = deal(QUICK, 1)
    half = turn_up(fresh, 1, Card.parse("9S"))
    sketch = Sketch(centre=(11, 0, 3), stock=7, hand="QS", sides="9S,KD/-/KH.1/-", other_hand=3, top="4H").game()
    played = do(sketch.table, moved("h1-c1", "QS"))
    due = do(sketch.table, moved("p-c3"))
    game = open_game(Variant.parse("centres=4,packs=3"), 4)
    later = game.table
    for step in steps_of(game, "h1-a h2-b"):
        later = do(later, step)
    empty = Sketch("refill=next-turn", seat=1, hand="x").game().table
    found = []
    for name, comment, table in (
        ("deal", "after the shuffle: all cards face down", fresh),
        ("half-dealt", "one top lies open", half),
        ("given-up-in-the-deal", "a game that ended before it began", resign(half, 0)),
        ("sketch", "a position with fewer cards than the game has", sketch.table),
        ("owes-shuffle", "a stack completed with the last hand card: a new deck, and five cards of it", played),
        ("owes-top", "the next pay-off card is due", due),
        ("drew", "what the new mover drew is marked", later),
        ("empty-hand", "an empty hand in the variant that allows it", empty),
        ("won", "a finished game", Table.parse(WON)),
        ("tied", "a tie", Table.parse(WON.replace(" 0 0.40", " 3=8H 0.40").replace("win:0:7", "tie"))),
    ):
        found.append(
            vector(name, comment, "text", op="table", text=str(table), sections=list(map(list, table.sections())))
        )
    for at, (text, comment) in enumerate(_no_tables()):
        found.append(vector(f"no-table-{at}", comment, "text refused", Code.BAD_SHAPE, op="table", text=text))
    return found


GOOD = "quick 9 0 1 1 0:50-104 AC,KD/-/- 3=8H 0.40,-,-,-,- -/9S/-/- 7=KC 0.45,-,-,-,- -/-/-/- -"
WON = "quick 9 - 1 1 0:50-104 AC,KD/-/- 0 0.40,-,-,-,- -/9S/-/- 7=KC 0.45,-,-,-,- -/-/-/- win:0:7"


def _no_tables() -> list[tuple[str, str]]:
    """Texts that are no table, each with what is wrong in it."""
    changes = [
        ("quick", "quick,pay_off=10", "a variant not in its one text"),
        (" 9 ", " 09 ", "a number with a leading zero"),
        (" 9 ", " 501 ", "a turn that no game has"),
        ("9 0 1 1", "9 - 1 1", "nobody to move"),
        ("9 0 1 1", "9 0 - 1", "nobody began"),
        ("9 0 1 1", "9 0 1 -", "no tie-break"),
        ("0:50-104", "0:50-103", "the first deck ends too early"),
        ("0:50-104", "0:45-104", "a slot in a hand that was not drawn"),
        ("AC,KD/-/-", "AC,KD/-", "a centre stack too few"),
        ("AC,KD/-/-", "AC,3D/-/-", "a three on an ace"),
        ("AC,KD/-/-", "AC,KC/-/-", "a card twice"),
        ("AC,KD/-/-", "AC,KD.2/-/-", "a card of a pack that is not in the game"),
        ("3=8H", "3", "a top face down in mid-game"),
        ("3=8H", "0", "a player without pay-off cards who has not won"),
        ("3=8H", "11=8H", "more pay-off cards than were dealt"),
        ("0.40,-,-,-,-", "0.40,-,-,-", "four places in a hand"),
        ("0.40,-,-,-,-", "-,-,-,-,-", "no hand for the player to move"),
        ("0.40,-,-,-,-", "0.45,-,-,-,-", "a slot twice"),
        ("0.40,-,-,-,-", "0.19,-,-,-,-", "a slot of a pay-off pile"),
        ("-/9S/-/-", "9S/-/-", "three side stacks"),
    ]
    return [
        *((GOOD.replace(old, new, 1), comment) for old, new, comment in changes),
        (GOOD[:-1] + "drew:0:40-41", "a drawn card that does not lie before the stock"),
        (GOOD[:-1] + "owes:top", "a top that is owed and lies open"),
        (GOOD[:-1] + "tie", "a tie with somebody to move"),
        (WON.replace(":7", ":6"), "points that are not the other pile"),
        (WON.replace("win:0:7", "win:1:7"), "the wrong winner"),
        (GOOD + " -", "a word too many"),
        ("", "nothing"),
    ]


def score_vectors() -> list[Vector]:
    """Scores after a game."""
    found = []
    for name, comment, variant, before, outcome, began in (
        ("case-52", "47:38 and 5 points: the match is over", "standard", ((47, 38), 9, 0), "win:0:5", 1),
        ("case-53", "44:44 and a tie: a new game", "standard", ((44, 44), 9, 0), "tie", 1),
        ("not-capped", "points beyond the target are kept", "standard", ((49, 49), 9, 0), "win:1:20", 1),
        ("one-short", "49 is not 50", "standard", ((29, 49), 9, 0), "win:0:20", 0),
        ("first-game", "nobody has begun a game before", "standard", ((0, 0), 0, None), "win:0:7", 0),
        ("resigned-in-the-deal", "who began stays as it was", "standard", ((7, 0), 1, 0), "resign:1:20", None),
        ("resigned-in-the-first-deal", "nobody has begun yet", "standard", ((0, 0), 0, None), "resign:0:20", None),
        ("quick-decided", "target 1: the first decided game ends the match", "quick", ((0, 0), 1, 0), "win:1:1", 0),
        ("quick-tied", "target 1: a tie is played again", "quick", ((0, 0), 0, None), "tie", 0),
    ):
        score = Score(*before).after(Outcome.parse(outcome), began)
        found.append(
            vector(
                name,
                comment,
                "case" if name.startswith("case") else "end",
                op="score",
                variant=variant,
                before={"points": list(before[0]), "games": before[1], "began": before[2]},
                outcome=outcome,
                began=began,
                after={"points": list(score.points), "games": score.games, "began": score.began},
                winner=score.winner(Variant.parse(variant)),
                tie_break=score.tie_break,
            )
        )
    return found
