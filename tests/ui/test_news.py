"""News in sentences."""

from dataclasses import replace
from typing import Final, get_args

import pytest
from ui.stage import NAMES, Stage

from sm_p2p.errors import Code, IllegalMove
from sm_p2p.rules.reasons import Reason
from sm_p2p.rules.reasons import Refused as RefusedMove
from sm_p2p.rules.table import How, Outcome
from sm_p2p.rules.variant import LONG, QUICK, STANDARD, Variant
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
from sm_p2p.session.state import Match
from sm_p2p.session.talk import (
    Afresh,
    Asked,
    AskedAgain,
    Doubt,
    LinkChanged,
    Mended,
    News,
    Offered,
    Refused,
    Repair,
    Resumed,
    Seated,
    Unasked,
    Vacant,
    Watched,
    Way,
)
from sm_p2p.ui.news import describe, score_line, score_sheet, sentences, words_of
from sm_p2p.ui.words import Words

MINE: Final = Words(NAMES, 0)
STOPPED: Final = Stopped(Code.BAD_SHUFFLE_PROOF, 12, 1, "sum of rows")

SAID: Final[tuple[tuple[News, tuple[str, ...]], ...]] = (
    (Said(0, "hi"), ("You say: hi",)),
    (Said(1, "nice \x1b[2J one\n{name}"), ("Bo says: nice [2J one {name}",)),
    (Latency(0.01), ()),
    (
        STOPPED,
        (
            "The match has stopped at entry 12: the proof for a shuffle is wrong.",
            "In detail: sum of rows.",
            "Bo has signed this entry.",
            "The log stays valid up to here, and what was received is kept beside it.",
        ),
    ),
    (
        Stopped(Code.DIGEST_DIFFERS, 9, None, "", ("stock", "hands")),
        (
            "The match has stopped at entry 9: the two sides see different tables.",
            "What differs is this: stock, hands.",
            "The log stays valid up to here, and what was received is kept beside it.",
        ),
    ),
    (Rejected("table-taken", 0), ("The other side says no: somebody else sits at this table already.",)),
    (
        Rejected("digest-differs", 9, ("score",)),
        ("The other side has stopped at entry 9: the two sides see different tables.", "What differs is this: score."),
    ),
    (Rejected("new\x1b-code", 3), ("The other side has stopped at entry 3: new-code.",)),
    (PeerLeft(), ("The other side has left; the match is kept.",)),
    (LinkChanged(Way.CONNECTING), ("Looking for the other side.",)),
    (LinkChanged(Way.UP), ("The other side can be reached.",)),
    (LinkChanged(Way.RECONNECTING), ("The other side cannot be reached; trying again.",)),
    (
        Refused(RefusedMove(Reason.DOES_NOT_FIT, rank="6", below="5", place="c1", needed="8")),
        ("Not possible: 6 needs 5 beneath it, and c1 waits for 8.",),
    ),
    (Refused(IllegalMove("it is not your turn")), ("Not possible: it is not your turn.",)),
    (
        Offered("Eve\u202e", QUICK),
        ("Eve offers a match.",),
    ),
    (Unasked(), ("Nobody waits for this answer any more.",)),
    (
        Seated("Eve\u202e", "adult amulet"),
        ("You have not met Eve before.", "The key of Eve reads: adult amulet."),
    ),
    (Seated("Eve", "adult amulet", ("Bo", "Eve")), ("Eve has the key that you know.",)),
    (Seated("Eve", "adult amulet", ("Zoe", "Bo\x1b")), ("Eve has the key of Bo, whom you know.",)),
    (
        Asked(Doubt.UNINVITED, "", "adult amulet"),
        (
            "Somebody without a name has no invite and would like to sit down.",
            "The key of Somebody without a name reads: adult amulet.",
        ),
    ),
    (
        Asked(Doubt.OTHER_KEY, "Eve\n", "adult amulet", ("zulu yucatan",)),
        (
            "CAREFUL: Eve comes with another key than the Eve whom you know.",
            "The key of Eve reads: adult amulet.",
            "The key that you know reads: zulu yucatan.",
            "Somebody else may be using this name: ask Eve in another way which words are right.",
        ),
    ),
    (
        Asked(Doubt.UNKNOWN, "10.0.0.7:7227", "adult amulet", (), at_door=False),
        (
            "Somebody whom you have not met listens at 10.0.0.7:7227.",
            "The key there reads: adult amulet.",
            "Ask the host in another way for the words of his key: they stand below his invite, and sm-p2p key shows them.",
        ),
    ),
    (
        Asked(Doubt.OTHER_HOST, "10.0.0.7:7227\x1b", "adult amulet", ("zulu yucatan",), at_door=False),
        (
            "CAREFUL: somebody else than before listens at 10.0.0.7:7227.",
            "The key there reads: adult amulet.",
            "The key that you know reads: zulu yucatan.",
            "Ask the host in another way for the words of his key: they stand below his invite, and sm-p2p key shows them.",
        ),
    ),
    (Resumed(1), ("The match goes on after 1 entry.",)),
    (Resumed(118), ("The match goes on after 118 entries.",)),
    (Watched(0), ("Nobody is watching any more.",)),
    (Watched(1), ("1 person is watching.",)),
    (Watched(3), ("3 people are watching.",)),
    (AskedAgain(), ("The other side would like another match.",)),
    (Afresh(), ("Another match begins.",)),
    (Vacant(), ("The seat opposite is free again, for whoever comes next.",)),
    (
        Vacant(is_new_invite=True),
        ("The seat opposite is free again, and there is a new invite: the old one opens nothing now.",),
    ),
    (Recovered(1), ("1 entry that was missing here came back from Bo.",)),
    (Recovered(12), ("12 entries that were missing here came back from Bo.",)),
    (
        Recovered(2, is_strange=True),
        (
            "2 entries that were missing here came back from Bo.",
            (
                "This machine does not know that it signed them: an older copy of its files was put back, "
                "or your key is in use on another machine as well."
            ),
        ),
    ),
    (
        Overdue(10),
        (
            "Bo has been away for 10 min.",
            "claim says in writing that the match was abandoned; quit leaves, and the match is kept.",
        ),
    ),
    (
        Claimed(11),
        (
            "You claim that Bo has abandoned the match: away for 11 min.",
            "That is a claim and no result: the score stays as it is, and the claim is withdrawn when Bo comes back.",
        ),
    ),
    (Withdrawn(), ("Bo is back; your claim is withdrawn.",)),
    (
        Mended(Repair.TORN_LOG, "/home/ana/m.smlog.torn-7"),
        (
            (
                "The last entry of the log was not written to its end; "
                "what there was of it is kept in /home/ana/m.smlog.torn-7."
            ),
        ),
    ),
    (
        Mended(Repair.TORN_NOTES, "m.notes.torn-7"),
        (
            (
                "The last of the notes beside the log was not written to its end; "
                "what there was of it is kept in m.notes.torn-7."
            ),
        ),
    ),
    (
        Mended(Repair.DAMAGED_NOTES, "m.notes.damaged"),
        (
            (
                "The notes beside the log were damaged. They are kept in m.notes.damaged and begin anew; "
                "some chat may be missing."
            ),
        ),
    ),
)


