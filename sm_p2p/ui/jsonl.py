"""The voice in JSON Lines, for programs: one object a line, ASCII, never translated.

Every object has an `event`. Seats are 0 (opened the match) and 1; cards are faces like "10H", moves and places those of
the notation; `table` is the one-line text of a table, as the rules define it. Keys may be added later, none is renamed.

    entry        seq author kind head                    an entry was taken over; what it did follows, each with its seq:
    played       seq seat move card as                   discarded  seq seat move card     passed        seq seat
    completed    seq stack cards (bottom first)          reshuffled seq stock              turned-up     seq seat card left
    turn-began   seq seat turn                           drew       seq seat count         resigned      seq seat
    stock-ran-out  seq seat needed stock                 turns-ran-out  seq turn           finished      seq how winner points
    score        seq points games winner                 after a game; winner of the match or null
    said         seat text                               peer-left                         link          way
    stopped      code seq guilty sections                rejected   code seq sections
    refused      reason text                             the last wish was not possible; reason is null or a word
    offered      name variant                            resumed    entries
    watched      by                                      how many others watch now
    seated       name key before                         who sits opposite: the words of his key, names that it had before
    asked        doubt name key known at-door            whether to play with him; yes and no answer it
    unasked                                              nobody waits for that answer any more
    asked-again  (of another match)                      afresh     (another match begins)
    overdue      minutes                                 the other side is away for so long that it may be claimed
    claimed-abandoned  minutes                           claim-withdrawn       our claim, which is never a result
    recovered    entries strange                         mended     what file
    your-turn    seq seat game turn table hand moves     a move is awaited; hand has five places, null where it is empty
    table        seq table hand                          hand       hand                   moves         moves
    stack        stack cards (bottom first)              hint       move reason, and what the reason names
    help         words                                   rules      text
    unclear      text                                    remark     what and its values    notice        text
"""

import json
from collections.abc import Iterable
from typing import Final, TypeAlias, assert_never

from sm_p2p.errors import IllegalMove, sure
from sm_p2p.log.entry import Entry
from sm_p2p.rules.cards import RANKS
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
from sm_p2p.rules.moves import TARGETS
from sm_p2p.rules.reasons import Misread
from sm_p2p.rules.reasons import Refused as RefusedMove
from sm_p2p.rules.table import Pile
from sm_p2p.rules.view import View
from sm_p2p.session.effects import (
    Advanced,
    Claimed,
    Latency,
    Overdue,
    PeerLeft,
    Recovered,
    Rejected,
    Said,
    Stopped,
    Withdrawn,
)
from sm_p2p.session.events import event_of
from sm_p2p.session.reasons import NotNow
from sm_p2p.session.state import Match
from sm_p2p.session.talk import (
    Afresh,
    Asked,
    AskedAgain,
    LinkChanged,
    Mended,
    News,
    Offered,
    Refused,
    Resumed,
    Return,
    Seated,
    Situation,
    Unasked,
    Vacant,
    Watched,
)
from sm_p2p.ui.advice import Advice
from sm_p2p.ui.board import find_stack, hand_cards, pile_at
from sm_p2p.ui.commands import Show, Unclear, Word
from sm_p2p.ui.guide import HELP, rules_lines
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import ENGLISH, Words

BARE: Final = {
    PeerLeft: "peer-left",
    AskedAgain: "asked-again",
    Afresh: "afresh",
    Unasked: "unasked",
}  # news that say nothing more
PLAIN: Final = Words(language=ENGLISH)
Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"


class JsonLines:
    """Objects in the shapes above."""

    language: Final = ENGLISH  # programs type English

    def news(self, news: News, _now: Situation) -> Iterable[str]:
        """What happened."""
        match news:
            case Advanced(before, entry, after):
                return _advanced(before, entry, after)
            case Said(seat, text):
                return _line("said", seat=seat, text=text)
            case Latency():
                return ()
            case Stopped(code, seq, guilty, _, sections):
                return _line("stopped", code=code.value, seq=seq, guilty=guilty, sections=[*sections])
            case Rejected(code, seq, sections):
                return _line("rejected", code=str(code), seq=seq, sections=[*sections])
            case PeerLeft() | AskedAgain() | Afresh() | Unasked():
                return _line(BARE[type(news)])
            case LinkChanged() | Watched():
                return (
                    _line("link", way=news.way.value) if isinstance(news, LinkChanged) else _line("watched", by=news.by)
                )
            case Refused(why):
                return _line("refused", reason=_reason(why), text=str(why))
            case Resumed(entries):
                return _line("resumed", entries=entries)
            case Offered() | Seated() | Asked() | Vacant():
                return _person(news)
            case Recovered() | Overdue() | Claimed() | Withdrawn() | Mended():
                return _return(news)
            case _:
                assert_never(news)

    def turn(self, now: Situation) -> Iterable[str]:
        """A move is awaited."""
        view, match = sure(now.view), now.match
        return _line(
            "your-turn",
            seq=match.chain.seq,
            seat=now.seat,
            game=match.game_number,
            turn=view.table.turn,
            table=str(view.table),
            hand=[*hand_cards(view)],
            moves=_moves(view),
        )

    def again(self, now: Situation) -> Iterable[str]:
        """A move is awaited."""
        return self.turn(now)

    def look(self, what: Word | Show, now: Situation) -> Iterable[str]:
        """The answer to a question about the table, the match or the program."""
        view = now.view
        match what:
            case Word.HELP:
                return _line("help", words=[form for form, _ in HELP])
            case Word.RULES:
                return _line("rules", text="\n".join(rules_lines(PLAIN)))
            case Word.SCORE:
                return _line("score", **_score(now.match))
            case _ if view is None:
                return self.remark(Remark.NO_TABLE)
            case Word.HAND:
                return _line("hand", hand=[*hand_cards(view)])
            case Word.MOVES:
                return _line("moves", moves=_moves(view))
            case Show(stack):
                if (at := find_stack(view, stack)) is None:
                    return self.remark(Remark.NO_STACK, stack=stack)
                return _line("stack", stack=stack, cards=_faces(pile_at(view.table, at)))
            case _:
                return _line("table", seq=now.match.chain.seq, table=str(view.table), hand=[*hand_cards(view)])

    def hint(self, advice: Advice, _now: Situation) -> Iterable[str]:
        """A move that could be made, and why."""
        return _line("hint", move=str(advice.move), reason=str(advice.reason), **advice.values)

    def unclear(self, what: Unclear) -> Iterable[str]:
        """A line that asks for nothing that there is."""
        return _line("unclear", text=what.text)

    def remark(self, remark: Remark, **values: str) -> Iterable[str]:
        """A short answer, by its word."""
        return _line("remark", what=remark.name.lower().replace("_", "-"), **values)

    def notice(self, sentence: str) -> Iterable[str]:
        """A sentence that was made elsewhere."""
        return _line("notice", text=sentence)


