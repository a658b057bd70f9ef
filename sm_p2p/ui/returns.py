"""Who is away and who is back, what came back with him, and what had to be mended here: in sentences.

Law: a claim is called a claim wherever it is told, and never a result.
"""

from typing import assert_never

from sm_p2p.rules.table import Seat
from sm_p2p.session.effects import Claimed, Overdue, Recovered, Withdrawn
from sm_p2p.session.talk import Mended, Repair, Return
from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.ui.words import Words


def tell_return(words: Words, news: Return) -> tuple[str, ...]:
    """What this news says."""
    match news:
        case Recovered(entries, is_strange):
            return _recovered(words, entries, is_strange=is_strange)
        case Overdue(minutes):
            return (overdue(words, minutes), *claiming(words))
        case Claimed(minutes):
            return (
                words.say(
                    "You claim that {name} has abandoned the match: away for {minutes} min.",
                    name=other(words),
                    minutes=minutes,
                ),
                words.say(
                    "That is a claim and no result: the score stays as it is, and the claim is withdrawn when {name} comes back.",
                    name=other(words),
                ),
            )
        case Withdrawn():
            return (words.say("{name} is back; your claim is withdrawn.", name=other(words)),)
        case Mended():
            return (_mended(words, news),)
        case _:
            assert_never(news)


def tell_claim(words: Words, seat: Seat, minutes: int) -> str:
    """What a player claims beside a log that is told to somebody else."""
    return words.say(
        "{name} claims that {other} has abandoned the match: away for {minutes} min. That is a claim and no result.",
        name=words.name(seat),
        other=words.name(1 - seat),
        minutes=minutes,
    )


def overdue(words: Words, minutes: int) -> str:
    """How long the other side is away."""
    return words.say("{name} has been away for {minutes} min.", name=other(words), minutes=minutes)


def claiming(words: Words) -> tuple[str, ...]:
    """What can be done about it."""
    return (words.say("claim says in writing that the match was abandoned; quit leaves, and the match is kept."),)


def other(words: Words) -> str:
    """The name of who sits opposite."""
    return words.name(1 - (words.you or 0))


def _recovered(words: Words, entries: int, *, is_strange: bool) -> tuple[str, ...]:
    found = words.count(
        "{n} entry that was missing here came back from {name}.",
        "{n} entries that were missing here came back from {name}.",
        entries,
        name=other(words),
    )
    if not is_strange:
        return (found,)
    strange = words.say(
        "This machine does not know that it signed them: an older copy of its files was put back, "
        "or your key is in use on another machine as well."
    )
    return (found, strange)


def _mended(words: Words, news: Mended) -> str:
    file = clean(news.file, NOTE_LENGTH)
    match news.what:
        case Repair.TORN_LOG:
            return words.say(
                "The last entry of the log was not written to its end; what there was of it is kept in {file}.",
                file=file,
            )
        case Repair.TORN_NOTES:
            return words.say(
                "The last of the notes beside the log was not written to its end; what there was of it is kept in {file}.",
                file=file,
            )
        case Repair.DAMAGED_NOTES:
            return words.say(
                "The notes beside the log were damaged. They are kept in {file} and begin anew; some chat may be missing.",
                file=file,
            )
        case _:
            assert_never(news.what)
