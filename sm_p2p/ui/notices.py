"""Sentences of the door: what is said before the first card and after the last one."""

from sm_p2p.ui.words import Words


def first_start(words: Words) -> str:
    """The first line of the very first start in line mode."""
    return words.say(
        "This is line mode; SM_P2P_UI=line in the environment chooses it for good. Type help for what can be typed."
    )


def invitation(words: Words, invite: str) -> str:
    """The invite, alone on the last line."""
    return "\n".join((words.say("Send this line to the other player, who types sm-p2p join and then this:"), invite))


def waiting(words: Words, port: int) -> str:
    """The table is open."""
    return words.say("Waiting for the other player on port {port}.", port=port)


def nobody_came(words: Words, port: int) -> str:
    """Nobody has reached the host for a while."""
    return words.say(
        "Nobody has come so far. If the other player tries, then something between you blocks port {port}: "
        "a firewall is the likely cause.",
        port=port,
    )


def not_reached(words: Words, address: str) -> str:
    """The guest has tried for a while in vain."""
    return words.say(
        "No answer from {address} so far. Either the table is closed, or something blocks this port: "
        "a firewall on the other side is the likely cause.",
        address=address,
    )


def gave_up(words: Words) -> str:
    """The time to wait is over."""
    return words.say("Nobody came in time.")


def kept(words: Words) -> str:
    """A match was left that is not over."""
    return words.say("The match is kept: host or join the same player again to go on with it.")


def known_by(words: Words, name: str, fingerprint: str) -> str:
    """The words that a player's key is recognised by."""
    return words.say("The key of {name} reads: {fingerprint}.", name=name, fingerprint=fingerprint)
