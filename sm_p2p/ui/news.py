"""News of a match in sentences: each entry, the other side, the way to it, and what stops a match.

Law: every value that a player is told has its sentences here, in the order in which things happened; none is about
anything that the reader could not know.
"""

from typing import Final, assert_never

from sm_p2p.errors import Code, sure
from sm_p2p.log.entry import Entry
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import How, Outcome, Seat
from sm_p2p.rules.variant import Hints, Refill, StockOut, Variant
from sm_p2p.session.effects import Advanced, Latency, PeerLeft, Rejected, Said, Stopped
from sm_p2p.session.events import JOINED, OPENED
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import (
    Afresh,
    Asked,
    AskedAgain,
    LinkChanged,
    News,
    Offered,
    Refused,
    Resumed,
    Seated,
    Unasked,
    Vacant,
    Watched,
    Way,
)
from sm_p2p.session.text import NAME_LENGTH, NOTE_LENGTH, clean
from sm_p2p.ui.persons import tell_person
from sm_p2p.ui.reasons import explain, fault
from sm_p2p.ui.returns import tell_return
from sm_p2p.ui.words import HERE, Language, Words, mark, tell

NAMED: Final = (mark("standard"), mark("quick"), mark("long"))  # the variants without changes
SECTION_LENGTH: Final = 20  # characters of the name of a section


def words_of(match: Match, you: Seat | None, language: Language = HERE) -> Words:
    """The words for a reader of this match."""
    first, second, *_ = (*(player.name for player in match.players), "", "")
    return Words((first, second), you, language)


def sentences(words: Words, news: News) -> tuple[str, ...]:
    """What the news says; nothing for how long an answer took."""
    match news:
        case Advanced(before, entry, after):
            return _advanced(words, before, entry, after)
        case Said(seat, text):
            said = clean(text, NOTE_LENGTH)
            return (words.of(seat, "You say: {text}", "{name} says: {text}", text=said),)
        case Latency():
            return ()
        case Stopped():
            return _stopped(words, news)
        case Rejected():
            return _rejected(words, news)
        case PeerLeft():
            return (words.say("The other side has left; the match is kept."),)
        case LinkChanged(way):
            return (_way(words, way),)
        case Watched(by):
            return (
                words.count("{n} person is watching.", "{n} people are watching.", by)
                if by
                else words.say("Nobody is watching any more."),
            )
        case Refused(why):
            return (words.say("Not possible: {why}.", why=explain(words, why)),)
        case Offered() | Resumed() | AskedAgain() | Afresh() | Vacant():
            return (_which_match(words, news),)
        case Seated() | Asked() | Unasked():
            return tell_person(words, news)
        case _:
            return tell_return(words, news)


def _which_match(words: Words, news: Offered | Resumed | AskedAgain | Afresh | Vacant) -> str:
    """What is said about which match is played."""
    match news:
        case Offered(name):  # its variant was told when the match was opened
            return words.say("{name} offers a match.", name=clean(name, NAME_LENGTH))
        case Resumed(entries):
            return words.count("The match goes on after {n} entry.", "The match goes on after {n} entries.", entries)
        case AskedAgain():
            return words.say("The other side would like another match.")
        case Afresh():
            return words.say("Another match begins.")
        case Vacant(is_new_invite=True):
            return words.say(
                "The seat opposite is free again, and there is a new invite: the old one opens nothing now."
            )
        case Vacant():
            return words.say("The seat opposite is free again, for whoever comes next.")
        case _:
            assert_never(news)


def variant_name(words: Words, text: str) -> str:
    """What a variant is called, which is written so; one with changes is called as it is written.

    >>> variant_name(Words(), "quick"), variant_name(Words(), "quick,packs=3")
    ('quick', 'quick,packs=3')
    """
    return words.say(text) if text in NAMED else text


def describe(words: Words, variant: Variant) -> tuple[str, ...]:
    """The house rules, in sentences."""
    found = [
        words.say(
            "The variant is {variant}: {packs} packs, {pay_off} pay-off cards each, {centres} centre stacks.",
            variant=variant_name(words, str(variant)),
            packs=variant.packs,
            pay_off=variant.pay_off,
            centres=variant.centres,
        ),
        words.say("The first game that is not a tie decides the match.")
        if variant.target == 1
        else words.count("{n} point wins the match.", "{n} points win the match.", variant.target),
    ]
    if variant.hints is Hints.YES:
        found.append(words.say("Hints are allowed."))
    match variant.stock_out:
        case StockOut.CANNOT_DRAW:
            pass
        case StockOut.EMPTY:
            found.append(words.say("The game is a tie as soon as a draw would take the last card of the stock."))
        case StockOut.FEWEST:
            found.append(
                words.say("When a draw cannot be made, the player with fewer pay-off cards wins the difference.")
            )
        case _:
            assert_never(variant.stock_out)
    if variant.refill is Refill.NEXT_TURN:
        found.append(words.say("A hand that was emptied is filled at the next turn; the move end ends such a turn."))
    return tuple(found)


