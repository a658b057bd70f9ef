"""Who somebody is, in sentences: the words of his key, and how name and key go together with what is known here.

Law: a name is only a text; whoever is asked about somebody is always shown the words of his key.
"""

from typing import assert_never

from sm_p2p.session.talk import Asked, Doubt, Person, Seated, Unasked
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.ui.notices import ADDRESS_LENGTH, known_by
from sm_p2p.ui.words import Words


def tell_person(words: Words, news: Person) -> tuple[str, ...]:
    """What this news says."""
    match news:
        case Seated():
            return _seated(words, news)
        case Asked():
            return asked(words, news)
        case Unasked():
            return (words.say("Nobody waits for this answer any more."),)
        case _:
            assert_never(news)


def asked(words: Words, news: Asked) -> tuple[str, ...]:
    """Who waits for an answer, and what there is to compare."""
    name = _name(words, news.name)
    reads = known_by(name, news.key, words)
    there = words.say("The key there reads: {fingerprint}.", fingerprint=news.key)
    known = tuple(words.say("The key that you know reads: {fingerprint}.", fingerprint=key) for key in news.known)
    compare = words.say(
        "Ask the host in another way for the words of his key: they stand below his invite, and sm-p2p key shows them."
    )
    match news.doubt:
        case Doubt.UNINVITED:
            return (words.say("{name} has no invite and would like to sit down.", name=name), reads)
        case Doubt.OTHER_KEY:
            return (
                words.say("CAREFUL: {name} comes with another key than the {name} whom you know.", name=name),
                reads,
                *known,
                words.say(
                    "Somebody else may be using this name: ask {name} in another way which words are right.", name=name
                ),
            )
        case Doubt.UNKNOWN:
            where = clean(news.name, ADDRESS_LENGTH)
            return (words.say("Somebody whom you have not met listens at {address}.", address=where), there, compare)
        case Doubt.OTHER_HOST:
            where = clean(news.name, ADDRESS_LENGTH)
            listens = words.say("CAREFUL: somebody else than before listens at {address}.", address=where)
            return (listens, there, *known, compare)
        case _:
            assert_never(news.doubt)


def known_as(words: Words, news: Seated) -> str:
    """The words of the key of whoever sits opposite, for the details of the connection."""
    return known_by(_name(words, news.name), news.key, words)


def sending_away(words: Words) -> str:
    """What a host can do about a guest whom he does not know, on the full screen."""
    return words.say("If this is not whom you wait for, :refuse sends him away, before a card is played.")


def _seated(words: Words, news: Seated) -> tuple[str, ...]:
    name = _name(words, news.name)
    others = [clean(other, NAME_LENGTH) for other in news.before]
    if not others:
        return (words.say("You have not met {name} before.", name=name), known_as(words, news))
    if name in others:
        return (words.say("{name} has the key that you know.", name=name),)
    return (words.say("{name} has the key of {other}, whom you know.", name=name, other=others[-1]),)


def _name(words: Words, text: str) -> str:
    return clean(text, NAME_LENGTH) or words.say("Somebody without a name")
