"""Sentences of the door: what is said before the first card and after the last one."""

import shlex
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sm_p2p.session.text import clean
from sm_p2p.ui.words import Words, mark

PLAIN: Final = Words()
ADDRESS_LENGTH: Final = 80  # characters of an address from an invite
LAST_LENGTH: Final = 300  # characters of what the computer said last

TROUBLES: Final[Mapping[str, str]] = MappingProxyType(  # why an address does not work, by the word of it
    {
        "name": mark(
            "{address}: no machine of this name was found. Ask for an invite with a number in place of the name."
        ),
        "interface": mark("{address}: this machine has no network interface of that name just now."),
        "silent": mark(
            "{address}: no answer. A firewall on the other side, or the wrong network, is the likely cause."
        ),
        "closed": mark("{address}: nobody listens there, or no way leads there. Is the table still open?"),
        "stranger": mark("{address}: somebody else answers there, or the host has no room for more connections."),
    }
)


def first_start(words: Words = PLAIN) -> str:
    """The first line of the very first start in line mode."""
    return words.say(
        "This is line mode; SM_P2P_UI=line in the environment chooses it for good. Type help for what can be typed."
    )


def invitation(invite: str, words: Words = PLAIN) -> str:
    """The invite, alone on the last line, as a shell takes it."""
    line = words.say("Send this line to the other player, who types sm-p2p join and then this:")
    return f"{line}\n{shlex.quote(invite)}"


def to_watch(invite: str, words: Words = PLAIN) -> str:
    """The invite for watching, alone on the last line, as a shell takes it."""
    line = words.say("Whoever would like to watch types sm-p2p watch and then this:")
    return f"{line}\n{shlex.quote(invite)}"


def another_is_watched(words: Words = PLAIN) -> str:
    """Whoever serves a spectator has gone on to a match that the spectator's invite does not name."""
    return words.say("Another match is played there now; ask for the invite for watching that one.")


def nobody_serves_more(words: Words = PLAIN) -> str:
    """Whoever served a spectator has said goodbye."""
    return words.say("Whoever let you watch has left; nothing more comes.")


def nobody_serves(words: Words = PLAIN) -> str:
    """Nobody answers at the addresses of an invite for watching."""
    return words.say("Nobody answers there; ask for a new invite.")


def compared(fingerprint: str, words: Words = PLAIN) -> str:
    """The words of the host's key, which a guest without an invite asks him for."""
    return words.say(
        "Who comes without an invite compares the words of your key: {fingerprint}", fingerprint=fingerprint
    )


def no_network(words: Words = PLAIN) -> str:
    """The invite leads nobody here from elsewhere."""
    return words.say(
        "There is no network now, so this invite leads nowhere but on this machine; another one follows when there is."
    )


def moved(words: Words = PLAIN) -> str:
    """This machine has come to other networks, and the invite says so."""
    return words.say("This machine has other addresses now, and another invite with them.")


def waiting(port: int, words: Words = PLAIN) -> str:
    """The table is open."""
    return words.say("Waiting for the other player on port {port}.", port=port)


def nobody_came(port: int, words: Words = PLAIN) -> str:
    """Nobody has reached the host for a while."""
    return words.say(
        "Nobody has come so far. If the other player tries, then something between you blocks port {port}: "
        "a firewall is the likely cause.",
        port=port,
    )


def connecting(words: Words = PLAIN) -> str:
    """The guest has begun to try."""
    return words.say("Looking for the table.")


def still_looking(words: Words = PLAIN) -> str:
    """Nobody has answered the guest for a while; why not follows."""
    return words.say("Nobody has answered so far; the search goes on.")


def inquiring(address: str, words: Words = PLAIN) -> str:
    """The guest has only an address."""
    return words.say("Asking whose table is at {address}.", address=clean(address, ADDRESS_LENGTH))


def asked_there(words: Words = PLAIN) -> str:
    """The guest has no invite."""
    return words.say("You have no invite, so the host is asked whether you may sit down.")


def kept_for(name: str, words: Words = PLAIN) -> str:
    """The table is open for one match only."""
    return words.say("This table is kept for the match with {name}; nobody else can sit down.", name=name)


def own_table(words: Words = PLAIN) -> str:
    """The invite is our own."""
    return words.say("This is your own table; start one side with --home DIR.")


def other_terms(words: Words = PLAIN) -> str:
    """The host offers another variant than the one that was asked for."""
    return words.say("The host wants to play another variant than the one that you asked for.")


def computer_gone(last_words: str, words: Words = PLAIN) -> str:
    """The process of the computer has ended by itself, after these words."""
    said = words.say("The computer has left its seat; the match is kept.")
    last = clean(last_words, LAST_LENGTH)
    return f"{said}\n{words.say('It said: {last}', last=last)}" if last else said


def alone(words: Words = PLAIN) -> str:
    """The time to wait is over."""
    return words.say("The other side did not come in time; a match that has begun is kept.")


def trouble(address: str, why: str, words: Words = PLAIN) -> str:
    """Why an address of the invite did not work; a word that is not known here is shown as it is."""
    where = clean(address, ADDRESS_LENGTH)
    if why in TROUBLES:
        return words.say(TROUBLES[why], address=where)
    return words.say("{address}: {why}.", address=where, why=why)


def kept(words: Words = PLAIN) -> str:
    """A match was left that is not over."""
    return words.say("The match is kept: host or join the same player again to go on with it.")


def known_by(name: str, fingerprint: str, words: Words = PLAIN) -> str:
    """The words that a player's key is recognised by."""
    return words.say("The key of {name} reads: {fingerprint}.", name=name, fingerprint=fingerprint)
