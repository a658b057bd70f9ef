"""States of play for the golden files: one model each, made from positions in their notation."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from sm_p2p.cli import menu
from sm_p2p.deck.group import Point
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import Code
from sm_p2p.log.chain import Chain
from sm_p2p.rules.cards import Card
from sm_p2p.rules.happenings import (
    Completed,
    Discarded,
    Drew,
    Finished,
    Happening,
    Passed,
    Played,
    Reshuffled,
    Resigned,
    StockRanOut,
    TurnBegan,
    TurnedUp,
    TurnsRanOut,
)
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import How, Outcome, Owed, Table
from sm_p2p.rules.variant import STANDARD, Variant
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Said, Stopped
from sm_p2p.session.state import Game, Match, PlacedKey, Player, State
from sm_p2p.session.talk import Way
from sm_p2p.ui.app import terms
from sm_p2p.ui.app.choices import Choices, entries
from sm_p2p.ui.banners import banner
from sm_p2p.ui.board import Stack
from sm_p2p.ui.keys import Mode
from sm_p2p.ui.picking import Picking
from sm_p2p.ui.screen.model import Checked, Hint, InAir, Link, LogLine, Model, Opponent, Progress, Replay
from sm_p2p.ui.screen.overlays import (
    Ask,
    AskQuit,
    AskResign,
    Command,
    Details,
    FullLog,
    Help,
    Listing,
    Looking,
    Offer,
    Prompt,
    Rules,
    ScoreSheet,
    Sheet,
    StackView,
    Talking,
)
from sm_p2p.ui.screen.spots import Spot
from sm_p2p.ui.words import HERE, Language, Words


def cards(text: str) -> tuple[Card, ...]:
    """These cards."""
    return tuple(map(Card.parse, text.split()))


NEEDS: Final = "{rank} needs {below} beneath it, and {place} waits for {needed}"
WORDS: Final = Words(("Bo", "Ana"), 0)
TABLE: Final = Table.parse(
    "standard 14 0 1 1 0:64-104 AC.1,2D,3S,4S,5S,6S,7D/AS,2C,3D,KS/- "
    "17=8C 0.50,0.51,0.52,0.53,0.54 KH,QC/9C/6C/- 18=KC 0.55,0.56,0.57,-,- 4D,9S,5H/QD,JH/-/3S.1 -"
)
FACES: Final = dict(zip(filter(None, TABLE.places[0].hand), cards("8D 2H KD 4C AC"), strict=True))
LOG: Final = (
    LogLine(12, Played(0, Move.parse("h2-c2"), Card.parse("KS"), 4)),
    LogLine(12, Discarded(0, Move.parse("h4-b"), Card.parse("9C"))),
    LogLine(13, Drew(1, 2)),
    LogLine(13, Played(1, Move.parse("h1-c1"), Card.parse("6S"), 6)),
    LogLine(13, Played(1, Move.parse("p-c1"), Card.parse("7D"), 7)),
    LogLine(13, Discarded(1, Move.parse("h2-d"), Card.parse("3S"))),
    LogLine(14, Drew(0, 2)),
)


def match_of(*happened: Happening) -> Match:
    """The match at this point, with what its last entry did."""
    players = (Player("Bo", bytes(32), bytes(16)), Player("Ana", bytes(32), bytes(16)))
    chain = Chain(bytes(32), 117, bytes.fromhex("3f9a") + bytes(30))
    outcomes = (Outcome(How.WIN, 0, 13), Outcome(How.RESIGN, 1, 18), Outcome(How.TIE, None, 0), Outcome(How.WIN, 0, 10))
    key = PlacedKey(Point(bytes(32)), Context(b"", 1, 1, b"", 0, 0))
    game = Game(5, 0, (key, key), key.point, TABLE, ())
    score = Score((23, 18), 4, 0)
    return Match(chain, State.TURN, STANDARD, players, game, score=score, outcomes=outcomes, happened=happened)


def model_of(table: Table = TABLE, seat: int | None = 0) -> Model:
    """What a seat sees of this table."""
    view = View(table, seat, FACES if seat == 0 else {})
    words = Words(WORDS.names, seat)
    is_ours = seat is not None and table.to_move == seat
    chat = (Said(1, "nice one"), Said(0, "not done yet"))
    return Model(words, match_of(), view, is_ours, link=Link(step_ms=10), log=LOG, chat=chat)


def _after(*happened: Happening, outcome: Outcome | None = None, points: tuple[int, int] = (23, 18)) -> Model:
    """The moment after an entry did this."""
    before = match_of()
    outcomes = before.outcomes if outcome is None else (*before.outcomes, outcome)
    after = replace(match_of(*happened), score=Score(points, len(outcomes), 0), outcomes=outcomes)
    table = TABLE if outcome is None else TABLE._replace(to_move=None, outcome=outcome)
    lines = tuple(LogLine(14, happening) for happening in happened)
    return replace(model_of(table), match=after, banner=banner(WORDS, before, after), log=(*LOG, *lines))


_TWELVE: Final = cards("AC 2D 3S 4S 5S 6S 7D 8S 9D 10C JS KD")
_KINGS: Final = cards("AC 2D KS KH")
_FOUR: Final = Table.parse(
    "standard,packs=4,pay_off=40,centres=4 3 1 0 1 0:106-208 AC,2D,3S,4S,5S,6S,7D,8D,9D,KH/-/AS/- "
    "40=10H 0.80,0.81,0.82,0.83,0.84 -/-/-/- 38=KC.3 0.85,0.86,0.87,0.88,0.89 4D/QD/-/- -"
)


def _states() -> dict[str, Model]:
    """Every state, said in the language that is spoken here."""
    own = model_of()
    watched = replace(model_of(seat=None), link=Link(opponent=Opponent.NOBODY))
    theirs = TABLE._replace(to_move=1, turn=15)
    king = TABLE._replace(centre=(TABLE.centre[0], _KINGS, ()))
    full = TABLE._replace(centre=(_TWELVE, *TABLE.centre[1:]))
    low = TABLE._replace(stock=TABLE.stock._replace(next=100))
    dealing = TABLE._replace(turn=0, to_move=None)
    won, lost, tie = Outcome(How.WIN, 0, 18), Outcome(How.WIN, 1, 17), Outcome(How.TIE, None, 0)
    completed = Played(0, Move.parse("h3-c1"), Card.parse("KD"), 12), Completed(0, _TWELVE), Reshuffled(52)
    return {
        "deal": replace(
            model_of(dealing), progress=Progress(WORDS.say("{name} shuffles the cards once more.", name="Ana"), 2, 4, 1)
        ),
        "own turn": own,
        "picked": replace(own, picking=Picking("p")),
        "picked by the cursor": replace(own, picking=Picking("h3", "c2")),
        "why not": replace(
            own, picking=Picking("h2"), message=f"{WORDS.say(NEEDS, rank='2', below='A', place='[6]', needed='8')}."
        ),
        "discard asked": replace(own, picking=Picking("h1", asks=Move.parse("h1-b"))),
        "other's turn": model_of(theirs),
        "last turn marked": replace(own, marks=(Spot(None, "c1"), Spot(1, "p"), Spot(1, "d"))),
        "king on king": model_of(king),
        "completion": replace(_after(*completed, Drew(0, 5)), view=View(full, 0, FACES)),
        "in the air": replace(own, air=(InAir(Card.parse("8C"), Spot(0, "p"), Spot(None, "c1"), 500),)),
        "stock is low": model_of(low),
        "hint": replace(own, hint=Hint(Move.parse("p-c1"), Card.parse("8C"), WORDS.say("one pay-off card less"))),
        "win": _after(Finished(won), outcome=won, points=(41, 18)),
        "loss": _after(Finished(lost), outcome=lost, points=(23, 35)),
        "tie": _after(StockRanOut(0, 5, 3), Finished(tie), outcome=tie),
        "match end": _after(Finished(won), outcome=won, points=(53, 18)),
        "reconnecting": replace(model_of(theirs), link=Link(Way.RECONNECTING, waited_s=12)),
        "our turn while the other is away": replace(own, link=Link(Way.RECONNECTING, waited_s=12)),
        "away too long": replace(model_of(theirs), link=Link(Way.RECONNECTING, waited_s=600, overdue_min=10)),
        "claimed": replace(
            model_of(theirs), link=Link(Way.RECONNECTING, waited_s=660, overdue_min=11, is_claimed=True)
        ),
        "away": replace(model_of(theirs), link=Link(is_away=True)),
        "log broken": replace(own, stopped=Stopped(Code.DIGEST_DIFFERS, 118, None, "", ("stock",))),
        "against the computer": replace(
            own, words=Words(("Bo", "Computer"), 0), link=Link(opponent=Opponent.COMPUTER), chat=()
        ),
        "four packs": replace(model_of(_FOUR, 1), match=replace(match_of(), variant=_FOUR.variant)),
        "watching": replace(watched, replay=Replay(61, 300, is_live=True, checked=Checked(61))),
        "open hands": replace(
            watched,
            replay=Replay(61, 300, is_playing=True, is_open=True, checked=Checked(percent=37)),
            view=View(TABLE, None, FACES | {slot: Card.parse("10S") for slot in TABLE.places[1].hand if slot}),
        ),
        "stack": replace(own, overlay=StackView(Stack(None, 1))),
        "help": replace(own, overlay=Help()),
        "rules": replace(own, overlay=Rules(2)),
        "full log": replace(own, overlay=FullLog()),
        "score": replace(own, overlay=ScoreSheet()),
        "details": replace(
            own,
            overlay=Details(
                (WORDS.say("{name} is connected, end to end encrypted.", name="Ana"),),
                "sm-p2p://192.168.1.20:7227/" + 80 * "l",
            ),
        ),
        "quit asked": replace(own, overlay=AskQuit()),
        "resigning asked": replace(own, overlay=AskResign()),
        "chat typed": replace(own, overlay=Talking("well played", 4)),
        "command typed": replace(own, overlay=Command("moves", 5)),
        "options": replace(own, overlay=Listing(WORDS.say("OPTIONS"), entries(WORDS, Choices()), 1, is_turned=True)),
        "menu": Model(overlay=Listing("SPITE & MALICE", _said(menu.LINES), 0)),
        "what is played": Model(overlay=Listing(WORDS.say("WHAT IS PLAYED"), menu.variants(WORDS), 0)),
        "house rules": Model(
            overlay=terms.listing(WORDS, Variant.parse("quick"), WORDS.say("HOUSE RULES"), WORDS.say("play by these"))
        ),
        "offer": Model(WORDS, match=match_of(), overlay=Offer("Ana", Variant.parse("quick,stock_out=fewest"))),
        "invite typed": Model(overlay=Prompt(WORDS.say("THE INVITE"), (WORDS.say(menu.PASTE),), "sm-p2p://", 9)),
    }


def _said(lines: Iterable[menu.Line]) -> tuple[tuple[str, str], ...]:
    return tuple((WORDS.say(line.label), line.value and WORDS.say(line.value)) for line in lines)


def states_in(language: Language) -> Mapping[str, Model]:
    """Every state as a reader of this language sees it."""
    with HERE.spoken(language):
        found = _states()
    return {
        name: replace(model, words=Words(model.words.names, model.words.you, language)) for name, model in found.items()
    }


STATES: Final[Mapping[str, Model]] = _states()


def _rare() -> list[Model]:
    """What is seen seldom, and is not worth a golden file."""
    own = STATES["own turn"]
    table = TABLE
    theirs = TABLE._replace(to_move=1)
    empty = Table.parse(
        "standard,refill=next-turn 9 0 0 1 0:60-104 AS/-/- 1=4H -,-,-,-,- -/-/-/- 20=9C 0.45,-,-,-,- -/-/-/- -"
    )
    owing = table._replace(owed=Owed((), (), top=False, draws=()))
    log = (
        LogLine(0, TurnedUp(0, Card.parse("4H"), 20)),
        LogLine(1, TurnBegan(0, 1)),
        LogLine(1, Played(0, Move.parse("a-c1"), Card.parse("AH"), 1)),
        LogLine(1, Passed(0)),
        LogLine(1, "The match goes on after 9 entries."),
        LogLine(2, StockRanOut(1, 5, 3)),
        LogLine(2, TurnsRanOut(500)),
        LogLine(2, Resigned(1)),
        LogLine(2, Finished(Outcome(How.TIE, None, 0))),
        LogLine(2, Finished(Outcome(How.WIN, 0, 1))),
    )
    question = Picking(asks=END)
    return [
        replace(own, log=log, log_scroll=3, chat=own.chat * 30, chat_scroll=7, link=Link(watchers=2)),
        replace(own, log=log, chat=(), link=Link(Way.CONNECTING)),
        replace(own, link=Link(step_ms=500, watchers=1), hint=Hint(END, None), overlay=Looking()),
        replace(own, hint=Hint(Move.parse("h1-a"), Card.parse("8D")), progress=Progress("verifying", 0, 2)),
        replace(model_of(theirs), match=replace(match_of(), state=State.ANSWER)),
        replace(model_of(theirs), link=Link(Way.RECONNECTING), match=replace(match_of(), state=State.CLOSED)),
        replace(own, view=None, match=replace(match_of(), state=State.JOIN)),
        replace(own, view=None, match=replace(match_of(), state=State.CLOSED), overlay=StackView(Stack(0, 0))),
        replace(own, view=None, overlay=AskResign()),
        replace(own, match=replace(match_of(), players=match_of().players[:1], chain=Chain.empty())),
        replace(own, is_our_turn=False),
        model_of(owing),
        replace(model_of(owing), picking=Picking("h1")),
        model_of(empty),
        replace(model_of(empty), picking=question),
        replace(own, picking=Picking("b")),
        replace(own, picking=Picking("h4")),
        replace(model_of(theirs), message="It is not your turn."),
        replace(own, overlay=StackView(Stack(1, 2))),
        replace(own, overlay=StackView(Stack(0, 0))),
        replace(own, overlay=Sheet("A TEXT", ("one", "two"), 9)),
        replace(own, overlay=Ask("SURE?", ("one", "two"))),
        replace(own, overlay=Details(("one",))),
        replace(own, overlay=Help(Mode.WATCH, 3)),
        replace(STATES["watching"], replay=Replay(3, 9, is_live=True, follows=True)),
        replace(STATES["watching"], replay=Replay(9, 9, seat=1, checked=Checked(8)), view=STATES["win"].view),
        replace(STATES["watching"], replay=Replay(9, 9, checked=Checked(8, None, 9))),
        replace(STATES["watching"], replay=Replay(0, 9), view=None, link=Link(opponent=Opponent.NOBODY, watchers=2)),
        replace(own, view=None, picking=question),
        replace(own, match=replace(match_of(), chain=Chain.empty())),
    ]


RARE: Final = tuple(_rare())
