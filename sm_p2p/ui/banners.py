"""Moments of a match, each with its words: a completed stack, a refill in mid-turn, the end of a game and of the match.

Law: a moment is made from what happened, once; a game that ended is more than a stack that was completed.
"""

from sm_p2p.rules.happenings import Completed, Drew, Finished, Played, StockRanOut, TurnBegan, TurnsRanOut
from sm_p2p.rules.moves import TARGETS
from sm_p2p.rules.table import How, Outcome
from sm_p2p.session.state import Match
from sm_p2p.ui.news import score_sheet
from sm_p2p.ui.screen.model import Banner, LogLine, Moment
from sm_p2p.ui.words import Words, tell


def banner(words: Words, before: Match, after: Match) -> Banner | None:
    """The moment of one entry; None if it is none."""
    happened = after.happened
    outcome = next((happening.outcome for happening in happened if isinstance(happening, Finished)), None)
    if outcome is not None:
        return _ended(words, after, outcome, is_match=after.is_over and not before.is_over)
    completed = next((happening for happening in happened if isinstance(happening, Completed)), None)
    drew = next((happening for happening in happened if isinstance(happening, Drew)), None)
    refilled = drew if any(isinstance(happening, Played) for happening in happened) else None
    parts = []
    if completed is not None:
        parts.append(words.say("{stack} is complete", stack=TARGETS[completed.stack]))
    if refilled is not None:
        parts.append(words.of(refilled.seat, "your hand is refilled", "{name}'s hand is refilled"))
    if not parts:
        return None
    return Banner(Moment.STACK if completed is not None else Moment.REFILL, " · ".join(parts))


def log_lines(before: Match, after: Match) -> tuple[LogLine, ...]:
    """What an entry did, each with the turn in which it happened."""
    turn = 0
    if before.game is not None and after.game is not None and before.game.number == after.game.number:
        turn = before.game.table.turn
    found = []
    for happening in after.happened:
        turn = happening.turn if isinstance(happening, TurnBegan) else turn
        found.append(LogLine(turn, happening))
    return tuple(found)


def _ended(words: Words, match: Match, outcome: Outcome, *, is_match: bool) -> Banner:
    points = match.score.points
    if is_match:
        winner = outcome.winner or 0
        title = words.of(
            winner,
            "YOU WIN THE MATCH, {mine} : {theirs}",
            "{name} WINS THE MATCH, {mine} : {theirs}",
            mine=points[winner],
            theirs=points[1 - winner],
        )
        return Banner(Moment.MATCH, title, score_sheet(words, match))
    if outcome.winner is None:
        reasons = (
            tell(words, happening) for happening in match.happened if isinstance(happening, StockRanOut | TurnsRanOut)
        )
        return Banner(Moment.TIE, words.say("A TIE: NOBODY SCORES"), (*reasons, "", *score_sheet(words, match)))
    return Banner(Moment.GAME, _won(words, outcome), score_sheet(words, match))


def _won(words: Words, outcome: Outcome) -> str:
    winner, points = outcome.winner or 0, outcome.points
    if outcome.how is How.RESIGN:
        loser = 1 - winner
        return words.of(loser, "YOU GAVE THE GAME UP", "{name} GAVE THE GAME UP")
    if words.is_you(winner):
        return words.count("YOU WIN THE GAME: {n} POINT", "YOU WIN THE GAME: {n} POINTS", points)
    return words.count(
        "{name} WINS THE GAME: {n} POINT", "{name} WINS THE GAME: {n} POINTS", points, name=words.name(winner)
    )
