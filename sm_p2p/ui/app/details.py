"""Connection and verification, in sentences: who is there, how, and what was checked; and the title of the window."""

from sm_p2p.session.effects import Claimed, Overdue
from sm_p2p.session.state import State
from sm_p2p.session.talk import Situation, Way
from sm_p2p.ui.news import describe, sentences
from sm_p2p.ui.persons import sending_away
from sm_p2p.ui.returns import tell_return
from sm_p2p.ui.screen.model import Model, Opponent
from sm_p2p.ui.words import Words


def details(words: Words, now: Situation, model: Model, opposite: str = "") -> tuple[str, ...]:
    """Everything that is known; `opposite` is who sits there, and the words of his key."""
    match, link, found = now.match, model.link, [_way(words, now, model)]
    if link.overdue_min:
        news = Claimed(link.overdue_min) if link.is_claimed else Overdue(link.overdue_min)
        found += tell_return(words, news)
    if link.watchers:
        found.append(words.count("{n} person is watching.", "{n} people are watching.", link.watchers))
    if opposite:
        found.append(opposite)
    if opposite and now.seat == 0:
        found.append(sending_away(words))
    chain = match.chain
    if chain.head:
        found.append(
            words.count(
                "The log holds {n} entry; its head is {head}.",
                "The log holds {n} entries; its head is {head}.",
                chain.seq,
                head=chain.head.hex(),
            )
        )
        if model.stopped is None:
            found.append(words.say("Every signature, every move and every proof in it was checked on this machine."))
        else:
            found += sentences(words, model.stopped)
        found.append(words.say("The match has the number {match}.", match=chain.match.hex()))
        found += describe(words, match.variant)
    return tuple(found)


def title(words: Words, now: Situation) -> str:
    """What the window is called, so that somebody who looks elsewhere knows when to look here."""
    if now.match.state is State.CLOSED:
        return words.say("The match is over - Spite & Malice")
    if now.match.game is None:
        return words.say("Spite & Malice")
    if now.is_our_turn:
        return words.say("YOUR TURN - Spite & Malice")
    return words.say("{name}'s turn - Spite & Malice", name=words.name(1 - now.seat))


def _way(words: Words, now: Situation, model: Model) -> str:
    link = model.link
    name = words.name(1 - now.seat)
    if link.opponent is Opponent.COMPUTER:
        return words.say("You play against the computer, which sits in a process of its own on this machine.")
    if link.is_away:
        return words.say("{name} has left; the match is kept.", name=name)
    if link.way is Way.CONNECTING:
        return words.say("Nobody is connected yet.")
    if link.way is Way.RECONNECTING:
        return words.say("{name} cannot be reached; trying again.", name=name)
    if link.step_ms:
        return words.say(
            "{name} is connected, end to end encrypted; an answer takes about {ms} ms.", name=name, ms=link.step_ms
        )
    return words.say("{name} is connected, end to end encrypted.", name=name)