def _line(event: str, **values: Json) -> tuple[str]:
    return (json.dumps({"event": event, **values}, separators=(",", ":")),)


def _person(news: Offered | Seated | Asked | Vacant) -> tuple[str]:
    match news:
        case Offered(name, variant):
            return _line("offered", name=name, variant=str(variant))
        case Seated(name, key, before):
            return _line("seated", name=name, key=key, before=[*before])
        case Asked(doubt, name, key, known, at_door):
            return _line("asked", doubt=doubt, name=name, key=key, known=[*known], **{"at-door": at_door})
        case Vacant(is_new_invite):
            return _line("vacant", **{"new-invite": is_new_invite})
        case _:
            assert_never(news)


def _return(news: Return) -> tuple[str]:
    match news:
        case Recovered(entries, is_strange):
            return _line("recovered", entries=entries, strange=is_strange)
        case Overdue(minutes):
            return _line("overdue", minutes=minutes)
        case Claimed(minutes):
            return _line("claimed-abandoned", minutes=minutes)
        case Withdrawn():
            return _line("claim-withdrawn")
        case Mended(what, file):
            return _line("mended", what=what.value, file=file)
        case _:
            assert_never(news)


def _advanced(before: Match, entry: Entry, after: Match) -> Iterable[str]:
    kind = type(event_of(entry.kind, entry.data)).__name__.lower()
    yield from _line("entry", seq=entry.seq, author=entry.author, kind=kind, head=after.chain.head.hex())
    for happening in after.happened:
        yield from _happening(entry.seq, happening)
    if len(after.outcomes) > len(before.outcomes):
        yield from _line("score", **_score(after))


def _happening(seq: int, what: Happening) -> tuple[str]:  # noqa: PLR0912 - an arm for each happening
    match what:
        case Played(seat, move, card, stands_for):
            rank = {"as": RANKS[stands_for]}
            return _line("played", seq=seq, seat=seat, move=str(move), card=card.face, **rank)
        case Discarded(seat, move, card):
            return _line("discarded", seq=seq, seat=seat, move=str(move), card=card.face)
        case Passed(seat):
            return _line("passed", seq=seq, seat=seat)
        case Completed(stack, cards):
            return _line("completed", seq=seq, stack=TARGETS[stack], cards=_faces(cards))
        case Reshuffled(stock):
            return _line("reshuffled", seq=seq, stock=stock)
        case TurnedUp(seat, card, left):
            return _line("turned-up", seq=seq, seat=seat, card=card.face, left=left)
        case TurnBegan(seat, turn):
            return _line("turn-began", seq=seq, seat=seat, turn=turn)
        case Drew(seat, count):
            return _line("drew", seq=seq, seat=seat, count=count)
        case StockRanOut(seat, needed, stock):
            return _line("stock-ran-out", seq=seq, seat=seat, needed=needed, stock=stock)
        case TurnsRanOut(turn):
            return _line("turns-ran-out", seq=seq, turn=turn)
        case Resigned(seat):
            return _line("resigned", seq=seq, seat=seat)
        case Finished(outcome):
            how, winner, points = outcome
            return _line("finished", seq=seq, how=how.value, winner=winner, points=points)
        case _:
            assert_never(what)


def _score(match: Match) -> dict[str, Json]:
    score = match.score
    return {
        "seq": match.chain.seq,
        "points": [*score.points],
        "games": score.games,
        "winner": score.winner(match.variant),
    }


def _reason(why: IllegalMove) -> str | None:
    return why.reason.name.lower().replace("_", "-") if isinstance(why, RefusedMove | Misread | NotNow) else None


def _moves(view: View) -> list[Json]:
    return [str(move) for move in view.legal_moves]


def _faces(pile: Pile) -> list[Json]:
    return [card.face for card in pile]
