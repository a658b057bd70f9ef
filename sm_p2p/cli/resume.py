"""The command that brings an unfinished match back: resume.

Law: it is played as it was played last: at our table, at the other side's, or against the computer; and it is that match
or none.
"""

import argparse
from collections.abc import Sequence
from typing import Final

from sm_p2p.cli import tables
from sm_p2p.cli.asking import answer_at_terminal
from sm_p2p.cli.matches import summary
from sm_p2p.cli.shelf import Shelved, State, find, identity_of_computer, names, shelf
from sm_p2p.cli.sitting import Occasion, Wanted
from sm_p2p.cli.words import find_places
from sm_p2p.errors import UsageError
from sm_p2p.net.addresses import remembered
from sm_p2p.net.invite import TOKEN_BYTES, Invite, Whereabouts
from sm_p2p.store.places import Places
from sm_p2p.store.removal import held
from sm_p2p.store.ways import Role, Way, read_way
from sm_p2p.ui.words import Words

WORDS: Final = Words()
KNOWN: Final = bytes(TOKEN_BYTES)  # no token: the other side knows us by our key
HOSTED: Final = Way(Role.HOST)
JOINED: Final = Way(Role.GUEST)


def resume(arguments: argparse.Namespace) -> Occasion:
    """The table of the match that was named, or of the only one that waits, or of the one that is chosen.

    UsageError if there is none, or nobody can be asked which; JournalBusy if a process has it.
    """
    invite = tables.invite_of(arguments.invite) if arguments.invite else None
    places = find_places(arguments)
    found = shelf(places)
    one = find(found, arguments.match) if arguments.match else _only(found, arguments)
    return brought_back(arguments, places, one, invite)


def brought_back(arguments: argparse.Namespace, places: Places, one: Shelved, invite: Invite | None = None) -> Occasion:
    """The table of this match; `invite` is where the other side is now. UsageError, JournalBusy."""
    if not one.is_waiting and one.state is not State.UNOPENED:
        over = WORDS.say("This match is over; look at it with: sm-p2p replay {file}", file=str(one.path))
        raise UsageError(one.problem or over)
    with held(one.path):
        pass
    wanted = Wanted(only=one)
    if invite is None and one.identity == identity_of_computer(places):
        return tables.play(arguments, wanted)
    way = read_way(places.way(one.match)) or (JOINED if one.seat else HOSTED)
    if invite is None and way.role is Role.HOST:
        return tables.host(arguments, wanted)
    if invite is not None and invite.key != one.identity:
        raise UsageError("This invite is not one by {opponent}, with whom the match is.", opponent=one.opponent)
    alone = WORDS.say("If {name} is at another address now, say so: sm-p2p resume --invite INVITE", name=one.opponent)
    return tables.join_at(arguments, invite or _known(one, way), wanted, alone)


def _only(found: Sequence[Shelved], arguments: argparse.Namespace) -> Shelved:
    """The match that waits; UsageError if there is none, or nobody says which."""
    waits = [one for one in found if one.is_waiting]
    if not waits:
        raise UsageError("There is no unfinished match here; all that is saved is listed by: sm-p2p matches")
    if len(waits) == 1:
        return waits[0]
    called = dict(zip(found, names(found), strict=True))
    is_person = arguments.player == "human" and not arguments.json
    lines = [f"  {at}  {called[one]}  {summary(one)}" for at, one in enumerate(waits, 1)]
    question = "\n".join(
        (WORDS.say("These matches wait:"), *lines, WORDS.say("Which one? Its number, or Enter for none:"))
    )
    said = answer_at_terminal(question) if is_person else None
    if said in {str(at) for at in range(1, len(waits) + 1)}:
        return waits[int(said) - 1]
    which = ", ".join(f"{called[one]} ({one.opponent})" for one in waits)
    raise UsageError("{n} matches wait; say which one: {which}.", n=len(waits), which=which)


def _known(one: Shelved, way: Way) -> Whereabouts:
    """The way back to the other side's table; UsageError if it is not known."""
    addresses = remembered(way.addresses)
    if not addresses:
        raise UsageError(
            "It is not known where {opponent}'s table is; say so: sm-p2p resume MATCH --invite INVITE",
            opponent=one.opponent,
        )
    return Whereabouts(addresses, one.identity, KNOWN)