@pytest.mark.parametrize(("news", "lines"), SAID)
def test_news_is_told(news: News, lines: tuple[str, ...]) -> None:
    assert sentences(MINE, news) == lines


def test_no_news_is_left_out() -> None:
    assert {type(news) for news, _ in SAID} | {Advanced} == set(get_args(News))


def test_a_fault_of_ours_is_called_ours() -> None:
    ours = "Your key is in use on another machine as well, or an older copy of its files was put back here."
    assert "You have signed this entry." in sentences(MINE, replace(STOPPED, guilty=0))
    assert ours not in sentences(MINE, replace(STOPPED, guilty=0))
    assert ours in sentences(MINE, replace(STOPPED, guilty=0, code=Code.EQUIVOCATION))
    assert ours not in sentences(MINE, replace(STOPPED, guilty=1, code=Code.EQUIVOCATION))
    forked = [sentences(MINE, replace(STOPPED, code=Code.EQUIVOCATION, guilty=guilty)) for guilty in (0, 1, None)]
    assert [[line for line in told if "machine" in line] != [] for told in forked] == [True, True, False]
    assert any(line.startswith("Your key is in use on another machine as well") for line in forked[0])


def test_the_opening_is_told_from_both_sides() -> None:
    stage = Stage(Variant.parse("quick,pay_off=5"))
    news = stage.begin()
    mine, theirs = ([line for item in news for line in sentences(words_of(stage.match, you), item)] for you in (0, 1))
    assert mine[:5] == [
        "You open a match.",
        "The variant is quick,pay_off=5: 2 packs, 5 pay-off cards each, 3 centre stacks.",
        "The first game that is not a tie decides the match.",
        "Bo joins the match.",
        "Game 1 begins: both players shuffle the deck.",
    ]
    assert (theirs[0], theirs[3]) == ("Ana opens a match.", "You join the match.")