def score_line(words: Words, score: Score, target: int) -> str:
    """The points of both, and what is played for."""
    if words.you is None:
        first, second = words.name(0), words.name(1)
        mine, theirs = score.points
        return words.count(
            "Score: {first} {mine}, {second} {theirs}; {n} point wins.",
            "Score: {first} {mine}, {second} {theirs}; {n} points win.",
            target,
            first=first,
            mine=mine,
            second=second,
            theirs=theirs,
        )
    return words.count(
        "Score: you {mine}, {name} {theirs}; {n} point wins.",
        "Score: you {mine}, {name} {theirs}; {n} points win.",
        target,
        mine=score.points[words.you],
        name=words.name(1 - words.you),
        theirs=score.points[1 - words.you],
    )


def score_sheet(words: Words, match: Match) -> tuple[str, ...]:
    """Every game that was finished, and the score."""
    games = (_sheet_line(words, number, outcome) for number, outcome in enumerate(match.outcomes, 1))
    return (*games, score_line(words, match.score, match.variant.target))


def _sheet_line(words: Words, number: int, outcome: Outcome) -> str:
    if outcome.winner is None:
        return words.say("Game {number}: a tie.", number=number)
    name, points = words.name(outcome.winner), outcome.points
    is_you, is_resigned = words.is_you(outcome.winner), outcome.how is How.RESIGN
    if is_you and is_resigned:
        return words.count(
            "Game {number}: {n} point for you, by resignation.",
            "Game {number}: {n} points for you, by resignation.",
            points,
            number=number,
        )
    if is_you:
        return words.count(
            "Game {number}: {n} point for you.", "Game {number}: {n} points for you.", points, number=number
        )
    if is_resigned:
        return words.count(
            "Game {number}: {n} point for {name}, by resignation.",
            "Game {number}: {n} points for {name}, by resignation.",
            points,
            number=number,
            name=name,
        )
    return words.count(
        "Game {number}: {n} point for {name}.",
        "Game {number}: {n} points for {name}.",
        points,
        number=number,
        name=name,
    )


def _advanced(words: Words, before: Match, entry: Entry, after: Match) -> tuple[str, ...]:
    """An entry: who sat down, what happened at the table, the score, and how the match goes on."""
    found: list[str] = []
    if entry.kind == OPENED:
        found += [words.of(0, "You open a match.", "{name} opens a match."), *describe(words, after.variant)]
    if entry.kind == JOINED:
        found.append(words.of(1, "You join the match.", "{name} joins the match."))
    found += (tell(words, happening) for happening in after.happened)
    if len(after.outcomes) > len(before.outcomes):
        found += _after_a_game(words, after)
    if after.finished is not before.finished:
        number = sure(after.finished).number
        found.append(words.say("Both keys of game {number} are open: its shuffles can be checked.", number=number))
    if after.game is not None and (before.game is None or before.game.number != after.game.number):
        found.append(words.say("Game {number} begins: both players shuffle the deck.", number=after.game.number))
    if after.state is State.CLOSED:
        found.append(words.say("The log of the match is complete."))
    return tuple(found)


def _after_a_game(words: Words, match: Match) -> tuple[str, ...]:
    winner = match.score.winner(match.variant)
    if winner is None:
        return (score_line(words, match.score, match.variant.target),)
    points = match.score.points
    result = words.of(
        winner,
        "You win the match, {mine} to {theirs}.",
        "{name} wins the match, {mine} to {theirs}.",
        mine=points[winner],
        theirs=points[1 - winner],
    )
    return (result,)


def _stopped(words: Words, news: Stopped) -> tuple[str, ...]:
    why = fault(words, news.code)
    found = [words.say("The match has stopped at entry {seq}: {why}.", seq=news.seq, why=why)]
    if news.sentence:
        detail = clean(words.again(news.sentence), NOTE_LENGTH)
        found.append(words.say("In detail: {detail}.", detail=detail))
    if news.guilty is not None:
        found.append(words.of(news.guilty, "You have signed this entry.", "{name} has signed this entry."))
    if news.code is Code.EQUIVOCATION and news.guilty is not None:
        found.append(
            words.of(
                news.guilty,
                "Your key is in use on another machine as well, or an older copy of its files was put back here.",
                "A cheat does that, and so does one key in use on two machines; nobody can tell from here which it was.",
            )
        )
    if news.sections:
        found.append(_sections(words, news.sections))
    found.append(words.say("The log stays valid up to here, and what was received is kept beside it."))
    return tuple(found)


def _rejected(words: Words, news: Rejected) -> tuple[str, ...]:
    why = fault(words, news.code)
    if not news.seq:
        return (words.say("The other side says no: {why}.", why=why),)
    said = words.say("The other side has stopped at entry {seq}: {why}.", seq=news.seq, why=why)
    return (said, _sections(words, news.sections)) if news.sections else (said,)


def _sections(words: Words, sections: tuple[str, ...]) -> str:
    names = ", ".join(clean(name, SECTION_LENGTH) for name in sections)
    return words.say("What differs is this: {sections}.", sections=names)


def _way(words: Words, way: Way) -> str:
    match way:
        case Way.CONNECTING:
            return words.say("Looking for the other side.")
        case Way.UP:
            return words.say("The other side can be reached.")
        case Way.RECONNECTING:
            return words.say("The other side cannot be reached; trying again.")
        case _:
            assert_never(way)