def test_the_end_of_a_match_is_told_from_both_sides() -> None:
    stage = Stage(QUICK)
    stage.begin()
    news = stage.resign(0)
    mine, theirs, nobodys = (
        [line for item in news for line in sentences(words_of(stage.match, you), item)] for you in (0, 1, None)
    )
    assert mine == [
        "You resign.",
        "Bo scores 10 points for it.",
        "Bo wins the match, 10 to 0.",
        "Both keys of game 1 are open: its shuffles can be checked.",
        "The log of the match is complete.",
    ]
    assert theirs[:3] == ["Ana resigns.", "You score 10 points for it.", "You win the match, 10 to 0."]
    assert nobodys[:3] == ["Ana resigns.", "Bo scores 10 points for it.", "Bo wins the match, 10 to 0."]


def test_a_variant_is_described_in_full() -> None:
    assert describe(MINE, STANDARD) == (
        "The variant is standard: 2 packs, 20 pay-off cards each, 3 centre stacks.",
        "50 points win the match.",
    )
    assert describe(MINE, LONG)[0] == "The variant is long: 3 packs, 30 pay-off cards each, 3 centre stacks."
    assert describe(MINE, Variant.parse("hints=yes,stock_out=empty"))[2:] == (
        "Hints are allowed.",
        "The game is a tie as soon as a draw would take the last card of the stock.",
    )
    assert describe(MINE, Variant.parse("stock_out=fewest,refill=next-turn"))[2:] == (
        "When a draw cannot be made, the player with fewer pay-off cards wins the difference.",
        "A hand that was emptied is filled at the next turn; the move end ends such a turn.",
    )


def test_the_score_sheet_names_every_game() -> None:
    outcomes = (
        Outcome(How.WIN, 0, 1),
        Outcome(How.WIN, 1, 12),
        Outcome(How.TIE, None, 0),
        Outcome(How.RESIGN, 0, 9),
        Outcome(How.RESIGN, 1, 1),
    )
    match = Match(outcomes=outcomes)
    for outcome in outcomes:
        match = replace(match, score=match.score.after(outcome, 0))
    assert score_sheet(MINE, match) == (
        "Game 1: 1 point for you.",
        "Game 2: 12 points for Bo.",
        "Game 3: a tie.",
        "Game 4: 9 points for you, by resignation.",
        "Game 5: 1 point for Bo, by resignation.",
        "Score: you 10, Bo 13; 50 points win.",
    )
    assert score_line(Words(NAMES), match.score, 1) == "Score: Ana 10, Bo 13; 1 point wins."


def test_names_come_from_the_match_as_far_as_they_are_known() -> None:
    stage = Stage()
    assert words_of(stage.match, 1).names == ("", "")
    stage.open()
    assert words_of(stage.match, 1).names == ("Ana", "")
    stage.join()
    assert words_of(stage.match, 1) == Words(("Ana", "Bo"), 1)
